/* gpuArray's store: upload, gather, free, describe.  */

#include "fields.h"

static const gpr_array *
resident (const gpr_call *c)
{
  const gpr_array *a = c->nrhs > 0 ? gpr_handle_find (gpr_mx_id (c->rhs[0])) : NULL;
  if (! a)
    gpr_mx_invalid (c, "the gpuArray is no longer valid: it was freed, or its device was reset");
  return a;
}

void
gpr_mx_upload (gpr_call *c)
{
  gpr_array a;
  double id = 0;
  void *data;

  strcpy (c->caller, "gpuArray");
  if (c->nrhs > 1)
    gpr_mx_device (c, c->rhs[1], &c->device);
  if (c->nrhs < 1 || ! gpr_mx_array (c, c->rhs[0], &a) || a.home)
    gpr_mx_invalid (c, "X must be a full numeric, logical or char array");
  gpr_choice choice = gpr_mx_choose (c, &a, NULL, GPR_WORK_STORE);
  size_t bytes = (size_t) gpr_array_numel (&a) * gpr_elem_bytes[gpr_array_elem (&a)];

  gpr_status status = choice.backend->allocate (&data, bytes);
  if (status == GPR_OK)
    {
      status = bytes ? choice.backend->upload (data, a.data, bytes) : GPR_OK;
      a.data = data;
      a.home = choice.backend;
      a.device = choice.device;
      if (status == GPR_OK)
        status = gpr_handle_add (&a, &id);
      if (status != GPR_OK)
        choice.backend->release (data);
    }
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  c->plhs[0] = mxCreateDoubleScalar (id);
}

void
gpr_mx_gather (gpr_call *c)
{
  strcpy (c->caller, "gather");
  gpr_array a = *resident (c);
  void *data;
  size_t bytes = (size_t) gpr_array_numel (&a) * gpr_elem_bytes[gpr_array_elem (&a)];
  mxArray *out = gpr_mx_create_result (&a, &data);
  gpr_status status = bytes ? a.home->download (data, a.data, bytes) : GPR_OK;
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  c->plhs[0] = gpr_mx_host_result (&a, out);
}

void
gpr_mx_free (gpr_call *c)
{
  if (c->nrhs > 0)
    gpr_handle_free (gpr_mx_id (c->rhs[0]));
}

void
gpr_mx_describe (gpr_call *c)
{
  strcpy (c->caller, "gpuArray");
  gpr_array a = *resident (c);
  double dims[GPR_MAX_DIMS];
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL);
  for (int d = 0; d < a.ndims; d++)
    dims[d] = (double) a.dims[d];
  set_text (s, "class", gpr_class_names[a.class]);
  set (s, "size", row_of (dims, a.ndims));
  set_flag (s, "complex", a.complex);
  set_number (s, "device", a.device);
  set_number (s, "bytes", (double) gpr_array_numel (&a) * gpr_elem_bytes[gpr_array_elem (&a)]);
  c->plhs[0] = s;
}

void
gpr_mx_numel (gpr_call *c)
{
  /* The constructor's first assignment asks too, when there is no data yet.  */
  bool unborn = c->nrhs > 0 && gpr_mx_is_gpuarray (c->rhs[0]) && gpr_mx_id (c->rhs[0]) == 0;
  strcpy (c->caller, "gpuArray");
  c->plhs[0] = mxCreateDoubleScalar (unborn ? 1 : (double) gpr_array_numel (resident (c)));
}
