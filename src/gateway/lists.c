/* Elements of resident arrays that lists name, the lists of those that are not 0, and sorted arrays.  */

#include <string.h>

#include "../core/lists.h"
#include "../core/map.h"
#include "../core/select.h"
#include "../cpu/cpu.h"
#include "../resident/resident.h"
#include "values.h"

static void
release (gpr_array *a)
{
  if (a->data)
    a->home->release ((void *) (uintptr_t) a->data);
  a->data = NULL;
}

static void *
data_of (const gpr_array *a)
{
  return (void *) (uintptr_t) a->data;
}

static bool
beside (const gpr_array *a, const gpr_array *b)
{
  return a->home == b->home && a->device == b->device;
}

/* ---- gathers and scatters ------------------------------------------------------------------ */

/* The problem, but for where elements come from and go; false in *known: not done here.  */
static gpr_status
take_lists (const gpr_array *a, const gpr_value_selection *s, gpr_gathering *g, bool *known)
{
  int64_t stride = 1;

  *known = true;
  g->rank = s->rank;
  g->bytes = gpr_elem_bytes[gpr_array_elem (a)];
  for (int d = 0; d < s->rank; d++)
    {
      const gpr_value_subscript *from = &s->subscripts[d];
      gpr_list *list = &g->lists[d];
      *list = (gpr_list) { .count = from->count, .first = from->first, .step = from->step, .extent = from->extent, .stride = stride };
      stride *= from->extent;
      if (from->list == 0)
        continue;
      const gpr_array *at;
      const gpr_status status = gpr_resident_array (from->list, &at);
      if (status != GPR_OK)
        return status;
      *known = *known && ! at->complex && at->class < GPR_CLASS_logical && beside (at, a) && gpr_array_numel (at) == from->count;
      list->at = at->data;
      list->elem = gpr_array_elem (at);
    }
  return GPR_OK;
}

static gpr_status
count_nonzero (const gpr_array *a, bool imaginary, gpr_finding *f, gpr_array *before)
{
  *f = (gpr_finding) { .elem = gpr_array_elem (a), .imaginary = imaginary, .count = gpr_array_numel (a), .x = a->data };
  *before = (gpr_array) { .class = GPR_CLASS_int64, .ndims = 2, .dims = { gpr_find_tiles (f->count) + 1, 1 } };
  gpr_status status = gpr_resident_allocate (before, a);
  if (status != GPR_OK)
    return status;
  f->before = data_of (before);
  status = a->home->find (f);
  if (status != GPR_OK)
    release (before);
  return status;
}

gpr_status
gpr_value_narrow (gpr_array *z)
{
  gpr_array before;
  gpr_finding f;

  if (! z->complex)
    return GPR_OK;
  const gpr_status status = count_nonzero (z, true, &f, &before);
  if (status != GPR_OK)
    return status;
  release (&before);
  return f.total > 0 ? GPR_OK : gpr_value_real (z);
}

gpr_status
gpr_value_real (gpr_array *z)
{
  gpr_map_step load = { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF, .single = z->class == GPR_CLASS_single };
  const int64_t count = gpr_array_numel (z);
  gpr_array real = *z;

  real.complex = false;
  gpr_status status = gpr_resident_allocate (&real, z);
  if (status != GPR_OK)
    return status;
  gpr_mapping m = { .rank = 1, .dims = { count }, .leaves = 1, .x = { z->data }, .classes = { z->class }, .strides = { { 2 } },
                    .steps = 1, .step = &load, .class = z->class, .z = data_of (&real) };
  status = count > 0 ? z->home->map (&m) : GPR_OK;
  release (status == GPR_OK ? z : &real);
  if (status == GPR_OK)
    *z = real;
  return status;
}

gpr_status
gpr_value_gather (const gpr_array *a, const gpr_value_selection *s, gpr_array *z)
{
  gpr_gathering g = { .x = a->data };
  bool known;
  gpr_status status = take_lists (a, s, &g, &known);

  if (status != GPR_OK || ! known)
    return status;
  *z = (gpr_array) { .class = a->class, .complex = a->complex, .ndims = s->ndims };
  memcpy (z->dims, s->size, s->ndims * sizeof *z->dims);
  status = gpr_resident_allocate (z, a);
  if (status != GPR_OK)
    return status;
  g.z = data_of (z);
  gpr_array_trim (z);
  if (gpr_array_numel (z) > 0)
    status = a->home->gather (&g);
  if (status == GPR_OK && ! g.bad)
    status = gpr_value_narrow (z);
  if (status != GPR_OK || g.bad)
    release (z);
  return status;
}

/* b's elements as a has them, in own where they are not yet.  */
static gpr_status
as_elements_of (const gpr_array *a, const gpr_array *b, const void **x, gpr_array *own)
{
  const enum gpr_elem elem = gpr_array_elem (a);
  gpr_conversion p = { .from = b->home ? gpr_array_elem (b) : GPR_f64, .to = elem, .count = gpr_array_numel (b), .x = b->data };
  u64 number;

  *x = b->data;
  if (b->home && p.from == elem)
    return GPR_OK;
  *own = (gpr_array) { .class = a->class, .ndims = b->ndims };
  memcpy (own->dims, b->dims, b->ndims * sizeof *b->dims);
  const gpr_status status = gpr_resident_allocate (own, a);
  if (status != GPR_OK)
    return status;
  *x = own->data;
  p.y = data_of (own);
  if (b->home)
    return a->home->convert (&p);
  p.y = &number;
  (void) gpr_cpu_backend.convert (&p);
  return a->home->upload (data_of (own), &number, gpr_elem_bytes[elem]);
}

gpr_status
gpr_value_scatter (const gpr_array *a, const gpr_value_selection *s, const gpr_array *b, bool *done)
{
  gpr_gathering g = { .z = data_of (a), .scatters = true, .one = gpr_array_numel (b) == 1 };
  gpr_array own = { .data = NULL };
  int64_t count = 1;
  bool known;
  gpr_status status = take_lists (a, s, &g, &known);

  for (int d = 0; d < g.rank; d++)
    count *= g.lists[d].count;
  if (status != GPR_OK || ! known || a->complex || b->complex || (b->home && ! beside (a, b)) || (! g.one && gpr_array_numel (b) != count))
    return status;
  status = as_elements_of (a, b, &g.x, &own);
  if (status == GPR_OK && count > 0)
    status = a->home->gather (&g);
  *done = status == GPR_OK && ! g.bad;
  release (&own);
  return status;
}

/* ---- elements that are not 0 --------------------------------------------------------------- */

gpr_status
gpr_value_find (const gpr_array *a, int64_t most, bool last, gpr_array *z)
{
  gpr_array before;
  gpr_finding f;
  gpr_status status;

  if (z->class == GPR_CLASS_uint32 && gpr_array_numel (a) > UINT32_MAX)
    z->class = GPR_CLASS_int64;
  status = count_nonzero (a, false, &f, &before);
  if (status != GPR_OK)
    return status;
  f.take = f.total < most ? f.total : most;
  f.skip = last ? f.total - f.take : 0;
  z->ndims = 2;
  z->dims[0] = f.take;
  z->dims[1] = 1;
  status = gpr_resident_allocate (z, a);
  f.z = data_of (z);
  f.z_elem = gpr_array_elem (z);
  if (status == GPR_OK && f.take > 0)
    status = a->home->find (&f);
  if (status != GPR_OK)
    release (z);
  release (&before);
  return status;
}

/* ---- sorted arrays ------------------------------------------------------------------------- */

gpr_status
gpr_value_sort (const gpr_array *a, int dim, bool down, gpr_array *z, gpr_array *index)
{
  gpr_ranking r = { .elem = gpr_array_elem (a), .greatest = down, .nan_first = down, .inner = 1, .outer = 1, .x = a->data,
                    .x_resident = true, .out_resident = true };

  if (a->complex || dim >= a->ndims || gpr_array_numel (a) == 0)
    return GPR_UNSUPPORTED;
  for (int d = 0; d < a->ndims; d++)
    *(d < dim ? &r.inner : d == dim ? &r.length : &r.outer) = d == dim ? a->dims[d] : a->dims[d] * (d < dim ? r.inner : r.outer);
  r.count = r.length;
  *z = *a;
  z->data = NULL;
  gpr_status status = gpr_resident_allocate (z, a);
  if (status == GPR_OK && index)
    {
      *index = *z;
      index->class = GPR_CLASS_double;
      index->data = NULL;
      status = gpr_resident_allocate (index, a);
      r.index = data_of (index);
    }
  r.value = data_of (z);
  if (status == GPR_OK)
    status = a->home->rank (&r);
  if (status != GPR_OK)
    {
      release (z);
      if (index)
        release (index);
    }
  return status == GPR_OUT_OF_MEMORY ? GPR_UNSUPPORTED : status;        /* a sort takes a few times its array: the host may have that */
}
