/* Results that lie on the GPU, finished there.  */

#ifndef GPR_ENGINE_FINISH_H
#define GPR_ENGINE_FINISH_H

#include <stdbool.h>

#include "../common/scalars.h"

enum { GPR_FINISH_THREADS = 256 };

/* value[i] <- sqrt (value[i] / n); NaN, and so NA, stays as it is.  */
typedef struct {
  void *value;
  int64_t count;
  double n;
} gpr_root_mean_args;

#ifdef __cplusplus
extern "C"
#endif
const void *gpr_engine_root_mean (bool single);

#endif
