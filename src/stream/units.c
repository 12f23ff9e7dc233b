/* Units of a reduction: read, and reduced.  */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "running.h"

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

size_t
gpr_stream_most (void)
{
  return gpr_config.memory_limit > 0 && gpr_config.memory_limit < GPR_STREAM_WINDOW ? gpr_config.memory_limit : GPR_STREAM_WINDOW;
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
read_many (const gpr_stream_running *w, int64_t first, int64_t count, char *to)
{
  const int bytes = w->job.info->elem_bytes;
  const int64_t piece = GPR_STREAM_OWN / bytes;
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
bring (const gpr_stream_running *w, int64_t first, int64_t count, const char **x, bool *mapped)
{
  gpr_source *source = w->s->source;
  const void *there = source->map && ! w->s->as_double && ! source->logical ? source->map (source, w->s->first + first, count) : NULL;
  *mapped = there != NULL;
  *x = there ? there : w->buffer;
  return there ? GPR_OK : read_many (w, first, count, w->buffer);
}

static gpr_status
release (const gpr_stream_running *w, bool mapped, gpr_status status)
{
  const gpr_status whole = mapped ? w->s->source->unmap (w->s->source) : GPR_OK;
  return status == GPR_OK ? whole : status;
}

/* ---- units -------------------------------------------------------------------------------- */

static gpr_span
rows_of_unit (const gpr_stream_running *w, int64_t unit)
{
  return gpr_rows_of_part (unit % w->job.tree.parts, w->job.tree.rows, w->r->length);
}

int64_t
gpr_stream_element (const gpr_stream_running *w, int64_t unit)
{
  if (w->outers)
    return unit * w->outers * w->r->length * w->r->inner;
  const int64_t rows = unit / w->job.tree.parts * w->r->length + rows_of_unit (w, unit).first;
  return rows * w->r->inner;
}

int64_t
gpr_stream_elements (const gpr_stream_running *w, int64_t first, int64_t units)
{
  const int64_t all = w->r->outer * w->r->length * w->r->inner, outer_units = w->outers ? (w->r->outer + w->outers - 1) / w->outers
                                                                             : w->r->outer * w->job.tree.parts;
  return (first + units < outer_units ? gpr_stream_element (w, first + units) : all) - gpr_stream_element (w, first);
}

/* Outer indices that are a unit, from x on; at most GPR_STREAM_SHORT bytes, or one: reduced by this thread.  */
static gpr_status
reduce_outers (const gpr_stream_running *w, int64_t unit, const void *x, bool *needs_fixup)
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
reduce_tile (const gpr_stream_running *w, int64_t unit, int64_t tile, const char *x, char *lanes, char *to)
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
reduce_unit (const gpr_stream_running *w, int64_t k, const char *x, bool *needs_fixup)
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
reduce_directly (gpr_stream_running *w, int64_t units)
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
        gpr_status status = gpr_stream_read (w->s, gpr_stream_element (w, w->next + k), gpr_stream_elements (w, w->next + k, 1), x);
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
  gpr_status status = gpr_stream_read (w->s, gpr_stream_element (w, w->next + at), gpr_stream_elements (w, w->next + at, 1), w->buffer);
  if (status == GPR_OK)
    status = reduce_unit (w, at, w->buffer, &fixup);
  return status == GPR_OK ? gpr_fail (failed, "a unit of %lld bytes of the reduction failed", (long long) w->unit_bytes) : status;
}

/* The window is read, and then reduced.  */
static gpr_status
reduce_window (gpr_stream_running *w, int64_t units)
{
  const int64_t first = gpr_stream_element (w, w->next), tiles = w->outers ? 1 : w->job.tree.tiles;
  atomic_int failed = GPR_OK;
  atomic_bool needs_fixup = false;
  const char *from;
  bool mapped;
  gpr_status status = bring (w, first, gpr_stream_elements (w, w->next, units), &from, &mapped);

  if (status != GPR_OK)
    return status;
  #pragma omp parallel for num_threads (w->threads) if (w->threads > 1) schedule (dynamic)
  for (int64_t i = 0; i < units * tiles; i++)
    if (failed == GPR_OK && ! gpr_interrupted ())
      {
        const int64_t k = i / tiles, unit = w->next + k;
        const char *x = from + (gpr_stream_element (w, unit) - first) * w->job.info->elem_bytes;
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
reduce_in_pieces (gpr_stream_running *w)
{
  const gpr_tree *t = &w->job.tree;
  const gpr_span span = rows_of_unit (w, w->next);
  const int64_t o = w->next / t->parts, step = t->lanes, most = (int64_t) gpr_stream_most () / (step * w->row_bytes) * step;
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

gpr_status
gpr_stream_units (gpr_stream_running *w, int64_t units)
{
  return w->lanes ? reduce_in_pieces (w) : w->direct ? reduce_directly (w, units) : reduce_window (w, units);
}
