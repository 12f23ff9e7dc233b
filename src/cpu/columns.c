/* Columns as keys (keys.h): of those that are not long, each thread gathers some neighbours; on long ones all threads
   work together.  */

#include <stdlib.h>

#include "cpu.h"
#include "keys.h"
#include "part.h"

enum {
  NEIGHBOURS = 64,          /* bytes of a row that are gathered together: a line of the cache */
  GATHERED = 1 << 23,       /* keys of such columns, at most */
  BATCH = 1 << 12           /* and at least: in L1 */
};

/* ---- all columns ------------------------------------------------------------------ */

static gpr_status
neighbours (const gpr_key_work *w, const void *problem, int threads)
{
  /* A job is a tile of neighbouring columns, as many as have a line of the cache in each row, or more
     where columns are short; of one outer index, or of several where inner is 1.  */
  const gpr_columns *o = &w->columns;
  const int64_t fit = 1 + GATHERED / o->length, line = NEIGHBOURS * 8 / gpr_cpu_key_bits (o->elem), small = 1 + BATCH / o->length;
  const int64_t row = o->inner == 1 ? o->outer : o->inner, rows = o->inner == 1 ? 1 : o->outer, sharers = (threads + rows - 1) / rows;
  const int64_t share = (row + sharers - 1) / sharers;  /* no thread without one */
  const int64_t tile = smaller (smaller (share, fit), o->inner == 1 || small > line ? small : line);
  const int64_t tiles = (row + tile - 1) / tile, jobs = tiles * rows;
  const bool in_place = w->of_long && o->inner == 1 && o->length >= LONG;
  const size_t room = (size_t) (in_place ? 0 : tile * o->length + w->room) * sizeof (u64);
  gpr_status failed = GPR_OK;
  u64 *keys[threads];

  for (int t = 0; t < threads; t++)
    if (! (keys[t] = malloc (room + 1)))
      failed = GPR_OUT_OF_MEMORY;
  if (failed == GPR_OK)
    {
      #pragma omp parallel for num_threads (threads) schedule (dynamic, 1) if (threads > 1)
      for (int64_t job = 0; job < jobs; job++)
        {
          const int64_t in_row = job % tiles * tile, j = in_row + row * (job / tiles), columns = smaller (tile, row - in_row);
          u64 *mine = keys[gpr_cpu_thread_number ()];
          if (gpr_interrupted ())
            continue;
          if (! in_place)
            gpr_cpu_gather_keys (o, j, columns, mine);
          if (w->sort_short && o->length <= SHORT)
            gpr_cpu_sort_columns (mine, o->length, columns);
          for (int64_t c = 0; c < columns; c++)
            if (! in_place)
              w->of_keys (problem, mine + c * o->length, mine + tile * o->length, j + c, 1);
            else if (w->of_long (problem, j + c, 1) == GPR_OUT_OF_MEMORY)
              {
                #pragma omp atomic write
                failed = GPR_OUT_OF_MEMORY;
              }
        }
    }
  for (int t = 0; t < threads; t++)
    free (keys[t]);
  if (failed != GPR_OK)         /* the message was another thread's */
    return gpr_fail (failed, "no host memory for %lld elements of a column on each of %d threads", (long long) o->length, threads);
  return GPR_OK;
}

/* All threads work on one column, as keys.  */
static gpr_status
long_column (const gpr_key_work *w, const void *problem, int64_t j, int threads)
{
  const gpr_columns *c = &w->columns;
  const int64_t pieces = (c->length + PIECE - 1) / PIECE;
  const size_t bytes = (size_t) (c->length + w->room) * sizeof (u64);
  u64 *keys = malloc (bytes);
  if (! keys)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  #pragma omp parallel for num_threads (threads) if (threads > 1)
  for (int64_t p = 0; p < pieces; p++)
    gpr_cpu_load_keys (c, j, p * PIECE, smaller (PIECE, c->length - p * PIECE), keys + p * PIECE);
  w->of_keys (problem, keys, keys + c->length, j, threads);
  free (keys);
  return GPR_OK;
}

gpr_status
gpr_cpu_each_column (const gpr_key_work *w, const void *problem)
{
  const gpr_columns *c = &w->columns;
  const int64_t columns = c->inner * c->outer;
  int threads = 1;
  gpr_status status = GPR_OK;

  if (gpr_cpu_key_bits (c->elem) == 0)
    return gpr_fail (GPR_UNSUPPORTED, "ordering element type %d", (int) c->elem);
  if (columns * c->length >= 1 << 13 && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();
  if (c->length < LONG || columns >= 2 * threads)
    status = neighbours (w, problem, threads);
  else
    for (int64_t j = 0; j < columns && status == GPR_OK; j++)
      status = w->of_long ? w->of_long (problem, j, threads) : long_column (w, problem, j, threads);
  return status == GPR_OK && gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : status;
}
