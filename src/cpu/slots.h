/* Which bin a number belongs to.

   Every rule but "spaced" is a step function of x: sorted cuts, and the slot of x is the number of cuts at or below it.  Slot 0 counts
   nowhere, slot k is bin k-1.  Among even cuts it is estimated (core/bin_even.h).  Among others the range is divided into equal buckets, start
   says how many cuts lie in the buckets before x's own, and as many comparisons as the fullest bucket needs fix up the rest.  x and the cuts
   get their bucket from the same rounded expression, which never decreases as x grows; so a cut in a lower bucket is below x and one in a
   higher bucket is above it, whatever the rounding.  */

#ifndef GPR_CPU_SLOTS_H
#define GPR_CPU_SLOTS_H

#include "../core/gpr.h"

enum { GPR_CPU_SLOTS_AT_ONCE = 512 };   /* at most: in L1 */

typedef struct gpr_cpu_search {
  enum { GPR_CPU_SPACED, GPR_CPU_AMONG_BUCKETS, GPR_CPU_AMONG_EVEN } how;
  bool single_precision;        /* numbers are rounded to it first */
  int64_t slots;                /* bins + 1 */
  double *cuts;                 /* ascending; then NaN, which no x reaches */
  int32_t *start;               /* of a bucket: cuts before it */
  double low, scale;            /* bucket = (x - low) * scale, held to 0 … last; of spaced: origin, step */
  double last, near;
  int32_t before, inside, after;        /* even: cuts of -Inf; finite ones; of Inf */
  int width;                    /* of the first comparison in a bucket; 0: none */
  double top;                   /* x above it counts nowhere */
} gpr_cpu_search;

static inline int32_t
gpr_cpu_bucket_of (const gpr_cpu_search *p, double x)
{
  double q = (x - p->low) * p->scale;
  q = q > 0 ? q : 0;
  return (int32_t) (q < p->last ? q : p->last);
}

#endif
