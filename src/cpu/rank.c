/* The k greatest or least of each column, on the CPU: their last key is selected, and the elements up to it
   are sorted.  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "keys.h"

typedef struct { u64 key; int64_t row; } ranked;

static int
compare (const void *a, const void *b)
{
  const ranked *x = a, *y = b;
  return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->row > y->row) - (x->row < y->row);
}

/* Keys that rise where the elements fall; NaN's stays the last.  */
static void
reverse (const gpr_ranking *r, u64 *keys)
{
  const bool floating = r->elem == GPR_f64 || r->elem == GPR_f32;
  const u64 own = ~(u64) 0 << (64 - gpr_cpu_key_bits (r->elem));
  for (int64_t i = 0; i < r->length; i++)
    keys[i] = floating && keys[i] == own ? own : ~keys[i] & own;
}

static void
put (const gpr_ranking *r, int64_t j, const ranked *best)
{
  const int bytes = gpr_cpu_key_bits (r->elem) / 8;
  const int64_t column = j % r->inner, o = j / r->inner;
  const char *x = (const char *) r->x + (column + r->inner * r->length * o) * bytes;
  for (int64_t k = 0; k < r->count; k++)
    {
      const int64_t to = column + r->inner * (k + r->count * o);
      memcpy ((char *) r->value + to * bytes, x + best[k].row * r->inner * bytes, bytes);
      if (r->index)
        r->index[to] = (double) (best[k].row + 1);
    }
}

static void
rank_of_keys (const void *problem, u64 *keys, u64 *room, int64_t j, int threads)
{
  const gpr_ranking *r = problem;
  const int64_t n = r->length;
  ranked *best = (ranked *) room;
  u64 *copy = room + 2 * r->count;
  int64_t below = 0, equal, at = 0;

  (void) threads;
  if (r->greatest)
    reverse (r, keys);
  memcpy (copy, keys, n * sizeof *keys);
  const u64 last = gpr_cpu_select_key (copy, n, r->count - 1);
  for (int64_t i = 0; i < n; i++)
    below += keys[i] < last;
  equal = r->count - below;
  for (int64_t i = 0; i < n && at < r->count; i++)
    if (keys[i] < last || (keys[i] == last && equal-- > 0))
      best[at++] = (ranked) { keys[i], i };
  qsort (best, r->count, sizeof *best, compare);
  put (r, j, best);
}

gpr_status
gpr_cpu_rank (gpr_ranking *r)
{
  const gpr_key_work work = {
    .columns = { .elem = r->elem, .inner = r->inner, .length = r->length, .outer = r->outer, .x = r->x, .merge = true },
    .room = r->length + 2 * r->count, .of_keys = rank_of_keys
  };
  return gpr_cpu_each_column (&work, r);
}
