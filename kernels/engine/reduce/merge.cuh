/* Accumulators merge: two of them, those of one thread, of a warp's threads, of
   neighbouring parts.  */

#ifndef GPR_REDUCE_MERGE_CUH
#define GPR_REDUCE_MERGE_CUH

#include "../engine.h"

/* Long merges are rare, and in place they would take registers from the steps: a call.  */
template <class F> static __device__ __noinline__ typename F::A gpr_merge_far (typename F::A a, typename F::A b)
{
  F::merge_here (&a, b);
  return a;
}
template <class F> static __device__ __forceinline__ void gpr_merge (typename F::A *a, typename F::A b)
{
  if constexpr (sizeof (typename F::A) > GPR_MERGE_CALL_BYTES)
    *a = gpr_merge_far<F> (*a, b);
  else
    F::merge_here (a, b);
}

/* The same of two lanes of a part, after the first has led all: the short way in place, without a call.  */
template <class F> static __device__ __forceinline__ void gpr_merge_led (typename F::A *a, typename F::A b)
{
  if constexpr (F::leads)
    if (F::joins (a, &b))
      {
        F::join (a, b);
        return;
      }
  F::merge (a, b);
}
template <class F>
static __device__ __forceinline__ void gpr_merge_at (typename F::A *a, int distance)
{
  typename F::A t = a[0];
  gpr_merge_led<F> (&t, a[distance]);
  a[0] = t;
}

/* The accumulator of another thread of the warp: of each word, what shuffle takes from there.  */
template <class A, class Shuffle>
static __device__ __forceinline__ A gpr_from (const A &a, Shuffle shuffle)
{
  A b;
  if constexpr (sizeof (A) % 4 == 0)
    {
      union { A a; unsigned w[sizeof (A) / 4]; } from, to;
      from.a = a;
#pragma unroll
      for (int i = 0; i < (int) (sizeof (A) / 4); i++)
        to.w[i] = shuffle (from.w[i]);
      b = to.a;
    }
  else
    {
      unsigned word = 0;
      memcpy (&word, &a, sizeof a);
      word = shuffle (word);
      memcpy (&b, &word, sizeof b);
    }
  return b;
}
template <class A> static __device__ __forceinline__ A gpr_from_above (const A &a, int distance)
{
  return gpr_from (a, [&] (unsigned w) { return __shfl_down_sync (0xffffffffu, w, distance); });
}
template <class A> static __device__ __forceinline__ A gpr_from_thread (const A &a, int thread)
{
  return gpr_from (a, [&] (unsigned w) { return __shfl_sync (0xffffffffu, w, thread); });
}
template <class A> static __device__ __forceinline__ A gpr_from_across (const A &a, int distance)
{
  return gpr_from (a, [&] (unsigned w) { return __shfl_xor_sync (0xffffffffu, w, distance); });
}

/* ---- the lanes of a part ------------------------------------------------------- */

/* Lanes merge by halving, down to the columns.  A thread of a unit's holds G groups of V neighbouring
   lanes: it merges its own groups first, as long as more lanes are left than columns, ...  */
template <class F, int V, int G>
static __device__ __forceinline__ void gpr_merge_own (typename F::A (*acc)[V], int threads, int columns)
{
  /* By recursion: the compiler does not unroll a long loop of this kind, and would keep acc in memory.  */
  constexpr int h = G / 2;
  if constexpr (h > 0)
    if (h * threads * V >= columns)
      {
#pragma unroll
        for (int g = 0; g < h; g++)
#pragma unroll
          for (int e = 0; e < V; e++)
            gpr_merge_led<F> (&acc[g][e], acc[g + h][e]);
        gpr_merge_own<F, V, h> (acc, threads, columns);
      }
}

/* ... then so many neighbouring threads of a warp merge theirs; the first threads have the columns.  */
template <class F, int V>
static __device__ __forceinline__ void gpr_merge_group (typename F::A *acc, int group, int columns)
{
#pragma unroll 1
  for (int d = group / 2; d > 0 && d * V >= columns; d /= 2)
#pragma unroll
    for (int e = 0; e < V; e++)
      /* Led lanes only add, if they are of one part: so the upper threads, whose results nobody wants, stay in it.  */
      gpr_merge_led<F> (&acc[e], F::leads ? gpr_from_across (acc[e], d) : gpr_from_above (acc[e], d));
#pragma unroll
  for (int h = V / 2; h > 0; h /= 2)
    if (h >= columns)
#pragma unroll
      for (int e = 0; e < h; e++)
        gpr_merge_led<F> (&acc[e], acc[e + h]);
}

/* ---- neighbouring parts of a unit ------------------------------------------------ */

/* COUNT accumulators of this thread, of part p of a unit, merge with those of the parts before it, in
   the order of the tree over parts.  stack: what 1, 2, 4, … parts have given, in shared memory; local
   memory would be written out, as partials are.  */
template <class F, int COUNT>
static __device__ __forceinline__ void gpr_merge_stack (typename F::A *acc, int p, bool last, typename F::A *stack)
{
  auto at = [&] (int level, int e) { return stack + (level * COUNT + e) * GPR_REDUCE_THREADS + threadIdx.x; };
  int level = 0;
#pragma unroll 1
  for (; last ? p >> level : p >> level & 1; level++)
    if (p >> level & 1)
#pragma unroll
      for (int e = 0; e < COUNT; e++)
        {
          typename F::A t = *at (level, e);
          F::merge (&t, acc[e]);
          acc[e] = t;
        }
  if (! last)
#pragma unroll
    for (int e = 0; e < COUNT; e++)
      *at (level, e) = acc[e];
}

#endif
