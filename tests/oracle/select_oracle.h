/* Medians, quantiles and the k greatest as their definitions have them (src/core/select.h): each column is sorted.
   For C11 and C++.  */

#ifndef SELECT_ORACLE_H
#define SELECT_ORACLE_H

#include <math.h>
#include <stdlib.h>

#include "../../src/core/select.h"

typedef struct { u64 key; i64 row; } oracle_element;

static int
oracle_order (const void *x, const void *y)
{
  const oracle_element *a = (const oracle_element *) x, *b = (const oracle_element *) y;
  return a->key != b->key ? (a->key < b->key ? -1 : 1) : a->row < b->row ? -1 : a->row > b->row;
}

/* With a center floating-point classes alone.  */
static inline f64 oracle_away_f64 (f64 x, f64 center) { return fabs (x - center); }
static inline f32 oracle_away_f32 (f32 x, f32 center) { return fabsf (x - center); }
#define ORACLE_NOT_AWAY(T) static inline T oracle_away_##T (T x, T center) { (void) center; return x; }
ORACLE_NOT_AWAY (i8) ORACLE_NOT_AWAY (u8) ORACLE_NOT_AWAY (i16) ORACLE_NOT_AWAY (u16)
ORACLE_NOT_AWAY (i32) ORACLE_NOT_AWAY (u32) ORACLE_NOT_AWAY (i64) ORACLE_NOT_AWAY (u64)

static double
oracle_none (double p)
{
  return p < 0 ? -INFINITY : p > 1 ? INFINITY : NAN;
}

/* Column j of results of class T, or quantiles of class V.  */
#define ORACLE_COLUMN(T, K, V) \
static void \
oracle_select_##T (const gpr_selection *p, i64 j, oracle_element *e) \
{ \
  const i64 o = j / p->inner, c = j % p->inner; \
  i64 nans = 0; \
  for (i64 r = 0; r < p->length; r++) \
    { \
      T x = ((const T *) p->x)[c + p->inner * (r + p->length * o)]; \
      if (p->center) \
        x = oracle_away_##T (x, ((const T *) p->center)[j]); \
      nans += x != x; \
      e[r].key = gpr_order_key_##T (x, false); \
      e[r].row = r; \
    } \
  qsort (e, (size_t) p->length, sizeof *e, oracle_order); \
  const i64 n = p->length - nans; \
  for (int k = 0; k < p->results; k++) \
    { \
      const i64 at = c + p->inner * (k + p->results * o); \
      if (p->p) \
        { \
          const bool none = ! (p->p[k] >= 0 && p->p[k] <= 1) || n == 0; \
          const gpr_select_place s = gpr_select_quantile (p->method, none ? 0.5 : p->p[k], n > 0 ? n : 1); \
          ((V *) p->value)[at] = none ? (V) oracle_none (p->p[k]) \
            : gpr_select_mix_##V (p->method, s.share, (V) gpr_order_value_##T ((K) e[s.low].key), (V) gpr_order_value_##T ((K) e[s.high].key)); \
        } \
      else if (n == 0 || (nans > 0 && ! p->omit_nan)) \
        ((T *) p->value)[at] = gpr_order_value_##T ((K) -1); \
      else \
        { \
          const T low = gpr_order_value_##T ((K) e[(n - 1) / 2].key), high = gpr_order_value_##T ((K) e[n / 2].key); \
          ((T *) p->value)[at] = n % 2 == 1 || p->logical ? high : gpr_order_middle_##T (low, high, p->round_up); \
        } \
    } \
} \
static void \
oracle_rank_##T (const gpr_ranking *p, i64 j, oracle_element *e) \
{ \
  const i64 o = j / p->inner, c = j % p->inner; \
  const T *x = (const T *) p->x + c + p->inner * p->length * o; \
  for (i64 r = 0; r < p->length; r++) \
    { \
      const T v = x[p->inner * r]; \
      const K key = gpr_order_key_##T (v, true); \
      e[r].key = p->greatest && (v == v || p->nan_first) ? (K) ~key : key; \
      e[r].row = r; \
    } \
  qsort (e, (size_t) p->length, sizeof *e, oracle_order); \
  for (i64 k = 0; k < p->count; k++) \
    { \
      const i64 at = c + p->inner * (k + p->count * o); \
      ((T *) p->value)[at] = x[p->inner * e[k].row]; \
      if (p->index) \
        p->index[at] = (double) (e[k].row + 1); \
    } \
}
ORACLE_COLUMN (f64, u64, f64) ORACLE_COLUMN (f32, u32, f32) ORACLE_COLUMN (i8, u32, f64) ORACLE_COLUMN (u8, u32, f64)
ORACLE_COLUMN (i16, u32, f64) ORACLE_COLUMN (u16, u32, f64) ORACLE_COLUMN (i32, u32, f64) ORACLE_COLUMN (u32, u32, f64)
ORACLE_COLUMN (i64, u64, f64) ORACLE_COLUMN (u64, u64, f64)

/* One of the two is NULL.  */
static void
oracle_columns (const gpr_selection *p, const gpr_ranking *q)
{
  const i64 length = p ? p->length : q->length, columns = p ? p->inner * p->outer : q->inner * q->outer;
  oracle_element *e = (oracle_element *) malloc ((size_t) length * sizeof *e);
  for (i64 j = 0; j < columns; j++)
    switch ((int) (p ? p->elem : q->elem))
      {
#define ORACLE_CASE(T, K, BITS) case GPR_##T: p ? oracle_select_##T (p, j, e) : oracle_rank_##T (q, j, e); break;
      GPR_ORDER_TYPES (ORACLE_CASE)
#undef ORACLE_CASE
      }
  free (e);
}

#endif
