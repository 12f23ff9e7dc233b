/* As much of the CUDA runtime as the files of src/cuda below reduce.c call, session.c and variant.c;
   fake_cuda.c stands in for it.  */

#ifndef FAKE_CUDA_RUNTIME_API_H
#define FAKE_CUDA_RUNTIME_API_H

#include <stddef.h>

#define CUDART_VERSION 13000

typedef enum {
  cudaSuccess,
  cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorNotReady, cudaErrorHostMemoryAlreadyRegistered,
  cudaErrorAssert, cudaErrorCompatNotSupportedOnDevice, cudaErrorContextIsDestroyed, cudaErrorCudartUnloading,
  cudaErrorDeviceUninitialized, cudaErrorDevicesUnavailable, cudaErrorECCUncorrectable, cudaErrorHardwareStackError,
  cudaErrorIllegalAddress, cudaErrorIllegalInstruction, cudaErrorInitializationError, cudaErrorInsufficientDriver,
  cudaErrorInvalidAddressSpace, cudaErrorInvalidDevice, cudaErrorInvalidKernelImage, cudaErrorInvalidPc,
  cudaErrorInvalidPtx, cudaErrorJitCompilerNotFound, cudaErrorLaunchFailure, cudaErrorLaunchOutOfResources, cudaErrorLaunchTimeout,
  cudaErrorMisalignedAddress, cudaErrorNoDevice, cudaErrorNoKernelImageForDevice, cudaErrorNvlinkUncorrectable, cudaErrorPeerAccessAlreadyEnabled,
  cudaErrorSystemDriverMismatch, cudaErrorSystemNotReady, cudaErrorUnknown, cudaErrorUnsupportedPtxVersion
} cudaError_t;
enum cudaDeviceAttr {
  cudaDevAttrAsyncEngineCount, cudaDevAttrClockRate, cudaDevAttrComputeCapabilityMajor,
  cudaDevAttrComputeCapabilityMinor, cudaDevAttrComputeMode, cudaDevAttrEccEnabled, cudaDevAttrGlobalMemoryBusWidth, cudaDevAttrIntegrated, cudaDevAttrL2CacheSize,
  cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ, cudaDevAttrMaxGridDimX,
  cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ, cudaDevAttrMaxSharedMemoryPerBlock,
  cudaDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrMaxThreadsPerBlock, cudaDevAttrMemoryClockRate, cudaDevAttrMultiProcessorCount,
  cudaDevAttrWarpSize
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2,
       cudaHostRegisterPortable = 1 };

typedef struct fake_stream *cudaStream_t;
typedef struct fake_event *cudaEvent_t;
typedef struct { unsigned x, y, z; } dim3;
struct cudaDeviceProp { char name[256]; size_t totalGlobalMem; };
struct cudaFuncAttributes { int binaryVersion; };

cudaError_t cudaDeviceGetPCIBusId (char *id, int length, int device);
cudaError_t cudaDeviceGetAttribute (int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceReset (void);
cudaError_t cudaDeviceSynchronize (void);
cudaError_t cudaDriverGetVersion (int *version);
cudaError_t cudaEventCreate (cudaEvent_t *e);
cudaError_t cudaEventCreateWithFlags (cudaEvent_t *e, unsigned flags);
cudaError_t cudaEventDestroy (cudaEvent_t e);
cudaError_t cudaEventElapsedTime (float *ms, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaEventQuery (cudaEvent_t e);
cudaError_t cudaEventRecord (cudaEvent_t e, cudaStream_t s);
cudaError_t cudaFree (void *p);
cudaError_t cudaFreeHost (void *p);
cudaError_t cudaFuncGetAttributes (struct cudaFuncAttributes *f, const void *kernel);
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize, cudaFuncAttributePreferredSharedMemoryCarveout };
enum { cudaSharedmemCarveoutMaxShared = 100 };
cudaError_t cudaFuncSetAttribute (const void *kernel, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaGetDevice (int *device);
cudaError_t cudaGetDeviceCount (int *count);
cudaError_t cudaGetDeviceProperties (struct cudaDeviceProp *p, int device);
cudaError_t cudaGetLastError (void);
cudaError_t cudaHostAlloc (void **p, size_t bytes, unsigned flags);
cudaError_t cudaHostRegister (void *p, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister (void *p);
cudaError_t cudaLaunchKernel (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t s);
cudaError_t cudaMalloc (void **p, size_t bytes);
cudaError_t cudaMemGetInfo (size_t *left, size_t *total);
cudaError_t cudaMemcpyAsync (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t s);
cudaError_t cudaMemcpy2DAsync (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t bytes, size_t rows, enum cudaMemcpyKind kind, cudaStream_t s);
cudaError_t cudaMemset (void *p, int value, size_t bytes);
cudaError_t cudaMemsetAsync (void *p, int value, size_t bytes, cudaStream_t s);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor (int *blocks, const void *kernel, int threads, size_t shared);
cudaError_t cudaRuntimeGetVersion (int *version);
cudaError_t cudaSetDevice (int device);
cudaError_t cudaDeviceCanAccessPeer (int *can, int device, int other);
cudaError_t cudaDeviceEnablePeerAccess (int other, unsigned flags);
cudaError_t cudaMemcpyPeerAsync (void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t s);
cudaError_t cudaStreamCreateWithFlags (cudaStream_t *s, unsigned flags);
cudaError_t cudaStreamDestroy (cudaStream_t s);
cudaError_t cudaStreamQuery (cudaStream_t s);
cudaError_t cudaStreamSynchronize (cudaStream_t s);
cudaError_t cudaStreamWaitEvent (cudaStream_t s, cudaEvent_t e, unsigned flags);
const char *cudaGetErrorName (cudaError_t e);
const char *cudaGetErrorString (cudaError_t e);

#endif
