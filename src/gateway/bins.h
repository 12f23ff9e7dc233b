/* Counting into bins, for the functions that make histograms.  */

#ifndef GPR_GATEWAY_BINS_H
#define GPR_GATEWAY_BINS_H

#include "request.h"

/* X is an mxArray, full, and what describes it; of one that waits to be computed, which it may do to the end, data is NULL.  */
typedef struct {
  const mxArray *m;
  gpr_array x;
  int dim;                          /* from 1; 0: all elements, which make one column of counts … */
  bool row;                         /* … or a row */
  bool to_host;                     /* the counts, also those of a gpuArray */
  bool want_places;                 /* the bin of each element */
  gpr_counting k;                   /* rule, class of the comparison, bins, edges, origin and step */
} gpr_binning;

/* ---- count.c ---- */
/* bin_of is set where places are wanted.  A DIM that x has not raises.  */
void gpr_mx_run_binning (const gpr_call *c, gpr_binning *b, mxArray **counts, mxArray **bin_of);

/* ---- bins.c ---- */
/* Is a real number, or many: not complex, not a cell …  */
bool gpr_mx_is_real (const gpr_call *c, const mxArray *m);
/* m, which is real, as a full array that *x describes; it may wait.  */
const mxArray *gpr_mx_full (const gpr_call *c, const mxArray *m, gpr_array *x);
/* What x, which describes m, waits for: x has no data then; NULL: nothing, and it has them, also where it waited before.  */
struct gpr_resident *gpr_mx_waiting (const gpr_call *c, const mxArray *m, gpr_array *x);
/* Now it waits no more.  */
void gpr_mx_settle (const gpr_call *c, const mxArray *m, gpr_array *x);
/* Its elements will be read so many times: where it waits, and to make them as often would take longer, it waits no more.  */
void gpr_mx_expect_readings (const gpr_call *c, const mxArray *m, gpr_array *x, int readings);
/* m, which is real and on the host, as full floats of that class.  */
const mxArray *gpr_mx_reals (const gpr_call *c, const mxArray *m, gpr_class class);
/* m, a full real array on the host, as one column in ascending order.  */
const mxArray *gpr_mx_sorted (const mxArray *m);
bool gpr_mx_is_sorted (const mxArray *m);
/* The least and the greatest element; NaN where all are.  Not of empty arrays.  */
void gpr_mx_extremes (const gpr_call *c, const mxArray *m, gpr_array *x, double *low, double *high);
/* Octave's warning, with the function's name in front.  */
void gpr_mx_warn (const gpr_call *c, const char *text);
/* Octave's functions for text refuse pages of chars in words of their own: of arguments from first on.  */
void gpr_mx_no_char_pages (const gpr_call *c, int first);

/* Memory of Octave's for n numbers.  */
static inline double *
gpr_mx_doubles (int64_t n)
{
  const gpr_array a = { .class = GPR_CLASS_double, .ndims = 2, .dims = { n, 1 } };
  void *data;
  gpr_mx_create (&a, &data);
  return data;
}

/* The distance from x, a number of the class, to the next of greater size.  */
static inline double
gpr_eps (bool single, double x)
{
  int e;
  if (! isfinite (x))
    return NAN;
  frexp (x, &e);
  return single ? fmax (ldexp (1, e - 24), 0x1p-149) : fmax (ldexp (1, e - 53), 0x1p-1074);
}

static inline bool
gpr_is_vector (const gpr_array *a)
{
  return a->ndims == 2 && (a->dims[0] == 1 || a->dims[1] == 1);
}

static inline bool
gpr_is_floating (gpr_class class)
{
  return class == GPR_CLASS_double || class == GPR_CLASS_single;
}

#endif
