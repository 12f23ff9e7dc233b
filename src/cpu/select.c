/* Medians and quantiles on the CPU, from keys (keys.h).  */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "keys.h"
#include "select_long.h"

static const u64 ALL_ONES = ~(u64) 0;

/* Of what is no number: NaN's, and nothing's of integers.  */
static u64
nan_key (enum gpr_elem elem)
{
  return ALL_ONES << (64 - gpr_cpu_key_bits (elem));
}

/* ---- results ---------------------------------------------------------------------------- */

/* Where result k of column j belongs.  */
static int64_t
place_of (const gpr_selection *s, int64_t j, int k)
{
  return j % s->inner + s->inner * (k + s->results * (j / s->inner));
}

/* A median of the elements with these keys.  */
static void
put_median (const gpr_selection *s, int64_t at, bool one, u64 low, u64 high)
{
  switch (s->elem)
    {
#define PUT(T, K, B) \
    case GPR_##T: \
      { \
        T a = gpr_order_value_##T ((K) (low >> (64 - B))), b = gpr_order_value_##T ((K) (high >> (64 - B))); \
        ((T *) s->value)[at] = one || s->logical ? b : gpr_order_middle_##T (a, b, s->round_up); \
      } \
      break;
    GPR_ORDER_TYPES (PUT)
#undef PUT
    default: break;
    }
}

static double
number (enum gpr_elem elem, u64 key)
{
  switch (elem)
    {
#define NUMBER(T, K, B) case GPR_##T: return (double) gpr_order_value_##T ((K) (key >> (64 - B)));
    GPR_ORDER_TYPES (NUMBER)
#undef NUMBER
    default: return 0;
    }
}

static void
put_quantile (const gpr_selection *s, int64_t at, double share, u64 low, u64 high)
{
  const double a = number (s->elem, low), b = number (s->elem, high);
  if (s->elem == GPR_f32)
    ((float *) s->value)[at] = gpr_select_mix_f32 (s->method, share, (float) a, (float) b);
  else
    ((double *) s->value)[at] = gpr_select_mix_f64 (s->method, share, a, b);
}

/* A quantile that no element says.  */
static void
put_constant (const gpr_selection *s, int64_t at, double v)
{
  if (s->elem == GPR_f32)
    ((float *) s->value)[at] = (float) v;
  else
    ((double *) s->value)[at] = v;
}

bool
gpr_cpu_select_place (const gpr_selection *s, int64_t j, int k, int64_t numbers, gpr_select_place *at)
{
  const int64_t to = place_of (s, j, k);
  if (s->p)
    {
      const double p = s->p[k];
      if (p >= 0 && p <= 1 && numbers > 0)
        *at = gpr_select_quantile (s->method, p, numbers);
      else
        put_constant (s, to, p < 0 ? -HUGE_VAL : p > 1 ? HUGE_VAL : gpr_make_nan ());
      return p >= 0 && p <= 1 && numbers > 0;
    }
  if (numbers == 0 || (numbers < s->length && ! s->omit_nan))
    {
      put_median (s, to, true, nan_key (s->elem), nan_key (s->elem));
      return false;
    }
  *at = gpr_select_median (numbers);
  return true;
}

void
gpr_cpu_select_put (const gpr_selection *s, int64_t j, int k, const gpr_select_place *at, u64 low, u64 high)
{
  if (at->middle)
    put_median (s, place_of (s, j, k), at->low == at->high, low, high);
  else
    put_quantile (s, place_of (s, j, k), at->share, low, high);
}

/* ---- selection ---------------------------------------------------------------------- */

/* Moves the keys below the limit to the front; returns their number.  */
static int64_t
part (u64 *v, int64_t n, u64 limit)
{
  int64_t below = 0;
  for (int64_t i = 0; i < n; i++)
    {
      u64 key = v[i];
      v[i] = v[below];
      v[below] = key;
      below += key < limit;
    }
  return below;
}

/* The key of that rank, from 0.  Keys of lower rank are then before it, the others behind.  */
u64
gpr_cpu_select_key (u64 *v, int64_t n, int64_t rank)
{
  u64 *first = v, draw = 88172645463325252u;

  while (n > SHORT)
    {
      u64 sample[3];
      for (int i = 0; i < 3; i++)
        {
          draw ^= draw << 13;
          draw ^= draw >> 7;
          draw ^= draw << 17;
          sample[i] = first[draw % (u64) n];
        }
      gpr_cpu_sort_short (sample, 3);
      int64_t below = part (first, n, sample[1]);
      if (rank < below)
        {
          n = below;
          continue;
        }
      first += below;
      rank -= below;
      n -= below;
      /* Those equal to the pivot come next, at least one: so every round makes n smaller.  */
      int64_t equal = sample[1] == ALL_ONES ? n : part (first, n, sample[1] + 1);
      if (rank < equal)
        return sample[1];
      first += equal;
      rank -= equal;
      n -= equal;
    }
  gpr_cpu_sort_short (first, n);
  return first[rank];
}

u64
gpr_cpu_least_key (const u64 *v, int64_t n)
{
  u64 key = ALL_ONES;
  for (int64_t i = 0; i < n; i++)
    key = v[i] < key ? v[i] : key;
  return key;
}

/* The keys of several ranks, which rise, among those from rank `before' on.  */
static void
select_keys (u64 *v, int64_t n, int64_t before, const int64_t *ranks, int count, u64 *found)
{
  if (count == 0)
    return;
  if (count == 2 && ranks[1] == ranks[0] + 1)
    {
      const int64_t first = ranks[0] - before;
      found[0] = gpr_cpu_select_key (v, n, first);
      found[1] = gpr_cpu_least_key (v + first + 1, n - first - 1);
      return;
    }
  const int half = count / 2;
  const int64_t at = ranks[half] - before;
  found[half] = gpr_cpu_select_key (v, n, at);
  select_keys (v, at, before, ranks, half, found);
  select_keys (v + at + 1, n - at - 1, ranks[half] + 1, ranks + half + 1, count - half - 1, found + half + 1);
}

/* Adds a rank to those that rise.  */
static void
add_rank (int64_t *ranks, int *count, int64_t rank)
{
  int at = *count;
  while (at > 0 && ranks[at - 1] >= rank)
    at--;
  if (at < *count && ranks[at] == rank)
    return;
  memmove (ranks + at + 1, ranks + at, (*count - at) * sizeof *ranks);
  ranks[at] = rank;
  ++*count;
}

static u64
found_at (const int64_t *ranks, const u64 *found, int64_t rank)
{
  int at = 0;
  while (ranks[at] != rank)
    at++;
  return found[at];
}

static void
of_sorted (const gpr_selection *s, const u64 *keys, int64_t j)
{
  const u64 nan = nan_key (s->elem);
  int64_t n = s->length;
  gpr_select_place at;

  if (gpr_is_float (s->elem))
    while (n > 0 && keys[n - 1] == nan)
      n--;
  for (int k = 0; k < s->results; k++)
    if (gpr_cpu_select_place (s, j, k, n, &at))
      gpr_cpu_select_put (s, j, k, &at, keys[at.low], keys[at.high]);
}

enum { TOGETHER = 16 };

static void
select_of_keys (const void *problem, u64 *keys, u64 *room, int64_t j, int threads)
{
  const gpr_selection *s = problem;
  int64_t n = s->length;
  (void) room;
  (void) threads;
  if (n <= SHORT)
    {
      of_sorted (s, keys, j);
      return;
    }
  if (gpr_is_float (s->elem))
    n = part (keys, n, nan_key (s->elem));
  /* Some results at a time.  */
  for (int first = 0; first < s->results; first += TOGETHER)
    {
      const int last = (int) smaller (first + TOGETHER, s->results);
      gpr_select_place at[TOGETHER];
      bool there[TOGETHER];
      int64_t ranks[2 * TOGETHER];
      u64 found[2 * TOGETHER];
      int count = 0;
      for (int k = first; k < last; k++)
        if ((there[k - first] = gpr_cpu_select_place (s, j, k, n, &at[k - first])))
          {
            add_rank (ranks, &count, at[k - first].low);
            add_rank (ranks, &count, at[k - first].high);
          }
      select_keys (keys, n, 0, ranks, count, found);
      for (int k = first; k < last; k++)
        if (there[k - first])
          gpr_cpu_select_put (s, j, k, &at[k - first], found_at (ranks, found, at[k - first].low), found_at (ranks, found, at[k - first].high));
    }
}

gpr_status
gpr_cpu_select (gpr_selection *s)
{
  const gpr_key_work work = { .columns = gpr_columns_of (s), .sort_short = true, .of_keys = select_of_keys, .of_long = gpr_cpu_select_long };
  return gpr_cpu_each_column (&work, s);
}
