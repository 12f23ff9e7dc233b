/* A reduction whose elements come from a source.

   Units follow one another in the array: outer indices, several at a time, where these are short, else parts of the tree.  A window of
   units is reduced at once, on all threads.  Of a source that any thread may read each thread reads the units that it reduces, into
   memory that stays in its cache; else the window is read first, or the file's pages are read where they are.  Parts that are too long for that come in pieces of rows, whose
   lanes stay.  Then the parts' accumulators go one after the other to a stack of subtrees (ranks/parts.h), which merge.  */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "../cpu/part.h"
#include "../ranks/parts.h"
#include "../ranks/ranks.h"
#include "stream.h"

enum {
  SHORT = 1 << 19,              /* bytes of a slab, all rows of one outer index, of which several are one unit */
  OWN = 1 << 22,                /* of a unit that a thread reads for itself */
  WINDOW = 1 << 27              /* of a window, at most: less where gpu_config ("memory_limit") says so */
};

typedef struct {
  gpr_reduction *r;
  gpr_stream *s;
  gpr_cpu_job job;
  gpr_world world;              /* size 1: nobody else */
  int64_t *starts;              /* rows of each rank; or NULL */
  int64_t row_bytes, slab_bytes, unit_bytes;
  int64_t outers;               /* of a unit; 0: it is a part */
  int64_t next, end, window;    /* units: to be reduced yet; in a window */
  int threads;
  bool direct;                  /* threads read units */
  size_t level_bytes, lane_bytes;
  char *buffer, *scratch;       /* of the window, or of each thread; lanes of each thread */
  char *accumulators;           /* of a window's parts */
  char *lanes;                  /* of each tile, of a part that comes in pieces; or NULL */
  gpr_forest forest;
  char *level[GPR_MOST_SUBTREES];
  uint64_t key;
} running;

/* ---- memory of a stream ----------------------------------------------------------------- */

void *
gpr_stream_allocate (gpr_stream *s, size_t bytes)
{
  int k = 0;
  while (k < GPR_STREAM_BLOCKS && s->blocks[k])
    k++;
  if (k < GPR_STREAM_BLOCKS && (s->blocks[k] = malloc (bytes ? bytes : 1)))
    return s->blocks[k];
  gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  return NULL;
}

void
gpr_stream_free (gpr_stream *s)
{
  for (int k = 0; k < GPR_STREAM_BLOCKS; k++)
    {
      free (s->blocks[k]);
      s->blocks[k] = NULL;
    }
}

static size_t
most_bytes (void)
{
  return gpr_config.memory_limit > 0 && gpr_config.memory_limit < WINDOW ? gpr_config.memory_limit : WINDOW;
}

/* ---- reading ---------------------------------------------------------------------------- */

gpr_status
gpr_stream_read (const gpr_stream *s, int64_t first, int64_t count, void *to)
{
  enum { AT_ONCE = 1024 };
  gpr_source *source = s->source;
  const int bytes = gpr_elem_bytes[source->elem];
  char *from = (char *) to + (s->as_double ? count * (int64_t) (sizeof (f64) - bytes) : 0);      /* the end of the room */
  gpr_status status = source->read (source, s->first + first, count, from);

  if (source->logical)
    for (int64_t i = 0; i < count && status == GPR_OK; i++)
      from[i] = from[i] != 0;
  if (! s->as_double)
    return status;
  for (int64_t i = 0; i < count && status == GPR_OK; i += AT_ONCE)
    {
      const int64_t some = count - i < AT_ONCE ? count - i : AT_ONCE;
      char piece[AT_ONCE * sizeof (f64)] __attribute__ ((aligned (16)));
      memcpy (piece, from + i * bytes, some * bytes);
      gpr_conversion c = { .from = source->elem, .to = GPR_f64, .count = some, .x = piece, .y = (f64 *) to + i };
      status = gpr_cpu_convert (&c);
    }
  return status;
}

/* Many, by all threads where they may.  */
static gpr_status
read_many (const running *w, int64_t first, int64_t count, char *to)
{
  const int bytes = w->job.info->elem_bytes;
  const int64_t piece = OWN / bytes;
  atomic_int failed = GPR_OK;

  if (! w->s->source->concurrent || w->threads == 1 || count <= piece)
    return gpr_stream_read (w->s, first, count, to);
  #pragma omp parallel for num_threads (w->threads) schedule (dynamic)
  for (int64_t i = 0; i < count; i += piece)
    if (failed == GPR_OK && ! gpr_interrupted ())
      {
        const gpr_status status = gpr_stream_read (w->s, first + i, count - i < piece ? count - i : piece, to + i * bytes);
        if (status != GPR_OK)
          failed = status;
      }
  /* The message was perhaps another thread's.  */
  return failed == GPR_OK ? GPR_OK : gpr_stream_read (w->s, first, count, to);
}

/* Elements of a window, in the buffer or where they are; *mapped: release them.  */
static gpr_status
bring (const running *w, int64_t first, int64_t count, const char **x, bool *mapped)
{
  gpr_source *source = w->s->source;
  const void *there = source->map && ! w->s->as_double && ! source->logical ? source->map (source, w->s->first + first, count) : NULL;
  *mapped = there != NULL;
  *x = there ? there : w->buffer;
  return there ? GPR_OK : read_many (w, first, count, w->buffer);
}

static gpr_status
release (const running *w, bool mapped, gpr_status status)
{
  const gpr_status whole = mapped ? w->s->source->unmap (w->s->source) : GPR_OK;
  return status == GPR_OK ? whole : status;
}

/* ---- units -------------------------------------------------------------------------------- */

static gpr_span
rows_of_unit (const running *w, int64_t unit)
{
  return gpr_rows_of_part (unit % w->job.tree.parts, w->job.tree.rows, w->r->length);
}

/* Elements of the units from first on.  */
static int64_t
element_of_unit (const running *w, int64_t unit)
{
  if (w->outers)
    return unit * w->outers * w->r->length * w->r->inner;
  const int64_t rows = unit / w->job.tree.parts * w->r->length + rows_of_unit (w, unit).first;
  return rows * w->r->inner;
}

static int64_t
elements_of_units (const running *w, int64_t first, int64_t units)
{
  const int64_t all = w->r->outer * w->r->length * w->r->inner, outer_units = w->outers ? (w->r->outer + w->outers - 1) / w->outers
                                                                             : w->r->outer * w->job.tree.parts;
  return (first + units < outer_units ? element_of_unit (w, first + units) : all) - element_of_unit (w, first);
}

/* Outer indices that are a unit, from x on; at most SHORT bytes, or one: reduced by this thread.  */
static gpr_status
reduce_outers (const running *w, int64_t unit, const void *x, bool *needs_fixup)
{
  const gpr_reduction *r = w->r;
  const int64_t o = unit * w->outers, at = o * r->inner;
  gpr_reduction some = *r;
  some.x = x;
  some.x_resident = false;
  some.whole_outer = r->whole_outer ? r->whole_outer : r->outer;
  some.outer = r->outer - o < w->outers ? r->outer - o : w->outers;
  some.value = (char *) r->value + at * w->job.info->value_bytes;
  some.index = r->index ? r->index + at : NULL;
  const gpr_status status = gpr_cpu_reduce (&some);
  *needs_fixup = some.needs_fixup;
  return status;
}

/* A tile of a part whose rows of all columns are at x.  */
static void
reduce_tile (const running *w, int64_t unit, int64_t tile, const char *x, char *lanes, char *to)
{
  const int64_t part = unit % w->job.tree.parts, back = rows_of_unit (w, unit).first * w->row_bytes;
  gpr_reduction r = *w->r;
  gpr_cpu_job g = w->job;
  r.x = (const char *) ((uintptr_t) x - (uintptr_t) back);     /* elements are told by their distance from the beginning */
  g.r = &r;
  gpr_cpu_reduce_part (&g, 0, tile, part, lanes);
  memcpy (to + tile * w->job.tree.columns * w->job.info->acc_bytes, lanes, (size_t) gpr_cpu_columns (&w->job, tile) * w->job.info->acc_bytes);
}

static gpr_status
reduce_unit (const running *w, int64_t k, const char *x, bool *needs_fixup)
{
  const int64_t unit = w->next + k;
  if (w->outers)
    return reduce_outers (w, unit, x, needs_fixup);
  for (int64_t tile = 0; tile < w->job.tree.tiles; tile++)
    reduce_tile (w, unit, tile, x, w->scratch + gpr_cpu_thread_number () * w->lane_bytes, w->accumulators + k * w->level_bytes);
  return GPR_OK;
}

/* Each thread reads what it reduces.  */
static gpr_status
reduce_directly (running *w, int64_t units)
{
  atomic_int failed = GPR_OK;
  atomic_bool needs_fixup = false;
  _Atomic int64_t at = -1;

  #pragma omp parallel for num_threads (w->threads) if (w->threads > 1) schedule (dynamic)
  for (int64_t k = 0; k < units; k++)
    if (failed == GPR_OK && ! gpr_interrupted ())
      {
        char *x = w->buffer + gpr_cpu_thread_number () * w->unit_bytes;
        bool fixup = false;
        gpr_status status = gpr_stream_read (w->s, element_of_unit (w, w->next + k), elements_of_units (w, w->next + k, 1), x);
        if (status == GPR_OK)
          status = reduce_unit (w, k, x, &fixup);
        if (status != GPR_OK)
          {
            failed = status;
            at = k;
          }
        else if (fixup)
          needs_fixup = true;
      }
  w->r->needs_fixup |= needs_fixup;
  if (failed == GPR_OK)
    return GPR_OK;
  /* The message was perhaps another thread's.  */
  bool fixup;
  gpr_status status = gpr_stream_read (w->s, element_of_unit (w, w->next + at), elements_of_units (w, w->next + at, 1), w->buffer);
  if (status == GPR_OK)
    status = reduce_unit (w, at, w->buffer, &fixup);
  return status == GPR_OK ? gpr_fail (failed, "a unit of %lld bytes of the reduction failed", (long long) w->unit_bytes) : status;
}

/* The window is read, and then reduced.  */
static gpr_status
reduce_window (running *w, int64_t units)
{
  const int64_t first = element_of_unit (w, w->next), tiles = w->outers ? 1 : w->job.tree.tiles;
  atomic_int failed = GPR_OK;
  atomic_bool needs_fixup = false;
  const char *from;
  bool mapped;
  gpr_status status = bring (w, first, elements_of_units (w, w->next, units), &from, &mapped);

  if (status != GPR_OK)
    return status;
  #pragma omp parallel for num_threads (w->threads) if (w->threads > 1) schedule (dynamic)
  for (int64_t i = 0; i < units * tiles; i++)
    if (failed == GPR_OK && ! gpr_interrupted ())
      {
        const int64_t k = i / tiles, unit = w->next + k;
        const char *x = from + (element_of_unit (w, unit) - first) * w->job.info->elem_bytes;
        bool fixup = false;
        if (! w->outers)
          reduce_tile (w, unit, i % tiles, x, w->scratch + gpr_cpu_thread_number () * w->lane_bytes, w->accumulators + k * w->level_bytes);
        else if (reduce_outers (w, unit, x, &fixup) != GPR_OK)
          failed = GPR_OUT_OF_MEMORY;
        if (fixup)
          needs_fixup = true;
      }
  w->r->needs_fixup |= needs_fixup;
  return release (w, mapped, failed == GPR_OK ? GPR_OK : gpr_fail (failed, "no host memory for a part of the reduction"));
}

/* The part that is next, piece by piece.  */
static gpr_status
reduce_in_pieces (running *w)
{
  const gpr_tree *t = &w->job.tree;
  const gpr_span span = rows_of_unit (w, w->next);
  const int64_t o = w->next / t->parts, step = t->lanes, most = (int64_t) most_bytes () / (step * w->row_bytes) * step;
  gpr_status status = GPR_OK;

  for (int64_t row = span.first, rows; row < span.end && status == GPR_OK && ! gpr_interrupted (); row += rows)
    {
      rows = most > step ? most : step;
      rows = span.end - row < rows ? span.end - row : rows;
      const char *from;
      bool mapped;
      status = bring (w, (o * w->r->length + row) * w->r->inner, rows * w->r->inner, &from, &mapped);
      if (status != GPR_OK)
        break;
      #pragma omp parallel for num_threads (w->threads) if (w->threads > 1) schedule (dynamic)
      for (int64_t tile = 0; tile < t->tiles; tile++)
        {
          char *lanes = w->lanes + tile * w->lane_bytes;
          gpr_cpu_reduce_piece (&w->job, tile, from + tile * t->columns * w->job.info->elem_bytes, row, rows, row == span.first,
                                row + rows == span.end, lanes);
          if (row + rows == span.end)
            memcpy (w->accumulators + tile * t->columns * w->job.info->acc_bytes, lanes,
                    (size_t) gpr_cpu_columns (&w->job, tile) * w->job.info->acc_bytes);
        }
      status = release (w, mapped, GPR_OK);
    }
  return status;
}

/* ---- merging ---------------------------------------------------------------------------- */

static void
merge (void *context, int into)
{
  const running *w = context;
  const int64_t columns = w->r->inner, piece = 1 << 14;
  const int bytes = w->job.info->acc_bytes;
  #pragma omp parallel for num_threads (w->threads) if (w->threads > 1 && columns > piece)
  for (int64_t c = 0; c < columns; c += piece)
    w->job.loops->merge (w->level[into] + c * bytes, w->level[into + 1] + c * bytes, columns - c < piece ? columns - c : piece);
}

/* The accumulators of the window's parts.  */
static gpr_status
take_parts (running *w, int64_t units)
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
values_bytes (const running *w)
{
  return w->starts ? 0 : (size_t) (w->r->inner * w->r->outer) * w->job.info->value_bytes;
}

static size_t
indices_bytes (const running *w)
{
  return w->starts || ! w->r->index ? 0 : (size_t) (w->r->inner * w->r->outer) * sizeof *w->r->index;
}

static gpr_status
save (running *w, bool done)
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
go_on (running *w)
{
  const gpr_reduction *r = w->r;
  const struct { int64_t instance, inner, length, outer, whole_outer, first, end; double divisor; }
    what = { r->instance, r->inner, r->length, r->outer, r->whole_outer, w->s->first, w->end, r->divisor };
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
divide (running *w)
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
prepare (running *w)
{
  gpr_reduction *r = w->r;
  const gpr_tree *t = &w->job.tree;
  const int bytes = w->job.info->elem_bytes;
  const int64_t most = (int64_t) most_bytes (), some = most < SHORT ? most : SHORT;
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
  w->threads = (w->end - w->next) * w->unit_bytes > SHORT ? gpr_cpu_threads () : 1;
  const bool in_place = w->s->source->map && ! w->s->as_double && ! w->s->source->logical;
  w->direct = w->s->source->concurrent && ! in_place && w->unit_bytes <= OWN && w->unit_bytes * w->threads <= most;
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
reduce_units (running *w)
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
        source->ahead (w->s->source, w->s->first + element_of_unit (w, after), elements_of_units (w, after, after + units < w->end ? units : w->end - after));
      status = w->lanes ? reduce_in_pieces (w) : w->direct ? reduce_directly (w, units) : reduce_window (w, units);
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
merge_ranks (running *w)
{
  char *all = malloc ((w->forest.count ? w->forest.count : 1) * w->level_bytes);
  gpr_status status = gpr_stream_agree (all ? GPR_OK : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", w->forest.count * w->level_bytes));
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
  running w = { .r = r, .s = s, .job = gpr_cpu_job_of (r), .world = { .size = 1 } };
  gpr_status status = s->divided ? gpr_world_check (&w.world) : GPR_OK;

  if (status != GPR_OK)
    return status;
  status = prepare (&w);
  if (status == GPR_OK)
    status = reduce_units (&w);
  if (s->divided)
    {
      status = gpr_stream_agree (status);
      if (status == GPR_OK)
        status = merge_ranks (&w);
    }
  gpr_stream_free (s);
  return status;
}
