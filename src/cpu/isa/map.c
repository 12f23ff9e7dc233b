/* Steps of elementwise expressions on a block of elements, and the classes that are read and written.  */

#include "loops.h"

/* z may be x or y, element by element.  */
#define EACH(n, statement) _Pragma ("GCC ivdep") for (int i = 0; i < (n); i++) statement;

#define BINARY(name, T) \
static int \
name##_##T (const void *xp, int xs, const void *yp, int ys, void *zp, int n) \
{ \
  const T *x = xp, *y = yp, a = *x, b = *y; \
  T *z = zp; \
  int left = 0; \
  if (xs && ys) \
    EACH (n, z[i] = gpr_map_##name##_##T (x[i], y[i], &left)) \
  else if (xs) \
    EACH (n, z[i] = gpr_map_##name##_##T (x[i], b, &left)) \
  else if (ys) \
    EACH (n, z[i] = gpr_map_##name##_##T (a, y[i], &left)) \
  else \
    z[0] = gpr_map_##name##_##T (a, b, &left); \
  return left; \
}
#define UNARY(name, T) \
static int \
name##_##T (const void *xp, int xs, const void *yp, int ys, void *zp, int n) \
{ \
  const T *x = xp; \
  T *z = zp; \
  int left = 0; \
  (void) yp; \
  (void) ys; \
  (void) xs; \
  EACH (n, z[i] = gpr_map_##name##_##T (x[i], &left)) \
  return left; \
}
#define BINARY_BOTH(name) BINARY (name, f64) BINARY (name, f32)
#define UNARY_BOTH(name) UNARY (name, f64) UNARY (name, f32)
GPR_MAP_BINARY (BINARY_BOTH)
GPR_MAP_UNARY (UNARY_BOTH)

/* Squares are what most powers are.  */
#define POWER(T) \
static int \
any_power_##T (const void *xp, int xs, const void *yp, int ys, void *zp, int n) \
{ \
  return ys == 0 && *(const T *) yp == 2 ? times_##T (xp, xs, xp, xs, zp, n) : power_##T (xp, xs, yp, ys, zp, n); \
}
POWER (f64) POWER (f32)

/* ---- classes ---------------------------------------------------------------------------- */

#define PUT_f64(T) gpr_f64_of_##T (x[i])
#define PUT_f32(T) gpr_f32_of_##T (x[i])
/* Through an integer that vectors of floating-point numbers convert to.  */
#define PUT_ROUNDED(Y, VIA, name) (Y) (VIA) gpr_map_to_##name##_f64 ((f64) x[i], &left)
#define PUT_i8(T) PUT_ROUNDED (i8, i32, int8)
#define PUT_u8(T) PUT_ROUNDED (u8, i32, uint8)
#define PUT_i16(T) PUT_ROUNDED (i16, i32, int16)
#define PUT_u16(T) PUT_ROUNDED (u16, i32, uint16)
#define PUT_i32(T) PUT_ROUNDED (i32, i32, int32)
#define PUT_u32(T) PUT_ROUNDED (u32, i64, uint32)

#define CONVERT(X, T) \
static void \
load_##X##_##T (const void *xp, int64_t stride, void *zp, int n) \
{ \
  const X *restrict x = xp; \
  T *restrict z = zp; \
  if (stride == 1) \
    EACH (n, z[i] = gpr_##T##_of_##X (x[i])) \
  else \
    EACH (n, z[i] = gpr_##T##_of_##X (x[i * stride])) \
} \
static void \
store_##X##_##T (const void *xp, int64_t stride, void *zp, int n) \
{ \
  const T *restrict x = xp; \
  X *restrict z = zp; \
  int left = 0; \
  (void) left; \
  if (stride == 1) \
    EACH (n, z[i] = PUT_##X (T)) \
  else if (n > 0) \
    { \
      const int i = 0; \
      const X v = PUT_##X (T); \
      for (int k = 0; k < n; k++) \
        z[k] = v; \
    } \
}
/* Of what a step has rounded and saturated to that class.  */
#define CAST(X, VIA, T) \
static void \
cast_##X##_##T (const void *xp, int64_t stride, void *zp, int n) \
{ \
  const T *restrict x = xp; \
  X *restrict z = zp; \
  if (stride == 1) \
    EACH (n, z[i] = (X) (VIA) x[i]) \
  else if (n > 0) \
    { \
      const X v = (X) (VIA) *x; \
      for (int k = 0; k < n; k++) \
        z[k] = v; \
    } \
}
#define CAST_BOTH(X, VIA) CAST (X, VIA, f64) CAST (X, VIA, f32)
CAST_BOTH (i8, i32) CAST_BOTH (u8, i32) CAST_BOTH (i16, i32) CAST_BOTH (u16, i32) CAST_BOTH (i32, i32) CAST_BOTH (u32, i64)

#define CONVERT_BOTH(X) CONVERT (X, f64) CONVERT (X, f32)
GPR_MAP_ELEMS (CONVERT_BOTH)

#define STEP_ROW(name) [GPR_MAP_##name] = { name##_f64, name##_f32 },
#define LOAD_ROW(X) [GPR_##X] = { load_##X##_f64, load_##X##_f32 },
#define STORE_ROW(X) [GPR_##X] = { store_##X##_f64, store_##X##_f32 },
static gpr_cpu_map_step *const steps[GPR_MAP_OP_COUNT][2] = { GPR_MAP_UNARY (STEP_ROW) GPR_MAP_BINARY (STEP_ROW) };
static gpr_cpu_map_move *const loads[GPR_ELEM_COUNT][2] = { GPR_MAP_ELEMS (LOAD_ROW) };
static gpr_cpu_map_move *const stores[GPR_ELEM_COUNT][2] = { GPR_MAP_ELEMS (STORE_ROW) };
#define CAST_ROW(X) [GPR_##X] = { cast_##X##_f64, cast_##X##_f32 },
static gpr_cpu_map_move *const casts[GPR_ELEM_COUNT][2] = {
  CAST_ROW (i8) CAST_ROW (u8) CAST_ROW (i16) CAST_ROW (u16) CAST_ROW (i32) CAST_ROW (u32)
};
static gpr_cpu_map_step *const powers[2] = { any_power_f64, any_power_f32 };
const gpr_cpu_map_loops GPR_PASTE (gpr_cpu_map_loops_, GPR_ISA) = { steps, powers, loads, stores, casts };
