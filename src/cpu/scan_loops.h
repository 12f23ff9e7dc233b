/* Loops of the cumulative functions (kernels/ops/scan.h) on the CPU: of a tile, first what
   each segment adds up to, then, with what goes before it, every row.  */

#ifndef GPR_CPU_SCAN_LOOPS_H
#define GPR_CPU_SCAN_LOOPS_H

#include <stdlib.h>

#include "cpu.h"
#include "../core/scan.h"

enum { GPR_SCAN_GROUPS = GPR_SCAN_THREADS / GPR_SCAN_FOLD + GPR_SCAN_COLUMNS };

/* A tile: some rows of columns side by side; at: its first column's first row of all.  */
typedef struct {
  int64_t at, from;             /* element, row */
  int columns, rows;
  void *totals, *groups;        /* GPR_SCAN_THREADS, GPR_SCAN_GROUPS accumulators, [segment or group][column] */
} gpr_scan_tile;

/* ---- walks: columns in the built-in's order ------------------------------------------- */

#define GPR_SCAN_DEFINE_WALK(id, op, T) \
  static void id##_walk (const gpr_scanning *s, int64_t at, int columns) \
  { \
    id##_a v[GPR_SCAN_COLUMNS]; \
    const id##_x *first = (const id##_x *) s->x + at, *x = first; \
    id##_x *y = (id##_x *) s->y + at; \
    double *index = s->index ? s->index + at : NULL; \
    for (int c = 0; c < columns; c++) \
      id##_first (&v[c], x[c], 0); \
    for (int64_t r = 0; r < s->length; r++, x += s->inner, y += s->inner) \
      { \
        for (int c = 0; c < columns; c++) \
          { \
            if (r > 0) \
              id##_step (&v[c], x[c], r); \
            id##_put (v[c], &first[c], &y[c]); \
            if (index) \
              index[r * s->inner + c] = (double) (id##_row (v[c]) + 1); \
          } \
      } \
  }

/* ---- sums and products ------------------------------------------------------------------ */

#define GPR_SCAN_DEFINE_FOLD(id, op, T) \
  static id##_a id##_fold (id##_a *at, int n, int stride) \
  { \
    id##_a all = *at; \
    for (int i = 1; i < n; i++) \
      { \
        const id##_a own = at[i * stride]; \
        at[i * stride] = all; \
        id##_merge (&all, own); \
      } \
    return all; \
  }

/* own: of each column, what the tile adds up to.  Several segments of one column at once: each
   step of one waits for the step before.  */
#define GPR_SCAN_DEFINE_TOTALS(id, op, T) \
  static void id##_totals (const gpr_scanning *s, const gpr_scan_tile *t, void *own) \
  { \
    enum { N = id##_STEPS, SIDE = 8 }; \
    const id##_x *x = (const id##_x *) s->x + t->at + t->from * s->inner; \
    const int columns = t->columns, segments = (t->rows + N - 1) / N; \
    id##_a *totals = t->totals, *groups = t->groups; \
    int k = 0; \
    for (; s->inner == 1 && (k + SIDE) * N <= t->rows; k += SIDE, x += SIDE * N) \
      { \
        id##_a v[SIDE]; \
        for (int j = 0; j < SIDE; j++) \
          id##_first (&v[j], x[j * N], t->from); \
        for (int r = 1; r < N; r++) \
          for (int j = 0; j < SIDE; j++) \
            id##_step (&v[j], x[j * N + r], t->from); \
        for (int j = 0; j < SIDE; j++) \
          totals[k + j] = v[j]; \
      } \
    for (; k < segments; k++) \
      for (int r = 0; r < N && k * N + r < t->rows; r++, x += s->inner) \
        for (int c = 0; c < columns; c++) \
          if (r == 0) \
            id##_first (&totals[k * columns + c], x[c], t->from); \
          else \
            id##_step (&totals[k * columns + c], x[c], t->from); \
    for (int g = 0, at = 0; g < segments; g += GPR_SCAN_FOLD, at += columns) \
      for (int c = 0; c < columns; c++) \
        groups[at + c] = id##_fold (totals + g * columns + c, segments - g < GPR_SCAN_FOLD ? segments - g : GPR_SCAN_FOLD, columns); \
    for (int c = 0; c < columns; c++) \
      ((id##_a *) own)[c] = id##_fold (groups + c, (segments + GPR_SCAN_FOLD - 1) / GPR_SCAN_FOLD, columns); \
  }

/* Every row; before: of the tiles before, or NULL.  Whether the columns must be done again.  */
#define GPR_SCAN_DEFINE_ROWS(id, op, T) \
  static int id##_onto (const id##_a *before, id##_a *all) \
  { \
    id##_a b = *before; \
    const int lost = id##_merge (&b, *all); \
    *all = b; \
    return lost; \
  } \
  static bool id##_rows (const gpr_scanning *s, const gpr_scan_tile *t, const void *before) \
  { \
    enum { N = id##_STEPS }; \
    const id##_x *x = (const id##_x *) s->x + t->at + t->from * s->inner; \
    id##_x *y = (id##_x *) s->y + t->at + t->from * s->inner; \
    const int columns = t->columns; \
    int lost = 0; \
    for (int k = 0; k * N < t->rows; k++) \
      { \
        const id##_a *totals = (const id##_a *) t->totals + k * columns, *groups = (const id##_a *) t->groups + k / GPR_SCAN_FOLD * columns; \
        id##_a v[GPR_SCAN_COLUMNS]; \
        for (int r = 0; r < N && k * N + r < t->rows; r++, x += s->inner, y += s->inner) \
          for (int c = 0; c < columns; c++) \
            { \
              if (r == 0) \
                id##_first (&v[c], x[c], 0); \
              else \
                lost |= id##_step (&v[c], x[c], 0); \
              id##_a all = v[c]; \
              if (k % GPR_SCAN_FOLD) \
                lost |= id##_onto (totals + c, &all); \
              if (k >= GPR_SCAN_FOLD) \
                lost |= id##_onto (groups + c, &all); \
              if (before) \
                lost |= id##_onto ((const id##_a *) before + c, &all); \
              id##_put (all, &x[c], &y[c]); \
            } \
      } \
    return lost; \
  }

/* The same for real numbers, without a look at each operation: false where a result says that one is
   needed.  What nothing goes before has the identity before it.  */
#define GPR_SCAN_OK_cumsum_(T, z, s, g, t, FABS, LEAST, MOST) (FABS (t) <= MOST)
#define GPR_SCAN_OK_cumprod_(T, z, s, g, t, FABS, LEAST, MOST) \
  ((FABS (z) >= LEAST) & (FABS (z) <= MOST) & (FABS (s) >= LEAST) & (FABS (s) <= MOST) \
   & (FABS (g) >= LEAST) & (FABS (g) <= MOST) & (FABS (t) >= LEAST) & (FABS (t) <= MOST))
#define GPR_SCAN_DEFINE_QUICK(id, op, T, OP, IDENTITY, FABS, LEAST, MOST) \
  static inline __attribute__ ((always_inline)) int \
  id##_quick_row (int first, T *z, T x, T totals, T groups, T before, T *y) \
  { \
    *z = first ? x : *z OP x; \
    const T s = totals OP *z, g = groups OP s, t = before OP g; \
    *y = t; \
    return GPR_SCAN_OK_##op##_ (T, *z, s, g, t, FABS, LEAST, MOST); \
  } \
  static bool id##_quick (const gpr_scanning *s, const gpr_scan_tile *t, const void *before_) \
  { \
    enum { N = id##_STEPS, SIDE = 4 }; \
    const T *x = (const T *) s->x + t->at + t->from * s->inner, none[GPR_SCAN_COLUMNS] = GPR_SCAN_ALL_OF (IDENTITY); \
    T *y = (T *) s->y + t->at + t->from * s->inner; \
    const T *before = before_ ? before_ : none; \
    const int columns = t->columns; \
    int ok = 1, k = 0; \
    for (; s->inner == 1 && (k + SIDE) * N <= t->rows; k += SIDE, x += SIDE * N, y += SIDE * N) \
      { \
        const T *totals = (const T *) t->totals + k, group = k < GPR_SCAN_FOLD ? IDENTITY : ((const T *) t->groups)[k / GPR_SCAN_FOLD]; \
        const T at_0 = k % GPR_SCAN_FOLD ? totals[0] : IDENTITY; \
        T v[SIDE]; \
        for (int j = 0; j < SIDE; j++) \
          ok &= id##_quick_row (1, &v[j], x[j * N], j ? totals[j] : at_0, group, *before, &y[j * N]); \
        for (int r = 1; r < N; r++) \
          for (int j = 0; j < SIDE; j++) \
            ok &= id##_quick_row (0, &v[j], x[j * N + r], j ? totals[j] : at_0, group, *before, &y[j * N + r]); \
      } \
    for (; k * N < t->rows && ok; k++) \
      { \
        const T *totals = k % GPR_SCAN_FOLD ? (const T *) t->totals + k * columns : none; \
        const T *groups = k < GPR_SCAN_FOLD ? none : (const T *) t->groups + k / GPR_SCAN_FOLD * columns; \
        T v[GPR_SCAN_COLUMNS]; \
        for (int r = 0; r < N && k * N + r < t->rows; r++, x += s->inner, y += s->inner) \
          if (columns == GPR_SCAN_COLUMNS) \
            for (int c = 0; c < GPR_SCAN_COLUMNS; c++) \
              ok &= id##_quick_row (r == 0, &v[c], x[c], totals[c], groups[c], before[c], &y[c]); \
          else \
            for (int c = 0; c < columns; c++) \
              ok &= id##_quick_row (r == 0, &v[c], x[c], totals[c], groups[c], before[c], &y[c]); \
      } \
    return ok; \
  }
#define GPR_SCAN_ALL_OF(x) { x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x }

/* ---- extremes: the same in any order ------------------------------------------------------ */

#define GPR_SCAN_DEFINE_EXTREME_TOTALS(id, op, T) \
  static void id##_totals (const gpr_scanning *s, const gpr_scan_tile *t, void *own) \
  { \
    const id##_x *x = (const id##_x *) s->x + t->at + t->from * s->inner; \
    id##_a *v = own; \
    for (int c = 0; c < t->columns; c++) \
      id##_first (&v[c], x[c], t->from); \
    for (int r = 1; r < t->rows; r++) \
      for (int c = 0; c < t->columns; c++) \
        id##_step (&v[c], x[r * s->inner + c], t->from + r); \
  }

/* Most elements change nothing, which the processor foresees.  */
#define GPR_SCAN_DEFINE_EXTREME_ROWS(id, op, T) \
  static bool id##_rows (const gpr_scanning *s, const gpr_scan_tile *t, const void *before) \
  { \
    const id##_x *first = (const id##_x *) s->x + t->at; \
    const int64_t last = t->from + t->rows; \
    for (int c = 0; c < t->columns; c++) \
      { \
        const id##_x *x = first + c; \
        id##_x *y = (id##_x *) s->y + t->at + c; \
        double *index = s->index ? s->index + t->at + c : NULL; \
        int64_t r = t->from; \
        id##_a v; \
        if (before) \
          v = ((const id##_a *) before)[c]; \
        else \
          id##_first (&v, *x, 0); \
        for (; r < last && v.i < 0; r++) \
          { \
            id##_step (&v, x[r * s->inner], r); \
            id##_put (v, x, &y[r * s->inner]); \
            if (index) \
              index[r * s->inner] = (double) (id##_row (v) + 1); \
          } \
        for (; r < last && ! index; r++) \
          { \
            if (id##_better (x[r * s->inner], v.v)) \
              v.v = x[r * s->inner]; \
            y[r * s->inner] = v.v; \
          } \
        double row = (double) (v.i + 1); \
        for (; r < last; r++) \
          { \
            if (id##_better (x[r * s->inner], v.v)) \
              { \
                v.v = x[r * s->inner]; \
                row = (double) (r + 1); \
              } \
            y[r * s->inner] = v.v; \
            index[r * s->inner] = row; \
          } \
      } \
    return false; \
  }

#endif
