/* Reductions of expressions that are compiled at run time: the expression is another Load (../reduce/load.cuh).  */

#ifndef GPR_ENGINE_COMPILED_REDUCE_CUH
#define GPR_ENGINE_COMPILED_REDUCE_CUH

#define GPR_COMPILED_TERMS
#include "terms.cuh"
#include "../reduce/instances.cuh"

/* Terms of the expression E, turned into X as an instance's kernels want them.  */
template <class E, class ELEM, bool TURNS> struct load_expression
{
  typedef ELEM X;
  typedef i64 cursor;           /* which element */
  static constexpr int bytes = E::bytes;
  static constexpr bool plain = false, costs = true, fixes = E::fixes;
  template <int V> struct terms
  {
    typename E::template terms<V> t;
    __device__ __forceinline__ X at (int e, const gpr_load_args &l) const
    {
      map_for_reduction way;
      const typename E::Z z = map_made<E> (t.at (l.expression.terms, e, way));
      static_assert (sizeof (X) == sizeof z, "of one size");
      X x;
      memcpy (&x, &z, sizeof x);
      if constexpr (TURNS)
        x = gpr_turned (x, l.expression.turn);
      return x;
    }
  };
  template <int V> static constexpr int held = E::template held<V>;
  static __device__ __forceinline__ cursor begin (const gpr_load_args &l) { return l.expression.first; }
  template <int V> using fixed = typename E::template terms<V>;
  template <int V> static __device__ __forceinline__ fixed<V> fix (cursor i, const gpr_load_args &l)
  {
    fixed<V> t;
    t.fix (l.expression.terms, i);
    return t;
  }
  template <int V> static __device__ __forceinline__ terms<V> take (cursor i, const gpr_load_args &l, const fixed<V> &f)
  {
    terms<V> t;
    t.t.read_at (l.expression.terms, i, f);
    return t;
  }
};

/* An instance without what takes long to compile: a launch of its own merges parts.  */
template <class OP, int MERGES> struct reduce_apart : OP
{
  static constexpr bool tickets = false, mails = false;
  static constexpr int merges = MERGES;
  static __device__ __forceinline__ void merge (typename OP::A *a, typename OP::A b) { gpr_merge<reduce_apart> (a, b); }
};

/* A block's shared memory for LANES, COLUMNS and ROWS; the other algorithms' is gpr_dense_shared.  */
template <class F> struct reduce_lanes_shared
{
  alignas (16) unsigned char raw[F::width * sizeof (typename F::A)];
  __device__ __forceinline__ typename F::A *lanes () { return (typename F::A *) raw; }
};

#endif
