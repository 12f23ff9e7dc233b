/* accumarray: chunk after chunk of the elements.  With few outputs each chunk goes to tables; else it
   is sorted by output and added to what the outputs hold, a run of elements in pieces or, for
   products and sums in the built-in's order, one after the other.  Outputs that
   do not fit are done in windows, each from all elements.  */

#include <string.h>

#include "scatter_job.h"

enum { MOST = 1 << 28 };        /* elements of a chunk */

/* ---- windows --------------------------------------------------------------------------- */

/* Outputs, or what is like them, become the cell.  */
static gpr_status
fill (gpr_scatter_job *j, void *out, const union gpr_scatter_cell *cell, const void *counts)
{
  gpr_scatter_fill_args a = { .count = j->count, .out = out, .counts = counts };
  memcpy (&a.cell, cell, sizeof a.cell);
  return gpr_scatter_launch (j, gpr_engine_scatter_fill ((int) j->out_bytes), j->count, &a);
}

static gpr_status take_again (const gpr_scatter_job *j);

static gpr_status
begin_window (gpr_scatter_job *j)
{
  const gpr_scattering *p = j->p;

  j->out = p->out_resident ? (char *) p->out + j->first * j->out_bytes : j->memory;
  GPR_CUDA_TRY (cudaMemsetAsync (j->flags, 0, GPR_SCATTER_FLAG_BYTES, j->s->work), "clearing flags");
  if (j->counts)
    GPR_CUDA_TRY (cudaMemsetAsync (j->counts, 0, (size_t) j->count * sizeof (unsigned long long), j->s->work), "clearing counts");
  if (j->part)
    GPR_TRY (fill (j, j->part, &p->start, NULL));
  return p->op == GPR_SCATTER_COUNT ? GPR_OK : fill (j, j->out, &p->start, NULL);
}

static gpr_status
end_window (gpr_scatter_job *j, bool look)
{
  const gpr_scattering *p = j->p;
  gpr_scatter_finish_args f = { .count = j->count, .op = p->op, .out = j->out, .part = look || ! j->look ? j->part : NULL,
                                .counts = j->counts, .again = j->again, .look = look, .mean = p->mean, .scale = p->scale, .flags = j->flags };

  memcpy (f.start, &p->start, sizeof f.start);
  if (p->op == GPR_SCATTER_COUNT)
    GPR_TRY (gpr_scatter_launch (j, gpr_engine_scatter_counted (), j->count, &f));
  else if (look || p->mean || f.part)
    GPR_TRY (gpr_scatter_launch (j, gpr_engine_scatter_finish (p->to), j->count, &f));
  if (p->gaps)
    GPR_TRY (fill (j, j->out, &p->gap, j->counts));
  if (p->from_zero)
    {
      gpr_scatter_fill_args z = { .count = j->count, .out = j->out, .flags = j->flags };
      GPR_TRY (gpr_scatter_launch (j, gpr_engine_scatter_zero ((int) j->out_bytes), j->count, &z));
    }
  return GPR_OK;
}

static gpr_status
run_window (gpr_scatter_job *j)
{
  gpr_scattering *p = j->p;
  int flags[GPR_SCATTER_FLAGS];
  gpr_cuda_view f = gpr_cuda_bytes (flags, sizeof flags);

  GPR_TRY (begin_window (j));
  GPR_TRY (gpr_scatter_add_chunks (j));
  GPR_TRY (end_window (j, j->look));
  GPR_TRY (gpr_cuda_download (j->s, &f, j->flags));
  p->bad = flags[GPR_SCATTER_BAD];
  if (p->bad)
    return GPR_OK;
  if (flags[GPR_SCATTER_AGAIN])
    {
      GPR_TRY (take_again (j));
      if (p->mean)
        GPR_TRY (end_window (j, false));
    }
  if (p->out_resident)
    return GPR_OK;
  gpr_cuda_view v = gpr_cuda_bytes ((char *) p->out + j->first * j->out_bytes, (size_t) (j->count * j->out_bytes));
  return gpr_cuda_download (j->s, &v, j->out);
}

static gpr_status
run (gpr_scatter_job *j)
{
  const int64_t outputs = gpr_scatter_outputs (j->p);
  if (j->only)
    return gpr_scatter_add_chunks (j);
  for (j->first = 0; j->first < outputs && ! j->p->bad; j->first += j->window)
    {
      j->count = gpr_min64 (j->window, outputs - j->first);
      GPR_TRY (run_window (j));
    }
  return gpr_cuda_drain (j->s);
}

/* The chunk that fits into so many bytes.  */
static void
plan_chunk (gpr_scatter_job *j, int64_t room)
{
  const int64_t unit = gpr_scatter_unit (j), units = gpr_over (j->p->n, unit), most = gpr_max64 (1, MOST / unit);

  j->chunk = j->p->n;           /* one chunk, if it fits */
  if (units * gpr_scatter_unit_bytes (j) > room || units > most)
    {
      j->chunk = 1;             /* several */
      j->chunk = gpr_min64 (most, gpr_max64 (1, room / gpr_scatter_unit_bytes (j))) * unit;
    }
}

/* Half of the chunk, in whole units; false: it is one.  */
static bool
halve_chunk (gpr_scatter_job *j)
{
  const int64_t units = gpr_over (j->chunk, gpr_scatter_unit (j));
  j->chunk = gpr_over (units, 2) * gpr_scatter_unit (j);
  return units > 1;
}

/* The window first takes all outputs, but half of what a call may have where that
   is limited; and half of what there was, whenever memory ends.  */
static gpr_status
scatter (gpr_scatter_job *j)
{
  const gpr_scattering *p = j->p;
  const bool limited = gpr_host.settings->memory_limit > 0;
  const int64_t room = (int64_t) gpr_cuda_room ();

  plan_chunk (j, limited ? room / 2 : room);
  if (! j->only)
    j->window = gpr_min64 (gpr_scatter_outputs (p), (int64_t) 1 << 31);
  if (limited && j->way != GPR_SCATTER_IN_TABLES && ! j->only)
    j->window = gpr_max64 (1, gpr_min64 (j->window, room / 2 / gpr_max64 (1, gpr_scatter_output_bytes (j))));
  for (;;)
    {
      gpr_status status = gpr_scatter_allocate (j);
      if (status == GPR_OK)
        {
          status = run (j);
          gpr_cuda_finish (j->s);       /* before its memory goes */
          gpr_scatter_release (j);
          return status;
        }
      gpr_scatter_release (j);
      const bool smaller = halve_chunk (j);
      const bool narrower = j->way != GPR_SCATTER_IN_TABLES && ! j->only && j->window > 1;
      if (status != GPR_OUT_OF_MEMORY || ! (smaller || narrower)
          || j->chunk / gpr_scatter_unit (j) * gpr_scatter_unit_bytes (j) + j->window * gpr_scatter_output_bytes (j) < 2 * GPR_CUDA_LEAST)
        return status;
      if (narrower)
        j->window = gpr_over (j->window, 2);
    }
}

/* Sums that are not finite, in the built-in's order: they have been made what they begin with.  */
static gpr_status
take_again (const gpr_scatter_job *j)
{
  gpr_scatter_job again = { .p = j->p, .s = j->s, .way = GPR_SCATTER_IN_ORDER, .elem_bytes = j->elem_bytes, .out_bytes = j->out_bytes,
                            .window = j->count, .first = j->first, .count = j->count, .only = j->again, .out = j->out };
  return scatter (&again);
}

typedef struct {
  unsigned long long largest;
  int flags[GPR_SCATTER_FLAGS];
} largest_found;

static gpr_status
ask_largest (gpr_scatter_job *j, largest_found *memory, largest_found *found)
{
  gpr_scatter_largest_args a = { .n = j->p->n, .column = j->p->column[0], .largest = &memory->largest, .flags = memory->flags };
  gpr_cuda_view v = gpr_cuda_bytes (found, sizeof *found);
  GPR_CUDA_TRY (cudaMemsetAsync (memory, 0, sizeof *memory, j->s->work), "clearing flags");
  GPR_TRY (gpr_scatter_launch (j, gpr_engine_scatter_largest (), a.n, &a));
  return gpr_cuda_download (j->s, &v, memory);
}

/* Of a column that is on the device.  */
static gpr_status
find_largest (gpr_scatter_job *j)
{
  largest_found found = { 0 };
  void *memory;

  GPR_TRY (gpr_cuda_take (j->s, &memory, sizeof found));
  gpr_status status = ask_largest (j, memory, &found);
  gpr_cuda_finish (j->s);
  gpr_cuda_give (memory);
  j->p->bad = found.flags[GPR_SCATTER_BAD];
  j->p->column[0].size = (int64_t) found.largest;
  return status;
}

gpr_status
gpr_cuda_scatter (gpr_cuda_state *s, gpr_scattering *p)
{
  gpr_scatter_job j = { .p = p, .s = s, .elem_bytes = gpr_bytes_of (p->in), .out_bytes = gpr_bytes_of (p->to) };

  p->bad = false;
  if (! p->out)
    return find_largest (&j);
  j.cut = gpr_scatter_cut_of (p->n, gpr_scatter_outputs (p));
  j.way = gpr_scatter_in_order (p) ? GPR_SCATTER_IN_ORDER : j.cut.chunk > 0 ? GPR_SCATTER_IN_TABLES : GPR_SCATTER_IN_PIECES;
  j.direct = p->columns == 1 && p->column[0].elem == GPR_f64;
  j.counted = p->gaps || p->mean || p->op == GPR_SCATTER_COUNT;
  j.runs = j.way == GPR_SCATTER_IN_PIECES || (j.way == GPR_SCATTER_IN_ORDER && j.counted);
  j.look = gpr_scatter_is_cut (p);
  return scatter (&j);
}
