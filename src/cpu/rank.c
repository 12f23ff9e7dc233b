/* The k greatest or least of each column, on the CPU: their last key is selected, and the elements up to it
   are sorted.  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "keys.h"

enum { MANY = 256 };           /* that are sorted by their bytes */

typedef struct { u64 key; int64_t row; } ranked;

/* Keys that rise where the elements fall; NaN's stays the last, unless it is to be the first.  */
static void
reverse (const gpr_ranking *r, u64 *keys)
{
  const bool nan_stays = (r->elem == GPR_f64 || r->elem == GPR_f32) && ! r->nan_first;
  const u64 own = ~(u64) 0 << (64 - gpr_cpu_key_bits (r->elem));
  for (int64_t i = 0; i < r->length; i++)
    keys[i] = nan_stays && keys[i] == own ? own : ~keys[i] & own;
}

#define PUT(T) \
static void \
put_##T (const gpr_ranking *r, const T *x, T *value, const ranked *best) \
{ \
  for (int64_t k = 0; k < r->count; k++) \
    value[k * r->inner] = x[best[k].row * r->inner]; \
}
PUT (u8) PUT (u16) PUT (u32) PUT (u64)
#undef PUT

/* The elements of column j that these are, as bits.  */
static void
put (const gpr_ranking *r, int64_t j, const ranked *best)
{
  const int64_t column = j % r->inner, o = j / r->inner, at = column + r->inner * r->length * o, to = column + r->inner * r->count * o;
  switch (gpr_cpu_key_bits (r->elem))
    {
#define PUT(T, B) case B: put_##T (r, (const T *) r->x + at, (T *) r->value + to, best); break;
    PUT (u8, 8) PUT (u16, 16) PUT (u32, 32) PUT (u64, 64)
#undef PUT
    }
  if (r->index)
    for (int64_t k = 0; k < r->count; k++)
      r->index[to + k * r->inner] = (double) (best[k].row + 1);
}

/* All of a short column in order: each counts those that it comes behind.  */
static void
rank_short (const u64 *keys, int64_t n, ranked *best)
{
  int behind[SHORT] = { 0 };
  for (int64_t i = 1; i < n; i++)
    for (int64_t k = 0; k < i; k++)
      {
        const bool first = keys[k] <= keys[i];
        behind[i] += first;
        behind[k] += ! first;
      }
  for (int64_t i = 0; i < n; i++)
    best[behind[i]] = (ranked) { keys[i], i };
}

/* Sorts n by their bytes, from the last to the first, between v and room, rows as they come; returns the one that they are in
   at the end.  */
static ranked *
sort_ranked (ranked *v, ranked *room, int64_t n)
{
  u64 varies = 0;
  for (int64_t i = 1; i < n; i++)
    varies |= v[i].key ^ v[0].key;
  for (int shift = 0; shift < 64 && ! gpr_interrupted (); shift += 8)
    {
      int64_t from[257] = { 0 };
      if ((varies >> shift & 255) == 0)
        continue;
      for (int64_t i = 0; i < n; i++)
        from[(v[i].key >> shift & 255) + 1]++;
      for (int d = 1; d < 256; d++)
        from[d] += from[d - 1];
      for (int64_t i = 0; i < n; i++)
        room[from[v[i].key >> shift & 255]++] = v[i];
      ranked *other = v;
      v = room;
      room = other;
    }
  return v;
}

static int
compare (const void *a, const void *b)
{
  const ranked *x = a, *y = b;
  return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->row > y->row) - (x->row < y->row);
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
  if (n <= SHORT)
    {
      rank_short (keys, n, best);
      put (r, j, best);
      return;
    }
  memcpy (copy, keys, n * sizeof *keys);
  const u64 last = gpr_cpu_select_key (copy, n, r->count - 1);
  for (int64_t i = 0; i < n; i++)
    below += keys[i] < last;
  equal = r->count - below;
  for (int64_t i = 0; i < n && at < r->count; i++)
    if (keys[i] < last || (keys[i] == last && equal-- > 0))
      best[at++] = (ranked) { keys[i], i };
  if (r->count > MANY)
    best = sort_ranked (best, (ranked *) copy, r->count);
  else
    qsort (best, r->count, sizeof *best, compare);
  put (r, j, best);
}

gpr_status
gpr_cpu_rank (gpr_ranking *r)
{
  /* Those found, and a copy of the keys or, later, what they are sorted through.  */
  const int64_t copy = r->length > 2 * r->count ? r->length : 2 * r->count;
  const gpr_key_work work = {
    .columns = { .elem = r->elem, .inner = r->inner, .length = r->length, .outer = r->outer, .x = r->x, .merge = true },
    .room = 2 * (r->length <= SHORT ? SHORT : r->count) + copy, .of_keys = rank_of_keys
  };
  return gpr_cpu_each_column (&work, r);
}
