/* CUDA as a ladder file sees it, for g++: the simulator's side of ladder.h.

   What does work is declared here and defined in files that are not instrumented
   (barriers.cpp, accesses.cpp, atomics.cpp, releases.cpp); the wrappers below only carry types.  See README.md.  */

#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

/* A kernel may be called index, as CUDA's own headers let it.  */
#define index sim_index_of_strings
#include <string.h>
#include <strings.h>
#undef index
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <new>
#include <type_traits>
#include <utility>

/* Copies and fills that g++ makes a call of are accesses too.  */
#ifdef LADDER_GRADED           /* build-variant renames them */
extern "C" void *sim_memcpy (void *__restrict, const void *__restrict, size_t) noexcept;
extern "C" void *sim_memmove (void *, const void *, size_t) noexcept;
extern "C" void *sim_memset (void *, int, size_t) noexcept;
#elif defined LADDER_SIM
extern "C" void *memcpy (void *__restrict, const void *__restrict, size_t) noexcept __asm__ ("sim_memcpy");
extern "C" void *memmove (void *, const void *, size_t) noexcept __asm__ ("sim_memmove");
extern "C" void *memset (void *, int, size_t) noexcept __asm__ ("sim_memset");
#endif
#ifdef LADDER_SIM
/* A thread's malloc is of the device's heap; the host's code has its own.  */
extern "C" void *malloc (size_t) noexcept __asm__ ("sim_malloc");
extern "C" void free (void *) noexcept __asm__ ("sim_free");
extern "C" void *calloc (size_t, size_t) noexcept __asm__ ("sim_calloc");
extern "C" void *realloc (void *, size_t) noexcept __asm__ ("sim_realloc");
extern "C" clock_t clock (void) noexcept __asm__ ("sim_clock");
#endif

#define __host__
#ifdef SIM_PROGRAM              /* for translate.cpp, which takes them away */
#  define __global__ __sim_global__
#  define __device__ __sim_device__
#  define __constant__ __sim_constant__
#  define __managed__ __sim_managed__
#else
#  define __global__
#  define __device__
#  define __constant__ __attribute__ ((unused))
#endif
#define __grid_constant__
#define __forceinline__ inline __attribute__ ((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__ ((aligned (n)))
/* All threads of a block run on one CPU thread; the scheduler swaps the contents
   when it changes to another block.  Not static as well, which extern __shared__ could not be: see
   module.cpp for what that is.  */
#define __shared__ thread_local

#define SIM_WRAP static inline __attribute__ ((always_inline, artificial, unused))

#pragma GCC visibility push(default)

/* ---- vector types ------------------------------------------------------------ */

#define SIM_VECTORS(T, name, a2, a4) \
  struct name##1 { T x; }; \
  struct alignas (a2) name##2 { T x, y; }; \
  struct name##3 { T x, y, z; }; \
  struct alignas (a4) name##4 { T x, y, z, w; }; \
  SIM_WRAP name##1 make_##name##1 (T x) { return { x }; } \
  SIM_WRAP name##2 make_##name##2 (T x, T y) { return { x, y }; } \
  SIM_WRAP name##3 make_##name##3 (T x, T y, T z) { return { x, y, z }; } \
  SIM_WRAP name##4 make_##name##4 (T x, T y, T z, T w) { return { x, y, z, w }; }
SIM_VECTORS (signed char, char, 2, 4)           SIM_VECTORS (unsigned char, uchar, 2, 4)
SIM_VECTORS (short, short, 4, 8)                SIM_VECTORS (unsigned short, ushort, 4, 8)
SIM_VECTORS (int, int, 8, 16)                   SIM_VECTORS (unsigned, uint, 8, 16)
SIM_VECTORS (long, long, 16, 16)                SIM_VECTORS (unsigned long, ulong, 16, 16)
SIM_VECTORS (long long, longlong, 16, 16)       SIM_VECTORS (unsigned long long, ulonglong, 16, 16)
SIM_VECTORS (float, float, 8, 16)               SIM_VECTORS (double, double, 16, 16)

struct dim3
{
  unsigned x, y, z;
  constexpr dim3 (unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x (x_), y (y_), z (z_) {}
  constexpr dim3 (uint3 v) : x (v.x), y (v.y), z (v.z) {}
  constexpr operator uint3 () const { return { x, y, z }; }
};

/* ---- where a thread is -------------------------------------------------------- */

/* Constant as far as one thread sees: the scheduler writes them.  */
extern "C" {
extern const uint3 threadIdx, blockIdx, blockDim, gridDim;
}
static const int warpSize = 32;

/* ---- barriers, fences, warps ---------------------------------------------------- */

enum { SIM_I32, SIM_U32, SIM_I64, SIM_U64, SIM_F32, SIM_F64 };
enum { SIM_SHFL, SIM_SHFL_UP, SIM_SHFL_DOWN, SIM_SHFL_XOR };
enum { SIM_BALLOT, SIM_ANY, SIM_ALL, SIM_MATCH_ANY, SIM_RADD, SIM_RMIN, SIM_RMAX, SIM_RMINU, SIM_RMAXU, SIM_RAND, SIM_ROR, SIM_RXOR };

extern "C" {
void *sim_shared (void);
void __syncthreads (void);
int __syncthreads_or (int);
int __syncthreads_and (int);
int __syncthreads_count (int);
void __syncwarp (unsigned mask = 0xffffffffu);
unsigned __activemask (void);
void __threadfence (void);
void __threadfence_block (void);
void __threadfence_system (void);
void __trap (void) __attribute__ ((noreturn));
void sim_grid_sync (void);
uint64_t sim_shuffle (int how, unsigned mask, uint64_t bits, int arg, int width, int type);
unsigned sim_vote (int how, unsigned mask, uint64_t value);
uint64_t sim_atomic (int op, int type, void *p, uint64_t v, uint64_t compare);
long long clock64 (void);
}
SIM_WRAP void __nanosleep (unsigned) {}

template <class T> SIM_WRAP uint64_t sim_bits (T v)
{
  union { T t; uint64_t u; } w;
  w.u = 0;
  w.t = v;
  return w.u;
}
template <class T> SIM_WRAP T sim_value (uint64_t u)
{
  union { T t; uint64_t u; } w;
  w.u = u;
  return w.t;
}

#define SIM_SHUFFLES(T, type) \
  SIM_WRAP T __shfl_sync (unsigned mask, T v, int lane, int width = 32) { return sim_value<T> (sim_shuffle (SIM_SHFL, mask, sim_bits (v), lane, width, type)); } \
  SIM_WRAP T __shfl_up_sync (unsigned mask, T v, unsigned d, int width = 32) { return sim_value<T> (sim_shuffle (SIM_SHFL_UP, mask, sim_bits (v), (int) d, width, type)); } \
  SIM_WRAP T __shfl_down_sync (unsigned mask, T v, unsigned d, int width = 32) { return sim_value<T> (sim_shuffle (SIM_SHFL_DOWN, mask, sim_bits (v), (int) d, width, type)); } \
  SIM_WRAP T __shfl_xor_sync (unsigned mask, T v, int lanes, int width = 32) { return sim_value<T> (sim_shuffle (SIM_SHFL_XOR, mask, sim_bits (v), lanes, width, type)); } \
  SIM_WRAP unsigned __match_any_sync (unsigned mask, T v) { return sim_vote (SIM_MATCH_ANY, mask, sim_bits (v)); }
SIM_SHUFFLES (int, SIM_I32) SIM_SHUFFLES (unsigned, SIM_U32) SIM_SHUFFLES (long, SIM_I64) SIM_SHUFFLES (unsigned long, SIM_U64)
SIM_SHUFFLES (long long, SIM_I64) SIM_SHUFFLES (unsigned long long, SIM_U64) SIM_SHUFFLES (float, SIM_F32) SIM_SHUFFLES (double, SIM_F64)

SIM_WRAP unsigned __ballot_sync (unsigned mask, int p) { return sim_vote (SIM_BALLOT, mask, p != 0); }
template <class T> SIM_WRAP unsigned __match_all_sync (unsigned mask, T v, int *same)
{
  *same = __match_any_sync (mask, v) == mask;
  return *same ? mask : 0;
}
SIM_WRAP int __any_sync (unsigned mask, int p) { return (int) sim_vote (SIM_ANY, mask, p != 0); }
SIM_WRAP int __all_sync (unsigned mask, int p) { return (int) sim_vote (SIM_ALL, mask, p != 0); }
SIM_WRAP int __reduce_add_sync (unsigned mask, int v) { return (int) sim_vote (SIM_RADD, mask, (unsigned) v); }
SIM_WRAP unsigned __reduce_add_sync (unsigned mask, unsigned v) { return sim_vote (SIM_RADD, mask, v); }
SIM_WRAP int __reduce_min_sync (unsigned mask, int v) { return (int) sim_vote (SIM_RMIN, mask, (unsigned) v); }
SIM_WRAP unsigned __reduce_min_sync (unsigned mask, unsigned v) { return sim_vote (SIM_RMINU, mask, v); }
SIM_WRAP int __reduce_max_sync (unsigned mask, int v) { return (int) sim_vote (SIM_RMAX, mask, (unsigned) v); }
SIM_WRAP unsigned __reduce_max_sync (unsigned mask, unsigned v) { return sim_vote (SIM_RMAXU, mask, v); }
SIM_WRAP unsigned __reduce_and_sync (unsigned mask, unsigned v) { return sim_vote (SIM_RAND, mask, v); }
SIM_WRAP unsigned __reduce_or_sync (unsigned mask, unsigned v) { return sim_vote (SIM_ROR, mask, v); }
SIM_WRAP unsigned __reduce_xor_sync (unsigned mask, unsigned v) { return sim_vote (SIM_RXOR, mask, v); }

/* ---- atomics ---------------------------------------------------------------------- */

enum { SIM_ADD, SIM_SUB, SIM_MIN, SIM_MAX, SIM_EXCH, SIM_CAS, SIM_INC, SIM_DEC, SIM_AND, SIM_OR, SIM_XOR };

#define SIM_ATOMIC_AS(name, T, op, type) \
  SIM_WRAP T name (T *p, T v) { return sim_value<T> (sim_atomic (op, type, (void *) p, sim_bits (v), 0)); }
#define SIM_ATOMIC(name, T, op, type) \
  SIM_ATOMIC_AS (name, T, op, type) SIM_ATOMIC_AS (name##_block, T, op, type) SIM_ATOMIC_AS (name##_system, T, op, type)
#define SIM_CAS_OF(T, type) \
  SIM_WRAP T atomicCAS (T *p, T compare, T v) { return sim_value<T> (sim_atomic (SIM_CAS, type, (void *) p, sim_bits (v), sim_bits (compare))); }
#define SIM_INTEGER_ATOMICS(T, type) \
  SIM_ATOMIC (atomicMin, T, SIM_MIN, type) SIM_ATOMIC (atomicMax, T, SIM_MAX, type) \
  SIM_ATOMIC (atomicAnd, T, SIM_AND, type) SIM_ATOMIC (atomicOr, T, SIM_OR, type) SIM_ATOMIC (atomicXor, T, SIM_XOR, type) \
  SIM_ATOMIC (atomicExch, T, SIM_EXCH, type) SIM_CAS_OF (T, type)
SIM_INTEGER_ATOMICS (int, SIM_I32) SIM_INTEGER_ATOMICS (unsigned, SIM_U32) SIM_INTEGER_ATOMICS (unsigned long long, SIM_U64)
SIM_ATOMIC (atomicMin, long long, SIM_MIN, SIM_I64) SIM_ATOMIC (atomicMax, long long, SIM_MAX, SIM_I64)
SIM_ATOMIC (atomicAdd, int, SIM_ADD, SIM_I32) SIM_ATOMIC (atomicAdd, unsigned, SIM_ADD, SIM_U32)
SIM_ATOMIC (atomicAdd, unsigned long long, SIM_ADD, SIM_U64)
SIM_ATOMIC (atomicAdd, float, SIM_ADD, SIM_F32) SIM_ATOMIC (atomicAdd, double, SIM_ADD, SIM_F64)
SIM_ATOMIC (atomicSub, int, SIM_SUB, SIM_I32) SIM_ATOMIC (atomicSub, unsigned, SIM_SUB, SIM_U32)
SIM_ATOMIC (atomicExch, float, SIM_EXCH, SIM_F32)
SIM_ATOMIC (atomicInc, unsigned, SIM_INC, SIM_U32) SIM_ATOMIC (atomicDec, unsigned, SIM_DEC, SIM_U32)

/* ---- small functions ---------------------------------------------------------------- */

template <class T> SIM_WRAP T __ldg (const T *p) { return *p; }
template <class T> SIM_WRAP T __ldcg (const T *p) { return *p; }
template <class T> SIM_WRAP T __ldcs (const T *p) { return *p; }
template <class T> SIM_WRAP T __ldca (const T *p) { return *p; }
template <class T> SIM_WRAP void __stcg (T *p, T v) { *p = v; }
template <class T> SIM_WRAP void __stcs (T *p, T v) { *p = v; }
SIM_WRAP int __popc (unsigned v) { return __builtin_popcount (v); }
SIM_WRAP int __popcll (unsigned long long v) { return __builtin_popcountll (v); }
SIM_WRAP int __clz (int v) { return v ? __builtin_clz ((unsigned) v) : 32; }
SIM_WRAP int __clzll (long long v) { return v ? __builtin_clzll ((unsigned long long) v) : 64; }
SIM_WRAP int __ffs (int v) { return __builtin_ffs (v); }
SIM_WRAP int __ffsll (long long v) { return __builtin_ffsll (v); }
SIM_WRAP int __float_as_int (float v) { return sim_value<int> (sim_bits (v)); }
SIM_WRAP unsigned __float_as_uint (float v) { return sim_value<unsigned> (sim_bits (v)); }
SIM_WRAP float __int_as_float (int v) { return sim_value<float> (sim_bits (v)); }
SIM_WRAP float __uint_as_float (unsigned v) { return sim_value<float> (sim_bits (v)); }
SIM_WRAP long long __double_as_longlong (double v) { return sim_value<long long> (sim_bits (v)); }
SIM_WRAP double __longlong_as_double (long long v) { return sim_value<double> (sim_bits (v)); }
SIM_WRAP float __fadd_rn (float a, float b) { return a + b; }
SIM_WRAP float __fsub_rn (float a, float b) { return a - b; }
SIM_WRAP float __fmul_rn (float a, float b) { return a * b; }
SIM_WRAP float __fdiv_rn (float a, float b) { return a / b; }
SIM_WRAP float __fdividef (float a, float b) { return a / b; }
SIM_WRAP float __frcp_rn (float a) { return 1 / a; }
SIM_WRAP float __fsqrt_rn (float a) { return sqrtf (a); }
SIM_WRAP float __fmaf_rn (float a, float b, float c) { return fmaf (a, b, c); }
SIM_WRAP double __dadd_rn (double a, double b) { return a + b; }
SIM_WRAP double __dsub_rn (double a, double b) { return a - b; }
SIM_WRAP double __dmul_rn (double a, double b) { return a * b; }
SIM_WRAP double __ddiv_rn (double a, double b) { return a / b; }
SIM_WRAP double __fma_rn (double a, double b, double c) { return fma (a, b, c); }
/* Macros, since a C library has declarations of these names.  */
#define rsqrtf(a) (1 / sqrtf (a))
#define rsqrt(a) (1 / sqrt (a))
#define __expf(a) expf (a)
#define __logf(a) logf (a)
#define __log2f(a) log2f (a)
#define __powf(a, b) powf (a, b)
#define __sinf(a) sinf (a)
#define __cosf(a) cosf (a)
#define __tanf(a) tanf (a)
#define __sincosf(a, s, c) sincosf (a, s, c)
#define __log10f(a) log10f (a)
#define __exp10f(a) exp10f (a)
#define __builtin_assume(a) ((void) 0)
SIM_WRAP float __saturatef (float a) { return a > 0 ? a < 1 ? a : 1 : 0; }
SIM_WRAP unsigned __brev (unsigned v)
{
  unsigned r = 0;
  for (int i = 0; i < 32; i++)
    r |= (v >> i & 1) << (31 - i);
  return r;
}
SIM_WRAP unsigned long long __brevll (unsigned long long v) { return (unsigned long long) __brev ((unsigned) v) << 32 | __brev ((unsigned) (v >> 32)); }
SIM_WRAP int __mul24 (int a, int b) { return (int) ((unsigned) (a << 8 >> 8) * (unsigned) (b << 8 >> 8)); }
SIM_WRAP unsigned __umul24 (unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
SIM_WRAP int __mulhi (int a, int b) { return (int) ((long long) a * b >> 32); }
SIM_WRAP unsigned __umulhi (unsigned a, unsigned b) { return (unsigned) ((unsigned long long) a * b >> 32); }
SIM_WRAP unsigned long long __umul64hi (unsigned long long a, unsigned long long b) { return (unsigned long long) ((unsigned __int128) a * b >> 64); }
SIM_WRAP long long __mul64hi (long long a, long long b) { return (long long) ((__int128) a * b >> 64); }
SIM_WRAP unsigned __byte_perm (unsigned a, unsigned b, unsigned s)
{
  const uint64_t bytes = (uint64_t) b << 32 | a;
  unsigned r = 0;
  for (int i = 0; i < 4; i++)
    {
      const unsigned byte = (unsigned) (bytes >> 8 * (s >> 4 * i & 7)) & 255;
      r |= (s >> 4 * i & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
    }
  return r;
}
SIM_WRAP unsigned __funnelshift_l (unsigned lo, unsigned hi, unsigned n) { return (unsigned) (((uint64_t) hi << 32 | lo) << (n & 31) >> 32); }
SIM_WRAP unsigned __funnelshift_r (unsigned lo, unsigned hi, unsigned n) { return (unsigned) (((uint64_t) hi << 32 | lo) >> (n & 31)); }
SIM_WRAP unsigned __sad (int a, int b, unsigned c) { return c + (unsigned) (a < b ? (long long) b - a : (long long) a - b); }
SIM_WRAP unsigned __usad (unsigned a, unsigned b, unsigned c) { return c + (a < b ? b - a : a - b); }
SIM_WRAP int __dp4a (int a, int b, int c)
{
  for (int i = 0; i < 32; i += 8)
    c += (signed char) (a >> i) * (signed char) (b >> i);
  return c;
}
SIM_WRAP int __hadd (int a, int b) { return (int) (((long long) a + b) >> 1); }
SIM_WRAP int __rhadd (int a, int b) { return (int) (((long long) a + b + 1) >> 1); }
SIM_WRAP double __dsqrt_rn (double a) { return sqrt (a); }
SIM_WRAP double __drcp_rn (double a) { return 1 / a; }
SIM_WRAP float __frsqrt_rn (float a) { return 1 / sqrtf (a); }
SIM_WRAP int __double2int_rn (double a) { return (int) rint (a); }
SIM_WRAP int __double2int_rz (double a) { return (int) a; }
SIM_WRAP int __float2int_ru (float a) { return (int) ceilf (a); }
SIM_WRAP int __float2int_rd (float a) { return (int) floorf (a); }
SIM_WRAP unsigned __float2uint_rn (float a) { return (unsigned) rintf (a); }
SIM_WRAP unsigned __float2uint_rz (float a) { return (unsigned) a; }
SIM_WRAP float __uint2float_rn (unsigned a) { return (float) a; }
SIM_WRAP float __ll2float_rn (long long a) { return (float) a; }
SIM_WRAP double __int2double_rn (int a) { return a; }
SIM_WRAP float __double2float_rn (double a) { return (float) a; }
SIM_WRAP int __double2hiint (double a) { return (int) (sim_bits (a) >> 32); }
SIM_WRAP int __double2loint (double a) { return (int) sim_bits (a); }
SIM_WRAP double __hiloint2double (int hi, int lo) { return sim_value<double> ((uint64_t) (unsigned) hi << 32 | (unsigned) lo); }
SIM_WRAP int __float2int_rn (float a) { return (int) rintf (a); }
SIM_WRAP int __float2int_rz (float a) { return (int) a; }
SIM_WRAP float __int2float_rn (int a) { return (float) a; }

template <class A, class B> SIM_WRAP typename std::common_type<A, B>::type min (A a, B b)
{
  typedef typename std::common_type<A, B>::type T;
  if constexpr (std::is_floating_point<T>::value)
    return (T) fmin (a, b);
  else
    return (T) b < (T) a ? (T) b : (T) a;
}
template <class A, class B> SIM_WRAP typename std::common_type<A, B>::type max (A a, B b)
{
  typedef typename std::common_type<A, B>::type T;
  if constexpr (std::is_floating_point<T>::value)
    return (T) fmax (a, b);
  else
    return (T) a < (T) b ? (T) b : (T) a;
}

/* ---- cooperative groups ---------------------------------------------------------------- */

/* In line, so that a fault names the line that calls.  */
#define SIM_MEMBER inline __attribute__ ((always_inline, artificial))

namespace cooperative_groups
{
  struct grid_group
  {
    SIM_MEMBER void sync () const { sim_grid_sync (); }
    SIM_MEMBER bool is_valid () const { return true; }
    SIM_MEMBER unsigned long long thread_rank () const { return block_rank () * blockDim.x * blockDim.y * blockDim.z + threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
    SIM_MEMBER unsigned long long num_threads () const { return num_blocks () * blockDim.x * blockDim.y * blockDim.z; }
    SIM_MEMBER unsigned long long size () const { return num_threads (); }
    SIM_MEMBER unsigned long long block_rank () const { return blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long) gridDim.y * blockIdx.z); }
    SIM_MEMBER unsigned long long num_blocks () const { return (unsigned long long) gridDim.x * gridDim.y * gridDim.z; }
    SIM_MEMBER dim3 block_index () const { return dim3 (blockIdx); }
    SIM_MEMBER dim3 group_dim () const { return dim3 (gridDim); }
    SIM_MEMBER dim3 dim_blocks () const { return dim3 (gridDim); }
  };
  struct thread_block
  {
    static SIM_MEMBER void sync () { __syncthreads (); }
    static SIM_MEMBER unsigned thread_rank () { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
    static SIM_MEMBER unsigned num_threads () { return blockDim.x * blockDim.y * blockDim.z; }
    static SIM_MEMBER unsigned size () { return num_threads (); }
    static SIM_MEMBER uint3 group_index () { return blockIdx; }
    static SIM_MEMBER uint3 thread_index () { return threadIdx; }
    static SIM_MEMBER dim3 group_dim () { return dim3 (blockDim); }
    static SIM_MEMBER dim3 dim_threads () { return dim3 (blockDim); }
  };
  SIM_WRAP grid_group this_grid () { return grid_group (); }
  SIM_WRAP thread_block this_thread_block () { return thread_block (); }
  template <class G> SIM_WRAP void sync (const G &g) { g.sync (); }

  /* Lanes of a warp.  */
  template <unsigned N, class Parent = thread_block, bool wide = (N > 32)> struct thread_block_tile
  {
    static_assert (N >= 1 && N <= 512 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, ... 512 threads");
    static SIM_MEMBER unsigned lane () { return thread_block::thread_rank () % 32; }
    static SIM_MEMBER unsigned mask () { return (N == 32 ? 0xffffffffu : ((1u << (N & 31)) - 1) << (lane () / N * N)); }
    static SIM_MEMBER unsigned thread_rank () { return lane () % N; }
    static SIM_MEMBER unsigned num_threads () { return N; }
    static SIM_MEMBER unsigned size () { return N; }
    static SIM_MEMBER unsigned meta_group_rank () { return thread_block::thread_rank () / N; }
    static SIM_MEMBER unsigned meta_group_size () { return (thread_block::num_threads () + N - 1) / N; }
    SIM_MEMBER void sync () const { __syncwarp (mask ()); }
    template <class T> SIM_MEMBER T shfl (T v, int lane) const { return __shfl_sync (mask (), v, lane, N); }
    template <class T> SIM_MEMBER T shfl_down (T v, unsigned d) const { return __shfl_down_sync (mask (), v, d, N); }
    template <class T> SIM_MEMBER T shfl_up (T v, unsigned d) const { return __shfl_up_sync (mask (), v, d, N); }
    template <class T> SIM_MEMBER T shfl_xor (T v, int lanes) const { return __shfl_xor_sync (mask (), v, lanes, N); }
    template <class T> SIM_MEMBER unsigned match_any (T v) const { return __match_any_sync (mask (), v) >> (lane () / N * N); }
    SIM_MEMBER int any (int p) const { return __any_sync (mask (), p); }
    SIM_MEMBER int all (int p) const { return __all_sync (mask (), p); }
    SIM_MEMBER unsigned ballot (int p) const { return __ballot_sync (mask (), p) >> (lane () / N * N); }
  };
  template <unsigned N, class Parent> SIM_WRAP thread_block_tile<N, Parent> tiled_partition (const Parent &p)
  {
    if constexpr (N > 32)
      return { p.memory };
    else
      return thread_block_tile<N, Parent> ();
  }
  /* Of several warps, which exchange through memory of the block's.  Here their barrier is the block's.  */
  template <unsigned MostThreads = 1024> struct block_tile_memory { alignas (16) char at[(MostThreads + 31) / 32][16]; };
  struct thread_block_with_memory : thread_block { char (*memory)[16]; };
  template <unsigned M> SIM_WRAP thread_block_with_memory this_thread_block (block_tile_memory<M> &m)
  {
    thread_block_with_memory b;
    b.memory = m.at;
    return b;
  }
  template <unsigned N, class Parent> struct thread_block_tile<N, Parent, true>
  {
    static_assert (N <= 512 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, ... 512 threads");
    static_assert (std::is_same<Parent, thread_block_with_memory>::value,
                   "tiles of more than 32 threads are of a this_thread_block (memory), which has a block_tile_memory");
    char (*memory)[16];
    static SIM_MEMBER unsigned thread_rank () { return thread_block::thread_rank () % N; }
    static SIM_MEMBER unsigned num_threads () { return N; }
    static SIM_MEMBER unsigned size () { return N; }
    static SIM_MEMBER unsigned meta_group_rank () { return thread_block::thread_rank () / N; }
    static SIM_MEMBER unsigned meta_group_size () { return (thread_block::num_threads () + N - 1) / N; }
    SIM_MEMBER void sync () const { __syncthreads (); }
  };
  struct coalesced_group
  {
    unsigned lanes;
    SIM_MEMBER unsigned thread_rank () const { return (unsigned) __builtin_popcount (lanes & ((1u << thread_block::thread_rank () % 32) - 1)); }
    SIM_MEMBER unsigned num_threads () const { return (unsigned) __builtin_popcount (lanes); }
    SIM_MEMBER unsigned size () const { return num_threads (); }
    SIM_MEMBER int nth (unsigned rank) const
    {
      unsigned rest = lanes;
      for (unsigned i = 0; i < rank % num_threads (); i++)
        rest &= rest - 1;
      return __builtin_ctz (rest);
    }
    SIM_MEMBER void sync () const { __syncwarp (lanes); }
    template <class T> SIM_MEMBER T shfl (T v, unsigned rank) const { return __shfl_sync (lanes, v, nth (rank)); }
    template <class T> SIM_MEMBER T shfl_down (T v, unsigned d) const
    {
      unsigned to = thread_rank () + d;
      return __shfl_sync (lanes, v, nth (to < size () ? to : thread_rank ()));
    }
    template <class T> SIM_MEMBER T shfl_up (T v, unsigned d) const
    {
      unsigned r = thread_rank ();
      return __shfl_sync (lanes, v, nth (r >= d ? r - d : r));
    }
    SIM_MEMBER int any (int p) const { return __any_sync (lanes, p); }
    SIM_MEMBER int all (int p) const { return __all_sync (lanes, p); }
  };
  SIM_WRAP coalesced_group coalesced_threads () { return { __activemask () }; }

  /* Any of them, as a parameter of functions: a block, or lanes of a warp.  */
  struct thread_group
  {
    unsigned lanes;             /* 0: the block */
    thread_group (const thread_block &) : lanes (0) {}
    template <unsigned N, class P> thread_group (const thread_block_tile<N, P, false> &t) : lanes (t.mask ()) {}
    thread_group (const coalesced_group &g) : lanes (g.lanes) {}
    explicit thread_group (unsigned of) : lanes (of) {}
    SIM_MEMBER unsigned thread_rank () const { return lanes ? coalesced_group { lanes }.thread_rank () : thread_block::thread_rank (); }
    SIM_MEMBER unsigned num_threads () const { return lanes ? (unsigned) __builtin_popcount (lanes) : thread_block::num_threads (); }
    SIM_MEMBER unsigned size () const { return num_threads (); }
    SIM_MEMBER void sync () const { if (lanes) __syncwarp (lanes); else __syncthreads (); }
  };
  SIM_WRAP thread_group tiled_partition (const thread_group &, unsigned n)
  {
    const unsigned lane = thread_block::thread_rank () % 32;
    return thread_group (n >= 32 ? 0xffffffffu : ((1u << n) - 1) << lane / n * n);
  }

  template <class T> struct plus { T operator() (T a, T b) const { return a + b; } };
  template <class T> struct less { T operator() (T a, T b) const { return b < a ? b : a; } };
  template <class T> struct greater { T operator() (T a, T b) const { return a < b ? b : a; } };
  template <class T> struct bit_and { T operator() (T a, T b) const { return a & b; } };
  template <class T> struct bit_or { T operator() (T a, T b) const { return a | b; } };
  template <class T> struct bit_xor { T operator() (T a, T b) const { return a ^ b; } };
  template <unsigned N, class P, class T, class F> SIM_WRAP T reduce (const thread_block_tile<N, P, false> &tile, T v, F f)
  {
    for (unsigned lanes = N / 2; lanes > 0; lanes /= 2)
      v = f (v, tile.shfl_xor (v, lanes));
    return v;
  }
  template <unsigned N, class P, class T, class F> SIM_WRAP T reduce (const thread_block_tile<N, P, true> &tile, T v, F f)
  {
    static_assert (sizeof (T) <= 16, "values of 16 bytes at most");
    const unsigned warp = thread_block::thread_rank () / 32, first = warp * 32 / N * N / 32;
    v = reduce (thread_block_tile<32> (), v, f);
    if (thread_block::thread_rank () % 32 == 0)
      *(T *) tile.memory[warp] = v;
    tile.sync ();
    v = *(T *) tile.memory[first];
    for (unsigned i = 1; i < N / 32 && (first + i) * 32 < thread_block::num_threads (); i++)
      v = f (v, *(T *) tile.memory[first + i]);
    tile.sync ();
    return v;
  }
  template <unsigned N, class P, class T, class F> SIM_WRAP T inclusive_scan (const thread_block_tile<N, P, false> &tile, T v, F f)
  {
    for (unsigned d = 1; d < N; d *= 2)
      {
        const T before = tile.shfl_up (v, d);
        if (tile.thread_rank () >= d)
          v = f (before, v);
      }
    return v;
  }
  template <unsigned N, class P, class T> SIM_WRAP T inclusive_scan (const thread_block_tile<N, P, false> &tile, T v) { return inclusive_scan (tile, v, plus<T> ()); }
  /* The first thread's is a zero.  */
  template <unsigned N, class P, class T> SIM_WRAP T exclusive_scan (const thread_block_tile<N, P, false> &tile, T v)
  {
    const T before = tile.shfl_up (inclusive_scan (tile, v), 1);
    return tile.thread_rank () ? before : T ();
  }
  template <class T, class F> SIM_WRAP T reduce (const coalesced_group &g, T v, F f)
  {
    T all = g.shfl (v, 0);
    for (unsigned i = 1; i < g.size (); i++)
      all = f (all, g.shfl (v, i));
    return all;
  }
}

/* ---- cuda::atomic_ref -------------------------------------------------------------------- */

namespace cuda
{
  enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
  enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel,
                      memory_order_seq_cst };
  namespace std { using cuda::memory_order; using cuda::memory_order_relaxed; using cuda::memory_order_consume; using cuda::memory_order_acquire;
                  using cuda::memory_order_release; using cuda::memory_order_acq_rel; using cuda::memory_order_seq_cst; }
  template <class T, thread_scope = thread_scope_system> struct atomic_ref
  {
    T *p;
    explicit atomic_ref (T &v) : p (&v) {}
    /* What orders others is a fence, as for atomicAdd.  */
    static SIM_MEMBER void fence (memory_order o) { if (o != memory_order_relaxed) __threadfence (); }
    SIM_MEMBER T fetch_add (T v, memory_order o = memory_order_seq_cst) const { fence (o); T old = atomicAdd (p, v); fence (o); return old; }
    SIM_MEMBER T fetch_sub (T v, memory_order o = memory_order_seq_cst) const { fence (o); T old = atomicAdd (p, (T) -v); fence (o); return old; }
    SIM_MEMBER T fetch_min (T v, memory_order o = memory_order_seq_cst) const { fence (o); T old = atomicMin (p, v); fence (o); return old; }
    SIM_MEMBER T fetch_max (T v, memory_order o = memory_order_seq_cst) const { fence (o); T old = atomicMax (p, v); fence (o); return old; }
    SIM_MEMBER T exchange (T v, memory_order o = memory_order_seq_cst) const { fence (o); T old = atomicExch (p, v); fence (o); return old; }
    SIM_MEMBER T load (memory_order o = memory_order_seq_cst) const { fence (o); T old = atomicAdd (p, (T) 0); fence (o); return old; }
    SIM_MEMBER void store (T v, memory_order o = memory_order_seq_cst) const { (void) exchange (v, o); }
    SIM_MEMBER bool compare_exchange_strong (T &expected, T v, memory_order o = memory_order_seq_cst) const
    {
      fence (o); T old = atomicCAS (p, expected, v); fence (o);
      bool same = old == expected;
      expected = old;
      return same;
    }
    SIM_MEMBER bool compare_exchange_weak (T &expected, T v, memory_order o = memory_order_seq_cst) const { return compare_exchange_strong (expected, v, o); }
    SIM_MEMBER T operator+= (T v) const { return fetch_add (v) + v; }
    SIM_MEMBER T operator++ () const { return fetch_add (1) + 1; }
    SIM_MEMBER T operator++ (int) const { return fetch_add (1); }
  };
}

/* ---- what is not there is said where it is called ---------------------------------------- */

#define SIM_GONE(why) __attribute__ ((error (why)))
template <class T> SIM_GONE ("__shfl was removed from CUDA: use __shfl_sync (mask, value, lane)") T __shfl (T v, int lane, int width = 32);
template <class T> SIM_GONE ("__shfl_up was removed from CUDA: use __shfl_up_sync (mask, value, lanes)") T __shfl_up (T v, unsigned d, int width = 32);
template <class T> SIM_GONE ("__shfl_down was removed from CUDA: use __shfl_down_sync (mask, value, lanes)") T __shfl_down (T v, unsigned d, int width = 32);
template <class T> SIM_GONE ("__shfl_xor was removed from CUDA: use __shfl_xor_sync (mask, value, lanes)") T __shfl_xor (T v, int lanes, int width = 32);
SIM_GONE ("__ballot was removed from CUDA: use __ballot_sync (mask, predicate)") unsigned __ballot (int p);
SIM_GONE ("__any was removed from CUDA: use __any_sync (mask, predicate)") int __any (int p);
SIM_GONE ("__all was removed from CUDA: use __all_sync (mask, predicate)") int __all (int p);
#ifndef SIM_PROGRAM
SIM_GONE ("cudaDeviceSynchronize is for the host: kernels cannot call it any more") int cudaDeviceSynchronize (void);
#endif
SIM_GONE ("cudaThreadSynchronize was removed from CUDA: use cudaDeviceSynchronize, on the host") int cudaThreadSynchronize (void);

enum { cudaReadModeElementType, cudaReadModeNormalizedFloat, cudaTextureType1D = 1, cudaTextureType2D, cudaTextureType3D };
template <class T, int = 1, int = 0> struct texture
{
  SIM_GONE ("texture references were removed from CUDA: read the array itself, or with __ldg (&x[i])") texture ();
};
#define SIM_BIND(name) template <class... A> SIM_GONE (#name ": texture references were removed from CUDA: give the array to the kernel") int name (const A &...);
SIM_BIND (cudaBindTexture) SIM_BIND (cudaBindTexture2D) SIM_BIND (cudaBindTextureToArray) SIM_BIND (cudaUnbindTexture)
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
#define SIM_TEXTURE(name) template <class... A> SIM_GONE (#name ": textures and surfaces are not in the simulator: read the array itself") float name (const A &...);
SIM_TEXTURE (tex1Dfetch) SIM_TEXTURE (tex1D) SIM_TEXTURE (tex2D) SIM_TEXTURE (tex3D) SIM_TEXTURE (surf1Dread) SIM_TEXTURE (surf2Dread)
template <class T, class... A> SIM_GONE ("textures and surfaces are not in the simulator: read the array itself") T tex1Dfetch (const A &...);
template <class T, class... A> SIM_GONE ("textures and surfaces are not in the simulator: read the array itself") T tex1D (const A &...);
template <class T, class... A> SIM_GONE ("textures and surfaces are not in the simulator: read the array itself") T tex2D (const A &...);

#pragma GCC visibility pop

/* Of user's files: the assembler's own message would name no line of theirs.  */
#ifdef LADDER_SIM
#  define asm static_assert (false, "inline PTX (asm) is not in the simulator"); __asm__
#endif

#endif
