/* The report of a run, and a fault's message.  */

#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include <stdint.h>
#include <stdio.h>
#include <string>

#include "values.h"

struct report_head
{
  std::string variant;
  const char *op, *type, *finish;
  int64_t n;
  int block;
  double scale, bias;
  std::string result;           /* JSON */
};
bool write_report (const char *path, const report_head &h);
std::string fault_message (const std::string &variant);
/* Their parts, for reports of others.  */
void write_fault (FILE *f, const std::string &variant);
void write_counts (FILE *f, const struct counts &c);
std::string thread_text (u32 thread, u32 block);

#endif
