/* Device memory.  Sizes are rounded up to one of eight an octave, so that a block
   that was given back fits the next request of about its size.  At most cache_limit
   bytes of such idle blocks are kept, since the driver takes 0.5 ms for a GiB; the oldest are freed first.
   Threads of several devices may call at once (share_on), so all that is not static locks.  */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { BUCKETS = 1024, SMALLEST = 512, CLASSES = 8 * 56 };

typedef struct block {
  struct block *next;           /* in its bucket or its queue */
  struct block *older, *newer;  /* when idle: among all idle ones */
  void *p;
  size_t bytes;
  int device, class;
} block;

static block *handed_out[BUCKETS];

/* Idle blocks: a queue for each device and size, and a list of all, both oldest first.  So
   the oldest of all is the first of its queue.  */
static struct { block *first, *last; } queues[GPR_CUDA_DEVICES][CLASSES];
static block *oldest, *newest;
static gpr_cuda_memory now;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static block **
bucket_of (const void *p)
{
  uintptr_t key = (uintptr_t) p / SMALLEST;
  return &handed_out[(key ^ key >> 10) % BUCKETS];
}

/* The number of the size class that holds so many bytes, and its size, which is below
   bytes where no class does.  */
static int
class_of (size_t bytes, size_t *size)
{
  size_t octave = SMALLEST;
  int class = 0;

  *size = octave;
  if (bytes <= SMALLEST)
    return 0;
  for (; octave <= (bytes - 1) / 2; class += 8)
    octave *= 2;
  size_t step = octave / 8 > SMALLEST ? octave / 8 : SMALLEST, steps = (bytes - octave + step - 1) / step;
  *size = octave + steps * step;
  return class + (int) steps;
}

static void
enqueue (block *b)
{
  block **last = &queues[b->device][b->class].last;
  b->next = b->newer = NULL;
  b->older = newest;
  *(newest ? &newest->newer : &oldest) = b;
  newest = b;
  *(*last ? &(*last)->next : &queues[b->device][b->class].first) = b;
  *last = b;
  now.idle += (int64_t) b->bytes;
}

/* Takes the oldest of that device and size, or NULL.  */
static block *
dequeue (int device, int class)
{
  block *b = queues[device][class].first;
  if (! b)
    return NULL;
  queues[device][class].first = b->next;
  if (! b->next)
    queues[device][class].last = NULL;
  *(b->older ? &b->older->newer : &oldest) = b->newer;
  *(b->newer ? &b->newer->older : &newest) = b->older;
  now.idle -= (int64_t) b->bytes;
  return b;
}

/* Frees idle blocks, the oldest first, until at most so many bytes are idle.  */
static void
shrink (int64_t most)
{
  int current = -1;
  if (now.idle <= most)
    return;
  (void) cudaGetDevice (&current);
  while (oldest && now.idle > most)
    {
      block *b = dequeue (oldest->device, oldest->class);
      if (cudaSetDevice (b->device) == cudaSuccess)
        (void) cudaFree (b->p);
      free (b);
    }
  (void) cudaGetLastError ();
  if (current >= 0)
    (void) cudaSetDevice (current);
}

static bool used[GPR_CUDA_DEVICES];     /* devices that memory was wanted of */

/* Bytes of idle blocks that are kept: a quarter of each device's.  */
static int64_t
most_idle (void)
{
  static size_t quarter;
  size_t left;
  int64_t devices = 0;
  if (gpr_host.settings->cache_limit != GPR_CACHE_SHARE)
    return (int64_t) gpr_host.settings->cache_limit;
  if (! quarter && cudaMemGetInfo (&left, &quarter) == cudaSuccess)
    quarter /= 4;
  for (int k = 0; k < GPR_CUDA_DEVICES; k++)
    devices += used[k];
  return devices * (int64_t) quarter;
}

size_t
gpr_cuda_left (void)
{
  size_t left = 0, total;
  if (cudaMemGetInfo (&left, &total) != cudaSuccess)
    (void) cudaGetLastError ();
  pthread_mutex_lock (&lock);
  left += (size_t) now.idle;
  pthread_mutex_unlock (&lock);
  return left;
}

static gpr_status
take (const gpr_cuda_state *s, void **p, size_t bytes)
{
  size_t size;
  const int class = class_of (bytes, &size);
  block *b = dequeue (s->number, class);

  *p = NULL;
  used[s->number] = true;
  if (! b)
    {
      b = malloc (sizeof *b);
      if (! b)
        return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of host memory");
      b->bytes = size;
      b->device = s->number;
      b->class = class;
      cudaError_t e = size < bytes ? cudaErrorMemoryAllocation : gpr_cuda_fault ();
      if (e == cudaSuccess)
        e = cudaMalloc (&b->p, size);
      if (e == cudaErrorMemoryAllocation && oldest)
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

gpr_status
gpr_cuda_take (const gpr_cuda_state *s, void **p, size_t bytes)
{
  pthread_mutex_lock (&lock);
  gpr_status status = take (s, p, bytes);
  pthread_mutex_unlock (&lock);
  return status;
}

static void
give (void *p)
{
  for (block **at = bucket_of (p); *at; at = &(*at)->next)
    if ((*at)->p == p)
      {
        block *b = *at;
        *at = b->next;
        now.in_use -= (int64_t) b->bytes;
        now.allocations--;
        enqueue (b);
        shrink (most_idle ());
        return;
      }
}

void
gpr_cuda_give (void *p)
{
  pthread_mutex_lock (&lock);
  give (p);
  pthread_mutex_unlock (&lock);
}

int
gpr_cuda_owner (const void *p)
{
  int device = -1;
  pthread_mutex_lock (&lock);
  for (const block *b = *bucket_of (p); b && device < 0; b = b->next)
    if (b->p == p)
      device = b->device;
  pthread_mutex_unlock (&lock);
  return device;
}

void
gpr_cuda_trim_cache (void)
{
  pthread_mutex_lock (&lock);
  shrink (0);
  pthread_mutex_unlock (&lock);
}

void
gpr_cuda_forget (int device)
{
  pthread_mutex_lock (&lock);
  for (int i = 0; i < BUCKETS; i++)
    for (block **at = &handed_out[i]; *at; )
      if ((*at)->device == device)
        {
          block *b = *at;
          *at = b->next;
          now.in_use -= (int64_t) b->bytes;
          now.allocations--;
          free (b);
        }
      else
        at = &(*at)->next;
  for (int class = 0; class < CLASSES; class++)
    for (block *b; (b = dequeue (device, class)); )
      free (b);
  pthread_mutex_unlock (&lock);
}

void
gpr_cuda_memory_now (gpr_cuda_memory *m)
{
  pthread_mutex_lock (&lock);
  *m = now;
  pthread_mutex_unlock (&lock);
}
