/* The resident arrays, for the oct-file: src/core/values.h.  No call of Octave's.  */

#include <stdio.h>
#include <string.h>

#include "../core/map.h"
#include "../core/solve.h"
#include "../core/values.h"
#include "mx.h"

static double unclaimed;        /* an array whose value is being made */
static char text[1200];
static const char *const lost = "the gpuArray is no longer valid: it was freed, or its device was reset";

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

static gpr_class
class_named (const char *type)
{
  int class = 0;
  while (class < GPR_CLASS_COUNT && strcmp (type, gpr_class_names[class]) != 0)
    class++;
  return (gpr_class) class;
}

static const char *
upload (const gpr_value *v, const void *data, double *id, const char **warning)
{
  gpr_array a = { .class = 0, .complex = v->complex, .ndims = v->ndims };
  gpr_choice choice;
  void *copy;

  *warning = NULL;
  a.class = class_named (v->type);
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
    return failure (gpr_fail (GPR_BAD_INPUT, "%s", lost));
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
  v->on_device = a->home->on_device;
  return true;
}

/* ---- elementwise operations ------------------------------------------------------------- */

#define NAME(op) [GPR_MAP_##op] = #op,
static const char *const operations[GPR_MAP_OP_COUNT] = { GPR_MAP_UNARY (NAME) GPR_MAP_BINARY (NAME) };

/* z's sizes, and the strides of leaf l in them, an array of a; false: they do not go together.  */
static bool
broadcasts (gpr_array *z, gpr_mapping *m, const gpr_array *const *arrays)
{
  z->ndims = 2;
  for (int l = 0; l < m->leaves; l++)
    z->ndims = arrays[l]->ndims > z->ndims ? arrays[l]->ndims : z->ndims;
  for (int d = 0; d < z->ndims; d++)
    {
      z->dims[d] = 1;
      for (int l = 0; l < m->leaves; l++)
        {
          const int64_t n = d < arrays[l]->ndims ? arrays[l]->dims[d] : 1;
          if (n != 1 && z->dims[d] != 1 && n != z->dims[d])
            return false;
          z->dims[d] = n == 1 ? z->dims[d] : n;
        }
    }
  for (int l = 0; l < m->leaves; l++)
    {
      int64_t step = 1;
      for (int d = 0; d < z->ndims; d++)
        {
          const int64_t n = d < arrays[l]->ndims ? arrays[l]->dims[d] : 1;
          m->strides[l][d] = n == 1 ? 0 : step;
          step *= n;
        }
    }
  m->rank = z->ndims;
  memcpy (m->dims, z->dims, z->ndims * sizeof *z->dims);
  return true;
}

/* m's result, which has z's class and sizes, beside a.  */
static const char *
mapped (gpr_mapping *m, gpr_array *z, const gpr_array *a, double *id)
{
  const size_t bytes = (size_t) gpr_array_numel (z) * gpr_elem_bytes[gpr_array_elem (z)];
  const gpr_work work = { GPR_WORK_STORE, gpr_array_elem (z), bytes };
  gpr_choice choice;
  gpr_status status = gpr_choose ((gpr_device_request) { 0 }, a->home, a->device, &work, NULL, &choice);
  if (status == GPR_OK)
    status = choice.backend->allocate (&m->z, bytes);
  if (status != GPR_OK)
    return failure (status);
  if (bytes > 0)
    status = choice.backend->map (m);
  z->data = m->z;
  z->home = choice.backend;
  z->device = choice.device;
  gpr_array_trim (z);
  if (status == GPR_OK && ! m->left)
    status = gpr_handle_add (z, id);
  if (status != GPR_OK || m->left)
    choice.backend->release (m->z);
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static const char *
map (const char *operation, const gpr_value_operand *operands, int count, double *id)
{
  const gpr_array *arrays[2] = { NULL, NULL };
  gpr_map_step steps[3] = { { .op = GPR_MAP_load }, { .op = 0 }, { .op = 0 } };
  gpr_mapping m = { .steps = 2, .step = steps };
  gpr_array z = { .class = 0 };
  gpr_class classes[2];
  bool single;
  int op = 0;

  *id = 0;
  while (op < GPR_MAP_OP_COUNT && ! (operations[op] && strcmp (operation, operations[op]) == 0))
    op++;
  if (op == GPR_MAP_OP_COUNT)
    return NULL;
  steps[1].op = (uint8_t) op;
  for (int k = 0; k < count; k++)
    {
      gpr_map_step *s = &steps[k];
      s->operand = operands[k].id == 0 ? GPR_MAP_NUMBER : GPR_MAP_LEAF;
      s->number = operands[k].number;
      if (operands[k].id == 0)
        {
          classes[k] = class_named (operands[k].type);
          continue;
        }
      const gpr_array *a = gpr_handle_find (operands[k].id);
      if (! a)
        return failure (gpr_fail (GPR_BAD_INPUT, "%s", lost));
      if (a->complex)
        return NULL;
      classes[k] = a->class;
      s->at = m.leaves;
      m.x[m.leaves] = a->data;
      m.classes[m.leaves] = a->class;
      arrays[m.leaves++] = a;
    }
  if (m.leaves == 0 || ! gpr_map_class ((gpr_map_op) op, classes[0], count == 2 ? &classes[1] : NULL, &z.class, &single)
      || (m.leaves == 2 && (arrays[0]->home != arrays[1]->home || arrays[0]->device != arrays[1]->device)) || ! broadcasts (&z, &m, arrays))
    return NULL;
  if (gpr_class_is_integer (z.class))
    {
      static const uint8_t narrows[GPR_CLASS_COUNT] = {
        [GPR_CLASS_int8] = GPR_MAP_to_int8, [GPR_CLASS_uint8] = GPR_MAP_to_uint8, [GPR_CLASS_int16] = GPR_MAP_to_int16,
        [GPR_CLASS_uint16] = GPR_MAP_to_uint16, [GPR_CLASS_int32] = GPR_MAP_to_int32, [GPR_CLASS_uint32] = GPR_MAP_to_uint32
      };
      steps[m.steps++].op = narrows[z.class];
    }
  for (int k = 0; k < m.steps; k++)
    steps[k].single = single;
  m.class = z.class;

  return mapped (&m, &z, arrays[0], id);
}

/* Complex numbers are two real ones side by side, 64-bit integers any 8 bytes.  */
static const char *
copy (double from, const gpr_value_view *view, double *id)
{
  gpr_map_step step = { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF };
  const gpr_array *a = gpr_handle_find (from);
  gpr_mapping m = { .leaves = 1, .steps = 1, .step = &step };
  gpr_array z = { .ndims = view->ndims };

  *id = 0;
  if (! a)
    return failure (gpr_fail (GPR_BAD_INPUT, "%s", lost));
  z.class = a->class;
  z.complex = a->complex;
  memcpy (z.dims, view->size, view->ndims * sizeof *z.dims);
  const int parts = a->complex ? 2 : 1;
  if (view->rank + 1 > GPR_MAX_DIMS)
    return NULL;
  if (a->complex)
    {
      m.dims[m.rank] = 2;
      m.strides[0][m.rank++] = 1;
    }
  for (int d = 0; d < view->rank; d++)
    {
      m.dims[m.rank] = view->dims[d];
      m.strides[0][m.rank++] = parts * view->strides[d];
    }
  m.x[0] = (const char *) a->data + view->offset * gpr_elem_bytes[gpr_array_elem (a)];
  m.class = a->class == GPR_CLASS_int64 || a->class == GPR_CLASS_uint64 ? GPR_CLASS_double : a->class;
  m.classes[0] = m.class;
  step.single = m.class == GPR_CLASS_single;
  return mapped (&m, &z, a, id);
}

/* By Octave's rule of assignment the array keeps its class, or it is not done here.  */
static bool
keeps_class (gpr_class array, gpr_class value)
{
  return value == array || (value == GPR_CLASS_double && array != GPR_CLASS_logical && array != GPR_CLASS_char)
         || (value == GPR_CLASS_single && gpr_class_is_integer (array)) || (value == GPR_CLASS_logical && array != GPR_CLASS_char);
}

static const char *
place (double to, const gpr_value_view *view, const gpr_value_operand *operand, bool *done)
{
  gpr_map_step steps[2] = { { .op = GPR_MAP_load, .operand = GPR_MAP_NUMBER, .number = operand->number }, { .op = 0 } };
  const gpr_array *a = gpr_handle_find (to), *b = operand->id == 0 ? NULL : gpr_handle_find (operand->id);
  gpr_mapping m = { .steps = 1, .step = steps, .placed = true, .rank = view->rank };
  gpr_choice choice;

  *done = false;
  if (! a || (operand->id != 0 && ! b))
    return failure (gpr_fail (GPR_BAD_INPUT, "%s", lost));
  const gpr_class value = b ? b->class : class_named (operand->type);
  const bool wide = a->class == GPR_CLASS_int64 || a->class == GPR_CLASS_uint64;
  if (a->complex || (b && (b->complex || b->home != a->home || b->device != a->device)) || ! keeps_class (a->class, value) || (wide && ! (b && value == a->class)))
    return NULL;
  m.class = wide ? GPR_CLASS_double : a->class;
  for (int d = 0; d < view->rank; d++)
    {
      m.dims[d] = view->dims[d];
      m.strides[GPR_MAP_LEAVES][d] = view->strides[d];
      m.strides[0][d] = b && gpr_array_numel (b) != 1 ? d == 0 ? 1 : m.strides[0][d - 1] * view->dims[d - 1] : 0;
    }
  if (b)
    {
      m.leaves = 1;
      m.x[0] = b->data;
      m.classes[0] = wide ? GPR_CLASS_double : b->class;
      steps[0].operand = GPR_MAP_LEAF;
    }
  steps[0].single = m.class == GPR_CLASS_single;
  m.z = (char *) (uintptr_t) a->data + view->offset * gpr_elem_bytes[gpr_array_elem (a)];
  const gpr_work work = { GPR_WORK_STORE, gpr_array_elem (a), 0 };
  gpr_status status = gpr_choose ((gpr_device_request) { 0 }, a->home, a->device, &work, NULL, &choice);
  if (status == GPR_OK)
    status = choice.backend->map (&m);
  *done = status == GPR_OK;
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static const char *
make (double beside, const gpr_value *v, double *id)
{
  const gpr_array *a = gpr_handle_find (beside);
  gpr_array z = { .class = class_named (v->type), .complex = v->complex, .ndims = v->ndims };
  gpr_choice choice;
  void *data = NULL;

  *id = 0;
  if (! a)
    return failure (gpr_fail (GPR_BAD_INPUT, "%s", lost));
  memcpy (z.dims, v->dims, v->ndims * sizeof *z.dims);
  const size_t bytes = (size_t) gpr_array_numel (&z) * gpr_elem_bytes[gpr_array_elem (&z)];
  const gpr_work work = { GPR_WORK_STORE, gpr_array_elem (&z), bytes };
  gpr_status status = gpr_choose ((gpr_device_request) { 0 }, a->home, a->device, &work, NULL, &choice);
  if (status == GPR_OK)
    status = choice.backend->allocate (&data, bytes);
  if (status != GPR_OK)
    return failure (status);
  z.data = data;
  z.home = choice.backend;
  z.device = choice.device;
  status = gpr_handle_add (&z, id);
  if (status == GPR_OK)
    return NULL;
  choice.backend->release (data);
  return failure (status);
}

/* ---- linear algebra and Fourier transforms ---------------------------------------------- */

static size_t
bytes_of (const gpr_array *a)
{
  return (size_t) gpr_array_numel (a) * gpr_elem_bytes[gpr_array_elem (a)];
}

/* Memory of the class and sizes that *z has, on a's device.  */
static gpr_status
allocate_beside (const gpr_array *a, gpr_array *z)
{
  const gpr_work work = { GPR_WORK_STORE, gpr_array_elem (z), bytes_of (z) };
  gpr_choice choice;
  void *data = NULL;
  z->data = NULL;
  z->home = a->home;
  z->device = a->device;
  gpr_status status = gpr_choose ((gpr_device_request) { 0 }, a->home, a->device, &work, NULL, &choice);
  if (status == GPR_OK)
    status = a->home->allocate (&data, bytes_of (z));
  z->data = data;
  return status;
}

/* Where no element of *z has an imaginary part, the real parts take its place, as in Octave.  */
static gpr_status
narrow (gpr_array *z)
{
  const bool single = z->class == GPR_CLASS_single;
  const int64_t n = gpr_array_numel (z);
  double sums[2] = { 0, 0 };            /* of absolute values: real parts, imaginary parts */
  gpr_reduction r = { .instance = single ? GPR_norm1_f32 : GPR_norm1_f64, .inner = 2, .length = n, .outer = 1, .x = z->data, .x_resident = true, .value = sums };
  gpr_map_step step = { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF, .single = single };
  gpr_mapping m = { .rank = 1, .dims = { n }, .leaves = 1, .x = { z->data }, .classes = { z->class }, .strides = { { 2 } }, .steps = 1, .step = &step, .class = z->class };

  if (! z->complex || n == 0)
    return GPR_OK;
  gpr_status status = z->home->reduce (&r);
  if (status != GPR_OK || sums[1] != 0)
    return status;
  gpr_array real = *z;
  real.complex = false;
  status = allocate_beside (z, &real);
  m.z = (void *) real.data;
  if (status == GPR_OK)
    status = z->home->map (&m);
  z->home->release ((void *) (status == GPR_OK ? z->data : real.data));
  if (status == GPR_OK)
    *z = real;
  return status;
}

/* *z, of memory that the backend gave, becomes a resident array beside a; or is released.  */
static gpr_status
adopt (gpr_array *z, const gpr_array *a, double *id)
{
  z->home = a->home;
  z->device = a->device;
  gpr_array_trim (z);
  gpr_status status = narrow (z);
  if (status == GPR_OK)
    status = gpr_handle_add (z, id);
  if (status != GPR_OK)
    a->home->release ((void *) z->data);
  return status;
}

/* a, or in *copy, the caller's, the same numbers of a class.  */
static gpr_status
as_class (const gpr_array **a, gpr_class class, gpr_array *copy)
{
  *copy = **a;
  copy->data = NULL;
  if ((*a)->class == class)
    return GPR_OK;
  copy->class = class;
  gpr_status status = allocate_beside (*a, copy);
  if (status != GPR_OK)
    return status;
  const int parts = copy->complex ? 2 : 1;
  const gpr_array number = { .class = (*a)->class }, of_copy = { .class = class };
  gpr_conversion c = { gpr_array_elem (&number), gpr_array_elem (&of_copy), parts * gpr_array_numel (copy), (*a)->data, (void *) copy->data };
  *a = copy;
  return copy->home->convert (&c);
}

static bool
counts_as_double (gpr_class class)
{
  return class == GPR_CLASS_double || class == GPR_CLASS_logical || class == GPR_CLASS_char;
}

static const char *
linear (gpr_linear_task *task, const double *given, int count, double *ids, bool *done)
{
  const gpr_array *arrays[GPR_LINEAR_GIVEN] = { NULL };
  gpr_array copies[GPR_LINEAR_GIVEN] = { { .data = NULL }, { .data = NULL } };
  gpr_linear p = { .task = task };
  gpr_class class = GPR_CLASS_double;
  gpr_status status = GPR_OK;

  *done = false;
  memset (ids, 0, GPR_LINEAR_RESULTS * sizeof *ids);
  for (int k = 0; k < count; k++)
    {
      const gpr_array *a = arrays[k] = gpr_handle_find (given[k]);
      if (! a)
        return failure (gpr_fail (GPR_BAD_INPUT, "%s", lost));
      if (! a->home->linear || a->home != arrays[0]->home || a->device != arrays[0]->device || a->ndims != 2 || gpr_array_numel (a) == 0
          || ! (a->class == GPR_CLASS_single || counts_as_double (a->class)))
        return NULL;
      if (a->class == GPR_CLASS_single)
        class = a->class;
    }
  for (int k = 0; k < count && status == GPR_OK; k++)
    {
      p.given[k] = arrays[k];
      status = as_class (&p.given[k], class, &copies[k]);
    }
  const gpr_backend *home = arrays[0]->home;
  if (status == GPR_OK)
    status = home->linear (&p);
  for (int k = 0; k < count; k++)
    home->release ((void *) copies[k].data);
  for (int k = 0; k < GPR_LINEAR_RESULTS; k++)
    if (status == GPR_OK && p.results[k].data)
      status = adopt (&p.results[k], arrays[0], &ids[k]);
    else if (p.results[k].data)
      home->release ((void *) p.results[k].data);
  *done = status == GPR_OK;
  for (int k = 0; k < GPR_LINEAR_RESULTS && ! *done; k++)
    gpr_handle_free (ids[k]);
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static const char *
fourier (const gpr_fourier_task *task, double from, double *id)
{
  const gpr_array *x = gpr_handle_find (from);
  gpr_array z = { .complex = true, .ndims = task->ndims };
  gpr_fourier p = { task, x, &z };

  *id = 0;
  if (! x)
    return failure (gpr_fail (GPR_BAD_INPUT, "%s", lost));
  memcpy (z.dims, task->dims, task->ndims * sizeof *task->dims);
  if (! x->home->fourier || ! (x->class == GPR_CLASS_single || counts_as_double (x->class)) || gpr_array_numel (x) == 0 || gpr_array_numel (&z) == 0)
    return NULL;
  z.class = x->class == GPR_CLASS_single ? GPR_CLASS_single : GPR_CLASS_double;
  gpr_status status = allocate_beside (x, &z);
  if (status == GPR_OK)
    status = x->home->fourier (&p);
  if (status == GPR_OK)
    status = adopt (&z, x, id);
  else
    x->home->release ((void *) z.data);
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static double
claim (void)
{
  double id = unclaimed;
  unclaimed = 0;
  return id;
}

const gpr_values_table gpr_values __attribute__ ((visibility ("default"))) = {
  GPR_VALUES_VERSION, upload, download, message, describe, gpr_handle_free, map, copy, place, linear, fourier, make, claim
};

const gpr_array *
gpr_mx_resident (const gpr_call *c, const mxArray *m)
{
  const gpr_value_handle *handle = mxGetData (m);
  const gpr_array *a = handle && handle->core == &gpr_values ? gpr_handle_find (handle->id) : NULL;
  if (handle && handle->core != &gpr_values)
    gpr_mx_invalid (c, "the gpuArray was made by another gpureduce, which was loaded when this one was installed: start Octave again");
  if (! a)
    gpr_mx_invalid (c, "%s", lost);
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
