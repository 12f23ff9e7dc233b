/* A ring buffer of pinned memory between pageable memory and the device.  */

#ifndef GPR_CUDA_RING_H
#define GPR_CUDA_RING_H

#include "device.h"

/* count segments of so many bytes, each stride bytes after the one before.  */
typedef struct {
  char *host;
  size_t segment, stride;
  int64_t count;
} gpr_cuda_view;

static inline gpr_cuda_view
gpr_cuda_bytes (const void *host, size_t bytes)
{
  return (gpr_cuda_view) { (char *) host, bytes, bytes, 1 };
}

/* Copies so many bytes of the view, beginning with byte from, to the device or back, by
   several threads.  Copies to the device may still be under way in the copy stream
   when this returns; copies back have ended.  */
gpr_status gpr_cuda_stage (gpr_cuda_state *s, const gpr_cuda_view *v, size_t from, size_t bytes, void *device, bool up);
/* As many threads as the settings and s->copy_threads allow and a transfer of so many bytes is worth.  */
int gpr_cuda_copy_threads (const gpr_cuda_state *s, size_t bytes);
/* Gives back the ring's pinned memory; the next transfer allocates it anew.  */
void gpr_cuda_free_ring (gpr_cuda_state *s);

#endif
