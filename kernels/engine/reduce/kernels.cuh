/* The kernels of an instance and a Load.  Several, since algorithms that are compiled together
   share one number of registers: `lanes' has those that want many small blocks, `dense' those
   that want many registers, `short' columns of a few elements, `exact_rows' and `exact_columns' what
   extremes with an index, any and all alone have.  */

#ifndef GPR_REDUCE_KERNELS_CUH
#define GPR_REDUCE_KERNELS_CUH

#include "block.cuh"
#include "columns.cuh"
#include "group.cuh"
#include "exact_columns.cuh"
#include "exact_rows.cuh"
#include "lanes.cuh"
#include "merge_warp.cuh"
#include "rows.cuh"
#include "stream.cuh"
#include "thread.cuh"

/* ---- LANES, COLUMNS, ROWS, THREAD of columns of several lanes, PARTS -------------------- */

/* Of 8 lanes, and of 64.  Longer rows of elements of 8 bytes go by single elements: so a row has
   32 threads, and each load of a warp is one stretch of memory.  */
template <class F, class L, int LANES, int V>
static __device__ __forceinline__ int gpr_short_rows (const gpr_reduce_args &a, typename F::A *shared)
{
  if constexpr (V > 1)
    if (a.own.rows.vector)
      return gpr_rows<F, L, LANES, V, 1> (a, shared);
  return gpr_rows<F, L, LANES, 1, 2> (a, shared);
}

/* Four blocks on a multiprocessor keep the memory busy; wide accumulators need registers more, those of variances only so many that three fit.  */
template <class F, class L>
__global__ void __launch_bounds__ (GPR_REDUCE_THREADS, sizeof (typename F::A) <= 16 ? 4 : sizeof (typename F::A) <= 32 ? 3 : 2) reduce_lanes_k (const gpr_reduce_args a)
{
  __shared__ __align__ (16) unsigned char raw[F::width * sizeof (typename F::A)];
  typename F::A *shared = (typename F::A *) raw;
  constexpr bool lanes_of_threads = F::small && ! F::merge_warp;
  int needs_fixup = 0;
  if (L::plain && a.algorithm == GPR_ALGORITHM_PARTS)   /* whatever was read */
    {
      if constexpr (L::plain)
        needs_fixup = gpr_parts<F> (a, shared);
    }
  else if (F::small && a.algorithm == GPR_ALGORITHM_ROWS)
    {
      if constexpr (F::small)
        {
          if (a.lanes == 8)
            needs_fixup = gpr_short_rows<F, L, 8, F::vector> (a, shared);
          else
            needs_fixup = gpr_short_rows<F, L, 64, sizeof (typename F::X) < 8 ? F::vector : 1> (a, shared);
        }
    }
  else if (F::columns && a.algorithm == GPR_ALGORITHM_COLUMNS)
    {
      constexpr int V = GPR_COLUMNS_VECTOR (sizeof (typename F::X));
      if constexpr (F::columns)
        {
          if (V > 1 && a.own.columns.vector)
            needs_fixup = gpr_columns<F, L, V> (a, shared);
          else
            needs_fixup = gpr_columns<F, L, 1> (a, shared);
        }
    }
  else if (lanes_of_threads && a.algorithm == GPR_ALGORITHM_THREAD)
    {
      if constexpr (lanes_of_threads)
        needs_fixup = gpr_thread_some_lanes<F, L, false> (a);
    }
  else if (F::lanes_vector > 1 && a.own.lanes.vector)
    needs_fixup = gpr_lanes<F, L, F::lanes_vector> (a, shared);
  else
    needs_fixup = gpr_lanes<F, L, 1> (a, shared);
  gpr_report (a.out, needs_fixup);
}

/* ---- THREAD, of short columns ------------------------------------------------------------- */

/* In dense blocks too few threads are on a multiprocessor for what little each has on its way; six blocks of 40 registers, though, spill all but sums of singles.  */
template <class F, class L>
__global__ void __launch_bounds__ (GPR_REDUCE_THREADS, sizeof (typename F::A) > 32 ? 2 : 4)
  reduce_short_k (const gpr_reduce_args a)
{
  constexpr int V = GPR_SHORT_COLUMNS (sizeof (typename F::X));
  gpr_report (a.out, V > 1 && a.own.thread.vector ? gpr_thread_columns<F, L, V> (a) : gpr_thread_columns<F, L, 1> (a));
}

/* ---- BLOCK, GROUP, WARPS, THREAD, STREAM ------------------------------------------------ */

/* A block's shared memory: the accumulators of its lanes, twice where two buffers save a
   barrier, or the merge stack of its run of parts; or what a merge warp is handed.  */
template <class F, bool MERGE_WARP = F::merge_warp> struct gpr_dense_shared
{
  static constexpr int V = F::vector, buffers = V * sizeof (typename F::A) <= 64 ? 2 : 1;
  static constexpr int of_lanes = buffers * GPR_REDUCE_THREADS * V, of_stack = F::blocks ? GPR_RUN_LEVELS * F::width : 0;   /* a unit's lanes, too */
  alignas (16) unsigned char raw[(of_lanes > of_stack ? of_lanes : of_stack) * sizeof (typename F::A)];
  __device__ __forceinline__ typename F::A *lanes () { return (typename F::A *) raw; }
  template <class L> __device__ __forceinline__ int block_units (const gpr_reduce_args &a)
  {
    if constexpr (V > 1 && F::small)
      if (! a.own.block.vector)
        return gpr_block_units<F, L, 1> (a, lanes ());
    return gpr_block_units<F, L, V> (a, lanes ());
  }
};
template <class F> struct gpr_dense_shared<F, true>
{
  alignas (16) unsigned char raw[sizeof (gpr_merge_queue<F>)];
  __device__ __forceinline__ typename F::A *lanes () { return (typename F::A *) raw; }
  template <class L> __device__ __forceinline__ int block_units (const gpr_reduce_args &a)
  {
    return gpr_merge_warp_units<F, L> (a, *(gpr_merge_queue<F> *) raw);
  }
};

/* Rows of a block's lanes, in whole vectors by row_threads threads; else, of 4 bytes and
   more, by single elements.  */
template <class F, class L>
static __device__ __forceinline__ int gpr_long_rows (const gpr_reduce_args &a, typename F::A *shared)
{
  if (sizeof (typename F::X) < 4 || a.own.rows.vector)
    return gpr_rows<F, L, F::width, F::vector, F::width / F::row_threads / F::vector> (a, shared);
  if constexpr (sizeof (typename F::X) >= 4)
    return gpr_rows<F, L, F::width, 1, F::width / GPR_ROW_THREADS> (a, shared);
  return 0;
}

/* Which of them an instance has: gpr_reduce_kernels.  What the plan (src/cuda/reduce_plan.c) never
   chooses for it is not compiled.  */
template <class F, class L>
__global__ void __launch_bounds__ (F::merge_warp ? GPR_MERGE_WARP_THREADS : GPR_REDUCE_THREADS,
                                   F::many_blocks ? gpr_tuned::dense_blocks_small : gpr_tuned::dense_blocks)
  reduce_dense_k (const gpr_reduce_args a)
{
  constexpr int V = 16 / sizeof (typename F::X) > 8 ? 8 : 16 / sizeof (typename F::X);
  __shared__ gpr_dense_shared<F> shared;
  int needs_fixup = 0;
  switch (a.algorithm)
    {
    case GPR_ALGORITHM_BLOCK:
      if constexpr (F::blocks)
        needs_fixup = shared.template block_units<L> (a);
      break;
    case GPR_ALGORITHM_GROUP:
      if constexpr (F::small)
        needs_fixup = gpr_group_units<F, L> (a, shared.lanes ());
      break;
    case GPR_ALGORITHM_WARPS:
      if constexpr (F::small && F::row_threads > 0)
        needs_fixup = gpr_long_rows<F, L> (a, shared.lanes ());
      break;
    case GPR_ALGORITHM_THREAD:
      if constexpr (F::small)
        {
          if (a.inner > 1)
            {
              if constexpr (F::merge_warp)
                needs_fixup = gpr_thread_wide_lanes<F, L> (a);
              else
                needs_fixup = gpr_thread_some_lanes<F, L, true> (a);
            }
          else
            needs_fixup = V == 1 || ! a.own.thread.vector ? gpr_thread_units<F, L, 1> (a) : gpr_thread_units<F, L, V> (a);
        }
      break;
    default:
      if constexpr (F::exact && L::plain)
        needs_fixup = gpr_stream_units<F, L> (a, shared.lanes ());
    }
  gpr_report (a.out, needs_fixup);
}

/* ---- EXACT_ROWS, EXACT_COLUMNS ---------------------------------------------------------- */

/* No result needs a fix-up.  A kernel each: in one, accumulators spill.  */
template <class F>
__global__ void __launch_bounds__ (GPR_REDUCE_THREADS, 4) reduce_exact_rows_k (const gpr_reduce_args a) { gpr_exact_rows<F> (a); }
template <class F>
__global__ void __launch_bounds__ (GPR_EXACT_COLUMNS_THREADS, GPR_EXACT_BLOCKS) reduce_exact_columns_k (const gpr_reduce_args a) { gpr_exact_columns<F> (a); }

#endif
