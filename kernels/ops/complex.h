/* Elementwise operations on complex numbers: what they give for one element, for C11 and CUDA C++.

   Of two operands either may be real, of power the exponent is; and where real numbers have a complex result, both.  A real one is not the same as an imaginary part of 0: Inf times such a one is NaN.
   Products and quotients whose parts are both NaN are taken again by the rules of C (ISO C, annex G.5.1), as Octave's are.  */

#ifndef GPR_COMPLEX_H
#define GPR_COMPLEX_H

#include "../common/scalars.h"

/* F (name): of two operands; of one, which get it twice.  */
#define GPR_COMPLEX_BINARY(F) F (plus) F (minus) F (times) F (rdivide) F (power) F (eq) F (ne)
#define GPR_COMPLEX_UNARY(F) F (uminus) F (uplus) F (conj) F (exp) F (sqrt) F (log) F (log2) F (log10) F (abs) F (arg) F (real) F (imag) F (isnan) F (isinf) F (isfinite)
#define GPR_COMPLEX_ENUM(name) GPR_COMPLEX_##name,
typedef enum { GPR_COMPLEX_BINARY (GPR_COMPLEX_ENUM) GPR_COMPLEX_UNARY (GPR_COMPLEX_ENUM) GPR_COMPLEX_OP_COUNT } gpr_complex_op;

typedef enum { GPR_COMPLEX_BOTH, GPR_COMPLEX_FIRST, GPR_COMPLEX_SECOND, GPR_COMPLEX_NEITHER, GPR_COMPLEX_KINDS } gpr_complex_kind;    /* which operands are complex */
GPR_FN int gpr_complex_operand (gpr_complex_kind kind, int k) { return kind == GPR_COMPLEX_BOTH || kind == (k == 0 ? GPR_COMPLEX_FIRST : GPR_COMPLEX_SECOND); }

/* F (name, kind, X, Y, Z), of T real and C complex: Z gpr_complex_NAME_KIND_T (X x, Y y).  */
#define GPR_COMPLEX_ALL_KINDS(F, name, C, T, Z) F (name, BOTH, T, C, C, Z) F (name, FIRST, T, C, T, Z) F (name, SECOND, T, T, C, Z)
#define GPR_COMPLEX_INSTANCES_OF(F, C, T) \
  GPR_COMPLEX_ALL_KINDS (F, plus, C, T, C) GPR_COMPLEX_ALL_KINDS (F, minus, C, T, C) GPR_COMPLEX_ALL_KINDS (F, times, C, T, C) \
  GPR_COMPLEX_ALL_KINDS (F, rdivide, C, T, C) F (power, FIRST, T, C, T, C) F (power, NEITHER, T, T, T, C) GPR_COMPLEX_ALL_KINDS (F, eq, C, T, u8) GPR_COMPLEX_ALL_KINDS (F, ne, C, T, u8) \
  F (uminus, BOTH, T, C, C, C) F (uplus, BOTH, T, C, C, C) F (conj, BOTH, T, C, C, C) F (exp, BOTH, T, C, C, C) F (sqrt, BOTH, T, C, C, C) F (log, BOTH, T, C, C, C) \
  F (sqrt, NEITHER, T, T, T, C) F (log, NEITHER, T, T, T, C) F (log2, NEITHER, T, T, T, C) F (log10, NEITHER, T, T, T, C) \
  F (abs, BOTH, T, C, C, T) F (arg, BOTH, T, C, C, T) F (real, BOTH, T, C, C, T) F (imag, BOTH, T, C, C, T) \
  F (isnan, BOTH, T, C, C, u8) F (isinf, BOTH, T, C, C, u8) F (isfinite, BOTH, T, C, C, u8)
#define GPR_COMPLEX_INSTANCES(F) GPR_COMPLEX_INSTANCES_OF (F, c128, f64) GPR_COMPLEX_INSTANCES_OF (F, c64, f32)

GPR_FN int gpr_complex_takes_two (gpr_complex_op op) { return op < GPR_COMPLEX_uminus; }
GPR_FN int gpr_complex_has (gpr_complex_op op, gpr_complex_kind kind)
{
  switch (op)
    {
    case GPR_COMPLEX_power: return kind == GPR_COMPLEX_FIRST || kind == GPR_COMPLEX_NEITHER;
    case GPR_COMPLEX_sqrt: case GPR_COMPLEX_log: return kind == GPR_COMPLEX_BOTH || kind == GPR_COMPLEX_NEITHER;
    case GPR_COMPLEX_log2: case GPR_COMPLEX_log10: return kind == GPR_COMPLEX_NEITHER;
    default: return kind != GPR_COMPLEX_NEITHER;
    }
}
/* Of what class the result is: complex, as its parts, or logical.  */
GPR_FN int gpr_complex_gives_complex (gpr_complex_op op) { return op < GPR_COMPLEX_eq || (op >= GPR_COMPLEX_uminus && op <= GPR_COMPLEX_log10); }
GPR_FN int gpr_complex_gives_logical (gpr_complex_op op) { return op == GPR_COMPLEX_eq || op == GPR_COMPLEX_ne || op >= GPR_COMPLEX_isnan; }

#define GPR_COMPLEX_LIBRARY_f64(function) function
#define GPR_COMPLEX_LIBRARY_f32(function) function##f
#define GPR_COMPLEX_BITS_f64 u64
#define GPR_COMPLEX_BITS_f32 u32
#define GPR_COMPLEX_SIGN_f64 0x8000000000000000ull
#define GPR_COMPLEX_SIGN_f32 0x80000000u

/* r, made of x and y: a processor keeps a NaN that is one of them, if only which of two is the compiler's choice; a GPU does not.  */
#ifdef __CUDA_ARCH__
#  define GPR_COMPLEX_KEEP(T, r, x, y) gpr_first_nan_##T (r, x, y)
#else
#  define GPR_COMPLEX_KEEP(T, r, x, y) (r)
#endif

#define GPR_COMPLEX_PARTS(C, T) \
GPR_FN C gpr_complex_of_##T (T re, T im) { C z; z.re = re; z.im = im; return z; } \
GPR_FN T gpr_complex_sum_##T (T x, T y) { return GPR_COMPLEX_KEEP (T, x + y, x, y); } \
GPR_FN T gpr_complex_difference_##T (T x, T y) { return GPR_COMPLEX_KEEP (T, x - y, x, y); } \
GPR_FN T gpr_complex_product_##T (T x, T y) { return GPR_COMPLEX_KEEP (T, x * y, x, y); } \
/* A GPU's negation does not keep which NaN it is.  */ \
GPR_FN T gpr_complex_negative_##T (T x) { union { T f; GPR_COMPLEX_BITS_##T u; } v; v.f = x; v.u ^= GPR_COMPLEX_SIGN_##T; return v.f; } \
GPR_FN int gpr_complex_infinite_##T (T x) { return x == x && x - x != 0; } \
GPR_FN int gpr_complex_finite_##T (C x) { return x.re - x.re == 0 && x.im - x.im == 0; } \
/* What the rules of C take for an infinite number: parts of 1 where it is infinite, else 0, and their signs; and for one beside it: \
   0 for NaN.  */ \
GPR_FN T gpr_complex_unit_of_##T (T x) { return GPR_COMPLEX_LIBRARY_##T (copysign) (gpr_complex_infinite_##T (x) ? (T) 1 : (T) 0, x); } \
GPR_FN C gpr_complex_unit_##T (C x) { return gpr_complex_of_##T (gpr_complex_unit_of_##T (x.re), gpr_complex_unit_of_##T (x.im)); } \
/* By bits: nvcc 13.0 takes x != x ? copysign (0, x) : x for x.  */ \
GPR_FN T gpr_complex_number_of_##T (T x) { union { T f; GPR_COMPLEX_BITS_##T u; } v; v.f = x; v.u &= GPR_COMPLEX_SIGN_##T; return x != x ? v.f : x; } \
GPR_FN C gpr_complex_number_##T (C x) { return gpr_complex_of_##T (gpr_complex_number_of_##T (x.re), gpr_complex_number_of_##T (x.im)); } \
GPR_FN int gpr_complex_is_infinite_##T (C x) { return gpr_complex_infinite_##T (x.re) || gpr_complex_infinite_##T (x.im); }
GPR_COMPLEX_PARTS (c128, f64)
GPR_COMPLEX_PARTS (c64, f32)

/* The compiler's and its library's, which are the built-in's; on a GPU from real parts, of quotients scaled by powers of two.  */
#if ! defined __cplusplus
#define GPR_COMPLEX_CALL(C, T, name) \
GPR_FN C gpr_complex_##name##_BOTH_##T (C x, C y) \
{ \
  gpr_complex_##T a = { .c = x }; \
  (void) y; \
  a.z = GPR_COMPLEX_LIBRARY_##T (__builtin_c##name) (a.z); \
  return a.c; \
}
#define GPR_COMPLEX_BY_LIBRARY(C, T, COMPLEX) \
typedef union { C c; COMPLEX z; } gpr_complex_##T; \
GPR_FN C gpr_complex_rdivide_BOTH_##T (C x, C y) \
{ \
  gpr_complex_##T a = { .c = x }, b = { .c = y }; \
  a.z /= b.z; \
  return a.c; \
} \
GPR_COMPLEX_CALL (C, T, exp) GPR_COMPLEX_CALL (C, T, sqrt) GPR_COMPLEX_CALL (C, T, log)
GPR_COMPLEX_BY_LIBRARY (c128, f64, double _Complex)
GPR_COMPLEX_BY_LIBRARY (c64, f32, float _Complex)
#else
#define GPR_COMPLEX_BY_PARTS(C, T, HIGH, FAR) \
GPR_FN int gpr_complex_exponent_##T (C x) \
{ \
  const T re = GPR_COMPLEX_LIBRARY_##T (fabs) (x.re), im = GPR_COMPLEX_LIBRARY_##T (fabs) (x.im), most = re > im ? re : im; \
  return most > 0 && most - most == 0 ? GPR_COMPLEX_LIBRARY_##T (ilogb) (most) : 0; \
} \
GPR_FN C gpr_complex_scaled_##T (C x, int by) { x.re = GPR_COMPLEX_LIBRARY_##T (scalbn) (x.re, by); x.im = GPR_COMPLEX_LIBRARY_##T (scalbn) (x.im, by); return x; } \
GPR_FN C gpr_complex_rdivide_BOTH_##T (C x, C y) \
{ \
  const int up = gpr_complex_exponent_##T (x), down = gpr_complex_exponent_##T (y); \
  const C a = gpr_complex_scaled_##T (x, -up), b = gpr_complex_scaled_##T (y, -down); \
  const T norm = b.re * b.re + b.im * b.im, inf = (T) HUGE_VAL; \
  C z = gpr_complex_of_##T ((a.re * b.re + a.im * b.im) / norm, (a.im * b.re - a.re * b.im) / norm); \
  if (z.re == z.re || z.im == z.im) \
    return gpr_complex_scaled_##T (z, up - down); \
  if (norm == 0 && (x.re == x.re || x.im == x.im)) \
    { \
      const T to = GPR_COMPLEX_LIBRARY_##T (copysign) (inf, y.re); \
      z = gpr_complex_of_##T (to * x.re, to * x.im); \
    } \
  else if (gpr_complex_is_infinite_##T (x) && gpr_complex_finite_##T (y)) \
    { \
      x = gpr_complex_unit_##T (x); \
      z = gpr_complex_of_##T (inf * (x.re * y.re + x.im * y.im), inf * (x.im * y.re - x.re * y.im)); \
    } \
  else if (gpr_complex_is_infinite_##T (y) && gpr_complex_finite_##T (x)) \
    { \
      y = gpr_complex_unit_##T (y); \
      z = gpr_complex_of_##T (0 * (x.re * y.re + x.im * y.im), 0 * (x.im * y.re - x.re * y.im)); \
    } \
  return z; \
} \
/* e of the highest exponents is halved: cos and sin may bring it back into the range.  */ \
GPR_FN C gpr_complex_exp_BOTH_##T (C x, C y) \
{ \
  const T c = GPR_COMPLEX_LIBRARY_##T (cos) (x.im), s = GPR_COMPLEX_LIBRARY_##T (sin) (x.im); \
  const int high = x.re > (HIGH); \
  const T e = GPR_COMPLEX_LIBRARY_##T (exp) (high ? x.re / 2 : x.re), more = high ? e : (T) 1; \
  (void) y; \
  if (x.im == 0) \
    return gpr_complex_of_##T (e * more, x.im); \
  if (x.im - x.im != 0 && gpr_complex_infinite_##T (x.re)) \
    return x.re > 0 ? gpr_complex_of_##T (x.re, x.im - x.im) : gpr_complex_of_##T (0, 0); \
  return gpr_complex_of_##T (e * c * more, e * s * more); \
} \
/* log of the modulus: scaled where squares leave the range; near 1 from what is above 1, or it would lose digits.  */ \
GPR_FN C gpr_complex_log_BOTH_##T (C x, C y) \
{ \
  const int up = gpr_complex_exponent_##T (x), by = up > (FAR) || up < -(FAR) ? up : 0; \
  const C a = gpr_complex_scaled_##T (x, -by); \
  const T re = GPR_COMPLEX_LIBRARY_##T (fabs) (a.re), im = GPR_COMPLEX_LIBRARY_##T (fabs) (a.im), most = re > im ? re : im, least = re > im ? im : re; \
  const T modulus = gpr_hypot_##T (most, least); \
  const T log_modulus = modulus > (T) 0.5 && modulus < 2 ? GPR_COMPLEX_LIBRARY_##T (log1p) ((most - 1) * (most + 1) + least * least) / 2 \
                        : GPR_COMPLEX_LIBRARY_##T (log) (modulus); \
  (void) y; \
  return gpr_complex_of_##T (by ? log_modulus + by * (T) 0.69314718055994530942 : log_modulus, GPR_COMPLEX_LIBRARY_##T (atan2) (x.im, x.re)); \
} \
/* The greater part, without cancellation; the other from it.  Scaled by an even power of two.  */ \
GPR_FN C gpr_complex_sqrt_BOTH_##T (C x, C y) \
{ \
  const int by = gpr_complex_exponent_##T (x) / 2 * 2; \
  const C a = gpr_complex_scaled_##T (x, -by); \
  const T re = GPR_COMPLEX_LIBRARY_##T (fabs) (a.re), t = GPR_COMPLEX_LIBRARY_##T (sqrt) ((gpr_hypot_##T (a.re, a.im) + re) / 2); \
  (void) y; \
  if (gpr_complex_infinite_##T (x.im)) \
    return gpr_complex_of_##T ((T) HUGE_VAL, x.im); \
  if (x.re == 0 && x.im == 0) \
    return gpr_complex_of_##T (0, x.im); \
  if (gpr_complex_infinite_##T (x.re)) \
    return x.re > 0 ? gpr_complex_of_##T (x.re, x.im == x.im ? GPR_COMPLEX_LIBRARY_##T (copysign) ((T) 0, x.im) : x.im) \
                    : gpr_complex_of_##T (x.im == x.im ? (T) 0 : x.im, GPR_COMPLEX_LIBRARY_##T (copysign) (x.re, x.im)); \
  if (x.re >= 0) \
    return gpr_complex_scaled_##T (gpr_complex_of_##T (t, a.im / (2 * t)), by / 2); \
  return gpr_complex_scaled_##T (gpr_complex_of_##T (GPR_COMPLEX_LIBRARY_##T (fabs) (a.im) / (2 * t), GPR_COMPLEX_LIBRARY_##T (copysign) (t, a.im)), by / 2); \
}
GPR_COMPLEX_BY_PARTS (c128, f64, 700, 1000)
GPR_COMPLEX_BY_PARTS (c64, f32, 80, 100)
#endif

#define GPR_COMPLEX_LOGARITHM(C, T, log, PI) \
GPR_FN C gpr_complex_##log##_NEITHER_##T (T x, T y) \
{ \
  const T real = GPR_COMPLEX_KEEP (T, GPR_COMPLEX_LIBRARY_##T (log) (x < 0 ? -x : x), x, x); \
  (void) y; \
  return gpr_complex_of_##T (real, x < 0 ? (T) (PI) : (T) 0); \
}

#define GPR_COMPLEX_DEFINE(C, T) \
GPR_FN C gpr_complex_product_again_##T (C x, C y, C z) \
{ \
  const T inf = (T) HUGE_VAL; \
  const int x_infinite = gpr_complex_is_infinite_##T (x); \
  int again = x_infinite || gpr_complex_infinite_##T (x.re * y.re) || gpr_complex_infinite_##T (x.im * y.im) \
              || gpr_complex_infinite_##T (x.re * y.im) || gpr_complex_infinite_##T (x.im * y.re); \
  if (x_infinite) \
    { \
      x = gpr_complex_unit_##T (x); \
      y = gpr_complex_number_##T (y); \
    } \
  if (gpr_complex_is_infinite_##T (y)) \
    { \
      y = gpr_complex_unit_##T (y); \
      again = 1; \
    } \
  if (again) \
    { \
      x = gpr_complex_number_##T (x); \
      y = gpr_complex_number_##T (y); \
      z = gpr_complex_of_##T (inf * (x.re * y.re - x.im * y.im), inf * (x.re * y.im + x.im * y.re)); \
    } \
  return z; \
} \
GPR_FN C gpr_complex_times_BOTH_##T (C x, C y) \
{ \
  const C z = gpr_complex_of_##T (gpr_complex_difference_##T (gpr_complex_product_##T (x.re, y.re), gpr_complex_product_##T (x.im, y.im)), \
                                  gpr_complex_sum_##T (gpr_complex_product_##T (x.re, y.im), gpr_complex_product_##T (x.im, y.re))); \
  return z.re != z.re && z.im != z.im ? gpr_complex_product_again_##T (x, y, z) : z; \
} \
GPR_FN C gpr_complex_times_FIRST_##T (C x, T y) { return gpr_complex_of_##T (gpr_complex_product_##T (x.re, y), gpr_complex_product_##T (x.im, y)); } \
GPR_FN C gpr_complex_times_SECOND_##T (T x, C y) { return gpr_complex_times_FIRST_##T (y, x); } \
\
GPR_FN C gpr_complex_plus_BOTH_##T (C x, C y) { return gpr_complex_of_##T (gpr_complex_sum_##T (x.re, y.re), gpr_complex_sum_##T (x.im, y.im)); } \
GPR_FN C gpr_complex_plus_FIRST_##T (C x, T y) { return gpr_complex_of_##T (gpr_complex_sum_##T (x.re, y), x.im); } \
GPR_FN C gpr_complex_plus_SECOND_##T (T x, C y) { return gpr_complex_plus_FIRST_##T (y, x); } \
GPR_FN C gpr_complex_minus_BOTH_##T (C x, C y) { return gpr_complex_of_##T (gpr_complex_difference_##T (x.re, y.re), gpr_complex_difference_##T (x.im, y.im)); } \
GPR_FN C gpr_complex_minus_FIRST_##T (C x, T y) { return gpr_complex_of_##T (gpr_complex_difference_##T (x.re, y), x.im); } \
GPR_FN C gpr_complex_minus_SECOND_##T (T x, C y) { return gpr_complex_of_##T (gpr_complex_difference_##T (x, y.re), gpr_complex_negative_##T (y.im)); } \
\
GPR_FN C gpr_complex_rdivide_FIRST_##T (C x, T y) \
{ \
  return gpr_complex_of_##T (GPR_COMPLEX_KEEP (T, x.re / y, x.re, y), GPR_COMPLEX_KEEP (T, x.im / y, x.im, y)); \
} \
GPR_FN C gpr_complex_rdivide_SECOND_##T (T x, C y) { return gpr_complex_rdivide_BOTH_##T (gpr_complex_of_##T (x, 0), y); } \
\
GPR_FN u8 gpr_complex_eq_BOTH_##T (C x, C y) { return x.re == y.re && x.im == y.im; } \
GPR_FN u8 gpr_complex_eq_FIRST_##T (C x, T y) { return x.re == y && x.im == 0; } \
GPR_FN u8 gpr_complex_eq_SECOND_##T (T x, C y) { return gpr_complex_eq_FIRST_##T (y, x); } \
GPR_FN u8 gpr_complex_ne_BOTH_##T (C x, C y) { return ! gpr_complex_eq_BOTH_##T (x, y); } \
GPR_FN u8 gpr_complex_ne_FIRST_##T (C x, T y) { return ! gpr_complex_eq_FIRST_##T (x, y); } \
GPR_FN u8 gpr_complex_ne_SECOND_##T (T x, C y) { return ! gpr_complex_eq_FIRST_##T (y, x); } \
\
GPR_FN C gpr_complex_uminus_BOTH_##T (C x, C y) { (void) y; return gpr_complex_of_##T (gpr_complex_negative_##T (x.re), gpr_complex_negative_##T (x.im)); } \
GPR_FN C gpr_complex_uplus_BOTH_##T (C x, C y) { (void) y; return x; } \
GPR_FN C gpr_complex_conj_BOTH_##T (C x, C y) { (void) y; return gpr_complex_of_##T (x.re, gpr_complex_negative_##T (x.im)); } \
GPR_FN T gpr_complex_abs_BOTH_##T (C x, C y) { (void) y; return GPR_COMPLEX_KEEP (T, gpr_hypot_##T (x.re, x.im), x.re, x.im); } \
GPR_FN T gpr_complex_arg_BOTH_##T (C x, C y) { (void) y; return GPR_COMPLEX_KEEP (T, GPR_COMPLEX_LIBRARY_##T (atan2) (x.im, x.re), x.im, x.re); } \
/* Of real numbers, some of them below 0.  */ \
GPR_FN C gpr_complex_sqrt_NEITHER_##T (T x, T y) \
{ \
  const T root = GPR_COMPLEX_KEEP (T, GPR_COMPLEX_LIBRARY_##T (sqrt) (x < 0 ? -x : x), x, x); \
  (void) y; \
  return x < 0 ? gpr_complex_of_##T (0, root) : gpr_complex_of_##T (root, 0); \
} \
GPR_COMPLEX_LOGARITHM (C, T, log, 3.14159265358979323846) GPR_COMPLEX_LOGARITHM (C, T, log2, 4.53236014182719380963) \
GPR_COMPLEX_LOGARITHM (C, T, log10, 1.36437635384184134749) \
GPR_FN T gpr_complex_real_BOTH_##T (C x, C y) { (void) y; return x.re; } \
GPR_FN T gpr_complex_imag_BOTH_##T (C x, C y) { (void) y; return x.im; } \
GPR_FN u8 gpr_complex_isnan_BOTH_##T (C x, C y) { (void) y; return x.re != x.re || x.im != x.im; } \
GPR_FN u8 gpr_complex_isinf_BOTH_##T (C x, C y) { (void) y; return gpr_complex_is_infinite_##T (x); } \
GPR_FN u8 gpr_complex_isfinite_BOTH_##T (C x, C y) { (void) y; return gpr_complex_finite_##T (x); }

GPR_COMPLEX_DEFINE (c128, f64)
GPR_COMPLEX_DEFINE (c64, f32)

/* As C++'s standard library has them: whole exponents that an int holds by squares, others by the logarithm.  */
#define GPR_COMPLEX_POWERS(C, T) \
GPR_FN C gpr_complex_whole_power_##T (C x, unsigned n) \
{ \
  C y = n % 2 ? x : gpr_complex_of_##T (1, 0); \
  while (n >>= 1) \
    { \
      x = gpr_complex_times_BOTH_##T (x, x); \
      if (n % 2) \
        y = gpr_complex_times_BOTH_##T (y, x); \
    } \
  return y; \
} \
GPR_FN C gpr_complex_power_by_log_##T (C x, T y) \
{ \
  if (x.im == 0 && x.re > 0) \
    return gpr_complex_of_##T (GPR_COMPLEX_LIBRARY_##T (pow) (x.re, y), 0); \
  { \
    const C log_x = gpr_complex_log_BOTH_##T (x, x); \
    const T modulus = GPR_COMPLEX_LIBRARY_##T (exp) (y * log_x.re), angle = y * log_x.im; \
    return gpr_complex_of_##T (modulus * GPR_COMPLEX_LIBRARY_##T (cos) (angle), modulus * GPR_COMPLEX_LIBRARY_##T (sin) (angle)); \
  } \
} \
GPR_FN C gpr_complex_power_FIRST_##T (C x, T y) \
{ \
  const T most = (T) 2147483647; \
  if (y == 2)                           /* multiplied by 1, which can but change the sign of a 0; the real part is no -0 */ \
    { \
      const C z = gpr_complex_times_BOTH_##T (x, x); \
      return gpr_complex_finite_##T (z) ? gpr_complex_of_##T (z.re, z.im + GPR_COMPLEX_LIBRARY_##T (copysign) (0, z.re)) \
                                        : gpr_complex_times_BOTH_##T (gpr_complex_of_##T (1, 0), z); \
    } \
  if (y > -most && y < most && GPR_COMPLEX_LIBRARY_##T (floor) (y) == y) \
    return y < 0 ? gpr_complex_rdivide_BOTH_##T (gpr_complex_of_##T (1, 0), gpr_complex_whole_power_##T (x, (unsigned) -(int) y)) \
                 : gpr_complex_whole_power_##T (x, (unsigned) (int) y); \
  return gpr_complex_power_by_log_##T (x, y); \
} \
/* Octave takes the logarithm for whole exponents, too.  */ \
GPR_FN C gpr_complex_power_NEITHER_##T (T x, T y) { return gpr_complex_power_by_log_##T (gpr_complex_of_##T (x, 0), y); }
GPR_COMPLEX_POWERS (c128, f64)
GPR_COMPLEX_POWERS (c64, f32)

#endif
