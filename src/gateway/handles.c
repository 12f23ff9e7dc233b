/* Octave's values that stand for resident arrays (doc/value.md): which array a value has, and the value of a new one, which the oct-file makes.  */

#include "../core/values.h"
#include "../resident/resident.h"
#include "mx.h"
#include "values.h"

const char *const gpr_value_lost = "the gpuArray is no longer valid: it was freed, or its device was reset";
static double unclaimed;        /* an array whose value is being made */
enum { PROMISED = 8 };
static double promised[PROMISED];       /* those whose values are made when the call has ended */
static bool promises;           /* the next call's */

double
gpr_value_claim (void)
{
  double id = unclaimed;
  unclaimed = 0;
  return id;
}

bool
gpr_value_promise (bool on)
{
  bool left = false;
  for (int i = 0; i < PROMISED; i++)
    {
      left |= promised[i] > 0;
      if (promised[i] > 0 && ! on)
        gpr_resident_free (promised[i]);
      promised[i] = on ? promised[i] : 0;
    }
  return promises = on && ! left;
}

double
gpr_value_promised (int result)
{
  double id = result < PROMISED ? promised[result] : 0;
  if (id > 0)
    promised[result] = 0;
  return id;
}

bool
gpr_mx_take_promise (void)
{
  bool taken = promises;
  promises = false;
  return taken;
}

static const gpr_value_handle *
handle_of (const gpr_call *c, const mxArray *m)
{
  const gpr_value_handle *handle = mxGetData (m);
  if (handle && handle->core != &gpr_values)
    gpr_mx_invalid (c, "the gpuArray was made by another gpureduce, which was loaded when this one was installed: start Octave again");
  return handle;
}

gpr_resident *
gpr_mx_find (const gpr_call *c, const mxArray *m)
{
  const gpr_value_handle *handle = handle_of (c, m);
  return handle ? gpr_resident_find (handle->id) : NULL;
}

const gpr_array *
gpr_mx_resident (const gpr_call *c, const mxArray *m)
{
  const gpr_value_handle *handle = handle_of (c, m);
  const gpr_array *a = NULL;
  gpr_status status = handle ? gpr_resident_array (handle->id, &a) : gpr_fail (GPR_BAD_INPUT, "%s", gpr_value_lost);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  return a;
}

void
gpr_mx_reclaim (void)
{
  if (unclaimed > 0)
    gpr_resident_free (unclaimed);
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

void
gpr_mx_deliver_id (const gpr_call *c, mxArray **to, double id)
{
  int result = -1;
  for (int i = 0; c->promised && i < PROMISED && i < (c->nlhs > 1 ? c->nlhs : 1); i++)
    if (to == c->promised + i)
      result = i;
  if (result < 0)
    *to = gpr_mx_wrap (c, id);
  else
    {
      promised[result] = id;
      *to = mxCreateDoubleMatrix (0, 0, mxREAL);
    }
}

bool
gpr_mx_is_promised (const gpr_call *c, int result)
{
  return c->promised && c->plhs == c->promised && promised[result] > 0;
}
