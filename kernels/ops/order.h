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

/* sum ([a b], "native") / 2: integers saturate first, and halves are rounded away from zero.
   NaN is made from its key, since processors differ in its bits when -Inf + Inf makes it.  */
#define GPR_ORDER_MIDDLE_FLOAT(F, U) \
GPR_FN F gpr_order_middle_##F (F a, F b) \
{ \
  F s = 0 + a + b; \
  return s != s ? gpr_order_value_##F ((U) -1) : s / 2; \
}
GPR_ORDER_MIDDLE_FLOAT (f64, u64) GPR_ORDER_MIDDLE_FLOAT (f32, u32)
#define GPR_ORDER_MIDDLE(T, LOW, HIGH) \
GPR_FN T gpr_order_middle_##T (T a, T b) \
{ \
  T s = b > 0 && a > (HIGH) - b ? (HIGH) : b < 0 && a < (LOW) - b ? (LOW) : (T) (a + b); \
  return (T) (s / 2 + s % 2); \
}
GPR_ORDER_MIDDLE (i8, INT8_MIN, INT8_MAX) GPR_ORDER_MIDDLE (i16, INT16_MIN, INT16_MAX)
GPR_ORDER_MIDDLE (i32, INT32_MIN, INT32_MAX) GPR_ORDER_MIDDLE (i64, INT64_MIN, INT64_MAX)
#define GPR_ORDER_MIDDLE_UNSIGNED(T, HIGH) \
GPR_FN T gpr_order_middle_##T (T a, T b) \
{ \
  T s = a > (HIGH) - b ? (HIGH) : (T) (a + b); \
  return (T) (s / 2 + s % 2); \
}
GPR_ORDER_MIDDLE_UNSIGNED (u8, UINT8_MAX) GPR_ORDER_MIDDLE_UNSIGNED (u16, UINT16_MAX)
GPR_ORDER_MIDDLE_UNSIGNED (u32, UINT32_MAX) GPR_ORDER_MIDDLE_UNSIGNED (u64, UINT64_MAX)

#endif
