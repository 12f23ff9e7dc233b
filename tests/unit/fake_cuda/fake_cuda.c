#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cuda_runtime_api.h"
#include "fake_cuda.h"

void (*fake_run_kernel) (const void *kernel, unsigned blocks, unsigned threads, const void *arguments);
size_t (*fake_argument_bytes_of) (const void *kernel);
size_t fake_argument_bytes;
bool fake_refuses_locks;
int fake_late_us = 30, fake_devices = 1;
static _Thread_local int current;        /* as CUDA has it */
fake_counts fake;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void
lock (void)
{
  pthread_mutex_lock (&mutex);
}
static void
unlock (void)
{
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&mutex);
}
static void
violation (const char *what)
{
  fake.violations++;
  fake.last = what;
}
void
fake_violation (const char *what)
{
  lock ();
  violation (what);
  unlock ();
}

#include "fake_memory.h"

/* ---- streams and events ------------------------------------------------------------ */

struct fake_event { long wanted, reached; double at; bool asked; };
typedef struct task
{
  struct task *next;
  enum { COPY, FILL, RECORD, WAIT, KERNEL, END } kind;
  void *to;
  const void *from;             /* or the kernel */
  size_t bytes;
  unsigned blocks, threads;
  range *host;
  cudaEvent_t event;
  long number;
  char arguments[];
} task;
struct fake_stream { pthread_t thread; pthread_cond_t come; task *first, *last; long queued, done; bool asked; };

static void
nap (void)
{
  static _Thread_local unsigned seed = 1;
  seed = seed * 1103515245u + 12345u;
  if (fake_late_us > 0 && seed >> 16 & 1)
    usleep (seed >> 17 & 0x3fff ? (seed >> 17) % fake_late_us + 1 : 1);
}

static void *
work (void *stream)
{
  cudaStream_t s = stream;
  for (bool end = false; ! end; )
    {
      lock ();
      while (! s->first)
        pthread_cond_wait (&s->come, &mutex);
      task *t = s->first;
      if (t->kind == WAIT)
        while (t->event->reached < t->number)
          pthread_cond_wait (&changed, &mutex);
      unlock ();
      nap ();
      if (t->kind == COPY)
        memcpy (t->to, t->from ? t->from : t->arguments, t->bytes);
      else if (t->kind == FILL)
        memset (t->to, (int) t->number, t->bytes);
      else if (t->kind == KERNEL)
        fake_run_kernel (t->from, t->blocks, t->threads, t->arguments);
      lock ();
      if (t->kind == COPY && t->host)
        t->host->copies--;
      if (t->kind == RECORD)
        {
          struct timespec now;
          clock_gettime (CLOCK_MONOTONIC, &now);
          t->event->reached = t->number;
          t->event->at = now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
        }
      end = t->kind == END;
      s->first = t->next;
      if (! s->first)
        s->last = NULL;
      s->done++;
      free (t);
      unlock ();
    }
  return NULL;
}

static void
queue (cudaStream_t s, const task *given, const void *arguments, size_t bytes)
{
  task *t = malloc (sizeof *t + bytes);
  *t = *given;
  t->next = NULL;
  if (bytes)
    memcpy (t->arguments, arguments, bytes);
  lock ();
  if (t->kind == COPY && t->host)
    t->host->copies++;
  if (t->kind == RECORD)
    t->number = ++t->event->wanted;
  if (t->kind == WAIT)
    t->number = t->event->wanted;
  *(s->last ? &s->last->next : &s->first) = t;
  s->last = t;
  s->queued++;
  pthread_cond_signal (&s->come);
  pthread_mutex_unlock (&mutex);
}

cudaError_t
cudaStreamCreateWithFlags (cudaStream_t *s, unsigned flags)
{
  (void) flags;
  *s = calloc (1, sizeof **s);
  pthread_cond_init (&(*s)->come, NULL);
  return pthread_create (&(*s)->thread, NULL, work, *s) ? cudaErrorUnknown : cudaSuccess;
}
cudaError_t
cudaStreamDestroy (cudaStream_t s)
{
  queue (s, &(task) { .kind = END }, NULL, 0);
  pthread_join (s->thread, NULL);
  pthread_cond_destroy (&s->come);
  free (s);
  return cudaSuccess;
}
cudaError_t
cudaStreamSynchronize (cudaStream_t s)
{
  lock ();
  while (s->done < s->queued)
    pthread_cond_wait (&changed, &mutex);
  unlock ();
  return cudaSuccess;
}
/* Who asks for the same again and again leaves the core to the stream.  asked: the last time it was not yet so.  */
static cudaError_t
ask (const long *so_far, const long *wanted, bool *asked)
{
  struct timespec until;
  lock ();
  if (*so_far < *wanted && *asked)
    {
      clock_gettime (CLOCK_REALTIME, &until);
      until.tv_nsec += 100000;
      until.tv_sec += until.tv_nsec / 1000000000;
      until.tv_nsec %= 1000000000;
      pthread_cond_timedwait (&changed, &mutex, &until);
    }
  bool done = *so_far >= *wanted;
  *asked = ! done;
  pthread_mutex_unlock (&mutex);        /* nothing has changed */
  return done ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t
cudaStreamQuery (cudaStream_t s)
{
  return ask (&s->done, &s->queued, &s->asked);
}
cudaError_t
cudaStreamWaitEvent (cudaStream_t s, cudaEvent_t e, unsigned flags)
{
  (void) flags;
  queue (s, &(task) { .kind = WAIT, .event = e }, NULL, 0);
  return cudaSuccess;
}
cudaError_t
cudaEventCreateWithFlags (cudaEvent_t *e, unsigned flags)
{
  (void) flags;
  *e = calloc (1, sizeof **e);
  return cudaSuccess;
}
cudaError_t
cudaEventCreate (cudaEvent_t *e)
{
  return cudaEventCreateWithFlags (e, 0);
}
cudaError_t
cudaEventDestroy (cudaEvent_t e)
{
  free (e);
  return cudaSuccess;
}
cudaError_t
cudaEventRecord (cudaEvent_t e, cudaStream_t s)
{
  queue (s, &(task) { .kind = RECORD, .event = e }, NULL, 0);
  return cudaSuccess;
}
cudaError_t
cudaEventQuery (cudaEvent_t e)
{
  return ask (&e->reached, &e->wanted, &e->asked);
}
cudaError_t
cudaEventElapsedTime (float *ms, cudaEvent_t begin, cudaEvent_t end)
{
  *ms = (float) (end->at - begin->at);
  return cudaSuccess;
}

cudaError_t
cudaMemcpyAsync (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t s)
{
  void *host = kind == cudaMemcpyHostToDevice ? (void *) from : to;
  const void *device = kind == cudaMemcpyHostToDevice ? to : from;
  lock ();
  range *h = range_of (host, bytes), *d = range_of (device, bytes);
  /* So little the driver takes along at once.  */
  const bool at_once = ! h && kind == cudaMemcpyHostToDevice && bytes <= 64 << 10;
  if (! at_once && (! h || (h->kind == DEVICE) != (kind == cudaMemcpyDeviceToDevice)))
    violation ("a copy of pageable memory");
  if (! d || d->kind != DEVICE)
    violation ("a copy outside of an allocation of the device");
  unlock ();
  if ((! h && ! at_once) || ! d)
    return cudaErrorInvalidValue;
  if (at_once)
    queue (s, &(task) { .kind = COPY, .to = to, .bytes = bytes }, from, bytes);
  else
    queue (s, &(task) { .kind = COPY, .to = to, .from = from, .bytes = bytes, .host = h }, NULL, 0);
  return cudaSuccess;
}
/* Between devices.  */
cudaError_t
cudaMemcpy2DAsync (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t bytes, size_t rows, enum cudaMemcpyKind kind, cudaStream_t s)
{
  cudaError_t e = cudaSuccess;
  if (kind != cudaMemcpyDefault || to_pitch < bytes || from_pitch < bytes)
    violation ("rows that overlap");
  for (size_t r = 0; r < rows && e == cudaSuccess; r++)
    e = cudaMemcpyAsync ((char *) to + r * to_pitch, (const char *) from + r * from_pitch, bytes, cudaMemcpyDeviceToDevice, s);
  return e;
}
/* Of one memory: a copy in it.  */
cudaError_t
cudaMemcpyPeerAsync (void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t s)
{
  if (to_device < 0 || to_device >= fake_devices || from_device < 0 || from_device >= fake_devices)
    violation ("a copy of a device that is not there");
  return cudaMemcpyAsync (to, from, bytes, cudaMemcpyDeviceToDevice, s);
}
cudaError_t
cudaDeviceCanAccessPeer (int *can, int device, int other)
{
  *can = device != other;
  return cudaSuccess;
}
cudaError_t
cudaDeviceEnablePeerAccess (int other, unsigned flags)
{
  (void) flags;
  return other < fake_devices ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t
cudaMemsetAsync (void *p, int value, size_t bytes, cudaStream_t s)
{
  queue (s, &(task) { .kind = FILL, .to = p, .bytes = bytes, .number = value }, NULL, 0);
  return cudaSuccess;
}
cudaError_t
cudaLaunchKernel (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t s)
{
  (void) shared;
  queue (s, &(task) { .kind = KERNEL, .from = kernel, .blocks = grid.x, .threads = block.x }, arguments[0],
         fake_argument_bytes_of ? fake_argument_bytes_of (kernel) : fake_argument_bytes);
  return cudaSuccess;
}

/* ---- devices ----------------------------------------------------------------------- */

cudaError_t
cudaDeviceGetAttribute (int *value, enum cudaDeviceAttr attribute, int device)
{
  (void) device;
  *value = attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin ? 64 << 10 : attribute == cudaDevAttrL2CacheSize ? 4 << 10
           : attribute == cudaDevAttrComputeCapabilityMajor ? 7 : attribute == cudaDevAttrComputeCapabilityMinor ? 5 : 1;     /* the least for which NVRTC 13 compiles */
  return cudaSuccess;
}
cudaError_t
cudaGetDeviceProperties (struct cudaDeviceProp *p, int device)
{
  (void) device;
  *p = (struct cudaDeviceProp) { "fake", (size_t) 1 << 30 };
  return cudaSuccess;
}
cudaError_t
cudaFuncSetAttribute (const void *kernel, enum cudaFuncAttribute attribute, int value)
{
  (void) kernel;
  (void) attribute;
  (void) value;
  return cudaSuccess;
}
cudaError_t
cudaFuncGetAttributes (struct cudaFuncAttributes *f, const void *kernel)
{
  (void) kernel;
  *f = (struct cudaFuncAttributes) { 90 };
  return cudaSuccess;
}
cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor (int *blocks, const void *kernel, int threads, size_t shared)
{
  (void) kernel;
  (void) threads;
  (void) shared;
  *blocks = 5;
  return cudaSuccess;
}
cudaError_t
cudaGetDeviceCount (int *n)
{
  *n = fake_devices;
  return cudaSuccess;
}
cudaError_t
cudaGetDevice (int *device)
{
  *device = current;
  return cudaSuccess;
}
cudaError_t
cudaDriverGetVersion (int *version)
{
  *version = 13000;
  return cudaSuccess;
}
cudaError_t
cudaRuntimeGetVersion (int *version)
{
  return cudaDriverGetVersion (version);
}
cudaError_t
cudaSetDevice (int device)
{
  if (device < 0 || device >= fake_devices)
    return cudaErrorInvalidDevice;
  current = device;
  return cudaSuccess;
}
cudaError_t cudaDeviceReset (void) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize (void) { return cudaSuccess; }
cudaError_t cudaGetLastError (void) { return cudaSuccess; }
const char *cudaGetErrorName (cudaError_t e) { return e == cudaErrorMemoryAllocation ? "memory" : "other"; }
const char *cudaGetErrorString (cudaError_t e) { return cudaGetErrorName (e); }
