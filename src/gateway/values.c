/* The resident arrays, for the oct-file: src/core/values.h.  No call of Octave's.  */

#include <stdio.h>
#include <string.h>

#include "../core/values.h"
#include "mx.h"

static double unclaimed;        /* an array whose value is being made */
static char text[1200];

static const char *
failure (gpr_status status)
{
  snprintf (text, sizeof text, "%s%s", status == GPR_OUT_OF_MEMORY ? "out of memory: " : "", gpr_message ());
  return gpr_status_name (status);
}

static const char *
message (void)
{
  return text;
}

static const char *
upload (const gpr_value *v, const void *data, double *id, const char **warning)
{
  gpr_array a = { .class = 0, .complex = v->complex, .ndims = v->ndims };
  gpr_choice choice;
  void *copy;

  *warning = NULL;
  while (a.class < GPR_CLASS_COUNT && strcmp (v->type, gpr_class_names[a.class]) != 0)
    a.class++;
  if (a.class == GPR_CLASS_COUNT)
    return failure (gpr_fail (GPR_BAD_INPUT, "there are no gpuArrays of class %s", v->type));
  for (int d = 0; d < a.ndims; d++)
    a.dims[d] = v->dims[d];
  size_t bytes = (size_t) gpr_array_numel (&a) * gpr_elem_bytes[gpr_array_elem (&a)];
  const gpr_work work = { GPR_WORK_STORE, gpr_array_elem (&a), bytes };
  gpr_status status = gpr_choose ((gpr_device_request) { 0 }, NULL, 0, &work, NULL, &choice);
  if (status != GPR_OK)
    return failure (status);
  if (gpr_choice_is_news (&choice))
    {
      snprintf (text, sizeof text, "gpuArray: running on the CPU: %s", choice.reason);
      *warning = text;
    }
  status = choice.backend->allocate (&copy, bytes);
  if (status == GPR_OK)
    {
      status = bytes ? choice.backend->upload (copy, data, bytes) : GPR_OK;
      a.data = copy;
      a.home = choice.backend;
      a.device = choice.device;
      if (status == GPR_OK)
        status = gpr_handle_add (&a, id);
      if (status != GPR_OK)
        choice.backend->release (copy);
    }
  return status == GPR_OK ? NULL : failure (status);
}

static const char *
download (double id, void *data)
{
  const gpr_array *a = gpr_handle_find (id);
  if (! a)
    return failure (gpr_fail (GPR_BAD_INPUT, "the gpuArray is no longer valid: it was freed, or its device was reset"));
  size_t bytes = (size_t) gpr_array_numel (a) * gpr_elem_bytes[gpr_array_elem (a)];
  gpr_status status = bytes ? a->home->download (data, a->data, bytes) : GPR_OK;
  return status == GPR_OK ? NULL : failure (status);
}

static bool
describe (double id, gpr_value *v)
{
  const gpr_array *a = gpr_handle_find (id);
  if (! a)
    return false;
  v->type = gpr_class_names[a->class];
  v->complex = a->complex;
  v->ndims = a->ndims;
  memcpy (v->dims, a->dims, a->ndims * sizeof *a->dims);
  v->bytes = (size_t) gpr_array_numel (a) * gpr_elem_bytes[gpr_array_elem (a)];
  return true;
}

static double
claim (void)
{
  double id = unclaimed;
  unclaimed = 0;
  return id;
}

const gpr_values_table gpr_values __attribute__ ((visibility ("default"))) = {
  GPR_VALUES_VERSION, upload, download, message, describe, gpr_handle_free, claim
};

const gpr_array *
gpr_mx_resident (const gpr_call *c, const mxArray *m)
{
  const gpr_value_handle *handle = mxGetData (m);
  const gpr_array *a = handle && handle->core == &gpr_values ? gpr_handle_find (handle->id) : NULL;
  if (handle && handle->core != &gpr_values)
    gpr_mx_invalid (c, "the gpuArray was made by another gpureduce, which was loaded when this one was installed: start Octave again");
  if (! a)
    gpr_mx_invalid (c, "the gpuArray is no longer valid: it was freed, or its device was reset");
  return a;
}

void
gpr_mx_reclaim (void)
{
  if (unclaimed > 0)
    gpr_handle_free (unclaimed);
  unclaimed = 0;
}

mxArray *
gpr_mx_wrap (const gpr_call *c, double id)
{
  mxArray *out[1] = { NULL }, *in[1] = { mxCreateString ("adopt") };
  unclaimed = id;
  mexSetTrapFlag (1);
  int failed = mexCallMATLAB (1, out, 1, in, "__gpr_octave__");       /* Ctrl-C in there does not come back here */
  mexSetTrapFlag (0);
  gpr_mx_reclaim ();
  mxDestroyArray (in[0]);
  if (failed || ! out[0])
    gpr_mx_raise (c, gpr_fail (GPR_UNSUPPORTED, "no gpuArray could be made: start Octave again if gpureduce was installed in this session, else see gpu_doctor"));
  return out[0];
}
