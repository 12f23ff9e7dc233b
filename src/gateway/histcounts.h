/* gpu_histcounts and gpu_histcounts2: how bins are chosen.  */

#ifndef GPR_HISTCOUNTS_H
#define GPR_HISTCOUNTS_H

#include "bins.h"

typedef enum { GPR_METHOD_AUTO, GPR_METHOD_SCOTT, GPR_METHOD_FD, GPR_METHOD_INTEGERS, GPR_METHOD_STURGES, GPR_METHOD_SQRT,
               GPR_METHODS } gpr_bin_method;

/* The bins of one dimension as the arguments ask for them; all 0: as without any.  */
typedef struct {
  enum { GPR_BY_METHOD, GPR_BY_NUMBER, GPR_BY_WIDTH, GPR_BY_EDGES } by;
  gpr_bin_method method;
  double value;                     /* the number of bins, or their width */
  const mxArray *edges;             /* double or single */
  bool limited;
  double limits[2];
} gpr_bin_choice;

typedef enum { GPR_NORM_COUNT, GPR_NORM_PROBABILITY, GPR_NORM_PERCENTAGE, GPR_NORM_COUNTDENSITY, GPR_NORM_PDF, GPR_NORM_CUMCOUNT,
               GPR_NORM_CDF, GPR_NORMS } gpr_normalization;

/* What is known of the elements that bins are chosen for: the finite ones within the limits.  */
typedef struct {
  const mxArray *m;
  gpr_array x;                      /* what m is; NaN may stay */
  bool single, any;                 /* the class of the edges; is there an element? */
  double low, high;
} gpr_bin_data;

typedef struct {
  bool single;                      /* the class, and that of the comparison */
  int64_t count;
  double *at;
} gpr_edges;

/* ---- bin_choice.c ---- */
/* The choice changed by the option NAME, its value checked; a later one takes the place of an
   earlier one.  methods: how many of them there are.  */
void gpr_bin_option (const gpr_call *c, gpr_bin_choice *r, const char *name, const mxArray *value, int methods);
gpr_normalization gpr_take_normalization (const gpr_call *c, const mxArray *value);

/* ---- bin_data.c ---- */
/* limits NULL: all finite elements.  */
gpr_bin_data gpr_look_at (const gpr_call *c, const mxArray *m, const gpr_array *x, bool single, const double *limits);
/* Are there whole numbers only, and are bins for each from low to high few enough?  */
bool gpr_are_whole (const gpr_call *c, const gpr_bin_data *d, double low, double high);
/* The width by a published rule, not rounded.  */
double gpr_raw_width (const gpr_call *c, const gpr_bin_data *d, gpr_bin_method method, int root);

/* ---- bin_edges.c ---- */
/* At most so many bins of a given width, of "integers" and between limits, where the number was not
   given.  The widths of "scott" and "fd" go with the root-th root of the number of elements.  */
gpr_edges gpr_choose_edges (const gpr_call *c, const mxArray *m, const gpr_array *x, const gpr_bin_choice *r, double most, int root);

/* As Octave's functions: NaN only of two, and the second of two equal ones.  */
static inline double
gpr_larger (double x, double y)
{
  return isnan (y) || x > y ? x : y;
}

static inline double
gpr_smaller (double x, double y)
{
  return isnan (y) || x < y ? x : y;
}

#endif
