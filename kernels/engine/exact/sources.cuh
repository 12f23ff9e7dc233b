/* What is summed: numbers, or products of two.  */

#ifndef GPR_ENGINE_EXACT_SOURCES_CUH
#define GPR_ENGINE_EXACT_SOURCES_CUH

#include "sinks.cuh"

static __device__ u32 seen_of (f64 x) { return gpr_seen_f64 (x); }
static __device__ u32 seen_of (f32 x) { return gpr_seen_f32 (x); }
static __device__ u32 seen_of_product (f64 x, f64 y) { return gpr_seen_product_f64 (x, y); }
static __device__ u32 seen_of_product (f32 x, f32 y) { return gpr_seen_product_f32 (x, y); }
/* The sign by its bit: a negation may change the bits of a NaN.  */
static __device__ f64 flipped (f64 x) { return gpr_from_bits_f64 (gpr_bits_f64 (x) ^ (u64) 1 << 63); }
static __device__ f32 flipped (f32 x)
{
  union { f32 f; u32 u; } v;
  v.f = x;
  v.u ^= 0x80000000u;
  return v.f;
}

/* A source makes doubles of number i, which add up to it, in t; those that may not be exact it pours.
   pour () gives the number to the sink whatever it is.  */
template <class R_, bool OMIT> struct number_source
{
  typedef R_ R;
  enum { TERMS = 1, BATCH = 64 / sizeof (R), LEVELS = 2 };
  static __device__ bool left_out (const gpr_exact_args &a, int64_t i)
  {
    const R *x = (const R *) a.x;
    return OMIT && (x[i] != x[i] || (a.complex && x[i ^ 1] != x[i ^ 1]));
  }
  template <class S> static __device__ void terms (const gpr_exact_args &a, int64_t i, f64 *t, const S &)
  {
    t[0] = left_out (a, i) ? 0 : (f64) ((const R *) a.x)[i];
  }
  template <class S> static __device__ void pour (const gpr_exact_args &a, int64_t i, const S &sink)
  {
    const R x = ((const R *) a.x)[i];
    if (left_out (a, i))
      return;
    if (gpr_finite_f64 ((f64) x))
      pour_number (sink, (f64) x);
    else
      sink.see (seen_of (x));
  }
};

/* Two doubles for each product of doubles, one for each of singles.  */

template <class R_, bool COMPLEX> struct product_source
{
  typedef R_ R;
  enum { EACH = sizeof (R) == 8 ? 2 : 1, TERMS = (COMPLEX ? 2 : 1) * EACH, BATCH = 8 / TERMS, LEVELS = EACH + 1 };
  template <class S> static __device__ void pour_one (R x, R y, bool negative, const S &sink)
  {
    if (gpr_finite_f64 ((f64) x) && gpr_finite_f64 ((f64) y))
      {
        pour_product (sink, (f64) x, (f64) y, negative);
        return;
      }
    const u32 seen = seen_of_product (x, y);
    sink.see (negative ? gpr_seen_negative (seen) : seen);
  }
  template <class S> static __device__ void one (R x, R y, bool negative, f64 *t, const S &sink)
  {
    const f64 sign = negative ? -1 : 1, p = (f64) x * (f64) y;
    t[0] = sign * p;
    if (EACH == 1)
      return;
    t[EACH - 1] = sign * fma ((f64) x, (f64) y, -p);
    if (fabs (p) < GPR_MULTIPLIES_FROM)
      {
        t[0] = t[EACH - 1] = 0;
        pour_one (x, y, negative, sink);
      }
  }
  /* Of conj (x) * y: as gpr_times_c128.  */
  template <class F> static __device__ void each (const gpr_exact_args &a, int64_t i, F f)
  {
    const R *x = (const R *) a.x, *y = (const R *) a.y;
    if (! COMPLEX)
      {
        f (x[i], y[i], false, 0);
        return;
      }
    f (x[i & ~(int64_t) 1], y[i], false, 0);
    f (flipped (x[i | 1]), y[i ^ 1], (i & 1) == 0, EACH);
  }
  template <class S> static __device__ void terms (const gpr_exact_args &a, int64_t i, f64 *t, const S &sink)
  {
    each (a, i, [&] (R x, R y, bool negative, int at) { one (x, y, negative, t + at, sink); });
  }
  template <class S> static __device__ void pour (const gpr_exact_args &a, int64_t i, const S &sink)
  {
    each (a, i, [&] (R x, R y, bool negative, int) {
      if (EACH == 1 || ! (fabs ((f64) x * (f64) y) < GPR_MULTIPLIES_FROM))      /* else terms () did it */
        pour_one (x, y, negative, sink);
    });
  }
};

#endif
