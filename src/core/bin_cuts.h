/* Edges as cuts: the sorted numbers in which both the CPU's counting and the GPU's look for an
   element.  */

#ifndef GPR_BIN_CUTS_H
#define GPR_BIN_CUTS_H

#include <float.h>
#include <math.h>

#include "gpr.h"

/* The next smaller number of the type in which elements are compared, as nextafter, which takes
   longer.  x is neither NaN nor -Inf.  */
#define GPR_DEFINE_BEFORE(real, bits, least) \
  static inline real \
  gpr_before_##real (real x) \
  { \
    union { real x; bits i; } v = { x }; \
    v.i += x > 0 ? -1 : 1; \
    return x == 0 ? -least : v.x; \
  }
GPR_DEFINE_BEFORE (float, int32_t, 0x1p-149f)
GPR_DEFINE_BEFORE (double, int64_t, 0x1p-1074)

static inline double
gpr_before (bool single, double x)
{
  return single ? gpr_before_float ((float) x) : gpr_before_double (x);
}

/* The next larger one.  */
static inline double
gpr_after (bool single, double x)
{
  return x == -INFINITY ? (single ? -FLT_MAX : -DBL_MAX) : -gpr_before (single, -x);
}

static inline double
gpr_edge (const gpr_counting *c, int64_t k)
{
  return c->single_precision ? ((const float *) c->edges)[k] : ((const double *) c->edges)[k];
}

/* Makes the cuts, ascending, of any rule but GPR_BIN_SPACED, and returns their number.  The bin
   of x is the number of cuts at or below it, less one; an x above top is not counted.  NaN among the
   edges come last, as sort puts them; no x reaches them.  */
static inline int64_t
gpr_make_cuts (const gpr_counting *c, double *cuts, double *top)
{
  const int64_t given = gpr_edge_count (c->rule, c->bins);
  int64_t real = given, count = 0;

  while (real > 0 && isnan (gpr_edge (c, real - 1)))
    real--;
  if (c->rule == GPR_BIN_CUTS)
    {
      *top = INFINITY;
      cuts[count++] = -INFINITY;
      for (int64_t k = 0; k < real && gpr_edge (c, k) < INFINITY; k++)
        cuts[count++] = gpr_after (c->single_precision, gpr_edge (c, k));
      return count;
    }
  double last = real > 0 ? gpr_edge (c, real - 1) : NAN;
  *top = real == given ? last : last > -INFINITY ? gpr_before (c->single_precision, last) : NAN;
  for (int64_t k = 0; k < real && k < c->bins; k++)
    cuts[count++] = gpr_edge (c, k);
  return count;
}

#endif
