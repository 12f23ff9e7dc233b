/* Order statistics: what the CPU and the GPU share, and what the kernels take.

   Elements are ordered by keys, unsigned integers whose order is that of the
   elements: -0 before 0, and every NaN last.  */

#ifndef GPR_ENGINE_ORDER_H
#define GPR_ENGINE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../common/scalars.h"

/* Element type, key type, bits of a key.  */
#define GPR_ORDER_TYPES(X) \
  X (f64, u64, 64) X (f32, u32, 32) X (i8, u32, 8) X (u8, u32, 8) X (i16, u32, 16) X (u16, u32, 16) \
  X (i32, u32, 32) X (u32, u32, 32) X (i64, u64, 64) X (u64, u64, 64)

/* ---- keys ---------------------------------------------------------------------- */

/* merge: -0 is 0, as sort has it.  value undoes key, but for merged zeros and NaN.  Without
   branches: which way they go is as random as the elements.  */
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

/* sum ([a b], "native") / 2: integers saturate first, and halves go away from zero.
   Processors differ in the bits of the NaN that -Inf + Inf is.  */
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

/* ---- kernels ------------------------------------------------------------------------- */

#ifdef __cplusplus
extern "C" {
#endif

enum { GPR_ORDER_THREADS = 256 };

/* A chunk: outers * n * columns elements, less than 2^31.  Its element m, counted as it
   lies in memory, is in column m % columns + columns * (m / (n * columns)).  */
typedef struct {
  const void *x;
  int64_t row_stride, outer_stride;     /* in elements, as x lies on the device */
  int64_t outers, n, columns, count;
  bool merge;                           /* zeros */
  void *keys;
  uint32_t *places;                     /* first each m; then sorted, column after column */
  uint32_t *column;                     /* of each place */
  void *sorted;                         /* the elements in that order */
  bool omit_nan, logical;               /* of the median */
  unsigned long long *best;             /* a column's longest run, the first of them: length, ~place */
  void *value;                          /* outers * columns results */
  double *frequency;
} gpr_order_args;

typedef struct {
  const void *keys;             /* keys of the elements, places */
  const void *column;           /* column of each place */
  const void *median;           /* sorted places to value */
  const void *take;             /* sorted places to sorted */
  const void *runs, *mode;      /* sorted to best; best to value and frequency */
  int key_bytes, key_bits;
} gpr_order_kernels;

/* NULL for a type that is not ordered here.  */
const gpr_order_kernels *gpr_engine_order (enum gpr_elem elem);

/* Sorts count pairs of a key (of 4 or 8 bytes, so many bits) and a place by key, equal
   keys as they come.  Pairs lie in keys[*at], places[*at], and then in the new *at.
   temp NULL: sets *temp_bytes.  Returns a cudaError_t.  */
int gpr_engine_sort (int key_bytes, int key_bits, void *const keys[2], uint32_t *const places[2], int *at, int64_t count,
                     void *temp, size_t *temp_bytes, void *stream);

#ifdef __cplusplus
}
#endif
#endif
