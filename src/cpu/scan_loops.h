/* Loops of the cumulative functions (kernels/ops/scan.h) on the CPU: of a tile, first what
   each segment adds up to, then, with what goes before it, every row.  */

#ifndef GPR_CPU_SCAN_LOOPS_H
#define GPR_CPU_SCAN_LOOPS_H

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "../core/scan.h"

enum { GPR_SCAN_WIDE = 256 };  /* columns that are gone through beside each other, at most */
enum { GPR_SCAN_GROUPS = GPR_SCAN_THREADS / GPR_SCAN_FOLD + GPR_SCAN_COLUMNS };

/* A tile: some rows of columns side by side; at: its first column's first row of all.  */
typedef struct {
  int64_t at, from;             /* element, row */
  int columns, rows;
  const void *x, *first;        /* its elements, from one row to the next step of them; of extremes, the columns' first of all */
  int64_t step;
  void *totals, *groups;        /* GPR_SCAN_THREADS, GPR_SCAN_GROUPS accumulators, [segment or group][column] */
  bool *lost;                   /* true: the columns must be done again */
} gpr_scan_tile;

/* ---- sums and products ------------------------------------------------------------------ */

#define GPR_SCAN_DEFINE_FOLD(id, op, T) \
  static id##_a id##_fold (id##_a *at, int n, int stride, bool *lost) \
  { \
    id##_a all = *at; \
    for (int i = 1; i < n; i++) \
      { \
        const id##_a own = at[i * stride]; \
        at[i * stride] = all; \
        if (id##_merge (&all, own)) \
          *lost = true; \
      } \
    return all; \
  }

/* y: each segment for itself.  Then own: of each column, what the tile adds up to.  Several segments of
   one column at once, since each step of one waits for the step before.  The sum is done plainly; the result says
   whether it must be done surely.  */
#define GPR_SCAN_DEFINE_SEGMENTS(id, op, T) \
  static inline __attribute__ ((always_inline)) int id##_start (int first, id##_a *v, id##_x x, id##_x *y) \
  { \
    *v = first ? x : id##_plain (*v, x); \
    *y = *v; \
    return id##_EACH ? id##_unsure (*v) : 0; \
  } \
  static void id##_segments (const gpr_scanning *s, const gpr_scan_tile *t, void *own) \
  { \
    enum { N = id##_STEPS, SIDE = 8 }; \
    const id##_x *x = t->x; \
    id##_x *y = (id##_x *) s->y + t->at + t->from * s->inner; \
    const int columns = t->columns, segments = (t->rows + N - 1) / N; \
    id##_a *totals = t->totals, *groups = t->groups; \
    int k = 0, unsure = 0; \
    for (; s->inner == 1 && (k + SIDE) * N <= t->rows; k += SIDE, x += SIDE * N, y += SIDE * N) \
      { \
        id##_a v[SIDE]; \
        for (int j = 0; j < SIDE; j++) \
          unsure |= id##_start (1, &v[j], x[j * N], &y[j * N]); \
        for (int r = 1; r < N; r++) \
          for (int j = 0; j < SIDE; j++) \
            unsure |= id##_start (0, &v[j], x[j * N + r], &y[j * N + r]); \
        for (int j = 0; j < SIDE; j++) \
          { \
            unsure |= id##_unsure (v[j]); \
            totals[k + j] = v[j]; \
          } \
      } \
    for (; k < segments; k++) \
      { \
        id##_a *v = totals + k * columns; \
        for (int r = 0; r < N && k * N + r < t->rows; r++, x += t->step, y += s->inner) \
          for (int c = 0; c < columns; c++) \
            unsure |= id##_start (r == 0, &v[c], x[c], &y[c]); \
        for (int c = 0; c < columns; c++) \
          unsure |= id##_unsure (v[c]); \
      } \
    if (unsure) \
      id##_surely (s, t); \
    for (int g = 0, at = 0; g < segments; g += GPR_SCAN_FOLD, at += columns) \
      for (int c = 0; c < columns; c++) \
        groups[at + c] = id##_fold (totals + g * columns + c, segments - g < GPR_SCAN_FOLD ? segments - g : GPR_SCAN_FOLD, columns, t->lost); \
    for (int c = 0; c < columns; c++) \
      ((id##_a *) own)[c] = id##_fold (groups + c, (segments + GPR_SCAN_FOLD - 1) / GPR_SCAN_FOLD, columns, t->lost); \
  }

/* The segments again, with what NaN and overflow ask for.  */
#define GPR_SCAN_DEFINE_SURELY(id, op, T) \
  static void id##_surely (const gpr_scanning *s, const gpr_scan_tile *t) \
  { \
    const id##_x *x = t->x; \
    id##_x *y = (id##_x *) s->y + t->at + t->from * s->inner; \
    for (int r = 0; r < t->rows; r++, x += t->step, y += s->inner) \
      for (int c = 0; c < t->columns; c++) \
        { \
          id##_a *v = (id##_a *) t->totals + r / id##_STEPS * t->columns + c; \
          if (r % id##_STEPS == 0) \
            id##_first (v, x[c], 0); \
          else if (id##_step (v, x[c], 0)) \
            *t->lost = true; \
          id##_put (*v, x, &y[c]); \
        } \
  }

/* What goes before elements beside each other: the same for all (STRIDE 0), or each its own (1).  S, G, B: whether there is
   anything before in the group, in the tile and before it.  True: must be done surely.  */
#define GPR_SCAN_DEFINE_LINE(id, op, T) \
  static inline __attribute__ ((always_inline)) int \
  id##_line (id##_x *y, int n, int STRIDE, int S, int G, int B, const id##_a *s, const id##_a *g, const id##_a *b) \
  { \
    id##_x all[(int) GPR_SCAN_COLUMNS > (int) id##_STEPS ? (int) GPR_SCAN_COLUMNS : (int) id##_STEPS]; \
    int unsure = 0; \
    for (int i = 0; i < n; i++) \
      { \
        id##_a v = y[i]; \
        v = S ? id##_plain (s[i * STRIDE], v) : v; \
        unsure |= S && id##_EACH ? id##_unsure (v) : 0; \
        v = G ? id##_plain (g[i * STRIDE], v) : v; \
        unsure |= G && id##_EACH ? id##_unsure (v) : 0; \
        v = B ? id##_plain (b[i * STRIDE], v) : v; \
        unsure |= id##_unsure (v); \
        all[i] = v; \
      } \
    for (int i = 0; i < n && ! unsure; i++) \
      y[i] = all[i]; \
    return unsure; \
  } \
  static inline __attribute__ ((always_inline)) int \
  id##_any_line (id##_x *y, int n, int STRIDE, const id##_a *s, const id##_a *g, const id##_a *b) \
  { \
    switch ((s != NULL) + 2 * (g != NULL) + 4 * (b != NULL)) \
      { \
      case 1: return id##_line (y, n, STRIDE, 1, 0, 0, s, g, b); \
      case 2: return id##_line (y, n, STRIDE, 0, 1, 0, s, g, b); \
      case 3: return id##_line (y, n, STRIDE, 1, 1, 0, s, g, b); \
      case 4: return id##_line (y, n, STRIDE, 0, 0, 1, s, g, b); \
      case 5: return id##_line (y, n, STRIDE, 1, 0, 1, s, g, b); \
      case 6: return id##_line (y, n, STRIDE, 0, 1, 1, s, g, b); \
      case 7: return id##_line (y, n, STRIDE, 1, 1, 1, s, g, b); \
      default: return 0; \
      } \
  } \
  static void id##_sure_line (id##_x *y, int n, int stride, const id##_a *s, const id##_a *g, const id##_a *b, bool *lost) \
  { \
    const id##_a *const before[] = { s, g, b }; \
    for (int i = 0; i < n; i++) \
      for (int k = 0; k < 3; k++) \
        if (before[k]) \
          { \
            id##_a v = before[k][i * stride]; \
            if (id##_merge (&v, y[i])) \
              *lost = true; \
            y[i] = v; \
          } \
  }

/* Every row; b: of the tiles before, or NULL.  */
#define GPR_SCAN_DEFINE_ROWS(id, op, T) \
  static void id##_rows (const gpr_scanning *p, const gpr_scan_tile *t, const void *b) \
  { \
    enum { N = id##_STEPS }; \
    id##_x *y = (id##_x *) p->y + t->at + t->from * p->inner; \
    for (int k = 0; k * N < t->rows; k++) \
      { \
        const int rows = t->rows - k * N < N ? t->rows - k * N : N; \
        const id##_a *s = k % GPR_SCAN_FOLD ? (const id##_a *) t->totals + k * t->columns : NULL; \
        const id##_a *g = k < GPR_SCAN_FOLD ? NULL : (const id##_a *) t->groups + k / GPR_SCAN_FOLD * t->columns; \
        if (p->inner == 1) \
          { \
            if (rows < N || id##_any_line (y, N, 0, s, g, b)) \
              id##_sure_line (y, rows, 0, s, g, b, t->lost); \
            y += rows; \
          } \
        else \
          for (int r = 0; r < rows; r++, y += p->inner) \
            if (id##_any_line (y, t->columns, 1, s, g, b)) \
              id##_sure_line (y, t->columns, 1, s, g, b, t->lost); \
      } \
  }

/* Columns in the built-in's order; once more with what NaN asks for where there is any.  */
#define GPR_SCAN_DEFINE_WALK(id, op, T) \
  static void id##_sure_walk (const gpr_scanning *s, const gpr_scan_tile *t, int c) \
  { \
    const id##_x *x = (const id##_x *) t->x + c; \
    id##_x *y = (id##_x *) s->y + t->at + c; \
    id##_a v; \
    id##_first (&v, *x, 0); \
    for (int64_t r = 1; r < s->length; r++) \
      { \
        id##_step (&v, x[r * t->step], r); \
        y[r * s->inner] = v; \
      } \
  } \
  static void id##_walk (const gpr_scanning *s, const gpr_scan_tile *t) \
  { \
    const id##_x *x = t->x; \
    id##_x *y = (id##_x *) s->y + t->at; \
    const int columns = t->columns; \
    id##_a v[GPR_SCAN_WIDE], one = *x; \
    *y = one; \
    if (s->inner == 1) \
      { \
        for (int64_t r = 1; r < s->length; r++) \
          y[r] = one = id##_plain (one, x[r]); \
        if (id##_strange (one)) \
          id##_sure_walk (s, t, 0); \
        return; \
      } \
    for (int c = 0; c < columns; c++) \
      y[c] = v[c] = x[c]; \
    for (int64_t r = 1; r < s->length; r++) \
      { \
        x += t->step; \
        y += s->inner; \
        for (int c = 0; c < columns; c++) \
          y[c] = v[c] = id##_plain (v[c], x[c]); \
      } \
    for (int c = 0; c < columns; c++) \
      if (id##_strange (v[c])) \
        id##_sure_walk (s, t, c); \
  }

/* In the built-in's order from the rows before on, with everything that may happen: before has what each column has come to, if there
   are any, then with these.  */
#define GPR_SCAN_DEFINE_GO_ON(id, op, T) \
  static void id##_go_on (const gpr_scanning *s, bool any, void *before) \
  { \
    const id##_x *x = s->x; \
    id##_x *y = s->y; \
    id##_a *v = before; \
    for (int64_t r = 0; r < s->length && ! gpr_interrupted (); r++, x += s->inner, y += s->inner) \
      for (int64_t c = 0; c < s->inner; c++) \
        { \
          if (r == 0 && ! any) \
            id##_first (&v[c], x[c], 0); \
          else \
            id##_step (&v[c], x[c], r); \
          y[c] = v[c]; \
        } \
  }

/* Whether results are sure, said by the least and the greatest of them (a NaN stays in z), or else by each: so it vectorises.  */
#define GPR_SCAN_NOTE_REAL(id, v, FABS) \
  { \
    const id##_a size = FABS (v); \
    low = id##_EACH && size < low ? size : low; \
    high = size > high ? size : high; \
  }
#define GPR_SCAN_NOTE_f64(id, v) GPR_SCAN_NOTE_REAL (id, v, fabs)
#define GPR_SCAN_NOTE_f32(id, v) GPR_SCAN_NOTE_REAL (id, v, fabsf)
#define GPR_SCAN_NOTE_c128(id, v) unsure |= id##_unsure (v);
#define GPR_SCAN_NOTE_c64(id, v) unsure |= id##_unsure (v);
#define GPR_SCAN_SURE_f64 1
#define GPR_SCAN_SURE_f32 1
#define GPR_SCAN_SURE_c128 { 1, 0 }
#define GPR_SCAN_SURE_c64 { 1, 0 }

/* Many columns at once: what goes before a segment is known when its first row comes, so one reading is enough.  before: of
   the tiles before, if there are any, then with this one.  True: all of it must be done again, surely, with before as it was.  */
#define GPR_SCAN_DEFINE_DOWN(id, op, T) \
  static inline __attribute__ ((always_inline)) int \
  id##_band (const id##_x *restrict x, int64_t step, id##_x *restrict y, int64_t stride, int rows, int n, int S, int G, int B, \
             id##_a *restrict z, const id##_a *restrict s, const id##_a *restrict g, const id##_a *restrict b) \
  { \
    const id##_a sure = GPR_SCAN_SURE_##T; \
    id##_a lows[GPR_SCAN_WIDE], highs[GPR_SCAN_WIDE]; \
    int unsure = 0; \
    for (int i = 0; i < n; i++) \
      { \
        lows[i] = highs[i] = sure; \
      } \
    for (int r = 0; r < rows; r++, x += step, y += stride) \
      for (int i = 0; i < n; i++) \
        { \
          id##_a low = lows[i], high = highs[i], v = r == 0 ? x[i] : id##_plain (z[i], x[i]); \
          z[i] = v; \
          if (id##_EACH || ! (S || G || B)) \
            GPR_SCAN_NOTE_##T (id, v) \
          if (S) \
            v = id##_plain (s[i], v); \
          if (S && (id##_EACH || ! (G || B))) \
            GPR_SCAN_NOTE_##T (id, v) \
          if (G) \
            v = id##_plain (g[i], v); \
          if (G && (id##_EACH || ! B)) \
            GPR_SCAN_NOTE_##T (id, v) \
          if (B) \
            { \
              v = id##_plain (b[i], v); \
              GPR_SCAN_NOTE_##T (id, v) \
            } \
          y[i] = v; \
          lows[i] = low; \
          highs[i] = high; \
        } \
    for (int i = 0; i < n; i++) \
      unsure |= id##_unsure (lows[i]) | id##_unsure (highs[i]); \
    return unsure; \
  } \
  static int id##_down (const gpr_scanning *p, const gpr_scan_tile *t, void *before) \
  { \
    enum { N = id##_STEPS }; \
    const int64_t inner = p->inner; \
    const int n = t->columns; \
    const id##_x *x = t->x; \
    id##_x *y = (id##_x *) p->y + t->at + t->from * inner; \
    id##_a z[GPR_SCAN_WIDE], s[GPR_SCAN_WIDE], g[GPR_SCAN_WIDE], b[GPR_SCAN_WIDE]; \
    int unsure = 0, k = 0; \
    if (t->from > 0) \
      memcpy (b, before, n * sizeof *b); \
    for (int r = 0; r < t->rows && ! unsure; r += N, k++, x += N * t->step, y += N * inner) \
      { \
        const int rows = t->rows - r < N ? t->rows - r : N; \
        const bool last = k % GPR_SCAN_FOLD == GPR_SCAN_FOLD - 1 || t->rows - r <= N; \
        switch ((k % GPR_SCAN_FOLD != 0) + 2 * (k >= GPR_SCAN_FOLD) + 4 * (t->from > 0)) \
          { \
          case 0: unsure = id##_band (x, t->step, y, inner, rows, n, 0, 0, 0, z, s, g, b); break; \
          case 1: unsure = id##_band (x, t->step, y, inner, rows, n, 1, 0, 0, z, s, g, b); break; \
          case 2: unsure = id##_band (x, t->step, y, inner, rows, n, 0, 1, 0, z, s, g, b); break; \
          case 3: unsure = id##_band (x, t->step, y, inner, rows, n, 1, 1, 0, z, s, g, b); break; \
          case 4: unsure = id##_band (x, t->step, y, inner, rows, n, 0, 0, 1, z, s, g, b); break; \
          case 5: unsure = id##_band (x, t->step, y, inner, rows, n, 1, 0, 1, z, s, g, b); break; \
          case 6: unsure = id##_band (x, t->step, y, inner, rows, n, 0, 1, 1, z, s, g, b); break; \
          default: unsure = id##_band (x, t->step, y, inner, rows, n, 1, 1, 1, z, s, g, b); break; \
          } \
        for (int c = 0; c < n; c++) \
          { \
            s[c] = k % GPR_SCAN_FOLD == 0 ? z[c] : id##_plain (s[c], z[c]); \
            unsure |= id##_unsure (s[c]); \
          } \
        for (int c = 0; c < n && last; c++) \
          { \
            g[c] = k < GPR_SCAN_FOLD ? s[c] : id##_plain (g[c], s[c]); \
            unsure |= id##_unsure (g[c]); \
          } \
      } \
    for (int c = 0; c < n; c++) \
      { \
        b[c] = t->from > 0 ? id##_plain (b[c], g[c]) : g[c]; \
        unsure |= id##_unsure (b[c]); \
      } \
    if (! unsure) \
      memcpy (before, b, n * sizeof *b); \
    return unsure; \
  }

#endif
