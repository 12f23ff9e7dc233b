/* Products of many columns: a thread goes along each, and multiplies in the order of the tree and in that of the built-in at once.  If the
   tree's is in doubt (ops/product.h) the other is the result, and nothing is read twice.  */

#include "engine.h"
#include "prod_columns.h"

enum { PRODUCT_EACH = 16,       /* rows that a thread takes at once, while the next ones are on their way */
       PRODUCT_BATCH = 8,       /* of which this many are in one part */
       PRODUCT_LEVELS = 16 };   /* of the tree over parts */

/* The leading bits of a number without its sign, in whose order numbers are.  */
static __device__ __forceinline__ unsigned product_top (f64 x) { u64 bits; memcpy (&bits, &x, sizeof bits); return (unsigned) (bits >> 32) & 0x7FFFFFFFu; }
static __device__ __forceinline__ unsigned product_top (f32 x) { unsigned bits; memcpy (&bits, &x, sizeof bits); return bits & 0x7FFFFFFFu; }
template <class A> constexpr A product_small = sizeof (A) == 8 ? (A) GPR_SMALL_f64 : (A) GPR_SMALL_f32;

/* Of one column.  */
template <class A> struct product_progress
{
  A lane[GPR_PROD_LANES], plain, level[PRODUCT_LEVELS];      /* level[n]: of 2^n parts, where so many have ended */
  bool lost;                    /* bits, in the tree's order */

  __device__ __forceinline__ product_progress () : plain (1), lost (false) { begin (); }
  __device__ __forceinline__ void begin ()
  {
#pragma unroll
    for (int q = 0; q < GPR_PROD_LANES; q++)
      lane[q] = 1;
  }
  __device__ __forceinline__ A multiply (A a, A b)
  {
    const A r = a * b;
    lost |= fabs (r) < product_small<A> && a != 0 && b != 0;
    return r;
  }
  /* The next rows.  None of their products is small, most often, and where one is the steps are gone through again.  */
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
        const unsigned top = product_top (a);
        least = top < least ? top : least;
      }
    if (least < product_top (product_small<A>))
#pragma unroll
      for (int j = 0; j < PRODUCT_BATCH; j++)
        old[j % LANES] = multiply (old[j % LANES], f[j]);
  }
  template <int LANES> __device__ __forceinline__ void end_part (int part)
  {
#pragma unroll
    for (int k = LANES / 2; k > 0; k /= 2)
#pragma unroll
      for (int q = 0; q < k; q++)
        lane[q] = multiply (lane[q], lane[q + k]);
    A a = lane[0];
    int n = 0;
    for (; part >> n & 1; n++)
      a = multiply (level[n], a);
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
        a = multiply (level[n], a);
    *certain = ! lost && a - a == 0;
    return *certain ? a : plain;
  }
};

/* Rows of a column, LEFT at most; 1 beyond.  */
template <class X> static __device__ __forceinline__ void product_fetch (const X *x, i64 stride, int left, X *own)
{
  if (left >= PRODUCT_EACH)
#pragma unroll
    for (int j = 0; j < PRODUCT_EACH; j++)
      own[j] = x[j * stride];
  else
#pragma unroll
    for (int j = 0; j < PRODUCT_EACH; j++)
      own[j] = j < left ? x[j * stride] : (X) 1;
}

template <class X, class A, int LANES> static __device__ __forceinline__ A product_of (const gpr_prod_columns_args &a, const X *x, bool *certain)
{
  product_progress<A> s;
  X next[PRODUCT_EACH];
  int part = 0;

  product_fetch (x, a.inner, a.length, next);
  for (int row = 0; row < a.length; row += PRODUCT_EACH)
    {
      A f[PRODUCT_EACH];
#pragma unroll
      for (int j = 0; j < PRODUCT_EACH; j++)
        f[j] = a.omit && next[j] != next[j] ? (A) 1 : (A) next[j];
      x += PRODUCT_EACH * a.inner;
      product_fetch (x, a.inner, a.length - row - PRODUCT_EACH, next);
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
