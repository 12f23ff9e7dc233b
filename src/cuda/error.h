/* Errors of CUDA calls, and what the module shares with its host.

   The files of this folder; each may include those before it in this list.

     cuda.h      the module's interface
     error       a status of each CUDA error, faults for tests
     sizes.h     arithmetic
     probe       the driver and the properties of the GPUs, without a context
     device      the state of one GPU: streams, waiting, launches, mailbox
     memory      device memory: a table of what is in use, a cache of what is not
     ring        staging: transfers of pageable memory through a ring buffer of pinned memory
     stream      chunks and whole arrays between host and device, in the ring or page-locked
     modules     the modules of ladder variants
     kernel_files, source (reduce_plan), compile
                 expressions compiled at run time: kept on disk, as text, by NVRTC
     reduce (settle), exact, count (histogram), pair, map, complex, convert, generate, scan, scatter, order (mode), select, rank, read_keys, lists,
     variant (variant_plan), ceiling
                 one problem each, on the device that it is given (problems.h)
     libraries   cuBLAS, cuSOLVER and cuFFT: found, and made ready for a device
     blas        products, transposes, triangles, complex numbers and their parts, by cuBLAS
     linear, fourier
                 problems that libraries solve
     near        the CPUs near a device
     session     which device a call works on; resets and tears down
     peer        copies from one device to another
     nccl        the same between processes
     backend     the module's table

   One thread at a time, as Octave's interpreter is, but for share_on, count_on and those that
   begin_thread made a device's: threads of several devices at once, each in its own state.  What they have in common is
   the table of memory, which locks, and what is written once for each device.
   Every call is complete when it returns: no stream still works for it.  */

#ifndef GPR_CUDA_ERROR_H
#define GPR_CUDA_ERROR_H

#include <cuda_runtime_api.h>

#include "cuda.h"

enum { GPR_CUDA_DEVICES = 64 };

extern gpr_cuda_host gpr_host;          /* set when the module is opened */
#define gpr_cuda_fail(...) gpr_host.fail (__VA_ARGS__)
#define GPR_CUDA_LOST_REMEDY "try reset (gpuDevice ()); where the driver does not give the GPU back, start Octave again"

static inline bool
gpr_cuda_interrupted (void)
{
  return **gpr_host.interrupt_flag > 0;
}

/* Status and message of an error that the current device gave while doing what.  After
   some errors a device answers no call any more: it is then noted as lost.  */
gpr_status gpr_cuda_error (cudaError_t e, const char *what);
gpr_status gpr_cuda_error_of (int device, cudaError_t e, const char *what);     /* from 0; not current yet */
bool gpr_cuda_is_lost (int device);     /* from 0 */
void gpr_cuda_set_lost (int device, bool lost);

/* An error where a test asked for one here (core/fault.h).  */
static inline cudaError_t
gpr_cuda_fault (void)
{
  return ! gpr_host.faults || ! gpr_fault (gpr_host.faults) ? cudaSuccess
         : gpr_host.faults->memory ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
}

#define GPR_CUDA_TRY_OR(call, failed) \
  do \
    { \
      cudaError_t try_ = gpr_cuda_fault (); \
      if (try_ == cudaSuccess) \
        try_ = (call); \
      if (try_ != cudaSuccess) \
        return failed; \
    } \
  while (0)
#define GPR_CUDA_TRY(call, what) GPR_CUDA_TRY_OR (call, gpr_cuda_error (try_, what))
/* Makes the device, from 0, the current one.  */
#define GPR_CUDA_TRY_DEVICE(device, what) GPR_CUDA_TRY_OR (cudaSetDevice (device), gpr_cuda_error_of (device, try_, what))
#define GPR_TRY(call) \
  do \
    { \
      gpr_status try_ = (call); \
      if (try_ != GPR_OK) \
        return try_; \
    } \
  while (0)

#endif
