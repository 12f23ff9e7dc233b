/* "scan", OP, X, DIM: cumulative sums and products of floating-point arrays, cumulative
   extremes of all.  gpu_cumsum and the others see to the built-ins' arguments.  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "mx.h"
#include "scan.h"

/* Memory of an output: Octave's, or resident where the result stays on the device.  */
typedef struct { gpr_array array; mxArray *host; void *data; double id; } output;

static void
make (output *o, const gpr_array *x, gpr_class class, bool complex, bool keep)
{
  o->array = *x;
  o->array.class = class;
  o->array.complex = complex;
  o->array.home = NULL;
  o->id = 0;
  if (! keep)
    o->host = gpr_mx_create (&o->array, &o->data);
}

static gpr_status
keep_output (output *o, const gpr_choice *choice)
{
  o->array.data = o->data;
  o->array.home = choice->backend;
  o->array.device = choice->device;
  return gpr_handle_add (&o->array, &o->id);
}

void
gpr_mx_scan (gpr_call *c)
{
  static const char *const names[GPR_SCAN_OPS] = { "cumsum", "cumprod", "cummax", "cummin" };
  double start = gpr_now_ms ();
  char name[16] = "";
  int64_t dim;
  gpr_array x;
  gpr_scanning p = { .l = 1, .n = 1, .u = 1 };

  gpr_mx_take_device (c);
  if (c->nrhs != 3 || ! gpr_mx_text (c->rhs[0], name, sizeof name) || ! gpr_mx_count (c->rhs[2], &dim)
      || ! gpr_mx_array (c, c->rhs[1], &x))
    gpr_mx_invalid (c, "scan takes an operator, an array and a dimension");
  while (p.op < GPR_SCAN_OPS && strcmp (name, names[p.op]) != 0)
    p.op++;
  p.elem = gpr_array_elem (&x);
  if (p.op == GPR_SCAN_OPS || (p.op <= GPR_SCAN_cumprod && x.class != GPR_CLASS_double && x.class != GPR_CLASS_single))
    gpr_mx_invalid (c, "no cumulative operator of that class");
  for (int d = 0; d < x.ndims; d++)
    *(d + 1 < dim ? &p.l : d + 1 == dim ? &p.n : &p.u) *= x.dims[d];

  gpr_choice choice = gpr_mx_choose (c, &x, NULL);
  const int64_t count = gpr_array_numel (&x);
  const bool places = c->nlhs > 1, keep = x.home && count > 1 && ! x.complex;
  output value = { 0 }, place = { 0 };
  make (&value, &x, x.class, x.complex, keep);
  if (places)
    make (&place, &x, GPR_CLASS_double, false, keep);

  /* ------------------------------------------------------------------------ */
  gpr_status status = GPR_OK;
  const gpr_backend *b = choice.backend;
  void *copy = NULL;
  if (count > 0)
    {
      if (keep)
        status = b->allocate (&value.data, count * gpr_elem_bytes[p.elem]);
      if (status == GPR_OK && keep && places)
        status = b->allocate (&place.data, count * sizeof (double));
      p.y = value.data;
      p.place = place.data;
      p.out_resident = keep;
      if (status == GPR_OK)
        status = gpr_reach (&x, &choice, &p.x, &p.x_resident, &copy);
      if (status == GPR_OK)
        status = b->scan (&p);
      free (copy);
    }
  if (status == GPR_OK && keep)
    status = keep_output (&value, &choice);
  if (status == GPR_OK && keep && places && (status = keep_output (&place, &choice)) != GPR_OK)
    {
      gpr_handle_free (value.id);
      value.data = NULL;
    }
  if (status != GPR_OK && keep)
    {
      b->release (value.data);
      b->release (place.data);
    }
  gpr_note_call (c, &choice, start, NULL);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  c->plhs[0] = keep ? gpr_mx_wrap (c, value.id) : x.home && count > 1 ? gpr_mx_keep (c, &choice, &value.array, value.host) : value.host;
  if (places)
    c->plhs[1] = keep ? gpr_mx_wrap (c, place.id) : x.home && count > 1 ? gpr_mx_keep (c, &choice, &place.array, place.host) : place.host;
}
