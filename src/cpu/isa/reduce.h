/* The CPU's loops of an instance: what the files reduce_*.c are made from, one for each group
   of kernels/ops/instances.h, so that they are compiled side by side.  */

#ifndef GPR_CPU_ISA_REDUCE_H
#define GPR_CPU_ISA_REDUCE_H

#include <limits.h>
#include <string.h>

#include "loops.h"

/* Lanes of accumulators that are several words, whose steps vectorise only if the same word
   of neighbouring lanes lies together: so each word gets an array of its own for the time being.  */
#define GPR_APART(A) _Generic ((A *) 0, moments *: 1, cmoments *: 1, summary *: 1, scaled_squares *: 1, default: 0)
enum { GPR_APART_LANES = 256, GPR_APART_ROWS = 8 };     /* at most; rows from which on it pays */

/* So many short columns are taken side by side: of the most used instances, since the loops take a while to compile, and where
   that pays.  Steps of products are longer, those of sums so short that one lane's need no vectors and 8 lanes' vectors are enough.  */
enum { GPR_BESIDE = 32 };
#define GPR_IS_PRODUCT(traits) (((traits) & GPR_FIXUP_MASK) == GPR_FIXUP_PRODUCT)
#define GPR_IS_SUM(traits) (((traits) & GPR_FIXUP_MASK) == GPR_FIXUP_SUM || ((traits) & GPR_INTEGER_SUM) != 0)
#define GPR_IS_DECIDED(traits) (((traits) & (GPR_DECIDED_BY_0 | GPR_DECIDED_BY_1)) != 0)
#define GPR_HAS_BESIDE(traits, A) \
  (GPR_IS_DECIDED (traits) \
   || ((((traits) & (GPR_COMMON | GPR_BOTH_EXTREMES)) != 0 || GPR_IS_PRODUCT (traits)) && ((traits) & (GPR_HEAVY | GPR_ORDERED | GPR_OMITS_NAN)) == 0 \
       && (((traits) & GPR_FIXUP_MASK) != GPR_FIXUP_SQUARES || sizeof (A) <= 4)))        /* steps of doubles' squares are as short as sums' */
#define GPR_BESIDE_PAYS(traits, n, lanes) \
  (GPR_IS_DECIDED (traits) || ((n) < (GPR_IS_PRODUCT (traits) ? 32 : 16) && ! (GPR_IS_SUM (traits) && (lanes) == 1 && (n) > 3) \
       && ! (((traits) & GPR_FIXUP_MASK) == GPR_FIXUP_SUM && (lanes) == 8)))

/* Products of real numbers, of which most stay in their range: what a step left, and the least that is surely so.  */
static inline f64 gpr_size_f64 (const f64 *a) { return fabs (*a); }
static inline f32 gpr_size_f32 (const f32 *a) { return fabsf (*a); }
static inline f32 gpr_size_none (const void *a) { (void) a; return 0; }
static inline void gpr_multiply_f64 (f64 *a, const f64 *b) { *a *= *b; }
static inline void gpr_multiply_f32 (f32 *a, const f32 *b) { *a *= *b; }
static inline void gpr_multiply_none (void *a, const void *b) { (void) a, (void) b; }
#define GPR_MULTIPLY(a, b) _Generic ((a), f64 *: gpr_multiply_f64, f32 *: gpr_multiply_f32, default: gpr_multiply_none) (a, b)
#define GPR_SIZE(a) _Generic ((a), f64 *: gpr_size_f64, f32 *: gpr_size_f32, default: gpr_size_none) (a)
#define GPR_SMALLEST(A) _Generic ((A *) 0, f64 *: (f64) GPR_SMALL_f64, f32 *: (f32) GPR_SMALL_f32, default: (f32) 0)
#define GPR_IS_REAL_PRODUCT(traits, X, A) (GPR_IS_PRODUCT (traits) && GPR_SMALLEST (X) > 0 && GPR_SMALLEST (A) > 0)

#define GPR_EACH_WORD(id, DO) \
  _Pragma ("GCC unroll 16") \
  for (int k = 0; k < (int) (sizeof (id##_words) / sizeof (u64)); k++) \
    DO;
/* Lanes learn from the first, and merge by halving, down to the columns.  */
#define GPR_EACH_LANE(id, FROM, TO, DO) \
  for (int64_t j = FROM; j < (TO); j++) \
    { \
      id##_words t, b; \
      DO \
      GPR_EACH_WORD (id, word[k][j] = t.word[k]) \
    }
#define GPR_HALVE_WORDS_BY(id, LANES, COLUMNS, merge) \
  for (int64_t s = (LANES) / 2 * (COLUMNS); s >= (COLUMNS); s /= 2) \
    GPR_EACH_LANE (id, 0, s, \
      GPR_EACH_WORD (id, t.word[k] = word[k][j]) \
      GPR_EACH_WORD (id, b.word[k] = word[k][s + j]) \
      id##_##merge (&t.a, b.a);)
#define GPR_HALVE_WORDS(id, LANES, COLUMNS) \
  int led = id##_leads; \
  if (id##_leads && (LANES) > 1 && (COLUMNS) == 1) \
    { \
      id##_words lead; \
      GPR_EACH_WORD (id, lead.word[k] = word[k][0]) \
      GPR_EACH_LANE (id, 0, LANES, \
        (void) b; \
        GPR_EACH_WORD (id, t.word[k] = word[k][j]) \
        led &= id##_lead (&t.a, lead.a);) \
    } \
  else if (id##_leads && (LANES) > 1) \
    for (int64_t from = ((LANES) - 1) * (COLUMNS); from >= 0; from -= (COLUMNS)) \
      GPR_EACH_LANE (id, from, from + (COLUMNS), \
        GPR_EACH_WORD (id, t.word[k] = word[k][j]) \
        GPR_EACH_WORD (id, b.word[k] = word[k][j - from]) \
        led &= id##_lead (&t.a, b.a);) \
  if (id##_leads && led) \
    GPR_HALVE_WORDS_BY (id, LANES, COLUMNS, join) \
  else \
    GPR_HALVE_WORDS_BY (id, LANES, COLUMNS, merge)

#define GPR_DEFINE_LOOPS(id, FAMILY, X, A, Y) \
typedef union { id##_a a; u64 word[(sizeof (id##_a) + sizeof (u64) - 1) / sizeof (u64)]; } id##_words; \
static void id##_lanes_apart (id##_a *restrict a, const id##_x *restrict x, int64_t step, int64_t rows, \
                              int64_t width, int64_t first, int64_t lanes, int64_t columns) \
{ \
  u64 word[sizeof (id##_words) / sizeof (u64)][GPR_APART_LANES]; \
  i64 row[GPR_APART_LANES]; \
  id##_words t; \
  for (int64_t j = 0; j < width; j++) \
    { \
      row[j] = first + j / columns; \
      t.a = a[j]; \
      GPR_EACH_WORD (id, word[k][j] = t.word[k]) \
    } \
  for (; rows >= 4 && ! id##_has_index; rows -= 4, x += 4 * step) \
    for (int64_t j = 0; j < width; j++) \
      { \
        id##_words t; \
        GPR_EACH_WORD (id, t.word[k] = word[k][j]) \
        id##_step (&t.a, x[j], 0); \
        id##_step (&t.a, x[step + j], 0); \
        id##_step (&t.a, x[2 * step + j], 0); \
        id##_step (&t.a, x[3 * step + j], 0); \
        GPR_EACH_WORD (id, word[k][j] = t.word[k]) \
      } \
  for (; rows > 0; rows--, x += step) \
    for (int64_t j = 0; j < width; j++) \
      { \
        id##_words t; \
        GPR_EACH_WORD (id, t.word[k] = word[k][j]) \
        id##_step (&t.a, x[j], row[j]); \
        GPR_EACH_WORD (id, word[k][j] = t.word[k]) \
        row[j] += lanes; \
      } \
  for (int64_t j = 0; j < width; j++) \
    { \
      GPR_EACH_WORD (id, t.word[k] = word[k][j]) \
      a[j] = t.a; \
    } \
} \
static void id##_halve_apart (id##_a *a, int64_t lanes, int64_t columns) \
{ \
  u64 word[sizeof (id##_words) / sizeof (u64)][GPR_APART_LANES]; \
  id##_words t; \
  for (int64_t j = 0; j < lanes * columns; j++) \
    { \
      t.a = a[j]; \
      GPR_EACH_WORD (id, word[k][j] = t.word[k]) \
    } \
  GPR_HALVE_WORDS (id, lanes, columns) \
  for (int64_t j = 0; j < columns; j++) \
    { \
      GPR_EACH_WORD (id, t.word[k] = word[k][j]) \
      a[j] = t.a; \
    } \
} \
static void id##_init_lanes (void *acc, int64_t width) \
{ \
  id##_a *a = acc; \
  for (int64_t j = 0; j < width; j++) \
    a[j] = id##_init (); \
} \
/* Rows of some lanes without marks; false: a product may have left the range, and nothing is kept.  An infinite one stays infinite or becomes
   NaN, so only the last is asked for that.  */ \
static inline __attribute__ ((always_inline)) bool \
id##_plain_rows (id##_a *restrict a, const id##_x *restrict x, int64_t step, const int rows) \
{ \
  id##_a t[GPR_BESIDE]; \
  __typeof__ (GPR_SIZE (a)) low[GPR_BESIDE]; \
  int left = 0; \
  GPR_SIMD \
  for (int c = 0; c < GPR_BESIDE; c++) \
    { \
      id##_a p = a[c]; \
      low[c] = HUGE_VAL; \
      _Pragma ("GCC unroll 8") \
      for (int r = 0; r < rows; r++) \
        { \
          id##_step (&p, x[r * step + c], -1); \
          low[c] = low[c] < GPR_SIZE (&p) ? low[c] : GPR_SIZE (&p); \
        } \
      t[c] = p; \
    } \
  GPR_SIMD_OR (left) \
  for (int c = 0; c < GPR_BESIDE; c++) \
    left |= ! (low[c] >= GPR_SMALLEST (id##_a)) | ! (GPR_SIZE (&t[c]) < HUGE_VAL); \
  if (! left) \
    memcpy (a, t, sizeof t); \
  return ! left; \
} \
static void id##_lanes (void *restrict acc, const void *restrict data, int64_t step, int64_t rows, \
                        int64_t width, int64_t first, int64_t lanes, int64_t columns) \
{ \
  id##_a *restrict a = acc; \
  const id##_x *restrict x = data; \
  if (GPR_APART (id##_a) && rows >= GPR_APART_ROWS && width <= GPR_APART_LANES) \
    { \
      id##_lanes_apart (a, x, step, rows, width, first, lanes, columns); \
      return; \
    } \
  if (id##_has_index) \
    { \
      for (int64_t i = 0; i < rows; i++, x += step, first += lanes) \
        for (int64_t q = 0, j = 0; j < width; q++) \
          for (int64_t c = 0; c < columns; c++, j++) \
            id##_step (&a[j], x[j], first + q); \
      return; \
    } \
  if (GPR_IS_REAL_PRODUCT (id##_traits, id##_x, id##_a)) \
    for (int64_t each; rows >= 4; rows -= each, x += each * step) \
      { \
        each = rows >= 8 ? 8 : 4; \
        for (int64_t from = 0, end; from < width; from = end) \
          { \
            const bool whole = width - from >= GPR_BESIDE; \
            end = whole ? from + GPR_BESIDE : width; \
            if (whole && (each == 8 ? id##_plain_rows (a + from, x + from, step, 8) : id##_plain_rows (a + from, x + from, step, 4))) \
              continue; \
            for (int64_t r = 0; r < each; r++) \
              for (int64_t j = from; j < end; j++) \
                id##_step (&a[j], x[r * step + j], 0); \
          } \
      } \
  for (; rows >= 4; rows -= 4, x += 4 * step) \
    for (int64_t j = 0; j < width; j++) \
      { \
        id##_a t = a[j]; \
        id##_step (&t, x[j], 0); \
        id##_step (&t, x[step + j], 0); \
        id##_step (&t, x[2 * step + j], 0); \
        id##_step (&t, x[3 * step + j], 0); \
        a[j] = t; \
      } \
  for (; rows > 0; rows--, x += step) \
    for (int64_t j = 0; j < width; j++) \
      id##_step (&a[j], x[j], 0); \
} \
static __attribute__ ((noinline)) void id##_merge_lanes (void *restrict pa, const void *restrict pb, int64_t width) \
{ \
  id##_a *restrict a = pa; \
  const id##_a *restrict b = pb; \
  for (int64_t j = 0; j < width; j++) \
    id##_merge (&a[j], b[j]); \
} \
static void id##_halve (void *acc, int64_t lanes, int64_t columns) \
{ \
  id##_a *a = acc; \
  if (GPR_APART (id##_a) && lanes >= GPR_APART_ROWS && lanes * columns <= GPR_APART_LANES) \
    { \
      id##_halve_apart (a, lanes, columns); \
      return; \
    } \
  for (int64_t j = id##_leads && lanes > 1 ? lanes * columns - 1 : -1; j >= 0; j--) \
    id##_lead (&a[j], a[j % columns]); \
  for (int64_t s = lanes / 2; s > 0; s /= 2) \
    id##_merge_lanes (a, a + s * columns, s * columns); \
} \
static int id##_finish_lanes (const void *acc, int64_t width, double divisor, void *value, int64_t *index) \
{ \
  const id##_a *a = acc; \
  id##_y *y = value; \
  int needs_fixup = 0; \
  for (int64_t j = 0; j < width; j++) \
    { \
      int64_t k; \
      needs_fixup |= id##_finish (a[j], divisor, &y[j], &k); \
      if (id##_has_index && index) \
        index[j] = k; \
    } \
  return needs_fixup; \
} \
/* Inlined with a constant n, so that neighbouring outputs are vectorised.  */ \
static inline __attribute__ ((always_inline)) int \
id##_tiny_rows (const id##_x *restrict x, const int n, int64_t u, double divisor, id##_y *restrict y) \
{ \
  int needs_fixup = 0; \
  for (int64_t o = 0; o < u; o++) \
    { \
      id##_a a = id##_init (); \
      int64_t k; \
      _Pragma ("GCC unroll 4") \
      for (int r = 0; r < n; r++) \
        id##_step (&a, x[o * n + r], r); \
      needs_fixup |= id##_finish (a, divisor, &y[o], &k); \
    } \
  return needs_fixup; \
} \
/* Steps and merges of products that mark nothing; false: some might have.  b has ones.  As above: what is not finite reaches the last.  */ \
static bool id##_plain_beside (const id##_x (*restrict t)[GPR_BESIDE], int64_t n, int lanes, id##_a (*restrict b)[GPR_BESIDE]) \
{ \
  __typeof__ (GPR_SIZE (*b)) low[GPR_BESIDE]; \
  int left = 0; \
  for (int c = 0; c < GPR_BESIDE; c++) \
    low[c] = 1; \
  for (int64_t r = 0; r < n; r++) \
    { \
      id##_a *restrict a = b[r & (lanes - 1)]; \
      GPR_SIMD \
      for (int c = 0; c < GPR_BESIDE; c++) \
        { \
          id##_step (&a[c], t[r][c], -1); \
          low[c] = low[c] < GPR_SIZE (&a[c]) ? low[c] : GPR_SIZE (&a[c]); \
        } \
    } \
  for (int s = lanes / 2; s > 0; s /= 2) \
    for (int q = 0; q < s; q++) \
      GPR_SIMD \
      for (int c = 0; c < GPR_BESIDE; c++) \
        { \
          GPR_MULTIPLY (&b[q][c], &b[q + s][c]); \
          low[c] = low[c] < GPR_SIZE (&b[q][c]) ? low[c] : GPR_SIZE (&b[q][c]); \
        } \
  GPR_SIMD_OR (left) \
  for (int c = 0; c < GPR_BESIDE; c++) \
    left |= ! (low[c] >= GPR_SMALLEST (id##_a)) | ! (GPR_SIZE (b[0] + c) < HUGE_VAL); \
  return ! left; \
} \
/* Whether no element of short columns decides one, which is most often seen soon: as they lie, whichever column each is of.  */ \
static bool id##_nothing_decides (const id##_x *restrict x, int64_t n) \
{ \
  const u8 start = (id##_traits & GPR_DECIDED_BY_0) != 0; \
  u8 a[GPR_BESIDE], changed = 0; \
  memset (a, start, sizeof a); \
  for (int64_t k = 0; k < n && ! changed; k++, x += GPR_BESIDE) \
    { \
      GPR_SIMD \
      for (int c = 0; c < GPR_BESIDE; c++) \
        id##_step ((id##_a *) &a[c], x[c], 0); \
      for (int c = 0; c < GPR_BESIDE; c++) \
        changed |= a[c] ^ start; \
    } \
  return ! changed; \
} \
/* Short columns side by side, so that their steps and merges vectorise.  Rows r, r + 8, … are lane r's, if there are 8.  */ \
static int id##_beside (const id##_x *restrict x, int64_t n, int lanes, double divisor, id##_y *restrict y) \
{ \
  id##_a b[8][GPR_BESIDE]; \
  int needs_fixup = 0; \
  if (GPR_IS_DECIDED (id##_traits) && id##_nothing_decides (x, n)) \
    { \
      memset (y, (id##_traits & GPR_DECIDED_BY_0) != 0, GPR_BESIDE); \
      return 0; \
    } \
  /* Rows of neighbours; not one after the other, since what was just written by elements is slow to read by vectors.  */ \
  id##_x all[GPR_IS_DECIDED (id##_traits) ? 1 : GPR_BESIDE][GPR_BESIDE]; \
  for (int64_t r = 0; r < n && ! GPR_IS_DECIDED (id##_traits); r++) \
    { \
      const id##_x *from = x + r; \
      _Pragma ("GCC unroll 8") \
      for (int c = 0; c < GPR_BESIDE; c++) \
        all[r][c] = from[c * n]; \
    } \
  id##_init_lanes (b, lanes * GPR_BESIDE); \
  const bool plain = GPR_IS_REAL_PRODUCT (id##_traits, id##_x, id##_a) && id##_plain_beside (all, n, lanes, b); \
  if (GPR_IS_REAL_PRODUCT (id##_traits, id##_x, id##_a) && ! plain) \
    id##_init_lanes (b, lanes * GPR_BESIDE); \
  for (int64_t r = 0; r < n && ! plain; r++) \
    { \
      id##_a *restrict a = b[r & (lanes - 1)]; \
      id##_x *restrict t = all[GPR_IS_DECIDED (id##_traits) ? 0 : r]; \
      for (int c = 0; c < GPR_BESIDE && GPR_IS_DECIDED (id##_traits); c++) \
        t[c] = x[c * n + r]; \
      GPR_SIMD \
      for (int c = 0; c < GPR_BESIDE; c++) \
        id##_step (&a[c], t[c], r); \
      if (GPR_IS_DECIDED (id##_traits)) \
        { \
          u8 open = 0; \
          for (int c = 0; c < GPR_BESIDE; c++) \
            open |= ((const u8 *) a)[c] ^ ((id##_traits & GPR_DECIDED_BY_1) != 0); \
          if (! open) \
            break; \
        } \
    } \
  for (int s = lanes / 2; s > 0 && ! plain; s /= 2) \
    for (int q = 0; q < s; q++) \
      GPR_SIMD \
      for (int c = 0; c < GPR_BESIDE; c++) \
        id##_merge (&b[q][c], b[q + s][c]); \
  for (int c = 0; c < GPR_BESIDE; c++) \
    { \
      int64_t k; \
      needs_fixup |= id##_finish (b[0][c], divisor, &y[c], &k); \
    } \
  return needs_fixup; \
} \
/* The same of several words.  */ \
static int id##_beside_apart (const id##_x *restrict x, int64_t n, int lanes, double divisor, id##_y *restrict y) \
{ \
  u64 word[sizeof (id##_words) / sizeof (u64)][8 * GPR_BESIDE]; \
  int needs_fixup = 0; \
  for (int j = 0; j < lanes * GPR_BESIDE; j++) \
    { \
      id##_words t; \
      t.a = id##_init (); \
      GPR_EACH_WORD (id, word[k][j] = t.word[k]) \
    } \
  for (int64_t r = 0; r < n; r++) \
    { \
      const int64_t q = (r & (lanes - 1)) * GPR_BESIDE; \
      id##_x f[GPR_BESIDE]; \
      for (int c = 0; c < GPR_BESIDE; c++) \
        f[c] = x[c * n + r]; \
      for (int c = 0; c < GPR_BESIDE; c++) \
        { \
          id##_words t; \
          GPR_EACH_WORD (id, t.word[k] = word[k][q + c]) \
          id##_step (&t.a, f[c], r); \
          GPR_EACH_WORD (id, word[k][q + c] = t.word[k]) \
        } \
    } \
  GPR_HALVE_WORDS (id, lanes, GPR_BESIDE) \
  for (int c = 0; c < GPR_BESIDE; c++) \
    { \
      id##_words t; \
      int64_t i; \
      GPR_EACH_WORD (id, t.word[k] = word[k][c]) \
      needs_fixup |= id##_finish (t.a, divisor, &y[c], &i); \
    } \
  return needs_fixup; \
} \
static inline void id##_merge_led (id##_a *a, id##_a b) \
{ \
  if (id##_leads && id##_joins (a, &b)) \
    id##_join (a, b); \
  else \
    id##_merge (a, b); \
} \
static int id##_short_rows (const void *data, int64_t n, int64_t u, int lanes, double divisor, \
                            void *value, int64_t *index) \
{ \
  const id##_x *x = data; \
  id##_y *y = value; \
  int needs_fixup = 0; \
  if (GPR_IS_DECIDED (id##_traits) && n > GPR_CPU_SHORT) \
    { \
      enum { DECIDED = (id##_traits & GPR_DECIDED_BY_1) != 0, AHEAD = 8, FEW = 32 }; \
      for (int o = 0; o < u && o < INT_MAX; o++, x += n) \
        { \
          u8 a = ! DECIDED; \
          if (u - o > AHEAD) \
            __builtin_prefetch (x + AHEAD * n); \
          for (int r = 0; r < 8 && a != DECIDED; r++)      /* mostly the first: the others may lie in a line that nobody asked for */ \
            id##_step ((id##_a *) &a, x[r], 0); \
          for (int r = 8; r < FEW && a != DECIDED; r += 8) \
            for (int q = 0; q < 8; q++) \
              id##_step ((id##_a *) &a, x[r + q], 0); \
          if (a != DECIDED) \
            return o; \
          *(u8 *) &y[o] = DECIDED; \
        } \
      return (int) u; \
    } \
  if (! id##_has_index && n == 2) \
    return id##_tiny_rows (x, 2, u, divisor, y); \
  if (! id##_has_index && n == 4) \
    return id##_tiny_rows (x, 4, u, divisor, y); \
  if (! id##_has_index && sizeof (id##_a) <= 16 && GPR_HAS_BESIDE (id##_traits, id##_a) && GPR_BESIDE_PAYS (id##_traits, n, lanes)) \
    for (; u >= GPR_BESIDE; u -= GPR_BESIDE, x += GPR_BESIDE * n, y += GPR_BESIDE) \
      needs_fixup |= id##_beside (x, n, GPR_IS_DECIDED (id##_traits) ? 1 : lanes, divisor, y); \
  if (GPR_APART (id##_a) && (id##_traits & GPR_COMMON) != 0) \
    for (; u >= GPR_BESIDE; u -= GPR_BESIDE, x += GPR_BESIDE * n, y += GPR_BESIDE) \
      needs_fixup |= id##_beside_apart (x, n, lanes, divisor, y); \
  for (int64_t o = 0; o < u; o++, x += n) \
    { \
      id##_a a; \
      int64_t k; \
      if (lanes == 1) \
        { \
          a = id##_init (); \
          for (int64_t r = 0; r < n; r++) \
            id##_step (&a, x[r], r); \
        } \
      else \
        { \
          id##_a b[8]; \
          int64_t r = 0; \
          for (int q = 0; q < 8; q++) \
            b[q] = id##_init (); \
          for (; r + 8 <= n; r += 8) \
            GPR_SIMD \
            for (int q = 0; q < 8; q++) \
              id##_step (&b[q], x[r + q], r + q); \
          if (r < n && o + 1 < u)       /* of all lanes, of which those without an element forget: the next column is behind */ \
            { \
              const int rest = (int) (n - r); \
              GPR_SIMD \
              for (int q = 0; q < 8; q++) \
                { \
                  id##_a t = b[q]; \
                  id##_step (&t, x[r + q], r + q); \
                  b[q] = q < rest ? t : b[q]; \
                } \
            } \
          else \
            for (int q = 0; r < n; q++, r++) \
              id##_step (&b[q], x[r], r); \
          if (id##_leads) \
            for (int q = 7; q >= 0; q--) \
              id##_lead (&b[q], b[0]); \
          for (int q = 0; q < 4; q++) \
            id##_merge_led (&b[q], b[q + 4]); \
          for (int q = 0; q < 2; q++) \
            id##_merge_led (&b[q], b[q + 2]); \
          id##_merge_led (&b[0], b[1]); \
          a = b[0]; \
        } \
      needs_fixup |= id##_finish (a, divisor, &y[o], &k); \
      if (id##_has_index && index) \
        index[o] = k; \
    } \
  return needs_fixup; \
} \
const gpr_cpu_loops GPR_LOOPS_OF (id) = \
  { id##_init_lanes, id##_lanes, id##_halve, id##_merge_lanes, id##_finish_lanes, id##_short_rows };

#define GPR_LOOPS_OF_GROUP(GROUP) GROUP (GPR_DEFINE_INSTANCE) GROUP (GPR_DEFINE_LOOPS)

#endif
