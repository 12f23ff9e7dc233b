/* The kernel of an expression that is compiled at run time.  */

#ifndef GPR_ENGINE_COMPILED_MAP_CUH
#define GPR_ENGINE_COMPILED_MAP_CUH

#include "terms.cuh"

/* A thread's elements one by one and by all the rules: of the last tile, or where the quick way is not to be had.  FIRST: the first one's place.  What a call gets by its
   address would be written to memory by all threads, also by those that do not call.  */
template <class E, int N> static __device__ __noinline__ int map_one_by_one (const gpr_compiled_map_args &a, i64 first)
{
  const map_place p = { first, a.count - 1, false, E::fours };
  map_by_rules way;
#pragma unroll 1
  for (int j = 0; j < N; j++)
    {
      const i64 i = map_at (p, j);
      if (i > p.last)
        break;
      typename E::template terms<1> t;
      t.read_at (a.terms, i);
      ((typename E::Z *) a.z)[E::placed ? map_strided<E> (a.terms, GPR_MAP_LEAVES, i) : i] = map_made<E> (t.at (a.terms, 0, way));
    }
  return way.left;
}

template <class E, int N> static __device__ __forceinline__ void map_compiled (const gpr_compiled_map_args &a)
{
  typedef typename E::Z Z;
  constexpr int elements = GPR_MAP_THREADS * N;
  int left = 0;

  for (i64 tile = blockIdx.x; tile * elements < a.count; tile += gridDim.x)
    {
      const map_place p = { tile * elements + (i64) threadIdx.x * (E::fours ? 4 : 2), a.count - 1, (tile + 1) * elements <= a.count, E::fours };
      map_quickly way;
      if (p.whole)
        {
          typename E::template terms<N> t;
          typename E::A v[N];
          t.read (a.terms, p);
#pragma unroll
          for (int j = 0; j < N; j++)
            {
              v[j] = t.at (a.terms, j, way);
              way.odd |= v[j] != v[j];
            }
          if (! map_any_of_warp (way.odd))
            {
              Z z[N];
              left |= way.left;
#pragma unroll
              for (int j = 0; j < N; j++)
                z[j] = map_made<E> (v[j]);
              if constexpr (E::z_vectors)
                map_give<E::fours ? 4 : 2> ((Z *) a.z + p.first, z);
              else
                {
#pragma unroll
                  for (int j = 0; j < N; j++)
                    ((Z *) a.z)[E::placed ? map_strided<E> (a.terms, GPR_MAP_LEAVES, map_at (p, j)) : map_at (p, j)] = z[j];
                }
              continue;
            }
        }
      left |= map_one_by_one<E, N> (a, p.first);
    }
  if (left)
    *a.left = 1;
}

#endif
