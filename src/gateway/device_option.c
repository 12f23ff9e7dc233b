/* The option "device" of a call, and the value of the setting.  */

#include <math.h>

#include "mx.h"

/* A vector of numbers.  */
static bool
take_devices (const mxArray *value, gpr_device_request *request)
{
  const size_t count = mxGetNumberOfElements (value);
  int list[GPR_MOST_DEVICES];

  if (! mxIsDouble (value) || mxIsComplex (value) || mxIsSparse (value) || mxGetNumberOfDimensions (value) > 2
      || (mxGetM (value) != 1 && mxGetN (value) != 1) || count > GPR_MOST_DEVICES)
    return false;
  for (size_t i = 0; i < count; i++)
    {
      const double v = mxGetPr (value)[i];
      if (! (v >= 1 && v <= GPR_MOST_NUMBER && v == floor (v)))
        return false;
      list[i] = (int) v;
    }
  return gpr_request_devices (list, (int) count, request);
}

void
gpr_mx_device (const gpr_call *c, const mxArray *value, gpr_device_request *request)
{
  char text[64];
  int64_t n;
  if (gpr_mx_text (value, text, sizeof text) ? gpr_parse_device (text, request) : false)
    return;
  if (! mxIsChar (value) && gpr_mx_count (value, &n) && n <= GPR_MOST_NUMBER)
    {
      *request = (gpr_device_request) { .want = GPR_WANT_NUMBER, .number = (int) n };
      return;
    }
  if (! mxIsChar (value) && take_devices (value, request))
    return;
  gpr_mx_invalid (c, "device must be \"gpu\", \"cpu\", \"auto\", \"all\", a device number from 1, or a vector of such numbers, none twice");
}

void
gpr_mx_take_device (gpr_call *c)
{
  bool taken = false;           /* the last one counts */
  while (c->nrhs >= 3 && gpr_mx_option (c->rhs[c->nrhs - 2], "device"))
    {
      gpr_device_request request = { 0 };
      gpr_mx_device (c, c->rhs[c->nrhs - 1], taken ? &request : &c->device);
      taken = true;
      c->nrhs -= 2;
    }
}
