/* Reductions and an expression that reads their results, slice by slice: x - mean (x) and all that is made of it.

   A block takes some slices, neighbours of each other, reads them for the first stage, and finds them in the caches for those that come after: a stage
   is a reduction of an expression of the slices' elements and of the results before it, an expression of results, or at last the elements of z.
   The reductions take their elements in the order of ../../common/tree.h, so the bits are those of any other kernel.  */

#ifndef GPR_ENGINE_COMPILED_SLICES_CUH
#define GPR_ENGINE_COMPILED_SLICES_CUH

#include "terms.cuh"
#include "../../ops/instances.h"

#define GPR_SLICES_INSTANCE(id, FAMILY, XT, AT, YT) \
  struct op_##id \
  { \
    typedef id##_x X; \
    typedef id##_a A; \
    typedef id##_y Y; \
    static constexpr bool leads = id##_leads, by_index = (id##_traits & GPR_FIXUP_MASK) == GPR_FIXUP_BY_INDEX; \
    static __device__ __forceinline__ A init () { return id##_init (); } \
    static __device__ __forceinline__ void step (A *a, X x) { id##_step (a, x, 0); } \
    static __device__ __forceinline__ void merge (A *a, A b) { id##_merge (a, b); } \
    static __device__ __forceinline__ void lead (A *a, const A &first) { id##_lead (a, first); } \
    static __device__ __forceinline__ int finish (A a, f64 d, Y *y) { i64 k; return id##_finish (a, d, y, &k); } \
  };

/* Of the result of an earlier stage, at a slice; written by this kernel, so no read-only load.  */
template <class E, class X, int L, int N> struct map_terms_of<E, X, L, GPR_MAP_RESULT, N>
{
  X v;
  __device__ __forceinline__ void read_at (const gpr_terms_args &a, i64 slice) { v = ((const X *) a.x[L])[slice]; }
  __device__ __forceinline__ X at (int) const { return v; }
};

/* Where a thread works: at one of the block's slices, at rows q, q + group, …  COLUMNS: the slices' elements of one row are neighbours.  */
template <bool COLUMNS> struct slices_place
{
  i64 slice, first, stride;     /* of all; its first element, and how far its elements are apart */
  int own, q;
  bool there;
  __device__ __forceinline__ slices_place (const gpr_slices_args &a, i64 slab)
  {
    const int t = threadIdx.x;
    stride = COLUMNS ? a.inner : 1;
    own = COLUMNS ? t & (a.slices - 1) : t >> a.group_log2;
    q = COLUMNS ? t >> a.slices_log2 : t & (a.group - 1);
    const i64 outer = COLUMNS ? slab / a.tiles : slab * a.slices + own, c = COLUMNS ? (slab - outer * a.tiles) * a.slices + own : 0;
    there = COLUMNS ? c < a.inner : outer < a.outer;
    slice = COLUMNS ? c + a.inner * outer : outer;
    first = c + stride * a.length * outer;
  }
};

/* use (element, k) of the first left of a batch, which are step apart; E::batch are read before the first is used.  */
template <class E, class Use>
static __device__ __forceinline__ void slices_take (const gpr_slices_args &a, i64 i, i64 step, int left, i64 slice, Use use)
{
  typename E::template terms<1> t[E::batch];
#pragma unroll
  for (int k = 0; k < E::batch; k++)
    t[k].read_slice (a.terms, i + (k < left ? k : 0) * step, slice);
#pragma unroll
  for (int k = 0; k < E::batch; k++)
    if (k < left)
      use (t[k], k);
}

/* An element as it is reduced.  */
template <class E, class X, class T> static __device__ __forceinline__ X slices_element (const gpr_slices_args &a, const T &t)
{
  map_for_reduction way;
  const typename E::Z z = map_as (typename E::Z (), t.at (a.terms, 0, way));
  static_assert (sizeof (X) == sizeof z, "of one size");
  X x;
  memcpy (&x, &z, sizeof x);
  return x;
}

/* The accumulators of a slice, lane by lane of each part, are merged into its first.  at (s): where that of strand s is.  */
template <class F, bool COLUMNS> static __device__ __forceinline__ void
slices_merge (const gpr_slices_args &a, const gpr_slices_tree &t, typename F::A *acc, const slices_place<COLUMNS> &p)
{
  const int strands = t.lanes * t.parts;
  const auto at = [&] (int s) -> typename F::A & { return acc[COLUMNS ? s * a.slices + p.own : p.own * strands + s]; };

  __syncthreads ();
  if (F::leads && t.lanes > 1)
    {
      for (int s = p.q; s < strands && p.there; s += a.group)
        if (s & (t.lanes - 1))
          F::lead (&at (s), at (s & ~(t.lanes - 1)));
      __syncthreads ();
      for (int s = p.q; s < t.parts && p.there; s += a.group)
        {
          const typename F::A first = at (s * t.lanes);
          F::lead (&at (s * t.lanes), first);
        }
      __syncthreads ();
    }
  for (int half = t.lanes / 2, log2 = t.lanes_log2 - 1; half > 0; half /= 2, log2--)
    {
      for (int s = p.q; s < half * t.parts && p.there; s += a.group)
        {
          const int to = (s >> log2) * t.lanes + (s & (half - 1));
          F::merge (&at (to), at (to + half));
        }
      __syncthreads ();
    }
  for (int d = 1; d < t.parts; d *= 2)
    {
      for (int s = 2 * d * p.q; s + d < t.parts && p.there; s += 2 * d * a.group)
        F::merge (&at (s * t.lanes), at ((s + d) * t.lanes));
      __syncthreads ();
    }
}

/* Stage K, a reduction by F of E.  doubt: its result may not be the last word.  */
template <class E, class F, int K, bool COLUMNS> static __device__ __forceinline__ void
slices_reduce (const gpr_slices_args &a, const slices_place<COLUMNS> &p, void *shared, bool *doubt)
{
  typedef typename F::A A;
  const gpr_slices_tree &t = a.tree[K];
  const int strands = t.lanes * t.parts;
  A *const acc = (A *) shared;
  typename F::Y y;
  int odd = 0;

  for (int s = p.q; s < strands && p.there; s += a.group)
    {
      const i64 part = s >> t.lanes_log2, begin = part * t.rows + (s & (t.lanes - 1)), end = part * t.rows + t.rows;
      const i64 step = p.stride * t.lanes;
      i64 i = p.first + p.stride * begin;
      A x = F::init ();
      for (int left = (int) (((end < a.length ? end : a.length) - begin + t.lanes - 1) >> t.lanes_log2); left > 0; left -= E::batch, i += E::batch * step)
        slices_take<E> (a, i, step, left, p.slice, [&] (const auto &e, int) { F::step (&x, slices_element<E, typename F::X> (a, e)); });
      acc[COLUMNS ? s * a.slices + p.own : p.own * strands + s] = x;
    }
  slices_merge<F> (a, t, acc, p);
  if (p.q == 0 && p.there)
    {
      odd = F::finish (acc[COLUMNS ? p.own : p.own * strands], a.divisor[K], &y);
      ((typename F::Y *) a.value[K])[p.slice] = y;
    }
  if constexpr (F::by_index)
    {
      /* An extreme that is 0 has the sign of the first 0.  */
      __shared__ int zero[GPR_SLICES_MOST_THREADS];
      const bool look = odd && y == 0;
      if (p.q == 0)
        zero[p.own] = look ? INT_MAX : -1;
      if (__syncthreads_or (look))
        {
          for (int r = p.q; r < a.length && p.there && zero[p.own] > r; r += a.group)
            {
              typename E::template terms<1> e;
              e.read_slice (a.terms, p.first + p.stride * r, p.slice);
              if (slices_element<E, typename F::X> (a, e) == 0)
                atomicMin (&zero[p.own], r);
            }
          __syncthreads ();
          if (look)
            {
              typename E::template terms<1> e;
              e.read_slice (a.terms, p.first + p.stride * zero[p.own], p.slice);
              ((typename F::Y *) a.value[K])[p.slice] = slices_element<E, typename F::X> (a, e);
              odd = 0;
            }
        }
    }
  *doubt |= odd != 0;
  __syncthreads ();
}

/* An element of a stage's results or of z, by all the rules.  */
template <class E> static __device__ __noinline__ int slices_by_rules (const gpr_slices_args &a, i64 i, i64 slice, typename E::A *v)
{
  map_by_rules way;
  typename E::template terms<1> t;
  t.read_slice (a.terms, i, slice);
  *v = t.at (a.terms, 0, way);
  return way.left;
}

template <class E, class T> static __device__ __forceinline__ typename E::Z slices_value (const gpr_slices_args &a, const T &t, i64 i, i64 slice, bool *doubt)
{
  map_quickly quick;
  typename E::A v = t.at (a.terms, 0, quick);
  if (v != v || quick.odd)
    *doubt |= slices_by_rules<E> (a, i, slice, &v) != 0;
  return map_as (typename E::Z (), v);
}

/* Stage K: an expression of results, one element for a slice.  */
template <class E, int K, bool COLUMNS> static __device__ __forceinline__ void
slices_results (const gpr_slices_args &a, const slices_place<COLUMNS> &p, bool *doubt)
{
  if (p.q == 0 && p.there)
    {
      typename E::template terms<1> t;
      t.read_slice (a.terms, p.first, p.slice);
      ((typename E::Z *) a.value[K])[p.slice] = slices_value<E> (a, t, p.first, p.slice, doubt);
    }
  __syncthreads ();
}

/* The elements of z.  */
template <class E, bool COLUMNS> static __device__ __forceinline__ void
slices_map (const gpr_slices_args &a, const slices_place<COLUMNS> &p, bool *doubt)
{
  const i64 step = p.stride * a.group;
  i64 i = p.first + p.stride * p.q;
  if (p.there)
    for (int left = (int) ((a.length - p.q + a.group - 1) >> a.group_log2); left > 0; left -= E::batch, i += E::batch * step)
      slices_take<E> (a, i, step, left, p.slice, [&] (const auto &e, int k) { ((typename E::Z *) a.z)[i + k * step] = slices_value<E> (a, e, i + k * step, p.slice, doubt); });
}

#endif
