/* Arrays of another class (ops/convert.h) on the GPU: arguments of the kernel.  */

#ifndef GPR_ENGINE_CONVERT_H
#define GPR_ENGINE_CONVERT_H

#include "../common/scalars.h"

enum { GPR_CONVERT_THREADS = 256 };

typedef struct {
  const void *x;
  void *y;
  int64_t count;
  enum gpr_elem to;             /* real */
} gpr_convert_args;

#ifdef __cplusplus
extern "C"
#endif
const void *gpr_engine_convert (enum gpr_elem from);    /* NULL: none from that */

#endif
