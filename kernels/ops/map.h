/* Elementwise operations: the code of an expression, and what each step gives for one element, for C11 and CUDA C++.

   A step works in double or in single on an accumulator: of one operand it replaces the accumulator, of two the accumulator is the
   left one (the right one, where the step is turned) and the other is a leaf, a number or a slot.  Integers of up to 32 bits, logical and
   char are doubles, since their results as Octave defines them are what doubles give, rounded and saturated by a step GPR_MAP_TO_….  */

#ifndef GPR_MAP_H
#define GPR_MAP_H

#include "convert.h"
#include "exp.h"
#include "pair.h"

/* F (name): of two operands.  plus ... as Octave's functions of these names.  */
#define GPR_MAP_BINARY(F) \
  F (plus) F (minus) F (times) F (rdivide) F (power) F (eq) F (ne) F (lt) F (le) F (gt) F (ge) F (and) F (or) F (xor) \
  F (max) F (min) F (mod) F (rem) F (atan2) F (hypot) F (bitand) F (bitor) F (bitxor)
/* Of one.  to_X: rounded and saturated to integers, to single; to_logical of NaN is an error: left.  to_int32 and to_uint32 are
   steps in double, since single does not hold what they saturate to.  */
#define GPR_MAP_UNARY(F) \
  F (uminus) F (not) F (abs) F (sign) F (floor) F (ceil) F (round) F (fix) F (sqrt) F (exp) F (expm1) F (log) F (log2) F (log10) F (log1p) \
  F (sin) F (cos) F (tan) F (asin) F (acos) F (atan) F (sinh) F (cosh) F (tanh) F (asinh) F (acosh) F (atanh) \
  F (gamma) F (lgamma) F (erf) F (erfc) F (cbrt) F (isnan) F (isinf) F (isfinite) F (isna) F (signbit) \
  F (to_int8) F (to_uint8) F (to_int16) F (to_uint16) F (to_int32) F (to_uint32) F (to_single) F (to_logical)

/* Those of few instructions, which kernels have in line; the others are calls.  Turned: with the operands the other way round, where that is another
   operation.  */
#define GPR_MAP_SHORT_TURNED(F) F (minus) F (rdivide) F (max) F (min)
#define GPR_MAP_SHORT_COMPARING(F) F (eq) F (ne) F (lt) F (le) F (gt) F (ge) F (and) F (or) F (xor) F (max) F (min)
#define GPR_MAP_SHORT_BINARY(F) F (plus) F (minus) F (times) F (rdivide) GPR_MAP_SHORT_COMPARING (F)
#define GPR_MAP_SHORT_UNARY(F) \
  F (uminus) F (not) F (abs) F (sign) F (floor) F (ceil) F (round) F (fix) F (isnan) F (isinf) F (isfinite) \
  F (to_int8) F (to_uint8) F (to_int16) F (to_uint16) F (to_int32) F (to_uint32) F (to_single) F (to_logical)

/* What is read and written.  */
#define GPR_MAP_ELEMS(F) F (f64) F (f32) F (i8) F (u8) F (i16) F (u16) F (i32) F (u32)

#define GPR_MAP_ENUM(name) GPR_MAP_##name,
typedef enum { GPR_MAP_load, GPR_MAP_save, GPR_MAP_UNARY (GPR_MAP_ENUM) GPR_MAP_BINARY (GPR_MAP_ENUM) GPR_MAP_OP_COUNT } gpr_map_op;

GPR_FN int gpr_map_takes_two (int op) { return op >= GPR_MAP_plus; }        /* the first of them */

enum { GPR_MAP_LEAVES = 8, GPR_MAP_SLOTS = 4, GPR_MAP_STEPS = 32 };
/* Results that an expression of slices may hang on, one after the other.  */
enum { GPR_MAP_STAGES = 6 };

typedef enum { GPR_MAP_LEAF, GPR_MAP_NUMBER, GPR_MAP_SLOT } gpr_map_operand;
enum { GPR_MAP_SINGLE = 1, GPR_MAP_SINGLE_OF_WHOLE };

typedef struct {
  uint8_t op;                   /* gpr_map_op; load: the accumulator <- operand; save: slot `at' <- the accumulator */
  uint8_t single;               /* 0: works in double; GPR_MAP_SINGLE: in single, and operands are converted first; SINGLE_OF_WHOLE: so does a step that narrows a
                                   whole number, which need not be rounded */
  uint8_t turned;               /* operand op accumulator */
  uint8_t operand;              /* gpr_map_operand, of load and of two operands */
  int32_t at;                   /* which leaf or slot */
  double number;
} gpr_map_step;

/* ---- what a step gives for one element ------------------------------------------------

   T gpr_map_NAME_T (T x, T y, int *left) of two operands, T gpr_map_NAME_T (T x, int *left) of one.  *left |= 1: Octave's
   result is complex or an error.  Of operands that are NaN the first decides which NaN comes out, as on x86; of atan2 the second.  */

#define GPR_MAP_LIBRARY_f64(function) function
#define GPR_MAP_LIBRARY_f32(function) function##f
#define GPR_MAP_BITS_f64 u64
#define GPR_MAP_BITS_f32 u32
#define GPR_MAP_SIGN_f64 0x8000000000000000ull
#define GPR_MAP_SIGN_f32 0x80000000u
#define GPR_MAP_EPS_f64 DBL_EPSILON
#define GPR_MAP_EPS_f32 FLT_EPSILON

/* A GPU's instructions, its negation and its abs do not keep which NaN it is.  */
#ifdef __CUDA_ARCH__
#  define GPR_MAP_KEEP(x, r) ((x) == (x) ? (r) : (x))
#ifndef GPR_MAP_EXP             /* an emulation has the CPU's */
#define GPR_MAP_EXP(x) gpr_exp_f64 (x)
#define GPR_MAP_EXP_NEAR(x) gpr_exp_near_f64 (x)
#endif
GPR_FN f64 gpr_map_exp_of_f64 (f64 x) { return GPR_MAP_EXP (x); }
GPR_FN f64 gpr_map_exp_near_f64 (f64 x) { return GPR_MAP_EXP_NEAR (x); }
GPR_FN f64 gpr_map_lgamma_of_f64 (f64 x) { return lgamma (x); }
/* CUDA's own of singles are more than 4 units off (erfc: 4.49, tests/unit/accuracy_test.c on an H100) and, by its manual, 6 and more (lgamma).  */
GPR_FN f32 gpr_map_lgamma_of_f32 (f32 x) { return (f32) lgamma ((f64) x); }
GPR_FN f64 gpr_map_erfc_of_f64 (f64 x) { return erfc (x); }
GPR_FN f32 gpr_map_erfc_of_f32 (f32 x) { return (f32) erfc ((f64) x); }
#else
#  define GPR_MAP_KEEP(x, r) (r)
GPR_FN f64 gpr_map_exp_of_f64 (f64 x) { return exp (x); }
GPR_FN f64 gpr_map_exp_near_f64 (f64 x) { return exp (x); }
GPR_FN f64 gpr_map_lgamma_of_f64 (f64 x) { int sign; return lgamma_r (x, &sign); }      /* without a global variable */
GPR_FN f32 gpr_map_lgamma_of_f32 (f32 x) { int sign; return lgammaf_r (x, &sign); }
GPR_FN f64 gpr_map_erfc_of_f64 (f64 x) { return erfc (x); }
GPR_FN f32 gpr_map_erfc_of_f32 (f32 x) { return erfcf (x); }
#endif
GPR_FN f32 gpr_map_exp_of_f32 (f32 x) { return expf (x); }

#define GPR_MAP_OF_1(T, name, value) GPR_FN T gpr_map_##name##_##T (T x, int *left) { (void) left; return (T) (value); }
#define GPR_MAP_OF_2(T, name, value) GPR_FN T gpr_map_##name##_##T (T x, T y, int *left) { (void) left; return (T) (value); }
#define GPR_MAP_INSTRUCTION(T, name, function) GPR_MAP_OF_1 (T, name, GPR_MAP_KEEP (x, GPR_MAP_LIBRARY_##T (function) (x)))
/* A function of the C library's or CUDA's; outside: where it has no real value.  */
#define GPR_MAP_FUNCTION(T, name, outside) \
GPR_FN T gpr_map_##name##_##T (T x, int *left) { *left |= (outside); return gpr_first_nan_##T (GPR_MAP_LIBRARY_##T (name) (x), x, x); }

/* ---- one operand ---- */

/* An integer has no -0.  */
#define GPR_MAP_TO(T, name, LOW, HIGH) \
GPR_FN T gpr_map_to_##name##_##T (T x, int *left) \
{ \
  const T whole = GPR_MAP_LIBRARY_##T (round) (x == x ? x : 0) + (T) 0; \
  (void) left; \
  return whole >= (T) (HIGH) ? (T) (HIGH) : whole <= (T) (LOW) ? (T) (LOW) : whole; \
}

#define GPR_MAP_DEFINE_UNARY(T) \
GPR_FN T gpr_map_flip_##T (T x, GPR_MAP_BITS_##T keep, GPR_MAP_BITS_##T flip) \
{ \
  union { T f; GPR_MAP_BITS_##T u; } v; \
  v.f = x; \
  v.u = (v.u & keep) ^ flip; \
  return v.f; \
} \
GPR_MAP_OF_1 (T, uminus, gpr_map_flip_##T (x, ~(GPR_MAP_BITS_##T) 0, GPR_MAP_SIGN_##T)) \
GPR_MAP_OF_1 (T, abs, gpr_map_flip_##T (x, ~GPR_MAP_SIGN_##T, 0)) \
GPR_FN T gpr_map_not_##T (T x, int *left) { *left |= x != x; return (T) (x == 0); } \
GPR_MAP_OF_1 (T, sign, x != x ? (T) gpr_make_nan () : x > 0 ? (T) 1 : x < 0 ? (T) -1 : (T) 0) \
GPR_MAP_INSTRUCTION (T, floor, floor) GPR_MAP_INSTRUCTION (T, ceil, ceil) GPR_MAP_INSTRUCTION (T, round, round) \
GPR_MAP_INSTRUCTION (T, fix, trunc) \
GPR_FN T gpr_map_sqrt_##T (T x, int *left) { *left |= x < 0; return GPR_MAP_KEEP (x, GPR_MAP_LIBRARY_##T (sqrt) (x)); } \
GPR_MAP_OF_1 (T, exp, gpr_first_nan_##T (gpr_map_exp_of_##T (x), x, x)) GPR_MAP_FUNCTION (T, expm1, 0) \
GPR_MAP_FUNCTION (T, log, x < 0) GPR_MAP_FUNCTION (T, log2, x < 0) GPR_MAP_FUNCTION (T, log10, x < 0) GPR_MAP_FUNCTION (T, log1p, x < -1) \
GPR_MAP_FUNCTION (T, sin, 0) GPR_MAP_FUNCTION (T, cos, 0) GPR_MAP_FUNCTION (T, tan, 0) \
GPR_MAP_FUNCTION (T, asin, x > 1 || x < -1) GPR_MAP_FUNCTION (T, acos, x > 1 || x < -1) GPR_MAP_FUNCTION (T, atan, 0) \
GPR_MAP_FUNCTION (T, sinh, 0) GPR_MAP_FUNCTION (T, cosh, 0) GPR_MAP_FUNCTION (T, tanh, 0) \
GPR_MAP_FUNCTION (T, asinh, 0) GPR_MAP_FUNCTION (T, acosh, x < 1) GPR_MAP_FUNCTION (T, atanh, x > 1 || x < -1) \
GPR_MAP_FUNCTION (T, erf, 0) GPR_MAP_OF_1 (T, erfc, gpr_first_nan_##T (gpr_map_erfc_of_##T (x), x, x)) GPR_MAP_FUNCTION (T, cbrt, 0) \
/* As Octave has it: no sign at the poles but at 0, and NaN alone.  */ \
GPR_FN T gpr_map_gamma_##T (T x, int *left) \
{ \
  (void) left; \
  if (x != x) \
    return (T) gpr_make_nan (); \
  if (x == 0) \
    return signbit (x) ? GPR_MIN_##T : GPR_MAX_##T; \
  return (x < 0 && GPR_MAP_LIBRARY_##T (floor) (x) == x) || x - x != 0 ? GPR_MAX_##T : GPR_MAP_LIBRARY_##T (tgamma) (x); \
} \
/* Complex where gamma (x) is negative, at -0 too.  Below -2 are zeros of it, near which CUDA's is many units off: Octave's.  */ \
GPR_FN T gpr_map_lgamma_##T (T x, int *left) \
{ \
  const T whole = GPR_MAP_LIBRARY_##T (floor) (x), half = whole / 2; \
  *left |= x < -2 || (x < 0 && whole != x && GPR_MAP_LIBRARY_##T (floor) (half) != half) || (x == 0 && signbit (x)); \
  return gpr_first_nan_##T (gpr_map_lgamma_of_##T (x), x, x); \
} \
GPR_MAP_OF_1 (T, isnan, x != x) GPR_MAP_OF_1 (T, isinf, x == GPR_MAX_##T || x == GPR_MIN_##T) \
GPR_MAP_OF_1 (T, isfinite, x - x == 0) GPR_MAP_OF_1 (T, isna, gpr_na_##T (x)) GPR_MAP_OF_1 (T, signbit, signbit (x) != 0) \
GPR_MAP_TO (T, int8, -128, 127) GPR_MAP_TO (T, uint8, 0, 255) GPR_MAP_TO (T, int16, -32768, 32767) GPR_MAP_TO (T, uint16, 0, 65535) \
GPR_MAP_TO (T, int32, INT32_MIN, INT32_MAX) GPR_MAP_TO (T, uint32, 0, UINT32_MAX) \
GPR_FN T gpr_map_to_logical_##T (T x, int *left) { *left |= x != x; return (T) (x != 0); }
GPR_MAP_DEFINE_UNARY (f64)
GPR_MAP_DEFINE_UNARY (f32)
GPR_MAP_OF_1 (f64, to_single, gpr_f64_of_f32 (gpr_f32_of_f64 (x)))
GPR_MAP_OF_1 (f32, to_single, x)

/* ---- two operands ---- */

#define GPR_MAP_OF_LOGICAL(T, name, OP) \
GPR_FN T gpr_map_##name##_##T (T x, T y, int *left) { *left |= x != x || y != y; return (x != 0) OP (y != 0) ? (T) 1 : (T) 0; }

/* The bits of x as uint64 has it, rounded and saturated; of a negative number, which is of a signed class, those of int64.  */
#define GPR_MAP_DEFINE_BITS(T) \
GPR_FN u64 gpr_map_bits_##T (T x) \
{ \
  const T whole = GPR_MAP_LIBRARY_##T (round) (x == x ? x : 0); \
  if (whole < 0) \
    return (u64) (i64) (whole > (T) -0x1p63 ? whole : (T) -0x1p63); \
  return whole < (T) 0x1p64 ? (u64) whole : UINT64_MAX; \
}
GPR_MAP_DEFINE_BITS (f64)
GPR_MAP_DEFINE_BITS (f32)
#define GPR_MAP_OF_BITS(T, name, OP) \
GPR_FN T gpr_map_##name##_##T (T x, T y, int *left) \
{ \
  const u64 bits = gpr_map_bits_##T (x) OP gpr_map_bits_##T (y); \
  (void) left; \
  return x < 0 || y < 0 ? (T) (i64) bits : (T) bits; \
}

/* Whether x, so many times y, is a whole multiple but for rounding; of a whole y never.  */
#define GPR_MAP_DEFINE_BINARY(T) \
GPR_MAP_OF_2 (T, plus, gpr_plus_##T (x, y)) GPR_MAP_OF_2 (T, minus, gpr_minus_##T (x, y)) GPR_MAP_OF_2 (T, times, gpr_by_##T (x, y)) \
GPR_MAP_OF_2 (T, rdivide, gpr_first_nan_##T (x / y, x, y)) \
GPR_MAP_OF_2 (T, eq, x == y) GPR_MAP_OF_2 (T, ne, x != y) GPR_MAP_OF_2 (T, lt, x < y) GPR_MAP_OF_2 (T, le, x <= y) \
GPR_MAP_OF_2 (T, gt, x > y) GPR_MAP_OF_2 (T, ge, x >= y) \
GPR_MAP_OF_LOGICAL (T, and, &) GPR_MAP_OF_LOGICAL (T, or, |) GPR_MAP_OF_LOGICAL (T, xor, ^) \
GPR_MAP_OF_2 (T, max, y != y ? x : x >= y ? x : y) GPR_MAP_OF_2 (T, min, y != y ? x : x <= y ? x : y) \
GPR_MAP_OF_2 (T, atan2, gpr_first_nan_##T (GPR_MAP_LIBRARY_##T (atan2) (x, y), y, x)) \
GPR_MAP_OF_2 (T, hypot, gpr_first_nan_##T (gpr_hypot_##T (x, y), x, y)) \
GPR_MAP_OF_BITS (T, bitand, &) GPR_MAP_OF_BITS (T, bitor, |) GPR_MAP_OF_BITS (T, bitxor, ^) \
/* Whole exponents of a negative number are those that an int holds.  */ \
GPR_FN T gpr_map_power_##T (T x, T y, int *left) \
{ \
  *left |= x < 0 && ! (y == GPR_MAP_LIBRARY_##T (floor) (y) && y < (T) 2147483647 && y > (T) -2147483647 - 1); \
  if (y == 2) \
    return gpr_by_##T (x, x); \
  if (y == 3) \
    return gpr_by_##T (gpr_by_##T (x, x), x); \
  if (y == -1) \
    return gpr_first_nan_##T (1 / x, x, x); \
  return gpr_first_nan_##T (GPR_MAP_LIBRARY_##T (pow) (x, y), x, y); \
} \
GPR_FN T gpr_map_nearest_##T (T x) { return x - x == 0 ? GPR_MAP_LIBRARY_##T (floor) (x + (T) 0.5) : x; } \
GPR_FN int gpr_map_multiple_##T (T y, T q) \
{ \
  const T n = gpr_map_nearest_##T (q); \
  return (gpr_map_nearest_##T (y) != y) & (GPR_MAP_LIBRARY_##T (fabs) ((q - n) / n) < GPR_MAP_EPS_##T); \
} \
/* sign: of which operand the result has it.  */ \
GPR_FN T gpr_map_rest_##T (T x, T y, T q, T whole, T sign) \
{ \
  const T r = gpr_map_multiple_##T (y, q) ? 0 : gpr_minus_##T (x, gpr_by_##T (y, whole)); \
  union { T f; GPR_MAP_BITS_##T u; } v, s; \
  v.f = r; \
  s.f = sign; \
  v.u = (v.u & ~GPR_MAP_SIGN_##T) | (s.u & GPR_MAP_SIGN_##T); \
  return x != y ? v.f : r; \
} \
GPR_FN T gpr_map_mod_##T (T x, T y, int *left) \
{ \
  const T q = gpr_first_nan_##T (x / y, x, y), r = gpr_map_rest_##T (x, y, q, GPR_MAP_KEEP (q, GPR_MAP_LIBRARY_##T (floor) (q)), y); \
  (void) left; \
  return y == 0 ? x : r; \
} \
GPR_FN T gpr_map_rem_##T (T x, T y, int *left) \
{ \
  const T q = gpr_first_nan_##T (x / y, x, y), r = gpr_map_rest_##T (x, y, q, GPR_MAP_KEEP (q, GPR_MAP_LIBRARY_##T (trunc) (q)), x); \
  (void) left; \
  return y == 0 ? (T) gpr_make_nan () : r; \
}
GPR_MAP_DEFINE_BINARY (f64)
GPR_MAP_DEFINE_BINARY (f32)

#endif
