/* Exact sums (ops/exact.h) on the GPU: arguments of the kernels.  Numbers are real; of complex
   arrays the parts are columns, two for each.  */

#ifndef GPR_ENGINE_EXACT_H
#define GPR_ENGINE_EXACT_H

#include <stdbool.h>

#include "../ops/exact.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  GPR_EXACT_THREADS = 256,
  GPR_EXACT_MARKED_THREADS = 32,
  GPR_EXACT_TILE = GPR_EXACT_MARKED_THREADS * 8,        /* marks that a block looks at */
  GPR_EXACT_RUN_COLUMNS = 8     /* of the kernel runs, at most */
};

/* Output c + columns*o is the sum of x[c + row_stride*r + outer_stride*o], or of products with y.  */
typedef struct {
  const void *x, *y;
  int64_t columns, rows, outers, row_stride, outer_stride;
  int64_t pieces, piece;        /* of an output's rows (kernel runs: of an outer's numbers); so many each */
  int each, split;              /* outputs of a block (kernel outputs), threads that share one */
  bool side_by_side;            /* these are neighbours in a warp: a power of two, 32 at most */
  bool omit_nan, complex;
  int threads;                  /* of a block */
  void *value;
  bool single;                  /* so is value */
  gpr_long_sum *totals;         /* of each output, added to instead of value; or NULL */
  /* Of each output: set where it needs the kernel marked, and then so is some_marked.  Aligned, and zeros up
     to a multiple of GPR_EXACT_TILE.  */
  unsigned char *marks, *some_marked;
} gpr_exact_args;

typedef struct {
  const void *outputs;          /* a thread or some for each output: to value and marks, or to totals */
  const void *runs[2];          /* a block for a piece of an outer, whose columns are its next numbers: of one column, of some */
  const void *marked;           /* a block for each marked output: to value */
} gpr_exact_kernels;

/* omit_nan and complex choose the kernel; NULL: not a type of floating-point numbers.  */
const gpr_exact_kernels *gpr_engine_exact (enum gpr_elem elem, bool products, bool omit_nan);

/* totals to value: a block of 32 threads for each output.  */
const void *gpr_engine_exact_finish (void);

#ifdef __cplusplus
}
#endif
#endif
