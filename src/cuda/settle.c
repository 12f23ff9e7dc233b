/* Products of an array that lies on the device.  Of many columns none but NaN is in doubt; of others that are most become 0 or infinite
   soon, and need not go to the host.  */

#include <string.h>

#include "problems.h"
#include "stream.h"
#include "../../kernels/common/tree.h"
#include "../../kernels/engine/prod_columns.h"
#include "../../kernels/engine/settle.h"

enum {
  TILE_BLOCKS = 3,              /* that a multiprocessor has before more outputs share one */
  CHUNK_BLOCKS = 5,             /* that it has before one has outputs in turn: all run at once */
  LONG = 128,                   /* rows: to read the results again is nothing beside them */
  WORTH_A_LAUNCH = 1 << 20,     /* elements of a product that may stay in the range: the tree takes longer than a kernel that has nothing to do */
  FULL = 512                    /* outputs for a multiprocessor that keep it busy with a thread each */
};

/* What is in doubt, on the stream, behind a slot's work or NULL: most need only their first rows; seen: room for what there is in all, or NULL.
   *left <- 1: some is left.  */
static gpr_status
launch (gpr_cuda_state *s, gpr_cuda_slot *slot, const gpr_reduction *r, const gpr_settle_kernels *k, void *value, unsigned *seen, int *left)
{
  const bool wide = r->inner < 32 && r->length >= 32;
  const int64_t outputs = r->inner * r->outer, lanes = wide ? 32 : 1, multiprocessors = s->multiprocessors;
  const bool tiles = wide || (r->length >= 32 && outputs < FULL * multiprocessors);
  gpr_settle_args a = {
    .x = r->x, .value = value, .inner = r->inner, .length = r->length, .outputs = outputs, .seen = seen, .lanes = (int) lanes,
    .pieces = gpr_over (r->length, lanes * GPR_SETTLE_ROWS), .left = left, .column_bits = r->inner > 1 ? 5 : 4
  };

  /* Columns side by side are read together.  */
  while (a.column_bits > 0 && gpr_over (outputs, 1 << a.column_bits) < TILE_BLOCKS * multiprocessors)
    a.column_bits -= r->inner > 1 && a.column_bits != 2 ? 1 : 2;      /* 5, 4, 3, 2, 0; 4, 2, 0 */
  const int64_t turns = (outputs >> a.column_bits) / (CHUNK_BLOCKS * multiprocessors);
  a.chunk = (int) gpr_max64 (1, gpr_min64 (turns, GPR_SETTLE_CHUNK >> a.column_bits)) << a.column_bits;
  *(volatile int *) left = 0;
  if (! slot)
    {
      GPR_TRY (gpr_cuda_next_slot (s, &slot));
      GPR_TRY (gpr_cuda_begin_work (s, slot));
    }
  if (seen)
    {
      GPR_CUDA_TRY (cudaMemsetAsync (seen, 0, outputs * sizeof *seen, s->work), "clearing");
      GPR_TRY (gpr_cuda_launch (s, k->seen, gpr_min64 (gpr_over (outputs * a.pieces * lanes, GPR_SETTLE_THREADS), 1 << 20),
                                GPR_SETTLE_THREADS, 0, &a));
    }
  GPR_TRY (tiles ? gpr_cuda_launch (s, k->tile, gpr_over (outputs, a.chunk), GPR_SETTLE_TILE_THREADS, 0, &a)
                 : gpr_cuda_launch (s, k->settle, gpr_over (outputs, GPR_SETTLE_THREADS), GPR_SETTLE_THREADS, 0, &a));
  return gpr_cuda_end_work (s, slot);
}

static gpr_status
settle (gpr_cuda_state *s, gpr_reduction *r, const gpr_settle_kernels *k, void *value, unsigned *seen)
{
  GPR_TRY (launch (s, NULL, r, k, value, seen, s->needs_fixup));
  GPR_TRY (gpr_cuda_drain (s));
  r->needs_fixup = *(volatile int *) s->needs_fixup != 0;
  return GPR_OK;
}

bool
gpr_cuda_settles_behind (const gpr_reduction *r)
{
  const gpr_settle_kernels *k = r->x_resident && ! r->y && ! r->terms ? gpr_engine_settle (r->instance) : NULL;
  const int64_t outputs = r->inner * r->outer;
  return k && r->length >= LONG && outputs * r->length >= WORTH_A_LAUNCH && (r->out_resident || outputs * k->value_bytes <= GPR_CUDA_PINNED_RESULTS);
}

gpr_status
gpr_cuda_settle_behind (gpr_cuda_state *s, gpr_cuda_slot *slot, const gpr_reduction *r, void *value)
{
  s->first_rows_done = true;
  return launch (s, slot, r, gpr_engine_settle (r->instance), value, NULL, s->left_in_doubt);
}

/* A copy of the host's results on the device.  */
static gpr_status
bring_results (gpr_cuda_state *s, const gpr_reduction *r, size_t bytes, void **there)
{
  const gpr_cuda_view here = gpr_cuda_bytes (r->value, bytes);
  GPR_TRY (gpr_cuda_take (s, there, bytes));
  return gpr_cuda_upload (s, *there, &here);
}

static gpr_status
run_columns (gpr_cuda_state *s, const void *kernel, int64_t blocks, const gpr_prod_columns_args *a)
{
  gpr_cuda_slot *slot;
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  GPR_TRY (gpr_cuda_launch (s, kernel, blocks, GPR_PROD_THREADS, 0, a));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  return gpr_cuda_drain (s);
}

gpr_status
gpr_cuda_prod_columns (gpr_cuda_state *s, gpr_reduction *r, bool *done)
{
  const gpr_prod_columns *k = r->x_resident && r->out_resident && ! r->y && ! r->terms ? gpr_engine_prod_columns (r->instance) : NULL;
  const int64_t outputs = r->inner * r->outer, shortest = k && k->value_bytes == sizeof (f64) ? 1024 : 128; /* others hardly leave the range */

  *done = k && r->inner >= 32 && outputs >= GPR_PROD_MANY * (int64_t) s->multiprocessors && r->length >= shortest && r->length < 1 << 30;
  if (! *done)
    return GPR_OK;
  const gpr_tree t = gpr_tree_make (k->value_bytes, r->inner, r->length, r->whole_outer ? r->whole_outer : r->outer);
  gpr_prod_columns_args a = {
    .x = r->x, .value = r->value, .inner = r->inner, .outputs = outputs, .length = (int32_t) r->length, .rows = (int32_t) t.rows,
    .parts = (int32_t) t.parts, .lanes = t.lanes, .omit = k->omits, .left = s->needs_fixup
  };
  *done = t.lanes <= GPR_PROD_LANES;
  if (! *done)
    return GPR_OK;
  *(volatile int *) s->needs_fixup = 0;
  const gpr_status status = run_columns (s, k->kernel, gpr_over (outputs, GPR_PROD_THREADS), &a);
  if (status != GPR_OK)
    {
      gpr_cuda_finish (s);      /* it may still be writing */
      return status;
    }
  r->needs_fixup = *(volatile int *) s->needs_fixup != 0;
  s->first_rows_done = true;
  return GPR_OK;
}

gpr_status
gpr_cuda_settle (gpr_cuda_state *s, gpr_reduction *r)
{
  const gpr_settle_kernels *k = gpr_engine_settle (r->instance);
  const size_t outputs = (size_t) (r->inner * r->outer), bytes = k ? outputs * k->value_bytes : 0;
  const bool mailed = ! r->out_resident && bytes <= GPR_CUDA_PINNED_RESULTS;    /* few: the kernel reads and writes the host's memory */
  void *there = NULL, *seen = NULL;
  gpr_status status = GPR_OK;

  if (! k || ! r->x_resident || r->length == 0 || r->y)
    return GPR_OK;
  if (mailed)
    memcpy (s->mail, r->value, bytes);
  else if (! r->out_resident)
    status = bring_results (s, r, bytes, &there);
  if (status == GPR_OK && ! s->first_rows_done)
    status = settle (s, r, k, mailed ? s->mail : there ? there : r->value, NULL);
  if (status == GPR_OK && mailed)
    memcpy (r->value, s->mail, bytes);
  if (status == GPR_OK && r->needs_fixup)
    {
      status = gpr_cuda_take (s, &seen, outputs * sizeof (unsigned));
      if (status == GPR_OK && mailed)   /* the next kernels read a result for each piece of its rows */
        status = bring_results (s, r, bytes, &there);
      if (status == GPR_OK)
        status = settle (s, r, k, there ? there : r->value, seen);
    }
  if (status == GPR_OK && there)
    {
      gpr_cuda_view here = gpr_cuda_bytes (r->value, bytes);
      status = gpr_cuda_download (s, &here, there);
    }
  s->first_rows_done = false;
  gpr_cuda_finish (s);          /* before its memory goes */
  gpr_cuda_give (there);
  gpr_cuda_give (seen);
  return status == GPR_OUT_OF_MEMORY ? GPR_OK : status;         /* the host can do it */
}
