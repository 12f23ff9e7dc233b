/* A reduction whose elements come from a source.

   Units follow one another in the array: outer indices, several at a time, where these are short, else parts of the tree.  A window of
   units is reduced at once, on all threads.  Of a source that any thread may read each thread reads the units that it reduces, into
   memory that stays in its cache; else the window is read first, or the file's pages are read where they are.  Parts that are too long for that come in pieces of rows, whose
   lanes stay.  Then the parts' accumulators go one after the other to a stack of subtrees (ranks/parts.h), which merge.  */

#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "../ranks/agree.h"
#include "../ranks/ranks.h"
#include "running.h"

/* ---- merging ---------------------------------------------------------------------------- */

static void
merge (void *context, int into)
{
  const gpr_stream_running *w = context;
  const int64_t columns = w->r->inner, piece = 1 << 14;
  const int bytes = w->job.info->acc_bytes;
  #pragma omp parallel for num_threads (w->threads) if (w->threads > 1 && columns > piece)
  for (int64_t c = 0; c < columns; c += piece)
    w->job.loops->merge (w->level[into] + c * bytes, w->level[into + 1] + c * bytes, columns - c < piece ? columns - c : piece);
}

/* The accumulators of the window's parts.  */
static gpr_status
take_parts (gpr_stream_running *w, int64_t units)
{
  const int64_t parts = w->job.tree.parts;
  for (int64_t k = 0; k < units; k++)
    {
      const int64_t part = (w->next + k) % parts, o = (w->next + k) / parts, at = o * w->r->inner;
      char **level = &w->level[w->forest.count];
      if (! *level && ! (*level = gpr_stream_allocate (w->s, w->level_bytes)))
        return GPR_OUT_OF_MEMORY;
      memcpy (*level, w->accumulators + k * w->level_bytes, w->level_bytes);
      gpr_forest_add (&w->forest, parts, (gpr_subtree) { 0, part }, merge, w);
      if (part < parts - 1 || w->starts)
        continue;
      w->r->needs_fixup |= w->job.loops->finish (w->level[0], w->r->inner, w->r->divisor, (char *) w->r->value + at * w->job.info->value_bytes,
                                                 w->r->index ? w->r->index + at : NULL) != 0;
      w->forest.count = 0;
    }
  return GPR_OK;
}

/* ---- checkpoints ------------------------------------------------------------------------ */

typedef struct { int64_t next; int32_t needs_fixup, levels; gpr_forest forest; } saved_head;

static size_t
values_bytes (const gpr_stream_running *w)
{
  return w->starts ? 0 : (size_t) (w->r->inner * w->r->outer) * w->job.info->value_bytes;
}

static size_t
indices_bytes (const gpr_stream_running *w)
{
  return w->starts || ! w->r->index ? 0 : (size_t) (w->r->inner * w->r->outer) * sizeof *w->r->index;
}

static gpr_status
save (gpr_stream_running *w, bool done)
{
  gpr_checkpoint *c = w->s->checkpoint;
  if (! c || (! done && ! gpr_checkpoint_is_due (c)))
    return GPR_OK;
  const size_t values = values_bytes (w), indices = indices_bytes (w);
  const size_t bytes = sizeof (saved_head) + values + indices + w->forest.count * w->level_bytes;
  char *state = calloc (1, bytes), *at = state + sizeof (saved_head);
  if (! state)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory for a checkpoint", bytes);
  const saved_head head = { w->next, w->r->needs_fixup, w->forest.count, w->forest };
  memcpy (state, &head, sizeof head);
  if (values)
    memcpy (at, w->r->value, values);
  if (indices)
    memcpy (at + values, w->r->index, indices);
  at += values + indices;
  for (int k = 0; k < w->forest.count; k++)
    memcpy (at + k * w->level_bytes, w->level[k], w->level_bytes);
  return gpr_checkpoint_put (c, w->key, state, bytes, done);
}

/* From the checkpoint, if it has this reduction.  */
static gpr_status
go_on (gpr_stream_running *w)
{
  const gpr_reduction *r = w->r;
  const struct { int64_t instance, acc_bytes, inner, length, outer, whole_outer, first, end; double divisor; }
    what = { r->instance, gpr_instances[r->instance].acc_bytes, r->inner, r->length, r->outer, r->whole_outer, w->s->first, w->end, r->divisor };
  if (! w->s->checkpoint)
    return GPR_OK;
  w->key = gpr_hash (GPR_HASH_BEGIN, &what, sizeof what);
  const size_t values = values_bytes (w), indices = indices_bytes (w);
  const char *state = gpr_checkpoint_get (w->s->checkpoint, w->key, sizeof (saved_head) + values + indices), *at = state;
  saved_head head;
  if (! state)
    return GPR_OK;
  memcpy (&head, state, sizeof head);
  at += sizeof head;
  if (values)
    memcpy (r->value, at, values);
  if (indices)
    memcpy (r->index, at + values, indices);
  at += values + indices;
  for (int k = 0; k < head.levels; k++)
    {
      if (! (w->level[k] = gpr_stream_allocate (w->s, w->level_bytes)))
        return GPR_OUT_OF_MEMORY;
      memcpy (w->level[k], at + k * w->level_bytes, w->level_bytes);
    }
  w->forest = head.forest;
  w->next = head.next;
  w->r->needs_fixup = head.needs_fixup;
  return GPR_OK;
}

/* ---- the reduction ---------------------------------------------------------------------- */

/* Ranks take the same number of parts each, or one more.  */
static gpr_status
divide (gpr_stream_running *w)
{
  const gpr_tree *t = &w->job.tree;
  if (! (w->starts = gpr_stream_allocate (w->s, (w->world.size + 1) * sizeof *w->starts)))
    return GPR_OUT_OF_MEMORY;
  for (int k = 0; k <= w->world.size; k++)
    w->starts[k] = gpr_rows_of_part (t->parts * k / w->world.size, t->rows, w->r->length).first;
  w->starts[w->world.size] = w->r->length;
  w->next = t->parts * w->world.rank / w->world.size;
  w->end = t->parts * (w->world.rank + 1) / w->world.size;
  return GPR_OK;
}

static gpr_status
prepare (gpr_stream_running *w)
{
  gpr_reduction *r = w->r;
  const gpr_tree *t = &w->job.tree;
  const int bytes = w->job.info->elem_bytes;
  const int64_t most = (int64_t) gpr_stream_most (), some = most < GPR_STREAM_SHORT ? most : GPR_STREAM_SHORT;
  gpr_status status = GPR_OK;

  r->needs_fixup = false;
  w->row_bytes = r->inner * bytes;
  w->slab_bytes = w->row_bytes * r->length;
  w->outers = w->s->divided || w->slab_bytes > some ? 0 : some / w->slab_bytes;
  w->end = w->outers ? (r->outer + w->outers - 1) / w->outers : r->outer * t->parts;
  w->unit_bytes = w->outers ? w->outers * w->slab_bytes : (t->rows < r->length ? t->rows : r->length) * w->row_bytes;
  if (w->s->divided)
    status = divide (w);
  const bool in_pieces = w->unit_bytes > most;
  w->threads = (w->end - w->next) * w->unit_bytes > GPR_STREAM_SHORT ? gpr_cpu_threads () : 1;
  const bool in_place = w->s->source->map && ! w->s->as_double && ! w->s->source->logical;
  w->direct = w->s->source->concurrent && ! in_place && w->unit_bytes <= GPR_STREAM_OWN && w->unit_bytes * w->threads <= most;
  w->window = in_pieces ? 1 : most / w->unit_bytes;
  if (w->direct && w->window < 4 * w->threads)
    w->window = 4 * w->threads;
  w->window = w->window < w->end - w->next ? w->window : w->end - w->next;
  w->level_bytes = (size_t) r->inner * w->job.info->acc_bytes;
  w->lane_bytes = (size_t) gpr_tree_width (w->job.info->acc_bytes) * w->job.info->acc_bytes;
  const int64_t few = t->lanes * w->row_bytes;
  const size_t room = in_pieces ? (few > most ? few : most) : w->direct ? w->threads * w->unit_bytes : w->window * w->unit_bytes;
  if (status == GPR_OK && (! (w->buffer = gpr_stream_allocate (w->s, room))
                           || ! (w->scratch = gpr_stream_allocate (w->s, w->threads * w->lane_bytes))
                           || (! w->outers && ! (w->accumulators = gpr_stream_allocate (w->s, w->window * w->level_bytes)))
                           || (in_pieces && ! (w->lanes = gpr_stream_allocate (w->s, t->tiles * w->lane_bytes)))))
    status = GPR_OUT_OF_MEMORY;
  return status == GPR_OK ? go_on (w) : status;
}

/* All units, window by window.  */
static gpr_status
reduce_units (gpr_stream_running *w)
{
  const gpr_source *source = w->s->source;
  const int64_t begin = w->next;
  gpr_status status = GPR_OK;

  if (w->threads > 1)
    gpr_cpu_note_pool ();
  while (w->next < w->end && status == GPR_OK)
    {
      const int64_t units = w->end - w->next < w->window ? w->end - w->next : w->window, after = w->next + units;
      if (source->ahead && after < w->end)
        source->ahead (w->s->source, w->s->first + gpr_stream_element (w, after), gpr_stream_elements (w, after, after + units < w->end ? units : w->end - after));
      status = gpr_stream_units (w, units);
      if (status == GPR_OK && gpr_interrupted ())
        status = gpr_fail (GPR_INTERRUPTED, "interrupted");
      if (status == GPR_OK && ! w->outers)
        status = take_parts (w, units);
      if (status != GPR_OK)
        break;
      w->next = after;
      status = save (w, false);
      if (w->s->progress)
        w->s->progress ((double) (after - begin) / (double) (w->end - begin));
    }
  if (status == GPR_OK)
    status = source->check (w->s->source);
  return status == GPR_OK ? save (w, true) : status;
}

/* This rank's subtrees, to those of the others.  */
static gpr_status
merge_ranks (gpr_stream_running *w)
{
  char *all = malloc ((w->forest.count ? w->forest.count : 1) * w->level_bytes);
  gpr_status status = gpr_agree_status ("gpu_reduce", all ? GPR_OK : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", w->forest.count * w->level_bytes));
  if (status != GPR_OK)
    {
      free (all);
      return status;
    }
  for (int k = 0; k < w->forest.count; k++)
    memcpy (all + k * w->level_bytes, w->level[k], w->level_bytes);
  return gpr_ranks_merge (w->r, w->starts, &w->forest, all);
}

gpr_status
gpr_stream_reduce (gpr_reduction *r)
{
  gpr_stream *s = (gpr_stream *) (uintptr_t) r->x;
  gpr_stream_running w = { .r = r, .s = s, .job = gpr_cpu_job_of (r), .world = { .size = 1 } };
  gpr_status status = s->divided ? gpr_world_check (&w.world) : GPR_OK;

  if (status != GPR_OK)
    return status;
  status = prepare (&w);
  if (status == GPR_OK)
    status = reduce_units (&w);
  if (s->divided)
    {
      status = gpr_agree_status ("gpu_reduce", status);
      if (status == GPR_OK)
        status = merge_ranks (&w);
    }
  gpr_stream_free (s);
  return status;
}
