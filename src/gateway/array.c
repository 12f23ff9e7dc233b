/* Between mxArray and the plain structs below.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../cpu/cpu.h"
#include "../dispatch/cuda_module.h"
#include "../spread/spread.h"
#include "divided.h"
#include "streamed.h"
#include "values.h"

/* ---- arguments ------------------------------------------------------------------ */

bool
gpr_mx_is_text (const mxArray *m)
{
  return mxIsChar (m) && mxGetNumberOfDimensions (m) == 2 && mxGetM (m) == 1;
}

bool
gpr_mx_text (const mxArray *m, char *text, size_t bytes)
{
  return gpr_mx_is_text (m) && mxGetN (m) < bytes && mxGetString (m, text, bytes) == 0;
}

bool
gpr_mx_option (const mxArray *m, const char *name)
{
  char text[64];
  return gpr_mx_text (m, text, sizeof text) && strcasecmp (text, name) == 0;
}

bool
gpr_mx_is_gpuarray (const mxArray *m)
{
  return mxGetClassID (m) == mxUNKNOWN_CLASS && strcmp (mxGetClassName (m), "gpuArray") == 0;
}

bool
gpr_mx_array (const gpr_call *c, const mxArray *m, gpr_array *a)
{
  static const struct { mxClassID id; gpr_class class; } classes[] = {
    { mxDOUBLE_CLASS, GPR_CLASS_double }, { mxSINGLE_CLASS, GPR_CLASS_single }, { mxINT8_CLASS, GPR_CLASS_int8 },
    { mxUINT8_CLASS, GPR_CLASS_uint8 }, { mxINT16_CLASS, GPR_CLASS_int16 }, { mxUINT16_CLASS, GPR_CLASS_uint16 },
    { mxINT32_CLASS, GPR_CLASS_int32 }, { mxUINT32_CLASS, GPR_CLASS_uint32 }, { mxINT64_CLASS, GPR_CLASS_int64 },
    { mxUINT64_CLASS, GPR_CLASS_uint64 }, { mxLOGICAL_CLASS, GPR_CLASS_logical }, { mxCHAR_CLASS, GPR_CLASS_char }
  };
  mxClassID id = mxGetClassID (m);

  if (c->divided && gpr_mx_divided (c, m, a))   /* a gpuArray may be a piece */
    return true;
  if (gpr_mx_is_gpuarray (m))
    {
      *a = *gpr_mx_resident (c, m);
      return true;
    }
  if (gpr_mx_streamed_array (c, m, a))
    return true;
  if (mxIsSparse (m) || mxGetNumberOfDimensions (m) > GPR_MAX_DIMS)
    return false;
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (classes[i].id == id)
      {
        const mwSize *dims = mxGetDimensions (m);
        *a = (gpr_array) { .class = classes[i].class, .complex = mxIsComplex (m),
                           .ndims = (int) mxGetNumberOfDimensions (m), .data = mxGetData (m) };
        for (int d = 0; d < a->ndims; d++)
          a->dims[d] = dims[d];
        return true;
      }
  return false;
}

bool
gpr_mx_look (const gpr_call *c, const mxArray *m, gpr_array *a, gpr_resident **waits)
{
  gpr_resident *r = gpr_mx_is_gpuarray (m) ? gpr_mx_find (c, m) : NULL;
  if (waits)
    *waits = r && r->node ? r : NULL;
  if (! r || ! r->node)
    return gpr_mx_array (c, m, a);
  *a = r->array;
  return true;
}

void
gpr_mx_gather_from (gpr_call *c, int first)
{
  for (int i = first; i < c->nrhs; i++)
    if (gpr_mx_is_gpuarray (c->rhs[i]))
      {
        mxArray *out[1], *in[1] = { (mxArray *) c->rhs[i] };
        mexCallMATLAB (1, out, 1, in, "gather");
        c->rhs[i] = out[0];
      }
}

bool
gpr_mx_is_float (const gpr_call *c, const mxArray *m)
{
  gpr_array a;
  return gpr_mx_is_gpuarray (m) ? gpr_mx_array (c, m, &a) && (a.class == GPR_CLASS_double || a.class == GPR_CLASS_single)
                                : mxIsDouble (m) || mxIsSingle (m);
}

bool
gpr_mx_count (const mxArray *m, int64_t *n)
{
  double v;
  if (! (mxIsNumeric (m) || mxIsLogical (m)) || mxIsComplex (m) || mxIsSparse (m) || mxGetNumberOfElements (m) != 1)
    return false;
  v = mxGetScalar (m);
  if (! (v >= 1 && v < 0x1p53 && v == floor (v)))
    return false;
  *n = (int64_t) v;
  return true;
}

/* ---- where a call runs ---------------------------------------------------------- */

static gpr_choice
choose (const gpr_call *c, const gpr_array *x, const gpr_array *y, const gpr_work *work, const gpr_reduction *r)
{
  const gpr_array *at = x->home ? x : y && y->home ? y : x;
  gpr_choice choice;
  static char reason[512];      /* outlives the message it may come from */
  gpr_status status = gpr_choose (c->device, at->home, at->device, work, r, &choice);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  snprintf (reason, sizeof reason, "%s", choice.reason);
  choice.reason = reason;
  if (gpr_choice_is_news (&choice))
    {
      char text[600];
      snprintf (text, sizeof text, "%s: running on the CPU: %s", c->caller, choice.reason);
      mxArray *in[3] = { mxCreateString ("gpureduce:cpu-fallback"), mxCreateString ("%s"), mxCreateString (text) };
      mexCallMATLAB (0, NULL, 3, in, "warning");
    }
  return choice;
}

static int64_t
bytes_of (const gpr_array *a)
{
  return gpr_array_numel (a) * gpr_elem_bytes[gpr_array_elem (a)];
}

/* Functions of a kind take different times, with a second output, too.  */
static int
id_of (const gpr_call *c, const gpr_array *x)
{
  unsigned id = gpr_array_elem (x);
  for (const char *name = c->caller; *name; name++)
    id = 31 * id + (unsigned char) *name;
  return (int) (2 * id + (c->nlhs > 1));
}

gpr_choice
gpr_mx_choose (const gpr_call *c, const gpr_array *x, const gpr_array *y, gpr_work_kind kind, int64_t inner)
{
  const gpr_work work = { kind, id_of (c, x), bytes_of (x) + (y ? bytes_of (y) : 0), inner > 1 };
  return choose (c, x, y, &work, NULL);
}

gpr_choice
gpr_mx_choose_reduction (const gpr_call *c, const gpr_array *x, const gpr_array *y, const gpr_reduction *r)
{
  const gpr_work work = { GPR_WORK_REDUCTION, r->instance, bytes_of (x) + (y ? bytes_of (y) : 0), r->inner > 1 };
  return choose (c, x, y, &work, r);
}

gpr_status
gpr_reach (const gpr_array *a, const gpr_choice *choice, const void **data, bool *resident, void **copy)
{
  *data = a->data;
  *resident = a->home == choice->backend && a->home != &gpr_cpu_backend && a->device == choice->device;
  *copy = NULL;
  if (! a->home || a->home == &gpr_cpu_backend || *resident)
    return GPR_OK;
  size_t bytes = (size_t) gpr_array_numel (a) * gpr_elem_bytes[gpr_array_elem (a)];
  if (! (*copy = malloc (bytes ? bytes : 1)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  *data = *copy;
  return a->home->download (*copy, a->data, bytes);
}

bool
gpr_takes_expression (const gpr_array *x, const gpr_resident *waits, const gpr_choice *choice)
{
  return waits && choice->backend == x->home && ! gpr_expression_lies (waits);
}

gpr_status
gpr_reach_waiting (gpr_array *x, gpr_resident *waits, const gpr_choice *choice, const void **data, bool *resident, void **copy)
{
  gpr_status status = GPR_OK;

  if (waits && ! (x->data = gpr_expression_lies (waits)) && (status = gpr_expression_compute (waits)) == GPR_OK)
    x->data = waits->array.data;
  return status == GPR_OK ? gpr_reach (x, choice, data, resident, copy) : status;
}

/* ---- results ------------------------------------------------------------------------- */

/* Octave copies an array that a MEX function made into one of its own when the
   function returns, which costs a large result its pages twice; one that Octave
   itself made goes back as it is.  The oct-file's is not even written; where it could
   not be built, zeros makes those that it can.  */
static bool
has_oct_file (void)
{
  static int known = -1;
  if (known < 0)
    {
      mxArray *name = mxCreateString ("__gpr_octave__"), *found;
      mexCallMATLAB (1, &found, 1, &name, "exist");
      known = mxGetScalar (found) == 3;
      mxDestroyArray (name);
      mxDestroyArray (found);
    }
  return known;
}

static mxArray *
create_large (const gpr_array *a, void **data)
{
  char class[32];
  snprintf (class, sizeof class, "%s%s", a->complex ? "complex " : "", gpr_class_names[a->class]);
  mxArray *in[2] = { mxCreateDoubleMatrix (1, a->ndims, mxREAL), mxCreateString (class) }, *made;
  for (int d = 0; d < a->ndims; d++)
    ((double *) mxGetData (in[0]))[d] = (double) a->dims[d];
  mexCallMATLAB (1, &made, 2, in, has_oct_file () ? "__gpr_octave__" : "zeros");
  mxDestroyArray (in[0]);
  mxDestroyArray (in[1]);
  *data = mxGetData (made);
  if (has_oct_file ())
    gpr_system_large_pages (*data, (size_t) gpr_array_numel (a) * gpr_elem_bytes[gpr_array_elem (a)]);
  return made;
}

static bool
is_large (const gpr_array *a)
{
  return (size_t) gpr_array_numel (a) * gpr_elem_bytes[gpr_array_elem (a)] > (size_t) 1 << 18;
}

mxArray *
gpr_mx_create (const gpr_array *a, void **data)
{
  static const mxClassID ids[GPR_CLASS_COUNT] = {
    mxDOUBLE_CLASS, mxSINGLE_CLASS, mxINT8_CLASS, mxUINT8_CLASS, mxINT16_CLASS, mxUINT16_CLASS,
    mxINT32_CLASS, mxUINT32_CLASS, mxINT64_CLASS, mxUINT64_CLASS, mxLOGICAL_CLASS, mxCHAR_CLASS
  };
  mwSize dims[GPR_MAX_DIMS];
  mxArray *m;

  size_t bytes = (size_t) gpr_array_numel (a) * gpr_elem_bytes[gpr_array_elem (a)];

  for (int d = 0; d < a->ndims; d++)
    dims[d] = a->dims[d];
  if (is_large (a) && ! a->complex && a->class < GPR_CLASS_logical)
    return create_large (a, data);
  if (a->complex)
    {
      /* Octave 7.3 allocates half of an interleaved complex array; give it the memory instead.  */
      m = mxCreateNumericMatrix (0, 0, ids[a->class], mxCOMPLEX);
      *data = mxMalloc (bytes ? bytes : 1);
      mxSetDimensions (m, dims, a->ndims);
      if (a->class == GPR_CLASS_double)
        mxSetComplexDoubles (m, *data);
      else
        mxSetComplexSingles (m, *data);
      return m;
    }
  if (a->class == GPR_CLASS_logical)
    m = mxCreateLogicalArray (a->ndims, dims);
  else if (a->class == GPR_CLASS_char)
    m = mxCreateCharArray (a->ndims, dims);
  else
    m = mxCreateUninitNumericArray (a->ndims, dims, ids[a->class], mxREAL);
  *data = mxGetData (m);
  return m;
}

mxArray *
gpr_mx_create_result (const gpr_array *a, void **data)
{
  return is_large (a) && a->class <= GPR_CLASS_logical && has_oct_file () ? create_large (a, data) : gpr_mx_create (a, data);
}

mxArray *
gpr_mx_host_result (const gpr_array *a, mxArray *m)
{
  if (! (a->complex && is_large (a) && has_oct_file ()))
    return m;                   /* Octave sees to it */
  mxArray *narrowed;
  mexCallMATLAB (1, &narrowed, 1, &m, "__gpr_octave__");
  mxDestroyArray (m);
  return narrowed;
}

void
gpr_mx_narrow (gpr_array *a, void *data)
{
  int64_t n = gpr_array_numel (a);
  if (a->class == GPR_CLASS_double)
    {
      double *v = data;
      for (int64_t i = 0; i < n; i++)
        if (v[2 * i + 1] != 0)
          return;
      for (int64_t i = 0; i < n; i++)
        v[i] = v[2 * i];
    }
  else
    {
      float *v = data;
      for (int64_t i = 0; i < n; i++)
        if (v[2 * i + 1] != 0)
          return;
      for (int64_t i = 0; i < n; i++)
        v[i] = v[2 * i];
    }
  a->complex = false;
}

mxArray *
gpr_mx_keep (const gpr_call *c, const gpr_choice *chosen, const gpr_array *a, mxArray *host)
{
  gpr_choice one = *chosen, *choice = &one;
  gpr_array kept = *a;
  if (kept.complex)
    gpr_mx_narrow (&kept, mxGetData (host));
  size_t bytes = (size_t) gpr_array_numel (&kept) * gpr_elem_bytes[gpr_array_elem (&kept)];
  void *data;
  double id;

  if (chosen->backend == &gpr_spread_backend)   /* what is kept is not divided */
    one.backend = &gpr_cuda ()->backend;
  kept.home = choice->backend;
  kept.device = choice->device;
  gpr_status status = choice->device > 0 ? gpr_cuda ()->select (choice->device) : GPR_OK;
  if (status == GPR_OK)
    status = choice->backend->allocate (&data, bytes);
  if (status == GPR_OK)
    {
      kept.data = data;
      status = bytes ? choice->backend->upload (data, mxGetData (host), bytes) : GPR_OK;
      if (status == GPR_OK)
        status = gpr_resident_add (&kept, &id);
      if (status != GPR_OK)
        choice->backend->release (data);
    }
  mxDestroyArray (host);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  return gpr_mx_wrap (c, id);
}

void
gpr_mx_output (gpr_output *o, const gpr_array *a, bool stays, bool there)
{
  *o = (gpr_output) { .array = *a, .stays = stays, .resident = stays && there && gpr_array_numel (a) > 0 };
  o->array.home = NULL;
  if (! o->resident)
    o->host = gpr_mx_create_result (&o->array, &o->data);
}

gpr_status
gpr_outputs_allocate (gpr_output *o, int count, const gpr_choice *choice)
{
  gpr_status status = GPR_OK;
  if (choice->device > 0 && count > 0 && (o[0].resident || o[count - 1].resident))      /* a converted operand may lie on another one */
    status = gpr_cuda ()->select (choice->device);
  for (int i = 0; i < count && status == GPR_OK; i++)
    if (o[i].resident)
      status = choice->backend->allocate (&o[i].data, gpr_array_numel (&o[i].array) * gpr_elem_bytes[gpr_array_elem (&o[i].array)]);
  return status;
}

gpr_status
gpr_outputs_finish (gpr_output *o, int count, const gpr_choice *choice, gpr_status status)
{
  for (int i = 0; i < count && status == GPR_OK; i++)
    if (o[i].resident)
      {
        o[i].array.data = o[i].data;
        o[i].array.home = choice->backend;
        o[i].array.device = choice->device;
        status = gpr_value_narrow (&o[i].array);
        o[i].data = (void *) (uintptr_t) o[i].array.data;
        if (status == GPR_OK)
          status = gpr_resident_add (&o[i].array, &o[i].id);
      }
  for (int i = 0; i < count && status != GPR_OK; i++)
    if (o[i].id)
      gpr_resident_free (o[i].id);
    else if (o[i].resident)
      choice->backend->release (o[i].data);
  return status;
}

mxArray *
gpr_mx_result (const gpr_call *c, const gpr_choice *choice, gpr_output *o)
{
  return o->resident ? gpr_mx_wrap (c, o->id) : o->stays ? gpr_mx_keep (c, choice, &o->array, o->host) : gpr_mx_host_result (&o->array, o->host);
}

void
gpr_mx_deliver (const gpr_call *c, mxArray **to, const gpr_choice *choice, gpr_output *o)
{
  if (o->resident)
    gpr_mx_deliver_id (c, to, o->id);
  else
    *to = gpr_mx_result (c, choice, o);
}
