/* Counting of the elements of an expression that is compiled at run time: a long run of them, as ../histogram.cu counts one that lies in memory.

   The text (src/cuda/source.c) has a struct S:

     T                          type compared in
     find, store, cuts_shared   as gpr_histogram_args has them  */

#ifndef GPR_ENGINE_COMPILED_HISTOGRAM_CUH
#define GPR_ENGINE_COMPILED_HISTOGRAM_CUH

#include "terms.cuh"
#include "../histogram/block.cuh"

#ifndef GPR_HISTOGRAM_SHARED    /* an emulation has its own */
#define GPR_HISTOGRAM_SHARED extern __shared__ __align__ (16) unsigned char histogram_shared[];
#endif
GPR_HISTOGRAM_SHARED

/* The element that it would be if it lay in memory, as it is compared.  */
template <class E, class T, class TERMS> static __device__ __forceinline__ T histogram_term (const gpr_terms_args &a, const TERMS &t, int j)
{
  map_for_reduction way;
  return as<T> (map_made<E> (t.at (a, j, way)));
}

template <class S, class T, int N>
static __device__ __forceinline__ void histogram_add (const counting_block<T> &b, const T (&x)[N], u32 past, u32 *hot)
{
  u32 k[N];
  if constexpr (S::find == GPR_FIND_EVEN)
    find_even<false> (b.c, x, k);       /* also where the estimate alone decides: then it is never near */
  else if constexpr (S::find == GPR_FIND_SPACED)
    find_spaced (b.c, x, k);
  else
    find_narrowed<S::cuts_shared> (b.c, x, k);
  check_bins (b.c, S::find, x, past, k);
  add_to<S::store> (b.t, k, hot);
}

/* A thread's elements one by one, where some of the tile's are not of the run.  */
template <class E, class S, int N> static __device__ __noinline__ void histogram_one_by_one (const gpr_compiled_histogram_args &a, counting_block<typename S::T> b, const map_place &p)
{
  typedef typename S::T T;
  u32 hot = NONE;
#pragma unroll 1
  for (int j = 0; j < N; j++)
    {
      const i64 i = map_at (p, j);
      const bool past = i < a.first || i > p.last;
      typename E::template terms<1> t;
      t.read_at (a.terms, past ? a.first : i);
      const T x[1] = { histogram_term<E, T> (a.terms, t, 0) };
      histogram_add<S> (b, x, past, &hot);
    }
}

/* N elements of a thread at a time, which lie as GPR_MAP_THREADS threads have them together.  */
template <class E, class S, int N> static __device__ __forceinline__ void histogram_compiled (const gpr_compiled_histogram_args &a)
{
  typedef typename S::T T;
  constexpr int elements = GPR_MAP_THREADS * N, teams = GPR_HISTOGRAM_THREADS / GPR_MAP_THREADS, batch = N < GPR_HISTOGRAM_BATCH ? N : GPR_HISTOGRAM_BATCH;
  const counting_block<T> b = begin_counting<T> (a.counting, histogram_shared);
  u32 hot = NONE;

  for (i64 tile = b.worker * teams + threadIdx.x / GPR_MAP_THREADS; a.aligned + tile * elements < a.end; tile += b.workers * teams)
    {
      const i64 at = a.aligned + tile * elements;
      const map_place p = { at + (i64) (threadIdx.x % GPR_MAP_THREADS) * (E::fours ? 4 : 2), a.end - 1, at >= a.first && at + elements <= a.end, E::fours };
      if (! p.whole)
        {
          histogram_one_by_one<E, S, N> (a, b, p);
          continue;
        }
      typename E::template terms<N> t;
      t.read (a.terms, p);
#pragma unroll
      for (int step = 0; step < N; step += batch)
        {
          T x[batch];
#pragma unroll
          for (int j = 0; j < batch; j++)
            x[j] = histogram_term<E, T> (a.terms, t, step + j);
          histogram_add<S> (b, x, 0, &hot);
        }
    }
  end_counting (a.counting, b);
}

#endif
