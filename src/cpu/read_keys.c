/* Readings of a long column's keys on the CPU (core/select.h).  The column is not copied: all threads make keys of their shares, some at once.  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "part.h"
#include "select_long.h"

static const u64 ALL_ONES = ~(u64) 0;

typedef struct { int threads; int64_t tables[]; } running;      /* tables: one for each thread */

static gpr_columns
column_of (const gpr_key_reading *k)
{
  return (gpr_columns) { .elem = k->elem, .inner = k->stride, .length = k->length, .outer = 1, .x = k->x, .center = k->center };
}

/* Moves the keys that begin with the prefix to the front; returns their number.  */
static inline int64_t
keep_candidates (const gpr_key_reading *k, u64 *keys, int64_t count)
{
  const int down = 64 - k->known;
  int64_t found = 0;
  for (int64_t i = 0; i < count; i++)
    {
      const u64 key = keys[i];
      keys[found] = key;
      found += key >> down == k->prefix;
    }
  return found;
}

static void
count_digits (const gpr_key_reading *k, int digit, int64_t from, int64_t to, int64_t *table, u64 *least, u64 *greatest)
{
  const gpr_columns c = column_of (k);
  const u64 mask = ((u64) 1 << digit) - 1;
  const int down = 64 - digit - k->known;
  u64 keys[PIECE], low = *least, high = *greatest;
  for (int64_t i = from; i < to && ! gpr_interrupted (); i += PIECE)
    {
      int64_t count = smaller (PIECE, to - i);
      gpr_cpu_load_keys (&c, 0, i, count, keys);
      if (k->known > 0)
        count = keep_candidates (k, keys, count);
      for (int64_t n = 0; n < count; n++)
        {
          const u64 key = keys[n];
          table[key >> down & mask]++;
          low = key < low ? key : low;
          high = key > high ? key : high;
        }
    }
  *least = low;
  *greatest = high;
}

static gpr_status
ended (void)
{
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}

gpr_status
gpr_cpu_keys_count (gpr_key_reading *k, int digit, int64_t *table, u64 *least, u64 *greatest)
{
  running *r = k->running;
  const int64_t n = k->length, digits = (int64_t) 1 << digit;
  const int threads = r->threads;
  u64 low = ALL_ONES, high = 0;

  memset (r->tables, 0, (size_t) (threads * digits) * sizeof *r->tables);
  #pragma omp parallel for num_threads (threads) schedule (static, 1) if (threads > 1) reduction (min : low) reduction (max : high)
  for (int t = 0; t < threads; t++)
    count_digits (k, digit, n / threads * t, t == threads - 1 ? n : n / threads * (t + 1), r->tables + t * digits, &low, &high);
  memcpy (table, r->tables, digits * sizeof *table);
  for (int t = 1; t < threads; t++)
    for (int64_t d = 0; d < digits; d++)
      table[d] += r->tables[t * digits + d];
  *least = low;
  *greatest = high;
  return ended ();
}

gpr_status
gpr_cpu_keys_keep (gpr_key_reading *k, u64 *kept, u64 *least_above)
{
  const gpr_columns c = column_of (k);
  const int64_t n = k->length, pieces = (n + PIECE - 1) / PIECE;
  const int threads = ((running *) k->running)->threads, down = 64 - k->known;
  int64_t used = 0;
  u64 above = ALL_ONES;

  #pragma omp parallel for num_threads (threads) if (threads > 1) reduction (min : above)
  for (int64_t p = 0; p < pieces; p++)
    {
      u64 keys[PIECE];
      int64_t count = smaller (PIECE, n - p * PIECE), to;
      if (gpr_interrupted ())
        continue;
      gpr_cpu_load_keys (&c, 0, p * PIECE, count, keys);
      for (int64_t i = 0; i < count; i++)
        {
          const u64 over = keys[i] >> down > k->prefix ? keys[i] : ALL_ONES;
          above = over < above ? over : above;
        }
      const int64_t found = kept ? keep_candidates (k, keys, count) : 0;
      if (found == 0)
        continue;
      #pragma omp atomic capture
      {
        to = used;
        used += found;
      }
      memcpy (kept + to, keys, found * sizeof *kept);
    }
  *least_above = above;
  return ended ();
}

gpr_status
gpr_cpu_keys_begin (gpr_key_reading *k)
{
  const int threads = k->threads > 0 ? k->threads : k->length >= 1 << 13 ? gpr_cpu_threads () : 1;
  const size_t bytes = sizeof (running) + (((size_t) threads << k->digit) * sizeof (int64_t));
  running *r = k->running = malloc (bytes);

  if (! r)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  if (threads > 1)
    gpr_cpu_note_pool ();
  r->threads = threads;
  return GPR_OK;
}

void
gpr_cpu_keys_end (gpr_key_reading *k)
{
  free (k->running);
  k->running = NULL;
}
