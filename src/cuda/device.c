/* Devices, their streams, errors, and waiting.  A context is made by the first
   call that needs one.  */

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "internal.h"

gpr_cuda_state gpr_cuda_states[GPR_CUDA_DEVICES];
static int selected = -1;
static double last_transfer_ms, last_kernel_ms;

/* ---- errors --------------------------------------------------------------------- */

#define LOST_REMEDY "try reset (gpuDevice ()); where the driver does not give the GPU back, start Octave again"

static bool
is_sticky (cudaError_t e)
{
  switch (e)
    {
    case cudaErrorIllegalAddress: case cudaErrorLaunchFailure: case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError: case cudaErrorIllegalInstruction: case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace: case cudaErrorInvalidPc: case cudaErrorAssert:
    case cudaErrorECCUncorrectable: case cudaErrorNvlinkUncorrectable: case cudaErrorContextIsDestroyed:
    case cudaErrorCudartUnloading: case cudaErrorDeviceUninitialized: case cudaErrorUnknown:
      return true;
    default:
      return false;
    }
}

gpr_status
gpr_cuda_error (cudaError_t e, const char *what)
{
  const char *text = cudaGetErrorString (e);
  int device = 0;

  (void) cudaGetLastError ();
  if (e == cudaErrorMemoryAllocation)
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of GPU memory while %s", what);
  (void) cudaGetDevice (&device);
  if (is_sticky (e))
    {
      if (device < GPR_CUDA_DEVICES)
        gpr_cuda_states[device].lost = true;
      return gpr_cuda_fail (GPR_DEVICE_LOST, "GPU %d was lost while %s (%s), and its arrays with it; " LOST_REMEDY,
                            device + 1, what, text);
    }
  switch (e)
    {
    case cudaErrorDevicesUnavailable:
      return gpr_cuda_fail (GPR_NO_DEVICE, "GPU %d is busy or in exclusive mode and taken by another process (%s); "
                            "nvidia-smi -q -d COMPUTE shows its mode", device + 1, text);
    case cudaErrorNoKernelImageForDevice: case cudaErrorUnsupportedPtxVersion: case cudaErrorInvalidPtx:
    case cudaErrorJitCompilerNotFound: case cudaErrorInvalidKernelImage:
      return gpr_cuda_fail (GPR_NO_DEVICE, "the kernels in this package do not run on GPU %d (%s); install the package again "
                            "with GPUREDUCE_CUDA_ARCHS=native, or a newer driver", device + 1, text);
    case cudaErrorNoDevice: case cudaErrorInvalidDevice: case cudaErrorInsufficientDriver:
    case cudaErrorInitializationError: case cudaErrorSystemDriverMismatch: case cudaErrorSystemNotReady:
    case cudaErrorCompatNotSupportedOnDevice:
      return gpr_cuda_fail (GPR_NO_DEVICE, "no GPU can be used: %s (while %s)", text, what);
    default:
      return gpr_cuda_fail (GPR_UNSUPPORTED, "CUDA refused %s: %s (%s)", what, text, cudaGetErrorName (e));
    }
}

/* ---- what there is, without a context ---------------------------------------------- */

void
gpr_cuda_probe_driver (gpr_cuda_probe *p)
{
  int count = 0;
  cudaError_t e;

  memset (p, 0, sizeof *p);
  (void) cudaRuntimeGetVersion (&p->runtime_version);
  (void) cudaDriverGetVersion (&p->driver_version);
  e = cudaGetDeviceCount (&count);
  (void) cudaGetLastError ();
  if (e == cudaSuccess && count > 0)
    {
      p->devices = count < GPR_CUDA_DEVICES ? count : GPR_CUDA_DEVICES;
      return;
    }
  p->status = GPR_NO_DEVICE;
  if (p->driver_version == 0)
    snprintf (p->reason, sizeof p->reason, "no NVIDIA driver found: libcuda.so.1 is missing or cannot reach the kernel module; "
              "install the NVIDIA driver, or run on a machine (in a container: with --gpus all) that has one");
  else if (e == cudaErrorInsufficientDriver || p->driver_version / 1000 < p->runtime_version / 1000)
    snprintf (p->reason, sizeof p->reason, "the NVIDIA driver is too old: it knows CUDA %d.%d, this package was built with %d.%d; "
              "update the driver, or install the package again with nvcc %d",
              p->driver_version / 1000, p->driver_version % 1000 / 10,
              p->runtime_version / 1000, p->runtime_version % 1000 / 10, p->driver_version / 1000);
  else if (e == cudaSuccess || e == cudaErrorNoDevice)
    snprintf (p->reason, sizeof p->reason, "the NVIDIA driver (CUDA %d.%d) shows this process no GPU; see nvidia-smi, "
              "and CUDA_VISIBLE_DEVICES, which must not be empty", p->driver_version / 1000, p->driver_version % 1000 / 10);
  else
    snprintf (p->reason, sizeof p->reason, "the NVIDIA driver (CUDA %d.%d) does not start: %s (%s)",
              p->driver_version / 1000, p->driver_version % 1000 / 10, cudaGetErrorString (e), cudaGetErrorName (e));
}

static bool
is_number (int device)
{
  return device >= 1 && device <= GPR_CUDA_DEVICES;
}

static gpr_status
check_device (int device)
{
  gpr_cuda_probe p;
  gpr_cuda_probe_driver (&p);
  if (p.devices == 0)
    return gpr_cuda_fail (p.status, "%s", p.reason);
  if (device < 1 || device > p.devices)
    return gpr_cuda_fail (GPR_NO_DEVICE, "there is no GPU %d: this process sees %d", device, p.devices);
  return GPR_OK;
}

/* As read before: a lost device answers no questions.  */
static gpr_device described[GPR_CUDA_DEVICES];

static gpr_status
read_properties (int device, gpr_device *d)
{
  struct cudaDeviceProp prop;
  int v, ecc, integrated, overlaps, shared;

  GPR_TRY (check_device (device));
  memset (d, 0, sizeof *d);
  d->index = device--;
  GPR_CUDA_TRY (cudaGetDeviceProperties (&prop, device), "reading the GPU's properties");
  snprintf (d->name, sizeof d->name, "%s", prop.name);
  d->total_memory = (int64_t) prop.totalGlobalMem;
  const struct { enum cudaDeviceAttr attribute; int *to; } list[] = {
    { cudaDevAttrComputeCapabilityMajor, &d->major },
    { cudaDevAttrComputeCapabilityMinor, &d->minor },
    { cudaDevAttrMultiProcessorCount, &d->multiprocessors },
    { cudaDevAttrMaxThreadsPerBlock, &d->max_threads_per_block },
    { cudaDevAttrWarpSize, &d->warp_size },
    { cudaDevAttrMaxGridDimX, &d->max_grid[0] },
    { cudaDevAttrMaxGridDimY, &d->max_grid[1] },
    { cudaDevAttrMaxGridDimZ, &d->max_grid[2] },
    { cudaDevAttrMaxBlockDimX, &d->max_block[0] },
    { cudaDevAttrMaxBlockDimY, &d->max_block[1] },
    { cudaDevAttrMaxBlockDimZ, &d->max_block[2] },
    { cudaDevAttrMaxSharedMemoryPerBlock, &shared },
    { cudaDevAttrClockRate, &d->clock_khz },
    { cudaDevAttrComputeMode, &d->compute_mode },
    { cudaDevAttrEccEnabled, &ecc },
    { cudaDevAttrIntegrated, &integrated },
    { cudaDevAttrAsyncEngineCount, &overlaps },
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    {
      GPR_CUDA_TRY (cudaDeviceGetAttribute (&v, list[i].attribute, device), "reading the GPU's properties");
      *list[i].to = v;
    }
  d->shared_per_block = shared;
  d->ecc = ecc != 0;
  d->integrated = integrated != 0;
  d->overlaps = overlaps != 0;
  (void) cudaDriverGetVersion (&d->driver_version);
  (void) cudaRuntimeGetVersion (&d->runtime_version);
  d->free_memory = -1;
  described[device] = *d;
  return GPR_OK;
}

gpr_status
gpr_cuda_describe (int device, gpr_device *d)
{
  if (! is_number (device) || described[device - 1].index == 0)
    GPR_TRY (read_properties (device, d));
  *d = described[--device];
  if (gpr_cuda_states[device].ready && ! gpr_cuda_states[device].lost)
    {
      size_t free, total;
      int current = 0;
      (void) cudaGetDevice (&current);
      if (cudaSetDevice (device) == cudaSuccess && cudaMemGetInfo (&free, &total) == cudaSuccess)
        d->free_memory = (int64_t) free;
      (void) cudaSetDevice (current);
    }
  return GPR_OK;
}

enum { FLAG = 64 };     /* bytes of a flag, a cache line */

/* ---- streams, events, pinned mail ---------------------------------------------------- */

static gpr_status
make_ready (gpr_cuda_state *s, int device)
{
  struct cudaFuncAttributes f;
  gpr_device d;
  int v = 0;

  GPR_CUDA_TRY (cudaSetDevice (device), "opening the GPU");
  GPR_CUDA_TRY (cudaFree (NULL), "opening the GPU");
  GPR_TRY (gpr_cuda_describe (device + 1, &d));
  s->capability = 10 * d.major + d.minor;
  GPR_CUDA_TRY (cudaFuncGetAttributes (&f, gpr_engine_sum (GPR_sum_f64)->lanes), "loading the kernels");
  GPR_CUDA_TRY (cudaDeviceGetAttribute (&s->multiprocessors, cudaDevAttrMultiProcessorCount, device), "opening the GPU");
  GPR_CUDA_TRY (cudaDeviceGetAttribute (&v, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "opening the GPU");
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
    }
  GPR_CUDA_TRY (cudaHostAlloc ((void **) &s->mail, GPR_CUDA_PINNED_RESULTS + FLAG + GPR_MAILBOX_WORDS * sizeof *s->mailbox, cudaHostAllocPortable | cudaHostAllocMapped),
                "page-locking host memory");
  s->needs_fixup = (int *) (s->mail + GPR_CUDA_PINNED_RESULTS);
  s->mailbox = (uint64_t *) (s->mail + GPR_CUDA_PINNED_RESULTS + FLAG);
  memset (s->mailbox, 0, GPR_MAILBOX_WORDS * sizeof *s->mailbox);
  GPR_CUDA_TRY (cudaMalloc ((void **) &s->tickets, GPR_CUDA_TICKETS * sizeof *s->tickets), "allocating GPU memory");
  GPR_CUDA_TRY (cudaMemset (s->tickets, 0, GPR_CUDA_TICKETS * sizeof *s->tickets), "clearing GPU memory");
  GPR_CUDA_TRY (cudaDeviceSynchronize (), "clearing GPU memory");
  s->ready = true;
  return GPR_OK;
}

/* Gives back what make_ready has made, all or some of it, and the pinned pieces.  */
static void
unmake (gpr_cuda_state *s)
{
  gpr_cuda_free_pieces (s);
  for (int i = 0; i < GPR_CUDA_SLOTS; i++)
    {
      const gpr_cuda_slot *slot = &s->slots[i];
      const cudaEvent_t events[] = { slot->copy_begin, slot->copy_end, slot->work_begin, slot->work_end };
      for (int k = 0; k < 4; k++)
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

/* device from 0.  */
static gpr_status
use_device (int device, gpr_cuda_state **s)
{
  *s = &gpr_cuda_states[device];
  if ((*s)->lost)
    return gpr_cuda_fail (GPR_DEVICE_LOST, "GPU %d was lost in an earlier call, and its arrays with it; " LOST_REMEDY,
                          device + 1);
  if ((*s)->ready)
    GPR_CUDA_TRY (cudaSetDevice (device), "choosing the GPU");
  else
    {
      gpr_status status = check_device (device + 1);
      if (status == GPR_OK)
        status = make_ready (*s, device);
      if (status != GPR_OK)
        {
          bool lost = (*s)->lost;
          if (! lost)
            unmake (*s);
          memset (*s, 0, sizeof **s);
          (*s)->lost = lost;
          return status;
        }
    }
  return GPR_OK;
}

/* A lost device is selected too, for a reset to find it.  */
gpr_status
gpr_cuda_select (int device)
{
  gpr_cuda_state *s;
  if (! is_number (device) || ! gpr_cuda_states[device - 1].lost)
    GPR_TRY (check_device (device));
  gpr_status status = use_device (device - 1, &s);
  if (status == GPR_OK || status == GPR_DEVICE_LOST)
    selected = device - 1;
  return status;
}

int
gpr_cuda_selected (void)
{
  return selected + 1;
}

gpr_status
gpr_cuda_enter (gpr_cuda_state **s, const void *a, const void *b, const void *c)
{
  const void *arrays[] = { a, b, c };
  int device = -1;

  for (int i = 0; i < 3; i++)
    {
      int owner = arrays[i] ? gpr_cuda_owner (arrays[i]) : -1;
      if (owner >= 0 && device >= 0 && owner != device)
        return gpr_cuda_fail (GPR_BAD_INPUT, "arrays lie on GPU %d and GPU %d: bring them to one, or gather them",
                              device + 1, owner + 1);
      if (owner >= 0)
        device = owner;
    }
  if (device < 0)
    {
      if (selected < 0)
        GPR_TRY (gpr_cuda_select (1));
      device = selected;
    }
  GPR_TRY (use_device (device, s));
  (*s)->transfer_ms = (*s)->kernel_ms = 0;
  return GPR_OK;
}

void
gpr_cuda_leave (gpr_cuda_state *s)
{
  if (! s->lost)
    {
      (void) cudaStreamSynchronize (s->copy);
      (void) cudaStreamSynchronize (s->work);
    }
  gpr_cuda_clear_slots (s);
}

void
gpr_cuda_note_times (const gpr_cuda_state *s)
{
  last_transfer_ms = s->transfer_ms;
  last_kernel_ms = s->kernel_ms;
}

void
gpr_cuda_times (double *transfer_ms, double *kernel_ms)
{
  *transfer_ms = last_transfer_ms;
  *kernel_ms = last_kernel_ms;
}

static double
now_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

static const struct timespec nap = { 0, 100000 };

/* Spins at first, since most waits are short; Ctrl-C ends it early, what is
   in flight is gpr_cuda_leave's business.  */
gpr_status
gpr_cuda_wait (cudaEvent_t e)
{
  const double start = now_ms ();
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
        sleeping = now_ms () - start > 2;
    }
}

gpr_status
gpr_cuda_call (gpr_cuda_state *s, const void *kernel, int64_t blocks, int threads, const void *args, unsigned *call)
{
  *call = ++s->call;
  s->called_ms = now_ms ();
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
      elapsed = now_ms () - s->called_ms;
      if (elapsed < asked)
        continue;
      if (ended)
        return gpr_cuda_fail (GPR_DEVICE_LOST, "a kernel ended without its result; " LOST_REMEDY);
      cudaError_t state = cudaStreamQuery (s->work);
      if (state != cudaSuccess && state != cudaErrorNotReady)
        return gpr_cuda_error (state, "computing");
      ended = state == cudaSuccess;
      asked = elapsed + 0.02;
      if (elapsed > 2 && ! ended)
        nanosleep (&nap, NULL);
    }
  memcpy (value, word + GPR_MAILBOX_HEAD, bytes);
  if (index)
    *index = (int64_t) ((uint64_t) word[2] << 32 | word[1]);
  *needs_fixup = word[0] != 0;
  s->kernel_ms += now_ms () - s->called_ms;
  return GPR_OK;
}

gpr_status
gpr_cuda_launch (gpr_cuda_state *s, const void *kernel, int64_t blocks, int threads, size_t shared, const void *args)
{
  void *list[] = { (void *) args };
  /* Kernels loop over the rest.  */
  dim3 grid = { (unsigned) gpr_evenly (gpr_max64 (1, blocks), (int64_t) s->multiprocessors * 64), 1, 1 }, block = { (unsigned) threads, 1, 1 };
  GPR_CUDA_TRY (cudaLaunchKernel (kernel, grid, block, list, shared, s->work), "launching a kernel");
  return GPR_OK;
}

gpr_status
gpr_cuda_synchronize (void)
{
  for (int i = 0; i < GPR_CUDA_DEVICES; i++)
    if (gpr_cuda_states[i].ready)
      {
        gpr_cuda_state *s;
        GPR_TRY (use_device (i, &s));
        GPR_CUDA_TRY (cudaDeviceSynchronize (), "waiting for the GPU");
      }
  return GPR_OK;
}

/* Resets the selected device, or the one a first call would take: its context,
   streams and allocations go, those of other devices stay; then none is
   selected.  A lost device comes back only where the driver allows it: some
   refuse the process from then on, and it stays lost and selected.  */
gpr_status
gpr_cuda_reset (void)
{
  int device = selected < 0 ? 0 : selected, current = -1;
  gpr_cuda_state *s = &gpr_cuda_states[device];
  cudaError_t e = cudaSuccess;

  if (s->ready || s->lost)
    {
      bool lost = s->lost;
      e = cudaSetDevice (device);
      if (e == cudaSuccess && ! lost)
        unmake (s);
      /* A lost device may refuse to be chosen, and yet be the current one.  */
      if (cudaGetDevice (&current) == cudaSuccess && current == device)
        e = cudaDeviceReset ();
      gpr_cuda_reset_modules (device);
      if (e == cudaSuccess && lost)
        e = cudaSetDevice (device);
      if (e == cudaSuccess && lost)
        e = cudaFree (NULL);
      (void) cudaGetLastError ();
      memset (s, 0, sizeof *s);
    }
  gpr_cuda_forget (device);
  if (e != cudaSuccess)
    {
      s->lost = true;
      return gpr_cuda_fail (GPR_DEVICE_LOST, "GPU %d does not come back in this process (%s); start Octave again",
                            device + 1, cudaGetErrorString (e));
    }
  selected = -1;
  return GPR_OK;
}
