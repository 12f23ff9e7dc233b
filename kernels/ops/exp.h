/* exp of doubles without a branch, for C11 and CUDA C++: several of a thread are computed side by side, which CUDA's own, with its branch for results near the
   limits, are not.

   x = n log (2) + z (Cody and Waite, Software Manual for the Elementary Functions, 1980, chapter 6), exp (x) = 2^n p (z), p (z) = 1 + z + z^2 q (z); q interpolates
   (exp (z) - 1 - z) / z^2 at the eleven Chebyshev points of +-1.0001 log (2) / 2, so that p is within 2^-61 of exp.  The result is within 0.88 units in the last place
   (tests/unit/exp_test.c).  */

#ifndef GPR_OPS_EXP_H
#define GPR_OPS_EXP_H

#include "../common/limits.h"

/* p (z), and n: of |x| below 2^31.  */
GPR_FN f64 gpr_exp_parts_f64 (f64 x, int *n)
{
  const f64 magic = 0x1.8p52;           /* whose last bits are a whole number's */
  union { f64 f; u64 u; } v;

  v.f = fma (x, 0x1.71547652b82fep+0, magic);
  *n = (int) (u32) v.u;
  const f64 t = v.f - magic, z = fma (t, -0x1.abc9e3b39803fp-56, fma (t, -0x1.62e42fefa39efp-1, x)), zz = z * z;
  /* The even and the odd coefficients, side by side.  */
  f64 even = 0x1.1f730349868cep-29, odd = 0x1.af4de97ca4194p-26;
  even = fma (even, zz, 0x1.27e4db646b17ep-22);
  odd = fma (odd, zz, 0x1.71de0231960ebp-19);
  even = fma (even, zz, 0x1.a01a01a6d889cp-16);
  odd = fma (odd, zz, 0x1.a01a01abe7fe1p-13);
  even = fma (even, zz, 0x1.6c16c16c162d4p-10);
  odd = fma (odd, zz, 0x1.11111111100dcp-7);
  even = fma (even, zz, 0x1.5555555555556p-5);
  odd = fma (odd, zz, 0x1.5555555555557p-3);
  even = fma (even, zz, 0.5);
  return fma (fma (fma (odd, z, even), z, 1.0), z, 1.0);
}

/* Of any x.  Scaled in two steps: a result below the normal numbers is rounded once, one beyond them is Inf.  */
GPR_FN f64 gpr_exp_f64 (f64 x)
{
  union { f64 f; u64 u; } low, high;
  int n;
  /* Beyond all results but Inf and 0; NaN stays.  */
  const f64 p = gpr_exp_parts_f64 (x > 1024 ? 1024 : x < -1100 ? -1100 : x, &n);
  const int half = n >> 1;
  low.u = (u64) (u32) (half + 1023) << 52;
  high.u = (u64) (u32) (n - half + 1023) << 52;
  return p * low.f * high.f;
}

/* The same of |x| up to GPR_EXP_NEAR, where the result is a normal number, in fewer instructions.  */
#define GPR_EXP_NEAR 708
GPR_FN f64 gpr_exp_near_f64 (f64 x)
{
  union { f64 f; u64 u; } v;
  int n;
  v.f = gpr_exp_parts_f64 (x, &n);
  v.u += (u64) (u32) n << 52;
  return v.f;
}

#endif
