/* What every ladder file includes: the operators, a kernel's arguments, the ways
   to finish, and the descriptor that names a variant.  nvcc compiles a file for
   the GPU; g++, with LADDER_SIM and ../sim/device.h in place of CUDA, compiles
   the same file for the simulator.

   A file holds one kernel and its descriptor:

     template <class Op>
     __global__ void halving (reduce_args<Op> a)
     {
       typedef typename Op::T T;
       T *s = shared<T> ();
       ...
       finish (a, s[0]);
     }

     LADDER_VARIANT (halving)
     {
       v.idea = "...";
       ...
       REDUCE_KERNELS (v, halving);
     }

   Op is one of the operators below on one type: Op::identity (), Op::combine (a, b).
   Any n from 1 on must come out right, with any block that the descriptor allows.  */

#ifndef LADDER_H
#define LADDER_H

#include <stddef.h>
#include <stdint.h>

#ifdef LADDER_SIM
#  include "../sim/device.h"
#else
#  include <cooperative_groups.h>
#endif
#include "../ops/instances.h"
#include "variant.h"

/* ---- operators: those of kernels/ops/instances.h ------------------------------------ */

GPR_INSTANCES_SUM (GPR_DEFINE_INSTANCE)
GPR_INSTANCES_PROD (GPR_DEFINE_INSTANCE)
GPR_INSTANCES_EXTREME (GPR_DEFINE_INSTANCE)
GPR_INSTANCES_ARG (GPR_DEFINE_INSTANCE)
GPR_INSTANCES_LADDER (GPR_DEFINE_INSTANCE)

template <class T_> struct Sum;
template <class T_> struct Prod;
template <class T_> struct Max;
template <class T_> struct Min;
/* T is then a pair (.v, .i) of an element and its index; element (x, i) makes one,
   and combine takes the better, of equal ones the first.  */
template <class X_> struct Argmax;
template <class X_> struct Argmin;

#define LADDER_OP_WITH(Name, type, id, KNOWN) \
  template <> struct Name<type> \
  { \
    typedef type X; \
    typedef id##_a T; \
    static __host__ __device__ __forceinline__ T identity () { return id##_init (); } \
    static __host__ __device__ __forceinline__ T combine (T a, T b) { KNOWN; id##_merge (&a, b); return a; } \
    static __host__ __device__ __forceinline__ T element (X x, int64_t i) { T a = id##_init (); id##_step (&a, x, i); return a; } \
  };
#define LADDER_OP(Name, type, id) LADDER_OP_WITH (Name, type, id, (void) 0)
/* a may be an element as it lies in memory: a NaN, which is skipped.  */
#define LADDER_EXTREME(Name, type, id) LADDER_OP_WITH (Name, type, id, a = a == a ? a : id##_init ())
LADDER_OP (Sum, double, sum_f64)        LADDER_OP (Sum, float, sum_f32)        LADDER_OP (Sum, int, wrapsum_i32)
LADDER_OP (Prod, double, prod_f64)      LADDER_OP (Prod, float, prod_f32)      LADDER_OP (Prod, int, wrapprod_i32)
LADDER_EXTREME (Max, double, max_f64)   LADDER_EXTREME (Max, float, max_f32)   LADDER_OP (Max, int, max_i32)
LADDER_EXTREME (Min, double, min_f64)   LADDER_EXTREME (Min, float, min_f32)   LADDER_OP (Min, int, min_i32)
LADDER_OP (Argmax, double, argmax_f64) LADDER_OP (Argmax, float, argmax_f32) LADDER_OP (Argmax, int, argmax_i32)
LADDER_OP (Argmin, double, argmin_f64) LADDER_OP (Argmin, float, argmin_f32) LADDER_OP (Argmin, int, argmin_i32)

/* ---- a kernel's arguments ------------------------------------------------------ */

/* In a namespace, so that a kernel may have such a name: ::shared is then the kernel.  */
namespace ladder {}
using namespace ladder;

/* The block's threads share this much memory, as the descriptor asked for.  */
namespace ladder
{
template <class T> static __device__ __forceinline__ T *shared ()
{
#ifdef LADDER_SIM
  return (T *) sim_shared ();
#else
  extern __shared__ __align__ (16) unsigned char ladder_shared[];
  return (T *) ladder_shared;
#endif
}
}

/* The same layout for every Op: ladder_reduce_args of variant.h.  */
template <class Op> struct reduce_args
{
  typename Op::X *x;            /* n elements; in-place variants write them: they get a copy */
  int64_t n;
  typename Op::T *partial;      /* one a block */
  typename Op::T *result;       /* one; holds the identity at the start */
  unsigned *ticket;             /* 0 at the start */
  int finish;
  double scale, bias;           /* of variants that reduce scale * x + bias; else 1 and 0 */
};

/* counts[k] of the elements with edges[k] <= x < edges[k+1], the last bin closed.  */
template <class X> struct histogram_args
{
  const X *x;
  int64_t n;
  unsigned long long *counts;   /* bins of them, 0 at the start */
  int bins;
  const double *edges;          /* bins + 1, sorted */
  double lo, scale;             /* of a first guess: (x - lo) * scale */
};

/* The bin of x, or -1.  */
template <class X> static __device__ __forceinline__ int bin_of (const histogram_args<X> &a, X x)
{
  double v = (double) x;
  if (! (v >= a.edges[0] && v <= a.edges[a.bins]))
    return -1;
  double guess = (v - a.lo) * a.scale;
  int k = guess > 0 ? guess < a.bins ? (int) guess : a.bins - 1 : 0;
  while (k > 0 && v < a.edges[k])
    k--;
  while (k < a.bins - 1 && v >= a.edges[k + 1])
    k++;
  return k;
}

/* ---- finishes: from a value a block to one result --------------------------------- */

static __device__ __forceinline__ double atomic_add (double *p, double v) { return atomicAdd (p, v); }
static __device__ __forceinline__ float atomic_add (float *p, float v) { return atomicAdd (p, v); }
static __device__ __forceinline__ int atomic_add (int *p, int v) { return atomicAdd (p, v); }

/* *p <- Op::combine (*p, v), all at once: where there is no instruction, by
   compare-and-swap until nobody came between.  */
template <class Op, class T> struct atomic_by_cas
{
  static __device__ __forceinline__ void run (T *p, T v)
  {
    typedef typename ladder_word<sizeof (T)>::type word;
    union both { T t; word w; };
    both seen, wanted;
    seen.w = *(volatile word *) p;
    for (;;)
      {
        wanted.t = Op::combine (seen.t, v);
        word before = atomicCAS ((word *) p, seen.w, wanted.w);
        if (before == seen.w)
          return;
        seen.w = before;
      }
  }
};
template <class Op> static __device__ __forceinline__ void atomic_combine (typename Op::T *p, typename Op::T v)
{
  atomic_by_cas<Op, typename Op::T>::run (p, v);
}
template <> __device__ __forceinline__ void atomic_combine<Sum<double>> (double *p, double v) { atomicAdd (p, v); }
template <> __device__ __forceinline__ void atomic_combine<Sum<float>> (float *p, float v) { atomicAdd (p, v); }
template <> __device__ __forceinline__ void atomic_combine<Sum<int>> (int *p, int v) { atomicAdd (p, v); }
template <> __device__ __forceinline__ void atomic_combine<Max<int>> (int *p, int v) { atomicMax (p, v); }
template <> __device__ __forceinline__ void atomic_combine<Min<int>> (int *p, int v) { atomicMin (p, v); }

/* By one block: all m partial results into *result.  Needs blockDim.x values of
   shared memory, which launchers see to for the last two finishes.  */
template <class Op> static __device__ void reduce_partials (const typename Op::T *partial, int64_t m, typename Op::T *result)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  T v = Op::identity ();
  for (int64_t i = threadIdx.x; i < m; i += blockDim.x)
    v = Op::combine (v, partial[i]);
  s[threadIdx.x] = v;
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2)
    {
      __syncthreads ();
      if (threadIdx.x < stride)
        s[threadIdx.x] = Op::combine (s[threadIdx.x], s[threadIdx.x + stride]);
    }
  if (threadIdx.x == 0)
    *result = s[0];
}

/* Thread 0 brings the block's value; every thread of the block calls it.  */
namespace ladder
{
template <class Op> static __device__ void finish (const reduce_args<Op> &a, typename Op::T v)
{
  typedef typename Op::T T;
  __shared__ bool last;

  switch (a.finish)
    {
    case LADDER_TWO_PASS:               /* a second kernel takes the partial results */
    case LADDER_MULTI_LEVEL:            /* the same kernel takes them, until one is left */
      if (threadIdx.x == 0)
        a.partial[blockIdx.x] = v;
      break;

    case LADDER_ATOMIC:
      if constexpr (sizeof (T) <= 8)    /* not pairs: there is no word to swap */
        if (threadIdx.x == 0)
          atomic_combine<Op> (a.result, v);
      break;

    case LADDER_LAST_BLOCK:             /* whoever draws the last ticket has all the others' results */
      if (threadIdx.x == 0)
        {
          a.partial[blockIdx.x] = v;
          __threadfence ();             /* the result is seen before the ticket is */
          last = atomicAdd (a.ticket, 1u) == gridDim.x - 1;
          __threadfence ();
        }
      __syncthreads ();
      if (last)
        reduce_partials<Op> (a.partial, gridDim.x, a.result);
      break;

    case LADDER_GRID_SYNC:              /* all blocks run at once and wait for each other */
      if (threadIdx.x == 0)
        a.partial[blockIdx.x] = v;
      cooperative_groups::this_grid ().sync ();
      if (blockIdx.x == 0)
        reduce_partials<Op> (a.partial, gridDim.x, a.result);
      break;
    }
}
}

/* ---- the kernels of a descriptor ---------------------------------------------------- */

#define LADDER_SET(v, op, type, K) \
  for (int b_ = 0; b_ < LADDER_BLOCKS; b_++) \
    (v).kernel[op][type][b_] = (const void *) K;
#define LADDER_SET_BLOCKS(v, op, type, K, Op) \
  (v).kernel[op][type][0] = (const void *) K<Op, 32>; \
  (v).kernel[op][type][1] = (const void *) K<Op, 64>; \
  (v).kernel[op][type][2] = (const void *) K<Op, 128>; \
  (v).kernel[op][type][3] = (const void *) K<Op, 256>; \
  (v).kernel[op][type][4] = (const void *) K<Op, 512>; \
  (v).kernel[op][type][5] = (const void *) K<Op, 1024>;

/* template <class Op> K, for sums of every type.  */
#define SUM_KERNELS(v, K) \
  do \
    { \
      LADDER_SET (v, LADDER_SUM, LADDER_DOUBLE, K<Sum<double>>) LADDER_SET (v, LADDER_SUM, LADDER_SINGLE, K<Sum<float>>) \
      LADDER_SET (v, LADDER_SUM, LADDER_INT32, K<Sum<int>>) \
    } \
  while (0)
/* template <class Op> K, for every operator and type.  */
#define REDUCE_KERNELS(v, K) \
  do \
    { \
      SUM_KERNELS (v, K); \
      LADDER_SET (v, LADDER_MAX, LADDER_DOUBLE, K<Max<double>>) LADDER_SET (v, LADDER_MAX, LADDER_SINGLE, K<Max<float>>) \
      LADDER_SET (v, LADDER_MAX, LADDER_INT32, K<Max<int>>) \
      LADDER_SET (v, LADDER_MIN, LADDER_DOUBLE, K<Min<double>>) LADDER_SET (v, LADDER_MIN, LADDER_SINGLE, K<Min<float>>) \
      LADDER_SET (v, LADDER_MIN, LADDER_INT32, K<Min<int>>) \
      LADDER_SET (v, LADDER_PROD, LADDER_DOUBLE, K<Prod<double>>) LADDER_SET (v, LADDER_PROD, LADDER_SINGLE, K<Prod<float>>) \
      LADDER_SET (v, LADDER_PROD, LADDER_INT32, K<Prod<int>>) \
    } \
  while (0)
/* template <class Op, int B> K, B being blockDim.x.  */
#define REDUCE_KERNELS_BY_BLOCK(v, K) \
  do \
    { \
      LADDER_SET_BLOCKS (v, LADDER_SUM, LADDER_DOUBLE, K, Sum<double>) LADDER_SET_BLOCKS (v, LADDER_SUM, LADDER_SINGLE, K, Sum<float>) \
      LADDER_SET_BLOCKS (v, LADDER_SUM, LADDER_INT32, K, Sum<int>) \
      LADDER_SET_BLOCKS (v, LADDER_MAX, LADDER_DOUBLE, K, Max<double>) LADDER_SET_BLOCKS (v, LADDER_MAX, LADDER_SINGLE, K, Max<float>) \
      LADDER_SET_BLOCKS (v, LADDER_MAX, LADDER_INT32, K, Max<int>) \
      LADDER_SET_BLOCKS (v, LADDER_MIN, LADDER_DOUBLE, K, Min<double>) LADDER_SET_BLOCKS (v, LADDER_MIN, LADDER_SINGLE, K, Min<float>) \
      LADDER_SET_BLOCKS (v, LADDER_MIN, LADDER_INT32, K, Min<int>) \
      LADDER_SET_BLOCKS (v, LADDER_PROD, LADDER_DOUBLE, K, Prod<double>) LADDER_SET_BLOCKS (v, LADDER_PROD, LADDER_SINGLE, K, Prod<float>) \
      LADDER_SET_BLOCKS (v, LADDER_PROD, LADDER_INT32, K, Prod<int>) \
    } \
  while (0)
/* template <class Op> K, for argmax and argmin.  */
#define ARGMAX_KERNELS(v, K) \
  do \
    { \
      (v).family = LADDER_FAMILY_ARGMAX; \
      LADDER_SET (v, LADDER_ARGMAX, LADDER_DOUBLE, K<Argmax<double>>) LADDER_SET (v, LADDER_ARGMAX, LADDER_SINGLE, K<Argmax<float>>) \
      LADDER_SET (v, LADDER_ARGMAX, LADDER_INT32, K<Argmax<int>>) \
      LADDER_SET (v, LADDER_ARGMIN, LADDER_DOUBLE, K<Argmin<double>>) LADDER_SET (v, LADDER_ARGMIN, LADDER_SINGLE, K<Argmin<float>>) \
      LADDER_SET (v, LADDER_ARGMIN, LADDER_INT32, K<Argmin<int>>) \
    } \
  while (0)
/* template <class X> K  */
#define HISTOGRAM_KERNELS(v, K) \
  do \
    { \
      (v).family = LADDER_FAMILY_HISTOGRAM; \
      LADDER_SET (v, LADDER_HISTOGRAM, LADDER_DOUBLE, K<double>) LADDER_SET (v, LADDER_HISTOGRAM, LADDER_SINGLE, K<float>) \
      LADDER_SET (v, LADDER_HISTOGRAM, LADDER_INT32, K<int>) LADDER_SET (v, LADDER_HISTOGRAM, LADDER_UINT8, K<unsigned char>) \
    } \
  while (0)

/* Registers the variant when the module is loaded; what follows is the body of a
   function that fills v in.  */
#define LADDER_VARIANT(name_) \
  static void describe_##name_ (ladder_variant &v); \
  static ladder_registration registration_##name_ (#name_, __FILE__, describe_##name_); \
  static void describe_##name_ (ladder_variant &v)

#include "plain.h"

#endif
