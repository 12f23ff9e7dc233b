/* Errors, launches, streams, events and the device, as a program's host code has them.  */

#include <setjmp.h>
#include <string.h>
#include <time.h>

#include <algorithm>

#include "cause.h"
#include "fibers.h"
#include "launch.h"
#include "program.h"
#define SIM_PROGRAM
#include "runtime.h"

std::vector<program_launch> program_launches;
std::vector<running> unwaited;
std::vector<given> arguments_given;
std::vector<range> argument_memory;
u64 host_stack_end, host_stack_now;
bool launching;

/* ---- errors ------------------------------------------------------------------------------------ */

static int last_error;
static long failed_launch = -1;         /* whose error that is */

static const struct { int error; const char *name, *text; } errors[] = {
#define ERROR(name, text) { cudaError##name, "cudaError" #name, text }
  { cudaSuccess, "cudaSuccess", "no error" }, ERROR (InvalidValue, "invalid argument"), ERROR (MemoryAllocation, "out of memory"),
  ERROR (InitializationError, "initialization error"), ERROR (InvalidConfiguration, "invalid configuration argument"),
  ERROR (InvalidPitchValue, "invalid pitch argument"), ERROR (InvalidSymbol, "invalid device symbol"),
  ERROR (InvalidDevicePointer, "invalid device pointer"), ERROR (InvalidMemcpyDirection, "invalid copy direction for memcpy"),
  ERROR (InvalidDeviceFunction, "invalid device function"), ERROR (NoDevice, "no CUDA-capable device is detected"),
  ERROR (InvalidDevice, "invalid device ordinal"), ERROR (InvalidResourceHandle, "invalid resource handle"),
  ERROR (NotReady, "device not ready"), ERROR (IllegalAddress, "an illegal memory access was encountered"),
  ERROR (LaunchOutOfResources, "too many resources requested for launch"), ERROR (LaunchTimeout, "the launch timed out and was terminated"),
  ERROR (Assert, "device-side assert triggered"), ERROR (LaunchFailure, "unspecified launch failure"),
  ERROR (CooperativeLaunchTooLarge, "too many blocks in cooperative launch"), ERROR (NotSupported, "operation not supported"),
  ERROR (Unknown, "unknown error")
};

HOOK const char *cudaGetErrorString (cudaError_t e)
{
  for (const auto &known : errors)
    if (known.error == e)
      return known.text;
  return "unrecognized error code";
}
HOOK const char *cudaGetErrorName (cudaError_t e)
{
  for (const auto &known : errors)
    if (known.error == e)
      return known.name;
  return "unrecognized error code";
}
std::string error_text (int e)
{
  return std::string (cudaGetErrorName ((cudaError_t) e)) + " (" + cudaGetErrorString ((cudaError_t) e) + ")";
}

int set_error (int error)
{
  last_error = error;
  failed_launch = -1;
  return error;
}

HOOK cudaError_t cudaPeekAtLastError (void)
{
  if (failed_launch >= 0)
    program_launches[failed_launch].asked = true;
  return (cudaError_t) last_error;
}
HOOK cudaError_t cudaGetLastError (void)
{
  cudaError_t e = cudaPeekAtLastError ();
  set_error (cudaSuccess);
  return e;
}

/* ---- streams and events ----------------------------------------------------------------------------- */

struct CUstream_st { bool apart; };     /* from the default stream */
struct CUevent_st { bool recorded; double ms; stream in; u32 tick; };

static double now_ms (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

void wait_for (stream in)
{
  unwaited.erase (std::remove_if (unwaited.begin (), unwaited.end (), [in] (const running &r) {
    return in ? r.in == in || ! r.in : ! r.in || ! r.in->apart;
  }), unwaited.end ());
}

HOOK cudaError_t cudaDeviceSynchronize (void)
{
  host_only ("cudaDeviceSynchronize", CALLER);
  unwaited.clear ();
  return cudaSuccess;
}
HOOK cudaError_t cudaDeviceReset (void)
{
  unwaited.clear ();
  forget_memory ();
  set_error (cudaSuccess);
  return cudaSuccess;
}
HOOK cudaError_t cudaStreamCreateWithFlags (cudaStream_t *s, unsigned flags)
{
  *s = new CUstream_st { (flags & cudaStreamNonBlocking) != 0 };
  return cudaSuccess;
}
HOOK cudaError_t cudaStreamCreate (cudaStream_t *s) { return cudaStreamCreateWithFlags (s, 0); }
HOOK cudaError_t cudaStreamDestroy (cudaStream_t) { return cudaSuccess; }        /* kept: launches name it */
HOOK cudaError_t cudaStreamSynchronize (cudaStream_t s)
{
  wait_for (s);
  return cudaSuccess;
}
HOOK cudaError_t cudaStreamQuery (cudaStream_t s)
{
  wait_for (s);
  return cudaSuccess;
}
HOOK cudaError_t sim_stream_wait (cudaStream_t, cudaEvent_t) { return cudaSuccess; }

HOOK cudaError_t cudaEventCreateWithFlags (cudaEvent_t *e, unsigned)
{
  *e = new CUevent_st ();
  return cudaSuccess;
}
HOOK cudaError_t cudaEventCreate (cudaEvent_t *e) { return cudaEventCreateWithFlags (e, 0); }
HOOK cudaError_t sim_event_record (cudaEvent_t e, cudaStream_t s)
{
  if (! e)
    return (cudaError_t) set_error (cudaErrorInvalidResourceHandle);
  *e = { true, now_ms (), s, sim_tick };
  return cudaSuccess;
}
HOOK cudaError_t cudaEventSynchronize (cudaEvent_t e)
{
  if (! e)
    return (cudaError_t) set_error (cudaErrorInvalidResourceHandle);
  unwaited.erase (std::remove_if (unwaited.begin (), unwaited.end (), [e] (const running &r) {
    return r.to <= e->tick + 1 && (r.in == e->in || ((! r.in || ! r.in->apart) && ! e->in));
  }), unwaited.end ());
  return cudaSuccess;
}
HOOK cudaError_t cudaEventQuery (cudaEvent_t e) { return cudaEventSynchronize (e); }
HOOK cudaError_t cudaEventElapsedTime (float *ms, cudaEvent_t from, cudaEvent_t to)
{
  static bool said;
  if (! from || ! to || ! from->recorded || ! to->recorded)
    return (cudaError_t) set_error (cudaErrorInvalidResourceHandle);
  *ms = (float) (to->ms - from->ms);
  if (! said)
    program_note ("times of cudaEventElapsedTime are the simulator's, not a GPU's");
  said = true;
  return cudaSuccess;
}
HOOK cudaError_t cudaEventDestroy (cudaEvent_t e)
{
  delete e;
  return cudaSuccess;
}

/* ---- the device -------------------------------------------------------------------------------------- */

enum { PROCESSORS = 8, THREADS_OF_PROCESSOR = 2048, SHARED_OF_PROCESSOR = 228 << 10, SHARED_UNASKED = 48 << 10 };

static cudaError_t device_zero (int device)
{
  return device == 0 ? cudaSuccess : (cudaError_t) set_error (cudaErrorInvalidDevice);
}
HOOK cudaError_t cudaGetDeviceCount (int *n) { *n = 1; return cudaSuccess; }
HOOK cudaError_t cudaGetDevice (int *d) { *d = 0; return cudaSuccess; }
HOOK cudaError_t cudaSetDevice (int d) { return device_zero (d); }
HOOK cudaError_t cudaSetDeviceFlags (unsigned) { return cudaSuccess; }
HOOK cudaError_t cudaDeviceSetLimit (cudaLimit, size_t) { return cudaSuccess; }
HOOK cudaError_t cudaDeviceSetCacheConfig (cudaFuncCache) { return cudaSuccess; }
HOOK cudaError_t cudaDriverGetVersion (int *v) { *v = 12000; return cudaSuccess; }
HOOK cudaError_t cudaRuntimeGetVersion (int *v) { *v = 12000; return cudaSuccess; }
HOOK cudaError_t cudaProfilerStart (void) { return cudaSuccess; }
HOOK cudaError_t cudaProfilerStop (void) { return cudaSuccess; }

/* A device that is none, of a size that whole grids are soon done with.  */
HOOK cudaError_t cudaGetDeviceProperties (cudaDeviceProp *p, int device)
{
  *p = {};
  strcpy (p->name, "gpureduce simulator (no GPU)");
  p->totalGlobalMem = (size_t) 8 << 30;
  p->sharedMemPerBlock = SHARED_UNASKED;
  p->sharedMemPerBlockOptin = SHARED_MOST;
  p->sharedMemPerMultiprocessor = SHARED_OF_PROCESSOR;
  p->memPitch = 0x7fffffff;
  p->totalConstMem = 64 << 10;
  p->textureAlignment = 512;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->warpSize = WARP;
  p->maxThreadsPerBlock = p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 0x7fffffff;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->clockRate = 1000000;
  p->major = 9;
  p->multiProcessorCount = PROCESSORS;
  p->maxThreadsPerMultiProcessor = THREADS_OF_PROCESSOR;
  p->maxBlocksPerMultiProcessor = 32;
  p->deviceOverlap = p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = p->managedMemory = p->concurrentManagedAccess = p->cooperativeLaunch = 1;
  p->asyncEngineCount = 1;
  p->memoryClockRate = 1000000;
  p->memoryBusWidth = 256;
  p->l2CacheSize = 4 << 20;
  return device_zero (device);
}

HOOK cudaError_t cudaDeviceGetAttribute (int *value, cudaDeviceAttr which, int device)
{
  cudaDeviceProp p;
  cudaError_t e = cudaGetDeviceProperties (&p, device);
  switch (which)
    {
    case cudaDevAttrMaxThreadsPerBlock: case cudaDevAttrMaxBlockDimX: *value = 1024; break;
    case cudaDevAttrMaxGridDimX: *value = 0x7fffffff; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = SHARED_UNASKED; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = SHARED_MOST; break;
    case cudaDevAttrWarpSize: *value = WARP; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrMultiProcessorCount: *value = PROCESSORS; break;
    case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = THREADS_OF_PROCESSOR; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrManagedMemory: case cudaDevAttrConcurrentManagedAccess: case cudaDevAttrCooperativeLaunch: *value = 1; break;
    default: return (cudaError_t) set_error (cudaErrorInvalidValue);
    }
  return e;
}

static int blocks_of_processor (u64 block, u64 shared)
{
  if (! block || block > 1024 || shared > SHARED_MOST)
    return 0;
  const u64 by_threads = THREADS_OF_PROCESSOR / ((block + WARP - 1) / WARP * WARP), by_shared = SHARED_OF_PROCESSOR / (shared + 1024);
  return (int) std::min<u64> ({ by_threads, by_shared, 32 });
}
HOOK cudaError_t sim_occupancy (int *blocks, int block, size_t shared)
{
  *blocks = blocks_of_processor (block < 0 ? 0 : (u64) block, shared);
  return cudaSuccess;
}

/* ---- launches --------------------------------------------------------------------------------------------- */

static std::unordered_map<u64, u64> shared_allowed;     /* by kernel: what cudaFuncSetAttribute has asked for */

HOOK cudaError_t sim_function_shared (const void *kernel, int attribute, int bytes)
{
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
    return cudaSuccess;
  if (bytes < 0 || bytes > SHARED_MOST)
    return (cudaError_t) set_error (cudaErrorInvalidValue);
  shared_allowed[(u64) kernel] = (u64) bytes;
  return cudaSuccess;
}

/* The kernel that an entry calls: it is called on the host, until it begins.  */
static jmp_buf at_kernel;
static const void *kernel_found;

static void see_kernel (const void *code)
{
  const u64 at = (u64) ((const char *) code - program->base);
  auto f = std::upper_bound (program->functions.begin (), program->functions.end (), at, [] (u64 v, const symbol &s) { return v < s.at; });
  if (f == program->functions.begin ())
    return;
  --f;
  auto named = program_names.find (function_name (f->name));
  if (at - f->at >= f->size || named == program_names.end () || named->second != 'g')
    return;
  kernel_found = program->base + f->at;
  longjmp (at_kernel, 1);
}

static const void *kernel_of_entry (const void *entry, const void *closure)
{
  sim_arguments a = { closure, {} };
  kernel_found = NULL;
  host_goes = see_kernel;
  if (setjmp (at_kernel) == 0)
    ((void (*) (sim_arguments)) entry) (a);
  host_goes = NULL;
  return kernel_found;
}

/* What the launch asks for and no launch has; cudaSuccess: nothing.  */
static int refusal (const program_launch &l, const void *kernel, bool cooperative, std::string *why)
{
  const u64 threads = (u64) l.block[0] * l.block[1] * l.block[2];
  u64 statics = 0;
  for (const symbol &s : L.statics)
    statics += s.name.compare (0, 3, "_ZZ") ? 0 : s.size;       /* of functions: not what a library has for each thread */
  auto asked = shared_allowed.find ((u64) kernel);
  const u64 most = asked == shared_allowed.end () ? (u64) SHARED_UNASKED : std::max<u64> (SHARED_UNASKED, asked->second);
  if (! threads || ! l.grid[0] || ! l.grid[1] || ! l.grid[2])
    return *why = threads ? "the grid has no blocks" : "a block has no threads", cudaErrorInvalidConfiguration;
  if (threads > 1024 || l.block[0] > 1024 || l.block[1] > 1024)
    return *why = "a block of " + std::to_string (threads) + " threads, where 1024 is the most", cudaErrorInvalidConfiguration;
  if (l.block[2] > 64)
    return *why = "a block of " + std::to_string (l.block[2]) + " threads in z, where 64 is the most", cudaErrorInvalidConfiguration;
  if (l.grid[0] > 0x7fffffff || l.grid[1] > 65535 || l.grid[2] > 65535)
    return *why = "a grid of more blocks than 2^31 - 1 in x, 65535 in y and z", cudaErrorInvalidConfiguration;
  if (l.shared + statics > most)
    return *why = std::to_string (l.shared + statics) + " bytes of shared memory, where " + std::to_string (most) + " are the most"
      + (l.shared + statics <= SHARED_MOST ? " (cudaFuncSetAttribute allows more)" : ""), cudaErrorInvalidValue;
  const u64 blocks = (u64) l.grid[0] * l.grid[1] * l.grid[2], resident = (u64) blocks_of_processor (threads, l.shared + statics) * PROCESSORS;
  if (cooperative && blocks > resident)
    return *why = std::to_string (blocks) + " blocks, where this device runs " + std::to_string (resident) + " at once", cudaErrorCooperativeLaunchTooLarge;
  return cudaSuccess;
}

static std::string kernel_name (const char *name, const void *kernel)
{
  return kernel ? function_name (function_symbol (program, kernel), true) : *name ? name : "a kernel";
}

static void end_of_launch (program_launch &l, u32 from, stream in, bool good)
{
  launching = false;
  open_memory (false);
  l.c = totals;
  if (! good)
    {
      if (! (F.cause = cause_on_host ()).empty ())
        end_with_fault ();
      name_cause ();
      end_with_fault ();
    }
  unwaited.push_back ({ from, sim_tick + 1, l.pc, l.kernel, in });
  ++sim_tick;
  fflush (stdout);
}

HOOK cudaError_t sim_start (const char *name, const char *arguments, const void *entry, const void *closure, size_t bytes, const sim_argument *list, int count,
                            uint3 grid, uint3 block, size_t shared, cudaStream_t in, bool cooperative)
{
  if (sim_now)
    fault (CRASH, sim_now, pc_of (CALLER), "launches a kernel: dynamic parallelism is not in the simulator");
  program_launch l = { "", program_pc (CALLER), { grid.x, grid.y, grid.z }, { block.x, block.y, block.z }, shared, 0, "", true, {} };
  const void *kernel = kernel_of_entry (entry, closure);
  l.kernel = kernel_name (name, kernel);
  L.module = program;
  find_statics (kernel ? function_symbol (program, kernel) : "");
  l.error = refusal (l, kernel, cooperative, &l.why);
  l.asked = ! l.error || ! *name;       /* cudaLaunchKernel returns it */
  program_launches.push_back (l);
  if (l.error)
    {
      last_error = l.error;
      failed_launch = (long) program_launches.size () - 1;
      return (cudaError_t) l.error;
    }
  host_stack_now = (u64) __builtin_frame_address (0);
  argument_memory = { { (u64) closure, bytes } };
  arguments_given.clear ();
  for (int i = 0; i < count; i++)
    {
      argument_memory.push_back ({ (u64) list[i].at, list[i].bytes });
      if (list[i].pointer)
        arguments_given.push_back ({ (u64) list[i].pointer, *arguments ? argument_text (arguments, i) : "argument " + std::to_string (i + 1) });
    }
  const sim_arguments a = { closure, {} };
  static const void *kernel_now;
  kernel_now = kernel ? kernel : entry;
  L.kernel_of = [] (const void *) { return kernel_now; };
  totals = counts ();
  open_memory (true);
  launching = true;
  const u32 from = sim_tick + 1;
  const u64 blocks = (u64) grid.x * grid.y * grid.z;
  if (blocks * block.x * block.y * block.z >= (u64) 1 << 32)
    host_fault (TIME_LIMIT, l.pc, "the host launches " + std::to_string (blocks) + " blocks, too many for the simulator");
  const bool good = launch (program_launches.back ().kernel.c_str (), entry, &a, { (u32) blocks, grid.y, grid.z },
                            { block.x * block.y * block.z, block.y, block.z }, shared, cooperative, T_U8);
  end_of_launch (program_launches.back (), from, in, good);
  return cudaSuccess;
}
