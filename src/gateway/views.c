/* Elements by strides: copies of a view of a resident array, and assignments to one.  No call of Octave's.  */

#include <string.h>

#include "../dispatch/choose.h"
#include "../resident/resident.h"
#include "values.h"

gpr_status
gpr_value_copy (const gpr_one_place *p, const gpr_value_view *view, gpr_array *z)
{
  gpr_map_step step = { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF };
  const gpr_array *a = p->a;
  gpr_mapping m = { .leaves = 1, .steps = 1, .step = &step };

  *z = (gpr_array) { .class = a->class, .complex = a->complex, .ndims = view->ndims };
  memcpy (z->dims, view->size, view->ndims * sizeof *z->dims);
  if (view->rank + 1 > GPR_MAX_DIMS)
    return GPR_UNSUPPORTED;
  const int parts = a->complex ? 2 : 1;
  if (a->complex)               /* two real numbers side by side */
    {
      m.dims[m.rank] = 2;
      m.strides[0][m.rank++] = 1;
    }
  for (int d = 0; d < view->rank; d++)
    {
      m.dims[m.rank] = view->dims[d];
      m.strides[0][m.rank++] = parts * view->strides[d];
    }
  m.x[0] = (const char *) a->data + (view->offset - p->first) * gpr_elem_bytes[gpr_array_elem (a)];
  m.class = a->class == GPR_CLASS_int64 || a->class == GPR_CLASS_uint64 ? GPR_CLASS_double : a->class;  /* any 8 bytes */
  m.classes[0] = m.class;
  step.single = m.class == GPR_CLASS_single;
  gpr_status status = gpr_resident_allocate (z, a);
  m.z = (void *) (uintptr_t) z->data;
  if (status == GPR_OK && gpr_array_numel (z) > 0)
    status = z->home->map (&m);
  gpr_array_trim (z);
  return status;
}

/* By Octave's rule of assignment the array keeps its class, or it is not done here.  */
bool
gpr_value_keeps_class (gpr_class array, gpr_class value)
{
  return value == array || (array != GPR_CLASS_logical && array != GPR_CLASS_char && value != GPR_CLASS_char);
}

void
gpr_value_to_place (gpr_mapping *m, const gpr_one_place *p, const gpr_value_view *view)
{
  const gpr_array *a = p->a;
  m->class = a->class;
  m->rank = view->rank;
  for (int d = 0; d < view->rank; d++)
    {
      m->dims[d] = view->dims[d];
      m->strides[GPR_MAP_LEAVES][d] = view->strides[d];
    }
  m->z = (char *) (uintptr_t) a->data + (view->offset - p->first) * gpr_elem_bytes[gpr_array_elem (a)];
}

static bool
is_wide (gpr_class class)
{
  return class == GPR_CLASS_int64 || class == GPR_CLASS_uint64;
}

gpr_status
gpr_value_place (const gpr_array *a, const gpr_array *b, gpr_class value, gpr_mapping *m, gpr_map_step *step)
{
  const bool wide = is_wide (a->class);
  gpr_choice choice;

  if (a->complex || (b && (b->complex || b->home != a->home || b->device != a->device)) || ! gpr_value_keeps_class (a->class, value) || ((wide || is_wide (value)) && ! (b && value == a->class)))
    return GPR_UNSUPPORTED;
  m->class = wide ? GPR_CLASS_double : a->class;
  for (int d = 0; d < m->rank; d++)
    m->strides[0][d] = b && gpr_array_numel (b) != 1 ? d == 0 ? 1 : m->strides[0][d - 1] * m->dims[d - 1] : 0;
  if (b)
    {
      m->leaves = 1;
      m->x[0] = b->data;
      m->classes[0] = wide ? GPR_CLASS_double : b->class;
      step->operand = GPR_MAP_LEAF;
    }
  step->single = m->class == GPR_CLASS_single;
  const gpr_work work = { GPR_WORK_STORE, gpr_array_elem (a), 0, false };
  gpr_status status = gpr_choose ((gpr_device_request) { 0 }, a->home, a->device, &work, NULL, &choice);
  return status == GPR_OK ? choice.backend->map (m) : status;
}
