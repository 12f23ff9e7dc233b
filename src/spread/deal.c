/* Columns dealt out, where ranks would do that by way of the host: each GPU gets all rows of some columns, by copies from the others' pieces, and does
   these alone.  Of problems that give one result a column, which does not depend on how many columns there are.  */

#include "../dispatch/cuda_module.h"
#include "division.h"

enum { LEAST = 256 };           /* bytes of a row's share, an estimate: shorter copies are slow */

typedef struct {
  const gpr_division *d;
  gpr_status (*work) (gpr_part *p, void *problem);
  void *problem;
  void *share[GPR_MOST_DEVICES][2];
} dealing;

static int64_t
first_column (const gpr_division *d, int k)
{
  return d->inner / d->x->count * k + d->inner % d->x->count * k / d->x->count;
}

/* From each piece that has rows, each GPU from another one at first.  */
static gpr_status
fetch (const gpr_division *d, const gpr_pieces *x, int k, void *share)
{
  const size_t row = (size_t) (d->inner * d->elem_bytes);
  const int64_t first = first_column (d, k), own = (first_column (d, k + 1) - first) * d->elem_bytes;
  gpr_cuda_transfer t[GPR_MOST_DEVICES];
  int count = 0, failed;

  for (int i = 0; i < x->count; i++)
    {
      const int from = (k + i) % x->count;
      if (x->at[from])
        t[count++] = (gpr_cuda_transfer) { .to_device = x->device[k], .from_device = x->device[from], .to = (char *) share + d->starts[from] * own,
                                           .from = (const char *) x->at[from] + first * d->elem_bytes, .bytes = (size_t) own, .by_rows = true,
                                           .rows = (size_t) (d->starts[from + 1] - d->starts[from]), .to_pitch = (size_t) own, .from_pitch = row };
    }
  return gpr_cuda ()->copy (t, count, &failed);
}

static gpr_status
do_share (void *of, int k)
{
  const dealing *g = of;
  const gpr_division *d = g->d;
  const gpr_pieces *from[2] = { d->x, d->y };
  gpr_part p = { .d = d, .k = k, .outer = 1, .first_column = first_column (d, k), .columns = first_column (d, k + 1) - first_column (d, k) };
  gpr_piece *piece[2] = { &p.piece, &p.factor };
  gpr_status status = GPR_OK;

  p.elements = p.columns * d->length;
  for (int i = 0; i < 2 && from[i] && status == GPR_OK; i++)
    {
      *piece[i] = (gpr_piece) { .data = g->share[k][i], .home = &gpr_cuda ()->backend };
      status = fetch (d, from[i], k, g->share[k][i]);
    }
  if (status == GPR_OK)
    status = g->work (&p, g->problem);
  gpr_piece_forget (&p.piece);
  gpr_piece_forget (&p.factor);
  return status;
}

bool
gpr_deal_pays (const gpr_division *d)
{
  const gpr_pieces *x = d->x;
  const int64_t row = d->inner * d->elem_bytes;         /* copies by rows take no longer ones than INT32_MAX */
  bool pays = d->by == GPR_DEALT_OUT && x->count > 1 && d->inner / x->count * d->elem_bytes >= LEAST && row <= INT32_MAX;
  for (int k = 0; k < x->count; k++)
    for (int i = 0; i < x->count && pays; i++)
      pays = i == k || gpr_cuda ()->reaches (x->device[k], x->device[i]);
  return pays;
}

gpr_status
gpr_deal_run (const gpr_division *d, gpr_status (*work) (gpr_part *p, void *problem), void *problem)
{
  dealing g = { .d = d, .work = work, .problem = problem };
  const int count = d->x->count;
  gpr_status status = GPR_OK;

  for (int k = 0; k < count; k++)
    for (int i = 0; i < 1 + (d->y != NULL) && status == GPR_OK; i++)
      status = gpr_spread_take (d->x->device[k], (first_column (d, k + 1) - first_column (d, k)) * d->length * d->elem_bytes, &g.share[k][i]);
  if (status == GPR_OK)
    status = gpr_spread_run (d->x, do_share, &g);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 2; i++)
      gpr_cuda ()->backend.release (g.share[k][i]);
  return status;
}
