/* The options of calls with "comm" (divided.h).  */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "divided.h"
#include "../core/hash.h"
#include "fields.h"
#include "request.h"

void
gpr_mx_comm (gpr_call *c)
{
  gpr_world w;

  strcpy (c->caller, "gpu_comm");
  if (c->nrhs > 0)
    gpr_mx_too_many_inputs (c);
  gpr_raise_if (c, gpr_world_join (&w));
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL);
  set_number (s, "rank", w.rank);
  set_number (s, "size", w.size);
  set_number (s, "local_rank", w.local_rank);
  c->plhs[0] = s;
}

bool
gpr_mx_has_comm (const gpr_call *c)
{
  for (int i = 1; i < c->nrhs - 1; i++)
    if (mxIsChar (c->rhs[i]) && mxGetNumberOfElements (c->rhs[i]) == 4 && gpr_mx_option (c->rhs[i], "comm"))
      return true;
  return false;
}

void
gpr_mx_blame (gpr_saying *s, gpr_status status, const char *format, ...)
{
  va_list args;
  if (s->failed)
    return;
  va_start (args, format);
  vsnprintf (s->message, sizeof s->message, format, args);
  va_end (args);
  s->failed = status;
}

static bool
is_field (const mxArray *s, const char *name, int value)
{
  const mxArray *m = mxGetField (s, 0, name);
  return m && mxIsDouble (m) && mxGetNumberOfElements (m) == 1 && mxGetScalar (m) == value;
}

bool
gpr_mx_is_comm (const mxArray *m, const gpr_world *w)
{
  return mxIsStruct (m) && mxGetNumberOfElements (m) == 1 && is_field (m, "rank", w->rank) && is_field (m, "size", w->size);
}

gpr_status
gpr_mx_result_rank (const mxArray *m, const gpr_world *w, int *rank)
{
  double v = mxIsNumeric (m) && mxGetNumberOfElements (m) == 1 && ! mxIsComplex (m) && ! mxIsSparse (m) ? mxGetScalar (m) : NAN;
  *rank = -1;
  if (v >= 0 && v < w->size && v == floor (v))
    *rank = (int) v;
  else if (! gpr_mx_option (m, "all"))
    return gpr_fail (GPR_BAD_INPUT, "result must be \"all\" or a rank from 0 to %d", w->size - 1);
  return GPR_OK;
}

void
gpr_mx_take_comm_options (gpr_call *c, gpr_divided *d, gpr_saying *s)
{
  gpr_device_request device;
  int64_t dim;
  char text[64];
  int left = 1;

  d->result = -1;
  for (int i = 1; i < c->nrhs; i++)
    {
      const mxArray *key = c->rhs[i], *value = i + 1 < c->nrhs ? c->rhs[i + 1] : NULL;
      bool ours = value != NULL;
      if (value && gpr_mx_option (key, "comm"))
        {
          if (! gpr_mx_is_comm (value, &d->world))
            gpr_mx_blame (s, GPR_BAD_INPUT, "comm must be what gpu_comm () returned in this session");
        }
      else if (value && gpr_mx_option (key, "result"))
        {
          if (gpr_mx_result_rank (value, &d->world, &d->result) != GPR_OK)
            gpr_mx_blame (s, GPR_BAD_INPUT, "%s", gpr_message ());
        }
      else if (value && gpr_mx_option (key, "divided"))
        {
          if (gpr_mx_count (value, &dim) && dim <= GPR_MAX_DIMS)
            s->divided = (int32_t) dim;
          else
            gpr_mx_blame (s, GPR_BAD_INPUT, "divided must be a dimension");
        }
      else if (value && gpr_mx_option (key, "device"))
        {
          const bool known = gpr_mx_text (value, text, sizeof text) && gpr_parse_device (text, &device);
          if (! known || (device.want != GPR_WANT_CPU && device.want != GPR_WANT_AUTO && device.want != GPR_WANT_DEFAULT))
            gpr_mx_blame (s, GPR_UNSUPPORTED, "\"comm\" goes with the device \"cpu\" and with no other: gpuArrays are reduced where they lie");
        }
      else
        ours = false;
      if (ours)
        i++;
      else
        c->rhs[left++] = key;
    }
  c->nrhs = left;
}

/* Its class, sizes, elements.  */
static uint64_t
hash_argument (const gpr_call *c, uint64_t h, const mxArray *m)
{
  gpr_array a;
  const char *class = mxGetClassName (m);

  h = gpr_hash (h, class, strlen (class) + 1);
  if (gpr_mx_is_gpuarray (m) || ! gpr_mx_array (c, m, &a))
    return h;
  h = gpr_hash (h, a.dims, a.ndims * sizeof *a.dims);
  return gpr_hash (h, a.data, (size_t) gpr_array_numel (&a) * gpr_elem_bytes[gpr_array_elem (&a)]);
}

uint64_t
gpr_mx_hash_arguments (const gpr_call *c, int first, const mxArray *left_out)
{
  uint64_t h = GPR_HASH_BEGIN;

  for (int i = first; i < c->nrhs; i++)
    if (c->rhs[i] != left_out)
      h = hash_argument (c, h, c->rhs[i]);
  return h;
}

const mxArray *
gpr_mx_describe_weights (gpr_call *c, int at, gpr_saying *s)
{
  if (at == 0 || at >= c->nrhs || mxIsChar (c->rhs[at]))
    return NULL;
  if (gpr_mx_is_gpuarray (c->rhs[at]))
    {
      if (! gpr_mx_find (c, c->rhs[at]))
        {
          gpr_mx_blame (s, GPR_BAD_INPUT, "W is a gpuArray that is no longer alive");
          return NULL;
        }
      c->rhs[at] = gpr_mx_call ("gather", 1, c->rhs[at], NULL);
    }
  s->weights = (int64_t) mxGetNumberOfElements (c->rhs[at]);
  s->weighed = hash_argument (c, GPR_HASH_BEGIN, c->rhs[at]);
  return c->rhs[at];
}
