/* How long the GPU works in a call: the durations of its kernels together.  Not from the
   first one's start to the last one's end: what lies between two launches is made
   longer by what measures it.  By CUPTI, which stamps every kernel of the process,
   whoever launched it; where that is missing, by events recorded around the call,
   which also hold the latency of the launches.  */

#ifndef DEVICE_TIME_H
#define DEVICE_TIME_H

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define TRY(call) \
  do \
    { \
      cudaError_t e_ = (call); \
      if (e_ != cudaSuccess) \
        die ("%s:%d: %s: %s", __FILE__, __LINE__, #call, cudaGetErrorString (e_)); \
    } \
  while (0)

void die (const char *format, ...) __attribute__ ((format (printf, 1, 2), noreturn));

#if __has_include (<cupti.h>)
#include <cupti.h>
#if CUPTI_API_VERSION >= 130000
#define HAVE_CUPTI 1
#endif
#endif

#ifdef HAVE_CUPTI

/* Opened when asked for: the program runs without it.  */
#define CUPTI_FUNCTIONS(F) \
  F (cuptiActivityEnable) F (cuptiActivityDisable) F (cuptiActivityFlushAll) F (cuptiActivityGetNextRecord) \
  F (cuptiActivityRegisterCallbacks)
#define DECLARE(f) static decltype (&f) f##_at;
CUPTI_FUNCTIONS (DECLARE)
#undef DECLARE

static uint64_t busy;           /* ns, of what was recorded since span_begin */

static void CUPTIAPI
give_buffer (uint8_t **buffer, size_t *bytes, size_t *most)
{
  *bytes = 1 << 20;
  *buffer = (uint8_t *) aligned_alloc (64, *bytes);
  *most = 0;
}

static void
note_span (uint64_t start, uint64_t end)
{
  if (start > 0 && end > start)
    busy += end - start;
}

static void CUPTIAPI
take_buffer (CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid)
{
  CUpti_Activity *a = NULL;
  while (valid > 0 && cuptiActivityGetNextRecord_at (buffer, valid, &a) == CUPTI_SUCCESS)
    if (a->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      note_span (((CUpti_ActivityKernel10 *) a)->start, ((CUpti_ActivityKernel10 *) a)->end);
    else if (a->kind == CUPTI_ACTIVITY_KIND_MEMSET)
      note_span (((CUpti_ActivityMemset4 *) a)->start, ((CUpti_ActivityMemset4 *) a)->end);
  free (buffer);
}

static bool
span_open (void)
{
  void *library = dlopen ("libcupti.so.13", RTLD_NOW | RTLD_LOCAL);
  if (! library)
    library = dlopen ("libcupti.so", RTLD_NOW | RTLD_LOCAL);
  if (! library)
    return false;
#define FIND(f) \
  f##_at = (decltype (&f)) dlsym (library, #f); \
  if (! f##_at) \
    return false;
  CUPTI_FUNCTIONS (FIND)
#undef FIND
  return cuptiActivityRegisterCallbacks_at (give_buffer, take_buffer) == CUPTI_SUCCESS;
}

/* Off but for the rounds that it times: it makes launches slower.  */
static bool
span_switch (bool on)
{
  for (CUpti_ActivityKind kind : { CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMSET })
    if ((on ? cuptiActivityEnable_at (kind) : cuptiActivityDisable_at (kind)) != CUPTI_SUCCESS)
      return false;
  return true;
}

static void
span_begin (void)
{
  (void) cuptiActivityFlushAll_at (CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  busy = 0;
}

/* Microseconds, below 0 where nothing was recorded; the GPU is idle.  */
static double
span_end (void)
{
  (void) cuptiActivityFlushAll_at (CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  return busy > 0 ? busy * 1e-3 : -1;
}

#else

static bool span_open (void) { return false; }
static bool span_switch (bool) { return false; }
static void span_begin (void) {}
static double span_end (void) { return -1; }

#endif
#endif
