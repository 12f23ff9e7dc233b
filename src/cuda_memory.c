/* Device memory.  Blocks are rounded up to one of eight sizes an octave, so
   that a released one fits the next request of about its size; at most
   cache_limit bytes of released ones are kept, the oldest go first.  */

#include <stdlib.h>
#include <string.h>

#include "cuda_internal.h"

enum { BUCKETS = 1024, SMALLEST = 512 };

typedef struct block {
  struct block *next;
  void *p;
  size_t bytes;
  int device;
} block;

static block *handed_out[BUCKETS];
static block *idle;             /* of all devices, oldest first */
static gpr_cuda_memory now;

static block **
bucket_of (const void *p)
{
  uintptr_t key = (uintptr_t) p / SMALLEST;
  return &handed_out[(key ^ key >> 10) % BUCKETS];
}

static size_t
rounded (size_t bytes)
{
  size_t octave = SMALLEST;
  if (bytes <= SMALLEST)
    return SMALLEST;
  while (octave <= (bytes - 1) / 2)
    octave *= 2;
  size_t step = octave / 8 > SMALLEST ? octave / 8 : SMALLEST;
  return (bytes + step - 1) / step * step;
}

/* Frees idle blocks, the oldest first, until at most so many bytes are idle.  */
static void
shrink (int64_t most)
{
  int current = -1;
  if (now.idle <= most)
    return;
  (void) cudaGetDevice (&current);
  while (idle && now.idle > most)
    {
      block *b = idle;
      idle = b->next;
      now.idle -= (int64_t) b->bytes;
      if (cudaSetDevice (b->device) == cudaSuccess)
        (void) cudaFree (b->p);
      free (b);
    }
  (void) cudaGetLastError ();
  if (current >= 0)
    (void) cudaSetDevice (current);
}

gpr_status
gpr_cuda_take (void **p, size_t bytes)
{
  size_t size = rounded (bytes);
  block *b = NULL;
  int device = 0;

  *p = NULL;
  GPR_CUDA_TRY (cudaGetDevice (&device), "choosing the GPU");
  for (block **at = &idle; *at; at = &(*at)->next)
    if ((*at)->bytes == size && (*at)->device == device)
      {
        b = *at;
        *at = b->next;
        now.idle -= (int64_t) size;
        break;
      }
  if (! b)
    {
      b = malloc (sizeof *b);
      if (! b)
        return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of host memory");
      b->bytes = size;
      b->device = device;
      cudaError_t e = size < bytes ? cudaErrorMemoryAllocation : cudaMalloc (&b->p, size);
      if (e == cudaErrorMemoryAllocation && idle)
        {
          (void) cudaGetLastError ();
          shrink (0);
          e = cudaMalloc (&b->p, size);
        }
      if (e != cudaSuccess)
        {
          free (b);
          if (e != cudaErrorMemoryAllocation)
            return gpr_cuda_error (e, "allocating GPU memory");
          size_t left = 0, total = 0;
          (void) cudaGetLastError ();
          (void) cudaMemGetInfo (&left, &total);
          return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of GPU memory: %.1f MiB needed, %.1f of %.1f MiB free, "
                                "%.1f MiB held by arrays here; clear some gpuArray objects",
                                bytes / 1048576.0, left / 1048576.0, total / 1048576.0, now.in_use / 1048576.0);
        }
    }
  block **bucket = bucket_of (b->p);
  b->next = *bucket;
  *bucket = b;
  now.in_use += (int64_t) size;
  now.allocations++;
  if (now.in_use + now.idle > now.peak)
    now.peak = now.in_use + now.idle;
  *p = b->p;
  return GPR_OK;
}

void
gpr_cuda_give (void *p)
{
  for (block **at = bucket_of (p); *at; at = &(*at)->next)
    if ((*at)->p == p)
      {
        block *b = *at;
        *at = b->next;
        b->next = NULL;
        now.in_use -= (int64_t) b->bytes;
        now.idle += (int64_t) b->bytes;
        now.allocations--;
        for (at = &idle; *at; at = &(*at)->next)
          ;
        *at = b;
        shrink ((int64_t) gpr_host.settings->cache_limit);
        return;
      }
}

int
gpr_cuda_owner (const void *p)
{
  for (const block *b = *bucket_of (p); b; b = b->next)
    if (b->p == p)
      return b->device;
  return -1;
}

void
gpr_cuda_trim_cache (void)
{
  shrink (0);
}

void
gpr_cuda_forget (void)
{
  for (int i = -1; i < BUCKETS; i++)
    {
      block **list = i < 0 ? &idle : &handed_out[i];
      while (*list)
        {
          block *b = *list;
          *list = b->next;
          free (b);
        }
    }
  now.in_use = now.idle = now.allocations = 0;
}

void
gpr_cuda_memory_now (gpr_cuda_memory *m)
{
  *m = now;
}
