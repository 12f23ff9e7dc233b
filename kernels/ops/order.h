/* Medians and modes: elements as keys, unsigned integers in the order of the elements, for
   C11 and CUDA C++.  -0 comes before 0, and every NaN last.  */

#ifndef GPR_OPS_ORDER_H
#define GPR_OPS_ORDER_H

#include <stdbool.h>

#include "../common/scalars.h"

/* Element type, key type, bits of a key.  */
#define GPR_ORDER_TYPES(X) \
  X (f64, u64, 64) X (f32, u32, 32) X (i8, u32, 8) X (u8, u32, 8) X (i16, u32, 16) X (u16, u32, 16) \
  X (i32, u32, 32) X (u32, u32, 32) X (i64, u64, 64) X (u64, u64, 64)

/* ---- keys ---------------------------------------------------------------------- */

/* The key of an element, and the element of a key: the same one but for NaN and, where merge
   says that -0 counts as 0 (as in sort), for zeros.  Without branches, which no processor could
   predict.  */
#define GPR_ORDER_FLOAT(F, U, TOP, INFINITE, QUIET_NAN) \
GPR_FN U gpr_order_key_##F (F x, bool merge) \
{ \
  union { F f; U u; } v; \
  v.f = x; \
  U bits = v.u & ~(merge & (v.u == (TOP)) ? (TOP) : (U) 0), nan = (U) 0 - (U) ((bits & ~(TOP)) > (INFINITE)); \
  return (bits ^ (((U) 0 - (bits >> (8 * sizeof (U) - 1))) | (TOP))) | nan; \
} \
GPR_FN F gpr_order_value_##F (U key) \
{ \
  union { F f; U u; } v; \
  v.u = key == (U) -1 ? (QUIET_NAN) : key & (TOP) ? key ^ (TOP) : ~key; \
  return v.f; \
}
#define GPR_ORDER_SIGNED(T, U, K) \
GPR_FN K gpr_order_key_##T (T x, bool merge) { (void) merge; return (U) ((U) x ^ (U) 1 << (8 * sizeof (T) - 1)); } \
GPR_FN T gpr_order_value_##T (K key) { return (T) ((U) key ^ (U) 1 << (8 * sizeof (T) - 1)); }
#define GPR_ORDER_UNSIGNED(T, K) \
GPR_FN K gpr_order_key_##T (T x, bool merge) { (void) merge; return x; } \
GPR_FN T gpr_order_value_##T (K key) { return (T) key; }
GPR_ORDER_FLOAT (f64, u64, (u64) 1 << 63, 0x7FF0000000000000u, 0x7FF8000000000000u)
GPR_ORDER_FLOAT (f32, u32, (u32) 1 << 31, 0x7F800000u, 0x7FC00000u)
GPR_ORDER_SIGNED (i8, u8, u32) GPR_ORDER_SIGNED (i16, u16, u32) GPR_ORDER_SIGNED (i32, u32, u32) GPR_ORDER_SIGNED (i64, u64, u64)
GPR_ORDER_UNSIGNED (u8, u32) GPR_ORDER_UNSIGNED (u16, u32) GPR_ORDER_UNSIGNED (u32, u32) GPR_ORDER_UNSIGNED (u64, u64)

/* ---- the mean of the two middle elements ------------------------------------------- */

/* (a + b) / 2 of a <= b, which does not overflow on the way.  Halves are rounded away from
   zero, between two negative numbers up where round_up is set.
   NaN is made from its key, since processors differ in its bits when -Inf + Inf makes it.  */
#define GPR_ORDER_MIDDLE_FLOAT(F, U, INFINITE) \
GPR_FN F gpr_order_middle_##F (F a, F b, bool round_up) \
{ \
  F s = 0 + a + b; \
  (void) round_up; \
  if (s != s) \
    return gpr_order_value_##F ((U) -1); \
  return s - s == 0 || a < -(INFINITE) || b > (INFINITE) ? s / 2 : a / 2 + b / 2; \
}
GPR_ORDER_MIDDLE_FLOAT (f64, u64, 0x1.fffffffffffffp+1023) GPR_ORDER_MIDDLE_FLOAT (f32, u32, 0x1.fffffep+127f)
#define GPR_ORDER_MIDDLE(T, U) \
GPR_FN T gpr_order_middle_##T (T a, T b, bool round_up) \
{ \
  U between = (U) ((U) b - (U) a); \
  if (a < 0 && b >= 0) \
    return (T) ((T) (a + b) / 2 + (T) (a + b) % 2); \
  return (T) ((U) a + between / 2 + (between % 2 & (a >= 0 || round_up))); \
}
GPR_ORDER_MIDDLE (i8, u8) GPR_ORDER_MIDDLE (i16, u16) GPR_ORDER_MIDDLE (i32, u32) GPR_ORDER_MIDDLE (i64, u64)
#define GPR_ORDER_MIDDLE_UNSIGNED(T) \
GPR_FN T gpr_order_middle_##T (T a, T b, bool round_up) \
{ \
  (void) round_up; \
  return (T) (a + (b - a) / 2 + (b - a) % 2); \
}
GPR_ORDER_MIDDLE_UNSIGNED (u8) GPR_ORDER_MIDDLE_UNSIGNED (u16) GPR_ORDER_MIDDLE_UNSIGNED (u32) GPR_ORDER_MIDDLE_UNSIGNED (u64)

#endif
