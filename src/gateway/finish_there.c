/* The last steps of a reduction whose result stays where it is computed, by elementwise steps of its backend: what reduce_compute.c and
   src/core/finish.h do on the host.  */

#include <math.h>
#include <stddef.h>

#include "../core/generate.h"
#include "../core/map.h"
#include "reduction.h"

static bool
is_mapped (gpr_class class)
{
  return class != GPR_CLASS_int64 && class != GPR_CLASS_uint64;
}

/* Of a rank's piece no linear indices, which are those in the whole array: put_places counts in the piece.  */
bool
gpr_can_finish_there (const gpr_running *w)
{
  const gpr_finish f = w->finish.finish;
  const bool same = w->plan.raw_class == w->plan.out_class, complex = w->plan.complex;

  return ! w->bounds && ! (w->several && w->want_index && w->skipped > 0) && ! w->shape.scattered && (same || (is_mapped (w->plan.raw_class) && is_mapped (w->plan.out_class))) && ! (w->nan_first && complex)
         && (f == GPR_FINISH_NONE || f == GPR_FINISH_SUMMARY || (! complex && (f == GPR_FINISH_RECIPROCAL || f == GPR_FINISH_SQRT)));
}

static gpr_status
allocate (const gpr_running *w, int64_t count, void *data)
{
  return w->choice.backend->allocate (data, (size_t) count * sizeof (double));
}

static void
release (const gpr_running *w, void *data)
{
  if (data)
    w->choice.backend->release (data);
}

/* Another reduction of X, to memory that is there.  */
static gpr_status
reduce_too (const gpr_running *w, enum gpr_instance instance, void *value, void *index)
{
  gpr_reduction r = w->r;
  r.instance = instance;
  r.value = value;
  r.index = index;
  return gpr_reduce (w->place.backend, &r);
}

/* ---- which elements ----------------------------------------------------------------------- */

/* Where there is a NaN, its first is the result.  Elsewhere the other reduction gives 0 and a negative index.  */
static gpr_status
put_nan_first (const gpr_running *w)
{
  const gpr_backend *b = w->choice.backend;
  const int64_t outputs = w->finish.outputs;
  gpr_map_step step[9];
  void *nan = NULL, *at = NULL;
  gpr_status status = allocate (w, outputs, &nan);

  if (status == GPR_OK)
    status = allocate (w, outputs, &at);
  if (status == GPR_OK)
    status = reduce_too (w, gpr_nanindex_instance (gpr_instances[w->r.instance].elem), nan, at);
  if (status == GPR_OK)
    {
      gpr_mapping m = { .rank = 1, .dims = { outputs }, .leaves = 2, .x = { w->r.value, nan }, .classes = { w->plan.raw_class, w->plan.raw_class },
                        .strides = { { 1 }, { 1 } }, .step = step, .class = w->plan.raw_class, .z = w->r.value };
      const uint8_t single = w->plan.raw_class == GPR_CLASS_single;
      GPR_ADD_STEP (.op = GPR_MAP_load, GPR_OF_NUMBER (-0.0), .single = single);    /* -0 + x is x */
      GPR_ADD_STEP (.op = GPR_MAP_minus, GPR_OF_LEAF (1), .single = single);
      GPR_ADD_STEP (.op = GPR_MAP_plus, GPR_OF_LEAF (0), .single = single);
      status = b->map (&m);
    }
  if (status == GPR_OK && w->r.index)
    {
      gpr_mapping m = { .rank = 1, .dims = { outputs }, .leaves = 2, .x = { w->r.index, at }, .classes = { GPR_CLASS_double, GPR_CLASS_double },
                        .strides = { { 1 }, { 1 } }, .step = step, .class = GPR_CLASS_double, .z = w->r.index };
      GPR_ADD_STEP (.op = GPR_MAP_load, GPR_OF_LEAF (1));
      GPR_ADD_STEP (.op = GPR_MAP_gt, GPR_OF_NUMBER (0));
      GPR_ADD_STEP (.op = GPR_MAP_save, .at = 0);
      GPR_ADD_STEP (.op = GPR_MAP_times, GPR_OF_LEAF (1));
      GPR_ADD_STEP (.op = GPR_MAP_save, .at = 1);
      GPR_ADD_STEP (.op = GPR_MAP_load, GPR_OF_SLOT (0));
      GPR_ADD_STEP (.op = GPR_MAP_not);
      GPR_ADD_STEP (.op = GPR_MAP_times, GPR_OF_LEAF (0));
      GPR_ADD_STEP (.op = GPR_MAP_plus, GPR_OF_SLOT (1));
      status = b->map (&m);
    }
  release (w, nan);
  release (w, at);
  return status;
}

/* The rows of several dimensions, which lie beside each other, become linear indices.  */
static gpr_status
put_places (const gpr_running *w)
{
  const gpr_shape *s = &w->shape;
  gpr_generation columns = { .kind = GPR_RANGE, .elem = GPR_f64, .count = s->inner, .step = 1, .last = (double) (s->inner - 1) };
  gpr_generation slabs = { .kind = GPR_RANGE, .elem = GPR_f64, .count = s->outer, .step = (double) (s->inner * s->length),
                           .last = (double) (s->inner * s->length * (s->outer - 1)) };
  gpr_map_step step[6];
  gpr_status status = allocate (w, s->inner, &columns.z);

  if (status == GPR_OK)
    status = allocate (w, s->outer, &slabs.z);
  if (status == GPR_OK)
    status = gpr_generate (w->choice.backend, &columns);
  if (status == GPR_OK)
    status = gpr_generate (w->choice.backend, &slabs);
  if (status == GPR_OK)
    {
      gpr_mapping m = { .rank = 2, .dims = { s->inner, s->outer }, .leaves = 3, .x = { w->r.index, columns.z, slabs.z },
                        .classes = { GPR_CLASS_double, GPR_CLASS_double, GPR_CLASS_double }, .strides = { { 1, s->inner }, { 1, 0 }, { 0, 1 } },
                        .step = step, .class = GPR_CLASS_double, .z = w->r.index };
      GPR_ADD_STEP (.op = GPR_MAP_load, GPR_OF_LEAF (0));
      GPR_ADD_STEP (.op = GPR_MAP_minus, GPR_OF_NUMBER (1));
      GPR_ADD_STEP (.op = GPR_MAP_times, GPR_OF_NUMBER ((double) s->inner));
      GPR_ADD_STEP (.op = GPR_MAP_plus, GPR_OF_LEAF (1));
      GPR_ADD_STEP (.op = GPR_MAP_plus, GPR_OF_LEAF (2));
      GPR_ADD_STEP (.op = GPR_MAP_plus, GPR_OF_NUMBER (1));
      status = w->choice.backend->map (&m);
    }
  release (w, columns.z);
  release (w, slabs.z);
  return status;
}

/* ---- values ------------------------------------------------------------------------------- */

/* A complex number's parts are elements of a first dimension.  */
static gpr_status
finish_values (const gpr_running *w)
{
  const gpr_plan *p = &w->plan;
  const int parts = p->complex ? 2 : 1;
  const double length = (double) w->shape.length;
  const uint8_t single = p->raw_class == GPR_CLASS_single;
  void *nans = NULL;
  gpr_map_step step[5];
  gpr_mapping m = { .rank = 2, .dims = { parts, w->finish.outputs }, .leaves = 1, .x = { w->r.value }, .classes = { p->raw_class },
                    .strides = { { 1, parts }, { 0, 1 } }, .step = step, .class = p->out_class, .z = w->out[0].data };
  gpr_status status = GPR_OK;

  if (w->omit_count)
    {
      status = allocate (w, w->finish.outputs, &nans);
      if (status == GPR_OK)
        status = reduce_too (w, gpr_nancount_instance (gpr_instances[w->r.instance].elem), nans, NULL);
      m.x[m.leaves] = nans;
      m.classes[m.leaves++] = GPR_CLASS_double;
      GPR_ADD_STEP (.op = GPR_MAP_load, GPR_OF_LEAF (1));
      GPR_ADD_STEP (.op = GPR_MAP_minus, GPR_OF_NUMBER (length), .turned = 1);
      GPR_ADD_STEP (.op = GPR_MAP_rdivide, GPR_OF_LEAF (0), .turned = 1, .single = single);
    }
  else
    GPR_ADD_STEP (.op = GPR_MAP_load, GPR_OF_LEAF (0), .single = single);
  if (w->finish.finish == GPR_FINISH_SQRT)
    GPR_ADD_STEP (.op = GPR_MAP_sqrt, .single = single);
  else if (w->finish.finish == GPR_FINISH_RECIPROCAL)
    GPR_ADD_STEP (.op = GPR_MAP_rdivide, GPR_OF_NUMBER (length), .turned = 1, .single = single);
  if (p->raw_class == GPR_CLASS_double && p->out_class == GPR_CLASS_single)
    GPR_ADD_STEP (.op = GPR_MAP_to_single);
  else if (gpr_class_is_integer (p->out_class) && p->out_class != p->raw_class)
    GPR_ADD_STEP (.op = (uint8_t) (GPR_MAP_to_int8 + (p->out_class - GPR_CLASS_int8)));
  if (status == GPR_OK)
    status = w->choice.backend->map (&m);
  release (w, nans);
  return status;
}

/* Of each output's numbers the squares become the variance, NaN where an element is not finite.  */
static gpr_status
finish_summaries (const gpr_running *w)
{
  enum { SQUARES, COUNT, LEAST, MOST, LEAVES };
  static const size_t at[LEAVES] = { [SQUARES] = offsetof (stats, squares), [COUNT] = offsetof (stats, n), [LEAST] = offsetof (stats, least), [MOST] = offsetof (stats, most) };
  const int64_t stride = sizeof (stats) / sizeof (double);
  gpr_map_step step[14];
  gpr_mapping m = { .rank = 1, .dims = { w->finish.outputs }, .leaves = LEAVES, .strides = { [GPR_MAP_LEAVES] = { stride } }, .placed = true,
                    .step = step, .class = GPR_CLASS_double, .z = (char *) w->r.value + at[SQUARES] };

  for (int l = 0; l < LEAVES; l++)
    {
      m.x[l] = (const char *) w->r.value + at[l];
      m.classes[l] = GPR_CLASS_double;
      m.strides[l][0] = stride;
    }
  GPR_ADD_STEP (.op = GPR_MAP_load, GPR_OF_LEAF (LEAST));
  GPR_ADD_STEP (.op = GPR_MAP_isfinite);
  GPR_ADD_STEP (.op = GPR_MAP_save);
  GPR_ADD_STEP (.op = GPR_MAP_load, GPR_OF_LEAF (MOST));
  GPR_ADD_STEP (.op = GPR_MAP_isfinite);
  GPR_ADD_STEP (.op = GPR_MAP_and, GPR_OF_SLOT (0));
  GPR_ADD_STEP (.op = GPR_MAP_rdivide, GPR_OF_NUMBER (0), .turned = 1);         /* 0 / 1, or NaN */
  GPR_ADD_STEP (.op = GPR_MAP_save);
  GPR_ADD_STEP (.op = GPR_MAP_load, GPR_OF_LEAF (COUNT));
  GPR_ADD_STEP (.op = GPR_MAP_minus, GPR_OF_NUMBER (1));
  GPR_ADD_STEP (.op = GPR_MAP_max, GPR_OF_NUMBER (1));
  GPR_ADD_STEP (.op = GPR_MAP_rdivide, GPR_OF_LEAF (SQUARES), .turned = 1);
  GPR_ADD_STEP (.op = GPR_MAP_min, GPR_OF_NUMBER (INFINITY));   /* of NaN, whose squares overflowed, too */
  GPR_ADD_STEP (.op = GPR_MAP_plus, GPR_OF_SLOT (0));
  return w->choice.backend->map (&m);
}

gpr_status
gpr_finish_there (gpr_running *w)
{
  gpr_status status = w->nan_first ? put_nan_first (w) : GPR_OK;

  if (status == GPR_OK && w->want_index && w->several)
    status = put_places (w);
  if (status == GPR_OK && w->finish.finish == GPR_FINISH_SUMMARY)
    status = finish_summaries (w);
  else if (status == GPR_OK && (w->separate || w->omit_count || w->finish.finish != GPR_FINISH_NONE))
    status = finish_values (w);
  return status;
}
