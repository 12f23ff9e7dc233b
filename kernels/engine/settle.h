/* Products in doubt (ops/product.h) on the GPU: arguments of the kernels.  */

#ifndef GPR_ENGINE_SETTLE_H
#define GPR_ENGINE_SETTLE_H

#include <stdbool.h>

#include "../ops/instances.h"

enum {
  GPR_SETTLE_THREADS = 256,
  GPR_SETTLE_ROWS = 1 << 8,     /* that a thread looks at */
  GPR_SETTLE_LONG = 1 << 11,    /* rows of which a warp takes many at a time */
  GPR_SETTLE_LIMIT = 1 << 16    /* rows that a thread takes in their order: more is the host's work */
};

/* Outputs are value[i], of the elements x[i % inner + inner*(r + length*(i / inner))].

   settle    value[i] from the first rows in the built-in's order until nothing but the sign can change, and from seen[i]
             where the tree gave NaN
   seen      which special values there are, and whether the number of negative ones is odd, in seen[i]: of the outputs
             that are NaN  */
typedef struct {
  const void *x;
  void *value;
  int64_t inner, length, outputs;
  unsigned *seen;               /* zero at first; NULL: not looked for, outputs that are NaN are left */
  int lanes;                    /* threads that look at an output's rows side by side: 1, or a warp */
  int64_t pieces;               /* of an output's rows */
  bool omit;                    /* NaN is left out */
  int *left;                    /* <- 1 where an output is left */
} gpr_settle_args;

typedef struct {
  const void *seen, *settle;
  int value_bytes;
  bool omit;
} gpr_settle_kernels;

#ifdef __cplusplus
extern "C"
#endif
/* Of a product of real numbers; NULL: the instance is none.  */
const gpr_settle_kernels *gpr_engine_settle (enum gpr_instance instance);

#endif
