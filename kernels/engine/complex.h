/* Elementwise operations on complex arrays (ops/complex.h) on the GPU: arguments of the kernels.  */

#ifndef GPR_ENGINE_COMPLEX_H
#define GPR_ENGINE_COMPLEX_H

#include "../ops/complex.h"

enum { GPR_COMPLEX_THREADS = 256, GPR_COMPLEX_RANK = 32 };
/* Elements of a thread, as many bytes on their way: y .* y of 1e8 singles 455 us with 4, 421 with 8; abs 364, 304.  */
#define GPR_COMPLEX_EACH(single) ((single) ? 8 : 4)

typedef struct {
  int64_t count;
  const void *x[2];             /* NULL: number */
  double number[2];
  void *z;
  unsigned char *found;         /* of complex results: <- 1 where an imaginary part is not 0 */
  int rank;                     /* 1 of neighbours, and of numbers of stride 0 */
  int64_t dims[GPR_COMPLEX_RANK], strides[2][GPR_COMPLEX_RANK];
} gpr_complex_args;

#ifdef __cplusplus
extern "C" {
#endif
const void *gpr_engine_complex (int single, gpr_complex_op op, gpr_complex_kind kind);          /* 0: there is none */
#ifdef __cplusplus
}
#endif
#endif
