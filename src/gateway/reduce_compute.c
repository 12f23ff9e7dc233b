/* The computing of one reduction: plain C between validation and errors, without any mx call.  */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "../ranks/agree.h"
#include "reduction.h"
#include "streamed.h"

/* The index in x, from 0, of row r of output i: linear where several dimensions were reduced.  */
static int64_t
linear_index (const gpr_shape *s, const gpr_array *x, int64_t i, int64_t r)
{
  if (! s->scattered)
    return i % s->inner + s->inner * (r + s->length * (i / s->inner));
  int64_t at = r + s->length * i, index = 0, stride[GPR_MAX_DIMS];
  for (int d = 0; d < s->rank; d++)
    stride[d] = d == 0 ? 1 : stride[d - 1] * x->dims[d - 1];
  for (int k = 0; k < s->rank; k++)
    {
      index += at % x->dims[s->order[k]] * stride[s->order[k]];
      at /= x->dims[s->order[k]];
    }
  return index;
}

static gpr_status
find_negative (const gpr_backend *b, gpr_running *w)
{
  const gpr_reduction *r = &w->r;
  const bool single = w->x.class == GPR_CLASS_single;
  union { double d; float f; } lowest = { 0 };
  gpr_reduction low = { .instance = single ? GPR_min_f32 : GPR_min_f64, .inner = 1, .length = r->inner * r->length * r->outer,
                        .outer = 1, .x = r->x, .x_resident = r->x_resident, .value = &lowest };
  gpr_status status = gpr_reduce (b, &low);
  w->negative = status == GPR_OK && (single ? lowest.f < 0 : lowest.d < 0);
  return status;
}

/* Are all means infinite, but no element?  */
static gpr_status
find_overflow (const gpr_backend *b, gpr_running *w)
{
  const gpr_reduction *r = &w->r;
  const int64_t numbers = w->finish.outputs * (w->plan.complex ? 2 : 1);
  double largest = INFINITY;
  gpr_reduction all = { .instance = w->plan.complex ? GPR_normmax_c128 : GPR_normmax_f64, .inner = 1,
                        .length = r->inner * r->length * r->outer, .outer = 1, .x = r->x, .x_resident = r->x_resident,
                        .value = &largest };

  for (int64_t i = 0; i < numbers; i++)
    if (! isinf (((const double *) r->value)[i]))
      return GPR_OK;
  gpr_status status = gpr_reduce (b, &all);
  w->overflow = status == GPR_OK && isfinite (largest);
  return status;
}

/* A compensated sum is NaN where an element is infinite: there the plain sum is taken.  */
static gpr_status
put_infinite (const gpr_backend *b, gpr_running *w)
{
  const int64_t numbers = w->finish.outputs * (w->plan.complex ? 2 : 1);
  const size_t bytes = (size_t) numbers * sizeof (double);
  double *value = w->r.value;
  int64_t i = 0;

  while (i < numbers && ! isnan (value[i]))
    i++;
  if (i == numbers)
    return GPR_OK;
  gpr_reduction plain = w->r;
  plain.instance = w->q->nan == GPR_NAN_OMIT ? (w->plan.complex ? GPR_sumomit_c128 : GPR_sumomit_f64)
                   : w->plan.complex ? GPR_sum_c128 : GPR_sum_f64;
  plain.value = malloc (bytes);
  gpr_status status = plain.value ? gpr_reduce (b, &plain) : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  for (i = 0; i < numbers && status == GPR_OK; i++)
    if (isnan (value[i]))
      value[i] = ((const double *) plain.value)[i];
  free (plain.value);
  return status;
}

/* Where there is a NaN, the first one is the result.  */
static gpr_status
put_nan_first (const gpr_backend *b, const gpr_reduction *r, enum gpr_instance instance)
{
  const int64_t outputs = r->inner * r->outer;
  const int bytes = gpr_instances[instance].value_bytes;
  gpr_reduction look = *r;

  if (bytes != gpr_instances[r->instance].value_bytes)
    return gpr_fail (GPR_UNSUPPORTED, "\"includenan\" needs results of the elements' own type");
  int64_t *index = malloc (outputs * sizeof *index);
  char *value = malloc (outputs * bytes);
  gpr_status status = index && value ? GPR_OK
                      : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) outputs * (bytes + sizeof *index));
  look.instance = instance;
  look.value = value;
  look.index = index;
  if (status == GPR_OK)
    status = gpr_reduce (b, &look);
  for (int64_t i = 0; i < outputs && status == GPR_OK; i++)
    if (index[i] != INT64_MAX)
      {
        memcpy ((char *) r->value + i * bytes, value + i * bytes, bytes);
        if (r->index)
          r->index[i] = index[i];
      }
  free (index);
  free (value);
  return status;
}

static gpr_status
divide_by_counts (const gpr_backend *b, const gpr_running *w, enum gpr_instance counts)
{
  double *nans = malloc (w->finish.outputs * sizeof *nans);
  gpr_reduction count = w->r;
  count.instance = counts;
  count.value = nans;
  gpr_status status = nans ? gpr_reduce (b, &count)
                      : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) w->finish.outputs * sizeof *nans);
  if (status == GPR_OK)
    gpr_divide_values (&w->finish, w->r.value, nans);
  free (nans);
  return status;
}

/* The reduction and the row's finish; r.value holds what comes of them.  */
static gpr_status
reduce_and_finish (const gpr_backend *b, gpr_running *w)
{
  const enum gpr_elem e = gpr_instances[w->r.instance].elem;
  gpr_status status = w->check_negative ? find_negative (b, w) : GPR_OK;

  if (status != GPR_OK || w->negative)
    return status;
  if (! w->reduced)
    status = gpr_reduce (b, &w->r);
  if (status == GPR_OK && w->finish_there)
    return gpr_finish_there (w);
  if (status == GPR_OK && w->nan_first)
    status = put_nan_first (b, &w->r, gpr_nanindex_instance (e));
  if (status == GPR_OK && w->omit_count)
    status = divide_by_counts (b, w, gpr_nancount_instance (e));
  if (status == GPR_OK && w->check_overflow)
    status = find_overflow (b, w);
  if (status == GPR_OK && w->check_infinite)
    status = put_infinite (b, w);
  if (status == GPR_OK && w->finish.finish != GPR_FINISH_NONE)
    gpr_finish_values (&w->finish, w->r.value);
  if (status == GPR_OK && w->shape.length == 0 && w->o->empty == GPR_EMPTY_NAN)
    gpr_fill_nan (w->r.value, w->plan.raw_class, w->plan.complex, w->finish.outputs);
  return status;
}

/* gpr_reach for y; where only one of the two is on the device, both from the host.  */
static gpr_status
reach_factor (gpr_running *w, void **xcopy, void **ycopy)
{
  const gpr_choice host = { .backend = &gpr_cpu_backend };
  gpr_reduction *r = &w->r;
  bool resident;
  gpr_status status = gpr_reach (&w->y, &w->place, &r->y, &resident, ycopy);
  if (status == GPR_OK && resident && ! r->x_resident)
    status = gpr_reach (&w->y, &host, &r->y, &resident, ycopy);
  else if (status == GPR_OK && r->x_resident && ! resident)
    status = gpr_reach (&w->x, &host, &r->x, &r->x_resident, xcopy);
  return status;
}

/* What the engine divides by, as id_finish of the instance takes it.  */
double
gpr_divisor_of (const gpr_running *w)
{
  const int by = w->q->normalization ? GPR_SPREAD_BY_N : 0;
  if (w->o->finish == GPR_FINISH_DIFFERENCE)
    return 1;
  switch (w->o->divisor)
    {
    case GPR_DIVISOR_LENGTH: return w->omit_count ? 0 : (double) w->shape.length;
    case GPR_DIVISOR_ROOT_MEAN: return w->omit_count ? 0 : -(double) w->shape.length;
    case GPR_DIVISOR_VARIANCE: return by;
    case GPR_DIVISOR_DEVIATION: return by | GPR_SPREAD_ROOT;
    default: return 0;
    }
}

/* X waits to be computed: its expression is reduced where the backend does that and no result is in doubt, which only X can settle; else it is computed.  */
static gpr_status
take_waiting (gpr_running *w)
{
  gpr_status status = GPR_OK;
  w->x.data = gpr_expression_lies (w->waits);
  if (w->x.data)
    return GPR_OK;
  const bool values = ! (w->q->y || w->q->exact || w->q->variant.name || w->want_index || w->bounds || w->nan_first || w->check_negative || w->check_infinite
                         || w->omit_count || w->plan.numbers > 1) && w->shape.length > 0 && w->place.backend == w->x.home;

  if (values)
    status = gpr_expression_reduce (w->waits, &w->r, false, &w->reduced);
  if (status == GPR_OK && ! w->reduced)
    status = gpr_expression_compute (w->waits);
  w->x.data = w->waits->array.data;
  return status;
}

/* Memory for the reduction's values and indices, and its operands where it runs.  */
static gpr_status
prepare (gpr_running *w, void **xcopy, void **ycopy)
{
  const gpr_shape *s = &w->shape;
  const size_t bytes = (size_t) w->finish.outputs * gpr_instances[w->plan.instance].value_bytes;
  gpr_status status;

  w->r = (gpr_reduction) { .instance = w->plan.instance, .inner = s->inner, .length = s->length, .outer = s->outer, .divisor = gpr_divisor_of (w),
                           .whole_outer = w->whole_outer, .whole_inner = w->whole_inner, .out_resident = w->in_place, .rows = w->in_place, .exact = w->q->exact };
  status = gpr_outputs_allocate (w->out, 2, &w->choice);
  w->r.value = ! w->separate ? w->out[0].data : w->in_place ? NULL : malloc (bytes);
  if (status == GPR_OK && w->separate && w->in_place)
    status = w->choice.backend->allocate (&w->r.value, bytes);
  else if (status == GPR_OK && ! w->r.value)
    status = gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  if (w->in_place && w->bounds)
    {
      w->r.apart = true;
      w->r.most = w->out[1].data;
    }
  else if (w->in_place)
    w->r.index = w->out[1].data;
  else if (status == GPR_OK && w->want_index && ! (w->r.index = malloc (w->finish.outputs * sizeof *w->r.index)))
    status = gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) w->finish.outputs * sizeof *w->r.index);
  if (status == GPR_OK && w->waits)
    status = take_waiting (w);
  if (status == GPR_OK && ! w->reduced)
    status = gpr_reach (&w->x, &w->place, &w->r.x, &w->r.x_resident, xcopy);
  if (status == GPR_OK && w->q->y)
    status = reach_factor (w, xcopy, ycopy);
  return status;
}

static void
put_index (const gpr_running *w, double *index)
{
  const int64_t n = w->finish.outputs, *row = w->r.index;
  if (! w->several)
    for (int64_t i = 0; i < n; i++)
      index[i] = (double) (row[i] + 1);
  else
    for (int64_t i = 0; i < n; i++)
      {
        const int64_t at = linear_index (&w->shape, &w->wanted, i, row[i]);
        index[i] = 1.0 + w->index_from + at + (w->slab ? at / w->slab * w->skipped : 0);
      }
}

/* The outputs, from pairs of the least and the greatest.  */
static void
put_bounds (const gpr_running *w)
{
  const gpr_plan *p = &w->plan;
  const int64_t bytes = gpr_instances[p->instance].elem_bytes, n = w->finish.outputs;
#define PUT(FROM, TO) \
  for (int k = 0; k < 2 && w->out[k].data; k++) \
    for (int64_t i = 0; i < n; i++) \
      ((TO *) w->out[k].data)[i] = ((const FROM *) w->r.value)[2 * i + k];
  if (p->raw_class != p->out_class)
    PUT (uint8_t, double)       /* of logicals, and of chars */
  else if (bytes == 8)
    PUT (uint64_t, uint64_t)
  else if (bytes == 4)
    PUT (uint32_t, uint32_t)
  else if (bytes == 2)
    PUT (uint16_t, uint16_t)
  else
    PUT (uint8_t, uint8_t)
#undef PUT
}

/* What is so of all ranks' pieces: a negative element anywhere; no mean that is finite.  */
static gpr_status
share_findings (gpr_running *w)
{
  const bool some = w->finish.outputs > 0;
  double found[3] = { w->negative, some && ! w->overflow, some };
  gpr_status status = gpr_world_combine (found, 3, sizeof *found, gpr_add_doubles);
  w->negative = found[0] > 0;
  w->overflow = found[1] == 0 && found[2] > 0;
  return status;
}

gpr_status
gpr_compute (gpr_running *w)
{
  void *copy = NULL, *second = NULL;
  const gpr_plan *p = &w->plan;
  const int64_t outputs = w->finish.outputs;
  gpr_status status = GPR_OK;

  if (outputs > 0)
    {
      status = prepare (w, &copy, &second);
      if (status == GPR_OK)
        status = reduce_and_finish (w->place.backend, w);
      if (status == GPR_OK && w->separate && w->bounds)
        put_bounds (w);
      else if (status == GPR_OK && w->separate && ! w->in_place)
        gpr_convert_values (w->out[0].data, p->out_class, w->r.value, p->raw_class, outputs * p->numbers * (p->complex ? 2 : 1));
      if (! w->in_place)
        {
          double *index = w->out[1].data;
          if (w->r.index && status == GPR_OK)
            put_index (w, index);
          free (w->r.index);
        }
      free (copy);
      free (second);
      if (w->separate && w->in_place && w->r.value)
        w->choice.backend->release (w->r.value);
      else if (w->separate)
        free (w->r.value);
    }
  if (w->c->streamed && w->c->streamed->world.size > 1)
    status = gpr_agree_status ("gpu_reduce", status);
  if (status == GPR_OK && w->whole_outer && (w->check_negative || w->check_overflow))
    status = share_findings (w);
  status = gpr_outputs_finish (w->out, 2, &w->choice, status);
  gpr_note_call (w->c, &w->noted, w->start, w->q->variant.name ? NULL : &w->tree);
  return status;
}
