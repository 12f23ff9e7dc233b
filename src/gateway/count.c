/* Counting into bins; and "count", the histogram behind "histogram" of gpu_reduce.  */

#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "bins.h"
#include "divided.h"

/* The sizes of the counts.  */
static gpr_array
shape_of (const gpr_call *c, gpr_binning *b)
{
  gpr_counting *k = &b->k;
  const gpr_array *x = &b->x;
  gpr_array n = { .ndims = 2, .dims = { b->row ? 1 : k->bins, b->row ? k->bins : 1 } };

  k->inner = k->outer = 1;
  k->length = gpr_array_numel (x);
  if (b->dim > 0)
    {
      const int at = b->dim - 1;
      if (at >= x->ndims)
        gpr_mx_invalid (c, "DIM must be an integer and a valid dimension");
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

/* Where it is chosen; of an X that waits, as its elements are made, where the backend does that.  */
static gpr_status
count (gpr_binning *b, gpr_resident *waits, const gpr_choice *place)
{
  gpr_counting *k = &b->k;
  void *copy = NULL;
  bool counted = false;
  gpr_status status = GPR_OK;

  if (gpr_takes_expression (&b->x, waits, place))
    status = gpr_expression_count (waits, k, &counted);
  if (status != GPR_OK || counted)
    return status;
  status = gpr_reach_waiting (&b->x, waits, place, &k->x, &k->x_resident, &copy);
  if (status == GPR_OK)
    status = place->backend->count (k);
  free (copy);
  return status;
}

/* X is divided, and each rank counts for itself: along another dimension.  */
static bool
counts_here (const gpr_call *c, const gpr_binning *b)
{
  return gpr_is_divided (&b->x) && b->dim > 0 && b->dim != c->divided->dim + 1;
}

/* This rank's piece as an array of its own, with the dimensions that x was given.  */
static void
take_piece (const gpr_call *c, gpr_binning *b)
{
  gpr_array x;

  gpr_mx_here (c, b->m, &x);
  /* Of one index alone, which is not here, the 0 is to stay.  */
  for (; x.ndims > b->x.ndims && c->divided->starts[c->divided->world.size] > 1; x.ndims--)
    x.dims[x.ndims - 2] *= x.dims[x.ndims - 1];
  while (x.ndims < b->dim)
    x.dims[x.ndims++] = 1;
  b->x = x;
  c->divided->stays = GPR_ALL_STAY;
}

void
gpr_mx_run_binning (const gpr_call *c, gpr_binning *b, mxArray **counts, mxArray **bin_of)
{
  const double start = gpr_now_ms ();
  const bool here = counts_here (c, b);
  gpr_resident *waits = here ? NULL : gpr_mx_waiting (c, b->m, &b->x);
  if (here)
    take_piece (c, b);
  const gpr_array n = shape_of (c, b);
  const bool divided = gpr_is_divided (&b->x);
  gpr_counting *k = &b->k;
  gpr_array places = b->x;
  gpr_output out[2] = { 0 };

  places.class = GPR_CLASS_double;
  if (divided)
    gpr_mx_part_sizes (c, &places);
  gpr_array_trim (&places);
  k->elem = gpr_array_elem (&b->x);
  const gpr_choice choice = here ? (gpr_choice) { .backend = &gpr_cpu_backend, .reason = "a piece of an array" }
                            : gpr_mx_choose (c, &b->x, NULL, GPR_WORK_COUNT, k->inner);
  const gpr_choice place = k->length > 0 ? choice : (gpr_choice) { .backend = &gpr_cpu_backend };
  const int64_t outputs = gpr_array_numel (&n);
  const bool keep = b->x.home && ! divided, counts_stay = keep && outputs != 1 && ! b->to_host;
  /* The backend writes both to its own memory, or both to the host's.  */
  const bool there = k->length > 0 && outputs > 0 && counts_stay && (! b->want_places || gpr_array_numel (&places) != 1);
  gpr_mx_output (&out[0], &n, counts_stay, there);
  if (b->want_places)
    gpr_mx_output (&out[1], &places, keep && gpr_array_numel (&places) != 1, there);

  /* ------------------------------------------------------------------------ */
  gpr_status status = gpr_outputs_allocate (out, 2, &choice);
  k->counts = out[0].data;
  k->bin_of = out[1].data;
  k->out_resident = there;
  if (status == GPR_OK && outputs > 0)
    status = count (b, waits, &place);
  status = gpr_outputs_finish (out, 2, &choice, status);
  gpr_note_call (c, &choice, start, NULL);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  gpr_mx_deliver (c, counts, &choice, &out[0]);
  if (b->want_places)
    gpr_mx_deliver (c, bin_of, &choice, &out[1]);
}

/* ---- the command ----------------------------------------------------------------- */

/* x, dim (0: all elements), edges: what lies between these, the last bin with both of its edges.  */
void
gpr_mx_count_bins (gpr_call *c)
{
  gpr_binning b = { .row = true, .want_places = c->nlhs > 1, .k.rule = GPR_BIN_CLOSED };
  gpr_array edges;

  gpr_mx_take_device (c);
  if (c->nrhs != 3 || ! gpr_mx_look (c, b.m = c->rhs[0], &b.x, NULL) || b.x.complex)
    gpr_mx_invalid (c, "X must be a real, full array");
  if (! gpr_mx_array (c, c->rhs[2], &edges) || edges.complex || edges.home || edges.class != GPR_CLASS_double || gpr_array_numel (&edges) < 2)
    gpr_mx_invalid (c, "EDGES must be two doubles or more");
  b.dim = (int) mxGetScalar (c->rhs[1]);
  b.k.bins = gpr_array_numel (&edges) - 1;
  b.k.edges = edges.data;
  gpr_mx_run_binning (c, &b, &c->plhs[0], c->nlhs > 1 ? &c->plhs[1] : NULL);
}
