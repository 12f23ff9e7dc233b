/* The terms of an expression that is compiled at run time: how leaves are read, and the ways to take a step.

   The text of an expression (src/cuda/source.c) is a struct, E:

     Z                      type of an element of the result
     A                      of what the steps leave: f64 or f32
     made                   what that is: a number, which Z may not hold, a whole number that it does, or 0 or 1
     fours, narrow, rank    as gpr_map_args has them
     bytes, held<N>         bytes of an element of all leaves that lie as z does, or, where none does, of all; and what N of them take of registers
     terms<N>               N elements of each leaf: read (a, place) reads a thread's of a whole tile, read_at (a, i) the neighbours from
                            element i on, aligned, at (a, j, &way) is what the steps leave of element j, by one of the ways below.
                            Of a reduction fix (a, i) finds what is known for all rows of a column, and read_at (a, i, fixed) reads the rest  */

#ifndef GPR_ENGINE_COMPILED_TERMS_CUH
#define GPR_ENGINE_COMPILED_TERMS_CUH

#include "../compiled.h"
#include "../map/elements.cuh"
#include "../map/steps.cuh"
#include "../map/root.cuh"

enum { GPR_MADE_NUMBER, GPR_MADE_WHOLE, GPR_MADE_TRUTH };

/* What the steps of E leave, as an element of its result.  */
template <class E> static __device__ __forceinline__ typename E::Z map_made (typename E::A v)
{
  typedef typename E::Z Z;
  if constexpr (E::made == GPR_MADE_TRUTH)
    return (Z) (v != 0);
  else if constexpr (E::made == GPR_MADE_WHOLE)
    return (Z) v;
  else
    return map_as (Z (), v);
}

/* ---- leaves ------------------------------------------------------------------------ */

/* i / dims[d].  */
template <class E> static __device__ __forceinline__ i64 map_over (const gpr_terms_args &a, int d, i64 i)
{
  return E::narrow ? (i64) (__umulhi ((u32) i, a.magic[d]) >> a.shift[d]) : (i64) ((u64) i / (u64) a.dims[d]);
}

/* Where element i of z is in leaf l (GPR_MAP_LEAVES: in the array that z is placed in).  */
template <class E> static __device__ __forceinline__ i64 map_strided (const gpr_terms_args &a, int l, i64 i)
{
  i64 offset = 0;
#pragma unroll
  for (int d = 0; d < E::rank - 1; d++)
    {
      const i64 next = map_over<E> (a, d, i);
      offset += (i - next * a.dims[d]) * a.strides[l][d];
      i = next;
    }
  return offset + i * a.strides[l][E::rank - 1];
}

/* V elements that lie one after the other, in one load.  */
template <int V, class X> static __device__ __forceinline__ void map_load (const X *x, X *v)
{
  const map_vector<X, V> all = *(const map_vector<X, V> *) x;
#pragma unroll
  for (int j = 0; j < V; j++)
    v[j] = all.v[j];
}

/* Of leaf l the V neighbours in z from element i on: in one row of z, as nearly all are, they are as far apart as the first two are.  */
template <class E, int V, class X> static __device__ __forceinline__ void map_neighbours (const gpr_terms_args &a, int l, i64 i, X *v)
{
  const X *x = (const X *) a.x[l];
  if constexpr (V > 1 && E::rank > 1)
    {
      const i64 row = map_over<E> (a, 0, i), far = a.strides[l][0];
      if (i - row * a.dims[0] + V <= a.dims[0])
        {
          x += map_strided<E> (a, l, i);
          if (far == 0)
            {
              const X one = *x;
#pragma unroll
              for (int j = 0; j < V; j++)
                v[j] = one;
            }
          else if (far == 1 && (uintptr_t) x % (V * sizeof (X)) == 0)
            map_load<V> (x, v);
          else
            {
#pragma unroll
              for (int j = 0; j < V; j++)
                v[j] = x[far * j];
            }
          return;
        }
    }
#pragma unroll
  for (int j = 0; j < V; j++)
    v[j] = x[map_strided<E> (a, l, i + j)];
}

template <class E, class X, int L, int LIE, int N> struct map_terms_of
{
  X v[N];
  __device__ __forceinline__ void read (const gpr_terms_args &a, const map_place &p)
  {
    const X *x = (const X *) a.x[L];
    if constexpr (LIE == GPR_MAP_VECTORS)
      map_take<E::fours ? 4 : 2> (x + p.first, v);
    else
      {
        constexpr int V = E::fours ? 4 : 2;
#pragma unroll
        for (int j = 0; j < N; j += V)
          map_neighbours<E, V> (a, L, map_at (p, j), v + j);
      }
  }
  __device__ __forceinline__ void read_at (const gpr_terms_args &a, i64 i)
  {
    constexpr int V = N * sizeof (X) <= 16 ? N : 16 / sizeof (X);
    const X *x = (const X *) a.x[L];
#pragma unroll
    for (int g = 0; g < N; g += V)
      if constexpr (LIE == GPR_MAP_VECTORS)
        map_load<V> (x + i + g, v + g);
      else
        map_neighbours<E, V> (a, L, i + g, v + g);
  }
  __device__ __forceinline__ X at (int j) const { return v[j]; }
};
template <class E, class X, int L, int N> struct map_terms_of<E, X, L, GPR_MAP_SCALAR, N>
{
  X v;
  __device__ __forceinline__ void read (const gpr_terms_args &a, const map_place &) { v = *(const X *) a.x[L]; }
  __device__ __forceinline__ void read_at (const gpr_terms_args &a, i64) { v = *(const X *) a.x[L]; }
  __device__ __forceinline__ X at (int) const { return v; }
};

/* Neighbours are of one column or of two, whose elements are read without asking which.  */
template <class E, class X, int L, int N> struct map_terms_of<E, X, L, GPR_MAP_BY_COLUMN, N>
{
  X v[N];
  template <int V> static __device__ __forceinline__ void take (const gpr_terms_args &a, i64 i, X *v)
  {
    const X *x = (const X *) a.x[L];
    const i64 column = map_over<E> (a, 0, i), step = a.strides[L][1];
    const int left = (int) min ((column + 1) * a.dims[0] - i, (i64) V);         /* of the first column's */
    const X first = x[column * step], next = V == 1 ? first : x[(column + (left < V)) * step];
#pragma unroll
    for (int j = 0; j < V; j++)
      v[j] = j < left ? first : next;
  }
  __device__ __forceinline__ void read (const gpr_terms_args &a, const map_place &p)
  {
    constexpr int V = E::fours ? 4 : 2;
#pragma unroll
    for (int j = 0; j < N; j += V)
      take<V> (a, map_at (p, j), v + j);
  }
  __device__ __forceinline__ void read_at (const gpr_terms_args &a, i64 i)
  {
    static_assert (N == 1, "of two columns at most");
    take<1> (a, i, v);
  }
  __device__ __forceinline__ X at (int j) const { return v[j]; }
};

/* One element for all N: what the rows of a column have in common, or, of a row of columns, what its row has.  */
template <class E, class X, int L> struct map_one_term
{
  X v;
  __device__ __forceinline__ void read_at (const gpr_terms_args &a, i64 i) { v = ((const X *) a.x[L])[map_strided<E> (a, L, i)]; }
  __device__ __forceinline__ X at (int) const { return v; }
};
template <class E, class X, int L, int N> struct map_terms_of<E, X, L, GPR_MAP_OF_COLUMN, N> : map_one_term<E, X, L> {};
template <class E, class X, int L, int N> struct map_terms_of<E, X, L, GPR_MAP_ALONG_COLUMNS, N> : map_one_term<E, X, L> {};

/* The elements beside a column's rows lie as far from these in all of the column: away.  */
template <class E, class X, int L, int N> struct map_terms_of<E, X, L, GPR_MAP_ALONG_COLUMN, N>
{
  X v[N];
  i64 away;
  __device__ __forceinline__ void fix (const gpr_terms_args &a, i64 i) { away = map_strided<E> (a, L, i) - i; }
  __device__ __forceinline__ void read_at (const gpr_terms_args &a, i64 i, const map_terms_of &fixed)
  {
    constexpr int V = N * sizeof (X) <= 16 ? N : 16 / sizeof (X);
    const X *x = (const X *) a.x[L] + i + fixed.away;
#pragma unroll
    for (int g = 0; g < N; g += V)
      if ((uintptr_t) (x + g) % (V * sizeof (X)) == 0)
        map_load<V> (x + g, v + g);
      else
        {
#pragma unroll
          for (int j = 0; j < V; j++)
            v[g + j] = x[g + j];
        }
  }
  __device__ __forceinline__ X at (int j) const { return v[j]; }
};

/* ---- ways to take a step --------------------------------------------------------------

   By all the rules; or quickly, NaN being what the hardware makes of it.  odd: the quick way is not to be had.  */

struct map_by_rules
{
  int left = 0;
  template <class T, class X> static __device__ __forceinline__ T as (X v) { return map_as (T (), v); }
#define MAP_BY_RULES_ONE(name) template <class T> __device__ __forceinline__ T name##_ (T x) { return map_##name (x, x, &left); }
#define MAP_BY_RULES_TWO(name) template <class T> __device__ __forceinline__ T name##_ (T x, T y) { return map_##name (x, y, &left); }
  GPR_MAP_UNARY (MAP_BY_RULES_ONE)
  GPR_MAP_BINARY (MAP_BY_RULES_TWO)
  template <class T> __device__ __forceinline__ T over_ (T x, T y, f64) { return rdivide_ (x, y); }
  /* Of a whole number, which is not NaN; -0 stays.  */
#define MAP_OF_WHOLE(name, low, high) static __device__ __forceinline__ f32 to_##name##_of_whole_ (f32 x) { return fminf (fmaxf (x, low), high); }
  MAP_OF_WHOLE (int8, -128, 127) MAP_OF_WHOLE (uint8, 0, 255) MAP_OF_WHOLE (int16, -32768, 32767) MAP_OF_WHOLE (uint16, 0, 65535)
};

/* What over_ is given, which asks of numbers of other classes that doubles are divided by whether they are within 2^+-100.  */
template <class X> static __device__ __forceinline__ f64 map_inverse (X y) { return 1 / (f64) y; }
static __device__ __forceinline__ f64 map_inverse (f64 y) { return GPR_MAP_DIVIDES (y) ? 1 / y : gpr_make_nan (); }

struct map_quickly : map_by_rules
{
  bool odd = false;
  template <class T, class X> static __device__ __forceinline__ T as (X v) { return (T) v; }
  template <class T> static __device__ __forceinline__ T plus_ (T x, T y) { return GPR_MAP_MADE (x + y); }
  template <class T> static __device__ __forceinline__ T minus_ (T x, T y) { return GPR_MAP_MADE (x - y); }
  template <class T> static __device__ __forceinline__ T times_ (T x, T y) { return GPR_MAP_MADE (x * y); }
  template <class T> static __device__ __forceinline__ T rdivide_ (T x, T y) { return GPR_MAP_MADE (x / y); }
  template <class T> __device__ __forceinline__ T sqrt_ (T x)
  {
    odd |= ! (map_is_usual (x) || x == 0);
    return x == 0 ? x : map_root (x);
  }
  __device__ __forceinline__ f64 exp_ (f64 x)
  {
    odd |= ! (fabs (x) <= GPR_EXP_NEAR);
    return GPR_MAP_MADE (gpr_map_exp_near_f64 (x));
  }
  static __device__ __forceinline__ f32 exp_ (f32 x) { return GPR_MAP_MADE (gpr_map_exp_of_f32 (x)); }
  /* x / y, of inverse, which is 1 / y rounded, or NaN where y is not within 2^+-100.  A quotient of two floats is farther from the middle between two floats than the
     product here is from it; one of doubles is corrected twice: the first time it comes within a unit of its last place, and is then the rounded one (Markstein, IBM
     Journal of Research and Development 34 (1990), 111-119), as long as nothing overflows or underflows: x is within 2^-800 and 2^900.  A zero or an infinity needs no
     correction.  Integers are compared, since a multiprocessor has more units for them.  */
  __device__ __forceinline__ f32 over_ (f32 x, f32, f64 inverse) { return GPR_MAP_MADE ((f32) ((f64) x * inverse)); }
  __device__ __forceinline__ f64 over_ (f64 x, f64 y, f64 inverse)
  {
    const f64 q = x * inverse, closer = fma (fma (-y, q, x), inverse, q), z = fma (fma (-y, closer, x), inverse, closer);
    const unsigned high = (unsigned) __double2hiint (x) << 1, least = (1023u - 800) << 21, most = (1023u + 900) << 21;
    const unsigned infinite = 2047u << 21, one = 1u << 21;        /* the bit above: high + one is 0 or one at both ends */
    static_assert (infinite + one == 0, "the exponent's place");
    const bool plain = high - least < most - least, end = (((high + one) & ~one) | (unsigned) __double2loint (x)) == 0;
    odd |= ! (plain | end) | ! (fabs (inverse) <= 0x1p100 && fabs (inverse) >= 0x1p-100);     /* no number, or of one of another class that is too small or too large */
    return plain ? z : q;
  }
};

/* Of elements that are reduced: which NaN it is does not matter, and nothing is left to be done again.  */
struct map_for_reduction : map_quickly
{
  static __device__ __forceinline__ f64 exp_ (f64 x) { return GPR_MAP_MADE (gpr_map_exp_of_f64 (x)); }
  static __device__ __forceinline__ f32 exp_ (f32 x) { return GPR_MAP_MADE (gpr_map_exp_of_f32 (x)); }
  template <class T> __device__ __forceinline__ T sqrt_ (T x) { return map_sqrt (x, x, &left); }
  template <class T> static __device__ __forceinline__ T over_ (T x, T y, f64) { return rdivide_ (x, y); }
};

#endif
