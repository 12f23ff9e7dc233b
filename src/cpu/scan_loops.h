/* Loops of the cumulative functions (kernels/ops/scan.h) on the CPU: of a tile, first what
   each segment adds up to, then, with what goes before it, every row.  */

#ifndef GPR_CPU_SCAN_LOOPS_H
#define GPR_CPU_SCAN_LOOPS_H

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "../core/scan.h"

enum { GPR_SCAN_WIDE = 1024, GPR_SCAN_WIDEST = 4096 };  /* columns that are gone through beside each other, at most; short ones */
enum { GPR_SCAN_SIDE = 8 };    /* segments of one column, or short columns, that are */
enum { GPR_SCAN_GROUPS = GPR_SCAN_THREADS / GPR_SCAN_FOLD + GPR_SCAN_COLUMNS };

/* A tile: some rows of columns side by side; at: its first column's first row of all.  */
typedef struct {
  int64_t at, from;             /* element, row */
  int columns, rows;
  const void *x, *first;        /* its elements, from one row to the next step of them; of extremes, the columns' first of all */
  int64_t step;
  void *totals, *groups;        /* accumulators, [segment or group][column] */
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

/* Whether any result is unsure: the sign of words, so that it vectorises.  An exponent of all ones is one of no number, one of 0 that of 0
   and of subnormal numbers.  */
#define GPR_SCAN_DEFINE_DOUBT(T, W, LEAST) \
  typedef W gpr_scan_word_##T; \
  static inline W gpr_scan_size_##T (T v) { union { T v; W w; } of = { v }; return of.w & (W) ~((u64) 1 << (8 * sizeof (T) - 1)); } \
  static inline W cumsum_##T##_doubt (T v) { return (W) ((u##W) gpr_scan_size_##T (v) + (u##W) (LEAST)); } \
  static inline W cumprod_##T##_doubt (T v) { return (W) ((u##W) gpr_scan_size_##T (v) + (u##W) (LEAST)) | (gpr_scan_size_##T (v) - (LEAST)); }
#define GPR_SCAN_DEFINE_COMPLEX_DOUBT(T) \
  typedef int gpr_scan_word_##T; \
  static inline int cumsum_##T##_doubt (T v) { return -cumsum_##T##_unsure (v); } \
  static inline int cumprod_##T##_doubt (T v) { return -cumprod_##T##_unsure (v); }
#define ui64 u64
#define ui32 u32
GPR_SCAN_DEFINE_DOUBT (f64, i64, (i64) 1 << 52)
GPR_SCAN_DEFINE_DOUBT (f32, i32, (i32) 1 << 23)
#undef ui64
#undef ui32
GPR_SCAN_DEFINE_COMPLEX_DOUBT (c128)
GPR_SCAN_DEFINE_COMPLEX_DOUBT (c64)

/* Of a tile, what its segments, its groups and (own) the columns in all add up to.  Of one column y gets each segment for itself, several at
   once, since each step of one waits for the step before.  It is done plainly; the results say whether it must be done surely.  */
#define GPR_SCAN_DEFINE_SEGMENTS(id, op, T) \
  static inline __attribute__ ((always_inline)) bool \
  id##_side (const id##_x *restrict x, int64_t length, id##_x *restrict y, int SIDE, id##_a *restrict v) \
  { \
    gpr_scan_word_##T unsure = 0; \
    for (int j = 0; j < SIDE; j++) \
      { \
        y[j * length] = v[j] = x[j * length]; \
        unsure |= id##_doubt (v[j]); \
      } \
    for (int64_t r = 1; r < length; r++) \
      for (int j = 0; j < SIDE; j++) \
        { \
          y[j * length + r] = v[j] = id##_plain (v[j], x[j * length + r]); \
          if (id##_EACH) \
            unsure |= id##_doubt (v[j]); \
        } \
    for (int j = 0; j < SIDE; j++) \
      unsure |= id##_doubt (v[j]); \
    return unsure < 0; \
  } \
  static bool id##_sides (const id##_x *x, id##_x *y, id##_a *totals) \
  { \
    id##_a v[GPR_SCAN_SIDE];    /* in registers */ \
    const bool unsure = id##_side (x, id##_STEPS, y, GPR_SCAN_SIDE, v); \
    memcpy (totals, v, sizeof v); \
    return unsure; \
  } \
  static bool id##_totals (const id##_x *restrict x, int64_t step, int rows, int columns, id##_a *restrict v) \
  { \
    gpr_scan_word_##T unsure = 0; \
    for (int c = 0; c < columns; c++) \
      v[c] = x[c]; \
    for (int r = 1; r < rows; r++) \
      for (int c = 0; c < columns; c++) \
        v[c] = id##_plain (v[c], x[r * step + c]); \
    for (int c = 0; c < columns; c++) \
      unsure |= id##_doubt (v[c]); \
    return unsure < 0; \
  } \
  static void id##_segments (const gpr_scanning *s, const gpr_scan_tile *t, void *own) \
  { \
    enum { N = id##_STEPS, SIDE = GPR_SCAN_SIDE }; \
    const id##_x *x = t->x; \
    id##_x *y = (id##_x *) s->y + t->at + t->from * s->inner; \
    const int columns = t->columns, segments = (t->rows + N - 1) / N; \
    id##_a *totals = t->totals, *groups = t->groups; \
    bool unsure = false; \
    int k = 0; \
    for (; s->inner == 1 && (k + SIDE) * N <= t->rows; k += SIDE) \
      unsure |= id##_sides (x + k * N, y + k * N, totals + k); \
    for (; k < segments; k++) \
      { \
        const int rows = t->rows - k * N < N ? t->rows - k * N : N; \
        unsure |= s->inner == 1 ? id##_side (x + k * N, rows, y + k * N, 1, totals + k) \
                                : id##_totals (x + k * N * t->step, t->step, rows, columns, totals + k * columns); \
      } \
    if (unsure) \
      id##_surely (s, t, 0, t->rows, totals); \
    for (int g = 0, at = 0; g < segments; g += GPR_SCAN_FOLD, at += columns) \
      for (int c = 0; c < columns; c++) \
        groups[at + c] = id##_fold (totals + g * columns + c, segments - g < GPR_SCAN_FOLD ? segments - g : GPR_SCAN_FOLD, columns, t->lost); \
    for (int c = 0; c < columns; c++) \
      ((id##_a *) own)[c] = id##_fold (groups + c, (segments + GPR_SCAN_FOLD - 1) / GPR_SCAN_FOLD, columns, t->lost); \
  }

/* Rows of whole segments again, and what these add up to (totals: of all, or NULL), with what NaN and overflow ask for.  */
#define GPR_SCAN_DEFINE_SURELY(id, op, T) \
  static void id##_surely (const gpr_scanning *s, const gpr_scan_tile *t, int from, int rows, id##_a *totals) \
  { \
    const id##_x *x = (const id##_x *) t->x + from * t->step; \
    id##_x *y = (id##_x *) s->y + t->at + (t->from + from) * s->inner; \
    id##_a v[GPR_SCAN_WIDE]; \
    for (int r = from; r < from + rows; r++, x += t->step, y += s->inner) \
      for (int c = 0; c < t->columns; c++) \
        { \
          if (r % id##_STEPS == 0) \
            id##_first (&v[c], x[c], 0); \
          else if (id##_step (&v[c], x[c], 0)) \
            *t->lost = true; \
          id##_put (v[c], x, &y[c]); \
          if (totals) \
            totals[r / id##_STEPS * t->columns + c] = v[c]; \
        } \
  }

/* What goes before a segment's elements, of one column.  S, G, B: whether there is anything before in the group, in the tile and
   before it.  True: it must be done surely, and y has anything.  */
#define GPR_SCAN_DEFINE_LINE(id, op, T) \
  static inline __attribute__ ((always_inline)) bool \
  id##_line (id##_x *restrict y, int n, int S, int G, int B, id##_a s, id##_a g, id##_a b) \
  { \
    gpr_scan_word_##T unsure = 0; \
    for (int i = 0; i < n; i++) \
      { \
        id##_a v = y[i]; \
        v = S ? id##_plain (s, v) : v; \
        if (S && id##_EACH) \
          unsure |= id##_doubt (v); \
        v = G ? id##_plain (g, v) : v; \
        if (G && id##_EACH) \
          unsure |= id##_doubt (v); \
        v = B ? id##_plain (b, v) : v; \
        unsure |= id##_doubt (v); \
        y[i] = v; \
      } \
    return unsure < 0; \
  } \
  static bool id##_any_line (id##_x *y, int n, const id##_a *s, const id##_a *g, const id##_a *b) \
  { \
    const id##_a none = *y, vs = s ? *s : none, vg = g ? *g : none, vb = b ? *b : none; \
    switch ((s != NULL) + 2 * (g != NULL) + 4 * (b != NULL)) \
      { \
      case 1: return id##_line (y, n, 1, 0, 0, vs, vg, vb); \
      case 2: return id##_line (y, n, 0, 1, 0, vs, vg, vb); \
      case 3: return id##_line (y, n, 1, 1, 0, vs, vg, vb); \
      case 4: return id##_line (y, n, 0, 0, 1, vs, vg, vb); \
      case 5: return id##_line (y, n, 1, 0, 1, vs, vg, vb); \
      case 6: return id##_line (y, n, 0, 1, 1, vs, vg, vb); \
      case 7: return id##_line (y, n, 1, 1, 1, vs, vg, vb); \
      default: return false; \
      } \
  } \
  static void id##_sure_line (id##_x *y, int n, const id##_a *s, const id##_a *g, const id##_a *b, bool *lost) \
  { \
    const id##_a *const before[] = { s, g, b }; \
    for (int i = 0; i < n; i++) \
      for (int k = 0; k < 3; k++) \
        if (before[k]) \
          { \
            id##_a v = before[k][i]; \
            if (id##_merge (&v, y[i])) \
              *lost = true; \
            y[i] = v; \
          } \
  }

/* A segment of columns beside each other, with what goes before it.  z <- what it adds up to.  True: as above.  */
#define GPR_SCAN_DEFINE_BAND(id, op, T) \
  static inline __attribute__ ((always_inline)) bool \
  id##_band (const id##_x *restrict x, int64_t step, id##_x *restrict y, int64_t stride, int rows, int n, int S, int G, int B, \
             id##_a *restrict z, const id##_a *restrict s, const id##_a *restrict g, const id##_a *restrict b) \
  { \
    gpr_scan_word_##T unsure = 0; \
    for (int r = 0; r < rows; r++, x += step, y += stride) \
      for (int i = 0; i < n; i++) \
        { \
          id##_a v = r == 0 ? x[i] : id##_plain (z[i], x[i]); \
          z[i] = v; \
          if (id##_EACH || ! (S || G || B)) \
            unsure |= id##_doubt (v); \
          if (S) \
            v = id##_plain (s[i], v); \
          if (S && (id##_EACH || ! (G || B))) \
            unsure |= id##_doubt (v); \
          if (G) \
            v = id##_plain (g[i], v); \
          if (G && (id##_EACH || ! B)) \
            unsure |= id##_doubt (v); \
          if (B) \
            { \
              v = id##_plain (b[i], v); \
              unsure |= id##_doubt (v); \
            } \
          y[i] = v; \
        } \
    return unsure < 0; \
  } \
  static bool \
  id##_any_band (const id##_x *x, int64_t step, id##_x *y, int64_t stride, int rows, int n, id##_a *z, const id##_a *s, const id##_a *g, const id##_a *b) \
  { \
    switch ((s != NULL) + 2 * (g != NULL) + 4 * (b != NULL)) \
      { \
      case 0: return id##_band (x, step, y, stride, rows, n, 0, 0, 0, z, s, g, b); \
      case 1: return id##_band (x, step, y, stride, rows, n, 1, 0, 0, z, s, g, b); \
      case 2: return id##_band (x, step, y, stride, rows, n, 0, 1, 0, z, s, g, b); \
      case 3: return id##_band (x, step, y, stride, rows, n, 1, 1, 0, z, s, g, b); \
      case 4: return id##_band (x, step, y, stride, rows, n, 0, 0, 1, z, s, g, b); \
      case 5: return id##_band (x, step, y, stride, rows, n, 1, 0, 1, z, s, g, b); \
      case 6: return id##_band (x, step, y, stride, rows, n, 0, 1, 1, z, s, g, b); \
      default: return id##_band (x, step, y, stride, rows, n, 1, 1, 1, z, s, g, b); \
      } \
  }

/* Every row; b: of the tiles before, or NULL.  */
#define GPR_SCAN_DEFINE_ROWS(id, op, T) \
  static void id##_rows (const gpr_scanning *p, const gpr_scan_tile *t, const void *b) \
  { \
    enum { N = id##_STEPS }; \
    const int columns = t->columns; \
    const id##_x *x = t->x; \
    id##_x *y = (id##_x *) p->y + t->at + t->from * p->inner; \
    id##_a z[GPR_SCAN_WIDE]; \
    for (int k = 0; k * N < t->rows; k++, x += N * t->step, y += N * p->inner) \
      { \
        const int rows = t->rows - k * N < N ? t->rows - k * N : N; \
        const id##_a *s = k % GPR_SCAN_FOLD ? (const id##_a *) t->totals + k * columns : NULL; \
        const id##_a *g = k < GPR_SCAN_FOLD ? NULL : (const id##_a *) t->groups + k / GPR_SCAN_FOLD * columns; \
        if (p->inner == 1 ? id##_any_line (y, rows, s, g, b) : id##_any_band (x, t->step, y, p->inner, rows, columns, z, s, g, b)) \
          { \
            id##_surely (p, t, k * N, rows, NULL); \
            for (int r = 0; r < rows; r++) \
              id##_sure_line (y + r * p->inner, columns, s, g, b, t->lost); \
          } \
      } \
  }

/* Columns in the built-in's order, of some outers after each other; once more with what NaN asks for where there is any.  */
#define GPR_SCAN_DEFINE_WALK(id, op, T) \
  static void id##_sure_walk (const gpr_scanning *s, const id##_x *x, int64_t step, id##_x *y) \
  { \
    id##_a v; \
    if (! id##_strange (y[(s->length - 1) * s->inner])) \
      return; \
    id##_first (&v, *x, 0); \
    for (int64_t r = 1; r < s->length; r++) \
      { \
        id##_step (&v, x[r * step], r); \
        y[r * s->inner] = v; \
      } \
  } \
  static void id##_walk_on (const id##_x *restrict x, const id##_x *restrict before, id##_x *restrict y, int columns) \
  { \
    for (int c = 0; c < columns; c++) \
      y[c] = id##_plain (before[c], x[c]); \
  } \
  static void id##_walk (const gpr_scanning *s, const gpr_scan_tile *t, int64_t outers) \
  { \
    enum { SIDE = GPR_SCAN_SIDE }; \
    const id##_x *x = t->x; \
    id##_x *y = (id##_x *) s->y + t->at; \
    const int64_t length = s->length; \
    id##_a v[SIDE]; \
    for (int some; outers > 0; outers -= some, x += some * length * t->step, y += some * length * s->inner) \
      if (s->inner == 1) \
        { \
          some = outers < SIDE ? 1 : SIDE; \
          (void) (some == 1 ? id##_side (x, length, y, 1, v) : id##_side (x, length, y, SIDE, v)); \
          for (int j = 0; j < some; j++) \
            id##_sure_walk (s, x + j * length, 1, y + j * length); \
        } \
      else \
        { \
          some = 1; \
          memcpy (y, x, t->columns * sizeof *y); \
          for (int64_t r = 1; r < length; r++) \
            id##_walk_on (x + r * t->step, y + (r - 1) * s->inner, y + r * s->inner, t->columns); \
          for (int c = 0; c < t->columns; c++) \
            id##_sure_walk (s, x + c, t->step, y + c); \
        } \
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

/* Many columns at once: what goes before a segment is known when its first row comes, so one reading is enough.  before: of
   the tiles before, if there are any, then with this one.  True: all of it must be done again, surely, with before as it was.  */
#define GPR_SCAN_DEFINE_DOWN(id, op, T) \
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
        unsure = id##_any_band (x, t->step, y, inner, rows, n, z, k % GPR_SCAN_FOLD ? s : NULL, k < GPR_SCAN_FOLD ? NULL : g, t->from > 0 ? b : NULL); \
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
