/* Device memory.  */

#ifndef GPR_CUDA_MEMORY_H
#define GPR_CUDA_MEMORY_H

#include "device.h"

gpr_status gpr_cuda_take (const gpr_cuda_state *s, void **p, size_t bytes);
size_t gpr_cuda_left (void);             /* of the device in use, with what is idle here */
void gpr_cuda_give (void *p);           /* of take, on any device; NULL, or what a reset has dropped: nothing */
int gpr_cuda_owner (const void *p);     /* of what take gave: device from 0; else -1 */
void gpr_cuda_trim_cache (void);        /* of every device */
void gpr_cuda_forget (int device);      /* after its reset: all it had is gone */
void gpr_cuda_memory_now (gpr_cuda_memory *m);

/* A call plans with so many bytes first, and with half of it whenever they are
   not there, down to GPR_CUDA_LEAST.  */
enum { GPR_CUDA_LEAST = 1 << 20 };
static inline size_t
gpr_cuda_room (void)
{
  size_t limit = gpr_host.settings->memory_limit, most = 2 * (size_t) GPR_CUDA_SCRATCH;
  return limit > 0 && limit < most ? limit : most;
}

#endif
