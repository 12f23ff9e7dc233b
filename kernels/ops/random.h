/* Random numbers, for C11 and CUDA C++.

   Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC 2011) makes of a key and a counter four
   words that are as good as independent of those of any other key or counter.  So element i of an array has numbers of its own, whichever thread
   makes them: the key is the seed, the counter the place in the stream.  All else is exactly rounded operations: the same bits
   everywhere.  */

#ifndef GPR_RANDOM_H
#define GPR_RANDOM_H

#include "../common/scalars.h"

typedef struct { u32 w[4]; } gpr_words;

GPR_FN gpr_words gpr_philox (gpr_words c, u64 key)
{
  u32 low = (u32) key, high = (u32) (key >> 32);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int round = 0; round < 10; round++)
    {
      const u64 p = (u64) 0xD2511F53u * (u64) c.w[0], q = (u64) 0xCD9E8D57u * (u64) c.w[2];
      c.w[0] = (u32) (q >> 32) ^ c.w[1] ^ low;
      c.w[1] = (u32) q;
      c.w[2] = (u32) (p >> 32) ^ c.w[3] ^ high;
      c.w[3] = (u32) p;
      low += 0x9E3779B9u;
      high += 0xBB67AE85u;
    }
  return c;
}

/* A block of the stream: four words of 32 bits, or two of 64.  Of attempt 0; the others are for numbers that are drawn again.  */
GPR_FN gpr_words gpr_random_block (u64 seed, u64 block, u32 attempt)
{
  gpr_words c;
  c.w[0] = (u32) block;
  c.w[1] = (u32) (block >> 32);
  c.w[2] = attempt;
  c.w[3] = 0;
  return gpr_philox (c, seed);
}
GPR_FN u64 gpr_long_word (gpr_words b, int half) { return (u64) b.w[2 * half + 1] << 32 | b.w[2 * half]; }

GPR_FN f64 gpr_bits_f64 (u64 bits)
{
  union { u64 u; f64 f; } v;
  v.u = bits;
  return v.f;
}

/* ---- uniform ------------------------------------------------------------------------------ */

/* (k + 1/2) / 2^52 and (k + 1/2) / 2^23: above 0 and below 1, and with x also 1 - x.  */
GPR_FN f64 gpr_uniform_f64 (u64 word) { return gpr_bits_f64 (word >> 12 | 0x3FF0000000000000ull) - (1 - 0x1p-53); }
GPR_FN f32 gpr_uniform_f32 (u32 word)
{
  union { u32 u; f32 f; } v;
  v.u = word >> 9 | 0x3F800000u;
  return v.f - (1 - 0x1p-24f);
}

/* ---- exponential and normal ---------------------------------------------------------------- */

/* (m + 1/2) / 2^63 of the lower 63 bits, rounded, and below 1: fine near 0.  Vectors have no conversion of 64-bit integers.  */
GPR_FN f64 gpr_fine_uniform (u64 word)
{
  const f64 high = gpr_bits_f64 ((word >> 32 & 0x7FFFFFFF) | 0x4330000000000000ull) - 0x1p52;
  const f64 low = gpr_bits_f64 ((word & 0xFFFFFFFF) | 0x4330000000000000ull) - (0x1p52 - 0.5);
  const f64 u = (high * 0x1p32 + low) * 0x1p-63;
  return u < 1 ? u : 1 - 0x1p-53;
}

/* -log (u) of a normal u: u is 2^e m with m around 1, and log (m) is 2 atanh (s), s = (m - 1) / (m + 1), by its series.  */
GPR_FN f64 gpr_minus_log (f64 u)
{
  union { f64 f; u64 u; } v;
  v.f = u;
  v.u += 0x3FF0000000000000ull - 0x3FE6A09E667F3BCDull;         /* the second is sqrt (1/2) */
  const f64 e = gpr_bits_f64 (v.u >> 52 | 0x4330000000000000ull) - (0x1p52 + 1023);
  const f64 m = gpr_bits_f64 ((v.u & 0x000FFFFFFFFFFFFFull) + 0x3FE6A09E667F3BCDull);
  const f64 s = (m - 1) / (m + 1), x = s * s;
  f64 sum = 1 / 21.0;
  sum = sum * x + 1 / 19.0;
  sum = sum * x + 1 / 17.0;
  sum = sum * x + 1 / 15.0;
  sum = sum * x + 1 / 13.0;
  sum = sum * x + 1 / 11.0;
  sum = sum * x + 1 / 9.0;
  sum = sum * x + 1 / 7.0;
  sum = sum * x + 1 / 5.0;
  sum = sum * x + 1 / 3.0;
  return -(e * 0.69314718055994530942 + (2 * s + 2 * s * x * sum));
}
GPR_FN f64 gpr_exponential (u64 word) { return gpr_minus_log (gpr_fine_uniform (word)); }

/* The x > 0 that a normal number's magnitude exceeds with probability exp (-v): v R (sqrt (v)), where the rational function R is
   fitted up to v = 64 log (2), which x = 9.2 has, with relative errors below 3e-13.  No coefficient is negative, so that nothing cancels.  */
GPR_FN f64 gpr_normal_quantile (f64 v)
{
  const f64 t = sqrt (v);
  f64 p = 0.00808070272808884, q = 0.005713692990708325;
  p = p * t + 0.2398459276900132;
  p = p * t + 1.7877089839338096;
  p = p * t + 5.294145228612686;
  p = p * t + 9.560598687849815;
  p = p * t + 12.200719998124358;
  p = p * t + 11.2994552024214;
  p = p * t + 7.906615889161233;
  p = p * t + 3.675675576991913;
  p = p * t + 1.2533141373152146;
  q = q * t + 0.16963992694249294;
  q = q * t + 1.2781489496038263;
  q = q * t + 4.013395298865876;
  q = q * t + 8.096968902412609;
  q = q * t + 11.612621589697175;
  q = q * t + 12.710589575311008;
  q = q * t + 10.482042895139436;
  q = q * t + 6.808566756684128;
  q = q * t + 2.93276479328016;
  q = q * t + 1;
  return v * p / q;
}
/* The sign is the first bit, the magnitude is by inversion.  */
GPR_FN f64 gpr_normal (u64 word)
{
  union { f64 f; u64 u; } v;
  v.f = gpr_normal_quantile (gpr_exponential (word));
  v.u |= word & 0x8000000000000000ull;
  return v.f;
}

/* Of singles a word has 32 bits: the middle of those that 64 would refine it to.  */
GPR_FN u64 gpr_as_long_word (u32 word) { return (u64) word << 32 | 0x80000000u; }

GPR_FN f64 gpr_exponential_f64 (u64 word) { return gpr_exponential (word); }
GPR_FN f64 gpr_normal_f64 (u64 word) { return gpr_normal (word); }
GPR_FN f32 gpr_exponential_f32 (u32 word) { return (f32) gpr_exponential (gpr_as_long_word (word)); }
GPR_FN f32 gpr_normal_f32 (u32 word) { return (f32) gpr_normal (gpr_as_long_word (word)); }

/* ---- integers -------------------------------------------------------------------------------- */

/* 0 … range - 1, each as likely as the others: the upper half of word * range, drawn again where the lower half is one of the first
   2^64 mod range (Lemire: Fast random integer generation in an interval, 2019).  word is that half of the block.  */
GPR_FN u64 gpr_random_below (u64 range, u64 word, u64 seed, u64 block, int half)
{
  u128 p = (u128) word * range;
  if ((u64) p < range)
    {
      const u64 first = (0 - range) % range;
      for (u32 attempt = 1; (u64) p < first; attempt++)
        p = (u128) gpr_long_word (gpr_random_block (seed, block, attempt), half) * range;
    }
  return (u64) (p >> 64);
}

#endif
