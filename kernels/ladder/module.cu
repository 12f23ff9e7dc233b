/* A module of variants: gpureduce_ladder.so, or a user's file compiled with this
   one.  It launches what the list holds, and has the kernels that no variant is:
   the second pass, a reading of all memory to compare with, a delay.  */

#include <limits.h>

#include "ladder.h"
#include "registry.h"

#define EXPORT extern "C" __attribute__ ((visibility ("default")))

/* ---- second pass ------------------------------------------------------------------- */

/* Places count from the beginning of a slice; then from that of all slices.  */
template <class Op> struct moved
{
  static __device__ typename Op::T by (typename Op::T v, int64_t) { return v; }
};
template <class Op> struct moved_index
{
  static __device__ typename Op::T by (typename Op::T v, int64_t offset)
  {
    if (v.i != INT64_MAX)
      v.i += offset;
    return v;
  }
};
template <class X> struct moved<Argmax<X>> : moved_index<Argmax<X>> {};
template <class X> struct moved<Argmin<X>> : moved_index<Argmin<X>> {};

/* One block: the n partial results into *result.  */
template <class Op>
__global__ void second_pass (ladder_second_pass_args a)
{
  typename Op::T *partial = (typename Op::T *) a.partial;
  for (int64_t i = threadIdx.x; i < a.n; i += blockDim.x)
    partial[i] = moved<Op>::by (partial[i], i * a.slice);
  __syncthreads ();
  reduce_partials<Op> (partial, a.n, (typename Op::T *) a.result);
}

/* ---- reading ----------------------------------------------------------------------- */

enum { READS = 4 };             /* of 16 bytes, in flight a thread */

/* n words of 16 bytes, a multiple of READS * blockDim.x.  The sum is not written
   but for a value that it never has, which the compiler does not know.  */
static __global__ void read_test (ladder_reduce_args a)
{
  const uint4 *x = (const uint4 *) a.x;
  unsigned all = 0;
  for (int64_t tile = (int64_t) blockIdx.x * READS * blockDim.x; tile < a.n; tile += (int64_t) gridDim.x * READS * blockDim.x)
    {
      uint4 v[READS];
      #pragma unroll
      for (int k = 0; k < READS; k++)
        v[k] = x[tile + k * blockDim.x + threadIdx.x];
      #pragma unroll
      for (int k = 0; k < READS; k++)
        all |= v[k].x | v[k].y | v[k].z | v[k].w;
    }
  if (all != 0)
    *(unsigned *) a.result = all;
}

/* n nanoseconds, in which the host queues what comes next.  */
static __global__ void delay (ladder_reduce_args a)
{
  unsigned long long start, now;
  asm volatile ("mov.u64 %0, %%globaltimer;" : "=l" (start));
  do
    asm volatile ("mov.u64 %0, %%globaltimer;" : "=l" (now));
  while (now - start < (unsigned long long) a.n);
}

/* ---- descriptors of these ------------------------------------------------------------ */

struct unlisted
{
  ladder_variant variant;
  unlisted (const char *name, void (*describe) (ladder_variant &))
  {
    memset (&variant, 0, sizeof variant);
    variant.name = name;
    variant.file = __FILE__;
    describe (variant);
  }
};

EXPORT const ladder_variant *ladder_second_pass (void)
{
  static const unlisted u ("second_pass", [] (ladder_variant &v) {
    REDUCE_KERNELS (v, second_pass);
    ARGMAX_KERNELS (v, second_pass);
  });
  return &u.variant;
}

EXPORT const ladder_variant *ladder_read_test (void)
{
  static const unlisted u ("read_test", [] (ladder_variant &v) { LADDER_SET (v, LADDER_SUM, LADDER_INT32, read_test) });
  return &u.variant;
}

EXPORT const ladder_variant *ladder_delay (void)
{
  static const unlisted u ("delay", [] (ladder_variant &v) {
    v.one_thread = true;
    LADDER_SET (v, LADDER_SUM, LADDER_INT32, delay)
  });
  return &u.variant;
}

/* ---- launches -------------------------------------------------------------------------- */

/* A block's index in a descriptor's table.  */
static int index_of (int block)
{
  int b = 0;
  while (b < LADDER_BLOCKS - 1 && 32 << b < block)
    b++;
  return b;
}

/* More shared memory than 48 KiB a block must be asked for.  */
static cudaError_t prepare (const void *kernel, size_t shared)
{
  if (! kernel)
    return cudaErrorInvalidDeviceFunction;
  if (shared <= 48 << 10)
    return cudaSuccess;
  return cudaFuncSetAttribute (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared);
}

EXPORT int ladder_abi (void)
{
  return LADDER_ABI;
}

EXPORT int ladder_use (int device)
{
  return cudaSetDevice (device);
}

/* When somebody else has reset it: this runtime forgets what it had there.  */
EXPORT void ladder_reset (int device)
{
  (void) cudaSetDevice (device);
  (void) cudaDeviceReset ();
  (void) cudaGetLastError ();
}

/* args: the one argument of the kernel, or what a plain kernel's are in.  */
EXPORT int ladder_launch (const ladder_variant *v, int op, int type, int block, unsigned grid, size_t shared, void *args,
                          void *stream, int cooperative)
{
  const void *kernel = v->kernel[op][type][index_of (block)];
  cudaError_t e = prepare (kernel, shared);
  void *list[3] = { args };
  const int y = v->block_y > 1 ? v->block_y : 1, z = v->block_z > 1 ? v->block_z : 1;
  dim3 threads (v->one_thread ? 1 : block / (y * z), y, z);

  if (v->plain)
    v->plain ((ladder_reduce_args *) args, list);

  if (e != cudaSuccess)
    return e;
  if (cooperative)
    return cudaLaunchCooperativeKernel (kernel, dim3 (grid), threads, list, shared, (cudaStream_t) stream);
  return cudaLaunchKernel (kernel, dim3 (grid), threads, list, shared, (cudaStream_t) stream);
}

/* Blocks that the device in use runs at once; below 0: an error.  */
EXPORT int ladder_resident_blocks (const ladder_variant *v, int op, int type, int block, size_t shared)
{
  const void *kernel = v->kernel[op][type][index_of (block)];
  int device = 0, multiprocessors = 0, each = 0;
  cudaError_t e = prepare (kernel, shared);

  if (e == cudaSuccess)
    e = cudaGetDevice (&device);
  if (e == cudaSuccess)
    e = cudaDeviceGetAttribute (&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (e == cudaSuccess)
    e = cudaOccupancyMaxActiveBlocksPerMultiprocessor (&each, kernel, v->one_thread ? 1 : block, shared);
  return e == cudaSuccess ? each * multiprocessors : - (int) e;
}
