/* Loops of cumulative extremes on the CPU: the same in any order, so without segments.  */

#ifndef GPR_CPU_SCAN_EXTREMES_H
#define GPR_CPU_SCAN_EXTREMES_H

#include "scan_loops.h"

enum { LOOK = 16,               /* rows after which they are looked at for NaN again */
       BLOCK = 64 };            /* rows of one column of which most often none is better than those before */

#define GPR_SCAN_DEFINE_EXTREME_SEGMENTS(id, op, T) \
  /* Rows of few columns, all of an array's: v, their values so far, none of them NaN, go along from row r on, and results are written, if any.
     From each row's first element on GPR_SCAN_NARROW are taken; those behind the row are written again with their own.  The first row that is not done,
     since fewer are left.  */ \
  static int \
  id##_narrow (const id##_x *restrict x, id##_x *restrict y, id##_x *restrict v, int n, int r, int rows) \
  { \
    id##_x w[GPR_SCAN_NARROW]; \
    for (int c = 0; c < GPR_SCAN_NARROW; c++) \
      w[c] = v[c < n ? c : 0]; \
    for (; (int64_t) (rows - r) * n >= GPR_SCAN_NARROW; r++) \
      GPR_SIMD \
      for (int c = 0; c < GPR_SCAN_NARROW; c++) \
        { \
          const id##_x own = x[(int64_t) r * n + c]; \
          w[c] = id##_beats (own, w[c]) ? own : w[c]; \
          if (y) \
            y[(int64_t) r * n + c] = w[c]; \
        } \
    for (int c = 0; c < n; c++) \
      v[c] = w[c]; \
    return r; \
  } \
  static inline int id##_some_none (const id##_x *v, int n) \
  { \
    int some = 0; \
    for (int c = 0; c < n; c++) \
      some |= id##_none (v[c]); \
    return some; \
  } \
  /* Comparisons of complex numbers take too long to do some in vain.  */ \
  static inline __attribute__ ((always_inline)) int id##_is_real (void) { return _Generic ((id##_x *) 0, c128 *: 0, c64 *: 0, default: 1); } \
  /* The first of rows from r on, in one column, that may be better than v, in whole blocks; or as many as are left.  */ \
  static inline __attribute__ ((always_inline)) int64_t id##_skip (const id##_x *x, int64_t r, int64_t rows, id##_x v) \
  { \
    for (; id##_is_real () && r + BLOCK <= rows; r += BLOCK) \
      { \
        int some = 0; \
        for (int k = 0; k < BLOCK; k++) \
          some |= id##_beats (x[r + k], v); \
        if (some) \
          break; \
      } \
    return r; \
  } \
  static inline __attribute__ ((always_inline)) int id##_is_narrow (const gpr_scanning *s, const gpr_scan_tile *t) \
  { \
    return id##_is_real () && ! s->index && GPR_SCAN_IS_NARROW (t->columns, t->step, s->inner); \
  } \
  static void id##_segments (const gpr_scanning *s, gpr_scan_tile *t, void *own) \
  { \
    const id##_x *x = t->x; \
    id##_a *all = own; \
    if (s->inner == 1) \
      { \
        id##_a v; \
        int64_t r = 1; \
        id##_first (&v, *x, t->from); \
        for (; r < t->rows && v.i < 0; r++) \
          id##_step (&v, x[r], t->from + r); \
        while ((r = id##_skip (x, r, t->rows, v.v)) < t->rows) \
          for (const int64_t end = t->rows - r < BLOCK ? t->rows : r + BLOCK; r < end; r++) \
            if (id##_better (x[r], v.v)) \
              { \
                v.v = x[r]; \
                v.i = t->from + r; \
              } \
        *all = v; \
        return; \
      } \
    id##_x v[GPR_SCAN_WIDE]; \
    int row[GPR_SCAN_WIDE] = { 0 }; \
    for (int c = 0; c < t->columns; c++) \
      v[c] = x[c]; \
    int narrow = id##_is_narrow (s, t); \
    for (int r = 1; r < t->rows; r++) \
      { \
        for (int c = 0; c < t->columns; c++) \
          { \
            const int takes = id##_takes (x[r * t->step + c], v[c]); \
            v[c] = takes ? x[r * t->step + c] : v[c]; \
            row[c] = takes ? r : row[c]; \
          } \
        if (narrow && r % LOOK == 1 && ! id##_some_none (v, t->columns)) \
          { \
            narrow = 0; \
            r = id##_narrow (x, NULL, v, t->columns, r + 1, t->rows) - 1; \
          } \
      } \
    for (int c = 0; c < t->columns; c++) \
      id##_first (&all[c], v[c], t->from + row[c]); \
  }

/* Most elements change nothing, which the processor foresees.  */
#define GPR_SCAN_DEFINE_EXTREME_ROWS(id, op, T) \
  static inline __attribute__ ((always_inline)) void \
  id##_column (const id##_x *first, const id##_x *x, id##_x *y, double *index, int64_t from, int64_t rows, id##_a v) \
  { \
    int64_t r = 0; \
    for (; r < rows && v.i < 0; r++) \
      { \
        id##_step (&v, x[r], from + r); \
        id##_put (v, first, &y[r]); \
        if (index) \
          index[r] = (double) (id##_row (v) + 1); \
      } \
    double row = (double) (v.i + 1); \
    int rises = 0;      /* most likely on and on */ \
    while (r < rows) \
      { \
        const int64_t next = rises ? r : id##_skip (x, r, rows, v.v); \
        for (int64_t k = r; k < next; k++) \
          y[k] = v.v; \
        for (int64_t k = r; k < next && index; k++) \
          index[k] = row; \
        const int64_t end = rows - next < BLOCK ? rows : next + BLOCK; \
        for (r = next; r < end; r++) \
          { \
            rises = id##_better (x[r], v.v); \
            if (rises) \
              { \
                v.v = x[r]; \
                row = (double) (from + r + 1); \
              } \
            y[r] = v.v; \
            if (index) \
              index[r] = row; \
          } \
      } \
  } \
  /* A row of columns beside each other: what x does to the row before (v, and its index from 1) in the row `here'.  */ \
  static inline __attribute__ ((always_inline)) void \
  id##_next_row (const id##_x *restrict x, const id##_x *restrict v, id##_x *restrict y, const double *restrict row, double *restrict index, double here, int n) \
  { \
    for (int c = 0; c < n; c++) \
      { \
        const int takes = id##_takes (x[c], v[c]); \
        y[c] = takes ? x[c] : v[c]; \
        if (index) \
          index[c] = takes ? here : row[c]; \
      } \
  } \
  /* before: the value, the first element as long as all are NaN, and its row from 1; or NULL.  */ \
  static int id##_down (const gpr_scanning *s, const gpr_scan_tile *t, void *before) \
  { \
    const int64_t from = t->at + t->from * s->inner; \
    const id##_x *x = t->x, *v = x; \
    const int n = t->columns; \
    id##_x *y = (id##_x *) s->y + from; \
    double *index = s->index ? s->index + from : NULL, *row = NULL; \
    id##_a *b = before; \
    if (t->from > 0) \
      for (int c = 0; c < n; c++) \
        { \
          const int takes = id##_takes (x[c], b[c].v); \
          y[c] = takes ? x[c] : b[c].v; \
          if (index) \
            index[c] = takes ? (double) (t->from + 1) : (double) b[c].i; \
        } \
    else \
      for (int c = 0; c < n; c++) \
        { \
          y[c] = x[c]; \
          if (index) \
            index[c] = 1; \
        } \
    int narrow = id##_is_narrow (s, t); \
    for (int r = 1; r < t->rows; r++) \
      { \
        v = y; \
        row = index; \
        x += t->step; \
        y += s->inner; \
        if (index) \
          { \
            index += s->inner; \
            id##_next_row (x, v, y, row, index, (double) (t->from + r + 1), n); \
            continue; \
          } \
        id##_next_row (x, v, y, NULL, NULL, 0, n); \
        if (narrow && r % LOOK == 1 && ! id##_some_none (y, n)) \
          { \
            id##_x w[GPR_SCAN_NARROW]; \
            memcpy (w, y, n * sizeof *w); \
            narrow = 0; \
            const int next = id##_narrow (x + n, y + n, w, n, 0, t->rows - r - 1); \
            x += (int64_t) next * n; \
            y += (int64_t) next * n; \
            r += next; \
          } \
      } \
    for (int c = 0; b && c < n; c++) \
      { \
        b[c].v = y[c]; \
        b[c].i = index ? (int64_t) index[c] : 0; \
      } \
    return 0; \
  } \
  static void id##_rows (const gpr_scanning *s, gpr_scan_tile *t, const void *before) \
  { \
    const int64_t from = t->at + t->from * s->inner; \
    const id##_a *all = before; \
    if (s->inner == 1) \
      { \
        id##_a v = { .i = -1 }; \
        if (before) \
          v = *all; \
        id##_column (t->first, t->x, (id##_x *) s->y + from, s->index ? s->index + from : NULL, t->from, t->rows, v); \
        return; \
      } \
    id##_a b[GPR_SCAN_WIDE]; \
    for (int c = 0; before && c < t->columns; c++) \
      { \
        id##_put (all[c], (const id##_x *) t->first + c, &b[c].v); \
        b[c].i = id##_row (all[c]) + 1; \
      } \
    id##_down (s, t, before ? b : NULL); \
  } \
  static void id##_walk (const gpr_scanning *s, const gpr_scan_tile *t, int64_t outers) \
  { \
    gpr_scan_tile p = *t; \
    p.rows = (int) s->length; \
    for (; outers > 0; outers--, p.at += s->length * s->inner) \
      { \
        p.first = p.x; \
        if (s->inner == 1) \
          id##_rows (s, &p, NULL); \
        else \
          id##_down (s, &p, NULL); \
        p.x = (const id##_x *) p.x + s->length * p.step; \
      } \
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
