/* STREAM: long rows, of reductions that give the same in any order.  Tiles of vectors go to
   whichever block, so that loads are aligned wherever a row begins.  */

#ifndef GPR_REDUCE_STREAM_CUH
#define GPR_REDUCE_STREAM_CUH

#include "stream_index.cuh"
#include "ticket.cuh"

/* Merges what all threads of a block have, in any order; thread 0 gets it.  */
template <class F>
static __device__ __forceinline__ typename F::A gpr_merge_block (typename F::A acc, typename F::A *shared)
{
#pragma unroll 1
  for (int d = 16; d > 0; d /= 2)
    F::merge (&acc, gpr_from_above (acc, d));
  if (threadIdx.x % 32 == 0)
    shared[threadIdx.x / 32] = acc;
  __syncthreads ();
  if (threadIdx.x < 32)
    {
      acc = shared[threadIdx.x % (GPR_REDUCE_THREADS / 32)];
#pragma unroll 1
      for (int d = GPR_REDUCE_THREADS / 64; d > 0; d /= 2)
        F::merge (&acc, gpr_from_above (acc, d));
    }
  __syncthreads ();
  return acc;
}

template <class F>
using gpr_stream_row_of = gpr_stream_row<typename F::X, F::turns>;
template <class F>
using gpr_keeper_of = gpr_keeper<F, F::by_value ? GPR_KEEP_ANY : F::small_sum ? GPR_KEEP_SMALL_SUM : F::extreme ? GPR_KEEP_BEST : F::both ? GPR_KEEP_BOTH : GPR_KEEP_ANY>;

template <class F>
static __device__ __forceinline__ void gpr_step_tile (typename F::A *a, const gpr_stream_row_of<F> &r, int64_t tile)
{
  typedef gpr_stream_row_of<F> R;
  typename R::tile v;
  r.load (v, tile);
  r.arrived (v);
#pragma unroll
  for (int k = 0; k < R::LOADS; k++)
#pragma unroll
    for (int e = 0; e < R::V; e++)
      F::step (a, v[k].at (e), r.index (tile, k) + e);
}

/* The whole tiles piece, piece + pieces, ….  */
template <class F>
static __device__ __forceinline__ void gpr_stream_tiles (typename F::A *a, const gpr_stream_row_of<F> &r, int64_t piece, int64_t pieces)
{
  typedef typename F::X X;
  typedef gpr_stream_row_of<F> R;
  const int64_t tiles = r.whole / R::TILE;
  if constexpr (F::by_value)
    {
      if (tiles <= pieces)              /* one tile at most */
        {
          if (piece < tiles)
            gpr_step_tile<F> (a, r, piece);
          return;
        }
      __shared__ X seen;
      gpr_best_index<X> b;
      b.init (&seen);
      r.each_tile (piece, pieces, [&] (const typename R::tile &v, int64_t tile) { b.take (r, v, tile); });
      if (b.decided ())
        b.template step<F> (a);
      else
#pragma unroll 1
        for (int64_t tile = piece; tile < tiles; tile += pieces)
          gpr_step_tile<F> (a, r, tile);
    }
  else
    {
      gpr_keeper_of<F> keeper;
      keeper.init ();
      r.each_tile (piece, pieces, [&] (const typename R::tile &v, int64_t tile)
        {
#pragma unroll
          for (int k = 0; k < R::LOADS; k++)
            keeper.take (v[k], r.index (tile, k));
          keeper.end_of_tile ();
        });
      *a = keeper.value ();
    }
}

/* The last piece has no more tiles than the others, and what is outside of tiles.  */
template <class F>
static __device__ __forceinline__ typename F::A gpr_stream (const gpr_stream_row_of<F> &r, int64_t piece, int64_t pieces)
{
  typename F::A a = F::init ();
  gpr_stream_tiles<F> (&a, r, piece, pieces);
  if (piece == pieces - 1)
    F::merge (&a, r.template rest<F, gpr_keeper_of<F>> ());
  return a;
}

template <class F, class L>
static __device__ __forceinline__ int gpr_stream_units (const gpr_reduce_args &a, typename F::A *shared)
{
  typedef typename F::A A;
  static_assert (L::plain, "vectors of 16 bytes, as they lie");
  const bool alone = a.outers == 1;
  int needs_fixup = 0, units = 0;

  auto row = [&] (int64_t outer) { return gpr_stream_row_of<F> (L::begin (a.load) + outer * a.outer_stride, a.length, a.load.array.turn); };
  auto finish = [&] (int64_t outer, A acc)
  {
    if (threadIdx.x == 0)
      needs_fixup |= gpr_store<F> (a, outer * a.out_stride, acc);
  };
#pragma unroll 1
  for (int64_t i = blockIdx.x; i < a.units; i += gridDim.x, units++)
    {
      const gpr_unit u = gpr_unit_at (a, i);
      const A acc = gpr_merge_block<F> (gpr_stream<F> (row (u.outer), u.part, a.parts), shared);
      if (a.parts == 1)
        finish (u.outer, acc);
      else
        {
          if (threadIdx.x == 0)
            gpr_emit<F> (a, u.outer, u.part, 0, acc);
          if (! alone && gpr_arrive (a, u.outer, 1, 32))
            finish (u.outer, gpr_merge_parts<F> (a, u.outer, 0, 1, shared));
        }
    }
  if (a.parts > 1 && alone && gpr_arrive (a, 0, units, 32))
    finish (0, gpr_merge_parts<F> (a, 0, 0, 1, shared));
  return needs_fixup;
}

#endif
