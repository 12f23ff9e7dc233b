/* Loops of cumulative extremes on the CPU: the same in any order, so without segments.  */

#ifndef GPR_CPU_SCAN_EXTREMES_H
#define GPR_CPU_SCAN_EXTREMES_H

#include "scan_loops.h"

#define GPR_SCAN_DEFINE_EXTREME_SEGMENTS(id, op, T) \
  static void id##_segments (const gpr_scanning *s, const gpr_scan_tile *t, void *own) \
  { \
    const id##_x *x = t->x; \
    id##_a *all = own; \
    (void) s; \
    for (int c = 0; c < t->columns; c++) \
      { \
        id##_a v; \
        int64_t r = 1; \
        id##_first (&v, x[c], t->from); \
        for (; r < t->rows && v.i < 0; r++) \
          id##_step (&v, x[r * t->step + c], t->from + r); \
        for (; r < t->rows; r++) \
          if (id##_better (x[r * t->step + c], v.v)) \
            { \
              v.v = x[r * t->step + c]; \
              v.i = t->from + r; \
            } \
        all[c] = v; \
      } \
  }

/* Most elements change nothing, which the processor foresees.  */
#define GPR_SCAN_DEFINE_EXTREME_ROWS(id, op, T) \
  static inline __attribute__ ((always_inline)) void \
  id##_column (const id##_x *first, const id##_x *x, int64_t step, id##_x *y, double *index, int64_t stride, int64_t from, int64_t rows, id##_a v) \
  { \
    int64_t r = 0; \
    for (; r < rows && v.i < 0; r++) \
      { \
        id##_step (&v, x[r * step], from + r); \
        id##_put (v, first, &y[r * stride]); \
        if (index) \
          index[r * stride] = (double) (id##_row (v) + 1); \
      } \
    for (; r < rows && ! index; r++) \
      { \
        if (id##_better (x[r * step], v.v)) \
          v.v = x[r * step]; \
        y[r * stride] = v.v; \
      } \
    double row = (double) (v.i + 1); \
    for (; r < rows; r++) \
      { \
        if (id##_better (x[r * step], v.v)) \
          { \
            v.v = x[r * step]; \
            row = (double) (from + r + 1); \
          } \
        y[r * stride] = v.v; \
        index[r * stride] = row; \
      } \
  } \
  static void id##_rows (const gpr_scanning *s, const gpr_scan_tile *t, const void *before) \
  { \
    const int64_t from = t->at + t->from * s->inner; \
    for (int c = 0; c < t->columns; c++) \
      { \
        const id##_x *first = (const id##_x *) t->first + c, *x = (const id##_x *) t->x + c; \
        id##_a v = { .i = -1 }; \
        if (before) \
          v = ((const id##_a *) before)[c]; \
        double *index = s->index ? s->index + from + c : NULL; \
        if (s->inner == 1) \
          id##_column (first, x, 1, (id##_x *) s->y + from, index, 1, t->from, t->rows, v); \
        else \
          id##_column (first, x, t->step, (id##_x *) s->y + from + c, index, s->inner, t->from, t->rows, v); \
      } \
  } \
  /* before: the value, the first element as long as all are NaN, and its row.  */ \
  static int id##_down (const gpr_scanning *s, const gpr_scan_tile *t, void *before) \
  { \
    const id##_x *x = t->x; \
    id##_x *y = (id##_x *) s->y + t->at + t->from * s->inner, v[GPR_SCAN_WIDE]; \
    double *index = s->index ? s->index + t->at + t->from * s->inner : NULL, row[GPR_SCAN_WIDE]; \
    id##_a *b = before; \
    const int n = t->columns; \
    for (int c = 0; c < n; c++) \
      { \
        v[c] = t->from > 0 ? b[c].v : x[c]; \
        row[c] = t->from > 0 ? (double) b[c].i : 1; \
      } \
    for (int r = 0; r < t->rows; r++, x += t->step, y += s->inner) \
      if (! index) \
        for (int c = 0; c < n; c++) \
          y[c] = v[c] = id##_takes (x[c], v[c]) ? x[c] : v[c]; \
      else \
        { \
          const double here = (double) (t->from + r + 1); \
          for (int c = 0; c < n; c++) \
            { \
              const int takes = id##_takes (x[c], v[c]); \
              y[c] = v[c] = takes ? x[c] : v[c]; \
              index[c] = row[c] = takes ? here : row[c]; \
            } \
          index += s->inner; \
        } \
    for (int c = 0; c < n; c++) \
      { \
        b[c].v = v[c]; \
        b[c].i = (int64_t) row[c]; \
      } \
    return 0; \
  } \
  static void id##_walk (const gpr_scanning *s, const gpr_scan_tile *t) \
  { \
    id##_a none[GPR_SCAN_WIDE]; \
    if (s->inner == 1) \
      id##_rows (s, t, NULL); \
    else \
      id##_down (s, t, none); \
  }

/* Results of rows that come behind others, which were done for themselves, become those of all.  from: rows before; first: the
   first row of all; before: what each column has come to there.  */
#define GPR_SCAN_DEFINE_PUT_BEHIND(id, op, T) \
  static void id##_last (const gpr_scanning *s, int64_t from, void *own) \
  { \
    const int64_t last = (s->length - 1) * s->inner; \
    for (int64_t c = 0; c < s->inner; c++) \
      id##_first ((id##_a *) own + c, ((const id##_x *) s->y)[last + c], from + (s->index ? (int64_t) s->index[last + c] - 1 : 0)); \
  } \
  static void id##_put_behind (const gpr_scanning *s, int64_t from, const void *first, const void *before) \
  { \
    for (int64_t c = 0; c < s->inner; c++) \
      { \
        const id##_a v = ((const id##_a *) before)[c]; \
        id##_x *y = (id##_x *) s->y + c; \
        int64_t r = 0; \
        for (; r < s->length; r++) \
          { \
            id##_a own; \
            id##_first (&own, y[r * s->inner], 0); \
            if (own.i == 0 && (v.i < 0 || id##_better (own.v, v.v))) \
              break; \
            id##_put (v, (const id##_x *) first + c, &y[r * s->inner]); \
            if (s->index) \
              s->index[r * s->inner + c] = (double) (id##_row (v) + 1); \
          } \
        for (; r < s->length && s->index; r++) \
          s->index[r * s->inner + c] += (double) from; \
      } \
  }

#endif
