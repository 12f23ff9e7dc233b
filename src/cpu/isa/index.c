/* The first greatest or least of real numbers.  Values and their rows lie apart, rows as integers as wide as the elements,
   so that the steps of neighbouring lanes are vectors.  */

#include "loops.h"

/* RUN: rows that are counted from 0 in the least integers, where NONE says that none of them was better.  */
enum { WIDTH = 512, RUN = 124, NONE = -1, SIDE = 32 };

#define ROW_f64 i64
#define ROW_f32 i32
#define ROW_i8 i8
#define ROW_u8 i8
#define ROW_i16 i16
#define ROW_u16 i16
#define ROW_i32 i32
#define ROW_u32 i32
#define ROW_i64 i64
#define ROW_u64 i64

/* A NaN that comes first stays until there is a number, which is not what the comparison says of other NaNs.  */
#define TAKE(X, NOT_BETTER, r) \
  { \
    const X x_ = x[(r) * step + j]; \
    const int better = ! (x_ NOT_BETTER t) & (x_ == x_); \
    t = better ? x_ : t; \
    n = better ? k + (r) : n; \
  }

#define DEFINE(id, X, ROW, NOT_BETTER) \
typedef struct { i64 i; X v; } id##_best; \
static void \
id##_lanes (void *acc, const void *data, int64_t step, int64_t rows, int64_t width, int64_t first, int64_t lanes, int64_t columns) \
{ \
  const X *x = data; \
  id##_best *best = acc; \
  X v[WIDTH]; \
  ROW at[WIDTH]; \
  i64 row[WIDTH]; \
  for (int64_t j = 0; j < width; j++) \
    { \
      v[j] = x[j]; \
      row[j] = 0; \
    } \
  for (int64_t r = 0; r < rows; r += RUN) \
    { \
      const int run = rows - r < RUN ? (int) (rows - r) : RUN; \
      ROW k = 0; \
      for (int64_t j = 0; j < width; j++) \
        at[j] = NONE; \
      for (; k + 4 <= run; k += 4, x += 4 * step) \
        for (int64_t j = 0; j < width; j++) \
          { \
            X t = v[j]; \
            ROW n = at[j]; \
            TAKE (X, NOT_BETTER, 0) \
            TAKE (X, NOT_BETTER, 1) \
            TAKE (X, NOT_BETTER, 2) \
            TAKE (X, NOT_BETTER, 3) \
            v[j] = t; \
            at[j] = n; \
          } \
      for (; k < run; k++, x += step) \
        for (int64_t j = 0; j < width; j++) \
          { \
            X t = v[j]; \
            ROW n = at[j]; \
            TAKE (X, NOT_BETTER, 0) \
            v[j] = t; \
            at[j] = n; \
          } \
      for (int64_t j = 0; j < width; j++) \
        row[j] = at[j] == NONE ? row[j] : r + at[j]; \
    } \
  for (int64_t q = 0, j = 0; j < width; q++) \
    for (int64_t c = 0; c < columns; c++, j++) \
      { \
        best[j].i = first + q + lanes * row[j]; \
        best[j].v = v[j]; \
      } \
} \
static void \
id##_short_rows (const void *data, int64_t n, int64_t u, void *values, int64_t *index) \
{ \
  const X *x = data; \
  X *value = values, t[GPR_CPU_SHORT * SIDE]; \
  id##_best best[SIDE]; \
  for (int64_t o = 0; o < u; o += SIDE, x += SIDE * n) \
    { \
      const int side = u - o < SIDE ? (int) (u - o) : SIDE; \
      for (int c = 0; c < side; c++) \
        for (int64_t r = 0; r < n; r++) \
          t[r * side + c] = x[c * n + r]; \
      id##_lanes (best, t, side, n, side, 0, 1, side); \
      for (int c = 0; c < side; c++) \
        { \
          value[o + c] = best[c].v; \
          if (index) \
            index[o + c] = best[c].i; \
        } \
    } \
}
#define DEFINE_GREATEST(id, FAMILY, X, A, Y) DEFINE (id, X, ROW_##X, <=)
#define DEFINE_LEAST(id, FAMILY, X, A, Y) DEFINE (id, X, ROW_##X, >=)
GPR_INSTANCES_REAL_ (DEFINE_GREATEST, argmax, ARGMAX)
GPR_INSTANCES_REAL_ (DEFINE_LEAST, argmin, ARGMIN)

#define ROW(id, FAMILY, X, A, Y) [GPR_##id] = { id##_lanes, id##_short_rows },
const gpr_cpu_index GPR_PASTE (gpr_cpu_index_, GPR_ISA)[GPR_INSTANCE_COUNT] = {
  GPR_INSTANCES_REAL_ (ROW, argmax, ARGMAX) GPR_INSTANCES_REAL_ (ROW, argmin, ARGMIN)
};
