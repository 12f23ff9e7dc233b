/* "describe": what a gpuArray is and where it lies; and a copy on one device of one on several.  */

#include "fields.h"
#include "../spread/spread.h"

mxArray *
gpr_mx_devices (const gpr_resident *r)
{
  int list[GPR_MOST_DEVICES];
  double numbers[GPR_MOST_DEVICES];
  const int count = gpr_resident_devices (r, list);
  for (int k = 0; k < count; k++)
    numbers[k] = list[k];
  return row_of (numbers, count);
}

void
gpr_mx_describe (gpr_call *c)
{
  gpr_array a;
  double dims[GPR_MAX_DIMS];

  strcpy (c->caller, "gpuArray");
  if (c->nrhs != 1 || ! gpr_mx_array (c, c->rhs[0], &a) || ! a.home)
    gpr_mx_invalid (c, "a gpuArray is needed");
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL);
  for (int d = 0; d < a.ndims; d++)
    dims[d] = (double) a.dims[d];
  set_text (s, "class", gpr_class_names[a.class]);
  set (s, "size", row_of (dims, a.ndims));
  set_flag (s, "complex", a.complex);
  set_number (s, "device", a.device);
  set (s, "devices", gpr_mx_devices (gpr_mx_find (c, c->rhs[0])));
  set_number (s, "bytes", (double) gpr_array_numel (&a) * gpr_elem_bytes[gpr_array_elem (&a)]);
  c->plhs[0] = s;
}

const mxArray *
gpr_mx_collected (const gpr_call *c, const mxArray *m)
{
  gpr_array plain;
  double id;

  if (! gpr_mx_is_gpuarray (m) || ! gpr_is_spread (gpr_mx_resident (c, m)))
    return m;
  gpr_status status = gpr_spread_collect (gpr_mx_resident (c, m), 0, gpr_array_numel (gpr_mx_resident (c, m)), 0, &plain);
  if (status == GPR_OK && (status = gpr_resident_add (&plain, &id)) != GPR_OK)
    plain.home->release ((void *) (uintptr_t) plain.data);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  return gpr_mx_wrap (c, id);
}
