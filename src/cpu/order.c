/* Medians and modes on the CPU.  Long columns have all threads work on one of them; of others,
   each thread gathers some neighbours as keys (keys.h) and takes their medians or modes.  */

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

/* The keys of neighbouring columns from j on, one column after the other.  */
static void
gather_columns (const gpr_ordering *o, int64_t j, int64_t columns, u64 *keys)
{
  const int64_t rows = columns == 1 ? o->length : 128, at = first_of_column (o, j);       /* so many lines stay in L1 */
  if (o->inner == 1)
    gpr_cpu_load_keys (o, at, 1, columns * o->length, keys);
  else
    for (int64_t r = 0; r < o->length; r += rows)
      for (int64_t c = 0; c < columns; c++)
        gpr_cpu_load_keys (o, at + c + o->inner * r, o->inner, smaller (rows, o->length - r), keys + c * o->length + r);
}

static gpr_status
order_columns (const gpr_ordering *o, int threads)
{
  /* A job is a tile of neighbouring columns, as many as have a line of the cache in each row, or more
     where columns are short; of one outer index, or of several where inner is 1.  */
  const int64_t fit = 1 + GATHERED / o->length, line = NEIGHBOURS * 8 / gpr_cpu_key_bits (o->elem), small = 1 + BATCH / o->length;
  const int64_t row = o->inner == 1 ? o->outer : o->inner, tile = smaller (smaller (row, fit), o->inner == 1 || small > line ? small : line);
  const int64_t tiles = (row + tile - 1) / tile, jobs = o->inner == 1 ? tiles : tiles * o->outer;
  const bool mode = o->op == GPR_ORDER_MODE, counted = ! mode && o->inner == 1 && o->length >= LONG;
  const size_t room = (size_t) (counted ? 0 : tile + mode) * o->length * sizeof (u64);
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
          if (! counted)
            gather_columns (o, j, columns, mine);
          for (int64_t c = 0; c < columns; c++)
            if (mode)
              gpr_cpu_mode_of_keys (o, mine + c * o->length, mine + tile * o->length, j + c, 1);
            else if (! counted)
              gpr_cpu_median_of_keys (o, mine + c * o->length, j + c);
            else if (gpr_cpu_median_of_long (o, j + c, 1) == GPR_OUT_OF_MEMORY)
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

/* All threads work on one column.  */
static gpr_status
mode_at (const gpr_ordering *o, int64_t j, int threads)
{
  const int64_t at = first_of_column (o, j), pieces = (o->length + PIECE - 1) / PIECE;
  u64 *keys = malloc (2 * (size_t) o->length * sizeof *keys);
  if (! keys)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", 2 * (size_t) o->length * sizeof *keys);
  #pragma omp parallel for num_threads (threads) if (threads > 1)
  for (int64_t p = 0; p < pieces; p++)
    gpr_cpu_load_keys (o, at + o->inner * p * PIECE, o->inner, smaller (PIECE, o->length - p * PIECE), keys + p * PIECE);
  gpr_cpu_mode_of_keys (o, keys, keys + o->length, j, threads);
  free (keys);
  return GPR_OK;
}

gpr_status
gpr_cpu_order (gpr_ordering *o)
{
  const int64_t columns = o->inner * o->outer;
  int threads = 1;
  gpr_status status = GPR_OK;

  if (gpr_cpu_key_bits (o->elem) == 0)
    return gpr_fail (GPR_UNSUPPORTED, "ordering element type %d", (int) o->elem);
  if (columns * o->length >= 1 << 13 && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();
  if (o->length < LONG || columns >= 2 * threads)
    status = order_columns (o, threads);
  else
    for (int64_t j = 0; j < columns && status == GPR_OK; j++)
      status = o->op == GPR_ORDER_MODE ? mode_at (o, j, threads) : gpr_cpu_median_of_long (o, j, threads);
  return status == GPR_OK && gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : status;
}
