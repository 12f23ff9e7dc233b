/* What values.c calls: resident arrays by themselves, without names.  */

#ifndef GPR_GATEWAY_VALUES_H
#define GPR_GATEWAY_VALUES_H

#include "../core/array.h"
#include "../core/values.h"

/* An array as one that lies on one device; what is on several, by a copy, which is given back.  GPR_UNSUPPORTED: that does not fit, and Octave does it on the host.  */
typedef struct {
  const gpr_array *a;           /* to be used */
  const gpr_array *whole;       /* of which it is a copy ... */
  int64_t first;                /* ... from this element on */
  gpr_array copy;
  bool own;
} gpr_one_place;
gpr_status gpr_take_one_place (double id, gpr_one_place *p);
/* As many of them as a view needs, on that device (0: the first); and what was changed there goes back.  */
gpr_status gpr_take_view (double id, const gpr_value_view *view, int device, gpr_one_place *p);
gpr_status gpr_put_view (const gpr_one_place *p);
void gpr_give_one_place (gpr_one_place *p);
/* A copy of the view of what p has, for kept; GPR_UNSUPPORTED: it is Octave's.  */
gpr_status gpr_value_copy (const gpr_one_place *p, const gpr_value_view *view, gpr_array *z);
/* The elements of p that m assigns to; and what does not wait to be computed to there: b, or (NULL) a number, of that class.  */
void gpr_value_to_place (gpr_mapping *m, const gpr_one_place *p, const gpr_value_view *view);
gpr_status gpr_value_place (const gpr_array *a, const gpr_array *b, gpr_class value, gpr_mapping *m, gpr_map_step *step);
/* By Octave's rule of assignment the array keeps its class, or it is not done here.  */
bool gpr_value_keeps_class (gpr_class array, gpr_class value);

/* As spread: memory for z, with what data has.  */
gpr_status gpr_value_spread (gpr_array *z, const void *data, const char *devices, const double *numbers, int count, bool *several);

extern const gpr_values_table gpr_values;
/* The array whose value is being made, once (handles.c).  */
double gpr_value_claim (void);
/* Those of the next call (handles.c).  */
bool gpr_value_promise (bool on);
double gpr_value_promised (int result);
extern const char *const gpr_value_lost;        /* what an error says of an array that is gone */

/* As gather, scatter, find and sort of core/values.h (lists.c); z->data stays NULL where it is not done here.  Of scatter, b is resident
   or one double, a number of b's class, on the host.  */
gpr_status gpr_value_gather (const gpr_array *a, const gpr_value_selection *s, gpr_array *z);
gpr_status gpr_value_scatter (const gpr_array *a, const gpr_value_selection *s, const gpr_array *b, bool *done);
gpr_status gpr_value_find (const gpr_array *a, int64_t most, bool last, gpr_array *z);
gpr_status gpr_value_sort (const gpr_array *a, int dim, bool down, gpr_array *z, gpr_array *index);
/* Octave makes a complex result real where all its imaginary parts are 0, as of the second they are known to be.  */
gpr_status gpr_value_narrow (gpr_array *z);
gpr_status gpr_value_real (gpr_array *z);

/* z <- a, real or complex, of another class, beside it: the caller's to release.  NULL data if that fails.  */
gpr_status gpr_value_convert (const gpr_array *a, gpr_class class, gpr_array *z);

/* As map (complex.c), of one or two operands, a complex array among them; one without a home is a number, one double on the host.
   z->data stays NULL where it is Octave's.  */
gpr_status gpr_value_complex (const char *operation, const gpr_array *const *x, int count, gpr_array *z);

/* As fill and generate (generate.c), of memory that z has.  */
gpr_status gpr_value_fill (const gpr_array *z, double number, bool diagonal);
gpr_status gpr_value_generate (const char *name, const gpr_array *z, const double *numbers);

/* As linear and fourier (linear.c); GPR_UNSUPPORTED: the problem is Octave's.  */
gpr_status gpr_value_linear (gpr_linear_task *task, const gpr_array *const *given, int count, gpr_array *results);
gpr_status gpr_value_fourier (const gpr_fourier_task *task, const gpr_array *x, gpr_array *z);

#endif
