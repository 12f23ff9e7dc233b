/* Elementwise operators on two arrays: what they give for one pair of elements, for
   C11 and CUDA C++.  The larger and the smaller of two are in cpu/pair.c and
   engine/pair.cu, product and difference here.  */

#ifndef GPR_PAIR_H
#define GPR_PAIR_H

#include "../common/scalars.h"

typedef enum { GPR_PAIR_MAX, GPR_PAIR_MIN, GPR_PAIR_TIMES, GPR_PAIR_MINUS } gpr_pair_op;

/* ---- conj (x) * y ----------------------------------------------------
   As Octave computes it: products of integers saturate.  Which NaN comes out is
   part of the result, since NA is one of them.  */

GPR_FN f64 gpr_times_f64 (f64 x, f64 y) { return gpr_by_f64 (x, y); }
GPR_FN f32 gpr_times_f32 (f32 x, f32 y) { return gpr_by_f32 (x, y); }
/* The same where any NaN will do: terms of an inner product.  */
GPR_FN c128 gpr_inner_c128 (c128 x, c128 y) { x.im = -x.im; return gpr_mul_c128 (x, y); }
GPR_FN c64 gpr_inner_c64 (c64 x, c64 y) { x.im = -x.im; return gpr_mul_c64 (x, y); }
/* The imaginary part is negated by flipping its sign bit: a GPU's negation may change
   the bits of a NaN, and NA would be lost.  */
#define GPR_TIMES_COMPLEX(C, T, BITS, SIGN) \
GPR_FN C gpr_times_##C (C x, C y) \
{ \
  union { BITS u; T f; } im; \
  T a, b; \
  C r; \
  im.f = x.im; \
  im.u ^= SIGN; \
  a = gpr_by_##T (x.re, y.re); \
  b = gpr_by_##T (im.f, y.im); \
  r.re = gpr_first_nan_##T (a - b, a, b); \
  r.im = gpr_plus_##T (gpr_by_##T (x.re, y.im), gpr_by_##T (im.f, y.re)); \
  return r; \
}
GPR_TIMES_COMPLEX (c128, f64, u64, 0x8000000000000000ull)
GPR_TIMES_COMPLEX (c64, f32, u32, 0x80000000u)
#define GPR_TIMES_SMALL(T, LOW, HIGH) \
GPR_FN T gpr_times_##T (T x, T y) { i64 p = (i64) x * (i64) y; return (T) (p < (LOW) ? (LOW) : p > (HIGH) ? (HIGH) : p); }
GPR_TIMES_SMALL (i8, INT8_MIN, INT8_MAX) GPR_TIMES_SMALL (u8, 0, UINT8_MAX)
GPR_TIMES_SMALL (i16, INT16_MIN, INT16_MAX) GPR_TIMES_SMALL (u16, 0, UINT16_MAX)
GPR_TIMES_SMALL (i32, INT32_MIN, INT32_MAX)
GPR_FN u32 gpr_times_u32 (u32 x, u32 y) { u64 p = (u64) x * y; return (u32) (p > UINT32_MAX ? UINT32_MAX : p); }
GPR_FN i64 gpr_times_i64 (i64 x, i64 y)
{
  i128 p = (i128) x * y;
  return (i64) (p < INT64_MIN ? INT64_MIN : p > INT64_MAX ? INT64_MAX : p);
}
GPR_FN u64 gpr_times_u64 (u64 x, u64 y)
{
  u128 p = (u128) x * y;
  return (u64) (p > UINT64_MAX ? UINT64_MAX : p);
}

/* ---- x - y: integers saturate ---------------------------------------- */

GPR_FN f64 gpr_minus_f64 (f64 x, f64 y) { return gpr_first_nan_f64 (x - y, x, y); }
GPR_FN f32 gpr_minus_f32 (f32 x, f32 y) { return gpr_first_nan_f32 (x - y, x, y); }
GPR_FN c128 gpr_minus_c128 (c128 x, c128 y) { c128 r = { gpr_minus_f64 (x.re, y.re), gpr_minus_f64 (x.im, y.im) }; return r; }
GPR_FN c64 gpr_minus_c64 (c64 x, c64 y) { c64 r = { gpr_minus_f32 (x.re, y.re), gpr_minus_f32 (x.im, y.im) }; return r; }
#define GPR_MINUS_SMALL(T, LOW, HIGH) \
GPR_FN T gpr_minus_##T (T x, T y) { i64 d = (i64) x - (i64) y; return (T) (d < (LOW) ? (LOW) : d > (HIGH) ? (HIGH) : d); }
GPR_MINUS_SMALL (i8, INT8_MIN, INT8_MAX) GPR_MINUS_SMALL (i16, INT16_MIN, INT16_MAX) GPR_MINUS_SMALL (i32, INT32_MIN, INT32_MAX)
#define GPR_MINUS_UNSIGNED(T) \
GPR_FN T gpr_minus_##T (T x, T y) { return (T) (x > y ? x - y : 0); }
GPR_MINUS_UNSIGNED (u8) GPR_MINUS_UNSIGNED (u16) GPR_MINUS_UNSIGNED (u32) GPR_MINUS_UNSIGNED (u64)
GPR_FN i64 gpr_minus_i64 (i64 x, i64 y)
{
  i128 d = (i128) x - y;
  return (i64) (d < INT64_MIN ? INT64_MIN : d > INT64_MAX ? INT64_MAX : d);
}

#endif
