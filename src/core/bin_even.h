/* Cuts (bin_cuts.h) that lie evenly: where a number belongs is estimated, on the CPU and by the GPU's kernels.

   The estimate of x is (x - low) * scale, in the type in which numbers are compared; it never decreases as x grows.  That of finite cut k
   is about k.  Where it is no nearer than near to a whole number, so many whole numbers from 0 on are at or below it as cuts are at or below
   x; nearer, x is compared with the cut of that number.  */

#ifndef GPR_BIN_EVEN_H
#define GPR_BIN_EVEN_H

#include "bin_cuts.h"

typedef struct { double low, scale, near; } gpr_even;   /* near is negative where no number is on the wrong side */

/* Estimates do not overflow.  */
static inline bool
gpr_is_scale (bool single, double scale)
{
  return single ? scale >= 0x1p-100 && scale <= 0x1p100 : scale >= 0x1p-900 && scale <= 0x1p900;
}

/* The power of two not below x, but for the least ones.  */
static inline double
gpr_power_above (double x)
{
  double p = 0x1p-20;
  while (p < x)
    p *= 2;
  return p;
}

/* How far from k the estimate of finite cut k, the first or one after it, is, and that of the number before it (whole: integer), where they
   are on the wrong side; negative where none is.  Integers are compared as such and estimated in single precision.  */
static inline double
gpr_wrong_by (const gpr_even *e, enum gpr_elem compared, bool whole, const double *cuts, int64_t first, int64_t count)
{
  double most = -1;
#define GPR_WRONG_BY(held, real) \
  { \
    const held low = (held) e->low; \
    const real scale = (real) e->scale; \
    real wrong = -1; \
    for (int64_t k = first; k < count; k++) \
      { \
        held cut = (held) cuts[k], below = whole ? cut - 1 : gpr_before_##held (cut); \
        real from = k - (real) (cut - low) * scale, past = (real) (below - low) * scale - k; \
        wrong = from > 0 && from > wrong ? from : wrong; \
        wrong = past >= 0 && past > wrong ? past : wrong; \
      } \
    most = wrong; \
  }
  if (compared == GPR_f32)
    GPR_WRONG_BY (float, float)
  else if (compared == GPR_f64)
    GPR_WRONG_BY (double, double)
  else
    GPR_WRONG_BY (double, float)
#undef GPR_WRONG_BY
  return most;
}

/* cuts: so many finite ones.  first: those before it are not told apart by estimates.  False: they are not even.  */
static inline bool
gpr_find_even (gpr_even *e, enum gpr_elem compared, bool whole, const double *cuts, int64_t first, int64_t count)
{
  const bool single = compared != GPR_f64;

  e->near = 1;
  e->low = count > 0 ? cuts[0] : 0;
  e->scale = count > 1 ? (count - 1) / (cuts[count - 1] - cuts[0]) : 1;
  if (single)
    e->scale = (float) e->scale;
  if (! gpr_is_scale (single, e->scale))
    return false;
  e->near = gpr_wrong_by (e, compared, whole, cuts, first, count);
  if (e->near >= 0)
    e->near = gpr_power_above (e->near);
  return e->near <= 0.125;
}

#endif
