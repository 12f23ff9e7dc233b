/* Kernels with one fault each: the descriptor's fault says which kind, the line
   marked HERE and the kernel's name where.  Elements are ones.  */

#include <unistd.h>

#include "ladder.h"

#define KERNEL(name) template <class Op> __global__ void name (reduce_args<Op> a)
#define HEAD \
  typedef typename Op::T T; \
  T *s = shared<T> (); \
  int t = threadIdx.x; \
  int64_t i = (int64_t) blockIdx.x * blockDim.x + t; \
  (void) s; (void) i
#define VARIANT(name, kind) \
  LADDER_VARIANT (name) \
  { \
    v.fault = kind; \
    v.shared_per_thread = 1; \
    REDUCE_KERNELS (v, name); \
  }

KERNEL (global_bounds)
{
  HEAD;
  finish (a, a.x[i + 25]);      /* HERE global_bounds */
}
VARIANT (global_bounds, "out of bounds")

KERNEL (global_before)
{
  HEAD;
  finish (a, a.x[i - 1]);       /* HERE global_before */
}
VARIANT (global_before, "out of bounds")

KERNEL (null_pointer)
{
  HEAD;
  a.result = NULL;
  *a.result = 1;                /* HERE null_pointer */
}
VARIANT (null_pointer, "out of bounds")

KERNEL (input_written)
{
  HEAD;
  if (i < a.n)
    a.x[i] = 0;                 /* HERE input_written */
  finish (a, Op::identity ());
}
VARIANT (input_written, "out of bounds")

KERNEL (static_bounds)
{
  HEAD;
  __shared__ T few[40];
  if (t < 41)
    few[t] = 1;                 /* HERE static_bounds */
  finish (a, Op::identity ());
}
VARIANT (static_bounds, "out of bounds")

KERNEL (dynamic_bounds)
{
  HEAD;
  s[t + 1] = 1;                 /* HERE dynamic_bounds */
  finish (a, Op::identity ());
}
VARIANT (dynamic_bounds, "out of bounds")

KERNEL (dynamic_unwritten)
{
  HEAD;
  if (t != 5)
    s[t] = 1;
  __syncthreads ();
  T v = s[t];                   /* HERE dynamic_unwritten */
  finish (a, v);
}
VARIANT (dynamic_unwritten, "uninitialised read")

KERNEL (static_unwritten)
{
  HEAD;
  __shared__ T one;
  if (a.n < 0)
    one = 1;
  __syncthreads ();
  T v = one;                    /* HERE static_unwritten */
  finish (a, v);
}
VARIANT (static_unwritten, "uninitialised read")

KERNEL (partial_unwritten)
{
  HEAD;
  T v = a.partial[blockIdx.x];  /* HERE partial_unwritten */
  finish (a, v);
}
VARIANT (partial_unwritten, "uninitialised read")

KERNEL (race_in_block)
{
  HEAD;
  s[t] = 1;
  __syncthreads ();
  T v = s[(t + 32) % blockDim.x];
  s[t] = v + 1;                 /* HERE race_in_block */
  __syncthreads ();
  finish (a, s[0]);
}
VARIANT (race_in_block, "race")

KERNEL (all_add_to_one)
{
  HEAD;
  if (t == 0)
    s[0] = 0;
  __syncthreads ();
  s[0] += 1;                    /* HERE all_add_to_one */
  __syncthreads ();
  finish (a, s[0]);
}
VARIANT (all_add_to_one, "race")

KERNEL (race_in_warp)
{
  HEAD;
  volatile T *w = s;
  w[t] = 1;
  __syncthreads ();
  if (t < 16)
    w[t] = w[t] + w[t + 1];     /* HERE race_in_warp */
  __syncthreads ();
  finish (a, s[0]);
}
VARIANT (race_in_warp, "race")

KERNEL (partial_syncwarp)
{
  HEAD;
  s[t] = 1;
  if (t < 8)
    {
      __syncwarp (0xff);
      s[t] = s[t + 8] + 0;      /* HERE partial_syncwarp */
    }
  finish (a, s[0]);
}
VARIANT (partial_syncwarp, "race")

/* As students write it: loaded, and combined at once.  */
KERNEL (load_without_barrier)
{
  HEAD;
  s[t] = i < a.n ? a.x[i] : Op::identity ();    /* LOAD load_without_barrier */
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2)
    {
      if (t < stride)
        s[t] = Op::combine (s[t], s[t + stride]);       /* HERE load_without_barrier */
      __syncthreads ();
    }
  finish (a, s[0]);
}
VARIANT (load_without_barrier, "race")

/* The others are over with their kernel, and read what is being combined.  */
KERNEL (barrier_in_branch)
{
  HEAD;
  s[t] = i < a.n ? a.x[i] : Op::identity ();
  __syncthreads ();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2)
    if (t < stride)
      {
        s[t] = Op::combine (s[t], s[t + stride]);
        __syncthreads ();       /* HERE barrier_in_branch */
      }
  finish (a, s[0]);
}
VARIANT (barrier_in_branch, "barrier divergence")

KERNEL (no_barrier_in_loop)
{
  HEAD;
  s[t] = 1;
  __syncthreads ();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2)
    if (t < stride)
      s[t] = Op::combine (s[t], s[t + stride]); /* HERE no_barrier_in_loop */
  finish (a, t ? Op::identity () : s[0]);
}
VARIANT (no_barrier_in_loop, "race")

/* A race that is one, though its block goes on to spin for another.  */
KERNEL (race_then_spin)
{
  HEAD;
  volatile unsigned *flag = a.ticket;
  s[t] = 1;
  if (t == 40)
    s[5] = 2;                   /* HERE race_then_spin */
  if (t == 0)
    while (*flag == 0)
      ;
  finish (a, Op::identity ());
}
VARIANT (race_then_spin, "race")

KERNEL (race_across_blocks)
{
  HEAD;
  if (t == 0)
    *a.result = *a.result + 1;  /* HERE race_across_blocks */
}
VARIANT (race_across_blocks, "race")

KERNEL (atomic_and_plain)
{
  HEAD;
  if (t == 0 && blockIdx.x == 0)
    atomicAdd (a.ticket, 1u);   /* HERE atomic_and_plain */
  if (t == 0 && blockIdx.x == 1)        /* which comes first */
    *a.ticket = 1;
  finish (a, Op::identity ());
}
VARIANT (atomic_and_plain, "race")

KERNEL (init_and_atomic)
{
  HEAD;
  __shared__ T all;
  if (t == 0)
    all = 0;
  atomicAdd (&all, (T) 1);      /* HERE init_and_atomic */
  __syncthreads ();
  finish (a, all);
}
VARIANT (init_and_atomic, "race")

/* The last block's reading of the others' results.  */
KERNEL (no_fence)
{
  HEAD;
  __shared__ bool last;
  if (t == 0)
    {
      a.partial[blockIdx.x] = 1;
      last = atomicAdd (a.ticket, 1u) == gridDim.x - 1;
    }
  __syncthreads ();
  if (last && t < gridDim.x)
    s[t] = a.partial[t];        /* HERE no_fence */
}
VARIANT (no_fence, "race")

KERNEL (two_barriers)
{
  HEAD;
  if (t < 32)
    __syncthreads ();           /* HERE two_barriers */
  else
    {
      s[t] = 1;
      __syncthreads ();
    }
  finish (a, Op::identity ());
}
VARIANT (two_barriers, "barrier divergence")

KERNEL (exit_before_barrier)
{
  HEAD;
  if (t == 70)
    return;
  __syncthreads ();             /* HERE exit_before_barrier */
  finish (a, Op::identity ());
}
VARIANT (exit_before_barrier, "barrier divergence")

KERNEL (syncwarp_divergent)
{
  HEAD;
  if (t % 2)
    __syncwarp ();              /* HERE syncwarp_divergent */
  __syncthreads ();
  finish (a, Op::identity ());
}
VARIANT (syncwarp_divergent, "barrier divergence")

KERNEL (shuffle_absent)
{
  HEAD;
  T v = 1;
  if (t < 8)
    v = v + __shfl_down_sync (0xffffffffu, v, 4);       /* HERE shuffle_absent */
  __syncthreads ();
  finish (a, v);
}
VARIANT (shuffle_absent, "shuffle from a missing lane")

KERNEL (shuffle_outside)
{
  HEAD;
  T v = 1;
  if (t < 8)
    v = __shfl_sync (0xffu, v, 20);     /* HERE shuffle_outside */
  finish (a, v);
}
VARIANT (shuffle_outside, "shuffle from a missing lane")

KERNEL (shuffle_not_in_mask)
{
  HEAD;
  T v = __shfl_sync (0xffffu, (T) 1, 2);        /* HERE shuffle_not_in_mask */
  finish (a, v);
}
VARIANT (shuffle_not_in_mask, "shuffle from a missing lane")

KERNEL (spin)
{
  HEAD;
  if (t == 3)
    while (atomicAdd (a.ticket, 0u) == 0)       /* HERE spin */
      ;
  finish (a, Op::identity ());
}
VARIANT (spin, "deadlock")

KERNEL (spin_plainly)
{
  HEAD;
  volatile unsigned *flag = a.ticket;
  while (*flag == 0)            /* HERE spin_plainly */
    ;
  finish (a, Op::identity ());
}
VARIANT (spin_plainly, "deadlock")

KERNEL (grid_exit)
{
  HEAD;
  if (blockIdx.x == 1)
    return;
  cooperative_groups::this_grid ().sync ();     /* HERE grid_exit */
}
LADDER_VARIANT (grid_exit)
{
  v.fault = "deadlock";
  v.finishes = 1u << LADDER_GRID_SYNC;
  v.default_finish = LADDER_GRID_SYNC;
  v.shared_per_thread = 1;
  REDUCE_KERNELS (v, grid_exit);
}

KERNEL (divides_by_zero)
{
  HEAD;
  unsigned zero = *a.ticket;
  *a.ticket = 7 / zero;         /* HERE divides_by_zero */
}
VARIANT (divides_by_zero, "crash")

template <class T> __attribute__ ((noinline)) static T deep (T *s, int n)     /* HERE stack_used_up */
{
  volatile T big[100];
  big[n % 100] = 1;
  return n < 0 ? (T) 0 : deep (s, n + 1) + big[n % 100];
}
KERNEL (stack_used_up)
{
  HEAD;
  finish (a, deep (s, t));
}
VARIANT (stack_used_up, "crash")

KERNEL (misaligned)
{
  HEAD;
  const double *odd = (const double *) ((const char *) a.x + 4);
  finish (a, (T) odd[0]);       /* HERE misaligned */
}
VARIANT (misaligned, "crash")

KERNEL (no_end)
{
  HEAD;
  T v = 0;
  for (int k = 0; k < 1000000000; k++) v = v + a.x[k % a.n];   /* HERE no_end */
  finish (a, v);
}
VARIANT (no_end, "time limit")

KERNEL (no_end_with_barriers)
{
  HEAD;
  s[t] = 1;
  while (s[t] > 0) __syncthreads ();    /* HERE no_end_with_barriers */
  finish (a, s[t]);
}
VARIANT (no_end_with_barriers, "time limit")

KERNEL (no_end_in_a_warp)
{
  HEAD;
  s[t] = 1;
  while (s[t] > 0) __syncwarp ();       /* HERE no_end_in_a_warp */
  finish (a, s[t]);
}
VARIANT (no_end_in_a_warp, "time limit")

KERNEL (no_end_out_of_sight)
{
  HEAD;
  if (i == 0)
    for (;;)
      pause ();                 /* HERE no_end_out_of_sight */
  finish (a, Op::identity ());
}
VARIANT (no_end_out_of_sight, "time limit")

/* The second pass would read what is not there.  */
KERNEL (no_result)
{
  HEAD;
  if (blockIdx.x == 2 && t == 0)
    return;
  finish (a, 1);
}
LADDER_VARIANT (no_result)
{
  v.fault = "wrong result";
  v.finishes = 1u << LADDER_TWO_PASS | 1u << LADDER_MULTI_LEVEL;
  v.shared_per_thread = 1;
  REDUCE_KERNELS (v, no_result);
}

/* Each block's half: it is the kernel that is wrong, and not who adds the halves.  */
KERNEL (half)
{
  HEAD;
  finish (a, blockDim.x / 2);
}
LADDER_VARIANT (half)
{
  v.fault = "wrong result";
  v.finishes = 1u << LADDER_TWO_PASS;
  v.shared_per_thread = 1;
  REDUCE_KERNELS (v, half);
}

KERNEL (loses_one)
{
  HEAD;
  if (i == 0)
    *a.result = a.n - 1;
}
LADDER_VARIANT (loses_one)
{
  v.fault = "wrong result";
  v.finishes = 1u << LADDER_ATOMIC;
  v.default_finish = LADDER_ATOMIC;
  v.shared_per_thread = 1;
  REDUCE_KERNELS (v, loses_one);
}
