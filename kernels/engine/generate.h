/* Ranges and random numbers (ops/random.h) on the GPU: arguments of the kernels.  */

#ifndef GPR_ENGINE_GENERATE_H
#define GPR_ENGINE_GENERATE_H

#include "../ops/random.h"

enum { GPR_GENERATE_THREADS = 256 };

typedef struct {
  void *z;
  int64_t count;
  u64 seed, position;
  i64 least;
  u64 many;
  f64 first, step, last;
} gpr_generate_args;

#ifdef __cplusplus
extern "C" {
#endif
/* NULL: there is none.  kind: 0 uniform, 1 normal, 2 exponential.  */
const void *gpr_engine_random (int kind, enum gpr_elem elem);
const void *gpr_engine_integers (enum gpr_elem elem);
const void *gpr_engine_range (void);
#ifdef __cplusplus
}
#endif
#endif
