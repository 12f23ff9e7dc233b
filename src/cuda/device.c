/* One GPU's streams, events and pinned memory for results; waiting, and launches.  */

#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "device.h"
#include "probe.h"
#include "../../kernels/engine/engine.h"

enum { FLAG = 64 };     /* bytes of a flag, a cache line */

gpr_status
gpr_cuda_open_device (gpr_cuda_state *s, int number)
{
  struct cudaFuncAttributes f;
  gpr_device d;
  int v = 0;

  s->number = number;
  GPR_CUDA_TRY_DEVICE (number, "opening the GPU");
  GPR_CUDA_TRY (cudaFree (NULL), "opening the GPU");
  GPR_TRY (gpr_cuda_properties (number + 1, &d));
  s->capability = 10 * d.major + d.minor;
  GPR_CUDA_TRY (cudaFuncGetAttributes (&f, gpr_engine_sum (GPR_sum_f64)->lanes), "loading the kernels");
  GPR_CUDA_TRY (cudaDeviceGetAttribute (&s->multiprocessors, cudaDevAttrMultiProcessorCount, number), "opening the GPU");
  GPR_CUDA_TRY (cudaDeviceGetAttribute (&v, cudaDevAttrMaxSharedMemoryPerBlockOptin, number), "opening the GPU");
  s->shared_bytes = v;
  GPR_CUDA_TRY (cudaStreamCreateWithFlags (&s->copy, cudaStreamNonBlocking), "making a stream");
  GPR_CUDA_TRY (cudaStreamCreateWithFlags (&s->work, cudaStreamNonBlocking), "making a stream");
  for (int i = 0; i < GPR_CUDA_SLOTS; i++)
    {
      gpr_cuda_slot *slot = &s->slots[i];
      GPR_CUDA_TRY (cudaEventCreate (&slot->copy_begin), "making an event");
      GPR_CUDA_TRY (cudaEventCreate (&slot->copy_end), "making an event");
      GPR_CUDA_TRY (cudaEventCreate (&slot->work_begin), "making an event");
      GPR_CUDA_TRY (cudaEventCreate (&slot->work_end), "making an event");
      GPR_CUDA_TRY (cudaEventCreateWithFlags (&slot->done, cudaEventDisableTiming), "making an event");
    }
  GPR_CUDA_TRY (cudaHostAlloc ((void **) &s->mail, GPR_CUDA_PINNED_RESULTS + FLAG + GPR_MAILBOX_WORDS * sizeof *s->mailbox, cudaHostAllocPortable | cudaHostAllocMapped),
                "page-locking host memory");
  s->needs_fixup = (int *) (s->mail + GPR_CUDA_PINNED_RESULTS);
  s->left_in_doubt = s->needs_fixup + 1;
  s->mailbox = (uint64_t *) (s->mail + GPR_CUDA_PINNED_RESULTS + FLAG);
  memset (s->mailbox, 0, GPR_MAILBOX_WORDS * sizeof *s->mailbox);
  GPR_CUDA_TRY (cudaMalloc ((void **) &s->tickets, GPR_CUDA_TICKETS * sizeof *s->tickets), "allocating GPU memory");
  GPR_CUDA_TRY (cudaMemset (s->tickets, 0, GPR_CUDA_TICKETS * sizeof *s->tickets), "clearing GPU memory");
  GPR_CUDA_TRY (cudaDeviceSynchronize (), "clearing GPU memory");
  s->ready = true;
  return GPR_OK;
}

void
gpr_cuda_close_device (gpr_cuda_state *s)
{
  for (int i = 0; i < GPR_CUDA_SLOTS; i++)
    {
      const gpr_cuda_slot *slot = &s->slots[i];
      const cudaEvent_t events[] = { slot->copy_begin, slot->copy_end, slot->work_begin, slot->work_end, slot->done };
      for (int k = 0; k < 5; k++)
        if (events[k])
          (void) cudaEventDestroy (events[k]);
    }
  if (s->copy)
    (void) cudaStreamDestroy (s->copy);
  if (s->work)
    (void) cudaStreamDestroy (s->work);
  if (s->mail)
    (void) cudaFreeHost (s->mail);
  if (s->tickets)
    (void) cudaFree (s->tickets);
  (void) cudaGetLastError ();
}

double
gpr_cuda_now_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

/* Waits longer than this leave the core, and may last a nap too long: a hundredth.  */
static const double spinning_ms = 10;
static const struct timespec nap = { 0, 100000 };

/* Spins at first, since most waits are short; Ctrl-C ends it early, what is
   in flight is left to gpr_cuda_finish.  */
gpr_status
gpr_cuda_wait (cudaEvent_t e)
{
  const double start = gpr_cuda_now_ms ();
  bool sleeping = false;

  for (;;)
    {
      cudaError_t state = cudaEventQuery (e);
      if (state == cudaSuccess)
        return GPR_OK;
      if (state != cudaErrorNotReady)
        return gpr_cuda_error (state, "computing");
      if (gpr_cuda_interrupted ())
        return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
      if (sleeping)
        nanosleep (&nap, NULL);
      else
        sleeping = gpr_cuda_now_ms () - start > spinning_ms;
    }
}

gpr_status
gpr_cuda_call (gpr_cuda_state *s, const void *kernel, int64_t blocks, int threads, const void *args, unsigned *call)
{
  *call = ++s->call;
  if (s->called_ms == 0)
    s->called_ms = gpr_cuda_now_ms ();
  return gpr_cuda_launch (s, kernel, blocks, threads, 0, args);
}

/* As gpr_cuda_wait.  The stream is asked now and then, for errors: a kernel that
   failed writes nothing.  */
gpr_status
gpr_cuda_await_call (gpr_cuda_state *s, void *value, size_t bytes, int64_t *index, bool *needs_fixup)
{
  const volatile uint64_t *mailbox = s->mailbox;
  const int words = GPR_MAILBOX_HEAD + (int) ((bytes + 3) / 4);
  uint32_t word[GPR_MAILBOX_WORDS];
  double elapsed = 0, asked = 0.05;
  bool ended = false;

  for (int i = 0; i < words; )
    {
      const uint64_t w = mailbox[i];
      if (w >> 32 == s->call)
        {
          word[i++] = (uint32_t) w;
          continue;
        }
      if (gpr_cuda_interrupted ())
        return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
      elapsed = gpr_cuda_now_ms () - s->called_ms;
      if (elapsed < asked)
        continue;
      if (ended)
        return gpr_cuda_fail (GPR_DEVICE_LOST, "a kernel ended without its result; " GPR_CUDA_LOST_REMEDY);
      cudaError_t state = cudaStreamQuery (s->work);
      if (state != cudaSuccess && state != cudaErrorNotReady)
        return gpr_cuda_error (state, "computing");
      ended = state == cudaSuccess;
      asked = elapsed + 0.02;
      if (elapsed > spinning_ms && ! ended)
        nanosleep (&nap, NULL);
    }
  memcpy (value, word + GPR_MAILBOX_HEAD, bytes);
  if (index)
    *index = (int64_t) ((uint64_t) word[2] << 32 | word[1]);
  *needs_fixup = word[0] != 0;
  s->idle = true;               /* as all that was launched before */
  s->kernel_ms += gpr_cuda_now_ms () - s->called_ms;
  s->called_ms = 0;
  return GPR_OK;
}

#ifndef GPR_CUDA_BLOCKS_EACH
#  define GPR_CUDA_BLOCKS_EACH 64       /* of a multiprocessor; tests have fewer */
#  define GPR_CUDA_ELEMENT_BLOCKS_EACH (1 << 16)
#endif
int64_t
gpr_cuda_most_blocks (const gpr_cuda_state *s)
{
  return (int64_t) s->multiprocessors * GPR_CUDA_BLOCKS_EACH;
}

int64_t
gpr_cuda_element_blocks (const gpr_cuda_state *s, int64_t blocks)
{
  return gpr_evenly (gpr_max64 (1, blocks), (int64_t) s->multiprocessors * GPR_CUDA_ELEMENT_BLOCKS_EACH);
}

static gpr_status
launch (gpr_cuda_state *s, const void *kernel, int64_t blocks, int threads, size_t shared, const void *args)
{
  void *list[] = { (void *) args };
  s->idle = false;
  dim3 grid = { (unsigned) blocks, 1, 1 }, block = { (unsigned) threads, 1, 1 };
  GPR_CUDA_TRY (cudaLaunchKernel (kernel, grid, block, list, shared, s->work), "launching a kernel");
  return GPR_OK;
}

gpr_status
gpr_cuda_launch (gpr_cuda_state *s, const void *kernel, int64_t blocks, int threads, size_t shared, const void *args)
{
  return launch (s, kernel, gpr_evenly (gpr_max64 (1, blocks), gpr_cuda_most_blocks (s)), threads, shared, args);
}

gpr_status
gpr_cuda_launch_elements (gpr_cuda_state *s, const void *kernel, int64_t blocks, int threads, size_t shared, const void *args)
{
  return launch (s, kernel, gpr_cuda_element_blocks (s, blocks), threads, shared, args);
}
