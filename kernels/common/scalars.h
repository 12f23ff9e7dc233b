/* The scalar types of gpureduce and their arithmetic, for C11 and CUDA C++.

   Everything here is plain IEEE arithmetic in a fixed order, compiled with
   contraction off (-ffp-contract=off, -fmad=false), so that the CPU and every
   GPU give the same bits.  */

#ifndef GPR_SCALARS_H
#define GPR_SCALARS_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#  define GPR_FN static __host__ __device__ __forceinline__
#else
#  define GPR_FN static inline __attribute__ ((always_inline, unused))
#endif

typedef double f64;
typedef float f32;
typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
typedef __int128 i128;
typedef unsigned __int128 u128;
#ifdef __CUDACC__
typedef struct __align__ (16) { f64 re, im; } c128;
typedef struct __align__ (8) { f32 re, im; } c64;
#else
typedef struct { f64 re, im; } c128;
typedef struct { f32 re, im; } c64;
#endif
typedef struct { u64 w[3]; } u192;              /* sums of squares of 64-bit integers */
typedef struct { f64 sum, err; } dd;            /* a sum and what rounding took from it */
typedef struct { dd re, im; } cdd;
/* Of n numbers: sum and squares of their distances to at, which is the first of them
   or, after a merge, their mean but for its rounding.  */
typedef struct { f64 n, at, sum, squares; } moments;
typedef struct { moments re, im; } cmoments;
typedef struct { f64 n, mean, squares; } spread;        /* squares: of the distances to the mean */
typedef struct { moments m; f64 sum, least, most, nans; i64 least_at, most_at; } summary;
typedef struct { f64 n, sum, mean, squares, least, least_at, most, most_at, nans; } stats;
typedef struct { f64 big, mid, small; } scaled_squares;
/* The map x -> min (max (x + m, lo), hi), or x * m for products.  */
typedef struct { i64 m, lo, hi; } sat64;
typedef struct { i128 m, lo, hi; } sat128;

/* Element types as they lie in memory.  logical and char are u8.  */
#define GPR_ELEMS(X) \
  X (f64) X (f32) X (i8) X (u8) X (i16) X (u16) X (i32) X (u32) X (i64) X (u64) X (c128) X (c64)
#define GPR_ELEM_ID(t) GPR_##t,
enum gpr_elem { GPR_ELEMS (GPR_ELEM_ID) GPR_ELEM_COUNT };
#undef GPR_ELEM_ID

/* ---- floating point ------------------------------------------------- */

GPR_FN int gpr_nan_f64 (f64 x) { return x != x; }
GPR_FN int gpr_nan_f32 (f32 x) { return x != x; }
GPR_FN int gpr_nan_c128 (c128 z) { return z.re != z.re || z.im != z.im; }
GPR_FN int gpr_nan_c64 (c64 z) { return z.re != z.re || z.im != z.im; }
GPR_FN int gpr_finite_f64 (f64 x) { return fabs (x) <= DBL_MAX; }
GPR_FN int gpr_finite_f32 (f32 x) { return fabsf (x) <= FLT_MAX; }

GPR_FN f64 gpr_make_nan (void)
{
  union { u64 u; f64 d; } v;
  v.u = 0x7FF8000000000000ull;
  return v.d;
}

/* Octave's missing value NA is one bit pattern among the NaNs.  */
GPR_FN int gpr_na_f64 (f64 x)
{
  union { f64 d; u64 u; } v;
  v.d = x;
  return v.u == 0x7FF840F440000000ull;
}
GPR_FN int gpr_na_f32 (f32 x)
{
  union { f32 f; u32 u; } v;
  v.f = x;
  return v.u == 0x7FC207A2u;
}

/* |z| in double, correctly rounded in the normal range but for cases within
   2^-100 of halfway:
   x*x + y*y in double-double after scaling by a power of two, then one Newton
   step on the square root (Dekker 1971).  */
GPR_FN f64 gpr_abs_c128 (c128 z)
{
  f64 x = fabs (z.re), y = fabs (z.im), t, up = 1.0, s, e, p, q, r;
  if (x > DBL_MAX || y > DBL_MAX)
    return HUGE_VAL;
  if (x != x || y != y)
    return gpr_make_nan ();
  if (x < y) { t = x; x = y; y = t; }
  if (y <= x * 0x1p-60)         /* y*y / 2x is far below half an ulp of x */
    return x;
  if (x > 0x1p510)       { x *= 0x1p-600; y *= 0x1p-600; up = 0x1p600; }
  else if (y < 0x1p-459) { x *= 0x1p600; y *= 0x1p600; up = 0x1p-600; }
  p = x * x;
  q = y * y;
  s = p + q;
  e = (p - s) + q + (fma (x, x, -p) + fma (y, y, -q));
  r = sqrt (s);
  return (r + (fma (-r, r, s) + e) / (2.0 * r)) * up;
}
GPR_FN f32 gpr_abs_c64 (c64 z)
{
  f64 x = z.re, y = z.im;
  if (fabs (x) > DBL_MAX || fabs (y) > DBL_MAX)
    return HUGE_VALF;
  return (f32) sqrt (x * x + y * y);
}

/* Order of complex numbers: by abs, then by arg in (-pi, pi].  */
GPR_FN f64 gpr_arg_c128 (c128 z)
{
  f64 a = atan2 (z.im, z.re);
  return a == -3.14159265358979323846 ? 3.14159265358979323846 : a;
}
GPR_FN f32 gpr_arg_c64 (c64 z)
{
  f32 a = atan2f (z.im, z.re);
  return a == -3.14159265358979323846f ? 3.14159265358979323846f : a;
}
GPR_FN int gpr_gt_c128 (c128 a, c128 b)
{
  f64 x = gpr_abs_c128 (a), y = gpr_abs_c128 (b);
  return x == y ? gpr_arg_c128 (a) > gpr_arg_c128 (b) : x > y;
}
GPR_FN int gpr_gt_c64 (c64 a, c64 b)
{
  f32 x = gpr_abs_c64 (a), y = gpr_abs_c64 (b);
  return x == y ? gpr_arg_c64 (a) > gpr_arg_c64 (b) : x > y;
}

GPR_FN c128 gpr_mul_c128 (c128 a, c128 b)
{
  c128 r;
  r.re = a.re * b.re - a.im * b.im;
  r.im = a.re * b.im + a.im * b.re;
  return r;
}
GPR_FN c64 gpr_mul_c64 (c64 a, c64 b)
{
  c64 r;
  r.re = a.re * b.re - a.im * b.im;
  r.im = a.re * b.im + a.im * b.re;
  return r;
}

GPR_FN f64 gpr_make_na (void)
{
  union { u64 u; f64 d; } v;
  v.u = 0x7FF840F440000000ull;
  return v.d;
}
/* A GPU does not keep what makes NA of a NaN: NaN alone.  */
GPR_FN f64 gpr_plain_f64 (f64 x) { return x == x ? x : gpr_make_nan (); }

/* r, a + v or a * v, where NaN comes from the operands if it can.  */
GPR_FN f64 gpr_first_nan_f64 (f64 r, f64 a, f64 v)
{
  union { u64 u; f64 d; } invalid;
  invalid.u = 0xFFF8000000000000ull;
  return r == r ? r : a != a ? a : v != v ? v : invalid.d;
}
GPR_FN f32 gpr_first_nan_f32 (f32 r, f32 a, f32 v)
{
  union { u32 u; f32 f; } invalid;
  invalid.u = 0xFFC00000u;
  return r == r ? r : a != a ? a : v != v ? v : invalid.f;
}

GPR_FN f64 gpr_plus_f64 (f64 a, f64 v) { return gpr_first_nan_f64 (a + v, a, v); }
GPR_FN f32 gpr_plus_f32 (f32 a, f32 v) { return gpr_first_nan_f32 (a + v, a, v); }
GPR_FN f64 gpr_by_f64 (f64 a, f64 v) { return gpr_first_nan_f64 (a * v, a, v); }
GPR_FN f32 gpr_by_f32 (f32 a, f32 v) { return gpr_first_nan_f32 (a * v, a, v); }

/* conj (x) * y, as Octave has them: products of integers saturate, those of 32 bits
   and below through a double.  */
GPR_FN f64 gpr_times_f64 (f64 x, f64 y) { return gpr_by_f64 (x, y); }
GPR_FN f32 gpr_times_f32 (f32 x, f32 y) { return gpr_by_f32 (x, y); }
/* Where it does not matter which NaN it is.  */
GPR_FN c128 gpr_inner_c128 (c128 x, c128 y) { x.im = -x.im; return gpr_mul_c128 (x, y); }
GPR_FN c64 gpr_inner_c64 (c64 x, c64 y) { x.im = -x.im; return gpr_mul_c64 (x, y); }
/* x is negated by its bits: a GPU's own way may lose what makes NA of a NaN.  */
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

/* x - y, of integers as Octave has them: saturated.  */
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

/* Knuth's TwoSum: s + e is a + b exactly.  */
GPR_FN void gpr_dd_add (dd *a, f64 x)
{
  f64 s = a->sum + x, t = s - a->sum;
  a->err += (a->sum - (s - t)) + (x - t);
  a->sum = s;
}

/* ---- wide integers -------------------------------------------------- */

GPR_FN f64 gpr_ldexp_u64 (u64 m, int e)    /* m * 2^e, m below 2^53 or a multiple that fits */
{
  return ldexp ((f64) m, e);
}

/* Rounded once, to nearest even: keep 64 leading bits, the last of them sticky.  */
GPR_FN f64 gpr_u128_f64 (u128 x)
{
  u64 hi = (u64) (x >> 64), lo = (u64) x;
  int z = 0;
  if (hi == 0)
    return (f64) lo;
  while (! (hi >> 63)) { hi = hi << 1 | lo >> 63; lo <<= 1; z++; }
  return gpr_ldexp_u64 (hi | (lo != 0), 64 - z);
}
GPR_FN f64 gpr_i128_f64 (i128 x)
{
  return x < 0 ? -gpr_u128_f64 (-(u128) x) : gpr_u128_f64 ((u128) x);
}
GPR_FN f64 gpr_u192_f64 (u192 x)
{
  u128 top = (u128) x.w[2] << 64 | x.w[1];
  int z = 0;
  if (x.w[2] == 0)
    return gpr_u128_f64 ((u128) x.w[1] << 64 | x.w[0]);
  while (! (u64) (top >> 127)) { top = top << 1 | x.w[0] >> 63; x.w[0] <<= 1; z++; }
  return gpr_ldexp_u64 ((u64) (top >> 64) | ((u64) top != 0 || x.w[0] != 0), 128 - z);
}
GPR_FN void gpr_u192_add (u192 *a, u192 b)
{
  u128 t = (u128) a->w[0] + b.w[0];
  a->w[0] = (u64) t;
  t = (t >> 64) + a->w[1] + b.w[1];
  a->w[1] = (u64) t;
  a->w[2] += b.w[2] + (u64) (t >> 64);
}

/* ---- saturating maps: the "native" sums and products of integers ----- */

GPR_FN i64 gpr_clamp64 (i64 x, i64 lo, i64 hi) { return x < lo ? lo : x > hi ? hi : x; }
GPR_FN i128 gpr_clamp128 (i128 x, i128 lo, i128 hi) { return x < lo ? lo : x > hi ? hi : x; }

/* x * y held to +-lim, for |x|, |y| <= lim.  */
GPR_FN i128 gpr_mul_held (i128 x, i128 y, i128 lim)
{
  i128 ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
  if (ax == 0 || ay == 0)
    return 0;
  if (ax > lim / ay)
    return (x < 0) == (y < 0) ? lim : -lim;
  return x * y;
}

#endif
