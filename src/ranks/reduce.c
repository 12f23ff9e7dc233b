/* A reduction over the divided dimension.

   Each rank reduces the parts of the tree that it owns (parts.h).  The last of them may end on ranks after it, whose rows it is
   given first, while it reduces the others.  It merges what it has, takes the subtrees of the ranks below it in a binomial tree,
   which follow its own, merges again, and sends what is left on.  Rank 0 comes to one accumulator for each output, finishes, and
   all get the results.  */

#include <stdlib.h>
#include <string.h>

#include "reduction.h"

static gpr_status
no_memory (size_t bytes)
{
  return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
}

/* ---- subtrees --------------------------------------------------------------------------- */

static void
merge (void *context, int into)
{
  gpr_over_ranks *w = context;
  w->job.loops->merge (w->accumulators + w->slot[into] * w->level_bytes, w->accumulators + w->slot[into + 1] * w->level_bytes,
                       w->r->inner * w->r->outer);
}

static void
add_subtree (gpr_over_ranks *w, gpr_subtree s, int64_t slot)
{
  w->slot[w->forest.count] = slot;
  gpr_forest_add (&w->forest, w->job.tree.parts, s, merge, w);
}

/* The subtrees to the beginning of the accumulators, one after the other.  */
static void
pack_subtrees (gpr_over_ranks *w)
{
  for (int k = 0; k < w->forest.count; k++)
    if (w->slot[k] != k)
      {
        memmove (w->accumulators + k * w->level_bytes, w->accumulators + w->slot[k] * w->level_bytes, w->level_bytes);
        w->slot[k] = k;
      }
}

/* ---- parts ------------------------------------------------------------------------------ */

/* Reduces a part of one outer index and tile, of rows from first on that lie in memory, into its accumulators.  */
static void
reduce_part (const gpr_over_ranks *w, const char *x, const char *y, int64_t first, int64_t o, int64_t memory_rows, int64_t tile, int64_t part,
             char *lanes, int64_t slot)
{
  const gpr_cpu_job *whole = &w->job;
  /* Elements are told by their distance from the array's beginning, which is not here.  */
  const int64_t back = (o * memory_rows - first) * w->row_bytes;
  gpr_reduction r = *w->r;
  gpr_cpu_job g = *whole;
  r.x = (const char *) ((uintptr_t) x + (uintptr_t) back);
  r.y = y ? (const char *) ((uintptr_t) y + (uintptr_t) back) : NULL;
  g.r = &r;
  gpr_cpu_reduce_part (&g, 0, tile, part, lanes);
  memcpy (w->accumulators + slot * w->level_bytes
          + (o * whole->tree.inner + tile * whole->tree.columns) * whole->info->acc_bytes, lanes,
          (size_t) gpr_cpu_columns (whole, tile) * whole->info->acc_bytes);
}

/* These parts, of all outputs, on all threads, to the accumulators from slot on.  */
static void
reduce_parts (const gpr_over_ranks *w, gpr_span parts, const char *x, const char *y, gpr_span rows, char *scratch, size_t lane_bytes, int threads,
              int64_t slot)
{
  const int64_t tiles = w->job.tree.tiles, each = w->r->outer * tiles;
  (void) threads;               /* without OpenMP */
  #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (dynamic)
  for (int64_t i = 0; i < (parts.end - parts.first) * each; i++)
    if (! gpr_interrupted ())
      reduce_part (w, x, y, rows.first, i % each / tiles, rows.end - rows.first, i % tiles, parts.first + i / each,
                   scratch + gpr_cpu_thread_number () * lane_bytes, slot + i / each);
}

/* ---- other ranks' subtrees ---------------------------------------------------------------- */

/* Of all ranks below this one, which follow it.  */
static gpr_status
take_subtrees (gpr_over_ranks *w)
{
  const gpr_tree *t = &w->job.tree;
  gpr_post p = { .count = 0 };
  gpr_status status = GPR_OK;
  bool leaks = false;
  int child, end;

  for (int step = 1; status == GPR_OK && (child = gpr_child (w->world.rank, w->world.size, step, &end)); step *= 2)
    {
      const gpr_span rows = { w->starts[child], w->starts[end] };
      const gpr_forest theirs = gpr_forest_of (gpr_parts_owned (rows, t->rows), t->parts);
      const size_t bytes = theirs.count * w->level_bytes, own = w->forest.count * w->level_bytes;
      if (theirs.count == 0)
        continue;
      char *both = malloc (own + bytes);
      if (! both)
        return no_memory (own + bytes);
      memcpy (both, w->accumulators, own);
      free (w->accumulators);
      w->accumulators = both;
      status = gpr_post_wait (&p, gpr_post_receive (&p, child, GPR_POST_TREES, both + own, bytes), &leaks);
      if (leaks)
        w->accumulators = NULL;
      const int first = w->forest.count;
      for (int k = 0; k < theirs.count && status == GPR_OK; k++)
        add_subtree (w, theirs.of[k], first + k);
      if (status == GPR_OK)
        pack_subtrees (w);
    }
  if (status == GPR_OK && w->world.rank > 0)
    status = gpr_post_wait (&p, gpr_post_send (&p, gpr_parent (w->world.rank), GPR_POST_TREES, w->accumulators,
                                               w->forest.count * w->level_bytes), &leaks);
  if (leaks)
    w->accumulators = NULL;
  return status;
}

/* ---- the reduction ------------------------------------------------------------------------ */

/* Rank 0 has the results; then all.  */
static gpr_status
finish (gpr_over_ranks *w)
{
  gpr_reduction *r = w->r;
  const int64_t outputs = r->inner * r->outer;
  const size_t values = (size_t) outputs * w->job.info->value_bytes, indices = r->index ? outputs * sizeof *r->index : 0;
  char *all = calloc (1, sizeof (int64_t) + values + indices);
  gpr_status status;

  if (! all)
    return no_memory (values + indices);
  if (w->world.rank == 0)
    {
      const int64_t fixup = w->job.loops->finish (w->accumulators, outputs, r->divisor, r->value, r->index) != 0;
      memcpy (all, &fixup, sizeof fixup);
      memcpy (all + sizeof fixup, r->value, values);
      if (indices)
        memcpy (all + sizeof fixup + values, r->index, indices);
    }
  status = gpr_world_spread (all, sizeof (int64_t) + values + indices);
  if (status == GPR_OK)
    {
      int64_t fixup;
      memcpy (&fixup, all, sizeof fixup);
      memcpy (r->value, all + sizeof fixup, values);
      if (indices)
        memcpy (r->index, all + sizeof fixup + values, indices);
      r->needs_fixup = fixup != 0;
    }
  free (all);
  return status;
}

/* Parts of rows in host memory, to the accumulators from slot on.  */
static gpr_status
reduce_here (gpr_over_ranks *w, gpr_span parts, const char *x, const char *y, gpr_span rows, int64_t slot)
{
  const int threads = (rows.end - rows.first) * w->r->outer * w->row_bytes >= 1 << 19 ? gpr_cpu_threads () : 1;
  const size_t lane_bytes = (size_t) gpr_tree_width (w->job.info->acc_bytes) * w->job.info->acc_bytes;
  char *scratch = malloc (threads * lane_bytes);

  if (! scratch)
    return no_memory (threads * lane_bytes);
  if (threads > 1)
    gpr_cpu_note_pool ();
  reduce_parts (w, parts, x, y, rows, scratch, lane_bytes, threads, slot);
  free (scratch);
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}

static gpr_status
reduce_whole_parts (gpr_over_ranks *w, gpr_span parts)
{
  const size_t bytes = (size_t) (parts.end - parts.first + 1) * w->level_bytes;
  free (w->accumulators);
  if (! (w->accumulators = malloc (bytes)))
    return no_memory (bytes);
  return reduce_here (w, parts, w->piece[0].data, w->piece[1].data, w->rows, 0);
}

/* All rows of the last part, where some are others', and its accumulators.  */
static gpr_status
reduce_shared_part (gpr_over_ranks *w, gpr_parcels *p, gpr_status status, int64_t slot)
{
  bool leaks;
  status = gpr_post_wait (&p->post, status, &leaks);
  if (status == GPR_OK && w->r->outer > 1)
    gpr_unpack_rows (w, p);
  if (status == GPR_OK && w->last[0])
    status = reduce_here (w, (gpr_span) { w->parts.end - 1, w->parts.end }, w->last[0], w->last[1], w->last_rows, slot);
  for (int k = 0; k < p->count && ! leaks; k++)
    free (p->packed[k]);
  for (int k = 0; k < 2 && ! leaks; k++)
    free (w->last[k]);
  return status;
}

/* What belongs to parts that several ranks share travels by MPI while the device, or this, reduces the parts that are wholly here; by the link after these are
   begun, since it takes its turn on the device: it would make them wait for other ranks.  */
static gpr_status
reduce_own (gpr_over_ranks *w, gpr_parcels *p)
{
  gpr_device_work d = { .begun = false };
  gpr_carry c = { .shared = false };
  gpr_linking l;
  bool linked;

  gpr_status status = gpr_linked_rows_prepare (w, &l, &linked);
  const bool carries = ! linked && gpr_carries (w);
  if (status == GPR_OK && ! linked)
    status = carries ? gpr_carry_begin (w, &c) : gpr_give_rows (w, p);
  if (status == GPR_OK && ! linked && ! carries)
    status = gpr_ask_for_rows (w, p);
  const gpr_span parts = { w->parts.first, w->parts.end - (c.shared || w->last[0] || (linked && l.shared)) };
  if (status == GPR_OK && (gpr_on_device (&w->piece[0]) || gpr_on_device (&w->piece[1])) && (parts.end > parts.first || ! linked))
    status = gpr_device_begin (w, &d, parts);
  const int64_t slots = d.begun ? d.count : parts.end - parts.first;
  if (status == GPR_OK && ! d.begun)
    status = reduce_whole_parts (w, parts);
  if (linked)
    status = gpr_linked_rows_reduce (w, &l, status, w->accumulators + slots * w->level_bytes);
  else
    status = carries ? gpr_carry_end (w, &c, status, w->accumulators + slots * w->level_bytes) : reduce_shared_part (w, p, status, slots);
  status = gpr_device_end (w, &d, status, add_subtree);
  for (int64_t k = d.begun ? parts.end : parts.first; k < w->parts.end && status == GPR_OK; k++)
    add_subtree (w, (gpr_subtree) { 0, k }, slots - parts.end + k);
  if (status == GPR_OK)
    pack_subtrees (w);
  return status;
}

static int64_t *
rows_of (const gpr_piece *p, const gpr_world *w, int64_t length)
{
  int64_t *rows = malloc ((w->size + 1) * sizeof *rows);
  const int64_t each = length / p->starts[w->size];     /* rows of one index of the divided dimension */
  for (int k = 0; rows && k <= w->size; k++)
    rows[k] = p->starts[k] * each;
  return rows;
}

gpr_status
gpr_ranks_reduce (gpr_reduction *r)
{
  const gpr_piece *x = r->x, *y = r->y;
  gpr_over_ranks w = { .r = r, .job = gpr_cpu_job_of (r) };
  gpr_status status = gpr_world_check (&w.world);

  if (status != GPR_OK)
    return status;
  gpr_parcels p = { .packed = calloc (2 * (size_t) w.world.size + 4, sizeof *p.packed) };
  bool done = false;
  w.starts = rows_of (x, &w.world, r->length);
  if (! w.starts || ! p.packed)
    status = no_memory (w.world.size * sizeof *w.starts);
  else
    {
      w.rows = gpr_span_of (w.starts, w.world.rank);
      w.parts = gpr_parts_owned (w.rows, w.job.tree.rows);
      w.row_bytes = r->inner * w.job.info->elem_bytes;
      w.piece[0] = *x;
      if (y)
        w.piece[1] = *y;
      w.level_bytes = (size_t) (r->inner * r->outer) * w.job.info->acc_bytes;
      status = gpr_linked_reduce (&w, &done);
    }
  if (status == GPR_OK && ! done)
    status = reduce_own (&w, &p);
  if (status == GPR_OK && ! done)
    status = take_subtrees (&w);
  if (status == GPR_OK && ! done)
    status = finish (&w);
  free (w.accumulators);
  free (w.starts);
  free (p.packed);
  if (status != GPR_OK)
    gpr_world_leave (status);
  return status;
}

gpr_status
gpr_ranks_merge (gpr_reduction *r, int64_t *starts, const gpr_forest *own, char *accumulators)
{
  gpr_over_ranks w = { .r = r, .job = gpr_cpu_job_of (r), .starts = starts, .accumulators = accumulators, .forest = *own };
  gpr_status status = gpr_world_check (&w.world);

  w.level_bytes = (size_t) (r->inner * r->outer) * w.job.info->acc_bytes;
  for (int k = 0; k < own->count; k++)
    w.slot[k] = k;
  if (status == GPR_OK)
    status = take_subtrees (&w);
  if (status == GPR_OK)
    status = finish (&w);
  free (w.accumulators);
  if (status != GPR_OK)
    gpr_world_leave (status);
  return status;
}

/* One output's elements, of all ranks.  */
gpr_status
gpr_ranks_column (const gpr_reduction *r, int64_t output, void *elements)
{
  const gpr_piece *x = r->x;
  const int64_t bytes = gpr_instances[r->instance].elem_bytes, o = output / r->inner, c = output % r->inner;
  gpr_world w;
  gpr_status status = gpr_world_check (&w);

  if (status != GPR_OK)
    return status;
  int64_t *starts = rows_of (x, &w, r->length);
  const int64_t rows = starts ? starts[w.rank + 1] - starts[w.rank] : 0;
  char *own = starts ? malloc (rows > 0 ? (size_t) (rows * bytes) : 1) : NULL;
  const void *data = NULL;
  if (! own)
    status = no_memory ((size_t) (rows * bytes));
  else if (r->inner == 1)
    status = gpr_piece_read (x, (size_t) (o * rows * bytes), (size_t) (rows * bytes), own);
  else
    status = gpr_piece_here (x, (size_t) (rows * r->inner * r->outer * bytes), &data);
  for (int64_t k = 0; k < rows && data && status == GPR_OK; k++)
    memcpy (own + k * bytes, (const char *) data + ((o * rows + k) * r->inner + c) * bytes, bytes);
  for (int k = 0; k <= w.size && own; k++)
    starts[k] *= bytes;
  if (status == GPR_OK)
    status = gpr_world_gather (own, starts, elements);
  free (own);
  free (starts);
  if (status != GPR_OK)
    gpr_world_leave (status);
  return status;
}
