/* Expansions side by side (kernels/ops/exact.h), a lane each, and exact products.  */

#include "loops.h"
#include "../../../kernels/ops/exact.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* Numbers of a vector: the compiler takes longer ones than the processor's apart, badly.  */
#if defined __AVX512F__
enum { WIDTH = 8 };
#elif defined __AVX2__
enum { WIDTH = 4 };
#else
enum { WIDTH = 2 };
#endif
enum { GROUP = 8 / WIDTH };     /* vectors whose expansions stay in registers */
typedef f64 vector __attribute__ ((vector_size (WIDTH * sizeof (f64))));
typedef f32 singles __attribute__ ((vector_size (WIDTH * sizeof (f32))));
typedef i64 mask __attribute__ ((vector_size (WIDTH * sizeof (i64))));
typedef f64 any_f64 __attribute__ ((vector_size (WIDTH * sizeof (f64)), aligned (sizeof (f64)), may_alias));
typedef f32 any_f32 __attribute__ ((vector_size (WIDTH * sizeof (f32)), aligned (sizeof (f32)), may_alias));

#define LOAD_f64(p) ((vector) *(const any_f64 *) (p))
#define LOAD_f32(p) __builtin_convertvector ((singles) *(const any_f32 *) (p), vector)
#define STORE(p, v) (*(any_f64 *) (p) = (any_f64) (v))
#define SIZE_OF(v) ((vector) ((mask) (v) & INT64_MAX))

/* Is some number not 0?  */
#if defined __AVX512F__
#define ANY(v) (_mm512_cmp_pd_mask ((__m512d) (v), _mm512_setzero_pd (), _CMP_NEQ_UQ) != 0)
#elif defined __AVX2__
#define ANY(v) (_mm256_movemask_pd (_mm256_cmp_pd ((__m256d) (v), _mm256_setzero_pd (), _CMP_NEQ_UQ)) != 0)
#elif defined __SSE2__
#define ANY(v) (_mm_movemask_pd (_mm_cmpneq_pd ((__m128d) (v), _mm_setzero_pd ())) != 0)
#else
#define ANY(v) ((v)[0] != 0 || (v)[1] != 0)
#endif

/* What is left of a vector's addends: to the spill; where an expansion overflowed, it stays as it was
   and the addends themselves go there (then what is left is NaN).  */
static __attribute__ ((noinline)) void
spill_vector (const vector *addend, const vector *left, vector *const sums[], const vector *was, int levels, int lane,
              gpr_cpu_spill *spill, void *context)
{
  bool finite = true;
  for (int i = 0; i < WIDTH; i++)
    finite &= (*left)[i] - (*left)[i] == 0;
  for (int level = 0; level < levels && ! finite; level++)
    *sums[level] = was[level];
  spill (context, lane, (const f64 *) (finite ? left : addend), WIDTH);
}

/* LEVELS is a constant, so that the loop over levels goes.  */
#define DEFINE_ADD(T, LEVELS) \
static void \
add_##T##_##LEVELS (f64 *a, const T *x, i64 stride, i64 rows, int n, gpr_cpu_spill *spill, void *context) \
{ \
  for (int j = 0; j < n; j += 8) \
    { \
      vector s[GROUP][LEVELS]; \
      for (int g = 0; g < GROUP; g++) \
        for (int level = 0; level < LEVELS; level++) \
          s[g][level] = LOAD_f64 (a + level * GPR_CPU_LANES + j + g * WIDTH); \
      for (i64 row = 0; row < rows; row++) \
        { \
          _Pragma ("GCC unroll 4") \
          for (int g = 0; g < GROUP; g++) \
            { \
              const vector addend = LOAD_##T (x + row * stride + j + g * WIDTH); \
              vector v = addend, was[LEVELS]; \
              _Pragma ("GCC unroll 4") \
              for (int level = 0; level < LEVELS; level++) \
                { \
                  const vector b = s[g][level], sum = b + v, t = sum - b; \
                  was[level] = b; \
                  s[g][level] = sum; \
                  v = (b - (sum - t)) + (v - t); \
                } \
              if (__builtin_expect (ANY (v), 0)) \
                { \
                  vector kept[LEVELS], *sums[LEVELS]; \
                  const vector whole = addend, rest = v; \
                  for (int level = 0; level < LEVELS; level++) \
                    { \
                      kept[level] = s[g][level]; \
                      sums[level] = &kept[level]; \
                    } \
                  spill_vector (&whole, &rest, sums, was, LEVELS, j + g * WIDTH, spill, context); \
                  for (int level = 0; level < LEVELS; level++) \
                    s[g][level] = kept[level]; \
                } \
            } \
        } \
      for (int g = 0; g < GROUP; g++) \
        for (int level = 0; level < LEVELS; level++) \
          STORE (a + level * GPR_CPU_LANES + j + g * WIDTH, s[g][level]); \
    } \
}
DEFINE_ADD (f64, 2) DEFINE_ADD (f64, 3) DEFINE_ADD (f32, 2)

/* Dekker's product, of halves by Veltkamp's splitting.  */
static bool
multiply (const f64 *restrict x, const f64 *restrict y, f64 *restrict p, f64 *restrict e, int n)
{
  mask good = ~(mask) { 0 };

  for (int j = 0; j < n; j += WIDTH)
    {
      const vector v = LOAD_f64 (x + j), w = LOAD_f64 (y + j), product = v * w, size = SIZE_OF (product);
      const vector cv = v * 0x8000001p0, cw = w * 0x8000001p0;
      const vector high_v = cv - (cv - v), high_w = cw - (cw - w), low_v = v - high_v, low_w = w - high_w;
      good &= (size < GPR_EXPANDS_BELOW) & (SIZE_OF (v) < GPR_EXPANDS_BELOW) & (SIZE_OF (w) < GPR_EXPANDS_BELOW)
              & ((size >= GPR_MULTIPLIES_FROM) | (v == 0) | (w == 0));
      STORE (p + j, product);
      STORE (e + j, ((high_v * high_w - product) + high_v * low_w + low_v * high_w) + low_v * low_w);
    }
  i64 all = -1;
  for (int i = 0; i < WIDTH; i++)
    all &= good[i];
  return all != 0;
}

const gpr_cpu_expansions GPR_PASTE (gpr_cpu_expansions_, GPR_ISA) = { add_f64_2, add_f64_3, add_f32_2, multiply };
