/* gpuArrays over several GPUs: made, and brought to one place for what knows no other.  No call of Octave's.  */

#include "../resident/resident.h"
#include "../spread/spread.h"
#include "../dispatch/choose.h"
#include "values.h"

static gpr_status
take_elements (int64_t count, int device, gpr_one_place *p)
{
  gpr_status status = gpr_spread_collect (p->a, p->first, count, device, &p->copy);
  p->own = status == GPR_OK;
  p->whole = p->a;
  p->a = &p->copy;
  return status == GPR_OUT_OF_MEMORY ? GPR_UNSUPPORTED : status;
}

gpr_status
gpr_take_one_place (double id, gpr_one_place *p)
{
  *p = (gpr_one_place) { .own = false };
  gpr_status status = gpr_resident_array (id, &p->a);
  return status == GPR_OK && gpr_is_spread (p->a) ? take_elements (gpr_array_numel (p->a), 0, p) : status;
}

gpr_status
gpr_take_view (double id, const gpr_value_view *view, int device, gpr_one_place *p)
{
  int64_t end = view->offset + 1;

  *p = (gpr_one_place) { .own = false };
  gpr_status status = gpr_resident_array (id, &p->a);
  if (status != GPR_OK || ! gpr_is_spread (p->a))
    return status;
  p->first = view->offset;
  for (int d = 0; d < view->rank; d++)
    if (view->dims[d] == 0)
      return take_elements (p->first = 0, device, p);
    else
      *(view->strides[d] < 0 ? &p->first : &end) += (view->dims[d] - 1) * view->strides[d];
  return take_elements (end - p->first, device, p);
}

gpr_status
gpr_put_view (const gpr_one_place *p)
{
  return p->own ? gpr_spread_put_back (p->whole, p->first, &p->copy) : GPR_OK;
}

void
gpr_give_one_place (gpr_one_place *p)
{
  if (p->own)
    p->copy.home->release ((void *) (uintptr_t) p->copy.data);
  p->own = false;
}

/* What "devices" says.  */
static gpr_status
read_devices (const char *devices, const double *numbers, int count, gpr_device_request *request)
{
  int list[GPR_MOST_DEVICES];
  bool known = devices ? gpr_parse_device (devices, request) : count > 0 && count <= GPR_MOST_DEVICES;

  for (int k = 0; ! devices && k < count && known; k++)
    {
      known = numbers[k] >= 1 && numbers[k] <= GPR_MOST_NUMBER && numbers[k] == (int) numbers[k];
      list[k] = known ? (int) numbers[k] : 0;
    }
  if (known && ! devices)
    known = gpr_request_devices (list, count, request);
  if (! known || (request->want != GPR_WANT_ALL && request->want != GPR_WANT_NUMBER && request->want != GPR_WANT_SEVERAL))
    return gpr_fail (GPR_BAD_INPUT, "devices must be \"all\" or numbers of GPUs from 1, none twice");
  return GPR_OK;
}

static bool
is_host_alone (void)
{
  const char *reason;
  gpr_device_setting_read ();
  return gpr_device_setting.want == GPR_WANT_CPU || gpr_device_count (&reason) == 0;
}

gpr_status
gpr_value_spread (gpr_array *z, const void *data, const char *devices, const double *numbers, int count, bool *several)
{
  const size_t bytes = (size_t) gpr_array_numel (z) * gpr_elem_bytes[gpr_array_elem (z)];
  int list[GPR_MOST_DEVICES], found = 0;
  gpr_device_request request = { 0 };
  gpr_status status = read_devices (devices, numbers, count, &request);

  *several = status != GPR_OK || ! is_host_alone ();
  if (status == GPR_OK && *several)
    status = gpr_choose_devices (&request, list, &found);
  if (status != GPR_OK || ! *several)
    return status;
  do
    status = gpr_spread_create (z, list, found);
  while (status == GPR_OUT_OF_MEMORY && gpr_expression_make_room ());
  return status == GPR_OK && bytes > 0 ? z->home->upload ((void *) (uintptr_t) z->data, data, bytes) : status;
}
