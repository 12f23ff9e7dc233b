/* Expressions on pieces: how their elements are divided, and what each GPU reads.  */

#include <stdlib.h>

#include "../dispatch/cuda_module.h"
#include "terms.h"

/* ---- where elements lie ------------------------------------------------------------------- */

static int64_t
bytes_of_leaf (const gpr_mapping *m, int l)
{
  return gpr_elem_bytes[gpr_elem_of_class (m->classes[l])];
}

void
gpr_terms_lay (const gpr_mapping *m, int64_t count, gpr_pieces *z)
{
  const int64_t bytes = gpr_elem_bytes[gpr_elem_of_class (m->class)];
  const gpr_pieces *any = NULL;

  for (int l = 0; l < m->leaves; l++)
    {
      const gpr_pieces *x = m->x[l];
      if (x->count > 1 && gpr_map_is_flat (m, l) && x->bytes == count * bytes_of_leaf (m, l))
        {
          gpr_spread_lay_as (z, x, bytes, bytes_of_leaf (m, l));
          return;
        }
      any = ! any || x->count > any->count ? x : any;
    }
  gpr_spread_lay (z, any->device, any->count, m->dims[m->rank - 1], count / m->dims[m->rank - 1] * bytes);
}

/* ---- leaves ------------------------------------------------------------------------------- */

static bool
lies_as (const gpr_mapping *m, int l, const gpr_pieces *z)
{
  const gpr_pieces *x = m->x[l];
  const int64_t z_bytes = gpr_elem_bytes[gpr_elem_of_class (m->class)], x_bytes = bytes_of_leaf (m, l);
  bool same = gpr_map_is_flat (m, l) && x->count == z->count;

  for (int k = 0; k <= z->count && same; k++)
    same = x->starts[k] / x_bytes == z->starts[k] / z_bytes && (k == z->count || x->device[k] == z->device[k]);
  return same;
}

/* What device k reads of a leaf that lies otherwise, to memory of that device; *x: as if all were there.  */
static gpr_status
bring (const gpr_mapping *m, int l, int64_t first, int64_t end, int device, void **memory, const void **x)
{
  const int64_t bytes = bytes_of_leaf (m, l);
  int64_t low = 0, high = 0;
  for (int d = 0; d < m->rank; d++)
    {
      const int64_t from = d == m->rank - 1 ? first : 0, last = d == m->rank - 1 ? end - 1 : m->dims[d] - 1, s = m->strides[l][d];
      low += s < 0 ? last * s : from * s;
      high += s < 0 ? from * s : last * s;
    }
  const int64_t some = (high + 1 - low) * bytes;
  gpr_status status = gpr_spread_take (device, some, memory);
  if (status == GPR_OK)
    status = gpr_spread_fetch (m->x[l], low * bytes, some, device, *memory);
  *x = (const void *) ((uintptr_t) *memory + (uintptr_t) ((m->strides[l][m->rank - 1] * first - low) * bytes));
  return status;
}

static gpr_status
prepare (gpr_terms *t, const gpr_mapping *m, int k)
{
  const int64_t bytes = t->elem_bytes * t->inner, first = t->z.starts[k] / bytes, end = t->z.starts[k + 1] / bytes;
  gpr_mapping *own = &t->of[k];
  gpr_status status = GPR_OK;

  *own = *m;
  own->left = false;
  own->z = NULL;
  own->dims[m->rank - 1] = end - first;
  for (int l = 0; l < m->leaves && end > first && status == GPR_OK; l++)
    if (lies_as (m, l, &t->z))
      own->x[l] = ((const gpr_pieces *) m->x[l])->at[k];
    else
      status = bring (m, l, first, end, t->z.device[k], &t->brought[k][l], &own->x[l]);
  return status;
}

gpr_status
gpr_terms_open (gpr_terms **of, const gpr_mapping *m, const gpr_pieces *z)
{
  int64_t inner = 1;
  gpr_status status = GPR_OK;

  *of = NULL;
  for (int d = 0; d < m->rank - 1; d++)
    inner *= m->dims[d];
  const int64_t bytes = gpr_elem_bytes[gpr_elem_of_class (m->class)];
  for (int k = 1; k < z->count; k++)
    if (z->starts[k] % (inner * bytes) != 0)
      return GPR_OK;
  gpr_terms *t = calloc (1, sizeof *t + z->count * sizeof *t->of);
  if (! t)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", z->count * sizeof *t->of);
  t->z = *z;
  t->z.terms = t;
  t->elem_bytes = bytes;
  t->inner = inner;
  for (int k = 0; k < z->count && status == GPR_OK; k++)
    status = prepare (t, m, k);
  if (status == GPR_OK)
    *of = t;
  else
    gpr_terms_close (t);
  return status;
}

gpr_status
gpr_terms_open_alone (gpr_terms **t, const gpr_mapping *m)
{
  gpr_mapping joined = *m;
  gpr_pieces z = { .count = 0 };

  *t = NULL;
  if (m->asked || m->leaves == 0)
    return GPR_UNSUPPORTED;
  gpr_terms_lay (&joined, gpr_map_join (&joined), &z);
  const gpr_status status = gpr_terms_open (t, &joined, &z);
  return status == GPR_OK && ! *t ? GPR_UNSUPPORTED : status;
}

void
gpr_terms_close (gpr_terms *t)
{
  for (int k = 0; t && k < t->z.count; k++)
    for (int l = 0; l < GPR_MAP_LEAVES; l++)
      if (t->brought[k][l])
        gpr_cuda ()->backend.release (t->brought[k][l]);
  free (t);
}

/* ---- elements ------------------------------------------------------------------------------ */

gpr_status
gpr_terms_make (gpr_terms *t, int k, int64_t first, int64_t end, void *z)
{
  gpr_mapping own = t->of[k];
  const int last = own.rank - 1;
  gpr_status status = GPR_OK;

  own.dims[last] = (end - first) / t->inner;
  own.z = z;
  for (int l = 0; l < own.leaves; l++)
    own.x[l] = (const void *) ((uintptr_t) own.x[l] + (uintptr_t) (own.strides[l][last] * (first / t->inner) * bytes_of_leaf (&own, l)));
  if (end > first)
    status = gpr_cuda ()->backend.map (&own);
  if (own.left)
    t->left = true;
  return status;
}

static int64_t
lesser (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* Some at a time, and what is whole of the last dimension: the first and the last may be made for nothing.  */
static gpr_status
read_some (const gpr_making *m, size_t from, size_t bytes, void *to)
{
  enum { AT_ONCE = 1 << 24 };   /* bytes */
  const gpr_terms_making *g = (const gpr_terms_making *) m;
  gpr_terms *t = g->terms;
  const gpr_backend *cuda = &gpr_cuda ()->backend;
  const int64_t each = t->elem_bytes, inner = t->inner, first = (int64_t) from / each, end = first + (int64_t) bytes / each;
  const int64_t block = AT_ONCE / (inner * each) > 0 ? AT_ONCE / (inner * each) * inner : inner;
  const int64_t covered = (end + inner - 1) / inner * inner - first / inner * inner;
  void *memory = NULL;
  gpr_status status = end > first ? cuda->allocate (&memory, (size_t) (lesser (block, covered) * each)) : GPR_OK;

  for (int64_t at = first; at < end && status == GPR_OK; )
    {
      const int64_t begin = at / inner * inner, until = lesser (begin + block, (end + inner - 1) / inner * inner), some = lesser (until, end) - at;
      status = gpr_terms_make (t, g->k, begin, until, memory);
      if (status == GPR_OK)
        status = cuda->download ((char *) to + (at - first) * each, (char *) memory + (at - begin) * each, (size_t) (some * each));
      at += some;
    }
  cuda->release (memory);
  return status;
}

gpr_terms_making
gpr_terms_of_rank (gpr_terms *t, int k)
{
  return (gpr_terms_making) { { &t->of[k], read_some }, t, k };
}
