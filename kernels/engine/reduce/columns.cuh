/* COLUMNS: a warp goes down neighbouring columns of a slab, V of a thread, a lane of a part at a time; a block has the lanes of a
   run of parts, and merges them.  So every thread has work, however many columns there are, and rows may begin anywhere.  */

#ifndef GPR_REDUCE_COLUMNS_CUH
#define GPR_REDUCE_COLUMNS_CUH

#include "emit.cuh"
#include "merge.cuh"
#include "steps.cuh"

/* The lanes of count parts of one column, stride apart, as the tree has them.  The first has the result.  Where they lie: gpr_merge_run, whose
   parts come from the device's memory, has a stack, and takes longer (doc/experiments.md).  */
template <class F>
static __device__ __forceinline__ void gpr_merge_column (typename F::A *lane, int lanes, int count, int stride)
{
  typedef typename F::A A;
  const int part = lanes * stride;
#pragma unroll 1
  for (int p = 0; p < count; p++)
    {
      A *const first = lane + p * part;
      if constexpr (F::leads)
        {
          const A lead = *first;
#pragma unroll 1
          for (int q = 0; q < lanes && lanes > 1; q++)
            F::lead (first + q * stride, lead);
        }
#pragma unroll 1
      for (int h = lanes / 2; h > 0; h /= 2)
#pragma unroll 1
        for (int q = 0; q < h; q++)
          gpr_merge_at<F> (first + q * stride, h * stride);
    }
#pragma unroll 1
  for (int h = 1; h < count; h *= 2)
#pragma unroll 1
    for (int p = 0; p + h < count; p += 2 * h)
      {
        A all = lane[p * part];
        F::merge (&all, lane[(p + h) * part]);
        lane[p * part] = all;
      }
}

template <class F, class L, int V>
static __device__ __forceinline__ int gpr_columns (const gpr_reduce_args &a, typename F::A *shared)
{
  typedef typename F::X X;
  typedef typename F::A A;
  constexpr int W = 32 * V, held = L::template held<V>;
  constexpr int S = F::heavy || held >= 64 ? 1 : held >= 4 ? 64 / held : 16;
  const gpr_columns_args &own = a.own.columns;
  const int lanes = a.lanes, thread = threadIdx.x % 32, warps = blockDim.x / 32;
  const int64_t step = lanes * a.row_stride;
  int needs_fixup = 0;

#pragma unroll 1
  for (int64_t i = blockIdx.x; i < a.units; i += gridDim.x)
    {
      const int64_t slab = gpr_quotient (i, own.across, own.by_across), outer = a.parts == 1 ? slab : gpr_quotient (slab, a.parts, a.by_parts), run = slab - outer * a.parts;
      const int64_t first = (i - slab * own.across) * W, column = first + thread * V, row0 = run * own.run * a.rows, left = a.length - row0;
      const int parts = left < (int64_t) own.run * a.rows ? (int) ((left + a.rows - 1) / a.rows) : own.run;
      const typename L::cursor top = L::begin (a.load) + outer * a.outer_stride + column;
      typename L::template fixed<V> fixed;
      if (column < a.out_columns)
        fixed = L::template fix<V> (top, a.load);
#pragma unroll 1
      for (int w = threadIdx.x / 32; w < parts * lanes; w += warps)
        {
          const int64_t row = row0 + (int64_t) (w >> a.lanes_log2) * a.rows + (w & (lanes - 1)), here = a.length - row;
          const int to_end = a.rows - (w & (lanes - 1)), rows = here < to_end ? (int) here : to_end;
          const int steps = column < a.out_columns && rows > 0 ? (rows + lanes - 1) >> a.lanes_log2 : 0;
          typename L::cursor x = top + row * a.row_stride;
          A acc[V];
#pragma unroll
          for (int e = 0; e < V; e++)
            acc[e] = F::init ();
          auto go = [&] (int count) {
            typename L::template terms<V> v[S];
#pragma unroll
            for (int k = 0; k < S; k++)
              if (k < count)
                v[k] = L::template take<V> (x + k * step, a.load, fixed);
            x += S * step;
            if (F::marks && count == S
                && gpr_plain_products<F, V, S> ([&] (int e) -> A & { return acc[e]; }, [&] (int e, int k) { return v[k].at (e, a.load); }))
              return;
#pragma unroll
            for (int e = 0; e < V; e++)
              gpr_batch<F, S> (&acc[e], [&] (int k) { return ! L::costs || k < count ? v[k].at (e, a.load) : X (); }, 0, 1, count);
          };
          int s = 0;
#pragma unroll 1
          for (; s + S <= steps; s += S)
            go (S);
          if (s < steps)
            go (steps - s);
#pragma unroll
          for (int e = 0; e < V; e++)
            shared[w * W + thread * V + e] = acc[e];
        }
      __syncthreads ();
#pragma unroll 1
      for (int c = threadIdx.x; c < W; c += blockDim.x)
        {
          gpr_merge_column<F> (shared + c, lanes, parts, W);
          needs_fixup |= gpr_emit<F> (a, outer, run, first + c, shared[c]);
        }
      __syncthreads ();
    }
  return needs_fixup;
}

#endif
