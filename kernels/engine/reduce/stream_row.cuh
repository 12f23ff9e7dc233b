/* A long row for STREAM: its vectors, its tiles, and what a thread keeps of them.  */

#ifndef GPR_REDUCE_STREAM_ROW_CUH
#define GPR_REDUCE_STREAM_ROW_CUH

#include "best.cuh"

/* A row, which may begin anywhere, as vectors of 16 bytes; so many of them are a tile.  The
   elements before the first whole vector, and those after the last whole tile, are read by
   the row's last piece (rest).  TURNS: of turned elements.  */
template <class X, bool TURNS> struct gpr_stream_row
{
  static constexpr int V = 16 / sizeof (X), LOADS = sizeof (X) <= 2 ? GPR_TILE_VECTORS_SMALL : GPR_TILE_VECTORS, TILE = LOADS * GPR_REDUCE_THREADS;      /* vectors */
  const X *x;
  const gpr_vector16<X> *vectors;
  int64_t n, whole;
  int head;
  u64 turn;
  __device__ __forceinline__ gpr_stream_row (const X *from, int64_t count, u64 turned_by)
  {
    x = from;
    n = count;
    turn = turned_by;
    head = (int) ((16 - (uintptr_t) x % 16) % 16 / sizeof (X));
    if (head > n)
      head = (int) n;
    vectors = (const gpr_vector16<X> *) (x + head);
    whole = (n - head) / V;
  }
  typedef gpr_vector16<X> tile[LOADS];
  /* This thread's k-th vector of a tile.  */
  __device__ __forceinline__ int64_t vector (int64_t tile, int k) const { return tile * TILE + k * GPR_REDUCE_THREADS + threadIdx.x; }
  __device__ __forceinline__ void load (tile &v, int64_t t) const
  {
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      v[k] = vectors[vector (t, k)];
  }
  /* Once it is used: to turn what is on its way would wait for it.  */
  __device__ __forceinline__ void arrived (tile &v) const
  {
    if constexpr (TURNS)
#pragma unroll
      for (int k = 0; k < LOADS; k++)
        v[k] = v[k].turned (turn);
  }
  __device__ __forceinline__ gpr_vector16<X> vector_at (int64_t p) const
  {
    if constexpr (TURNS)
      return vectors[p].turned (turn);
    else
      return vectors[p];
  }
  __device__ __forceinline__ X element_at (int64_t i) const
  {
    if constexpr (TURNS)
      return gpr_turned (x[i], turn);
    else
      return x[i];
  }
  /* The whole tiles first, first + stride, …; the next one is on its way meanwhile.  */
  template <class Work> __device__ __forceinline__ void each_tile (int64_t first, int64_t stride, Work work) const
  {
    const int64_t tiles = whole / TILE;
    tile v, w;
    if constexpr (sizeof (X) <= 2)      /* more warps do better: a tile at a time */
      {
#pragma unroll 1
        for (int64_t t = first; t < tiles; t += stride)
          {
            load (v, t);
            arrived (v);
            work (v, t);
          }
        return;
      }
    if (first < tiles)
      load (v, first);
#pragma unroll 1
    for (int64_t t = first; t < tiles; t += 2 * stride)
      {
        if (t + stride < tiles)
          load (w, t + stride);
        arrived (v);
        work (v, t);
        if (t + 2 * stride < tiles)
          load (v, t + 2 * stride);
        if (t + stride < tiles)
          {
            arrived (w);
            work (w, t + stride);
          }
      }
  }
  __device__ __forceinline__ int64_t index (int64_t tile, int k) const { return head + vector (tile, k) * V; }
  /* The elements outside of whole tiles, in accumulators of their own: those of the tiles come
     from elsewhere in the row, and the order matters to indices.  Vectors are all asked for at once, since many
     a row is shorter than a tile; those of small elements are kept by K.  */
  template <class F, class K> __device__ __forceinline__ typename F::A rest () const
  {
    const int64_t tail = head + whole * V, last = whole / TILE;       /* the tile that is not whole */
    typename F::A a = F::init ();
    tile v;
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      if (vector (last, k) < whole)
        v[k] = vectors[vector (last, k)];
    if ((int) threadIdx.x < head)
      F::step (&a, element_at (threadIdx.x), threadIdx.x);
    K keeper;
    keeper.init ();
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      {
        const int64_t p = vector (last, k);
        if (p >= whole)
          continue;
        if constexpr (TURNS)
          v[k] = v[k].turned (turn);
        if constexpr (sizeof (X) <= 2)
          keeper.take (v[k], head + p * V);
        else
#pragma unroll
          for (int e = 0; e < V; e++)
            F::step (&a, v[k].at (e), head + p * V + e);
      }
    if constexpr (sizeof (X) <= 2)
      {
        keeper.end_of_tile ();
        F::merge (&a, keeper.value ());
      }
    if (tail + threadIdx.x < n)
      F::step (&a, element_at (tail + threadIdx.x), tail + threadIdx.x);
    return a;
  }
};

/* What a thread keeps of the vectors it reads.  */
enum { GPR_KEEP_ANY, GPR_KEEP_SMALL_SUM, GPR_KEEP_BEST, GPR_KEEP_BOTH };
template <class F, int KIND> struct gpr_keeper                  /* GPR_KEEP_ANY */
{
  typename F::A a;
  __device__ __forceinline__ void init () { a = F::init (); }
  __device__ __forceinline__ void take (const gpr_vector16<typename F::X> &p, int64_t at)
  {
#pragma unroll
    for (int e = 0; e < 16 / (int) sizeof (typename F::X); e++)
      F::step (&a, p.at (e), at + e);
  }
  __device__ __forceinline__ void end_of_tile () {}
  __device__ __forceinline__ typename F::A value () const { return a; }
};
template <class F> struct gpr_keeper<F, GPR_KEEP_SMALL_SUM>                     /* sums of 1 and 2 bytes: 32 bits a tile */
{
  typename F::A a;
  int small;
  __device__ __forceinline__ void init () { a = F::init (); small = 0; }
  __device__ __forceinline__ void take (const gpr_vector16<typename F::X> &p, int64_t)
  {
    constexpr bool is_signed = typename F::X (-1) < typename F::X (0);
#pragma unroll
    for (int i = 0; i < 4; i++)
      {
        const unsigned w = p.w[i];
        if (sizeof (typename F::X) == 1)
          small = is_signed ? __dp4a ((int) w, 0x01010101, small) : (int) __dp4a (w, 0x01010101u, (unsigned) small);
        else
          small += is_signed ? (int) (short) w + ((int) w >> 16) : (int) ((w & 0xffff) + (w >> 16));
      }
  }
  __device__ __forceinline__ void end_of_tile () { a += small; small = 0; }
  __device__ __forceinline__ typename F::A value () const { return a; }
};
template <class F> struct gpr_keeper<F, GPR_KEEP_BEST>                          /* the largest */
{
  gpr_best<typename F::X, true> b;
  __device__ __forceinline__ void init () { b.init (); }
  __device__ __forceinline__ void take (const gpr_vector16<typename F::X> &p, int64_t) { b.take (p); }
  __device__ __forceinline__ void end_of_tile () {}
  __device__ __forceinline__ typename F::A value () const { return b.value (); }
};
template <class F> struct gpr_keeper<F, GPR_KEEP_BOTH>                          /* the smallest and the largest */
{
  gpr_best<typename F::X, false> least;
  gpr_best<typename F::X, true> most;
  __device__ __forceinline__ void init () { least.init (); most.init (); }
  __device__ __forceinline__ void take (const gpr_vector16<typename F::X> &p, int64_t) { least.take (p); most.take (p); }
  __device__ __forceinline__ void end_of_tile () {}
  __device__ __forceinline__ typename F::A value () const { return { least.value (), most.value () }; }
};

#endif
