/* Sums of doubles of any exponents: a 64-bit sum of mantissas for each sign and exponent, which goes to
   a long sum before it overflows (the large superaccumulator of Neal, Fast exact summation using small
   and large superaccumulators, 2015).  For numbers of many sizes: for others expansions are faster.  */

#ifndef GPR_EXPONENTS_H
#define GPR_EXPONENTS_H

#include <string.h>

#include "../../kernels/ops/exact.h"

enum { GPR_EXPONENTS = 1 << 12 };
typedef struct { uint64_t sum[GPR_EXPONENTS]; } gpr_exponents;

static inline void
gpr_exponents_pour (gpr_exponents *t, int at, gpr_long_sum *to)
{
  gpr_long_pour (to, t->sum[at], (at & 2047) + GPR_LONG_OF_DOUBLES, at >> 11);
  t->sum[at] = 0;
}

/* Number i counts into table and long sum i % columns, 1 or 2.  */
static inline void
gpr_exponents_add (gpr_exponents *t, int columns, const double *x, int n, gpr_long_sum *const to[])
{
  const uint64_t hidden = (uint64_t) 1 << 52;

  for (int i = 0; i < n; i++)
    {
      const uint64_t u = gpr_bits_f64 (x[i]);
      const int at = (int) (u >> 52), column = i & (columns - 1);
      if (__builtin_expect (((at - 1) & 2047) >= 2046, 0))      /* zeros, denormal numbers; Inf, NaN */
        {
          gpr_long_add (to[column], x[i]);
          continue;
        }
      const uint64_t sum = t[column].sum[at] += (u & (hidden - 1)) | hidden;
      if (__builtin_expect (sum >> 63, 0))
        gpr_exponents_pour (&t[column], at, to[column]);
    }
}

static inline void
gpr_exponents_finish (gpr_exponents *t, gpr_long_sum *to)
{
  for (int at = 0; at < GPR_EXPONENTS; at++)
    if (t->sum[at] != 0)
      gpr_exponents_pour (t, at, to);
}

#endif
