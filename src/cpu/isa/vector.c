/* Loops beside the reductions' that gain from wide registers.  */

#include "loops.h"
#include "../../../kernels/ops/scatter.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

/* ---- products ------------------------------------------------------------------ */

static void
products_f64 (const f64 *restrict x, const f64 *restrict y, f64 *restrict z, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    z[i] = x[i] * y[i];
}

static void
products_f32 (const f32 *restrict x, const f32 *restrict y, f32 *restrict z, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    z[i] = x[i] * y[i];
}

static void
products_c128 (const c128 *restrict x, const c128 *restrict y, c128 *restrict z, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    z[i] = gpr_inner_c128 (x[i], y[i]);
}

static void
products_c64 (const c64 *restrict x, const c64 *restrict y, c64 *restrict z, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    z[i] = gpr_inner_c64 (x[i], y[i]);
}

static void
products (enum gpr_elem elem, const void *x, const void *y, void *z, int64_t n)
{
  switch (elem)
    {
    case GPR_f64: products_f64 (x, y, z, n); break;
    case GPR_f32: products_f32 (x, y, z, n); break;
    case GPR_c128: products_c128 (x, y, z, n); break;
    case GPR_c64: products_c64 (x, y, z, n); break;
    default: break;
    }
}

/* ---- sums ----------------------------------------------------------------------- */

#define ADD(T) \
static void add_##T (T *restrict sums, const T *restrict x, int64_t n) \
{ \
  for (int64_t i = 0; i < n; i++) \
    sums[i] += x[i]; \
}
ADD (f64) ADD (f32)

/* ---- subscripts ------------------------------------------------------------------ */

#define REALS(F) F (f64) F (f32) F (i8) F (u8) F (i16) F (u16) F (i32) F (u32) F (i64) F (u64)

/* Two loops, since gcc does not vectorise one that converts there and back.  */
#define KEYS(T, WIDE) \
static bool keys_##T (const T *restrict x, int count, int64_t size, uint32_t *restrict key) \
{ \
  const WIDE most = (WIDE) size; \
  int wrong = 0; \
  for (int i = 0; i < count; i++) \
    { \
      WIDE held = x[i] >= 1 ? (WIDE) x[i] : 0; \
      held = held <= most ? held : 0; \
      key[i] = (uint32_t) (int32_t) held - 1; \
    } \
  for (int i = 0; i < count; i++) \
    { \
      const int32_t k = (int32_t) (key[i] + 1); \
      wrong |= k == 0 ? 1 : 0; \
      wrong |= (WIDE) k != (WIDE) x[i] ? 1 : 0; \
    } \
  return ! wrong; \
}
KEYS (f64, double) KEYS (f32, double) KEYS (i8, int32_t) KEYS (u8, int32_t) KEYS (i16, int32_t)
KEYS (u16, int32_t) KEYS (i32, int32_t) KEYS (u32, int64_t) KEYS (i64, int64_t) KEYS (u64, uint64_t)

static bool
keys (enum gpr_elem elem, const void *x, int count, int64_t size, uint32_t *key)
{
  switch (elem)
    {
#define CASE(T) case GPR_##T: return keys_##T (x, count, size, key);
    REALS (CASE)
#undef CASE
    default: return false;
    }
}

enum { TOPS = 32 };

static int64_t
largest (enum gpr_elem elem, const void *data, int count, int64_t size)
{
  switch (elem)
    {
#define CASE(T) \
    case GPR_##T: \
      { \
        const T *x = data; \
        T top[TOPS] = { 0 }, good[TOPS]; \
        int i = 0, wrong = 0; \
        for (int q = 0; q < TOPS; q++) \
          good[q] = 1; \
        for (; i + TOPS <= count; i += TOPS) \
          for (int q = 0; q < TOPS; q++) \
            { \
              top[q] = x[i + q] > top[q] ? x[i + q] : top[q]; \
              good[q] = x[i + q] >= 1 ? good[q] : 0; \
            } \
        for (; i < count; i++) \
          { \
            top[0] = x[i] > top[0] ? x[i] : top[0]; \
            wrong |= ! (x[i] >= 1); \
          } \
        for (int q = 0; q < TOPS; q++) \
          { \
            top[0] = top[q] > top[0] ? top[q] : top[0]; \
            wrong |= good[q] == 0; \
          } \
        return wrong ? 0 : gpr_subscript_##T (top[0], size); \
      }
    REALS (CASE)
#undef CASE
    default: return 0;
    }
}

static int
split (const uint32_t *key, const uint16_t *from, int count, uint32_t bit, uint16_t *low, uint16_t *high)
{
  int i = 0, lows = 0, highs = 0;
#ifdef __AVX512F__
  const __m512i bits = _mm512_set1_epi32 ((int) bit);
  const __m512i first = _mm512_set_epi32 (15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  for (; i + 16 <= count; i += 16)
    {
      __m512i at = from ? _mm512_cvtepu16_epi32 (_mm256_loadu_si256 ((const __m256i *) (from + i)))
                   : _mm512_add_epi32 (first, _mm512_set1_epi32 (i));
      __m512i k = from ? _mm512_i32gather_epi32 (at, key, 4) : _mm512_loadu_si512 (key + i);
      __mmask16 up = _mm512_test_epi32_mask (k, bits);
      __m512i down = _mm512_maskz_compress_epi32 (_mm512_knot (up), at);
      _mm256_storeu_si256 ((__m256i *) (low + lows), _mm512_cvtepi32_epi16 (down));
      _mm256_storeu_si256 ((__m256i *) (high + highs), _mm512_cvtepi32_epi16 (_mm512_maskz_compress_epi32 (up, at)));
      int ups = __builtin_popcount (up);
      highs += ups;
      lows += 16 - ups;
    }
#endif
  for (; i < count; i++)
    {
      uint16_t at = from ? from[i] : (uint16_t) i;
      int up = (key[at] & bit) != 0;
      low[lows] = at;
      high[highs] = at;
      highs += up;
      lows += ! up;
    }
  return lows;
}

#ifdef GPR_PRODUCTS_ONLY
#define INDEX NULL
#define RANDOM NULL
#define SLOTS NULL
#else
#define INDEX GPR_PASTE (gpr_cpu_index_, GPR_ISA)
#define RANDOM &GPR_PASTE (gpr_cpu_random_, GPR_ISA)
#define SLOTS GPR_PASTE (gpr_cpu_slots_, GPR_ISA)
#endif
const gpr_cpu_vector GPR_PASTE (gpr_cpu_vector_, GPR_ISA) = {
  products, add_f64, add_f32, keys, largest, split, &GPR_PASTE (gpr_cpu_expansions_, GPR_ISA), INDEX, RANDOM, SLOTS
};
