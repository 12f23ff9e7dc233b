/* "scan", OP, X, DIM: cumulative sums and products of floating-point arrays, cumulative
   extremes of all.  gpu_cumsum and the others see to the built-ins' arguments.  */

#include <stdlib.h>
#include <string.h>

#include "mx.h"
#include "../core/scan.h"

void
gpr_mx_scan (gpr_call *c)
{
  static const char *const names[GPR_SCAN_OPS] = { "cumsum", "cumprod", "cummax", "cummin" };
  double start = gpr_now_ms ();
  char name[16] = "";
  int64_t dim;
  gpr_array x;
  gpr_scanning p = { .inner = 1, .length = 1, .outer = 1 };

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
    *(d + 1 < dim ? &p.inner : d + 1 == dim ? &p.length : &p.outer) *= x.dims[d];

  gpr_choice choice = gpr_mx_choose (c, &x, NULL);
  const int64_t count = gpr_array_numel (&x);
  const bool places = c->nlhs > 1, stays = x.home && count > 1;
  gpr_array place = x;
  gpr_output out[2] = { 0 };
  gpr_mx_output (&out[0], &x, stays, ! x.complex);
  if (places)
    {
      place.class = GPR_CLASS_double;
      place.complex = false;
      gpr_mx_output (&out[1], &place, stays, ! x.complex);
    }

  /* ------------------------------------------------------------------------ */
  gpr_status status = gpr_outputs_allocate (out, 2, &choice);
  void *copy = NULL;
  p.y = out[0].data;
  p.place = out[1].data;
  p.out_resident = out[0].resident;
  if (status == GPR_OK && count > 0)
    status = gpr_reach (&x, &choice, &p.x, &p.x_resident, &copy);
  if (status == GPR_OK && count > 0)
    status = choice.backend->scan (&p);
  free (copy);
  status = gpr_outputs_finish (out, 2, &choice, status);
  gpr_note_call (c, &choice, start, NULL);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  for (int i = 0; i <= places; i++)
    c->plhs[i] = gpr_mx_result (c, &choice, &out[i]);
}
