/* Arrays of another class (ops/convert.h) on the GPU: arguments of the kernel.  */

#ifndef GPR_ENGINE_CONVERT_H
#define GPR_ENGINE_CONVERT_H

#include <stdbool.h>

#include "../common/scalars.h"

enum { GPR_CONVERT_THREADS = 256 };
/* Elements of a vector: 16 bytes of the larger ones.  */
#define GPR_CONVERT_VECTOR(from, to) (16 / (int) ((from) > (to) ? (from) : (to)))

typedef struct {
  const void *x;
  void *y;
  int64_t count;
  enum gpr_elem to;             /* real */
  bool vectors;                 /* x and y begin where vectors may */
} gpr_convert_args;

#ifdef __cplusplus
extern "C"
#endif
const void *gpr_engine_convert (enum gpr_elem from);    /* NULL: none from that */

#endif
