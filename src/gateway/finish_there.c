/* The last steps of a reduction whose result stays where it is computed: gpr_finish_values and gpr_convert_values (src/core/finish.h) by its backend.  */

#include "../core/map.h"
#include "reduction.h"

static bool
is_mapped (gpr_class class)
{
  return class != GPR_CLASS_int64 && class != GPR_CLASS_uint64;
}

bool
gpr_can_finish_there (const gpr_running *w)
{
  const gpr_finish f = w->finish.finish;

  return ! w->bounds && is_mapped (w->plan.raw_class) && is_mapped (w->plan.out_class)
         && (f == GPR_FINISH_NONE || (! w->plan.complex && (f == GPR_FINISH_RECIPROCAL || f == GPR_FINISH_SQRT)));
}

/* How many elements of each output are NaN, as doubles there.  */
static gpr_status
count_nans (const gpr_running *w, void **nans)
{
  const gpr_backend *b = w->choice.backend;
  gpr_reduction count = w->r;
  gpr_status status = b->allocate (nans, (size_t) w->finish.outputs * sizeof (double));

  if (status != GPR_OK)
    return status;
  count.instance = gpr_nancount_instance (gpr_instances[w->r.instance].elem);
  count.value = *nans;
  status = gpr_reduce (w->place.backend, &count);
  if (status != GPR_OK)
    b->release (*nans);
  return status;
}

/* A complex number's parts are elements of a first dimension.  */
gpr_status
gpr_finish_there (gpr_running *w)
{
  const gpr_plan *p = &w->plan;
  const int parts = p->complex ? 2 : 1;
  const double length = (double) w->shape.length;
  const uint8_t single = p->raw_class == GPR_CLASS_single;
  void *nans = NULL;
  gpr_map_step steps[5];
  gpr_mapping m = { .rank = 2, .dims = { parts, w->finish.outputs }, .leaves = 1, .x = { w->r.value }, .classes = { p->raw_class },
                    .strides = { { 1, parts }, { 0, 1 } }, .step = steps, .class = p->out_class, .z = w->out[0].data };
  gpr_status status = w->omit_count ? count_nans (w, &nans) : GPR_OK;

  if (status != GPR_OK)
    return status;
  if (w->omit_count)
    {
      m.x[m.leaves] = nans;
      m.classes[m.leaves++] = GPR_CLASS_double;
      steps[m.steps++] = (gpr_map_step) { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF, .at = 1 };
      steps[m.steps++] = (gpr_map_step) { .op = GPR_MAP_minus, .operand = GPR_MAP_NUMBER, .number = length, .turned = 1 };
      steps[m.steps++] = (gpr_map_step) { .op = GPR_MAP_rdivide, .operand = GPR_MAP_LEAF, .turned = 1, .single = single };
    }
  else
    steps[m.steps++] = (gpr_map_step) { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF, .single = single };
  if (w->finish.finish == GPR_FINISH_SQRT)
    steps[m.steps++] = (gpr_map_step) { .op = GPR_MAP_sqrt, .single = single };
  else if (w->finish.finish == GPR_FINISH_RECIPROCAL)
    steps[m.steps++] = (gpr_map_step) { .op = GPR_MAP_rdivide, .operand = GPR_MAP_NUMBER, .number = length, .turned = 1, .single = single };
  if (p->raw_class == GPR_CLASS_double && p->out_class == GPR_CLASS_single)
    steps[m.steps++] = (gpr_map_step) { .op = GPR_MAP_to_single };
  else if (gpr_class_is_integer (p->out_class) && p->out_class != p->raw_class)
    steps[m.steps++] = (gpr_map_step) { .op = (uint8_t) (GPR_MAP_to_int8 + (p->out_class - GPR_CLASS_int8)) };
  status = w->choice.backend->map (&m);
  if (nans)
    w->choice.backend->release (nans);
  return status;
}
