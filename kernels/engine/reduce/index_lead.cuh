/* The greatest element of a few, turned or not, and where the first of that value is: extremes with an
   index, as exact.cuh has it.  */

#ifndef GPR_REDUCE_INDEX_LEAD_CUH
#define GPR_REDUCE_INDEX_LEAD_CUH

#include <limits.h>

#include "best.cuh"
#include "emit.cuh"

/* The position of no element: it comes after all others.  */
enum : unsigned { GPR_NOWHERE = 0xffffffffu };

/* x, at y's position, goes before v: it is greater, or NaN is no more, or it is as good and comes first.  */
template <class X> static __device__ __forceinline__ bool gpr_goes_before (X x, unsigned at, X v, unsigned v_at)
{
  const bool first = at < v_at;
  if constexpr (X (0.5) != X (0))
    return x > v || (v != v ? x == x || first : x == v && first);
  else
    return x > v || (x == v && first);
}

/* One thread's best element so far.  Its elements come by ascending positions, so only a greater one
   takes its place.  Of NaN alone the position is not kept: it is the first there is.  */
template <class X, bool PACKED = sizeof (X) <= 2> struct gpr_lead
{
  static constexpr bool is_float = X (0.5) != X (0);
  X v;
  unsigned at;
  /* first: the position of its first element, or GPR_NOWHERE.  */
  __device__ __forceinline__ void init (unsigned first)
  {
    if constexpr (is_float)
      v = X (NAN);
    else
      v = gpr_best<X, true>::worst ();
    at = first;
  }
  /* Element e of p, where the position of e = 0 is from, and each next one is by further on.  */
  template <int V> __device__ __forceinline__ void take (const gpr_vector<X, V> &p, int e, unsigned from, int by, u64 turn)
  {
    const X x = gpr_turned (p.at (e), turn);
    const bool better = is_float ? (x > v) | (v != v) : x > v;
    v = better ? x : v;
    at = better ? from + e * by : at;
  }
  __device__ __forceinline__ X value () const { return v; }
  __device__ __forceinline__ unsigned place (unsigned first) const { return is_float && v != v ? first : at; }
  /* With the thread's that is distance further on in the warp.  */
  __device__ __forceinline__ void merge_from_above (int distance)
  {
    const X other = __shfl_down_sync (0xffffffffu, v, distance);
    const unsigned other_at = __shfl_down_sync (0xffffffffu, at, distance);
    const bool better = gpr_goes_before (other, other_at, v, at);
    v = better ? other : v;
    at = better ? other_at : at;
  }
};

/* Of 1 and 2 bytes the element is the top of a number whose other bits are the position, counted
   down: the greatest of these numbers is the first of the best, two instructions an element.  */
template <class X> struct gpr_lead<X, true>
{
  static constexpr int BITS = 32 - 8 * sizeof (X);
  static constexpr unsigned LAST = (1u << BITS) - 1;    /* no position: no element */
  int key;
  __device__ __forceinline__ void init (unsigned) { key = INT_MIN; }
  template <int V> __device__ __forceinline__ void take (const gpr_vector<X, V> &p, int e, unsigned from, int by, u64 turn)
  {
    constexpr int in_word = 4 / sizeof (X);
    unsigned word;
    if constexpr (V >= in_word)
      word = p.w[e / in_word];
    else
      word = sizeof (X) == 1 ? (uint8_t) p.v[e] : (uint16_t) p.v[e];   /* not made longer with its sign */
    const unsigned at = V >= in_word ? e % in_word : 0;
    /* The element's bytes above those of the position.  */
    const unsigned bytes = sizeof (X) == 1 ? at << 12 | 0x654 : (2 * at + 1) << 12 | 2 * at << 8 | 0x54;
    const int x = (int) __byte_perm (word ^ (unsigned) turn, LAST - from, bytes) - e * by;
    key = x > key ? x : key;
  }
  __device__ __forceinline__ X value () const { return X (key >> BITS); }
  __device__ __forceinline__ unsigned place (unsigned) const
  {
    const unsigned at = LAST - ((unsigned) key & LAST);
    return at == LAST ? GPR_NOWHERE : at;
  }
  __device__ __forceinline__ void merge_from_above (int distance)
  {
    const int other = __shfl_down_sync (0xffffffffu, key, distance);
    key = other > key ? other : key;
  }
};

/* The element at a row, if v is NaN: which of them does matter.  */
template <class X>
static __device__ __forceinline__ X gpr_first_nan (X v, const X *column, unsigned row, int64_t row_stride, u64 turn)
{
  if constexpr (X (0.5) != X (0))
    if (v != v && row != GPR_NOWHERE)
      return gpr_turned (column[row * row_stride], turn);
  return v;
}

/* V results from output i on; never by mailbox.  */
template <class F, int V>
static __device__ __forceinline__ void gpr_store_leads (const gpr_reduce_args &a, int64_t i, const typename F::X *v, const unsigned *row)
{
  typedef typename F::Y Y;
  const gpr_reduce_out &out = a.out;
  Y y[V];
  int64_t k[V];
#pragma unroll
  for (int e = 0; e < V; e++)
    {
      typename F::A acc;
      acc.i = row[e];
      acc.v = v[e];
      gpr_finish<F> (a, acc, &y[e], &k[e]);
    }
  gpr_write<Y, V> ((Y *) out.value + i, y);
  if (out.index && out.rows)
    {
      double rows[V];
#pragma unroll
      for (int e = 0; e < V; e++)
        rows[e] = (double) (row[e] + 1u);
      gpr_write<double, V> ((double *) out.index + i, rows);
    }
  else if (out.index)
    gpr_write<int64_t, V> (out.index + i, k);
}

template <class F> struct gpr_exact_index
{
  typedef typename F::X X;
  typedef typename F::A A;
  struct kept { X v; unsigned row; };

  template <int V> struct row
  {
    gpr_lead<X> lead;
    __device__ __forceinline__ void init (unsigned first) { lead.init (first); }
    __device__ __forceinline__ void take (const gpr_vector<X, V> &p, unsigned from, u64 turn)
    {
#pragma unroll
      for (int e = 0; e < V; e++)
        lead.template take<V> (p, e, from, 1, turn);
    }
    template <int R> static __device__ __forceinline__ void merge_rows (row *rows, unsigned group)
    {
#pragma unroll 1
      for (int d = group / 2; d > 0; d /= 2)
#pragma unroll
        for (int r = 0; r < R; r++)
          rows[r].lead.merge_from_above (d);
    }
    __device__ __forceinline__ void store (const gpr_reduce_args &a, int64_t i, const X *x) const
    {
      const unsigned at = lead.place (0);
      const X v = gpr_first_nan (lead.value (), x, at, 1, a.load.array.turn);
      gpr_store_leads<F, 1> (a, i, &v, &at);
    }
  };

  template <int V> struct columns
  {
    gpr_lead<X> lead[V];
    __device__ __forceinline__ void init (int e, unsigned first) { lead[e].init (first); }
    __device__ __forceinline__ void take (const gpr_vector<X, V> &p, unsigned step, u64 turn)
    {
#pragma unroll
      for (int e = 0; e < V; e++)
        lead[e].template take<V> (p, e, step, 0, turn);
    }
    __device__ __forceinline__ void take_one (int e, const gpr_vector<X, 1> &p, unsigned step, u64 turn)
    {
      lead[e].template take<1> (p, 0, step, 0, turn);
    }
    template <class ROW> __device__ __forceinline__ kept kept_of (int e, unsigned first, ROW row_at) const
    {
      const unsigned at = lead[e].place (first);
      return { lead[e].value (), at == GPR_NOWHERE ? at : row_at (at) };
    }
  };

  /* Apart: together they would be padded.  */
  template <int N> struct lanes
  {
    X v[N];
    unsigned row[N];
    __device__ __forceinline__ kept get (int i) const { return { v[i], row[i] }; }
    __device__ __forceinline__ void put (int i, const kept &k)
    {
      v[i] = k.v;
      row[i] = k.row;
    }
    __device__ __forceinline__ void merge (int to, int from)
    {
      if (gpr_goes_before (v[from], row[from], v[to], row[to]))
        put (to, get (from));
    }
  };

  static __device__ __forceinline__ void merge (kept &k, const kept &b)
  {
    const bool better = gpr_goes_before (b.v, b.row, k.v, k.row);
    k.v = better ? b.v : k.v;
    k.row = better ? b.row : k.row;
  }
  static __device__ __forceinline__ void settle (const gpr_reduce_args &a, kept &k, const X *column, int64_t row_stride)
  {
    k.v = gpr_first_nan (k.v, column, k.row, row_stride, a.load.array.turn);
  }
  static __device__ __forceinline__ A partial (const kept &k)
  {
    A acc;
    acc.i = k.row == GPR_NOWHERE ? INT64_MAX : k.row;
    acc.v = k.v;
    return acc;
  }
  static __device__ __forceinline__ kept of_partial (const A &acc) { return { acc.v, (unsigned) acc.i }; }      /* INT64_MAX becomes GPR_NOWHERE */
  template <int V> static __device__ __forceinline__ void store (const gpr_reduce_args &a, int64_t i, const kept *k)
  {
    X v[V];
    unsigned row[V];
#pragma unroll
    for (int e = 0; e < V; e++)
      {
        v[e] = k[e].v;
        row[e] = k[e].row;
      }
    gpr_store_leads<F, V> (a, i, v, row);
  }
};

#endif
