/* BLOCK for wide accumulators: a block a unit.  A warp of its own merges, so that the others go on
   with the next unit.  */

#ifndef GPR_REDUCE_MERGE_WARP_CUH
#define GPR_REDUCE_MERGE_WARP_CUH

#include "emit.cuh"
#include "merge.cuh"
#include "steps.cuh"

/* Warps of a block wait for a count and raise it.  Who waited for a count sees what was written
   before it was raised.  */
static __device__ __forceinline__ void gpr_wait_for (const volatile unsigned *count, unsigned least)
{
  while ((int) (*count - least) < 0)
    __nanosleep (100);
  __threadfence_block ();
  __syncwarp ();
}
static __device__ __forceinline__ void gpr_tell (unsigned *count)
{
  __syncwarp ();
  if (threadIdx.x % 32 == 0)
    {
      __threadfence_block ();
      atomicAdd (count, 1);
    }
  __syncwarp ();
}

/* Accumulators of a block's lanes on their way to the merge warp, the last of the block.  */
template <class F> struct gpr_merge_queue
{
  static constexpr int WARPS = GPR_REDUCE_THREADS / 32, buffers = sizeof (typename F::A) <= 40 ? 2 : 1;
  typename F::A acc[buffers][GPR_REDUCE_THREADS], parts[GPR_TICKET_PARTS];
  unsigned written[buffers], merged[buffers];   /* so far: warps that have written theirs, units that are merged */
};

/* The lanes of a part, down to up to 32 columns, in registers: what a thread has is led at once, and then they only add.  False, and nothing is
   changed: some do not join.  */
template <class F>
static __device__ __forceinline__ bool gpr_merge_led_lanes (typename F::A *acc, int columns)
{
  typedef typename F::A A;
  constexpr int EACH = GPR_REDUCE_THREADS / 32;
  const int me = threadIdx.x % 32;
  const A first = acc[me & (columns - 1)];
  A led = first, t[EACH];
  bool joins = true;
  F::lead (&led, first);
#pragma unroll
  for (int w = 0; w < EACH; w++)
    {
      t[w] = acc[w * 32 + me];
      F::lead (&t[w], first);
      joins &= F::joins (&led, &t[w]);
    }
  if (__any_sync (0xffffffffu, ! joins))
    return false;
#pragma unroll
  for (int h = EACH / 2; h > 0; h /= 2)
#pragma unroll
    for (int w = 0; w < h; w++)
      F::join (&t[w], t[w + h]);
#pragma unroll 1
  for (int d = 16; d >= columns; d /= 2)
    F::join (&t[0], gpr_from_across (t[0], d));
  if (me < columns)
    acc[me] = t[0];
  __syncwarp ();
  return true;
}

/* A warp merges count accumulators of each of columns, in shared memory, down to the first of
   each: lanes by halving, count a power of two, or neighbours, pairwise.  All merges of the warp
   are in this one place, which its instruction cache keeps: in three places, gpu_stats took
   15 us more; called by the other warps too, 140 us, since those keep fewer registers.  */
template <class F>
static __device__ __noinline__ void gpr_merge_by_warp (typename F::A *acc, int count, int columns, bool neighbours)
{
  const int me = threadIdx.x % 32;
  if constexpr (F::leads && sizeof (typename F::A) <= 32)
    if (! neighbours && columns <= 32 && gpr_merge_led_lanes<F> (acc, columns))
      return;
  if constexpr (F::leads)
    if (! neighbours && count > 1)
      {
        /* Columns are a power of two: a thread's lanes have one column, or their first is the
           thread's, too, and comes last.  */
        const typename F::A first = acc[me & (columns - 1)];
        __syncwarp ();
#pragma unroll 1
        for (int f = count * columns - 32 + me; f >= 0; f -= 32)
          {
            typename F::A t = acc[f];
            F::lead (&t, columns > 32 ? acc[f & (columns - 1)] : first);
            acc[f] = t;
          }
        __syncwarp ();
      }
  int left = count;             /* accumulators of a column */
#pragma unroll 1
  for (int h = 1; left > 1; h *= 2)
    {
      const int merges = left / 2, distance = neighbours ? h : merges;
#pragma unroll 1
      for (int f = me; f < merges * columns; f += 32)
        {
          typename F::A *at = acc + (neighbours && columns > 1 ? f / columns * 2 * h * columns + f % columns : neighbours ? f * 2 * h : f);
          typename F::A t = *at;
          F::merge_here (&t, at[distance * columns]);
          *at = t;
        }
      left -= merges;
      __syncwarp ();
    }
}

/* A warp has written one of so many results.  True where it was the last.  */
static __device__ __forceinline__ bool gpr_warp_arrives (unsigned *ticket, unsigned count)
{
  unsigned before = 0;
  __threadfence ();
  __syncwarp ();
  if (threadIdx.x % 32 == 0)
    {
      before = atomicAdd (ticket, 1);
      if (before + 1 == count)
        *ticket = 0;
    }
  const bool last = __shfl_sync (0xffffffffu, before, 0) + 1 == count;
  if (last)
    __threadfence ();
  __syncwarp ();
  return last;
}

/* A part is written.  The warp that writes the last of ticket_parts neighbours merges them, into the
   first one's partial; the warp that merges the last of these groups merges those.  */
template <class F>
static __device__ __forceinline__ int gpr_pass_on (const gpr_reduce_args &a, const gpr_unit &u, typename F::A *parts)
{
  typedef typename F::A A;
  const int columns = a.columns, size = a.own.merge_warp.ticket_parts, groups = ((int) a.all_parts + size - 1) / size;
  const int64_t column = u.tile * columns;
  const int me = threadIdx.x % 32;
  unsigned *tickets = a.tickets + (u.outer * a.tiles + u.tile) * (groups + 1);
  A *p = (A *) a.partials + u.outer * a.all_parts * a.out_stride + column;
  int64_t first = (int) u.part / size * size, stride = a.out_stride;
  int count = (int) min ((long long) size, (long long) (a.all_parts - first));

  unsigned *ticket = tickets + (int) u.part / size;
#pragma unroll 1
  for (bool top = groups == 1;; top = true)
    {
      if (! gpr_warp_arrives (ticket, count))
        return 0;
#pragma unroll 1
      for (int f = me; f < count * columns; f += 32)
        parts[f] = p[(first + (f >> a.columns_log2)) * stride + (f & (columns - 1))];
      __syncwarp ();
      gpr_merge_by_warp<F> (parts, count, columns, true);
      if (top)
        break;
      if (me < columns)
        p[first * stride + me] = parts[me];
      ticket = tickets + groups;
      first = 0;
      count = groups;
      stride *= size;
    }
  return me < columns ? gpr_store<F> (a, u.outer * a.out_stride + column + me, parts[me]) : 0;
}

/* What the merge warp does.  */
template <class F>
static __device__ __forceinline__ int gpr_merge_units (const gpr_reduce_args &a, gpr_merge_queue<F> &shared)
{
  typedef gpr_merge_queue<F> Q;
  const int columns = a.columns;
  int needs_fixup = 0, units = 0;

#pragma unroll 1
  for (int64_t i = blockIdx.x; i < a.units; i += gridDim.x, units++)
    {
      const int b = units % Q::buffers, round = units / Q::buffers;
      const gpr_unit u = gpr_unit_at (a, i);
      gpr_wait_for (&shared.written[b], (round + 1) * Q::WARPS);
      gpr_merge_by_warp<F> (shared.acc[b], a.lanes, columns, false);
#pragma unroll 1
      for (int f = threadIdx.x % 32; f < columns; f += 32)
        needs_fixup |= gpr_emit<F> (a, u.outer, u.part, u.tile * columns + f, shared.acc[b][f]);
      gpr_tell (&shared.merged[b]);
      if (F::tickets && a.tickets)
        needs_fixup |= gpr_pass_on<F> (a, u, shared.parts);
    }
  return needs_fixup;
}

/* A thread has one lane.  */
template <class F, class L>
static __device__ __forceinline__ int gpr_merge_warp_units (const gpr_reduce_args &a, gpr_merge_queue<F> &shared)
{
  typedef gpr_merge_queue<F> Q;
  typedef typename F::A A;
  typedef typename L::template terms<1> term;
  constexpr int T = GPR_REDUCE_THREADS, S = gpr_batch_of<F, L::template held<1>>::steps;
  const int columns = a.columns, me = threadIdx.x;
  const int64_t step = (int64_t) a.lanes * a.row_stride;
  int needs_fixup = 0, units = 0;

  if (me < Q::buffers)
    shared.written[me] = shared.merged[me] = 0;
  __syncthreads ();
  if (me >= T)
    return columns < T ? gpr_merge_units<F> (a, shared) : 0;

  /* The last tile of columns may be narrower.  */
  auto locate = [&] (gpr_span<L> *r, int64_t i)
  {
    gpr_locate (r, a, i, me);
    if (r->u.tile * columns + (me & (columns - 1)) >= a.out_columns)
      r->full = r->rest = 0;
    r->full = gpr_steps_of<1> (r->full, r->rest, me);
  };
  typename L::template fixed<1> fixed;
  auto begin = [&] (typename L::cursor x, int full)
  {
    if (full > 0)
      fixed = L::template fix<1> (x, a.load);
  };
  auto fetch = [&] (term *v, typename L::cursor &x, int left)
  {
#pragma unroll
    for (int k = 0; k < S; k++, x += step)
      if (k < left)
        v[k] = L::template take<1> (x, a.load, fixed);
  };
  term v[S], w[S];
  gpr_span<L> r;
  locate (&r, blockIdx.x);              /* there are no more blocks than units */
  typename L::cursor x = r.x;
  int full = r.full;
  begin (x, full);
  fetch (v, x, full);
#pragma unroll 1
  for (int64_t i = blockIdx.x; i < a.units; i += gridDim.x, units++)
    {
      A acc = F::init ();
      int64_t row = 0;
      if (F::indexed)
        {
          locate (&r, i);
          row = r.row + (me >> a.columns_log2);
        }
      const int steps = full;           /* of this unit; full becomes the next one's */
      auto work = [&] (const term *v, int s)
      {
        gpr_batch<F, S> (&acc, [&] (int k) { return v[k].at (0, a.load); }, row + (int64_t) s * a.lanes, a.lanes, steps - s);
      };
      /* In one place, which the instruction cache keeps: in the end the first batch of the next unit is asked for.  */
#pragma unroll 1
      for (int s = 0;; s += 2 * S)
        {
          const bool last = s + 2 * S >= steps;
          int left = steps - s - 2 * S;
          fetch (w, x, steps - s - S);
          work (v, s);
          if (last)
            {
              full = 0;
              if (i + gridDim.x < a.units)
                {
                  locate (&r, i + gridDim.x);
                  x = r.x;
                  full = r.full;
                  begin (x, full);
                }
              left = full;
            }
          fetch (v, x, left);
          work (w, s + S);
          if (last)
            break;
        }
      if (columns >= T)
        {
          locate (&r, i);
          needs_fixup |= gpr_emit<F> (a, r.u.outer, r.u.part, r.u.tile * columns + me, acc);
          continue;
        }
      const int b = units % Q::buffers, round = units / Q::buffers;
      gpr_wait_for (&shared.merged[b], round);
      shared.acc[b][me] = acc;
      gpr_tell (&shared.written[b]);
    }
  return needs_fixup;
}

#endif
