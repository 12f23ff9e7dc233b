/* Random words and what they make, by vectors (kernels/ops/random.h).  */

#include "loops.h"
#include "../../../kernels/ops/random.h"

/* ---- Philox4x32-10: a block in each lane, whose words are the lower halves ------------------ */

#if defined __AVX512F__
#include <immintrin.h>
typedef u64 lanes __attribute__ ((vector_size (64)));
static inline lanes product (lanes x, lanes y) { return (lanes) _mm512_mul_epu32 ((__m512i) x, (__m512i) y); }
#elif defined __AVX2__
#include <immintrin.h>
typedef u64 lanes __attribute__ ((vector_size (32)));
static inline lanes product (lanes x, lanes y) { return (lanes) _mm256_mul_epu32 ((__m256i) x, (__m256i) y); }
#elif defined __SSE2__
#include <emmintrin.h>
typedef u64 lanes __attribute__ ((vector_size (16)));
static inline lanes product (lanes x, lanes y) { return (lanes) _mm_mul_epu32 ((__m128i) x, (__m128i) y); }
#else
typedef u64 lanes __attribute__ ((vector_size (16)));
static inline lanes product (lanes x, lanes y) { return (x & 0xFFFFFFFF) * (y & 0xFFFFFFFF); }
#endif
enum { LANES = sizeof (lanes) / sizeof (u64) };

static void
words (u64 seed, u64 first, int blocks, u64 *out)
{
  for (int i = 0; i < blocks; i += LANES)
    {
      lanes block, even, odd, c0, c1, c2 = { 0 }, c3 = { 0 };
      u32 low = (u32) seed, high = (u32) (seed >> 32);
      for (int k = 0; k < LANES; k++)
        block[k] = first + (u64) (i + k);
      c0 = block;
      c1 = block >> 32;
      for (int round = 0; round < 10; round++)
        {
          const lanes p = product (c0, (lanes) { 0 } + 0xD2511F53u), q = product (c2, (lanes) { 0 } + 0xCD9E8D57u);
          c0 = (q >> 32) ^ c1 ^ low;
          c1 = q;
          c2 = (p >> 32) ^ c3 ^ high;
          c3 = p;
          low += 0x9E3779B9u;
          high += 0xBB67AE85u;
        }
      even = (c0 & 0xFFFFFFFF) | c1 << 32;
      odd = (c2 & 0xFFFFFFFF) | c3 << 32;
      for (int k = 0; k < LANES; k++)
        {
          out[2 * (i + k)] = even[k];
          out[2 * (i + k) + 1] = odd[k];
        }
    }
}

/* ---- numbers -------------------------------------------------------------------------------- */

#define NUMBERS(name, T, W) \
static void \
name##_##T (const void *from, void *to, int n) \
{ \
  const W *restrict word = from; \
  T *restrict z = to; \
  for (int i = 0; i < n; i++) \
    z[i] = gpr_##name##_##T (word[i]); \
}
#define BOTH(name) NUMBERS (name, f64, u64) NUMBERS (name, f32, u32)
BOTH (uniform) BOTH (normal) BOTH (exponential)

const gpr_cpu_random GPR_PASTE (gpr_cpu_random_, GPR_ISA) = {
  words, { { uniform_f64, uniform_f32 }, { normal_f64, normal_f32 }, { exponential_f64, exponential_f32 } }
};
