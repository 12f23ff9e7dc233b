/* Kernels of arrays.  */

#ifndef GPR_SCAN_LOAD_CUH
#define GPR_SCAN_LOAD_CUH

#include "columns.cuh"
#include "fetch.cuh"
#include "many.cuh"
#include "tiles.cuh"
#include "chain.cuh"

template <class INSTANCE> struct scan_array
{
  typedef INSTANCE F;
  typedef typename F::X X;
  static constexpr bool gives_up = false;
  static constexpr gpr_scan_kernel kernel = GPR_SCAN_ANY_KERNEL;
  static constexpr int batch = 8;
  struct some
  {
    X v[batch];
    __device__ __forceinline__ void read (const gpr_scan_args &a, int j, i64 i) { v[j] = ((const X *) a.x)[i]; }
    __device__ __forceinline__ X at (const gpr_scan_args &, int j, i64) const { return v[j]; }
  };
  static __device__ __forceinline__ X at (const gpr_scan_args &a, i64 i) { return ((const X *) a.x)[i]; }
  static __device__ __forceinline__ void put (const gpr_scan_args &a, typename F::A v, i64 first, X *y) { F::put (v, (a.top ? (const X *) a.top : (const X *) a.x) + first, y, a.turn); }
  struct start
  {
    X x;
    __device__ __forceinline__ start (const gpr_scan_args &a, i64 first) { if (! F::SUMS) x = ((const X *) (a.top ? a.top : a.x))[first]; }
    __device__ __forceinline__ void put (const gpr_scan_args &a, typename F::A v, X *y) const { F::put (v, &x, y, a.turn); }
  };
  static __device__ __forceinline__ int *doubt (const gpr_scan_args &a, i64 outer) { return &a.doubt[outer]; }
  static __device__ __forceinline__ void read (const gpr_scan_args &a, scan_tile<F> &p);
};

template <class F>
__device__ __forceinline__ void scan_array<F>::read (const gpr_scan_args &a, scan_tile<F> &p)
{
  const typename F::X *x = (const typename F::X *) a.x + p.base;
  const int count = p.outers * p.rows * p.columns, valid = p.valid, skip = p.skip * p.columns;

  if (p.columns == a.inner)     /* the tile lies in one piece */
    {
#pragma unroll
      for (int j = 0; j < F::STEPS; j++)
        if ((int) threadIdx.x + j * GPR_SCAN_THREADS < count && (int) threadIdx.x + j * GPR_SCAN_THREADS >= skip)
          scan_fetch (&p.s[threadIdx.x + j * GPR_SCAN_THREADS], x + threadIdx.x + j * GPR_SCAN_THREADS);
    }
  else if (GPR_SCAN_THREADS % p.columns == 0)   /* a thread has but one column */
    {
      const i64 onward = GPR_SCAN_THREADS / p.columns * a.inner;
      x += threadIdx.x / p.columns * a.inner + threadIdx.x % p.columns;
      if ((int) threadIdx.x % p.columns < valid)
#pragma unroll 4
        for (int e = threadIdx.x; e < count; e += GPR_SCAN_THREADS, x += onward)
          if (e >= skip)
            scan_fetch (&p.s[e], x);
    }
  else
    {
      scan_cell at (p.columns);
#pragma unroll 4
      for (int e = threadIdx.x; e < count; e += GPR_SCAN_THREADS, at.next ())
        if (at.c < valid && e >= skip)
          scan_fetch (&p.s[e], x + at.row * a.inner + at.c);
    }
  scan_committed ();
  scan_arrived<0> ();
}

template <class F> __global__ void __launch_bounds__ (GPR_SCAN_THREADS) scan_walk_k (const gpr_scan_args a) { scan_walk<scan_array<F>> (a); }
/* So many blocks of a multiprocessor that 100,000 columns have their threads at once; double products would spill registers.  */
template <class F, int TWICE>
__global__ void __launch_bounds__ (GPR_SCAN_WALKERS, F::ROWS ? 7 : F::EACH && sizeof (typename F::X) == 4 ? TWICE ? 8 : 7 : 1) scan_walk_many_k (const gpr_scan_args a)
{
  if constexpr (F::ENDS && F::EACH && TWICE == 0)
    if (a.modes)
      return scan_walk_products<scan_array<F>> (a);
  scan_walk_many<scan_array<F>, TWICE> (a);
}
template <class F> __global__ void __launch_bounds__ (GPR_SCAN_THREADS) scan_staged_k (const gpr_scan_args a) { scan_staged<scan_array<F>> (a); }
/* Blocks of a multiprocessor hide each other's waits.  */
template <class F>
__global__ void __launch_bounds__ (GPR_SCAN_THREADS, GPR_SCAN_BLOCKS) scan_tiled_k (const gpr_scan_args a)
{
  scan_tiles<scan_array<F>> (a);
}
template <class F> __global__ void __launch_bounds__ (GPR_SCAN_CHAIN_THREADS) scan_chain_k (const gpr_scan_args a) { scan_chain<F> (a); }

#endif
