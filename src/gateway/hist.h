/* gpu_hist: its bins.  */

#ifndef GPR_HIST_H
#define GPR_HIST_H

#include "bins.h"

typedef struct {
  gpr_binning b;
  int64_t bins;
  double *centers;              /* values of class single where single is set */
  bool single;
  bool even;                    /* values may be divided by the distance of the centers */
} gpr_histogram;

/* One operation's result in the class of the centers: of floats, computed in double, it is that in single.  */
static inline double
gpr_rounded (const gpr_histogram *h, double v)
{
  return h->single ? (double) (float) v : v;
}

/* ---- hist_centers.c ---- */
/* The centers: n of equal distance over the finite elements; by the argument X or NBINS.  */
void gpr_make_centers (const gpr_call *c, gpr_histogram *h, int64_t n);
void gpr_take_centers (const gpr_call *c, gpr_histogram *h, const mxArray *m);
/* As an array of their class, a row or a column as the counts.  */
mxArray *gpr_centers (const gpr_histogram *h);

#endif
