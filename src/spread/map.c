/* Elementwise operations: each GPU makes its piece of the result, from its pieces of what is divided as the result is; what lies otherwise, such as an
   operand that broadcasts, is brought to it before.  */

#include <stdlib.h>
#include <string.h>

#include "../core/map.h"
#include "../cpu/cpu.h"
#include "../dispatch/cuda_module.h"
#include "../dispatch/takers.h"
#include "division.h"

/* ---- where the result is divided --------------------------------------------------------- */

/* Whether a leaf has an element for each of z's, as they lie.  */
static bool
is_flat (const gpr_mapping *m, int l)
{
  int64_t stride = 1;
  for (int d = 0; d < m->rank; d++)
    {
      if (m->dims[d] != 1 && m->strides[l][d] != stride)
        return false;
      stride *= m->dims[d];
    }
  return true;
}

static int64_t
bytes_of_leaf (const gpr_mapping *m, int l)
{
  return gpr_elem_bytes[gpr_elem_of_class (m->classes[l])];
}

/* As one of the leaves is; or along the last dimension.  */
static gpr_status
divide (gpr_mapping *m, gpr_pieces *z, int64_t count)
{
  const int64_t bytes = gpr_elem_bytes[gpr_elem_of_class (m->class)];
  const gpr_pieces *any = NULL;

  for (int l = 0; l < m->leaves; l++)
    {
      const gpr_pieces *x = m->x[l];
      if (x->count > 1 && is_flat (m, l) && x->bytes == count * bytes_of_leaf (m, l))
        return gpr_spread_as (z, x, bytes, bytes_of_leaf (m, l));
      any = ! any || x->count > any->count ? x : any;
    }
  return gpr_spread_divide (z, any->device, any->count, m->dims[m->rank - 1], count / m->dims[m->rank - 1] * bytes);
}

/* ---- leaves ------------------------------------------------------------------------------- */

static bool
lies_as (const gpr_mapping *m, int l, const gpr_pieces *z)
{
  const gpr_pieces *x = m->x[l];
  const int64_t z_bytes = gpr_elem_bytes[gpr_elem_of_class (m->class)], x_bytes = bytes_of_leaf (m, l);
  bool same = is_flat (m, l) && x->count == z->count;

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

/* ---- pieces -------------------------------------------------------------------------------- */

typedef struct {
  gpr_mapping *m;
  const gpr_pieces *z;
  int64_t inner;                /* elements of z before the next of the last dimension */
  bool left[GPR_MOST_DEVICES];
  gpr_mapping of[];             /* each device's */
} mapping;

static gpr_status
map_piece (void *of, int k)
{
  mapping *g = of;
  const gpr_status status = g->of[k].z ? gpr_cuda ()->backend.map (&g->of[k]) : GPR_OK;
  g->left[k] = g->of[k].left;
  return status;
}

static gpr_status
prepare (mapping *g, int k, void **brought)
{
  const gpr_mapping *m = g->m;
  const int64_t bytes = gpr_elem_bytes[gpr_elem_of_class (m->class)] * g->inner, first = g->z->starts[k] / bytes, end = g->z->starts[k + 1] / bytes;
  gpr_mapping *own = &g->of[k];
  gpr_status status = GPR_OK;

  *own = *m;
  own->left = false;
  own->dims[m->rank - 1] = end - first;
  own->z = end > first ? g->z->at[k] : NULL;
  for (int l = 0; l < m->leaves && end > first && status == GPR_OK; l++)
    if (lies_as (m, l, g->z))
      own->x[l] = ((const gpr_pieces *) m->x[l])->at[k];
    else
      status = bring (m, l, first, end, g->z->device[k], &brought[l], &own->x[l]);
  return status;
}

static gpr_status
map_pieces (gpr_mapping *m, const gpr_pieces *z, int64_t inner)
{
  void *brought[GPR_MOST_DEVICES][GPR_MAP_LEAVES] = { { NULL } };
  mapping *g = calloc (1, sizeof *g + z->count * sizeof *g->of);
  gpr_status status = g ? GPR_OK : gpr_spread_no_memory ((int64_t) (z->count * sizeof *g->of));

  if (g)
    {
      g->m = m;
      g->z = z;
      g->inner = inner;
    }
  for (int k = 0; k < z->count && status == GPR_OK; k++)
    status = prepare (g, k, brought[k]);
  if (status == GPR_OK)
    status = gpr_spread_each (z, z->bytes, map_piece, g);
  for (int k = 0; k < z->count; k++)
    for (int l = 0; l < m->leaves; l++)
      if (brought[k][l])
        gpr_cuda ()->backend.release (brought[k][l]);
  for (int k = 0; k < z->count && g; k++)
    m->left |= g->left[k];
  free (g);
  return status;
}

/* ---- on the host ------------------------------------------------------------------------------ */

static gpr_status
map_on_host (gpr_mapping *m, gpr_pieces *z)
{
  void *x[GPR_MAP_LEAVES] = { NULL }, *host = malloc ((size_t) z->bytes + 1);
  gpr_mapping own = *m;
  gpr_status status = host ? GPR_OK : gpr_spread_no_memory (z->bytes);

  for (int l = 0; l < m->leaves && status == GPR_OK; l++)
    {
      status = gpr_division_read (m->x[l], -1, &x[l]);
      own.x[l] = x[l];
    }
  own.z = host;
  if (status == GPR_OK)
    status = gpr_cpu_backend.map (&own);
  m->left = own.left;
  if (status == GPR_OK)
    status = gpr_spread_write (z, 0, z->bytes, host);
  for (int l = 0; l < m->leaves; l++)
    free (x[l]);
  free (host);
  return status;
}

gpr_status
gpr_spread_map (gpr_mapping *m)
{
  gpr_mapping joined = *m;
  int64_t count, inner;
  gpr_pieces *z = m->z;
  bool aligned = true;

  if (m->asked)
    {
      *m->asked = GPR_KERNEL_BUILT;
      return GPR_OK;
    }
  if (m->placed || m->leaves == 0)
    return gpr_fail (GPR_UNSUPPORTED, "elements of an array on several GPUs are not assigned to where they lie");
  count = gpr_map_join (&joined);
  inner = count / joined.dims[joined.rank - 1];
  gpr_status status = divide (&joined, z, count);
  for (int k = 1; k < z->count && status == GPR_OK; k++)
    aligned = aligned && z->starts[k] % (inner * gpr_elem_bytes[gpr_elem_of_class (m->class)]) == 0;
  if (status == GPR_OK)
    status = aligned ? map_pieces (&joined, z, inner) : map_on_host (&joined, z);
  m->left = joined.left;
  return status;
}

/* ---- others ------------------------------------------------------------------------------------ */

typedef struct { const gpr_conversion *c; const gpr_pieces *x, *y; } converting;

static gpr_status
convert_piece (void *of, int k)
{
  const converting *g = of;
  gpr_conversion own = *g->c;
  own.x = g->x->at[k];
  own.y = g->y->at[k];
  own.count = (g->x->starts[k + 1] - g->x->starts[k]) / gpr_elem_bytes[own.from];
  return own.count > 0 ? gpr_cuda ()->backend.convert (&own) : GPR_OK;
}

gpr_status
gpr_spread_convert (gpr_conversion *c)
{
  converting g = { c, c->x, c->y };
  gpr_status status = gpr_spread_as (c->y, c->x, gpr_elem_bytes[c->to], gpr_elem_bytes[c->from]);
  return status == GPR_OK ? gpr_spread_each (g.x, g.x->bytes, convert_piece, &g) : status;
}

/* On the host.  */
gpr_status
gpr_spread_pair (gpr_pairing *p)
{
  const gpr_pieces *x = p->x_resident ? p->x : NULL, *y = p->y_resident ? p->y : NULL;
  const int64_t each = gpr_elem_bytes[p->elem];
  gpr_pairing own = *p;
  void *copies[2] = { NULL, NULL };
  int64_t bytes = each;
  gpr_kept z;

  for (int d = 0; d < p->rank; d++)
    bytes *= p->dims[d];
  gpr_status status = gpr_kept_open (&z, p->z, p->out_resident, bytes);
  for (int k = 0; k < 2 && status == GPR_OK; k++)
    if (k ? y : x)
      {
        status = gpr_division_read (k ? y : x, -1, &copies[k]);
        *(k ? &own.y : &own.x) = copies[k];
      }
  own.z = z.host;
  own.x_resident = own.y_resident = own.out_resident = false;
  if (status == GPR_OK)
    status = gpr_cpu_backend.pair (&own);
  free (copies[0]);
  free (copies[1]);
  const gpr_pieces *like = x && x->bytes == bytes ? x : y && y->bytes == bytes ? y : NULL;
  if (status == GPR_OK && z.resident && like)
    status = gpr_spread_as (p->z, like, each, each);
  return gpr_kept_close (&z, status);
}
