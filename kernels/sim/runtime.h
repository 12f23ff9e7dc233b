/* The CUDA runtime as a program's host code sees it: what the simulator has of it (runtime.cpp, device.cpp).  */

#ifndef SIM_RUNTIME_H
#define SIM_RUNTIME_H

#include "device.h"
#include <tuple>

#pragma GCC visibility push(default)

/* ---- errors ---------------------------------------------------------------------------- */

/* Values as CUDA has them; runtime_device.cpp has their names.  */
enum cudaError
{
  cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9, cudaErrorInvalidPitchValue = 12, cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17, cudaErrorInvalidMemcpyDirection = 21, cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100, cudaErrorInvalidDevice = 101, cudaErrorInvalidResourceHandle = 400, cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700, cudaErrorLaunchOutOfResources = 701, cudaErrorLaunchTimeout = 702, cudaErrorAssert = 710,
  cudaErrorLaunchFailure = 719, cudaErrorCooperativeLaunchTooLarge = 720, cudaErrorNotSupported = 801, cudaErrorUnknown = 999
};
typedef cudaError cudaError_t;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9 };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
enum cudaDeviceAttr
{
  cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX = 2, cudaDevAttrMaxGridDimX = 5, cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10, cudaDevAttrClockRate = 13, cudaDevAttrMultiProcessorCount = 16, cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37, cudaDevAttrL2CacheSize = 38, cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76, cudaDevAttrManagedMemory = 83,
  cudaDevAttrConcurrentManagedAccess = 89, cudaDevAttrCooperativeLaunch = 95, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
enum
{
  cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2, cudaStreamDefault = 0, cudaStreamNonBlocking = 1,
  cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2,
  cudaHostAllocWriteCombined = 4, cudaHostRegisterDefault = 0, cudaDeviceScheduleAuto = 0, cudaDeviceMapHost = 8,
  cudaOccupancyDefault = 0, cudaCpuDeviceId = -1, cudaMemAdviseSetReadMostly = 1, cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseSetAccessedBy = 5
};
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
struct cudaDeviceProp
{
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, memPitch, totalConstMem, textureAlignment, sharedMemPerMultiprocessor, sharedMemPerBlockOptin;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor, deviceOverlap,
    multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode, concurrentKernels, ECCEnabled, pciBusID,
    pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize,
    maxThreadsPerMultiProcessor, managedMemory, isMultiGpuBoard, concurrentManagedAccess, pageableMemoryAccess, cooperativeLaunch,
    maxBlocksPerMultiProcessor, regsPerMultiprocessor;
};
struct cudaFuncAttributes
{
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, maxDynamicSharedSizeBytes;
};
struct cudaPointerAttributes { cudaMemoryType type; int device; void *devicePointer, *hostPointer; };

/* What the call says of its arguments, for messages.  */
struct sim_text { const char *text; };
#define SIM_HIDDEN __attribute__ ((no_sanitize ("thread")))

extern "C" {
cudaError_t cudaGetLastError (void);
cudaError_t cudaPeekAtLastError (void);
const char *cudaGetErrorString (cudaError_t);
const char *cudaGetErrorName (cudaError_t);
cudaError_t cudaDeviceSynchronize (void);
cudaError_t cudaDeviceReset (void);
cudaError_t cudaGetDevice (int *);
cudaError_t cudaGetDeviceCount (int *);
cudaError_t cudaSetDevice (int);
cudaError_t cudaSetDeviceFlags (unsigned);
cudaError_t cudaGetDeviceProperties (cudaDeviceProp *, int);
cudaError_t cudaDeviceGetAttribute (int *, cudaDeviceAttr, int);
cudaError_t cudaDeviceSetLimit (cudaLimit, size_t);
cudaError_t cudaDeviceSetCacheConfig (cudaFuncCache);
cudaError_t cudaDriverGetVersion (int *);
cudaError_t cudaRuntimeGetVersion (int *);
cudaError_t cudaMemGetInfo (size_t *, size_t *);
cudaError_t cudaProfilerStart (void);
cudaError_t cudaProfilerStop (void);
cudaError_t cudaStreamCreate (cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags (cudaStream_t *, unsigned);
cudaError_t cudaStreamDestroy (cudaStream_t);
cudaError_t cudaStreamSynchronize (cudaStream_t);
cudaError_t cudaStreamQuery (cudaStream_t);
cudaError_t sim_stream_wait (cudaStream_t, cudaEvent_t);
cudaError_t cudaEventCreate (cudaEvent_t *);
cudaError_t cudaEventCreateWithFlags (cudaEvent_t *, unsigned);
cudaError_t sim_event_record (cudaEvent_t, cudaStream_t);
cudaError_t cudaEventSynchronize (cudaEvent_t);
cudaError_t cudaEventQuery (cudaEvent_t);
cudaError_t cudaEventElapsedTime (float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaEventDestroy (cudaEvent_t);
cudaError_t sim_allocate (const char *text, void **p, size_t bytes, unsigned each, int place);
cudaError_t sim_free_of (const char *text, void *p, int place);
cudaError_t sim_copy (const char *name, const char *text, void *to, const void *from, size_t bytes, int kind, cudaStream_t stream, bool waits);
cudaError_t sim_copy_rows (const char *name, const char *text, void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows, int kind);
cudaError_t sim_fill (const char *text, void *p, int value, size_t bytes);
cudaError_t sim_occupancy (int *blocks, int block, size_t shared);
cudaError_t sim_function_shared (const void *kernel, int attribute, int bytes);
cudaError_t cudaPointerGetAttributes (cudaPointerAttributes *, const void *);
struct sim_argument { const void *at; size_t bytes; const void *pointer; };     /* of a launch; its value, if that is one */
cudaError_t sim_start (const char *name, const char *arguments, const void *entry, const void *closure, size_t bytes, const sim_argument *list, int count,
                       uint3 grid, uint3 block, size_t shared, cudaStream_t stream, bool cooperative);
}

/* ---- memory ------------------------------------------------------------------------------- */

enum { SIM_DEVICE_MEMORY = 1, SIM_MANAGED, SIM_PINNED };
template <class T> struct sim_each { static const unsigned bytes = sizeof (T); };
template <> struct sim_each<void> { static const unsigned bytes = 0; };

#define SIM_ALLOCATES(name, place, more) \
  template <class T> SIM_WRAP cudaError_t name (sim_text t, T **p, size_t bytes more) { return sim_allocate (t.text, (void **) p, bytes, sim_each<T>::bytes, place); } \
  template <class T> SIM_WRAP cudaError_t name (T **p, size_t bytes more) { return sim_allocate ("", (void **) p, bytes, sim_each<T>::bytes, place); }
#define SIM_AND(...) , __VA_ARGS__
SIM_ALLOCATES (cudaMalloc, SIM_DEVICE_MEMORY, )
SIM_ALLOCATES (cudaMallocAsync, SIM_DEVICE_MEMORY, SIM_AND (cudaStream_t))
SIM_ALLOCATES (cudaMallocManaged, SIM_MANAGED, SIM_AND (unsigned = 1))
SIM_ALLOCATES (cudaMallocHost, SIM_PINNED, SIM_AND (unsigned = 0))
SIM_ALLOCATES (cudaHostAlloc, SIM_PINNED, SIM_AND (unsigned))
template <class T> SIM_WRAP cudaError_t cudaMallocPitch (sim_text t, T **p, size_t *pitch, size_t width, size_t rows)
{
  *pitch = (width + 511) / 512 * 512;
  return sim_allocate (t.text, (void **) p, *pitch * rows, sim_each<T>::bytes, SIM_DEVICE_MEMORY);
}
SIM_WRAP cudaError_t cudaFree (sim_text t, void *p) { return sim_free_of (t.text, p, SIM_DEVICE_MEMORY); }
SIM_WRAP cudaError_t cudaFreeAsync (sim_text t, void *p, cudaStream_t) { return sim_free_of (t.text, p, SIM_DEVICE_MEMORY); }
SIM_WRAP cudaError_t cudaFreeHost (sim_text t, void *p) { return sim_free_of (t.text, p, SIM_PINNED); }
SIM_WRAP cudaError_t cudaFree (void *p) { return sim_free_of ("", p, SIM_DEVICE_MEMORY); }
SIM_WRAP cudaError_t cudaFreeHost (void *p) { return sim_free_of ("", p, SIM_PINNED); }
SIM_WRAP cudaError_t cudaMemcpy (sim_text t, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{ return sim_copy ("cudaMemcpy", t.text, to, from, bytes, kind, NULL, true); }
SIM_WRAP cudaError_t cudaMemcpyAsync (sim_text t, void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = NULL)
{ return sim_copy ("cudaMemcpyAsync", t.text, to, from, bytes, kind, stream, false); }
SIM_WRAP cudaError_t cudaMemcpy2D (sim_text t, void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows, cudaMemcpyKind kind)
{ return sim_copy_rows ("cudaMemcpy2D", t.text, to, to_pitch, from, from_pitch, width, rows, kind); }
SIM_WRAP cudaError_t cudaMemset (sim_text t, void *p, int value, size_t bytes) { return sim_fill (t.text, p, value, bytes); }
SIM_WRAP cudaError_t cudaMemsetAsync (sim_text t, void *p, int value, size_t bytes, cudaStream_t = NULL) { return sim_fill (t.text, p, value, bytes); }
template <class T> SIM_WRAP cudaError_t cudaMemcpyToSymbol (sim_text t, const T &symbol, const void *from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{ return sim_copy ("cudaMemcpyToSymbol", t.text, (char *) &symbol + offset, from, bytes, kind, NULL, true); }
template <class T> SIM_WRAP cudaError_t cudaMemcpyFromSymbol (sim_text t, void *to, const T &symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{ return sim_copy ("cudaMemcpyFromSymbol", t.text, to, (const char *) &symbol + offset, bytes, kind, NULL, true); }
template <class T> SIM_WRAP cudaError_t cudaGetSymbolAddress (void **p, const T &symbol) { *p = (void *) &symbol; return cudaSuccess; }
template <class T> SIM_WRAP cudaError_t cudaGetSymbolSize (size_t *bytes, const T &) { *bytes = sizeof (T); return cudaSuccess; }
template <class T> SIM_WRAP cudaError_t cudaHostGetDevicePointer (T **p, void *host, unsigned) { *p = (T *) host; return cudaSuccess; }
template <class P> SIM_WRAP cudaError_t cudaMemPrefetchAsync (const P *, size_t, int, cudaStream_t = NULL) { return cudaSuccess; }
template <class P> SIM_WRAP cudaError_t cudaMemAdvise (const P *, size_t, int, int) { return cudaSuccess; }
template <class P> SIM_WRAP cudaError_t cudaStreamAttachMemAsync (cudaStream_t, P *, size_t = 0, unsigned = 0) { return cudaSuccess; }
#define cudaMalloc(...) cudaMalloc (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaMallocAsync(...) cudaMallocAsync (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaMallocManaged(...) cudaMallocManaged (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaMallocHost(...) cudaMallocHost (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaHostAlloc(...) cudaHostAlloc (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaMallocPitch(...) cudaMallocPitch (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaFree(...) cudaFree (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaFreeAsync(...) cudaFreeAsync (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaFreeHost(...) cudaFreeHost (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaMemcpy(...) cudaMemcpy (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaMemcpyAsync(...) cudaMemcpyAsync (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaMemcpy2D(...) cudaMemcpy2D (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaMemset(...) cudaMemset (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaMemsetAsync(...) cudaMemsetAsync (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaMemcpyToSymbol(...) cudaMemcpyToSymbol (sim_text { #__VA_ARGS__ }, __VA_ARGS__)
#define cudaMemcpyFromSymbol(...) cudaMemcpyFromSymbol (sim_text { #__VA_ARGS__ }, __VA_ARGS__)

/* ---- launches -------------------------------------------------------------------------------- */

/* What a thread begins with: the call of the kernel with its arguments, which lie in the host's memory.  */
struct sim_arguments { const void *closure; void *none[11]; };
template <class B> struct sim_entry
{
  static SIM_HIDDEN void run (sim_arguments a) { (*(const B *) a.closure) (); }
};
template <class T> SIM_WRAP sim_argument sim_argument_of (const T &v)
{
  if constexpr (std::is_pointer<T>::value)
    return { &v, sizeof v, (const void *) v };
  else
    return { &v, sizeof v, NULL };
}
/* A kernel's parameters are values: one that is a reference takes none of these.  */
template <class T> SIM_WRAP T sim_value (T &v) { return v; }
template <class F> struct sim_launcher
{
  const char *name, *arguments;
  F kernel;
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  template <class... A> SIM_MEMBER void operator() (A... a) const
  {
    auto body = [k = kernel, &a...] () SIM_HIDDEN { k (a...); };
    const sim_argument list[] = { sim_argument_of (a)..., {} };
    sim_start (name, arguments, (const void *) sim_entry<decltype (body)>::run, &body, sizeof body, list, (int) sizeof... (A),
               grid, block, shared, stream, false);
  }
};
template <class F> SIM_WRAP sim_launcher<F> sim_launch (const char *name, const char *arguments, F kernel, dim3 grid, dim3 block,
                                                        size_t shared = 0, cudaStream_t stream = NULL)
{
  return { name, arguments, kernel, grid, block, shared, stream };
}

template <class... P, size_t... I> SIM_WRAP std::tuple<P...> sim_take (void **list, std::index_sequence<I...>) { return std::tuple<P...> (*(P *) list[I]...); }
#define SIM_LAUNCHES(launches, cooperative) \
  template <class... P> SIM_WRAP cudaError_t launches (void (*k) (P...), dim3 grid, dim3 block, void **list, size_t shared = 0, cudaStream_t stream = NULL) \
  { \
    std::tuple<P...> a = sim_take<P...> (list, std::index_sequence_for<P...> ()); \
    auto body = [k, &a] () SIM_HIDDEN { std::apply ([k] (auto &... each) SIM_HIDDEN { k (each...); }, a); }; \
    sim_argument given[sizeof... (P) + 1] = {}; \
    std::apply ([&] (auto &... each) { int i = 0; ((given[i++] = sim_argument_of (each)), ...); }, a); \
    return sim_start ("", "", (const void *) sim_entry<decltype (body)>::run, &body, sizeof body, given, (int) sizeof... (P), \
                      grid, block, shared, stream, cooperative); \
  } \
  SIM_GONE ("the kernel itself must be the first argument: " #launches " (kernel, ...)") \
  cudaError_t launches (const void *k, dim3 grid, dim3 block, void **list, size_t shared = 0, cudaStream_t stream = NULL);
SIM_LAUNCHES (cudaLaunchKernel, false)
SIM_LAUNCHES (cudaLaunchCooperativeKernel, true)

template <class K> SIM_WRAP cudaError_t cudaFuncSetAttribute (K *k, cudaFuncAttribute what, int value) { return sim_function_shared ((const void *) k, what, value); }
template <class K> SIM_WRAP cudaError_t cudaFuncSetCacheConfig (K *, cudaFuncCache) { return cudaSuccess; }
template <class K> SIM_WRAP cudaError_t cudaFuncGetAttributes (cudaFuncAttributes *a, K *)
{
  *a = {};
  a->maxThreadsPerBlock = 1024;
  a->numRegs = 32;
  a->maxDynamicSharedSizeBytes = 48 << 10;
  return cudaSuccess;
}
template <class K> SIM_WRAP cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor (int *blocks, K, int block, size_t shared)
{ return sim_occupancy (blocks, block, shared); }
template <class I, class K> SIM_WRAP cudaError_t cudaOccupancyMaxPotentialBlockSize (I *grid, I *block, K, size_t shared = 0, int most = 0)
{
  int blocks = 0, sms = 0;
  cudaDeviceGetAttribute (&sms, cudaDevAttrMultiProcessorCount, 0);
  *block = most > 0 && most < 1024 ? most : 1024;
  cudaError_t e = sim_occupancy (&blocks, *block, shared);
  *grid = blocks * sms;
  return e;
}
SIM_WRAP cudaError_t cudaEventRecord (cudaEvent_t e, cudaStream_t s = NULL) { return sim_event_record (e, s); }
SIM_WRAP cudaError_t cudaStreamWaitEvent (cudaStream_t s, cudaEvent_t e, unsigned = 0) { return sim_stream_wait (s, e); }

#pragma GCC visibility pop

#endif
