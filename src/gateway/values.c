/* The resident arrays, for the oct-file: src/core/values.h.  No call of Octave's.  */

#include <stdio.h>
#include <string.h>

#include "../core/generate.h"
#include "../core/select.h"
#include "../core/solve.h"
#include "../resident/resident.h"
#include "../core/values.h"
#include "mx.h"
#include "values.h"

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

/* A new array of v's type and sizes, beside another one or (NULL) where arrays of the host go; end keeps it in the table, or not.  *warning: NULL, or
   what is to be said once.  */
static gpr_status
begin (gpr_array *z, const gpr_value *v, const gpr_array *beside, const char **warning)
{
  gpr_choice choice;
  void *data;

  *warning = NULL;
  *z = (gpr_array) { .class = class_named (v->type), .complex = v->complex, .ndims = v->ndims };
  if (z->class == GPR_CLASS_COUNT)
    return gpr_fail (GPR_BAD_INPUT, "there are no gpuArrays of class %s", v->type);
  memcpy (z->dims, v->dims, v->ndims * sizeof *z->dims);
  const size_t bytes = (size_t) gpr_array_numel (z) * gpr_elem_bytes[gpr_array_elem (z)];
  const gpr_work work = { GPR_WORK_STORE, gpr_array_elem (z), bytes };
  gpr_status status;
  do
    {
      status = gpr_choose ((gpr_device_request) { 0 }, beside ? beside->home : NULL, beside ? beside->device : 0, &work, NULL, &choice);
      if (status != GPR_OK)
        return status;
      if (! beside && gpr_choice_is_news (&choice))
        {
          snprintf (text, sizeof text, "gpuArray: running on the CPU: %s", choice.reason);
          *warning = text;
        }
      status = choice.backend->allocate (&data, bytes);
    }
  while (status == GPR_OUT_OF_MEMORY && gpr_expression_make_room ());
  z->data = data;
  z->home = choice.backend;
  z->device = choice.device;
  return status;
}

static const char *
end (gpr_array *z, gpr_status status, double *id)
{
  if (status == GPR_OK)
    status = gpr_resident_add (z, id);
  if (status == GPR_OK)
    return NULL;
  if (z->home)
    z->home->release ((void *) (uintptr_t) z->data);
  return failure (status);
}

static const char *
upload (const gpr_value *v, const void *data, double *id, const char **warning)
{
  gpr_array a;
  gpr_status status = begin (&a, v, NULL, warning);

  if (status == GPR_OK && gpr_array_numel (&a) > 0)
    status = a.home->upload ((void *) (uintptr_t) a.data, data, (size_t) gpr_array_numel (&a) * gpr_elem_bytes[gpr_array_elem (&a)]);
  return end (&a, status, id);
}

static const char *
download (double id, void *data)
{
  const gpr_array *a;
  gpr_status status = gpr_resident_array (id, &a);
  if (status != GPR_OK)
    return failure (status);
  size_t bytes = (size_t) gpr_array_numel (a) * gpr_elem_bytes[gpr_array_elem (a)];
  status = bytes ? a->home->download (data, a->data, bytes) : GPR_OK;
  return status == GPR_OK ? NULL : failure (status);
}

static bool
describe (double id, gpr_value *v)
{
  const gpr_resident *r = gpr_resident_find (id);
  if (! r)
    return false;
  const gpr_array *a = &r->array;
  v->type = gpr_class_names[a->class];
  v->complex = a->complex;
  v->ndims = a->ndims;
  memcpy (v->dims, a->dims, a->ndims * sizeof *a->dims);
  v->bytes = (size_t) gpr_array_numel (a) * gpr_elem_bytes[gpr_array_elem (a)];
  v->on_device = a->home->on_device;
  return true;
}

/* ---- elementwise operations ------------------------------------------------------------- */

/* m's result, which has z's class and sizes, beside a.  */
static const char *
mapped (gpr_mapping *m, gpr_array *z, const gpr_array *a, double *id)
{
  gpr_status status = gpr_resident_allocate (z, a);
  if (status != GPR_OK)
    return failure (status);
  m->z = (void *) (uintptr_t) z->data;
  if (gpr_array_numel (z) > 0)
    status = z->home->map (m);
  gpr_array_trim (z);
  if (status == GPR_OK && ! m->left)
    status = gpr_resident_add (z, id);
  if (status != GPR_OK || m->left)
    z->home->release (m->z);
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static const char *
map (const char *operation, const gpr_value_operand *operands, int count, double *id)
{
  gpr_operand x[2] = { { NULL } };
  gpr_resident *result;
  int op = 0;

  *id = 0;
  while (op < GPR_MAP_OP_COUNT && ! (gpr_map_names[op] && strcmp (operation, gpr_map_names[op]) == 0))
    op++;
  if (op == GPR_MAP_OP_COUNT || count != (gpr_map_takes_two (op) ? 2 : 1))
    return NULL;
  for (int k = 0; k < count; k++)
    if (operands[k].id == 0)
      x[k] = (gpr_operand) { NULL, operands[k].number, class_named (operands[k].type) };
    else
      {
        x[k].array = gpr_resident_find (operands[k].id);
        if (! x[k].array)
          return failure (gpr_fail (GPR_BAD_INPUT, "%s", lost));
      }
  gpr_status status = gpr_expression ((gpr_map_op) op, x, count, &result);
  if (status != GPR_OK || ! result)
    return status == GPR_OK ? NULL : failure (status);
  status = gpr_resident_name (result, id);
  if (status == GPR_OK)
    return NULL;
  gpr_resident_drop (result);
  return failure (status);
}

/* Complex numbers are two real ones side by side, 64-bit integers any 8 bytes.  */
static const char *
copy (double from, const gpr_value_view *view, double *id)
{
  gpr_map_step step = { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF };
  const gpr_array *a;
  gpr_status status = gpr_resident_array (from, &a);
  gpr_mapping m = { .leaves = 1, .steps = 1, .step = &step };
  gpr_array z = { .ndims = view->ndims };

  *id = 0;
  if (status != GPR_OK)
    return failure (status);
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

/* What waits for the elements of a computed array is computed, and what is known of them no longer holds.  */
static gpr_status
before_change (double to)
{
  gpr_resident *r = gpr_resident_find (to);
  gpr_status status = gpr_expression_compute_readers (r);
  gpr_expression_changed (r);
  return status;
}

static const char *
place (double to, const gpr_value_view *view, const gpr_value_operand *operand, bool *done)
{
  gpr_map_step steps[2] = { { .op = GPR_MAP_load, .operand = GPR_MAP_NUMBER, .number = operand->number }, { .op = 0 } };
  const gpr_array *a, *b = NULL;
  gpr_mapping m = { .steps = 1, .step = steps, .placed = true, .rank = view->rank };
  gpr_choice choice;

  *done = false;
  gpr_status status = gpr_resident_array (to, &a);
  if (status == GPR_OK && operand->id != 0)
    status = gpr_resident_array (operand->id, &b);
  if (status == GPR_OK)
    status = before_change (to);
  if (status != GPR_OK)
    return failure (status);
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
  status = gpr_choose ((gpr_device_request) { 0 }, a->home, a->device, &work, NULL, &choice);
  if (status == GPR_OK)
    status = choice.backend->map (&m);
  *done = status == GPR_OK;
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static const char *
make (double beside, const gpr_value *v, double *id)
{
  const gpr_resident *r = gpr_resident_find (beside);
  const char *warning;
  gpr_array z;

  *id = 0;
  if (! r)
    return failure (gpr_fail (GPR_BAD_INPUT, "%s", lost));
  const gpr_status status = begin (&z, v, &r->array, &warning);
  return end (&z, status, id);
}

/* ---- arrays that are made where they lie --------------------------------------------------- */

/* Every stride-th of count elements is number; of an integer of 64 bits its bits are those of a double.  */
static gpr_status
put (const gpr_array *z, int64_t count, int64_t stride, double number)
{
  const bool wide = z->class == GPR_CLASS_int64 || z->class == GPR_CLASS_uint64;
  union { int64_t i; double d; } bits = { (int64_t) number };
  const gpr_map_step step = { .op = GPR_MAP_load, .operand = GPR_MAP_NUMBER, .single = z->class == GPR_CLASS_single, .number = wide ? bits.d : number };
  gpr_mapping m = {
    .rank = 1, .dims = { count }, .strides = { [GPR_MAP_LEAVES] = { stride } }, .placed = stride != 1, .steps = 1, .step = &step,
    .class = wide ? GPR_CLASS_double : z->class, .z = (void *) (uintptr_t) z->data
  };
  return count > 0 ? z->home->map (&m) : GPR_OK;
}

static const char *
fill (const gpr_value *v, double number, bool diagonal, double *id, const char **warning)
{
  gpr_array z;
  gpr_status status = begin (&z, v, NULL, warning);

  *id = 0;
  if (status == GPR_OK)
    status = put (&z, gpr_array_numel (&z), 1, diagonal ? 0 : number);
  if (status == GPR_OK && diagonal)
    status = put (&z, z.dims[0] < z.dims[1] ? z.dims[0] : z.dims[1], z.dims[0] + 1, number);
  return end (&z, status, id);
}

/* The places that as many of n random numbers have among these, in order: z has room for the places.  */
static gpr_status
permute (const gpr_array *z, int64_t n)
{
  gpr_generation keys = { .kind = GPR_UNIFORM, .elem = GPR_f64, .count = n };
  gpr_ranking r = {
    .elem = GPR_f64, .inner = 1, .length = n, .outer = 1, .count = gpr_array_numel (z), .x_resident = true, .out_resident = true,
    .index = (double *) (uintptr_t) z->data
  };
  gpr_status status = z->home->allocate (&keys.z, (size_t) n * sizeof (double));

  if (status == GPR_OK)
    status = z->home->allocate (&r.value, (size_t) r.count * sizeof (double));
  if (status == GPR_OK)
    status = gpr_generate (z->home, &keys);
  r.x = keys.z;
  if (status == GPR_OK)
    status = z->home->rank (&r);
  z->home->release (r.value);
  z->home->release (keys.z);
  return status;
}

static const char *
generate (const char *name, const gpr_value *v, const double *numbers, double *id, const char **warning)
{
  static const struct { const char *name; gpr_generated kind; } kinds[] = {
    { "rand", GPR_UNIFORM }, { "randn", GPR_NORMAL }, { "rande", GPR_EXPONENTIAL }, { "randi", GPR_INTEGERS }, { "colon", GPR_RANGE }
  };
  gpr_array z;
  gpr_status status = begin (&z, v, NULL, warning);

  *id = 0;
  if (status == GPR_OK && strcmp (name, "randperm") == 0)
    status = permute (&z, (int64_t) numbers[0]);
  else if (status == GPR_OK)
    {
      gpr_generation g = { .elem = gpr_elem_of_class (z.class), .count = gpr_array_numel (&z) * (z.complex ? 2 : 1), .z = (void *) (uintptr_t) z.data };
      for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp (name, kinds[k].name) == 0)
          g.kind = kinds[k].kind;
      if (g.kind == GPR_INTEGERS)
        {
          g.least = (int64_t) numbers[0];
          g.many = (uint64_t) ((int64_t) numbers[1] - g.least) + 1;
        }
      if (g.kind == GPR_RANGE)
        {
          g.first = numbers[0];
          g.step = numbers[1];
          g.last = numbers[2];
        }
      status = gpr_generate (z.home, &g);
    }
  return end (&z, status, id);
}

static const char *
wait (void)
{
  gpr_status status = gpr_expression_compute_all ();
  return status == GPR_OK ? NULL : failure (status);
}

/* ---- lists ------------------------------------------------------------------------------- */

/* Of a status, and the array that is then known as *id.  */
static const char *
added (gpr_status status, const gpr_array *z, double *id)
{
  if (status == GPR_OK && z->data)
    {
      status = gpr_resident_add (z, id);
      if (status != GPR_OK)
        z->home->release ((void *) (uintptr_t) z->data);
    }
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static const char *
gather (double from, const gpr_value_selection *s, double *id)
{
  const gpr_array *a;
  gpr_array z = { .ndims = 0 };
  gpr_status status = gpr_resident_array (from, &a);

  *id = 0;
  if (status == GPR_OK)
    status = gpr_value_gather (a, s, &z);
  return added (status, &z, id);
}

static const char *
scatter (double to, const gpr_value_selection *s, const gpr_value_operand *operand, bool *done)
{
  const gpr_array number = { .class = operand->id == 0 ? class_named (operand->type) : 0, .ndims = 2, .dims = { 1, 1 }, .data = &operand->number };
  const gpr_array *a, *b = &number;
  gpr_status status = gpr_resident_array (to, &a);

  *done = false;
  if (status == GPR_OK && operand->id != 0)
    status = gpr_resident_array (operand->id, &b);
  if (status == GPR_OK)
    status = before_change (to);
  if (status == GPR_OK && ! keeps_class (a->class, b->class))
    return NULL;
  if (status == GPR_OK)
    status = gpr_value_scatter (a, s, b, done);
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static const char *
find (double of, const char *type, int64_t most, bool last, double *id)
{
  const gpr_array *a;
  gpr_array z = { .class = class_named (type) };
  gpr_status status = gpr_resident_array (of, &a);

  *id = 0;
  if (status == GPR_OK)
    status = gpr_value_find (a, most, last, &z);
  return added (status, &z, id);
}

static const char *
sort (double of, int dim, bool down, double *id, double *index)
{
  const gpr_array *a;
  gpr_array z = { .ndims = 0 }, rows = { .ndims = 0 };
  gpr_status status = gpr_resident_array (of, &a);

  *id = 0;
  if (status == GPR_OK)
    status = gpr_value_sort (a, dim, down, &z, index ? &rows : NULL);
  const char *failed = added (status, &z, id);
  if (! index || failed || *id == 0)
    return failed;
  failed = added (GPR_OK, &rows, index);
  if (failed)
    gpr_resident_free (*id);
  return failed;
}

/* ---- linear algebra and Fourier transforms ---------------------------------------------- */

/* Memory of the class and sizes that *z has, on a's device; data is NULL where there is none.  */
static gpr_status
allocate_beside (const gpr_array *a, gpr_array *z)
{
  z->data = NULL;
  z->home = a->home;
  z->device = a->device;
  return gpr_resident_allocate (z, a);
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
    status = gpr_resident_add (z, id);
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
      status = gpr_resident_array (given[k], &arrays[k]);
      if (status != GPR_OK)
        return failure (status);
      const gpr_array *a = arrays[k];
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
    gpr_resident_free (ids[k]);
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static const char *
fourier (const gpr_fourier_task *task, double from, double *id)
{
  const gpr_array *x;
  gpr_array z = { .complex = true, .ndims = task->ndims };
  gpr_status status = gpr_resident_array (from, &x);
  gpr_fourier p = { task, x, &z };

  *id = 0;
  if (status != GPR_OK)
    return failure (status);
  memcpy (z.dims, task->dims, task->ndims * sizeof *task->dims);
  if (! x->home->fourier || ! (x->class == GPR_CLASS_single || counts_as_double (x->class)) || gpr_array_numel (x) == 0 || gpr_array_numel (&z) == 0)
    return NULL;
  z.class = x->class == GPR_CLASS_single ? GPR_CLASS_single : GPR_CLASS_double;
  status = allocate_beside (x, &z);
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
  GPR_VALUES_VERSION, upload, download, message, describe, gpr_resident_free, map, copy, place, linear, fourier, make, wait, gpr_expression_lazy, fill, generate, claim,
  gather, scatter, find, sort
};

const gpr_array *
gpr_mx_resident (const gpr_call *c, const mxArray *m)
{
  const gpr_value_handle *handle = mxGetData (m);
  const gpr_array *a = NULL;
  if (handle && handle->core != &gpr_values)
    gpr_mx_invalid (c, "the gpuArray was made by another gpureduce, which was loaded when this one was installed: start Octave again");
  gpr_status status = handle ? gpr_resident_array (handle->id, &a) : gpr_fail (GPR_BAD_INPUT, "%s", lost);
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
