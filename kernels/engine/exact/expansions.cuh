/* Expansions in registers.  */

#ifndef GPR_ENGINE_EXACT_EXPANSIONS_CUH
#define GPR_ENGINE_EXACT_EXPANSIONS_CUH

#include "sinks.cuh"

/* Adds v to the expansion e.  What is left stays in v; false: nothing is.  */
template <int LEVELS, int COUNT> static __device__ __forceinline__ bool cascade (f64 (&e)[LEVELS], f64 (&v)[COUNT])
{
  #pragma unroll
  for (int level = 0; level < LEVELS; level++)
    {
      u64 left = 0;
      #pragma unroll
      for (int j = 0; j < COUNT; j++)
        {
          v[j] = gpr_two_sum (&e[level], v[j]);
          left |= gpr_bits_f64 (v[j]);
        }
      if (left << 1 == 0)
        return false;
    }
  return true;
}

/* Not all in one go: the code would be too long for the instruction cache.  Registers have no index, so
   the doubles move up.  */
template <int COUNT, class S> static __device__ __forceinline__ void pour_left (f64 (&v)[COUNT], const S &sink)
{
  enum { STEP = COUNT % 4 == 0 ? 4 : COUNT };
  #pragma unroll 1
  for (int i = 0; i < COUNT; i += STEP)
    {
      #pragma unroll
      for (int j = 0; j < STEP; j++)
        if (v[j] != 0)
          pour_number (sink, v[j]);
      #pragma unroll
      for (int j = 0; j + STEP < COUNT; j++)
        v[j] = v[j + STEP];
    }
}

template <int COUNT> static __device__ bool finite (const f64 (&v)[COUNT])
{
  f64 sum = 0;
  for (int j = 0; j < COUNT; j++)
    sum += v[j] - v[j];
  return sum == 0;
}

/* Adds a double from that level on, as one of another expansion may be.  Where the sum overflows, what is left
   is NaN: it is taken back, and the double goes to the sink.  */
template <int LEVELS, class S> static __device__ __forceinline__ void add_double (f64 (&e)[LEVELS], int first, const f64 x, const S &sink)
{
  f64 v = x, was[LEVELS];
  #pragma unroll
  for (int level = 0; level < LEVELS; level++)
    {
      was[level] = e[level];
      if (level >= first && v != 0)
        v = gpr_two_sum (&e[level], v);
    }
  if (v == 0)
    return;
  const bool overflow = v - v != 0;
  for (int level = 0; level < LEVELS && overflow; level++)
    e[level] = was[level];
  pour_number (sink, overflow ? x : v);
}

/* Numbers at + k*step for all k below count; the same where an expansion
   overflows.  */
template <class F, int BATCH, int LEVELS, class S>
static __device__ __forceinline__ void add_numbers (const gpr_exact_args &a, f64 (&e)[LEVELS], int64_t at, int64_t step, int64_t count, const S &sink)
{
  for (int64_t k = 0; k < count; k += BATCH, at += BATCH * step)
    {
      f64 v[BATCH * F::TERMS], was[LEVELS];
      if (count - k >= BATCH)
        {
          #pragma unroll
          for (int j = 0; j < BATCH; j++)
            F::terms (a, at + j * step, v + j * F::TERMS, sink);
        }
      else
        {
          #pragma unroll
          for (int j = 0; j < BATCH * F::TERMS; j++)
            v[j] = 0;
          #pragma unroll
          for (int j = 0; j < BATCH; j++)
            if (k + j < count)
              F::terms (a, at + j * step, v + j * F::TERMS, sink);
        }
      for (int level = 0; level < LEVELS; level++)
        was[level] = e[level];
      if (! cascade (e, v))
        continue;
      if (finite (v))
        {
          pour_left (v, sink);
          continue;
        }
      for (int level = 0; level < LEVELS; level++)
        e[level] = was[level];
      for (int j = 0; j < BATCH && k + j < count; j++)
        F::pour (a, at + j * step, sink);
    }
}

/* The neighbours' expansions, from so many threads away on down to least, too.  */
template <int LEVELS, class S> static __device__ void join_warp (f64 (&e)[LEVELS], int from, int least, const S &sink)
{
  for (int away = from; away >= least; away /= 2)
    {
      const bool takes = (int) (threadIdx.x % (2 * from)) < away;       /* those behind have been taken */
      #pragma unroll
      for (int level = 0; level < LEVELS; level++)
        {
          const f64 v = __shfl_down_sync (0xFFFFFFFFu, e[level], away);
          if (__any_sync (0xFFFFFFFFu, takes && v != 0))
            add_double (e, level, takes ? v : 0, sink);
        }
    }
}

/* The sum of an expansion, rounded; false: only a long sum can tell.  */
template <int LEVELS> static __device__ bool rounded (f64 (&e)[LEVELS], bool single, f64 *y)
{
  f64 rest = 0, third = 0;
  for (int level = 3; level < LEVELS; level++)
    rest += fabs (e[level]);
  if (rest != 0 || (single && LEVELS > 2))
    for (int pass = 0; pass < LEVELS; pass++)           /* until each is what rounding took from the one before */
      for (int level = LEVELS - 1; level > 0; level--)
        e[level] = gpr_two_sum (&e[level - 1], e[level]);
  for (int level = LEVELS - 1; level > 1; level--)
    third = e[level] != 0 ? e[level] : third;
  *y = single ? gpr_expansion_f32 (e[0], e[1]) : LEVELS > 2 ? gpr_expansion_f64 (e[0], e[1], third) : e[0] + e[1];
  return gpr_finite_f64 (e[0]) && (gpr_finite_f64 (*y) || single);
}

#endif
