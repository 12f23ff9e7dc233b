/* Inside the CPU's exact sums: what a thread works with.

   Numbers are real here: of complex arrays the parts are columns, two for each, so that x has
   inner * length * outer numbers, and an output is one.  Rows of numbers are added to as many expansions,
   lanes.  What an expansion does not hold goes to a long sum, which most outputs never have.  */

#ifndef GPR_CPU_EXACT_H
#define GPR_CPU_EXACT_H

#include "exponents.h"
#include "part.h"

enum { LANES = GPR_CPU_LANES, RUN_LANES = 64, FEW_LANES = 16, NUMBERS = 2048 };

typedef struct {
  const gpr_reduction *r;
  const gpr_cpu_expansions *loops;
  bool single, complex, omit, single_result;
  int levels;
  int64_t inner, length, outer;
  bool runs;                    /* a row of lanes is the next numbers of memory, not that of so many outputs */
  int lanes;
  int64_t units, pieces, piece; /* units of work: outers or outputs, in pieces of so many numbers or rows */
  gpr_long_sum *totals;         /* of each output, where there are several pieces */
} gpr_exact_job;

/* What a thread works with; x to e: some rows of numbers.  */
typedef struct {
  const gpr_exact_job *g;
  double a[GPR_EXPANSION * LANES], x[NUMBERS], y[NUMBERS], u[NUMBERS], v[NUMBERS], p[NUMBERS], e[NUMBERS];
  int columns;                  /* lane j is of column j % columns */
  bool some_used, used[LANES];
  int64_t spilled;              /* numbers that expansions did not hold */
  gpr_exponents tables[2];
  gpr_long_sum sums[LANES];     /* of the columns that used them */
} gpr_exact_worker;

/* Outputs from the next delivery on; columns of them.  */
void gpr_exact_begin (gpr_exact_worker *w, int columns);
/* Adds rows of n numbers, stride numbers apart, from number from on; at: or number j of each at[j] behind that.  */
void gpr_exact_take (gpr_exact_worker *w, const int64_t *at, int64_t from, int64_t stride, int64_t rows, int n);
/* The same of a run's rows of lanes.  */
void gpr_exact_take_run (gpr_exact_worker *w, int64_t from, int64_t rows);
/* Adds the lanes of each column into its first.  */
void gpr_exact_join_lanes (gpr_exact_worker *w, int lanes);
/* The columns are outputs from this one on.  */
void gpr_exact_deliver (gpr_exact_worker *w, int64_t output);

#endif
