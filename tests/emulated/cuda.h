/* What kernels with barriers and shuffles ask of CUDA, on the CPU: a fiber for each
   thread of a block.  A fiber runs up to the next barrier of its warp, a warp up to that of
   the block or until it sleeps; who is first is another one each time, so that what lacks a barrier gives
   other results.  The blocks of a launch run one after the other, in any order; those of a cluster so up to its next barrier.  */

#ifndef EMULATED_CUDA_H
#define EMULATED_CUDA_H

#define __CUDA_ARCH__ 750       /* the GPU's own ways */
#define GPR_MAP_EXP(x) exp (x)  /* but for exp, which is compared with the CPU's */
#define GPR_MAP_EXP_NEAR(x) exp (x)

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <ucontext.h>

#define __global__
#define __device__
#define __shared__ static
#define __forceinline__ inline
#define __noinline__
#define __align__(n) __attribute__ ((aligned (n)))
#define __launch_bounds__(...)
#define __grid_constant__
using std::max, std::min;

static struct { unsigned x; } threadIdx, blockIdx, gridDim, blockDim;
struct uint4 { unsigned x, y, z, w; };

/* The kernels are compiled at -O0, in a part of the time that -O1 takes; these run most and are few.  */
#pragma GCC push_options
#pragma GCC optimize ("O2")

static uint64_t seed = 88172645463325252ull;
static uint64_t random64 (uint64_t *s) { *s ^= *s << 13; *s ^= *s >> 7; *s ^= *s << 17; return *s * 0x2545F4914F6CDD1Dull; }

/* ---- fibers ------------------------------------------------------------------- */

enum { FIBERS = 8192, STACK = 64 << 10 };
static unsigned threads = 256, cluster = 1, cluster_first;      /* of a block; blocks of a cluster, FIBERS threads at most; its first block */
static unsigned at;             /* the fiber that runs */
static struct fiber {
  jmp_buf at;
  bool made;
  enum { RUNS, AT_WARP, AT_BLOCK, AT_CLUSTER, ASLEEP, ENDED } state;
  unsigned exchanges;
} fibers[FIBERS];
alignas (64) static char stacks[FIBERS][STACK];
static jmp_buf scheduler;
static std::function<void ()> body;

static __attribute__ ((noinline)) void stop_at (int state)
{
  fiber *me = &fibers[at];
  me->state = (decltype (me->state)) state;
  if (! _setjmp (me->at))
    _longjmp (scheduler, 1);
}
static void run_fiber ()
{
  for (;;)
    {
      body ();
      stop_at (fiber::ENDED);
    }
}
/* Up to its next stop.  */
static __attribute__ ((noinline)) void resume (unsigned t)
{
  at = t;
  threadIdx.x = t % threads;
  blockIdx.x = cluster_first + t / threads;
  if (_setjmp (scheduler))
    return;
  if (fibers[t].made)
    _longjmp (fibers[t].at, 1);
  fibers[t].made = true;
  ucontext_t c;
  getcontext (&c);
  c.uc_stack.ss_sp = stacks[t];
  c.uc_stack.ss_size = STACK;
  c.uc_link = nullptr;
  makecontext (&c, run_fiber, 0);
  setcontext (&c);
}

static bool all_at (unsigned first, unsigned count, int state)
{
  for (unsigned t = first; t < first + count; t++)
    if (fibers[t].state != state)
      return false;
  return true;
}
static void set_going (unsigned first, unsigned count)
{
  for (unsigned t = first; t < first + count; t++)
    fibers[t].state = fiber::RUNS;
}
/* A warp at a time, as far as it comes: the order of the warps, and of the threads of each,
   is another one after every barrier.  */
static void run_warp (unsigned first, uint64_t *order)
{
  do
    {
      const unsigned r = (unsigned) (random64 (order) >> 32);
      for (unsigned i = 0; i < 64; i++)         /* who sleeps gets a second chance */
        {
          const unsigned t = first + (i * (r | 1) + r / 32) % 32;
          if (fibers[t].state == fiber::RUNS || fibers[t].state == fiber::ASLEEP)
            resume (t);
        }
      if (! all_at (first, 32, fiber::AT_WARP))
        return;
      set_going (first, 32);
    }
  while (true);
}
static bool sleeps (unsigned first)
{
  for (unsigned t = first; t < first + 32; t++)
    if (fibers[t].state == fiber::ASLEEP)
      return true;
  return false;
}
/* Every warp of the block whose first thread this is, and again those that are asleep by then, which wait for others.  */
static void run_warps (unsigned begin, uint64_t *order)
{
  const unsigned warps = threads / 32;
  bool asleep = false;
  for (int round = 0; round == 0 || asleep; round++)
    {
      const unsigned r = (unsigned) (random64 (order) >> 32);
      unsigned step = 1 + r % warps;
      while (std::gcd (step, warps) != 1)
        step++;
      if (round == 0)
        set_going (begin, threads);
      asleep = false;
      for (unsigned w = 0; w < warps; w++)
        {
          const unsigned first = begin + (w * step + r / 32) % warps * 32;
          if (round == 0 || sleeps (first))
            run_warp (first, order);
          asleep |= sleeps (first);
        }
      if (round > 100000)
        {
          printf ("FAILED a warp that waits for ever\n");
          exit (1);
        }
    }
}
static void run_cluster ()
{
  static uint64_t order = 1;
  do
    for (unsigned b = 0, turn = (unsigned) (random64 (&order) >> 32); b < cluster; b++)
      {
        const unsigned begin = (b + turn) % cluster * threads;
        do
          run_warps (begin, &order);
        while (all_at (begin, threads, fiber::AT_BLOCK));
      }
  while (all_at (0, cluster * threads, fiber::AT_CLUSTER));
  if (! all_at (0, cluster * threads, fiber::ENDED))
    {
      printf ("FAILED a barrier that not all threads come to\n");
      exit (1);
    }
}

template <class A> static void run_launch (const void *kernel, const A &a, unsigned blocks, unsigned block, uint64_t *random, unsigned of_cluster = 1)
{
  const unsigned clusters = (blocks + of_cluster - 1) / of_cluster;
  gridDim.x = clusters * of_cluster;
  blockDim.x = threads = block;
  cluster = of_cluster;
  body = [&] { ((void (*) (A)) kernel) (a); };
  const bool backwards = random64 (random) & 1 << 20;
  const unsigned first = (unsigned) (random64 (random) >> 32) % clusters;
  for (unsigned b = 0; b < clusters; b++)
    {
      cluster_first = (first + (backwards ? clusters - b : b)) % clusters * cluster;
      run_cluster ();
    }
}

/* ---- what threads do together ------------------------------------------------------ */

static void __syncthreads () { stop_at (fiber::AT_BLOCK); }
static inline void synchronize_cluster () { stop_at (fiber::AT_CLUSTER); }
static void __syncwarp () { stop_at (fiber::AT_WARP); }
static void __nanosleep (unsigned) { stop_at (fiber::ASLEEP); }
static int __syncthreads_or (int p)
{
  static int votes[FIBERS];
  votes[at] = p;
  __syncthreads ();
  int any = 0;
  for (unsigned t = 0; t < threads; t++)
    any |= votes[at / threads * threads + t];
  __syncthreads ();
  return any != 0;
}
/* What the threads of a warp have brought.  */
template <class T> static const T *exchanged (T x)
{
  static T values[2][FIBERS];           /* by turns: a warp is never two of them apart */
  T *v = values[fibers[at].exchanges++ & 1];
  v[at] = x;
  __syncwarp ();
  return v + at / 32 * 32;
}
template <class T> static T __shfl_sync (unsigned, T x, int from) { return exchanged (x)[from]; }
template <class T> static T __shfl_xor_sync (unsigned, T x, int bits) { return exchanged (x)[threadIdx.x % 32 ^ bits]; }
template <class T> static T __shfl_down_sync (unsigned, T x, int distance)
{
  const int from = threadIdx.x % 32 + distance;
  return exchanged (x)[from < 32 ? from : (int) (threadIdx.x % 32)];
}
template <class T> static T __shfl_up_sync (unsigned, T x, int distance)
{
  const int from = threadIdx.x % 32 - distance;
  return exchanged (x)[from >= 0 ? from : (int) (threadIdx.x % 32)];
}
static int __any_sync (unsigned, int p)
{
  const int *votes = exchanged (p);
  int any = 0;
  for (int t = 0; t < 32; t++)
    any |= votes[t];
  return any != 0;
}
static unsigned __ballot_sync (unsigned, int p)
{
  const int *votes = exchanged (p);
  unsigned those = 0;
  for (int t = 0; t < 32; t++)
    those |= (unsigned) (votes[t] != 0) << t;
  return those;
}
template <class T> static unsigned __match_any_sync (unsigned, T x)
{
  const T *others = exchanged (x);
  unsigned those = 0;
  for (int t = 0; t < 32; t++)
    those |= (unsigned) (others[t] == x) << t;
  return those;
}
#pragma GCC pop_options

static int atomicMin (int *p, int x) { int old = *p; *p = x < old ? x : old; return old; }
static unsigned long long atomicMin (unsigned long long *p, unsigned long long x) { unsigned long long old = *p; *p = x < old ? x : old; return old; }
static unsigned long long atomicOr (unsigned long long *p, unsigned long long x) { unsigned long long old = *p; *p |= x; return old; }
static unsigned atomicOr (unsigned *p, unsigned x) { unsigned old = *p; *p |= x; return old; }
static unsigned long long atomicAdd (unsigned long long *p, unsigned long long x) { unsigned long long old = *p; *p += x; return old; }
static unsigned long long atomicMax (unsigned long long *p, unsigned long long x) { unsigned long long old = *p; *p = x > old ? x : old; return old; }
static unsigned atomicMax (unsigned *p, unsigned x) { unsigned old = *p; *p = x > old ? x : old; return old; }
static unsigned atomicXor (unsigned *p, unsigned x) { unsigned old = *p; *p ^= x; return old; }
static unsigned atomicAdd (unsigned *p, unsigned x) { unsigned old = *p; *p += x; return old; }
template <class T> static T atomicCAS (T *p, T expected, T x) { T old = *p; *p = old == expected ? x : old; return old; }
template <class T> static void __stcg (T *p, T x) { *p = x; }
static void __threadfence () {}
static void __threadfence_block () {}

/* ---- arithmetic -------------------------------------------------------------------- */

static int __ffs (int x) { return __builtin_ffs (x); }
static unsigned __byte_perm (unsigned x, unsigned y, unsigned bytes)
{
  unsigned z = 0;
  for (int i = 0; i < 4; i++)
    z |= ((bytes >> 4 * i & 7) < 4 ? x >> 8 * (bytes >> 4 * i & 7) & 255 : y >> 8 * ((bytes >> 4 * i & 7) - 4) & 255) << 8 * i;
  return z;
}
static int __popc (unsigned x) { return __builtin_popcount (x); }
static int __clz (int x) { return x == 0 ? 32 : __builtin_clz ((unsigned) x); }
static int __clzll (long long x) { return x == 0 ? 64 : __builtin_clzll ((unsigned long long) x); }
template <class B, class T> static T sum_of_products (T x, T y, T c)
{
  for (int i = 0; i < 32; i += 8)
    c += (T) (B) (x >> i) * (T) (B) (y >> i);
  return c;
}
static int __dp4a (int x, int y, int c) { return sum_of_products<int8_t> (x, y, c); }
static unsigned __dp4a (unsigned x, unsigned y, unsigned c) { return sum_of_products<uint8_t> (x, y, c); }
template <class H, class F> static unsigned of_halves (unsigned x, unsigned y, F f)
{
  return (unsigned) (uint16_t) f ((H) x, (H) y) | (unsigned) (uint16_t) f ((H) (x >> 16), (H) (y >> 16)) << 16;
}
template <class H> static H larger (H x, H y) { return x > y ? x : y; }
template <class H> static H smaller (H x, H y) { return x < y ? x : y; }
static unsigned __vmaxs2 (unsigned x, unsigned y) { return of_halves<int16_t> (x, y, larger<int16_t>); }
static unsigned __vmaxu2 (unsigned x, unsigned y) { return of_halves<uint16_t> (x, y, larger<uint16_t>); }
static unsigned __vmins2 (unsigned x, unsigned y) { return of_halves<int16_t> (x, y, smaller<int16_t>); }
static unsigned __vminu2 (unsigned x, unsigned y) { return of_halves<uint16_t> (x, y, smaller<uint16_t>); }

#endif
