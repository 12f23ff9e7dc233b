/* Elementwise operations: each GPU makes its piece of the result (terms.h).  */

#include <stdlib.h>

#include "../core/map.h"
#include "../cpu/cpu.h"
#include "../dispatch/cuda_module.h"
#include "division.h"
#include "terms.h"

/* ---- pieces -------------------------------------------------------------------------------- */

typedef struct { gpr_terms *terms; const gpr_pieces *z; } mapping;

static gpr_status
map_piece (void *of, int k)
{
  const mapping *g = of;
  return gpr_terms_make (g->terms, k, 0, (g->z->starts[k + 1] - g->z->starts[k]) / g->terms->elem_bytes, g->z->at[k]);
}

/* *aligned <- false: it does nothing.  */
static gpr_status
map_pieces (gpr_mapping *m, const gpr_pieces *z, bool *aligned)
{
  mapping g = { NULL, z };
  gpr_status status = gpr_terms_open (&g.terms, m, z);

  *aligned = status != GPR_OK || g.terms;
  if (status == GPR_OK && g.terms)
    {
      status = gpr_spread_each (z, z->bytes, map_piece, &g);
      m->left = g.terms->left;
    }
  gpr_terms_close (g.terms);
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
  gpr_pieces *z = m->z;
  gpr_status status = GPR_OK;
  bool aligned;

  if (m->asked)
    {
      *m->asked = GPR_KERNEL_BUILT;
      return GPR_OK;
    }
  if (m->placed || m->leaves == 0)
    return gpr_fail (GPR_UNSUPPORTED, "elements of an array on several GPUs are not assigned to where they lie");
  joined.left = false;
  const int64_t count = gpr_map_join (&joined);
  if (z->count == 0)
    {
      gpr_terms_lay (&joined, count, z);
      status = gpr_spread_take_pieces (z);
    }
  if (status == GPR_OK)
    status = map_pieces (&joined, z, &aligned);
  if (status == GPR_OK && ! aligned)
    status = map_on_host (&joined, z);
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
