/* Exact sums: a thread keeps an expansion, and what falls out goes to a sink.  */

#include "engine.h"
#include "exact.h"
#include "exact/expansions.cuh"
#include "exact/sources.cuh"

static __device__ int64_t number_of (const gpr_exact_args &a, int64_t output)
{
  const int64_t o = a.columns == 1 ? output : output / a.columns;
  return output - o * a.columns + a.outer_stride * o;
}

template <int LEVELS> static __device__ void put (const gpr_exact_args &a, int64_t output, f64 (&e)[LEVELS], const global_sink &sink)
{
  f64 y;
  if (a.totals)
    pour_left (e, sink);
  else if (rounded (e, a.single, &y))
    gpr_long_put (y, a.value, output, a.single);
  else
    sink.leave ();
}

/* Outputs are neighbours in a block, or the threads that share one are.  */
template <class F> __global__ void __launch_bounds__ (GPR_EXACT_THREADS, 3) exact_outputs_k (const gpr_exact_args a)
{
  enum { LEVELS = 8, BATCH = 8 / F::TERMS };
  __shared__ f64 others[LEVELS][GPR_EXACT_THREADS];
  const int64_t outputs = a.columns * a.outers;
  const int each = a.each, tid = threadIdx.x;
  const int mine = a.side_by_side ? tid / a.split : tid % each, part = a.side_by_side ? tid % a.split : tid / each;
  const int64_t groups = (outputs + each - 1) / each;

  for (int64_t unit = blockIdx.x; unit < groups * a.pieces; unit += gridDim.x)
    {
      const int64_t group = unit / a.pieces, piece = unit - group * a.pieces, output = group * each + mine;
      const int64_t first = piece * a.piece + part, end = a.rows < (piece + 1) * a.piece ? a.rows : (piece + 1) * a.piece;
      const bool there = output < outputs && part < a.split;
      const global_sink sink = { there && a.totals ? a.totals + output : NULL, there ? a.marks + output : NULL, a.some_marked };
      f64 e[LEVELS] = { 0 };

      if (there && first < end)
        add_numbers<F, BATCH> (a, e, number_of (a, output) + first * a.row_stride, a.split * a.row_stride, (end - first + a.split - 1) / a.split, sink);
      if (a.split > 1 && a.side_by_side)
        join_warp (e, a.split / 2, 1, sink);
      else if (a.split > 1)
        {
          for (int level = 0; level < LEVELS; level++)
            others[level][tid] = e[level];
          __syncthreads ();
          for (int p = 1; p < a.split && part == 0; p++)
            #pragma unroll
            for (int level = 0; level < LEVELS; level++)
              add_double (e, level, others[level][p * each + mine], sink);
          __syncthreads ();
        }
      if (there && part == 0)
        put (a, output, e, sink);
    }
}

/* What the threads of a block have in shared memory.  */
template <int COLUMNS, int LEVELS> struct shared_sums
{
  u32 bins[COLUMNS * BIN], seen[COLUMNS];
  int used[COLUMNS];
  f64 others[GPR_EXACT_THREADS / 32][COLUMNS][LEVELS];
  gpr_long_sum total;
};

/* Limb i of a column's bins.  */
static __device__ i64 limb_of (const u32 *bins, int i)
{
  i64 limb = 0;
  for (int w = 0; w < WORDS && w <= i; w++)
    limb += (i64) bins[w * GPR_LONG_LIMBS + i - w] - (i64) bins[NEGATIVE + w * GPR_LONG_LIMBS + i - w];
  return limb;
}

/* A block adds count numbers at + k*step, of columns one after the other, to outputs from this one on.  */
template <class F, int COLUMNS>
static __device__ void add_block (const gpr_exact_args &a, shared_sums<COLUMNS, F::LEVELS> *s, int columns, int64_t at, int64_t step, int64_t count,
                                  int64_t output)
{
  enum { LEVELS = F::LEVELS };
  const int tid = threadIdx.x, threads = a.threads, working = threads / columns * columns, column = tid % columns;
  const bool neighbours = (columns & (columns - 1)) == 0;       /* whose lanes of a warp join */

  for (int i = tid; i < columns * BIN; i += threads)
    s->bins[i] = 0;
  if (tid < columns)
    s->seen[tid] = s->used[tid] = 0;
  __syncthreads ();

  const shared_sink sink = { s->bins + column * BIN, &s->seen[column], &s->used[column] };
  f64 e[LEVELS] = { 0 };
  if (tid < working && tid < count)
    add_numbers<F, F::BATCH> (a, e, at + tid * step, working * step, (count - tid + working - 1) / working, sink);
  if (neighbours)
    join_warp (e, 16, columns, sink);
  else if (tid < working)
    {
      pour_left (e, sink);
      for (int level = 0; level < LEVELS; level++)
        e[level] = 0;
    }
  if (tid % 32 < columns)
    for (int level = 0; level < LEVELS; level++)
      s->others[tid / 32][tid % 32][level] = e[level];
  __syncthreads ();
  for (int warp = 1; warp < threads / 32 && tid < columns; warp++)
    #pragma unroll
    for (int level = 0; level < LEVELS; level++)
      add_double (e, level, s->others[warp][tid][level], sink);

  const global_sink to = { a.totals ? a.totals + output + column : NULL, NULL, NULL };
  f64 y;
  if (a.totals && tid < columns)
    {
      pour_left (e, to);
      if (s->seen[tid])
        to.see (s->seen[tid]);
    }
  else if (tid < columns && ! s->used[tid] && rounded (e, a.single, &y))
    gpr_long_put (y, a.value, output + tid, a.single);
  else if (tid < columns)
    pour_left (e, sink);
  __syncthreads ();
  for (int c = 0; c < columns; c++)
    {
      if (! s->used[c])
        continue;
      for (int i = tid; i < GPR_LONG_LIMBS; i += threads)
        {
          const i64 limb = limb_of (s->bins + c * BIN, i);
          if (! a.totals)
            s->total.limb[i] = limb;
          else if (limb != 0)
            atomicAdd ((unsigned long long *) &a.totals[output + c].limb[i], (unsigned long long) limb);
        }
      if (a.totals)
        continue;
      __syncthreads ();
      if (tid == 0)
        {
          s->total.seen = s->seen[c];
          gpr_long_put (gpr_long_value (&s->total, a.single), a.value, output + c, a.single);
        }
      __syncthreads ();
    }
}

template <class F, int COLUMNS> __global__ void __launch_bounds__ (GPR_EXACT_THREADS, 4) exact_runs_k (const gpr_exact_args a)
{
  __shared__ shared_sums<COLUMNS, F::LEVELS> s;
  const int64_t count = a.columns * a.rows;

  for (int64_t unit = blockIdx.x; unit < a.outers * a.pieces; unit += gridDim.x)
    {
      const int64_t o = unit / a.pieces, from = (unit - o * a.pieces) * a.piece, left = count - from;
      add_block<F, COLUMNS> (a, &s, COLUMNS == 1 ? 1 : (int) a.columns, o * a.outer_stride + from, 1, left < a.piece ? left : a.piece, o * a.columns);
      __syncthreads ();
    }
}

/* A block looks at a tile of marks, and computes the marked outputs one by one.  */
template <class F> __global__ void __launch_bounds__ (GPR_EXACT_MARKED_THREADS) exact_marked_k (const gpr_exact_args a)
{
  __shared__ shared_sums<1, F::LEVELS> s;
  __shared__ u64 marks[GPR_EXACT_MARKED_THREADS];
  const int64_t outputs = a.columns * a.outers;

  if (! *a.some_marked)
    return;
  for (int64_t first = (int64_t) blockIdx.x * GPR_EXACT_TILE; first < outputs; first += (int64_t) gridDim.x * GPR_EXACT_TILE)
    {
      marks[threadIdx.x] = ((const u64 *) (a.marks + first))[threadIdx.x];
      if (__syncthreads_or (marks[threadIdx.x] != 0))
        for (int i = 0; i < GPR_EXACT_TILE; i++)
          if (marks[i / 8] >> i % 8 * 8 & 1)
            {
              add_block<F, 1> (a, &s, 1, number_of (a, first + i), a.row_stride, a.rows, first + i);
              __syncthreads ();
            }
      __syncthreads ();
    }
}

__global__ void __launch_bounds__ (32) exact_finish_k (const gpr_exact_args a)
{
  __shared__ gpr_long_sum s;
  for (int64_t output = blockIdx.x; output < a.columns * a.outers; output += gridDim.x)
    {
      for (int i = threadIdx.x; i < GPR_LONG_LIMBS; i += 32)
        s.limb[i] = a.totals[output].limb[i];
      if (threadIdx.x == 0)
        s.seen = a.totals[output].seen;
      __syncthreads ();
      if (threadIdx.x == 0)
        gpr_long_put (gpr_long_value (&s, a.single), a.value, output, a.single);
      __syncthreads ();
    }
}

template <class F> static const gpr_exact_kernels *kernels_of ()
{
  static const gpr_exact_kernels k = {
    (const void *) exact_outputs_k<F>, { (const void *) exact_runs_k<F, 1>, (const void *) exact_runs_k<F, GPR_EXACT_RUN_COLUMNS> },
    (const void *) exact_marked_k<F> };
  return &k;
}

extern "C" const gpr_exact_kernels *gpr_engine_exact (enum gpr_elem elem, bool products, bool omit_nan)
{
  switch ((int) elem)
    {
    case GPR_f64: return products ? kernels_of<product_source<f64, false>> () : omit_nan ? kernels_of<number_source<f64, true>> ()
                         : kernels_of<number_source<f64, false>> ();
    case GPR_f32: return products ? kernels_of<product_source<f32, false>> () : omit_nan ? kernels_of<number_source<f32, true>> ()
                         : kernels_of<number_source<f32, false>> ();
    case GPR_c128: return products ? kernels_of<product_source<f64, true>> () : gpr_engine_exact (GPR_f64, false, omit_nan);
    case GPR_c64: return products ? kernels_of<product_source<f32, true>> () : gpr_engine_exact (GPR_f32, false, omit_nan);
    default: return 0;
    }
}

extern "C" const void *gpr_engine_exact_finish (void) { return (const void *) exact_finish_k; }
