/* Products in doubt (ops/product.h) on the GPU: arguments of the kernels.  */

#ifndef GPR_ENGINE_SETTLE_H
#define GPR_ENGINE_SETTLE_H

#include "../ops/instances.h"

enum {
  GPR_SETTLE_THREADS = 256,
  GPR_SETTLE_ROWS = 1 << 8,     /* that a thread looks at */
  GPR_SETTLE_TILE_THREADS = 128,
  GPR_SETTLE_CHUNK = 512,       /* outputs of which a block takes those in doubt, at most */
  GPR_SETTLE_LONG = 1 << 10,    /* rows that go many at a time */
  GPR_SETTLE_LIMIT = 1 << 16    /* rows that are taken in their order: more is the host's work */
};

/* Outputs are value[i], of the elements x[i % inner + inner*(r + length*(i / inner))].

   settle    value[i] from the first rows in the built-in's order until nothing but the sign can change, and from seen[i]
             where the tree gave NaN: a thread an output
   tile      the same by blocks
   seen      which special values there are, and whether the number of negative ones is odd, in seen[i]: of the outputs
             that are NaN  */
typedef struct {
  const void *x;
  void *value;
  int64_t inner, length, outputs;
  unsigned *seen;               /* zero at first; NULL: not looked for, outputs that are NaN are left */
  int lanes;                    /* seen: threads that look at an output's rows side by side: 1, or a warp */
  int64_t pieces;               /* seen: of an output's rows */
  int column_bits;              /* tile: 1 << column_bits outputs share the threads, 32 at most and never 2; 1, 4 or 16 where inner is 1 */
  int chunk;                    /* tile: outputs that a block looks for such among */
  int *left;                    /* <- 1 where an output is left */
} gpr_settle_args;

typedef struct {
  const void *seen, *settle, *tile;
  int value_bytes;
} gpr_settle_kernels;

#ifdef __cplusplus
extern "C"
#endif
/* Of a product of real numbers; NULL: the instance is none.  */
const gpr_settle_kernels *gpr_engine_settle (enum gpr_instance instance);

#endif
