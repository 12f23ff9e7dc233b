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

/* CUDA's rounds up to Inf where the greater operand is nearly the largest number: it is the result, the other one being too small to matter.  */
#ifdef __CUDA_ARCH__
#  define GPR_DEFINE_HYPOT(T, FABS, HYPOT, LEAST) \
GPR_FN T gpr_hypot_##T (T x, T y) \
{ \
  const T a = FABS (x), b = FABS (y), most = a > b ? a : b, least = a > b ? b : a; \
  return least < most * (LEAST) && most - most == 0 ? most : HYPOT (x, y); \
}
#else
#  define GPR_DEFINE_HYPOT(T, FABS, HYPOT, LEAST) GPR_FN T gpr_hypot_##T (T x, T y) { return HYPOT (x, y); }
#endif
GPR_DEFINE_HYPOT (f64, fabs, hypot, 0x1p-28)
GPR_DEFINE_HYPOT (f32, fabsf, hypotf, 0x1p-13f)

/* Knuth's TwoSum: s + e is a + b exactly.  */
GPR_FN void gpr_dd_add (dd *a, f64 x)
{
  f64 s = a->sum + x, t = s - a->sum;
  a->err += (a->sum - (s - t)) + (x - t);
  a->sum = s;
}

#endif
