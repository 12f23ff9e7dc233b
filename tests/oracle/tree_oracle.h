/* The tree of kernels/common/tree.h, read plainly: what every backend's results must be,
   bit for bit.  For C11 and C++17.

   GPR_INSTANCES (GPR_DEFINE_TREE_ORACLE), or a list of some instances, after their
   GPR_DEFINE_INSTANCE, defines for each

     int oracle_ID (const gpr_reduction *r)

   which writes r->value and, where it is wanted, r->index, all in host memory, and
   returns whether a result needs a fix-up.  */

#ifndef GPR_TREE_ORACLE_H
#define GPR_TREE_ORACLE_H

#include <stdlib.h>

#include "../../src/core/gpr.h"
#include "../../kernels/common/tree.h"

/* conj (x) * y.  Instances of integers take no products.  */
static inline f64 oracle_times_f64 (f64 x, f64 y) { return x * y; }
static inline f32 oracle_times_f32 (f32 x, f32 y) { return x * y; }
static inline c128 oracle_times_c128 (c128 x, c128 y) { return gpr_inner_c128 (x, y); }
static inline c64 oracle_times_c64 (c64 x, c64 y) { return gpr_inner_c64 (x, y); }
#define GPR_ORACLE_NO_TIMES(X) \
static inline X oracle_times_##X (X x, X y) { (void) x; (void) y; abort (); }
GPR_ORACLE_NO_TIMES (i8)  GPR_ORACLE_NO_TIMES (u8)  GPR_ORACLE_NO_TIMES (i16) GPR_ORACLE_NO_TIMES (u16)
GPR_ORACLE_NO_TIMES (i32) GPR_ORACLE_NO_TIMES (u32) GPR_ORACLE_NO_TIMES (i64) GPR_ORACLE_NO_TIMES (u64)

#define GPR_DEFINE_TREE_ORACLE(id, FAMILY, X, A, Y) \
static inline id##_x oracle_element_##id (const gpr_reduction *r, int64_t at) \
{ \
  id##_x x = ((const id##_x *) r->x)[at]; \
  return r->y ? oracle_times_##X (x, ((const id##_x *) r->y)[at]) : x; \
} \
/* Part p of the output whose row 0 is element at.  */ \
static id##_a oracle_part_##id (const gpr_tree *t, const gpr_reduction *r, int64_t at, int64_t p) \
{ \
  const int ordered = ((GPR_TRAITS_##FAMILY) & GPR_ORDERED) != 0; \
  const int64_t k = t->lanes, steps = t->rows / k; \
  id##_a lane[1024]; \
  for (int64_t q = 0; q < k; q++) \
    { \
      lane[q] = id##_init (); \
      for (int64_t j = 0; j < steps; j++) \
        { \
          const int64_t row = p * t->rows + (ordered ? q * steps + j : q + j * k); \
          if (row < t->length) \
            id##_step (&lane[q], oracle_element_##id (r, at + t->inner * row), row); \
        } \
    } \
  for (int64_t q = k > 1 ? k - 1 : -1; q >= 0; q--) \
    id##_lead (&lane[q], lane[0]); \
  if (ordered) \
    for (int64_t h = 1; h < k; h *= 2) \
      for (int64_t q = 0; q < k; q += 2 * h) \
        id##_merge (&lane[q], lane[q + h]); \
  else \
    for (int64_t h = k / 2; h > 0; h /= 2) \
      for (int64_t q = 0; q < h; q++) \
        id##_merge (&lane[q], lane[q + h]); \
  return lane[0]; \
} \
static int oracle_##id (const gpr_reduction *r) \
{ \
  const gpr_tree t = gpr_tree_make (sizeof (id##_a), r->inner, r->length, r->outer); \
  const int64_t outputs = t.inner * t.outer; \
  const int many = outputs * t.length > 1000000; \
  id##_a *parts = (id##_a *) malloc ((size_t) (t.parts * outputs) * sizeof *parts + 1); \
  int needs_fixup = 0; \
  (void) many; \
  _Pragma ("omp parallel for if (many)") \
  for (int64_t i = 0; i < t.parts * outputs; i++) \
    { \
      const int64_t out = i / t.parts, c = out % t.inner, o = out / t.inner; \
      parts[i] = oracle_part_##id (&t, r, c + t.inner * t.length * o, i % t.parts); \
    } \
  _Pragma ("omp parallel for if (many) reduction (| : needs_fixup)") \
  for (int64_t out = 0; out < outputs; out++) \
    { \
      id##_a *part = parts + out * t.parts; \
      int64_t index = 0; \
      for (int64_t left = t.parts; left > 1; left = (left + 1) / 2) \
        for (int64_t p = 0; p < left; p += 2) \
          { \
            part[p / 2] = part[p]; \
            if (p + 1 < left) \
              id##_merge (&part[p / 2], part[p + 1]); \
          } \
      needs_fixup |= id##_finish (part[0], r->divisor, (id##_y *) r->value + out, &index) ? 1 : 0; \
      if (id##_has_index && r->index) \
        r->index[out] = index; \
    } \
  free (parts); \
  return needs_fixup; \
}

#endif
