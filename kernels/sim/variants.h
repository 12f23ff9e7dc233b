/* Which variants there are: the package's own and those of a user's file.  */

#ifndef SIM_VARIANTS_H
#define SIM_VARIANTS_H

#include <string>

#include "../ladder/check.h"

struct variants
{
  int (*count) (void);
  const ladder_variant *(*at) (int);
  const void *(*kernel_of) (const void *);      /* what a launch of this runs */
};
extern "C" const void *sim_kernel_of (const void *entry);
/* The package's own (path ""), or those of a user's file.  */
bool open_module (const char *path, variants *v, std::string *why, bool graded = false);
/* Prints them as JSON; returns the exit status.  */
int list (const char *path, bool graded = false);

#endif
