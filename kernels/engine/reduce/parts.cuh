/* The tree over parts: neighbours merge, level by level.  By a block that took the last
   ticket (ticket.cuh), or by a launch of its own (PARTS).  */

#ifndef GPR_REDUCE_PARTS_CUH
#define GPR_REDUCE_PARTS_CUH

#include "emit.cuh"
#include "merge.cuh"

/* The tree of N parts, stride apart, that are read at once.  */
template <class F, int N>
static __device__ __forceinline__ typename F::A gpr_merge_at_once (const typename F::A *p, int64_t stride)
{
  typename F::A w[N];
#pragma unroll
  for (int i = 0; i < N; i++)
    w[i] = p[i * stride];
#pragma unroll
  for (int h = 1; h < N; h *= 2)
#pragma unroll
    for (int i = 0; i < N; i += 2 * h)
      F::merge (&w[i], w[i + h]);
  return w[0];
}

/* One thread merges count parts, stride apart: 16 or four at once, then what these came to on a stack.  An
   odd last one passes on to the next level.  */
template <class F>
static __device__ __forceinline__ typename F::A gpr_merge_run (const typename F::A *p, int64_t stride, int count)
{
  typedef typename F::A A;
  constexpr bool few = sizeof (A) <= GPR_MERGE_CALL_BYTES;
  constexpr int most = sizeof (A) <= 8 ? 16 : 4;        /* read at once, if few */
  A v, stack[13];               /* of trees of 4, 8, 16 … parts, GPR_MAX_PARTS at most */
  int quads = 0;
#pragma unroll 1
  for (int left = count; left > 0;)
    {
      const int now = few && left >= most ? most : 4;
      if (few && left >= most)
        v = gpr_merge_at_once<F, few ? most : 1> (p, stride);
      else if (few && left >= 4)
        v = gpr_merge_at_once<F, few ? 4 : 1> (p, stride);
      else
        {
          v = p[0];
          if (left > 1)
            F::merge (&v, p[stride]);
          if (left > 2)
            {
              A w = p[2 * stride];
              if (left > 3)
                F::merge (&w, p[3 * stride]);
              F::merge (&v, w);
            }
        }
      int level = now == 4 ? 0 : 2;
#pragma unroll 1
      for (; quads >> level & 1; level++)
        {
          A t = stack[level];
          F::merge (&t, v);
          v = t;
        }
      stack[level] = v;
      left -= now;
      p += now * stride;
      quads += now / 4;
    }
  int level = __ffs (quads) - 1;
  v = stack[level];
#pragma unroll 1
  for (level++; quads >> level; level++)
    if (quads >> level & 1)
      {
        A t = stack[level];
        F::merge (&t, v);
        v = t;
      }
  return v;
}

/* A block merges the parts of width columns of an outer, from column on; width is a power of two, and
   columns at or after a.out_columns are not there.  The first width threads have the results.  tree:
   an accumulator a thread, in shared memory.  */
template <class F>
static __device__ __forceinline__ typename F::A gpr_merge_parts (const gpr_reduce_args &a, int64_t outer, int64_t column, int width, typename F::A *tree)
{
  typedef typename F::A A;
  const int c = threadIdx.x & (width - 1), j = threadIdx.x / width, runs = GPR_REDUCE_THREADS / width;
  int run = 4;
  while (run * runs < a.all_parts)
    run *= 2;
  const int parts = (int) a.all_parts, count = min (run, parts - j * run);
  const bool here = column + c < a.out_columns && count > 0;
  A v = F::init ();
  if (here)
    v = gpr_merge_run<F> ((const A *) a.partials + (outer * parts + (int64_t) j * run) * a.out_stride + column + c, a.out_stride, count);
  int h = 1;
#pragma unroll 1
  for (; h * width < 32 && (int64_t) h * run < parts; h *= 2)
    {
      A t = gpr_from_above (v, h * width);
      if (here && ! (j & (2 * h - 1)) && (j + h) * run < parts)
        F::merge (&v, t);
    }
#pragma unroll 1
  for (; h < runs && (int64_t) h * run < parts; h *= 2)
    {
      __syncthreads ();
      if (here)
        tree[threadIdx.x] = v;
      __syncthreads ();
      if (here && ! (j & (2 * h - 1)) && (j + h) * run < parts)
        F::merge (&v, tree[threadIdx.x + h * width]);
    }
  return v;
}
template <class F>
static __device__ __forceinline__ int gpr_store_parts (const gpr_reduce_args &a, int64_t outer, int64_t column, int width, typename F::A *tree)
{
  const typename F::A v = gpr_merge_parts<F> (a, outer, column, width, tree);
  const int64_t c = column + threadIdx.x;
  return (int) threadIdx.x < width && c < a.out_columns ? gpr_store<F> (a, outer * a.out_stride + c, v) : 0;
}

/* The algorithm PARTS: so many columns a block at once.  Of a subtree the merged accumulators are wanted, not results.  */
template <class F>
static __device__ __forceinline__ int gpr_parts (const gpr_reduce_args &a, typename F::A *tree)
{
  const gpr_parts_args &own = a.own.parts;
  const int64_t across = (a.out_columns + own.columns - 1) / own.columns;
  int needs_fixup = 0;
#pragma unroll 1
  for (int64_t i = blockIdx.x; i < across * a.outers; i += gridDim.x)
    {
      const int64_t outer = i / across, column = (i - outer * across) * own.columns, c = column + threadIdx.x;
      const typename F::A v = gpr_merge_parts<F> (a, outer, column, own.columns, tree);
      if ((int) threadIdx.x < own.columns && c < a.out_columns)
        {
          if (own.merged)
            ((typename F::A *) own.merged)[outer * a.out_stride + c] = v;
          else
            needs_fixup |= gpr_store<F> (a, outer * a.out_stride + c, v);
        }
      __syncthreads ();
    }
  return needs_fixup;
}

#endif
