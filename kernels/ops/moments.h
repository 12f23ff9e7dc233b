/* Variances and standard deviations, by count, mean and sum of the squared distances to the mean.

   A lane takes distances to its own first element, since one of the elements is about as
   far from the others as they are from each other: what cancels in the end is at most the lane's
   length times the rounding of the result.  Before the lanes of a part merge, all take
   distances to one number, which is near the first lane's mean; then they only add.  The mean of
   one of L lanes is off the mean of all by so little that again what cancels is at
   most L times the rounding.  Parts merge by Chan, Golub and LeVeque (1979).  Singles are
   taken as doubles.  */

#ifndef GPR_MOMENTS_H
#define GPR_MOMENTS_H

#include "traits.h"

/* *at <- *at + d; returns what rounding took from it.  */
GPR_FN f64 gpr_moments_shift (f64 *at, f64 d)
{
  f64 s = *at + d, t = s - *at, lost = (*at - (s - t)) + (d - t);
  *at = s;
  return lost;
}
/* Division by counts.  A GPU divides slowly, and most counts are powers of two: then the
   product with the inverse has the same bits.  */
#ifdef __CUDA_ARCH__
GPR_FN int gpr_is_power (f64 n)
{
  union { f64 f; u64 u; } v;
  v.f = n;
  return ! (v.u << 12);
}
GPR_FN f64 gpr_by_power (f64 x, f64 n)
{
  union { f64 f; u64 u; } v;
  v.f = n;
  v.u = (2046ull << 52) - v.u;
  return x * v.f;
}
#endif
/* q[i] <- x[i] / n[i], three at once, so that there is one branch and not three.  */
GPR_FN void gpr_by_counts (f64 *q, const f64 *x, const f64 *n)
{
#ifdef __CUDA_ARCH__
  if (gpr_is_power (n[0]) & gpr_is_power (n[1]) & gpr_is_power (n[2]))
    {
      q[0] = gpr_by_power (x[0], n[0]);
      q[1] = gpr_by_power (x[1], n[1]);
      q[2] = gpr_by_power (x[2], n[2]);
      return;
    }
#endif
  q[0] = x[0] / n[0];
  q[1] = x[1] / n[1];
  q[2] = x[2] / n[2];
}
/* Moves at to the mean; d is sum / n, and n is above 0.  squares are then of the distances to
   the mean, sum is what at lost by rounding.  */
GPR_FN void gpr_moments_center (moments *a, f64 d)
{
  f64 q = a->squares - a->sum * d;
  a->sum = gpr_moments_shift (&a->at, d);
  a->squares = q < 0 ? 0 : q;
}
/* x's sign, exponent and 6 bits.  Distances between whole numbers then stay so short that their
   squares are exact: of small whole numbers in one part only the finish rounds.  */
GPR_FN f64 gpr_moments_short (f64 x)
{
  union { f64 f; u64 u; } v;
  v.f = x;
  v.u &= ~((1ull << 46) - 1);
  return v.f;
}
/* a takes distances to a number near first's mean.  0 where first has no element.  */
GPR_FN int gpr_moments_lead (moments *a, moments first)
{
  const f64 to = first.at + gpr_moments_short (first.sum * (f64) (1.0f / (f32) first.n)), d = a->at - to, by = a->n * d;
  const int empty = a->n == 0, led = first.n != 0;
  const f64 squares = a->squares + d * (2 * a->sum + by), sum = a->sum + by;
  a->at = led ? to : a->at;
  a->sum = led & ! empty ? sum : a->sum;
  a->squares = led & ! empty ? squares : a->squares;
  return led;
}
GPR_FN int gpr_moments_joins (const moments *a, const moments *b)
{
  return a->at == b->at;
}
GPR_FN void gpr_moments_join (moments *a, moments b)
{
  a->n = a->n + b.n;
  a->sum = a->sum + b.sum;
  a->squares = a->squares + b.squares;
}
/* By conditional moves only, so that loops of it vectorise.  */
GPR_FN void gpr_moments_merge (moments *a, moments b)
{
  const moments first = *a, second = b;
#ifdef __CUDA_ARCH__
  if (gpr_moments_joins (a, &b))
    {
      gpr_moments_join (a, b);
      return;
    }
#endif
  const int joins = gpr_moments_joins (a, &b);
  moments joined = *a;
  gpr_moments_join (&joined, b);
  f64 n = a->n + b.n, d, part, lost, q[3], x[3], by[3];
  int none = first.n == 0, stays = second.n == 0;
  x[0] = a->sum; x[1] = b.sum; x[2] = b.n;
  by[0] = a->n; by[1] = b.n; by[2] = n;
  gpr_by_counts (q, x, by);
  gpr_moments_center (a, q[0]);
  gpr_moments_center (&b, q[1]);
  part = q[2];
  d = (b.at - a->at) + (b.sum - a->sum);
  lost = gpr_moments_shift (&a->at, d * part + a->sum);
  a->sum = n * lost;            /* of distances to at again */
  a->squares = a->squares + b.squares + d * d * (a->n * part) + a->sum * lost;
  a->n = n;
  a->at = joins | stays ? first.at : none ? second.at : a->at;
  a->sum = joins ? joined.sum : stays ? first.sum : none ? second.sum : a->sum;
  a->squares = joins ? joined.squares : stays ? first.squares : none ? second.squares : a->squares;
}
GPR_FN void gpr_moments_step (moments *a, f64 v, int skip)
{
  f64 at = a->n == 0 ? v : a->at, d = v - at;
  a->at = skip ? a->at : at;
  a->n = skip ? a->n : a->n + 1;
  a->sum = skip ? a->sum : a->sum + d;
  a->squares = skip ? a->squares : a->squares + d * d;
}
/* count steps, one after the other, of elements that are not skipped.  */
GPR_FN void gpr_moments_run (moments *a, const f64 *v, int count)
{
  int i;
  f64 at = a->n == 0 ? v[0] : a->at;
  a->at = at;
  a->n = a->n + count;
  for (i = 0; i < count; i++)
    {
      f64 d = v[i] - at;
      a->sum = a->sum + d;
      a->squares = a->squares + d * d;
    }
}

/* What a variance divides by, and whether its root is taken: the divisor of id_finish.  */
enum { GPR_SPREAD_BY_N = 1, GPR_SPREAD_ROOT = 2 };
/* Of one element 0; of none NaN.  Infinite where it is not finite, for the fix-up to look at.  */
GPR_FN f64 gpr_spread (f64 n, f64 squares, f64 how)
{
  int by_n = ((int) how & GPR_SPREAD_BY_N) != 0;
  f64 v = n <= 1 ? squares : squares / (n - 1 + by_n);
  v = (int) how & GPR_SPREAD_ROOT ? sqrt (v) : v;
  return n == 0 ? gpr_make_nan () : v <= DBL_MAX ? v : HUGE_VAL;
}

#define GPR_MOMENTS_OF(id, X, SKIP, Y) \
  GPR_TYPES (id, X, moments, Y) \
  GPR_INIT (id, 0, 0, 0, 0) \
  GPR_STEP (id, gpr_moments_step (a, x, SKIP)) \
  GPR_MERGE_LED (id, gpr_moments_lead (a, first), gpr_moments_joins (a, b), gpr_moments_join (a, b), gpr_moments_merge (a, b)) \
  GPR_FINISH (id, \
    if (a.n > 0) gpr_moments_center (&a, a.sum / a.n); \
    *y = (id##_y) gpr_spread (a.n, a.squares, d); \
    return ! (*y <= DBL_MAX))
#define GPR_TRAITS_MOMENTS (GPR_FIXUP_SPREAD | GPR_COMMON)
#define GPR_DEF_MOMENTS(id, X, A, Y) GPR_MOMENTS_OF (id, X, 0, Y)
#define GPR_TRAITS_MOMENTSOMIT (GPR_FIXUP_SPREAD | GPR_OMITS_NAN | GPR_COMMON)
#define GPR_DEF_MOMENTSOMIT(id, X, A, Y) GPR_MOMENTS_OF (id, X, x != x, Y)

/* Real and imaginary parts apart; their squares are added.  */
#define GPR_COMPLEX_MOMENTS_OF(id, X, SKIP, Y) \
  GPR_TYPES (id, X, cmoments, Y) \
  GPR_INIT (id, {0, 0, 0, 0}, {0, 0, 0, 0}) \
  GPR_STEP (id, int skip = SKIP; gpr_moments_step (&a->re, x.re, skip); gpr_moments_step (&a->im, x.im, skip)) \
  GPR_MERGE_LED (id, \
    gpr_moments_lead (&a->re, first.re) & gpr_moments_lead (&a->im, first.im), \
    gpr_moments_joins (&a->re, &b->re) & gpr_moments_joins (&a->im, &b->im), \
    gpr_moments_join (&a->re, b.re); gpr_moments_join (&a->im, b.im), \
    gpr_moments_merge (&a->re, b.re); gpr_moments_merge (&a->im, b.im)) \
  GPR_FINISH (id, \
    if (a.re.n > 0) { gpr_moments_center (&a.re, a.re.sum / a.re.n); gpr_moments_center (&a.im, a.im.sum / a.im.n); } \
    *y = (id##_y) gpr_spread (a.re.n, a.re.squares + a.im.squares, d); \
    return ! (*y <= DBL_MAX))
#define GPR_TRAITS_CMOMENTS (GPR_FIXUP_SPREAD | GPR_HEAVY)
#define GPR_DEF_CMOMENTS(id, X, A, Y) GPR_COMPLEX_MOMENTS_OF (id, X, 0, Y)
#define GPR_TRAITS_CMOMENTSOMIT (GPR_FIXUP_SPREAD | GPR_OMITS_NAN | GPR_HEAVY)
#define GPR_DEF_CMOMENTSOMIT(id, X, A, Y) GPR_COMPLEX_MOMENTS_OF (id, X, gpr_nan_##X (x), Y)

#endif
