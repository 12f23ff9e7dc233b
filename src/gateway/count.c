/* "count": the histogram behind gpu_histc, gpu_hist and "histogram".  */

#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "mx.h"

enum { CALLER, X, DIM, RULE, EDGES, BINS, ORIGIN, STEP, SINGLE, DEVICE, ARGUMENTS };

static gpr_bin_rule
rule_of (const gpr_call *c, const mxArray *m)
{
  static const char *const names[] = { [GPR_BIN_EDGES] = "edges", [GPR_BIN_CUTS] = "cuts",
                                       [GPR_BIN_SPACED] = "spaced", [GPR_BIN_CLOSED] = "closed" };
  for (int i = 0; i < 4; i++)
    if (gpr_mx_option (m, names[i]))
      return i;
  gpr_mx_invalid (c, "unknown rule for bins");
}

/* What the arguments ask for; k has the edges where they are on the host.  */
static void
take_arguments (gpr_call *c, gpr_array *x, gpr_counting *k)
{
  gpr_array edges = { 0 };

  if (c->nrhs != ARGUMENTS || ! gpr_mx_text (c->rhs[CALLER], c->caller, sizeof c->caller))
    gpr_mx_invalid (c, "count takes %d arguments", ARGUMENTS);
  if (! gpr_mx_array (c, c->rhs[X], x) || x->complex)
    gpr_mx_invalid (c, "X must be a real, full array");
  if (! gpr_mx_count (c->rhs[BINS], &k->bins))
    gpr_mx_invalid (c, "the number of bins must be a positive integer");
  if (! mxIsEmpty (c->rhs[DEVICE]))
    gpr_mx_device (c, c->rhs[DEVICE], &c->device);
  k->elem = gpr_array_elem (x);
  k->rule = rule_of (c, c->rhs[RULE]);
  k->single_precision = mxGetScalar (c->rhs[SINGLE]) != 0;
  k->origin = mxGetScalar (c->rhs[ORIGIN]);
  k->step = mxGetScalar (c->rhs[STEP]);
  int64_t needed = k->rule == GPR_BIN_EDGES ? k->bins : k->rule == GPR_BIN_CUTS ? k->bins - 1
                   : k->rule == GPR_BIN_CLOSED ? k->bins + 1 : 0;
  if (needed > 0 && (! gpr_mx_array (c, c->rhs[EDGES], &edges) || edges.complex || edges.home
                     || edges.class != (k->single_precision ? GPR_CLASS_single : GPR_CLASS_double)
                     || gpr_array_numel (&edges) != needed))
    gpr_mx_invalid (c, "EDGES must be %lld values of the class of the comparison", (long long) needed);
  k->edges = edges.data;
}

/* The sizes of the counts.  DIM 0: everything into one column of bins.  */
static gpr_array
shape_of (const gpr_call *c, const gpr_array *x, gpr_counting *k)
{
  const double dim = mxGetScalar (c->rhs[DIM]);
  gpr_array n = { .ndims = 2, .dims = { k->bins, 1 } };

  k->inner = k->outer = 1;
  k->length = gpr_array_numel (x);
  if (dim > 0)
    {
      if (! (dim >= 1 && dim <= x->ndims && dim == floor (dim)))
        gpr_mx_invalid (c, "DIM must be an integer and a valid dimension");
      int at = (int) dim - 1;
      n = (gpr_array) { .ndims = x->ndims };
      memcpy (n.dims, x->dims, sizeof n.dims);
      n.dims[at] = k->bins;
      gpr_array_trim (&n);
      k->length = x->dims[at];
      for (int d = 0; d < x->ndims; d++)
        *(d < at ? &k->inner : &k->outer) *= d == at ? 1 : x->dims[d];
    }
  n.class = GPR_CLASS_double;
  return n;
}

void
gpr_mx_count_bins (gpr_call *c)
{
  double start = gpr_now_ms ();
  gpr_array x;
  gpr_counting k = { 0 };

  take_arguments (c, &x, &k);
  const gpr_array n = shape_of (c, &x, &k);
  gpr_array bins_of = x;
  bins_of.class = GPR_CLASS_double;
  bins_of.home = NULL;

  gpr_choice choice = gpr_mx_choose (c, &x, NULL, GPR_WORK_COUNT);
  bool keep = x.home != NULL, want_places = c->nlhs > 1;
  void *counts_data, *places_data = NULL;
  mxArray *counts = gpr_mx_create (&n, &counts_data), *bin_of = want_places ? gpr_mx_create (&bins_of, &places_data) : NULL;

  /* ------------------------------------------------------------------------ */
  gpr_status status = GPR_OK;
  void *copy = NULL;
  int64_t outputs = gpr_array_numel (&n);
  gpr_choice place_to_run = choice;
  if (k.length == 0)
    place_to_run = (gpr_choice) { .backend = &gpr_cpu_backend };
  k.counts = counts_data;
  k.bin_of = places_data;
  if (outputs > 0)
    {
      status = gpr_reach (&x, &place_to_run, &k.x, &k.x_resident, &copy);
      if (status == GPR_OK)
        status = place_to_run.backend->count (&k);
      free (copy);
    }
  gpr_note_call (c, &choice, start, NULL);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  c->plhs[0] = keep && outputs != 1 ? gpr_mx_keep (c, &choice, &n, counts) : counts;
  if (want_places)
    c->plhs[1] = keep && gpr_array_numel (&bins_of) != 1 ? gpr_mx_keep (c, &choice, &bins_of, bin_of) : bin_of;
}
