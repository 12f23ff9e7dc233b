/* Loops of the cumulative functions (kernels/ops/scan.h) on the CPU: of a tile, first what
   each segment adds up to, then, with what goes before it, every row.  */

#ifndef GPR_CPU_SCAN_LOOPS_H
#define GPR_CPU_SCAN_LOOPS_H

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../scan_tile.h"

/* ---- sums and products ------------------------------------------------------------------ */

#define GPR_SCAN_DEFINE_FOLD(id, op, T) \
  enum { id##_REAL_PRODUCT = id##_EACH && gpr_scan_is_real_##T }; \
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

#define GPR_SCAN_MINUS(W, U) ((W) ((U) 1 << (8 * sizeof (W) - 1)))

/* Whether r is unsure: the sign of a word, so that it vectorises.  An exponent of all ones is one of no number, one of 0 that of 0 and of
   subnormal numbers.  Of r = a o b, which takes longer: but a product with 0 is sure.  */
#define GPR_SCAN_DEFINE_DOUBT(T, W, U, LEAST, DIGITS) \
  typedef W gpr_scan_word_##T; \
  typedef union { T v; W w; } gpr_scan_bits_##T; \
  enum { gpr_scan_is_real_##T = 1, gpr_scan_digits_##T = (DIGITS) }; \
  static inline W gpr_scan_size_##T (T v) { union { T v; W w; } of = { v }; return of.w & (W) ~((U) 1 << (8 * sizeof (T) - 1)); } \
  static const T gpr_scan_one_##T = 1; \
  static const T gpr_scan_nothing_##T[] = { -0.0, 1 };          /* of a sum, of a product, that changes no bit of what it meets */ \
  /* Of a size so far, and one of an element that is not 0.  */ \
  static inline T gpr_scan_most_##T (T so_far, T x) { const T a = x < 0 ? -x : x; return a > so_far ? a : so_far; } \
  static inline double gpr_scan_range_##T (T least, T most) { return fmax (log2 (most), -log2 (least)); }      /* of logarithms; least <= 1 <= most */ \
  static inline T gpr_scan_least_##T (T so_far, T x) { const T a = x < 0 ? -x : x, b = a == 0 ? 1 : a; return b < so_far ? b : so_far; } \
  static inline int gpr_scan_is_0_##T (T v) { return v == 0; } \
  static inline W cumsum_##T##_doubt (T r) { return (W) ((U) gpr_scan_size_##T (r) + (U) (LEAST)); } \
  static inline W cumprod_##T##_doubt (T r) { return cumsum_##T##_doubt (r) | (gpr_scan_size_##T (r) - (LEAST)); } \
  static inline W cumsum_##T##_doubt_of (T a, T b, T r) { (void) a, (void) b; return cumsum_##T##_doubt (r); } \
  static inline W cumprod_##T##_doubt_of (T a, T b, T r) \
  { \
    const W some_0 = (gpr_scan_size_##T (a) - 1) | (gpr_scan_size_##T (b) - 1); \
    return cumsum_##T##_doubt (r) | ((gpr_scan_size_##T (r) - (LEAST)) & ~some_0); \
  } \
  /* 0 with v's sign; the sign's bit; v with it turned.  */ \
  static inline T gpr_scan_0_of_##T (T v) { const gpr_scan_bits_##T of = { v }; return ((gpr_scan_bits_##T) { .w = of.w & GPR_SCAN_MINUS (W, U) }).v; } \
  static inline W gpr_scan_minus_##T (T v) { const gpr_scan_bits_##T of = { v }; return of.w & GPR_SCAN_MINUS (W, U); } \
  static inline T gpr_scan_signed_##T (T v, W minus) { const gpr_scan_bits_##T of = { v }; return ((gpr_scan_bits_##T) { .w = of.w ^ minus }).v; }
#define GPR_SCAN_DEFINE_COMPLEX_DOUBT(T) \
  typedef int gpr_scan_word_##T; \
  enum { gpr_scan_is_real_##T = 0, gpr_scan_digits_##T = 0 }; \
  static inline T gpr_scan_least_##T (T a, T b) { (void) b; return a; } \
  static inline T gpr_scan_most_##T (T a, T b) { (void) b; return a; } \
  static inline double gpr_scan_range_##T (T least, T most) { (void) least, (void) most; return 1; } \
  static inline T gpr_scan_0_of_##T (T v) { return v; } \
  static inline int gpr_scan_minus_##T (T v) { (void) v; return 0; } \
  static inline T gpr_scan_signed_##T (T v, int minus) { (void) minus; return v; } \
  static const T gpr_scan_one_##T = { 1, 0 }, gpr_scan_nothing_##T[2]; \
  static inline int gpr_scan_is_0_##T (T v) { return v.re == 0 && v.im == 0; } \
  static inline int cumsum_##T##_doubt (T r) { return -cumsum_##T##_unsure (r); } \
  static inline int cumprod_##T##_doubt (T r) { return -cumprod_##T##_unsure (r); } \
  static inline int cumsum_##T##_doubt_of (T a, T b, T r) { (void) a, (void) b; return -cumsum_##T##_unsure (r); } \
  static inline int cumprod_##T##_doubt_of (T a, T b, T r) { (void) a, (void) b; return -cumprod_##T##_unsure (r); }
GPR_SCAN_DEFINE_DOUBT (f64, i64, u64, (i64) 1 << 52, 1022)
GPR_SCAN_DEFINE_DOUBT (f32, i32, u32, (i32) 1 << 23, 126)
GPR_SCAN_DEFINE_COMPLEX_DOUBT (c128)
GPR_SCAN_DEFINE_COMPLEX_DOUBT (c64)

/* What is known of the products of a tile: nothing; factors are 0; they are, and no operation but that with what goes before the tile is unsure.  */
enum { NO_ZEROS, WITH_ZEROS, STAYS };

/* Rows of few columns, all of an array's, are taken as so many from each row's first element on, in registers; those behind the row are written again with
   their own.  */
enum { GPR_SCAN_NARROW = 8 };
#define GPR_SCAN_IS_NARROW(columns, step, stride) ((columns) <= GPR_SCAN_NARROW && (step) == (columns) && (stride) == (columns))

/* Of a tile, what its segments, its groups and (own) the columns in all add up to.  Of one column y gets each segment for itself (of rows that are alive), several at
   once, since each step of one waits for the step before.  It is done plainly; the results say whether it must be done surely.  */
#define GPR_SCAN_DEFINE_SEGMENTS(id, op, T) \
  /* before o v; ASKS: whether it is unsure, ZEROS: but not where a factor is 0 (WITH_ZEROS, STAYS).  */ \
  static inline __attribute__ ((always_inline)) id##_a id##_behind (id##_a before, id##_a v, int ASKS, int ZEROS, gpr_scan_word_##T *unsure) \
  { \
    const id##_a all = id##_plain (before, v); \
    if (ASKS) \
      *unsure |= ZEROS ? id##_doubt_of (before, v, all) : id##_doubt (all); \
    return all; \
  } \
  static inline __attribute__ ((always_inline)) bool \
  id##_side (const id##_x *restrict x, int64_t length, id##_x *restrict y, int SIDE, int ZEROS, id##_a *restrict v) \
  { \
    gpr_scan_word_##T unsure = 0; \
    for (int j = 0; j < SIDE; j++) \
      { \
        y[j * length] = v[j] = x[j * length]; \
        unsure |= ZEROS ? id##_doubt_of (v[j], v[j], v[j]) : id##_doubt (v[j]); \
      } \
    for (int64_t r = 1; r < length; r++) \
      for (int j = 0; j < SIDE; j++) \
        y[j * length + r] = v[j] = id##_behind (v[j], x[j * length + r], id##_EACH, ZEROS, &unsure); \
    for (int j = 0; j < SIDE && ! id##_EACH; j++) \
      unsure |= id##_doubt (v[j]); \
    return unsure < 0; \
  } \
  static inline __attribute__ ((always_inline)) bool id##_sides (const id##_x *x, id##_x *y, int ZEROS, id##_a *totals) \
  { \
    id##_a v[GPR_SCAN_SIDE];    /* in registers */ \
    const bool unsure = id##_side (x, id##_STEPS, y, GPR_SCAN_SIDE, ZEROS, v); \
    memcpy (totals, v, sizeof v); \
    return unsure; \
  } \
  static bool id##_totals (const id##_x *restrict x, int64_t step, int rows, int columns, id##_a *restrict v) \
  { \
    gpr_scan_word_##T unsure = 0; \
    int r = 1; \
    for (int c = 0; c < columns; c++) \
      v[c] = x[c]; \
    if (GPR_SCAN_IS_NARROW (columns, step, step)) \
      { \
        id##_a w[GPR_SCAN_NARROW]; \
        for (int c = 0; c < GPR_SCAN_NARROW; c++) \
          w[c] = v[c < columns ? c : 0]; \
        for (; (rows - r) * columns >= GPR_SCAN_NARROW; r++) \
          GPR_SIMD \
          for (int c = 0; c < GPR_SCAN_NARROW; c++) \
            w[c] = id##_plain (w[c], x[r * columns + c]); \
        memcpy (v, w, columns * sizeof *v); \
      } \
    for (; r < rows; r++) \
      for (int c = 0; c < columns; c++) \
        v[c] = id##_plain (v[c], x[r * step + c]); \
    for (int c = 0; c < columns; c++) \
      unsure |= id##_doubt_of (v[c], v[c], v[c]);       /* what is lost on the way is seen when the rows are done */ \
    return unsure < 0; \
  } \
  static inline __attribute__ ((always_inline)) bool id##_try_segments (const gpr_scanning *s, const gpr_scan_tile *t, int ZEROS) \
  { \
    enum { N = id##_STEPS, SIDE = GPR_SCAN_SIDE, AHEAD = 3 * SIDE }; \
    const id##_x *x = t->x; \
    id##_x *y = (id##_x *) s->y + t->at + t->from * s->inner; \
    const int columns = t->columns; \
    id##_a *totals = t->totals; \
    bool unsure = false; \
    int k = 0; \
    for (; s->inner == 1 && (k + SIDE) * N <= t->rows; k += SIDE) \
      { \
        for (int at = (k + AHEAD) * N, end = at + SIDE * N; at < end; at += 64 / (int) sizeof (T))       /* so many streams the processor does not foresee */ \
          { \
            __builtin_prefetch (x + at); \
            __builtin_prefetch (y + at, 1); \
          } \
        unsure |= id##_sides (x + k * N, y + k * N, ZEROS, totals + k); \
      } \
    for (; k * N < t->rows; k++) \
      { \
        const int rows = t->rows - k * N < N ? t->rows - k * N : N; \
        unsure |= s->inner == 1 ? id##_side (x + k * N, rows, y + k * N, 1, ZEROS, totals + k) \
                                : id##_totals (x + k * N * t->step, t->step, rows, columns, totals + k * columns); \
      } \
    return unsure; \
  } \
  static void id##_fold_all (const gpr_scan_tile *t, int segments, id##_a *own) \
  { \
    const int columns = t->columns; \
    id##_a *totals = t->totals, *groups = t->groups; \
    for (int g = 0, at = 0; g < segments; g += GPR_SCAN_FOLD, at += columns) \
      for (int c = 0; c < columns; c++) \
        groups[at + c] = id##_fold (totals + g * columns + c, segments - g < GPR_SCAN_FOLD ? segments - g : GPR_SCAN_FOLD, columns, t->lost); \
    for (int c = 0; c < columns; c++) \
      own[c] = id##_fold (groups + c, (segments + GPR_SCAN_FOLD - 1) / GPR_SCAN_FOLD, columns, t->lost); \
  } \
  /* Segments of one column up to a factor that is 0, and the sign of those behind; false: there is none, or those behind must be seen.  */ \
  static bool id##_dies (const gpr_scanning *s, gpr_scan_tile *t, void *own) \
  { \
    gpr_scan_tile living = *t; \
    const id##_x *x = t->x; \
    id##_a sign, *totals = t->totals; \
    bool finite = s->inner == 1 && id##_REAL_PRODUCT; \
    living.rows = 0; \
    while (finite && living.rows < t->rows && ! gpr_scan_is_0_##T (x[living.rows])) \
      finite = cumsum_##T##_doubt (x[living.rows++]) >= 0; \
    if (! finite || living.rows == t->rows || ! id##_stays (t, living.rows)) \
      return false; \
    id##_signs (t, living.rows, &sign); \
    const int at = living.rows / id##_STEPS; \
    if (living.rows > 0 && id##_try_segments (s, &living, 0)) \
      id##_surely (s, &living, 0, living.rows, totals); \
    if (living.rows % id##_STEPS == 0) \
      totals[at] = sign; \
    else \
      totals[at] = id##_plain (totals[at], sign); \
    totals[at] = gpr_scan_0_of_##T (totals[at]); \
    t->alive = living.rows; \
    id##_fold_all (t, at + 1, own); \
    return true; \
  } \
  static void id##_segments (const gpr_scanning *s, gpr_scan_tile *t, void *own) \
  { \
    const bool zero = t->alive == 0; \
    if (zero && id##_stays (t, 0)) \
      { \
        id##_signs (t, 0, own); \
        return; \
      } \
    t->alive = t->rows; \
    bool unsure = zero || id##_try_segments (s, t, 0);        /* after a 0 there are others, most likely */ \
    if (unsure && ! zero && id##_dies (s, t, own)) \
      return; \
    if (unsure && id##_REAL_PRODUCT) \
      unsure = id##_try_segments (s, t, 1); \
    if (unsure) \
      id##_surely (s, t, 0, t->rows, t->totals); \
    id##_fold_all (t, (t->rows + id##_STEPS - 1) / id##_STEPS, own); \
  }

enum { GPR_SCAN_SIGNS = 64 };   /* rows whose signs are looked at together */

/* Products after one that is 0 are 0, and only their sign changes, unless an element is not finite.  But an operation of the tree that leaves the range leaves the
   columns in doubt there as well: so what comes after is looked at first.  */
#define GPR_SCAN_DEFINE_ZEROS(id, op, T) \
  static bool id##_are_zero (const void *products, int columns) \
  { \
    bool all = id##_REAL_PRODUCT; \
    for (int c = 0; c < columns; c++) \
      all &= gpr_scan_is_0_##T (((const id##_a *) products)[c]); \
    return all; \
  } \
  static bool id##_any_zero (const id##_x *x, int columns) \
  { \
    bool any = false; \
    for (int c = 0; c < columns; c++) \
      any |= gpr_scan_is_0_##T (x[c]); \
    return any; \
  } \
  /* Whether from a row on no column has more than so many neighbours without 0: of every other as many rows some are 0.  */ \
  static bool id##_often_zero (const gpr_scan_tile *t, int from, int most) \
  { \
    enum { LOOK = 8 }; \
    const int each = most / 2 + 1, n = t->columns; \
    const id##_x *restrict x = (const id##_x *) t->x + from * t->step; \
    const bool alone = n == 1 && t->step == 1; \
    bool all = true; \
    for (int r = from; r + each <= t->rows && all && alone; r += each, x += each) \
      all = id##_any_zero (x, each); \
    for (int r = from; r + each <= t->rows && all && ! alone; r += each, x += each * t->step) \
      { \
        gpr_scan_word_##T zero[GPR_SCAN_WIDE], every = 0; \
        memset (zero, 0, n * sizeof *zero); \
        for (int k = 0; k < each && ! every; k++) \
          { \
            for (int c = 0; c < n; c++) \
              zero[c] |= gpr_scan_is_0_##T (x[k * t->step + c]) ? -1 : 0; \
            if (k % LOOK == LOOK - 1 || k == each - 1) \
              every = -1; \
            for (int c = 0; c < n && every; c++) \
              every &= zero[c]; \
          } \
        all = every != 0; \
      } \
    return all; \
  } \
  /* Whether from a row on all is finite, and no product of neighbours in a column leaves the range, by the sizes of those that are not 0 and how many follow each other.  */ \
  static bool id##_stays (const gpr_scan_tile *t, int from) \
  { \
    enum { LANES = 32 }; \
    const id##_x *restrict x = (const id##_x *) t->x + from * t->step; \
    const bool whole = t->step == t->columns; \
    const int64_t rows = t->rows - from, runs = whole ? 1 : rows, count = whole ? rows * t->columns : t->columns; \
    id##_x least[LANES], most[LANES]; \
    gpr_scan_word_##T endless[LANES] = { 0 }; \
    for (int k = 0; k < LANES; k++) \
      least[k] = most[k] = gpr_scan_one_##T; \
    for (int64_t r = 0; r < runs; r++, x += t->step) \
      for (int64_t i = 0; i < count; i += LANES) \
        for (int k = 0, n = count - i < LANES ? (int) (count - i) : LANES; k < n; k++) \
          { \
            endless[k] |= cumsum_##T##_doubt (x[i + k]); \
            least[k] = gpr_scan_least_##T (least[k], x[i + k]); \
            most[k] = gpr_scan_most_##T (most[k], x[i + k]); \
          } \
    for (int k = 1; k < LANES; k++) \
      { \
        endless[0] |= endless[k]; \
        least[0] = gpr_scan_least_##T (least[0], least[k]); \
        most[0] = gpr_scan_most_##T (most[0], most[k]); \
      } \
    const double range = gpr_scan_range_##T (least[0], most[0]), room = gpr_scan_digits_##T - 2;       /* what rounding may add is far less */ \
    return endless[0] >= 0 && (range * rows < room || id##_often_zero (t, from, (int) (room / range))); \
  } \
  static int id##_zeros_of (const gpr_scan_tile *t) { return id##_stays (t, 0) ? STAYS : WITH_ZEROS; } \
  /* Whether some of so many elements are negative, or -0.  */ \
  static bool id##_any_minus (const id##_x *x, int64_t n) \
  { \
    gpr_scan_word_##T some = 0; \
    for (int64_t i = 0; i < n; i++) \
      some |= gpr_scan_minus_##T (x[i]); \
    return some != 0; \
  } \
  /* The sign of each column's product from a row on, 1 or -1.  */ \
  static void id##_signs (const gpr_scan_tile *t, int from, id##_a *own) \
  { \
    const id##_x *restrict x = (const id##_x *) t->x + from * t->step; \
    const bool alone = t->columns == 1 && t->step == 1; \
    gpr_scan_word_##T minus[GPR_SCAN_WIDE], all = 0; \
    for (int r = 0; r < t->rows - from && alone; r++) \
      all ^= gpr_scan_minus_##T (x[r]); \
    for (int c = 0; c < t->columns; c++) \
      minus[c] = all; \
    for (int r = from, end; r < t->rows && ! alone; r = end) \
      { \
        end = t->rows - r < GPR_SCAN_SIGNS ? t->rows : r + GPR_SCAN_SIGNS; \
        const bool some = t->step != t->columns || id##_any_minus (x, (int64_t) (end - r) * t->step); \
        for (int k = r; k < end && some; k++) \
          for (int c = 0; c < t->columns; c++) \
            minus[c] ^= gpr_scan_minus_##T (x[(k - r) * t->step + c]); \
        x += (end - r) * t->step; \
      } \
    for (int c = 0; c < t->columns; c++) \
      own[c] = gpr_scan_signed_##T (gpr_scan_one_##T, minus[c]); \
  } \
  /* Rows of which those before came to v.  */ \
  static void id##_turn_row (const id##_x *restrict x, const id##_a *restrict v, id##_x *restrict y, int columns) \
  { \
    for (int c = 0; c < columns; c++) \
      y[c] = gpr_scan_signed_##T (v[c], gpr_scan_minus_##T (x[c])); \
  } \
  static void id##_turn (const gpr_scan_tile *t, int from, const id##_a *v, id##_x *y, int64_t inner) \
  { \
    const id##_x *x = (const id##_x *) t->x + from * t->step; \
    const int rows = t->rows - from; \
    id##_a one = *v; \
    for (int r = 0, end; r < rows && inner == 1; r = end) \
      { \
        gpr_scan_word_##T some = 0; \
        end = rows - r < GPR_SCAN_SIGNS ? rows : r + GPR_SCAN_SIGNS; \
        for (int k = r; k < end; k++) \
          { \
            some |= gpr_scan_minus_##T (x[k]); \
            y[k] = one; \
          } \
        for (int k = r; k < end && some; k++) \
          y[k] = one = gpr_scan_signed_##T (one, gpr_scan_minus_##T (x[k])); \
      } \
    for (int r = 0, end; r < rows && inner > 1; r = end) \
      { \
        end = rows - r < GPR_SCAN_SIGNS ? rows : r + GPR_SCAN_SIGNS; \
        const bool same = t->columns == inner && t->step == inner && ! id##_any_minus (x, (end - r) * inner); \
        if (same)               /* rows are as the one before, which is copied, then both, and so on */ \
          { \
            const int64_t count = (end - r) * inner; \
            memcpy (y, v, inner * sizeof *y); \
            for (int64_t done = inner; done < count; done *= 2) \
              memcpy (y + done, y, (count - done < done ? count - done : done) * sizeof *y); \
            x += count; \
            y += count; \
            v = y - inner; \
          } \
        for (int k = r; k < end && ! same; k++, x += t->step, v = y, y += inner) \
          id##_turn_row (x, v, y, t->columns); \
      } \
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
  id##_line (id##_x *restrict y, int n, int S, int G, int B, int ZEROS, id##_a s, id##_a g, id##_a b) \
  { \
    gpr_scan_word_##T unsure = 0; \
    for (int i = 0; i < n; i++) \
      { \
        id##_a v = y[i]; \
        if (S) \
          v = id##_behind (s, v, id##_EACH || ! (G || B), ZEROS, &unsure); \
        if (G) \
          v = id##_behind (g, v, id##_EACH || ! B, ZEROS, &unsure); \
        if (B) \
          v = id##_behind (b, v, 1, ZEROS, &unsure); \
        y[i] = v; \
      } \
    return unsure < 0; \
  } \
  static bool id##_any_line (id##_x *y, int n, const id##_a *s, const id##_a *g, const id##_a *b) \
  { \
    const id##_a one = gpr_scan_one_##T, vs = s ? *s : one, vg = g ? *g : one, vb = b ? *b : one; \
    if (id##_REAL_PRODUCT && (gpr_scan_is_0_##T (vs) || gpr_scan_is_0_##T (vg) || gpr_scan_is_0_##T (vb) || gpr_scan_is_0_##T (y[n - 1]))) \
      return id##_line (y, n, 1, 1, 1, 1, vs, vg, vb); \
    switch ((s != NULL) + 2 * (g != NULL) + 4 * (b != NULL)) \
      { \
      case 1: return id##_line (y, n, 1, 0, 0, 0, vs, vg, vb); \
      case 2: return id##_line (y, n, 0, 1, 0, 0, vs, vg, vb); \
      case 3: return id##_line (y, n, 1, 1, 0, 0, vs, vg, vb); \
      case 4: return id##_line (y, n, 0, 0, 1, 0, vs, vg, vb); \
      case 5: return id##_line (y, n, 1, 0, 1, 0, vs, vg, vb); \
      case 6: return id##_line (y, n, 0, 1, 1, 0, vs, vg, vb); \
      case 7: return id##_line (y, n, 1, 1, 1, 0, vs, vg, vb); \
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
  /* The first rows of few columns, those that are done.  */ \
  static inline __attribute__ ((always_inline)) int \
  id##_narrow_band (const id##_x *restrict x, id##_x *restrict y, int rows, int n, int S, int G, int B, int ZEROS, gpr_scan_word_##T *unsure, \
                    id##_a *restrict z, const id##_a *restrict s, const id##_a *restrict g, const id##_a *restrict b) \
  { \
    enum { W = GPR_SCAN_NARROW }; \
    id##_a vz[W], vs[W], vg[W], vb[W]; \
    gpr_scan_word_##T some[W] = { 0 }; \
    int r = 0; \
    for (int i = 0; i < W; i++) \
      { \
        const int c = i < n ? i : 0; \
        vz[i] = gpr_scan_nothing_##T[id##_EACH]; \
        if (S) \
          vs[i] = s[c]; \
        if (G) \
          vg[i] = g[c]; \
        if (B) \
          vb[i] = b[c]; \
      } \
    for (; (rows - r) * n >= W; r++) \
      GPR_SIMD \
      for (int i = 0; i < W; i++) \
        { \
          const id##_a own = x[r * n + i]; \
          id##_a v = id##_behind (vz[i], own, ZEROS != STAYS && (id##_EACH || ! (S || G || B)), ZEROS, &some[i]); \
          vz[i] = v; \
          if (S) \
            v = id##_behind (vs[i], v, ZEROS != STAYS && (id##_EACH || ! (G || B)), ZEROS, &some[i]); \
          if (G) \
            v = id##_behind (vg[i], v, ZEROS != STAYS && (id##_EACH || ! B), ZEROS, &some[i]); \
          if (B) \
            v = id##_behind (vb[i], v, 1, ZEROS, &some[i]); \
          y[r * n + i] = v; \
        } \
    for (int i = 0; i < n && r > 0; i++) \
      { \
        z[i] = vz[i]; \
        *unsure |= some[i]; \
      } \
    return r; \
  } \
  static inline __attribute__ ((always_inline)) bool \
  id##_band (const id##_x *restrict x, int64_t step, id##_x *restrict y, int64_t stride, int rows, int n, int S, int G, int B, int ZEROS, \
             id##_a *restrict z, const id##_a *restrict s, const id##_a *restrict g, const id##_a *restrict b) \
  { \
    gpr_scan_word_##T unsure = 0; \
    int r = 0; \
    if (gpr_scan_is_real_##T && GPR_SCAN_IS_NARROW (n, step, stride)) \
      r = id##_narrow_band (x, y, rows, n, S, G, B, ZEROS, &unsure, z, s, g, b); \
    x += r * step; \
    y += r * stride; \
    for (int i = 0; i < n && r == 0; i++) \
      z[i] = gpr_scan_nothing_##T[id##_EACH]; \
    for (; r < rows; r++, x += step, y += stride) \
      for (int i = 0; i < n; i++) \
        { \
          id##_a v = r == 0 && ! gpr_scan_is_real_##T ? x[i] : id##_behind (z[i], x[i], ZEROS != STAYS && (id##_EACH || ! (S || G || B)), ZEROS, &unsure); \
          z[i] = v; \
          if (S) \
            v = id##_behind (s[i], v, ZEROS != STAYS && (id##_EACH || ! (G || B)), ZEROS, &unsure); \
          if (G) \
            v = id##_behind (g[i], v, ZEROS != STAYS && (id##_EACH || ! B), ZEROS, &unsure); \
          if (B) \
            v = id##_behind (b[i], v, 1, ZEROS, &unsure); \
          y[i] = v; \
        } \
    return unsure < 0; \
  } \
  static bool \
  id##_any_band (int zeros, const id##_x *x, int64_t step, id##_x *y, int64_t stride, int rows, int n, id##_a *z, const id##_a *s, const id##_a *g, const id##_a *b) \
  { \
    if (id##_REAL_PRODUCT && zeros != NO_ZEROS) \
      { \
        id##_a one[GPR_SCAN_WIDE];      /* is as good as what is not there: a loop for each case takes long to compile */ \
        for (int i = 0; i < n; i++) \
          one[i] = gpr_scan_one_##T; \
        s = s ? s : one, g = g ? g : one, b = b ? b : one; \
        return zeros == STAYS ? id##_band (x, step, y, stride, rows, n, 1, 1, 1, STAYS, z, s, g, b) \
                              : id##_band (x, step, y, stride, rows, n, 1, 1, 1, WITH_ZEROS, z, s, g, b); \
      } \
    switch ((s != NULL) + 2 * (g != NULL) + 4 * (b != NULL)) \
      { \
      case 0: return id##_band (x, step, y, stride, rows, n, 0, 0, 0, NO_ZEROS, z, s, g, b); \
      case 1: return id##_band (x, step, y, stride, rows, n, 1, 0, 0, NO_ZEROS, z, s, g, b); \
      case 2: return id##_band (x, step, y, stride, rows, n, 0, 1, 0, NO_ZEROS, z, s, g, b); \
      case 3: return id##_band (x, step, y, stride, rows, n, 1, 1, 0, NO_ZEROS, z, s, g, b); \
      case 4: return id##_band (x, step, y, stride, rows, n, 0, 0, 1, NO_ZEROS, z, s, g, b); \
      case 5: return id##_band (x, step, y, stride, rows, n, 1, 0, 1, NO_ZEROS, z, s, g, b); \
      case 6: return id##_band (x, step, y, stride, rows, n, 0, 1, 1, NO_ZEROS, z, s, g, b); \
      default: return id##_band (x, step, y, stride, rows, n, 1, 1, 1, NO_ZEROS, z, s, g, b); \
      } \
  }

/* Every row; b: of the tiles before, or NULL.  */
#define GPR_SCAN_DEFINE_ROWS(id, op, T) \
  static void id##_living_rows (const gpr_scanning *p, const gpr_scan_tile *t, const void *b) \
  { \
    enum { N = id##_STEPS }; \
    const int columns = t->columns; \
    const id##_x *x = t->x; \
    id##_x *y = (id##_x *) p->y + t->at + t->from * p->inner; \
    id##_a z[GPR_SCAN_WIDE]; \
    int zeros = id##_REAL_PRODUCT && p->inner > 1 && b && id##_any_zero (b, columns) ? WITH_ZEROS : NO_ZEROS;      /* once there are some, of all that follow */ \
    for (int k = 0; k * N < t->alive; k++, x += N * t->step, y += N * p->inner) \
      { \
        const int rows = t->alive - k * N < N ? t->alive - k * N : N; \
        const id##_a *s = k % GPR_SCAN_FOLD ? (const id##_a *) t->totals + k * columns : NULL; \
        const id##_a *g = k < GPR_SCAN_FOLD ? NULL : (const id##_a *) t->groups + k / GPR_SCAN_FOLD * columns; \
        bool unsure = p->inner == 1 ? id##_any_line (y, rows, s, g, b) : id##_any_band (zeros, x, t->step, y, p->inner, rows, columns, z, s, g, b); \
        if (unsure && id##_REAL_PRODUCT && p->inner > 1 && zeros == NO_ZEROS) \
          unsure = id##_any_band (zeros = WITH_ZEROS, x, t->step, y, p->inner, rows, columns, z, s, g, b); \
        if (unsure) \
          { \
            id##_surely (p, t, k * N, rows, NULL); \
            for (int r = 0; r < rows; r++) \
              id##_sure_line (y + r * p->inner, columns, s, g, b, t->lost); \
          } \
      } \
  } \
  static void id##_rows (const gpr_scanning *p, gpr_scan_tile *t, const void *b) \
  { \
    id##_a own[GPR_SCAN_WIDE]; \
    const id##_a one = gpr_scan_one_##T, *before = b ? b : &one; \
    if (t->alive < t->rows && p->inner == 1 && cumsum_##T##_doubt (*before) < 0) \
      { \
        t->alive = t->rows;     /* 0 times it is not 0 */ \
        id##_surely (p, t, 0, t->rows, t->totals); \
        id##_fold_all (t, (t->rows + id##_STEPS - 1) / id##_STEPS, own); \
      } \
    id##_living_rows (p, t, b); \
    if (t->alive == t->rows) \
      return; \
    id##_x *y = (id##_x *) p->y + t->at + (t->from + t->alive) * p->inner; \
    if (p->inner == 1) \
      { \
        own[0] = gpr_scan_0_of_##T (t->alive > 0 ? y[-1] : *before); \
        before = own; \
      } \
    id##_turn (t, t->alive, before, y, p->inner); \
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
          (void) (some == 1 ? id##_side (x, length, y, 1, 0, v) : id##_side (x, length, y, SIDE, 0, v)); \
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

/* By the logarithms of the first rows' products of some columns, of more rows where there are few: these go on as far on average, and spread with the root of the rows, as the GPU's kernels have it
   (kernels/engine/scan/many.cuh); a column that has left the range by then tells more.  A column has left it whose last product is too small, but not 0, or which lost a product: of
   those that have ended a few are looked at.  */
#define GPR_SCAN_DEFINE_RANGE(id, T, LEAST, DIGITS) \
  static bool id##_loses (const T *x, int64_t step, int rows) \
  { \
    T before = 1, product; \
    for (int r = 0; r < rows && ! id##_ended (*x); r++, x += step, before = product) \
      { \
        product = before * *x; \
        if (id##_clearly_lost (before, *x, product, rows)) \
          return true; \
      } \
    return false; \
  } \
  static bool id##_seem_to_leave (const gpr_scanning *s, int64_t at) \
  { \
    enum { LOOK = 96, COLUMNS = 64 }; \
    const int columns = s->inner < COLUMNS ? (int) s->inner : COLUMNS, most = LOOK * COLUMNS / columns, rows = s->length < most ? (int) s->length : most; \
    const T *x = (const T *) s->x + at; \
    double sum = 0, squares = 0; \
    T product[COLUMNS]; \
    for (int c = 0; c < columns; c++) \
      product[c] = 1; \
    for (int r = 0; r < rows; r++, x += s->inner) \
      for (int c = 0; c < columns; c++) \
        product[c] *= x[c]; \
    for (int c = 0; c < columns; c++) \
      { \
        double exponent = 0; \
        if (! id##_ended (product[c])) \
          exponent = log2 (fabs (product[c])); \
        else if (id##_loses ((const T *) s->x + at + c, s->inner, rows)) \
          return true; \
        sum += exponent; \
        squares += exponent * exponent; \
      } \
    const double on = (double) s->length / rows, mean = sum / columns, spread = squares / columns - mean * mean; \
    return fabs (mean) * on + 3 * sqrt ((spread > 0 ? spread : 0) * on) > DIGITS; \
  } \
  static bool id##_have_left (const gpr_scanning *s, int64_t at) \
  { \
    const T *x = (const T *) s->x + at, *y = (const T *) s->y + at, *last = y + (s->length - 1) * s->inner; \
    int tries = 4; \
    for (int64_t c = 0; c < s->inner; c++) \
      if (last[c] != 0 && fabs (last[c]) < LEAST / 2) \
        return true; \
    for (int64_t c = 0; c < s->inner && tries > 0; c++) \
      if (id##_ended (last[c])) \
        { \
          tries--; \
          for (int64_t r = 1, i = c + s->inner; r < s->length && ! id##_ended (y[i - s->inner]) && ! id##_ended (x[i]); r++, i += s->inner) \
            if (id##_clearly_lost (y[i - s->inner], x[i], y[i], r)) \
              return true; \
        } \
    return false; \
  } \
  static const gpr_cpu_scan_range id##_range = { id##_seem_to_leave, id##_have_left };

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
    gpr_scan_word_##T doubt = 0; \
    bool unsure = false; \
    int k = 0, zeros = id##_REAL_PRODUCT && t->from > 0 && id##_any_zero (before, n) ? id##_zeros_of (t) : NO_ZEROS; \
    if (zeros == STAYS && id##_are_zero (before, n)) \
      { \
        id##_turn (t, 0, before, y, inner); \
        memcpy (before, y + (t->rows - 1) * inner, n * sizeof *y); \
        return 0; \
      } \
    if (t->from > 0) \
      memcpy (b, before, n * sizeof *b); \
    for (int r = 0; r < t->rows && ! unsure; r += N, k++, x += N * t->step, y += N * inner) \
      { \
        const int rows = t->rows - r < N ? t->rows - r : N; \
        const bool last = k % GPR_SCAN_FOLD == GPR_SCAN_FOLD - 1 || t->rows - r <= N; \
        const id##_a *const ps = k % GPR_SCAN_FOLD ? s : NULL, *const pg = k < GPR_SCAN_FOLD ? NULL : g, *const pb = t->from > 0 ? b : NULL; \
        unsure = id##_any_band (zeros, x, t->step, y, inner, rows, n, z, ps, pg, pb); \
        if (unsure && id##_REAL_PRODUCT && zeros == NO_ZEROS) \
          { \
            zeros = id##_zeros_of (t); \
            unsure = id##_any_band (zeros, x, t->step, y, inner, rows, n, z, ps, pg, pb); \
          } \
        for (int c = 0; c < n; c++) \
          { \
            const id##_a all = k % GPR_SCAN_FOLD == 0 ? z[c] : id##_plain (s[c], z[c]); \
            doubt |= id##_doubt_of (k % GPR_SCAN_FOLD == 0 ? z[c] : s[c], z[c], all); \
            s[c] = all; \
          } \
        for (int c = 0; c < n && last; c++) \
          { \
            const id##_a all = k < GPR_SCAN_FOLD ? s[c] : id##_plain (g[c], s[c]); \
            doubt |= id##_doubt_of (k < GPR_SCAN_FOLD ? s[c] : g[c], s[c], all); \
            g[c] = all; \
          } \
      } \
    for (int c = 0; c < n; c++) \
      { \
        const id##_a all = t->from > 0 ? id##_plain (b[c], g[c]) : g[c]; \
        doubt |= id##_doubt_of (t->from > 0 ? b[c] : g[c], g[c], all); \
        b[c] = all; \
      } \
    unsure |= doubt < 0; \
    if (! unsure) \
      memcpy (before, b, n * sizeof *b); \
    return unsure; \
  }

#endif
