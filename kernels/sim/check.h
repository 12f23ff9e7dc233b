/* Whether a result is right, computed plainly from the elements.  A fault says what is not.  */

#ifndef SIM_CHECK_H
#define SIM_CHECK_H

#include <string>
#include <vector>

#include "../ladder/check.h"
#include "request.h"
#include "values.h"

/* A run and what it gave.  */
struct run_state
{
  sim_request *r;
  const ladder_variant *v;
  const double *edges;
  sim_response *answer;
  std::vector<u64> counts;
  std::string result;
  double scale = 1, bias = 0;   /* what is reduced: scale * x + bias */
};

/* data: the elements; chain: additions one after the other, at most, on an element's way.  */
void check_result (const run_state &s, const char *data, value_type type, double chain);
void check_index (const run_state &s, const char *data, value_type type);
void check_histogram (const run_state &s, const char *data);

#endif
