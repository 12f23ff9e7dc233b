/* Gathers, scatters and lists of elements that are not 0, of arrays on the device.  */

#include <string.h>

#include "problems.h"
#include "stream.h"
#include "../core/lists.h"
#include "../../kernels/engine/lists.h"

static gpr_status
launch (gpr_cuda_state *s, const void *kernel, int64_t items, int tile, const void *args)
{
  return gpr_cuda_launch (s, kernel, gpr_min64 (gpr_over (items, tile), (int64_t) 1 << 24), GPR_LIST_THREADS, 0, args);
}

/* ---- gathers and scatters ----------------------------------------------------------------------- */

/* Wrong positions, and whether they rise.  */
static gpr_status
check (gpr_cuda_state *s, const gpr_list *list, bool *bad, bool *unordered)
{
  volatile unsigned char *marks = (volatile unsigned char *) s->needs_fixup;
  const gpr_gather_args a = { .marks = (unsigned char *) marks, .lists = { *list } };
  gpr_cuda_slot *slot;

  *(volatile int *) s->needs_fixup = 0;
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  GPR_TRY (launch (s, gpr_engine_check_list (), list->count, GPR_LIST_THREADS, &a));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  GPR_TRY (gpr_cuda_drain (s));
  *bad = marks[GPR_LIST_BAD] != 0;
  *unordered = marks[GPR_LIST_UNORDERED] != 0;
  return GPR_OK;
}

/* Of each position the last k, in *kept: each dimension has its own, since of elements in order the last comes from
   the last k of all.  */
static gpr_status
keep_last (gpr_cuda_state *s, const gpr_list *list, void **kept)
{
  const size_t bytes = (size_t) list->extent * sizeof (unsigned);
  gpr_last_args a = { .list = *list };
  gpr_cuda_slot *slot;
  void *last = NULL;

  if (list->count >= UINT32_MAX)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "%lld positions in any order", (long long) list->count);
  gpr_status status = gpr_cuda_take (s, kept, (size_t) list->count * sizeof *a.kept);
  if (status == GPR_OK)
    status = gpr_cuda_take (s, &last, bytes);
  a.last = last;
  a.kept = *kept;
  if (status == GPR_OK)
    status = gpr_cuda_next_slot (s, &slot);
  if (status == GPR_OK)
    status = gpr_cuda_begin_work (s, slot);
  if (status == GPR_OK)
    {
      const cudaError_t e = cudaMemsetAsync (last, 0, bytes, s->work);
      status = e == cudaSuccess ? GPR_OK : gpr_cuda_error (e, "clearing");
    }
  for (int keeps = 0; keeps < 2 && status == GPR_OK; keeps++)
    status = launch (s, gpr_engine_last (keeps), list->count, GPR_LIST_THREADS, &a);
  if (status == GPR_OK)
    status = gpr_cuda_end_work (s, slot);
  gpr_cuda_finish (s);          /* before its memory goes */
  gpr_cuda_give (last);
  return status;
}

static gpr_status
run (gpr_cuda_state *s, const gpr_gathering *g, gpr_gather_args *a)
{
  gpr_cuda_slot *slot;

  *(volatile int *) s->needs_fixup = 0;
  a->marks = (unsigned char *) s->needs_fixup;
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  GPR_TRY (launch (s, gpr_engine_gather (g->bytes, g->scatters), a->count, GPR_LIST_THREADS * GPR_LIST_EACH, a));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  return gpr_cuda_drain (s);
}

/* False in *bad: the lists are such that elements may go in any order.  */
static gpr_status
prepare_scatter (gpr_cuda_state *s, gpr_gathering *g, gpr_gather_args *a, void **kept)
{
  for (int d = 0; d < a->rank; d++)
    {
      bool unordered;
      if (! a->lists[d].at)
        continue;
      GPR_TRY (check (s, &a->lists[d], &g->bad, &unordered));
      if (g->bad)
        return GPR_OK;
      if (! unordered || g->one)
        continue;
      GPR_TRY (keep_last (s, &a->lists[d], &kept[d]));
      a->lists[d].at = kept[d];
      a->lists[d].elem = GPR_i64;
    }
  return GPR_OK;
}

_Static_assert ((int) GPR_LIST_RANK == (int) GPR_MAX_DIMS, "lists are copied");
gpr_status
gpr_cuda_gather (gpr_cuda_state *s, gpr_gathering *g)
{
  gpr_gather_args a = { .count = 1, .x = g->x, .z = g->z, .one = g->one, .rank = g->rank };
  void *kept[GPR_MAX_DIMS] = { NULL };

  g->bad = false;
  memcpy (a.lists, g->lists, g->rank * sizeof *g->lists);
  for (int d = 0; d < g->rank; d++)
    a.count *= g->lists[d].count;
  if (a.count == 0)
    return GPR_OK;
  a.narrow = a.count <= UINT32_MAX;
  gpr_status status = g->scatters ? prepare_scatter (s, g, &a, kept) : GPR_OK;
  if (status == GPR_OK && ! g->bad)
    status = run (s, g, &a);
  if (status == GPR_OK && ! g->scatters)
    g->bad = ((volatile unsigned char *) s->needs_fixup)[GPR_LIST_BAD] != 0;
  gpr_cuda_finish (s);          /* before its memory goes */
  for (int d = 0; d < g->rank; d++)
    gpr_cuda_give (kept[d]);
  return status;
}

/* ---- elements that are not 0 -------------------------------------------------------------------- */

static gpr_status
run_find (gpr_cuda_state *s, gpr_finding *f)
{
  const int bytes = (int) gpr_bytes_of (f->elem);
  const gpr_find_args a = {
    .x = f->x, .count = f->count, .tiles = gpr_find_tiles (f->count), .mask = gpr_find_mask (f->elem, 0, f->imaginary),
    .last_mask = gpr_find_mask (f->elem, 1, f->imaginary), .before = f->before, .skip = f->skip, .take = f->take, .z_elem = f->z_elem, .z = f->z
  };
  gpr_cuda_view total = gpr_cuda_bytes (&f->total, sizeof f->total);
  gpr_cuda_slot *slot;

  if (! f->z)
    f->total = 0;
  if (f->count == 0 || (f->z && f->take == 0))
    return GPR_OK;
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  GPR_TRY (gpr_cuda_launch (s, gpr_engine_find (bytes, f->z == NULL), gpr_over (a.tiles, GPR_LIST_THREADS / 32), GPR_LIST_THREADS, 0, &a));
  if (! f->z)
    GPR_TRY (gpr_cuda_launch (s, gpr_engine_find_sum (), 1, GPR_FIND_SUM_THREADS, 0, &a));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  return f->z ? gpr_cuda_drain (s) : gpr_cuda_download (s, &total, a.before + a.tiles);
}

gpr_status
gpr_cuda_find (gpr_cuda_state *s, gpr_finding *f)
{
  const gpr_status status = run_find (s, f);
  gpr_cuda_finish (s);          /* before its memory goes */
  return status;
}
