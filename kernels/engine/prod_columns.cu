/* Products of many columns: a thread goes along each, and multiplies in the order of the tree and in that of the built-in at once.  If the
   tree's is in doubt (ops/product.h) the other is the result, and nothing is read twice.  */

#include "engine.h"
#include "factors.cuh"
#include "prod_columns.h"
#include "reduce/steps.cuh"

enum { PRODUCT_EACH = 16,       /* rows that a thread takes at once, while the next ones are on their way */
       PRODUCT_BATCH = 8,       /* of which this many are in one part */
       PRODUCT_LEVELS = 16 };   /* of the tree over parts */

static __device__ __forceinline__ f64 product_marked (f64 a, f64 b) { return gpr_marked_product_f64 (a, b, GPR_SMALL_f64); }
static __device__ __forceinline__ f32 product_marked (f32 a, f32 b) { return gpr_marked_product_f32 (a, b, GPR_SMALL_f32); }

/* Of one column.  */
template <class A> struct product_progress
{
  A lane[GPR_PROD_LANES], plain, level[PRODUCT_LEVELS];      /* level[n]: of 2^n parts, where so many have ended */

  __device__ __forceinline__ product_progress () : plain (1) { begin (); }
  __device__ __forceinline__ void begin ()
  {
#pragma unroll
    for (int q = 0; q < GPR_PROD_LANES; q++)
      lane[q] = 1;
  }
  /* The next rows.  Most often none of their products is small; where one is, they are multiplied again, and marked.  */
  template <int LANES> __device__ __forceinline__ void take (const A *f)
  {
    A old[LANES];
    unsigned least = ~0u;
#pragma unroll
    for (int q = 0; q < LANES; q++)
      old[q] = lane[q];
#pragma unroll
    for (int j = 0; j < PRODUCT_BATCH; j++)
      {
        A &a = lane[j % LANES];
        a *= f[j];
        plain *= f[j];
        const unsigned size = gpr_size_bits (a);
        least = size < least ? size : least;
      }
    if (least >= gpr_product_range<A>::small)
      return;
#pragma unroll
    for (int j = 0; j < PRODUCT_BATCH; j++)
      old[j % LANES] = product_marked (old[j % LANES], f[j]);
#pragma unroll
    for (int q = 0; q < LANES; q++)
      lane[q] = old[q];
  }
  template <int LANES> __device__ __forceinline__ void end_part (int part)
  {
#pragma unroll
    for (int k = LANES / 2; k > 0; k /= 2)
#pragma unroll
      for (int q = 0; q < k; q++)
        lane[q] = product_marked (lane[q], lane[q + k]);
    A a = lane[0];
    int n = 0;
    for (; part >> n & 1; n++)
      a = product_marked (level[n], a);
    level[n] = a;
    begin ();
  }
  /* Of all parts; *certain <- whether it is the tree's.  */
  __device__ __forceinline__ A finish (int parts, bool *certain)
  {
    int n = __ffs (parts) - 1;
    A a = level[n];
    while (parts >> ++n)
      if (parts >> n & 1)
        a = product_marked (level[n], a);
    *certain = a - a == 0;
    return *certain ? a : plain;
  }
};

template <class X, class A, int LANES> static __device__ __forceinline__ A product_of (const gpr_prod_columns_args &a, const X *x, bool *certain)
{
  product_progress<A> s;
  X next[PRODUCT_EACH];
  int part = 0;

  factors_fetch<PRODUCT_EACH> (x, a.inner, a.length, next);
  for (int row = 0; row < a.length; row += PRODUCT_EACH)
    {
      A f[PRODUCT_EACH];
#pragma unroll
      for (int j = 0; j < PRODUCT_EACH; j++)
        f[j] = a.omit && next[j] != next[j] ? (A) 1 : (A) next[j];
      x += PRODUCT_EACH * a.inner;
      factors_fetch<PRODUCT_EACH> (x, a.inner, a.length - row - PRODUCT_EACH, next);
#pragma unroll
      for (int j = 0; j < PRODUCT_EACH; j += PRODUCT_BATCH)
        {
          const int done = row + j + PRODUCT_BATCH;
          s.template take<LANES> (f + j);
          if (part < a.parts && (done >= a.length || (done & (a.rows - 1)) == 0))       /* rows of a part: a power of two */
            s.template end_part<LANES> (part++);
        }
    }
  return s.finish (a.parts, certain);
}

template <class X, class A>
__global__ void __launch_bounds__ (GPR_PROD_THREADS) prod_columns_k (const gpr_prod_columns_args a)
{
  for (i64 i = (i64) blockIdx.x * blockDim.x + threadIdx.x; i < a.outputs; i += (i64) gridDim.x * blockDim.x)
    {
      const X *x = (const X *) a.x + i / a.inner * a.length * a.inner + i % a.inner;
      bool certain;
      A y;
      switch (a.lanes)
        {
        case 1: y = product_of<X, A, 1> (a, x, &certain); break;
        case 2: y = product_of<X, A, 2> (a, x, &certain); break;
        case 4: y = product_of<X, A, 4> (a, x, &certain); break;
        default: y = product_of<X, A, 8> (a, x, &certain);
        }
      if (y != y)
        *a.left = 1;
      ((A *) a.value)[i] = y;
    }
}

#define PROD_CASE(id, X, A, OMITS) \
  case GPR_##id: \
    { \
      static const gpr_prod_columns k = { (const void *) prod_columns_k<X, A>, sizeof (A), OMITS }; \
      return &k; \
    }
extern "C" const gpr_prod_columns *gpr_engine_prod_columns (enum gpr_instance instance)
{
  switch ((int) instance)
    {
    PROD_CASE (prod_f64, f64, f64, false) PROD_CASE (prod_f32, f32, f32, false) PROD_CASE (prod_f32_f64, f32, f64, false)
    PROD_CASE (prodomit_f64, f64, f64, true) PROD_CASE (prodomit_f32, f32, f32, true) PROD_CASE (prodomit_f32_f64, f32, f64, true)
    default: return 0;
    }
}
