/* Numbers of one class as those of another, for C11 and CUDA C++, as Octave's class functions have them: integers round
   to the nearest (a half away from 0) and saturate, NaN becomes 0; NA stays NA among floating-point numbers.  */

#ifndef GPR_OPS_CONVERT_H
#define GPR_OPS_CONVERT_H

#include "../common/limits.h"

/* ---- to floating point ---------------------------------------------------------------- */

GPR_FN f64 gpr_na_or_nan_f64 (int na) { return na ? gpr_make_na () : gpr_make_nan (); }
GPR_FN f32 gpr_na_or_nan_f32 (int na)
{
  union { u32 u; f32 f; } v;
  v.u = na ? 0x7FC207A2u : 0x7FC00000u;
  return v.f;
}
#define GPR_CONVERT_CAST(Y, X) GPR_FN Y gpr_##Y##_of_##X (X x) { return (Y) x; }
#define GPR_CONVERT_CASTS(X) GPR_CONVERT_CAST (f64, X) GPR_CONVERT_CAST (f32, X)
GPR_CONVERT_CASTS (i8) GPR_CONVERT_CASTS (u8) GPR_CONVERT_CASTS (i16) GPR_CONVERT_CASTS (u16)
GPR_CONVERT_CASTS (i32) GPR_CONVERT_CASTS (u32) GPR_CONVERT_CASTS (i64) GPR_CONVERT_CASTS (u64)
GPR_CONVERT_CAST (f64, f64) GPR_CONVERT_CAST (f32, f32)
GPR_FN f64 gpr_f64_of_f32 (f32 x) { return x == x ? (f64) x : gpr_na_or_nan_f64 (gpr_na_f32 (x)); }
GPR_FN f32 gpr_f32_of_f64 (f64 x) { return x == x ? (f32) x : gpr_na_or_nan_f32 (gpr_na_f64 (x)); }

/* ---- to integers ------------------------------------------------------------------------ */

/* A half is above every sum that addition could round up to it.  */
#define GPR_CONVERT_ROUND(Y, LOW, HIGH) \
  GPR_FN Y gpr_##Y##_of_f64 (f64 x) \
  { \
    const f64 whole = x != x ? 0 : round (x); \
    return whole >= (HIGH) ? GPR_MAX_##Y : whole <= (LOW) ? (Y) GPR_MIN_##Y : (Y) whole; \
  } \
  GPR_FN Y gpr_##Y##_of_f32 (f32 x) { return gpr_##Y##_of_f64 ((f64) x); } \
  GPR_FN Y gpr_##Y##_of_i64 (i64 x) \
  { return x > 0 && (u64) x > (u64) GPR_MAX_##Y ? GPR_MAX_##Y : x < 0 && x < (i64) GPR_MIN_##Y ? (Y) GPR_MIN_##Y : (Y) x; } \
  GPR_FN Y gpr_##Y##_of_u64 (u64 x) { return x > (u64) GPR_MAX_##Y ? GPR_MAX_##Y : (Y) x; } \
  GPR_FN Y gpr_##Y##_of_i8 (i8 x) { return gpr_##Y##_of_i64 (x); } \
  GPR_FN Y gpr_##Y##_of_u8 (u8 x) { return gpr_##Y##_of_i64 (x); } \
  GPR_FN Y gpr_##Y##_of_i16 (i16 x) { return gpr_##Y##_of_i64 (x); } \
  GPR_FN Y gpr_##Y##_of_u16 (u16 x) { return gpr_##Y##_of_i64 (x); } \
  GPR_FN Y gpr_##Y##_of_i32 (i32 x) { return gpr_##Y##_of_i64 (x); } \
  GPR_FN Y gpr_##Y##_of_u32 (u32 x) { return gpr_##Y##_of_i64 (x); }
GPR_CONVERT_ROUND (i8, -128.0, 127.0) GPR_CONVERT_ROUND (u8, 0.0, 255.0)
GPR_CONVERT_ROUND (i16, -32768.0, 32767.0) GPR_CONVERT_ROUND (u16, 0.0, 65535.0)
GPR_CONVERT_ROUND (i32, -2147483648.0, 2147483647.0) GPR_CONVERT_ROUND (u32, 0.0, 4294967295.0)
GPR_CONVERT_ROUND (i64, -0x1p63, 0x1p63) GPR_CONVERT_ROUND (u64, 0.0, 0x1p64)

#define GPR_CONVERT_REALS(F) F (f64) F (f32) F (i8) F (u8) F (i16) F (u16) F (i32) F (u32) F (i64) F (u64)

#endif
