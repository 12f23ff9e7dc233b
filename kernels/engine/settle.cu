/* Products in doubt, since the tree overflowed or underflowed.  In the built-in's order, a product that has become 0
   or infinite changes nothing but its sign, unless a special value follows.  Where the tree's is infinite no factor is special, and it
   has the sign (kernels/ops/product.h): so the first rows say what the product is.  Where it is NaN, these and what there is in all rows:
   the special values decide as in src/core/fixup.c.  */

#include "engine.h"
#include "settle.h"

enum { SETTLE_ODD = 1 << 16, SETTLE_BATCH = 32, SETTLE_WARP_BATCH = 4,     /* batches: loads of a thread on their way; of each lane of a warp */
       SETTLE_LEAP = 16 };      /* rows of a lane that go at once */

static __device__ __forceinline__ unsigned settle_join (unsigned a, unsigned b)
{
  return ((a | b) & ~(unsigned) SETTLE_ODD) | ((a ^ b) & SETTLE_ODD);
}

template <class X> static __device__ __forceinline__ unsigned settle_look (X x) { return (x == 0 ? GPR_SEEN_ZERO : 0) | (x < 1 && x != 0 ? SETTLE_ODD : 0); }
template <> __device__ __forceinline__ unsigned settle_look (f64 x) { return gpr_seen_f64 (x) | (signbit (x) ? SETTLE_ODD : 0); }
template <> __device__ __forceinline__ unsigned settle_look (f32 x) { return gpr_seen_f32 (x) | (signbit (x) ? SETTLE_ODD : 0); }

template <class X, class A>
__global__ void __launch_bounds__ (GPR_SETTLE_THREADS) settle_seen_k (const gpr_settle_args a)
{
  const i64 rows = (a.length + a.pieces - 1) / a.pieces, step = (i64) gridDim.x * blockDim.x / a.lanes;
  const int lane = threadIdx.x % a.lanes;

  for (i64 w = ((i64) blockIdx.x * blockDim.x + threadIdx.x) / a.lanes; w < a.outputs * a.pieces; w += step)
    {
      const i64 i = w % a.outputs, piece = w / a.outputs, end = (piece + 1) * rows < a.length ? (piece + 1) * rows : a.length;
      const X *x = (const X *) a.x + i / a.inner * a.length * a.inner + i % a.inner;
      unsigned bits = 0;
      const A y = ((const A *) a.value)[i];
      if (y == y)
        continue;
#pragma unroll 8
      for (i64 r = piece * rows + lane; r < end; r += a.lanes)
        {
          const X own = x[r * a.inner];
          if (! (a.omit && own != own))
            bits = settle_join (bits, settle_look (own));
        }
      for (int lanes = a.lanes / 2; lanes > 0; lanes /= 2)
        bits = settle_join (bits, __shfl_xor_sync (0xFFFFFFFFu, bits, lanes));
      if (lane > 0 || bits == 0)
        continue;
      atomicOr (&a.seen[i], bits & ~(unsigned) SETTLE_ODD);
      if (bits & SETTLE_ODD)
        atomicXor (&a.seen[i], (unsigned) SETTLE_ODD);
    }
}

static __device__ __forceinline__ void settle_put (f64 *y, f64 v) { *y = v; }
static __device__ __forceinline__ void settle_put (f32 *y, f64 v)
{
  const unsigned na = 0x7FC207A2u;
  *y = (f32) v;
  if (gpr_na_f64 (v))
    memcpy (y, &na, sizeof na);
}

/* Rows in their order; *open: neither are these all nor is it known what the others do.  The lanes of a warp read side by side,
   and each multiplies all.  */
template <class X, class A>
static __device__ __forceinline__ A settle_walk (const X *x, i64 stride, i64 length, int lanes, bool omit, bool *open)
{
  const i64 rows = length < GPR_SETTLE_LIMIT ? length : (i64) GPR_SETTLE_LIMIT;
  const int lane = threadIdx.x % lanes, loads = lanes == 1 ? (int) SETTLE_BATCH : (int) SETTLE_WARP_BATCH;
  A p = 1;

  *open = false;
  for (i64 from = 0; from < rows; from += loads * lanes)
    {
      A batch[SETTLE_BATCH];
#pragma unroll
      for (int j = 0; j < SETTLE_BATCH; j++)
        if (j < loads)
          {
            const i64 r = from + j * lanes + lane;
            const X own = r < rows ? x[r * stride] : (X) 1;
            batch[j] = omit && own != own ? (A) 1 : (A) own;
          }
#pragma unroll
      for (int j = 0; j < SETTLE_BATCH; j++)
        if (lanes == 1)
          p *= batch[j];
        else if (j < loads)
          {
#pragma unroll 8
            for (int k = 0; k < 32; k++)
              p *= __shfl_sync (0xFFFFFFFFu, batch[j], k);
          }
      if (! (p > 0 || p < 0) || p - p != 0)
        return p;
    }
  *open = rows < length;
  return p;
}

static __device__ __forceinline__ f64 settle_most (f64 a, f64 b) { return fmax (a, b); }
static __device__ __forceinline__ f32 settle_most (f32 a, f32 b) { return fmaxf (a, b); }
static __device__ __forceinline__ f64 settle_least (f64 a, f64 b) { return fmin (a, b); }
static __device__ __forceinline__ f32 settle_least (f32 a, f32 b) { return fminf (a, b); }

/* Rows of a long column by a warp, many at a time.  The product lies between low and high, without its sign, and rows that cannot take
   it out of the range only move these apart by what may have been rounded.  Others are multiplied in their order: rounding is monotonic, so
   the product stays between.  True: *p <- 0 or infinite; false: that is not known.  */
template <class X, class A>
static __device__ __noinline__ bool settle_leap (const X *x, i64 stride, i64 length, bool omit, A *p)
{
  const i64 rows = length < GPR_SETTLE_LIMIT ? length : (i64) GPR_SETTLE_LIMIT, leap = SETTLE_LEAP * 32;
  const int lane = threadIdx.x % 32;
  const A small = sizeof (A) == 8 ? (A) DBL_MIN : (A) FLT_MIN, large = 1 / small / 16, rounded = (A) leap * (sizeof (A) == 8 ? (A) DBL_EPSILON : (A) FLT_EPSILON) * 4;
  A low = 1, high = 1;

  for (i64 from = 0; from < rows; from += leap)
    {
      A own[SETTLE_LEAP], product = 1, most = 0, least = (A) HUGE_VAL;         /* of this lane's, and of those up to each */
#pragma unroll
      for (int j = 0; j < SETTLE_LEAP; j++)
        {
          const i64 r = from + lane * SETTLE_LEAP + j;
          const X f = r < rows ? x[r * stride] : (X) 1;
          own[j] = omit && f != f ? (A) 1 : (A) fabs ((A) f);
        }
#pragma unroll
      for (int j = 0; j < SETTLE_LEAP; j++)
        {
          product *= own[j];
          most = settle_most (most, product);
          least = settle_least (least, product);
        }
      const A lane_least = least, lane_most = most;
      A before = product;       /* of the lanes up to this one */
#pragma unroll
      for (int d = 1; d < 32; d *= 2)
        {
          const A other = __shfl_up_sync (0xFFFFFFFFu, before, d);
          before = lane >= d ? before * other : before;
          most = settle_most (most, before);
          least = settle_least (least, before);
        }
      const A all = __shfl_sync (0xFFFFFFFFu, before, 31);
      before = __shfl_up_sync (0xFFFFFFFFu, before, 1);
      before = lane > 0 ? before : (A) 1;
      /* What the product comes to, and no product on the way loses bits.  Comparisons are false of NaN.  */
      const bool safe = before * high * lane_most < large && before * low * lane_least > small * 16 && most < large && least > small * 16;
      if (! __any_sync (0xFFFFFFFFu, ! safe))
        {
          low *= all * (1 - rounded);
          high *= all * (1 + rounded);
          continue;
        }
      for (int k = 0; k < 32; k++)
#pragma unroll
        for (int j = 0; j < SETTLE_LEAP; j++)
          {
            const A f = __shfl_sync (0xFFFFFFFFu, own[j], k);
            low *= f;
            high *= f;
          }
      if (low == high && (low == 0 || low - low != 0))
        {
          *p = low;
          return true;
        }
      if (low != low || high != high)
        return false;
    }
  return false;
}

/* Of a warp each lane does the same, and one writes.  */
template <class X, class A>
__global__ void __launch_bounds__ (GPR_SETTLE_THREADS) settle_k (const gpr_settle_args a)
{
  for (i64 i = ((i64) blockIdx.x * blockDim.x + threadIdx.x) / a.lanes; i < a.outputs; i += (i64) gridDim.x * blockDim.x / a.lanes)
    {
      A y = ((const A *) a.value)[i];
      const bool out = y == y;          /* of the range, and nothing else */
      bool open = false, negative = y < 0, zero = false, infinite = false;
      if (out ? y - y == 0 : ! a.seen)
        {
          if (! out)
            *a.left = 1;
          continue;
        }
      if (! out)
        {
          const unsigned seen = a.seen[i];
          negative = seen & SETTLE_ODD;
          zero = seen & GPR_SEEN_ZERO;
          infinite = seen & (GPR_SEEN_POSINF | GPR_SEEN_NEGINF);
          if (seen & GPR_SEEN_NAN || (zero && infinite))
            {
              settle_put (&y, seen & GPR_SEEN_NA ? gpr_make_na () : gpr_make_nan ());
              if (threadIdx.x % a.lanes == 0)
                ((A *) a.value)[i] = y;
              continue;
            }
        }
      const X *x = (const X *) a.x + i / a.inner * a.length * a.inner + i % a.inner;
      A p;
      if (a.lanes == 1 || a.length < GPR_SETTLE_LONG || ! settle_leap<X, A> (x, a.inner, a.length, a.omit, &p))
        p = settle_walk<X, A> (x, a.inner, a.length, a.lanes, a.omit, &open);
      if (p == 0)
        y = infinite ? (A) gpr_make_nan () : negative ? -(A) 0 : (A) 0;
      else if (p - p != 0)
        y = zero || p != p ? (A) gpr_make_nan () : negative ? -(A) HUGE_VAL : (A) HUGE_VAL;
      else
        y = p;
      if (threadIdx.x % a.lanes > 0)
        continue;
      if (open)
        *a.left = 1;
      else
        ((A *) a.value)[i] = y;
    }
}

#define SETTLE_CASE(id, X, A, OMIT) \
  case GPR_##id: \
    { \
      static const gpr_settle_kernels k = { (const void *) settle_seen_k<X, A>, (const void *) settle_k<X, A>, sizeof (A), OMIT }; \
      return &k; \
    }
#define SETTLE_INTEGER(X) SETTLE_CASE (prod_##X, X, f64, false)
extern "C" const gpr_settle_kernels *gpr_engine_settle (enum gpr_instance instance)
{
  switch ((int) instance)
    {
    SETTLE_CASE (prod_f64, f64, f64, false) SETTLE_CASE (prod_f32, f32, f32, false) SETTLE_CASE (prod_f32_f64, f32, f64, false)
    SETTLE_CASE (prodomit_f64, f64, f64, true) SETTLE_CASE (prodomit_f32, f32, f32, true) SETTLE_CASE (prodomit_f32_f64, f32, f64, true)
    SETTLE_INTEGER (i8) SETTLE_INTEGER (u8) SETTLE_INTEGER (i16) SETTLE_INTEGER (u16)
    SETTLE_INTEGER (i32) SETTLE_INTEGER (u32) SETTLE_INTEGER (i64) SETTLE_INTEGER (u64)
    default: return 0;
    }
}
