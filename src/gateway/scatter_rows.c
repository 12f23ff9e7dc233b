/* gpu_accumarray with "comm": of rows that are divided over ranks.  */

#include "../cpu/cpu.h"
#include "divided.h"
#include "fields.h"
#include "scatter.h"

/* The largest subscripts of all ranks' rows; *bad on all, if on one.  */
static void
agree_on_sizes (const gpr_call *c, gpr_scatter_request *r, bool *bad)
{
  int64_t most[GPR_SCATTER_COLUMNS + 1];
  const gpr_choice host = { .backend = &gpr_cpu_backend };
  gpr_status status = r->n > 0 ? gpr_scatter_find_sizes (r, &host, bad) : GPR_OK;

  for (int i = 0; i < r->columns; i++)
    most[i] = -r->size[i];
  most[r->columns] = - (int64_t) *bad;
  if (status == GPR_OK)
    status = gpr_world_combine (most, r->columns + 1, sizeof *most, gpr_take_least);
  gpr_raise_if (c, status);
  for (int i = 0; i < r->columns; i++)
    r->size[i] = -most[i];
  *bad = most[r->columns] != 0;
}

/* Each rank its rows, into tables that are put together.  */
void
gpr_scatter_rows (gpr_call *c, gpr_scatter_request *r, gpr_scattering *p, gpr_array *z)
{
  const double start = gpr_now_ms ();
  const gpr_choice ranks = { .backend = &gpr_ranks_backend };
  gpr_output out;
  bool bad = false;

  if (p->op == GPR_SCATTER_PROD)
    gpr_mx_not_yet (c, "products do");
  if (r->sizes == 0)
    agree_on_sizes (c, r, &bad);
  if (bad)
    gpr_mx_invalid (c, "SUBS must be positive integers");
  if (! gpr_scatter_make_sizes (r, p, z))
    gpr_mx_invalid (c, "the result would have more elements than any memory has");
  z->complex = r->values.complex && p->op != GPR_SCATTER_COUNT;
  gpr_mx_output (&out, z, false, false);
  p->repeated = gpr_array_numel (&r->values) == 1 || p->op == GPR_SCATTER_COUNT;
  p->out = out.data;
  const gpr_status status = gpr_scatter_run (r, &ranks, p);
  gpr_note_call (c, &ranks, start, NULL);
  gpr_raise_if (c, status);
  if (p->bad)
    gpr_mx_invalid (c, "SUBS must be positive integers within SZ");
  c->plhs[0] = gpr_mx_result (c, &ranks, &out);
}
