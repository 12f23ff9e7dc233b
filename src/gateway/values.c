/* The resident arrays, for the oct-file: src/core/values.h.  No call of Octave's.  */

#include <stdio.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "../dispatch/choose.h"
#include "../resident/resident.h"
#include "../spread/spread.h"
#include "../core/system.h"
#include "../core/values.h"
#include "request.h"
#include "values.h"

enum { LENT = 4096 };           /* bytes: fewer are as soon copied */

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

static gpr_class
class_named (const char *type)
{
  int class = 0;
  while (class < GPR_CLASS_COUNT && strcmp (type, gpr_class_names[class]) != 0)
    class++;
  return (gpr_class) class;
}

static gpr_status
take_kind (gpr_array *z, const gpr_value *v)
{
  *z = (gpr_array) { .class = class_named (v->type), .complex = v->complex, .ndims = v->ndims };
  memcpy (z->dims, v->dims, v->ndims * sizeof *z->dims);
  return z->class == GPR_CLASS_COUNT ? gpr_fail (GPR_BAD_INPUT, "there are no gpuArrays of class %s", v->type) : GPR_OK;
}

/* A new array of v's type and sizes where arrays of the host go; on the CPU, data may do.  *warning: NULL, or what is to be said once.  */
static gpr_status
begin (gpr_array *z, const gpr_value *v, const void *data, const char **warning)
{
  gpr_choice choice;
  void *own = NULL;
  bool lent;

  *warning = NULL;
  gpr_status status = take_kind (z, v);
  if (status != GPR_OK)
    return status;
  const size_t bytes = (size_t) gpr_array_numel (z) * gpr_elem_bytes[gpr_array_elem (z)];
  const gpr_work work = { GPR_WORK_STORE, gpr_array_elem (z), bytes, false };
  do
    {
      status = gpr_choose ((gpr_device_request) { 0 }, NULL, 0, &work, NULL, &choice);
      if (status != GPR_OK)
        return status;
      if (gpr_choice_is_news (&choice))
        {
          snprintf (text, sizeof text, "gpuArray: running on the CPU: %s", choice.reason);
          *warning = text;
        }
      lent = data && ! choice.backend->on_device && bytes >= LENT;
      status = lent ? GPR_OK : choice.backend->allocate (&own, bytes);
    }
  while (status == GPR_OUT_OF_MEMORY && gpr_expression_make_room ());
  z->data = lent ? data : own;
  z->home = choice.backend;
  z->device = choice.device;
  return status;
}

/* Of a status, and the array that is then known as *id, 0 where there is none; NULL, or the error's identifier.  */
static const char *
kept (gpr_status status, gpr_array *z, double *id)
{
  *id = 0;
  if (status == GPR_OK && z->data)
    status = gpr_resident_add (z, id);
  if (status != GPR_OK && z->data)
    z->home->release ((void *) (uintptr_t) z->data);
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static const char *
upload (const gpr_value *v, const void *data, void *lender, void (*give_back) (void *), double *id, const char **warning)
{
  gpr_array a;
  gpr_status status = begin (&a, v, data, warning);

  if (status == GPR_OK && a.data == data)
    {
      status = gpr_resident_add (&a, id);
      a.data = NULL;
      if (status == GPR_OK)
        {
          gpr_resident *r = gpr_resident_find (*id);
          r->lender = lender;
          r->give_back = give_back;
          return NULL;
        }
    }
  else if (status == GPR_OK && gpr_array_numel (&a) > 0)
    status = a.home->upload ((void *) (uintptr_t) a.data, data, (size_t) gpr_array_numel (&a) * gpr_elem_bytes[gpr_array_elem (&a)]);
  give_back (lender);
  return kept (status, &a, id);
}

static const char *
download (double id, void *data, void *lender, void (*give_back) (void *))
{
  const gpr_array *a;
  gpr_resident *r = gpr_resident_find (id);
  const size_t bytes = r ? (size_t) gpr_array_numel (&r->array) * gpr_elem_bytes[gpr_array_elem (&r->array)] : 0;
  gpr_status status = GPR_OK;
  bool there = false;

  gpr_system_large_pages (data, bytes);
  if (r && r->node && r->array.home == &gpr_cpu_backend && bytes >= LENT)
    status = gpr_expression_compute_to (r, data, &there);
  if (there)
    {
      r->lender = lender;
      r->give_back = give_back;
      return NULL;
    }
  give_back (lender);
  if (status == GPR_OK)
    status = gpr_resident_array (id, &a);
  if (status == GPR_OK && bytes > 0)
    status = a->home->download (data, a->data, bytes);
  return status == GPR_OK ? NULL : failure (status);
}

static const void *
lender (double id)
{
  const gpr_resident *r = gpr_resident_find (id);
  return r && ! r->node && r->give_back ? r->lender : NULL;
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
  v->finite = r->finite;
  return true;
}

/* ---- another class ---------------------------------------------------------------------- */

gpr_status
gpr_value_convert (const gpr_array *a, gpr_class class, gpr_array *z)
{
  const gpr_array part = { .class = a->class }, part_of_z = { .class = class };
  gpr_conversion c = { .from = gpr_array_elem (&part), .to = gpr_array_elem (&part_of_z), .count = (a->complex ? 2 : 1) * gpr_array_numel (a), .x = a->data };

  *z = *a;
  z->class = class;
  z->data = NULL;
  gpr_status status = gpr_resident_allocate (z, a);
  if (status != GPR_OK)
    return status;
  c.y = (void *) (uintptr_t) z->data;
  if (c.count > 0)
    status = a->home->convert (&c);
  if (status != GPR_OK)
    {
      a->home->release (c.y);
      z->data = NULL;
    }
  return status;
}

/* ---- elementwise operations ------------------------------------------------------------- */

/* Of which an operand or the result is complex.  */
static const char *
map_complex (const char *operation, const gpr_operand *operands, const double *ids, int count, double *id)
{
  const gpr_array *x[2];
  gpr_array numbers[2], z = { .data = NULL };
  gpr_one_place places[2] = { { .own = false }, { .own = false } };
  gpr_status status = GPR_OK;

  for (int k = 0; k < count && status == GPR_OK; k++)
    if (operands[k].array)
      {
        status = gpr_take_one_place (ids[k], &places[k]);
        x[k] = places[k].a;
      }
    else
      {
        numbers[k] = (gpr_array) { .class = operands[k].class, .ndims = 2, .dims = { 1, 1 }, .data = &operands[k].number };
        x[k] = &numbers[k];
      }
  if (status == GPR_OK)
    status = gpr_value_complex (operation, x, count, &z);
  gpr_give_one_place (&places[0]);
  gpr_give_one_place (&places[1]);
  return kept (status, &z, id);
}

static const char *
named (gpr_status status, gpr_resident *result, double *id)
{
  if (status == GPR_OK)
    status = gpr_resident_name (result, id);
  if (status == GPR_OK)
    return NULL;
  if (result)
    gpr_resident_drop (result);
  return failure (status);
}

static const char *
map (const char *operation, const gpr_value_operand *operands, int count, double *id)
{
  gpr_operand x[2] = { { NULL } };
  gpr_resident *result;
  const double ids[] = { operands[0].id, count == 2 ? operands[1].id : 0 };
  bool complex = false, left;
  int op = 0;

  *id = 0;
  for (int k = 0; k < count; k++)
    if (operands[k].id == 0)
      x[k] = (gpr_operand) { NULL, operands[k].number, class_named (operands[k].type) };
    else
      {
        x[k].array = gpr_resident_find (operands[k].id);
        if (! x[k].array)
          return failure (gpr_fail (GPR_BAD_INPUT, "%s", gpr_value_lost));
        complex = complex || x[k].array->array.complex;
      }
  if (complex)
    return map_complex (operation, x, ids, count, id);
  while (op < GPR_MAP_OP_COUNT && ! (gpr_map_names[op] && strcmp (operation, gpr_map_names[op]) == 0))
    op++;
  if (op == GPR_MAP_OP_COUNT || count != (gpr_map_takes_two (op) ? 2 : 1))
    return NULL;
  gpr_status status = gpr_expression ((gpr_map_op) op, x, count, &result, &left);
  if (status == GPR_OK && left)
    return map_complex (operation, x, ids, count, id);
  if (status != GPR_OK || ! result)
    return status == GPR_OK ? NULL : failure (status);
  return named (status, result, id);
}

/* The array itself, as it lies, in other sizes.  */
static bool
is_whole (const gpr_value_view *view, const gpr_array *a)
{
  return view->offset == 0 && view->rank == 1 && view->strides[0] == 1 && view->dims[0] == gpr_array_numel (a);
}

static const char *
copied (double from, const gpr_value_view *view, double *id)
{
  gpr_array z = { .data = NULL };
  gpr_one_place p;
  gpr_status status = gpr_take_view (from, view, 0, &p);

  *id = 0;
  if (status == GPR_OK)
    status = gpr_value_copy (&p, view, &z);
  gpr_give_one_place (&p);
  return kept (status, &z, id);
}

static const char *
copy (double from, const gpr_value_view *view, double *id)
{
  gpr_resident *r = gpr_resident_find (from), *reshaped = NULL;
  gpr_array sizes = { .ndims = view->ndims };

  *id = 0;
  memcpy (sizes.dims, view->size, view->ndims * sizeof *sizes.dims);
  if (r && is_whole (view, &r->array))
    {
      gpr_status status = gpr_expression_reshape (r, &sizes, &reshaped);
      if (status != GPR_OK || reshaped)
        return named (status, reshaped, id);
    }
  return copied (from, view, id);
}

/* What waits for the elements of a computed array is computed, and what is known of them no longer holds.  */
static gpr_status
before_change (double to)
{
  gpr_resident *r = gpr_resident_find (to);
  gpr_status status = gpr_expression_compute_readers (r);
  if (status == GPR_OK)
    status = gpr_resident_own (r);
  gpr_expression_changed (r);
  return status;
}

static const char *
place (double to, const gpr_value_view *view, const gpr_value_operand *operand, bool *done)
{
  gpr_map_step steps[2] = { { .op = GPR_MAP_load, .operand = GPR_MAP_NUMBER, .number = operand->number }, { .op = 0 } };
  const gpr_array *given;
  gpr_mapping m = { .steps = 1, .step = steps, .placed = true };
  gpr_resident *r = operand->id != 0 ? gpr_resident_find (operand->id) : NULL;
  gpr_one_place target = { .own = false }, p = target;

  *done = false;
  gpr_status status = gpr_resident_array (to, &given);
  if (status == GPR_OK)
    status = before_change (to);
  if (status == GPR_OK)
    status = gpr_take_view (to, view, r ? r->array.device : 0, &target);
  const gpr_array *a = target.a;
  if (status == GPR_OK)
    gpr_value_to_place (&m, &target, view);
  if (status == GPR_OK && r && r->node && ! a->complex && r->array.home == a->home && r->array.device == a->device)
    status = gpr_expression_place (r, &m, done);
  if (status == GPR_OK && ! *done && operand->id != 0)
    status = gpr_take_one_place (operand->id, &p);
  if (status == GPR_OK && ! *done)
    {
      status = gpr_value_place (a, p.a, p.a ? p.a->class : class_named (operand->type), &m, steps);
      *done = status == GPR_OK;
    }
  if (*done)
    status = gpr_put_view (&target);
  gpr_give_one_place (&p);
  gpr_give_one_place (&target);
  *done = *done && status == GPR_OK;
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static const char *
make (double beside, const gpr_value *v, double *id)
{
  const gpr_resident *r = gpr_resident_find (beside);
  gpr_array z;

  *id = 0;
  if (! r)
    return failure (gpr_fail (GPR_BAD_INPUT, "%s", gpr_value_lost));
  gpr_status status = take_kind (&z, v);
  if (status == GPR_OK)
    status = gpr_resident_allocate (&z, &r->array);
  if (status == GPR_OK)
    status = gpr_spread_settle (&z);
  return kept (status, &z, id);
}

/* ---- arrays that are made where they lie --------------------------------------------------- */

static const char *
spread (const gpr_value *v, const void *data, const char *devices, const double *numbers, int count, double *id, bool *several)
{
  gpr_array z;
  gpr_status status = take_kind (&z, v);

  *id = 0;
  *several = true;
  if (status == GPR_OK)
    status = gpr_value_spread (&z, data, devices, numbers, count, several);
  return *several ? kept (status, &z, id) : NULL;
}

static const char *
fill (const gpr_value *v, double number, bool diagonal, double *id, const char **warning)
{
  gpr_array z;
  gpr_status status = begin (&z, v, NULL, warning);
  if (status == GPR_OK)
    status = gpr_value_fill (&z, number, diagonal);
  return kept (status, &z, id);
}

static const char *
generate (const char *name, const gpr_value *v, const double *numbers, double *id, const char **warning)
{
  gpr_array z;
  gpr_status status = begin (&z, v, NULL, warning);
  if (status == GPR_OK)
    status = gpr_value_generate (name, &z, numbers);
  return kept (status, &z, id);
}

static const char *
wait (double id)
{
  const gpr_array *a;
  gpr_status status = id != 0 ? gpr_resident_array (id, &a) : gpr_expression_compute_all ();
  return status == GPR_OK ? NULL : failure (status);
}

/* ---- lists ------------------------------------------------------------------------------- */

static const char *
gather (double from, const gpr_value_selection *s, double *id)
{
  gpr_array z = { .ndims = 0 };
  gpr_one_place p;
  gpr_status status = gpr_take_one_place (from, &p);

  *id = 0;
  if (status == GPR_OK)
    status = gpr_value_gather (p.a, s, &z);
  gpr_give_one_place (&p);
  return kept (status, &z, id);
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
  if (status == GPR_OK && (gpr_is_spread (a) || ! gpr_value_keeps_class (a->class, b->class)))
    return NULL;
  if (status == GPR_OK)
    status = gpr_value_scatter (a, s, b, done);
  return status == GPR_OK || status == GPR_UNSUPPORTED ? NULL : failure (status);
}

static const char *
find (double of, const char *type, int64_t most, bool last, double *id)
{
  gpr_array z = { .class = class_named (type) };
  gpr_one_place p;
  gpr_status status = gpr_take_one_place (of, &p);

  *id = 0;
  if (status == GPR_OK)
    status = gpr_value_find (p.a, most, last, &z);
  gpr_give_one_place (&p);
  return kept (status, &z, id);
}

static const char *
sort (double of, int dim, bool down, double *id, double *index)
{
  gpr_array z = { .ndims = 0 }, rows = { .ndims = 0 };
  gpr_one_place p;
  gpr_status status = gpr_take_one_place (of, &p);

  *id = 0;
  if (status == GPR_OK)
    status = gpr_value_sort (p.a, dim, down, &z, index ? &rows : NULL);
  gpr_give_one_place (&p);
  const char *failed = kept (status, &z, id);
  if (! index)
    return failed;
  const char *second = kept (status, &rows, index);
  failed = failed ? failed : second;
  if (failed)
    {
      gpr_resident_free (*id);
      gpr_resident_free (*index);
    }
  return failed;
}

static const char *
reduce (const char *name, gpr_usual how, double of, int64_t dim, double *id, gpr_value_number *number)
{
  gpr_resident *x = gpr_resident_find (of);
  gpr_array one;
  gpr_status status = x ? GPR_OK : gpr_fail (GPR_BAD_INPUT, "%s", gpr_value_lost);

  *id = 0;
  number->type = NULL;
  gpr_heed_interrupt ();
  if (status == GPR_OK)
    status = gpr_reduce_usual (name, how, x, dim, id, &one);
  if (status == GPR_OK && one.data)
    {
      number->type = gpr_class_names[one.class];
      memcpy (&number->data, one.data, gpr_elem_bytes[gpr_array_elem (&one)]);
    }
  return status == GPR_OK ? NULL : failure (status);
}

static const char *
scan (const char *name, int outputs, double of, int64_t dim, double ids[2])
{
  gpr_resident *x = gpr_resident_find (of);
  gpr_heed_interrupt ();
  const gpr_status status = x ? gpr_scan_usual (name, outputs, x, dim, ids) : gpr_fail (GPR_BAD_INPUT, "%s", gpr_value_lost);
  return status == GPR_OK ? NULL : failure (status);
}

/* ---- linear algebra and Fourier transforms ---------------------------------------------- */

static const char *
linear (gpr_linear_task *task, const double *given, int count, double *ids, bool *done)
{
  const gpr_array *arrays[GPR_LINEAR_GIVEN] = { NULL };
  gpr_one_place places[GPR_LINEAR_GIVEN] = { { .own = false } };
  gpr_array results[GPR_LINEAR_RESULTS] = { { .data = NULL } };
  gpr_status status = GPR_OK;
  const char *failed = NULL;

  *done = false;
  memset (ids, 0, GPR_LINEAR_RESULTS * sizeof *ids);
  for (int k = 0; k < count && status == GPR_OK; k++)
    {
      status = gpr_take_one_place (given[k], &places[k]);
      arrays[k] = places[k].a;
    }
  if (status == GPR_OK)
    status = gpr_value_linear (task, arrays, count, results);
  for (int k = 0; k < count; k++)
    gpr_give_one_place (&places[k]);
  *done = status == GPR_OK;
  for (int k = 0; k < GPR_LINEAR_RESULTS; k++)
    {
      const char *added_one = kept (status, &results[k], &ids[k]);
      failed = failed ? failed : added_one;
    }
  for (int k = 0; k < GPR_LINEAR_RESULTS && failed; k++)
    gpr_resident_free (ids[k]);
  *done = *done && ! failed;
  return failed;
}

static const char *
fourier (const gpr_fourier_task *task, double from, double *id)
{
  gpr_array z = { .data = NULL };
  gpr_one_place p;
  gpr_status status = gpr_take_one_place (from, &p);

  if (status == GPR_OK)
    status = gpr_value_fourier (task, p.a, &z);
  gpr_give_one_place (&p);
  return kept (status, &z, id);
}

const gpr_values_table gpr_values __attribute__ ((visibility ("default"))) = {
  GPR_VALUES_VERSION, upload, download, lender, message, describe, gpr_resident_free, map, copy, place, linear, fourier, make, wait, gpr_expression_lazy, fill, generate, gpr_value_claim,
  gather, scatter, find, sort, spread, reduce, scan, gpr_value_promise, gpr_value_promised
};
