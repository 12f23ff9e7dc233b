/* What a reduction reads: vector loads, and the Loads made of them.

   A Load is a type that says what the terms of a reduction are:

     X             type of a term, the instance's element type
     bytes         read for a term
     plain         terms are the elements of one array, as they lie or turned
     costs         terms may take long: none is made of what was not taken
     fixes         some of what fixed has is read from memory
     cursor        where a term is; cursor + i is i terms further on
     begin (l)     cursor of the box's first term, from the Load's own arguments
     terms<V>      V neighbouring terms on their way from memory; at (e, l) is one of them
     held<V>       bytes of registers they take until then
     fixed<V>, fix<V> (c, l)   what the V terms from c on have in common with those of their columns' other rows; read once
     take<V> (c, l, f)   loads V terms from c on; aligned, where V > 1.  f: fixed, of these columns

   Terms are made when they are used (at), unless they cost much of what was not taken too, whose value nobody wants; not where they are loaded: that would wait
   for memory.  The kernels know nothing else of what they read.  */

#ifndef GPR_REDUCE_LOAD_CUH
#define GPR_REDUCE_LOAD_CUH

#include "../engine.h"
#include "../turn.cuh"

/* V elements in one load.  Of 1 and 2 bytes, as words: the compiler would take them apart
   and put them together again.  */
template <class X, int V, bool WORDS = sizeof (X) <= 2 && V * sizeof (X) % 4 == 0> struct alignas (V * sizeof (X)) gpr_vector
{
  X v[V];
  __device__ __forceinline__ X at (int e) const { return v[e]; }
  __device__ __forceinline__ X at (int e, const gpr_load_args &) const { return at (e); }
  __device__ __forceinline__ gpr_vector turned (u64 turn) const
  {
    gpr_vector p;
#pragma unroll
    for (int e = 0; e < V; e++)
      p.v[e] = gpr_turned (v[e], turn);
    return p;
  }
};
template <class X, int V> struct alignas (V * sizeof (X)) gpr_vector<X, V, true>
{
  static constexpr int IN_WORD = 4 / sizeof (X), BITS = 8 * sizeof (X);
  unsigned w[V / IN_WORD];
  __device__ __forceinline__ X at (int e) const { return (X) (w[e / IN_WORD] >> e % IN_WORD * BITS); }
  __device__ __forceinline__ X at (int e, const gpr_load_args &) const { return at (e); }
  __device__ __forceinline__ gpr_vector turned (u64 turn) const
  {
    gpr_vector p;
#pragma unroll
    for (int i = 0; i < V / IN_WORD; i++)
      p.w[i] = w[i] ^ (unsigned) turn;
    return p;
  }
};
template <class X, int V> constexpr int gpr_held = V * (int) sizeof (X) < 4 ? 4 : V * (int) sizeof (X);

/* One term of L, alone.  */
template <class L> static __device__ __forceinline__ typename L::X gpr_term (typename L::cursor c, const gpr_load_args &l)
{
  return L::template take<1> (c, l, L::template fix<1> (c, l)).at (0, l);
}

/* Arrays have nothing of the kind.  */
struct gpr_nothing {};
struct load_unfixed
{
  template <int V> using fixed = gpr_nothing;
  template <int V> static __device__ __forceinline__ gpr_nothing fix (const void *, const gpr_load_args &) { return {}; }
};

/* The elements of an array.  */
template <class T> struct load_array : load_unfixed
{
  typedef T X;
  typedef const T *cursor;
  static constexpr int bytes = sizeof (T);
  static constexpr bool plain = true, costs = false, fixes = false;
  template <int V> using terms = gpr_vector<T, V>;
  template <int V> static constexpr int held = gpr_held<T, V>;
  static __device__ __forceinline__ cursor begin (const gpr_load_args &l) { return (cursor) l.array.x; }
  template <int V> static __device__ __forceinline__ terms<V> take (cursor x, const gpr_load_args &, gpr_nothing = {}) { return *(const gpr_vector<T, V> *) x; }
};

/* The elements of an array, turned.  */
template <class T> struct load_turned : load_array<T>
{
  typedef typename load_array<T>::cursor cursor;
  template <int V> struct terms
  {
    gpr_vector<T, V> x;
    __device__ __forceinline__ T at (int e, const gpr_load_args &l) const { return x.turned (l.array.turn).at (e); }
  };
  template <int V> static __device__ __forceinline__ terms<V> take (cursor x, const gpr_load_args &, gpr_nothing = {}) { return { *(const gpr_vector<T, V> *) x }; }
};

/* Which NaN a product is does not matter: a result that is not finite is fixed up from the
   two arrays.  */
static __device__ __forceinline__ f64 gpr_times (f64 x, f64 y) { return x * y; }
static __device__ __forceinline__ f32 gpr_times (f32 x, f32 y) { return x * y; }
static __device__ __forceinline__ c128 gpr_times (c128 x, c128 y) { return gpr_inner_c128 (x, y); }
static __device__ __forceinline__ c64 gpr_times (c64 x, c64 y) { return gpr_inner_c64 (x, y); }

/* The products of the elements of two arrays.  */
template <class T> struct load_product : load_unfixed
{
  typedef T X;
  typedef const T *cursor;              /* in the first array */
  static constexpr int bytes = 2 * sizeof (T);
  static constexpr bool plain = false, costs = false, fixes = false;
  template <int V> struct terms
  {
    gpr_vector<T, V> x, y;
    __device__ __forceinline__ X at (int e, const gpr_load_args &) const { return gpr_times (x.at (e), y.at (e)); }
  };
  template <int V> static constexpr int held = 2 * gpr_held<T, V>;
  static __device__ __forceinline__ cursor begin (const gpr_load_args &l) { return (cursor) l.product.x; }
  template <int V> static __device__ __forceinline__ terms<V> take (cursor x, const gpr_load_args &l, gpr_nothing = {})
  {
    typedef gpr_vector<T, V> vector;
    terms<V> t;
    t.x = *(const vector *) x;
    t.y = *(const vector *) ((const char *) x + l.product.second);
    return t;
  }
};

#endif
