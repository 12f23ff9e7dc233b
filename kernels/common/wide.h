/* Arithmetic of integers wider than 64 bits, for C11 and CUDA C++.  */

#ifndef GPR_WIDE_H
#define GPR_WIDE_H

#include "scalars.h"

/* ---- to double, rounded once ------------------------------------------ */

GPR_FN f64 gpr_ldexp_u64 (u64 m, int e)    /* m * 2^e, m below 2^53 or a multiple that fits */
{
  return ldexp ((f64) m, e);
}

/* To nearest even: keeps the 64 leading bits, of which the last is set when anything
   below it was.  */
GPR_FN f64 gpr_u128_f64 (u128 x)
{
  u64 hi = (u64) (x >> 64), lo = (u64) x;
  int z = 0;
  if (hi == 0)
    return (f64) lo;
  while (! (hi >> 63)) { hi = hi << 1 | lo >> 63; lo <<= 1; z++; }
  return gpr_ldexp_u64 (hi | (lo != 0), 64 - z);
}
GPR_FN f64 gpr_i128_f64 (i128 x)
{
  return x < 0 ? -gpr_u128_f64 (-(u128) x) : gpr_u128_f64 ((u128) x);
}
GPR_FN f64 gpr_u192_f64 (u192 x)
{
  u128 top = (u128) x.w[2] << 64 | x.w[1];
  int z = 0;
  if (x.w[2] == 0)
    return gpr_u128_f64 ((u128) x.w[1] << 64 | x.w[0]);
  while (! (u64) (top >> 127)) { top = top << 1 | x.w[0] >> 63; x.w[0] <<= 1; z++; }
  return gpr_ldexp_u64 ((u64) (top >> 64) | ((u64) top != 0 || x.w[0] != 0), 128 - z);
}
GPR_FN void gpr_u192_add (u192 *a, u192 b)
{
  u128 t = (u128) a->w[0] + b.w[0];
  a->w[0] = (u64) t;
  t = (t >> 64) + a->w[1] + b.w[1];
  a->w[1] = (u64) t;
  a->w[2] += b.w[2] + (u64) (t >> 64);
}

/* ---- held to limits --------------------------------------------------- */

GPR_FN i64 gpr_clamp64 (i64 x, i64 lo, i64 hi) { return x < lo ? lo : x > hi ? hi : x; }
GPR_FN i128 gpr_clamp128 (i128 x, i128 lo, i128 hi) { return x < lo ? lo : x > hi ? hi : x; }

/* x * y, at most lim in magnitude, for |x|, |y| <= lim.  */
GPR_FN i128 gpr_mul_held (i128 x, i128 y, i128 lim)
{
  i128 ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
  if (ax == 0 || ay == 0)
    return 0;
  if (ax > lim / ay)
    return (x < 0) == (y < 0) ? lim : -lim;
  return x * y;
}

#endif
