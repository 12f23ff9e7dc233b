/* Cumulative functions of expressions that are compiled at run time: the expression is another Load (../scan/instances.cuh).  */

#ifndef GPR_ENGINE_COMPILED_SCAN_CUH
#define GPR_ENGINE_COMPILED_SCAN_CUH

#define GPR_COMPILED_TERMS
#include "terms.cuh"
#include "../scan.h"
#include "../scan/instances.cuh"
#include "../scan/columns.cuh"
#include "../scan/tiles.cuh"

/* An instance without what IN_ORDER has done: where that is wanted, the expression is computed.  */
template <class INSTANCE> struct scan_apart : INSTANCE
{
  enum { ENDS = false };
};

/* Where a tile's elements are, from a thread's first to its next.  */
template <class F, gpr_scan_kernel KERNEL> struct scan_cells
{
  __device__ __forceinline__ scan_cells (const scan_tile<F> &) {}
  __device__ __forceinline__ void next () {}
  __device__ __forceinline__ bool is_there (const scan_tile<F> &) const { return true; }
  __device__ __forceinline__ i64 place (const gpr_scan_args &, const scan_tile<F> &p, int e) const { return p.base + e; }
};
template <class F> struct scan_cells<F, GPR_SCAN_OF_BANDS> : scan_cell
{
  __device__ __forceinline__ scan_cells (const scan_tile<F> &p) : scan_cell (p.columns) {}
  __device__ __forceinline__ bool is_there (const scan_tile<F> &p) const { return c < p.valid; }
  __device__ __forceinline__ i64 place (const gpr_scan_args &a, const scan_tile<F> &p, int) const { return p.base + row * a.inner + c; }
};

/* Elements of the expression E.  */
template <class INSTANCE, class E, gpr_scan_kernel KERNEL> struct scan_expression
{
  typedef scan_apart<INSTANCE> F;
  typedef scan_cells<F, KERNEL> cells;
  typedef typename F::X X;
  typedef typename E::Z Z;
  static constexpr bool gives_up = true;
  static constexpr gpr_scan_kernel kernel = KERNEL;
  static constexpr int batch = E::batch;

  static __device__ __forceinline__ X element (typename E::A v)
  {
    const Z z = map_made<E> (v);
    X x;
    static_assert (sizeof x == sizeof z, "of one size");
    memcpy (&x, &z, sizeof x);
    return x;
  }
  /* One by all the rules.  */
  static __device__ __noinline__ X at (const gpr_scan_args &a, i64 i)
  {
    map_by_rules way;
    typename E::template terms<1> t;
    t.read_at (a.terms, i);
    return element (t.at (a.terms, 0, way));
  }
  struct some
  {
    typename E::template terms<1> t[batch];
    __device__ __forceinline__ void read (const gpr_scan_args &a, int j, i64 i) { t[j].read_at (a.terms, i); }
    __device__ __forceinline__ X at (const gpr_scan_args &a, int j, i64 i) const
    {
      map_quickly way;
      const typename E::A v = t[j].at (a.terms, 0, way);
      if (way.left)
        *a.any = 1;
      return way.odd || v != v ? scan_expression::at (a, i) : element (v);
    }
  };
  static __device__ __forceinline__ void put (const gpr_scan_args &a, typename F::A v, i64 first, X *y)
  {
    X x = X ();
    if (! F::SUMS && ! scan_number (v))
      x = at (a, first);
    F::put (v, &x, y, a.turn);
  }
  struct start
  {
    i64 first;
    __device__ __forceinline__ start (const gpr_scan_args &, i64 first) : first (first) {}
    __device__ __forceinline__ void put (const gpr_scan_args &a, typename F::A v, X *y) const { scan_expression::put (a, v, first, y); }
  };
  /* All of them have one.  */
  static __device__ __forceinline__ int *doubt (const gpr_scan_args &a, i64) { return a.doubt; }
  /* Elements that are neighbours are those of neighbouring threads.  Which NaN one is does not matter here: sums that are not finite take it once more, and so does what an
     extreme gives as long as all are NaN.  */
  static __device__ __forceinline__ void read (const gpr_scan_args &a, scan_tile<F> &p)
  {
    const int count = p.outers * p.rows * p.columns;
    map_quickly way;
    cells here (p);

#pragma unroll 1
    for (int e = threadIdx.x; e < count; e += GPR_SCAN_THREADS * batch)
      {
        some batches;
        unsigned there = 0;
#pragma unroll
        for (int j = 0; j < batch; j++, here.next ())
          if (e + j * GPR_SCAN_THREADS < count && here.is_there (p))
            {
              batches.read (a, j, here.place (a, p, e + j * GPR_SCAN_THREADS));
              there |= 1u << j;
            }
#pragma unroll
        for (int j = 0; j < batch; j++)
          if (there >> j & 1)
            p.s[e + j * GPR_SCAN_THREADS] = element (batches.t[j].at (a.terms, 0, way));
      }
    if (way.left)
      *a.any = 1;
    if (! way.odd)
      return;
    cells again (p);
#pragma unroll 1
    for (int e = threadIdx.x; e < count; e += GPR_SCAN_THREADS, again.next ())
      if (again.is_there (p))
        p.s[e] = at (a, again.place (a, p, e));
  }
};

template <class L> static __device__ __forceinline__ void scan_compiled (const gpr_scan_args &a)
{
  if constexpr (L::kernel == GPR_SCAN_WALKS)
    scan_walk<L> (a);
  else if constexpr (L::kernel == GPR_SCAN_STAGES)
    scan_staged<L> (a);
  else
    scan_tiles<L> (a);
}

#endif
