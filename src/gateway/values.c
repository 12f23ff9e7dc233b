/* The resident arrays, for the oct-file: src/core/values.h.  No call of Octave's.  */

#include <stdio.h>
#include <string.h>

#include "../core/map.h"
#include "../core/values.h"
#include "mx.h"
#include "values.h"

static double unclaimed;        /* an array whose value is being made */
static char text[1200];
static const char *const lost = GPR_VALUE_LOST;

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

static bool
count_bytes (const gpr_array *a, size_t *bytes)
{
  bool fits = true;

  *bytes = gpr_elem_bytes[gpr_array_elem (a)];
  for (int d = 0; d < a->ndims; d++)
    {
      if (a->dims[d] == 0)
        return *bytes = 0, true;
      fits = ! __builtin_mul_overflow (*bytes, (size_t) a->dims[d], bytes) && fits;
    }
  return fits && *bytes <= PTRDIFF_MAX;
}

gpr_status
gpr_value_allocate (gpr_array *z, const gpr_array *a)
{
  void *data;
  size_t bytes;
  gpr_choice choice;

  if (! count_bytes (z, &bytes))
    return gpr_fail (GPR_OUT_OF_MEMORY, "the result has more elements than can be counted");
  const gpr_work work = { GPR_WORK_STORE, gpr_array_elem (z), bytes };
  gpr_status status = gpr_choose ((gpr_device_request) { 0 }, a->home, a->device, &work, NULL, &choice);
  if (status == GPR_OK)
    status = choice.backend->allocate (&data, bytes);
  if (status != GPR_OK)
    return status;
  z->data = data;
  z->home = choice.backend;
  z->device = choice.device;
  return GPR_OK;
}

/* m's result, which has z's class and sizes, beside a.  */
static const char *
mapped (gpr_mapping *m, gpr_array *z, const gpr_array *a, double *id)
{
  gpr_status status = gpr_value_allocate (z, a);
  if (status != GPR_OK)
    return failure (status);
  m->z = (void *) (uintptr_t) z->data;
  if (gpr_array_numel (z) > 0)
    status = z->home->map (m);
  gpr_array_trim (z);
  if (status == GPR_OK && ! m->left)
    status = gpr_handle_add (z, id);
  if (status != GPR_OK || m->left)
    z->home->release (m->z);
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
  if (op == GPR_MAP_OP_COUNT || count != (gpr_map_takes_two (op) ? 2 : 1))
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

  *id = 0;
  if (! a)
    return failure (gpr_fail (GPR_BAD_INPUT, "%s", lost));
  memcpy (z.dims, v->dims, v->ndims * sizeof *z.dims);
  gpr_status status = gpr_value_allocate (&z, a);
  if (status != GPR_OK)
    return failure (status);
  status = gpr_handle_add (&z, id);
  if (status == GPR_OK)
    return NULL;
  z.home->release ((void *) (uintptr_t) z.data);
  return failure (status);
}

/* ---- lists ------------------------------------------------------------------------------- */

/* Of a status, and the array that is then known as *id.  */
static const char *
added (gpr_status status, const gpr_array *z, double *id)
{
  if (status == GPR_OK && z->data)
    {
      status = gpr_handle_add (z, id);
      if (status != GPR_OK)
        z->home->release ((void *) (uintptr_t) z->data);
    }
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static const char *
gather (double from, const gpr_value_selection *s, double *id)
{
  const gpr_array *a = gpr_handle_find (from);
  gpr_array z = { .ndims = 0 };

  *id = 0;
  return ! a ? failure (gpr_fail (GPR_BAD_INPUT, "%s", lost)) : added (gpr_value_gather (a, s, &z), &z, id);
}

static const char *
scatter (double to, const gpr_value_selection *s, const gpr_value_operand *operand, bool *done)
{
  const gpr_array *a = gpr_handle_find (to), *b = operand->id == 0 ? NULL : gpr_handle_find (operand->id);
  const gpr_array number = { .class = b ? b->class : class_named (operand->type), .ndims = 2, .dims = { 1, 1 }, .data = &operand->number };

  *done = false;
  if (! a || (operand->id != 0 && ! b))
    return failure (gpr_fail (GPR_BAD_INPUT, "%s", lost));
  if (! keeps_class (a->class, number.class))
    return NULL;
  const gpr_status status = gpr_value_scatter (a, s, b ? b : &number, done);
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static const char *
find (double of, const char *type, int64_t most, bool last, double *id)
{
  const gpr_array *a = gpr_handle_find (of);
  gpr_array z = { .class = class_named (type) };

  *id = 0;
  return ! a ? failure (gpr_fail (GPR_BAD_INPUT, "%s", lost)) : added (gpr_value_find (a, most, last, &z), &z, id);
}

static const char *
sort (double of, int dim, bool down, double *id, double *index)
{
  const gpr_array *a = gpr_handle_find (of);
  gpr_array z = { .ndims = 0 }, rows = { .ndims = 0 };

  *id = 0;
  if (! a)
    return failure (gpr_fail (GPR_BAD_INPUT, "%s", lost));
  const char *failed = added (gpr_value_sort (a, dim, down, &z, index ? &rows : NULL), &z, id);
  if (! index || failed || *id == 0)
    return failed;
  failed = added (GPR_OK, &rows, index);
  if (failed)
    gpr_handle_free (*id);
  return failed;
}

static double
claim (void)
{
  double id = unclaimed;
  unclaimed = 0;
  return id;
}

const gpr_values_table gpr_values __attribute__ ((visibility ("default"))) = {
  GPR_VALUES_VERSION, upload, download, message, describe, gpr_handle_free, map, copy, place, make, claim,
  gather, scatter, find, sort
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
