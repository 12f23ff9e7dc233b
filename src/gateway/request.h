/* What a call of an operator asks for, whichever way it was spelled.  */

#ifndef GPR_REQUEST_H
#define GPR_REQUEST_H

#include "mx.h"
#include "../core/finish.h"
#include "../core/values.h"
#include "../ladder/variant.h"

typedef struct {
  gpr_op op;
  const mxArray *x, *y;             /* y: a second factor, of x's class and sizes; or NULL */
  enum { GPR_DIM_DEFAULT, GPR_DIM_LIST, GPR_DIM_ALL } which;
  int ndims;                        /* of GPR_DIM_LIST: sorted, without repeats */
  int64_t dims[GPR_MAX_DIMS];
  gpr_outtype outtype;
  bool exact;                       /* sums and dot products: rounded once; of integers they are anyway */
  enum { GPR_NAN_DEFAULT, GPR_NAN_OMIT, GPR_NAN_INCLUDE } nan;
  int normalization;                /* of variances */
  gpr_variant_call variant;         /* name NULL: the engine */
} gpr_request;

static inline bool
gpr_several_dims (const gpr_request *q)
{
  return q->which == GPR_DIM_ALL || (q->which == GPR_DIM_LIST && q->ndims > 1);
}

/* ---- arguments.c ---- */
/* Takes the call apart by the row's argument style (of those that several operators
   have).  False: the built-in shall answer.  */
bool gpr_take_arguments (const gpr_call *c, gpr_request *q);
/* Takes nanflags off the call; more than one is an error.  */
void gpr_take_nanflag (gpr_call *c, gpr_request *q);
/* Takes "exact" off the call.  */
void gpr_take_exact (gpr_call *c, gpr_request *q);
bool gpr_take_dims (const gpr_call *c, const mxArray *m, gpr_request *q);
bool gpr_take_outtype (const gpr_operator *o, const mxArray *m, gpr_outtype *out);
bool gpr_is_exactly (const mxArray *m, const char *name);
/* The first dimension that is not 1 (longer than 1 where long_dim), from 0; or 0.  */
int gpr_default_dim (const gpr_array *a, bool long_dim);
/* The same call in the built-in's argument order, should it be asked; without options that it
   does not take.  */
void gpr_in_builtin_order (gpr_call *c, const gpr_request *q);
/* Is the call the built-in's to answer: with an X that is empty, whose shapes differ between
   releases, or sparse (ours: with options that the built-in may not know), or of a class that it refuses.  */
bool gpr_is_builtins (const gpr_call *c, const gpr_operator *o, bool ours);

/* ---- convert.c ---- */
/* m as an array of that class, converted as Octave does if need be; *a, which describes m, then
   describes what comes of it.  */
const mxArray *gpr_mx_converted (const gpr_call *c, const mxArray *m, gpr_class class, bool complex, gpr_array *a);

/* ---- rules.c ---- */
/* Has the running Octave this rule?  */
bool gpr_rule_holds (gpr_rule rule);

/* ---- engines ---- */
void gpr_run_operator (gpr_call *c, gpr_op op);        /* by its row; c's arguments as the built-in's */
void gpr_run_by_arguments (gpr_call *c, gpr_request *q);       /* of engines reduce and order */
void gpr_run_reduction (gpr_call *c, gpr_request *q);
/* name (X) or name (X, DIM), DIM 0: the default one, of a gpuArray, or gpu_reduce (X, name, ...), as reduce of core/values.h: no call of Octave's.  */
gpr_status gpr_reduce_usual (const char *name, gpr_usual how, struct gpr_resident *x, int64_t dim, double *id, gpr_array *number);
/* The same of cumulative functions, with so many outputs; 0: not done here.  */
gpr_status gpr_scan_usual (const char *name, int outputs, struct gpr_resident *x, int64_t dim, double ids[2]);
void gpr_run_variance (gpr_call *c, gpr_request *q);
void gpr_run_order (gpr_call *c, gpr_request *q);
void gpr_run_scan (gpr_call *c, gpr_request *q);
void gpr_run_max_and_min (gpr_call *c, gpr_request *q);
void gpr_run_norm (gpr_call *c, gpr_request *q);
/* By the chosen backend, of x wherever it lies.  */
struct gpr_selection;
gpr_status gpr_select_on (const gpr_choice *choice, const gpr_array *x, struct gpr_selection *p);

/* One built-in's result.  */
static inline mxArray *
gpr_mx_call (const char *name, int nin, const mxArray *a, const mxArray *b)
{
  mxArray *out[1] = { NULL }, *in[2] = { (mxArray *) a, (mxArray *) b };
  mexCallMATLAB (1, out, nin, in, name);
  return out[0];
}

#endif
