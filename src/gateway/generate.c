/* Arrays that are made where they lie: constants, ranges and random numbers.  */

#include <string.h>

#include "../core/generate.h"
#include "../core/map.h"
#include "../core/select.h"
#include "values.h"

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

gpr_status
gpr_value_fill (const gpr_array *z, double number, bool diagonal)
{
  gpr_status status = put (z, gpr_array_numel (z), 1, diagonal ? 0 : number);
  if (status == GPR_OK && diagonal)
    status = put (z, z->dims[0] < z->dims[1] ? z->dims[0] : z->dims[1], z->dims[0] + 1, number);
  return status;
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

gpr_status
gpr_value_generate (const char *name, const gpr_array *z, const double *numbers)
{
  static const struct { const char *name; gpr_generated kind; } kinds[] = {
    { "rand", GPR_UNIFORM }, { "randn", GPR_NORMAL }, { "rande", GPR_EXPONENTIAL }, { "randi", GPR_INTEGERS }, { "colon", GPR_RANGE }
  };
  gpr_generation g = { .elem = gpr_elem_of_class (z->class), .count = gpr_array_numel (z) * (z->complex ? 2 : 1), .z = (void *) (uintptr_t) z->data };

  if (strcmp (name, "randperm") == 0)
    return permute (z, (int64_t) numbers[0]);
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
  return gpr_generate (z->home, &g);
}
