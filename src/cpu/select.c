/* Medians and quantiles on the CPU, from keys (keys.h).  */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "keys.h"
#include "part.h"

enum {
  DIGIT = 16,               /* bits, or all that a key has */
  FEW = 1 << 16             /* keys that are selected from without counting further */
};

static const u64 ALL_ONES = ~(u64) 0;

static bool
is_float (enum gpr_elem elem)
{
  return elem == GPR_f64 || elem == GPR_f32;
}

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

/* Result k of a column with so many numbers: true, and which of them it is made of; or false, and it is there.  */
static bool
place (const gpr_selection *s, int64_t j, int k, int64_t numbers, gpr_select_place *at)
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

static void
put (const gpr_selection *s, int64_t j, int k, const gpr_select_place *at, u64 low, u64 high)
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

static u64
least (const u64 *v, int64_t n)
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
      found[1] = least (v + first + 1, n - first - 1);
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

  if (is_float (s->elem))
    while (n > 0 && keys[n - 1] == nan)
      n--;
  for (int k = 0; k < s->results; k++)
    if (place (s, j, k, n, &at))
      put (s, j, k, &at, keys[at.low], keys[at.high]);
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
  if (is_float (s->elem))
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
        if ((there[k - first] = place (s, j, k, n, &at[k - first])))
          {
            add_rank (ranks, &count, at[k - first].low);
            add_rank (ranks, &count, at[k - first].high);
          }
      select_keys (keys, n, 0, ranks, count, found);
      for (int k = first; k < last; k++)
        if (there[k - first])
          put (s, j, k, &at[k - first], found_at (ranks, found, at[k - first].low), found_at (ranks, found, at[k - first].high));
    }
}

static gpr_columns
columns_of (const gpr_selection *s)
{
  return (gpr_columns) { .elem = s->elem, .inner = s->inner, .length = s->length, .outer = s->outer, .x = s->x, .center = s->center };
}

/* ---- one long column ------------------------------------------------------------------

   It is not copied.  Each pass counts the keys by 16 more bits, from the top, among those that
   have the bits the median is already known to have, until few are left: they are gathered, and one
   of them is selected.  */

typedef struct {
  const gpr_columns *o;
  int64_t j;
  int threads, digit;       /* bits of one */
  int64_t digits;           /* 2^digit */
  int known;                /* bits at the top, those of prefix, that the median is known to have */
  u64 prefix;
  int64_t *tables;          /* one of digits for each thread */
  int64_t *first;           /* the first digit of all keys */
  u64 first_least, first_greatest;
} column;

/* Moves the keys that begin with the prefix to the front; returns their number.  */
static inline int64_t
keep_candidates (const column *c, u64 *keys, int64_t count)
{
  const int down = 64 - c->known;
  int64_t found = 0;
  for (int64_t k = 0; k < count; k++)
    {
      const u64 key = keys[k];
      keys[found] = key;
      found += key >> down == c->prefix;
    }
  return found;
}

/* Counts the candidates' next digit.  */
static void
count_digits (const column *c, int64_t from, int64_t to, int64_t *table, u64 *least, u64 *greatest)
{
  u64 keys[PIECE], low = *least, high = *greatest;
  const int down = 64 - c->digit - c->known;
  for (int64_t i = from; i < to && ! gpr_interrupted (); i += PIECE)
    {
      int64_t count = smaller (PIECE, to - i);
      gpr_cpu_load_keys (c->o, c->j, i, count, keys);
      if (c->known > 0)
        count = keep_candidates (c, keys, count);
      for (int64_t k = 0; k < count; k++)
        {
          const u64 key = keys[k];
          table[key >> down & (u64) (c->digits - 1)]++;
          low = key < low ? key : low;
          high = key > high ? key : high;
        }
    }
  *least = low;
  *greatest = high;
}

/* Counts all threads' shares of the column; the sums are in the first table.  */
static void
count_column (const column *c, u64 *least, u64 *greatest)
{
  const int64_t n = c->o->length;
  const int threads = c->threads;
  u64 low = ALL_ONES, high = 0;
  memset (c->tables, 0, (size_t) threads * c->digits * sizeof *c->tables);
  #pragma omp parallel for num_threads (threads) schedule (static, 1) if (threads > 1) reduction (min : low) reduction (max : high)
  for (int t = 0; t < threads; t++)
    count_digits (c, n / threads * t, t == threads - 1 ? n : n / threads * (t + 1), c->tables + t * c->digits, &low, &high);
  for (int t = 1; t < threads; t++)
    for (int64_t d = 0; d < c->digits; d++)
      c->tables[d] += c->tables[t * c->digits + d];
  *least = low;
  *greatest = high;
}

/* Gathers the keys that begin with the prefix, where kept is not NULL, and returns
   the least of those above.  */
static u64
gather_candidates (const column *c, u64 *kept)
{
  const int64_t n = c->o->length, pieces = (n + PIECE - 1) / PIECE;
  const int down = 64 - c->known;
  int64_t used = 0;
  u64 above = ALL_ONES;
  #pragma omp parallel for num_threads (c->threads) if (c->threads > 1) reduction (min : above)
  for (int64_t p = 0; p < pieces; p++)
    {
      u64 keys[PIECE];
      int64_t count = smaller (PIECE, n - p * PIECE), to;
      if (gpr_interrupted ())
        continue;
      gpr_cpu_load_keys (c->o, c->j, p * PIECE, count, keys);
      for (int64_t k = 0; k < count; k++)
        {
          const u64 over = keys[k] >> down > c->prefix ? keys[k] : ALL_ONES;
          above = over < above ? over : above;
        }
      const int64_t found = kept ? keep_candidates (c, keys, count) : 0;
      if (found == 0)
        continue;
      #pragma omp atomic capture
      {
        to = used;
        used += found;
      }
      memcpy (kept + to, keys, found * sizeof *kept);
    }
  return above;
}

/* The keys of two ranks, the same or one after the other.  */
static gpr_status
select_pair (column *c, int64_t low, int64_t high, u64 *a, u64 *b)
{
  const int bits = gpr_cpu_key_bits (c->o->elem);
  int64_t inside, rank = low;
  u64 least_key = c->first_least, greatest_key = c->first_greatest;
  const int64_t *table = c->first;

  c->known = 0;
  c->prefix = 0;
  for (;;)
    {
      int64_t digit = 0;
      while (digit < c->digits - 1 && rank >= table[digit])
        rank -= table[digit++];
      inside = table[digit];
      c->prefix = c->prefix << c->digit | (u64) digit;
      c->known += c->digit;
      if (! (c->known < bits && least_key < greatest_key && inside > FEW && inside > c->o->length / 16))
        break;
      count_column (c, &least_key, &greatest_key);
      table = c->tables;
      if (gpr_interrupted ())
        return gpr_fail (GPR_INTERRUPTED, "interrupted");
    }

  const bool exact = c->known >= bits || least_key == greatest_key, next_inside = rank + (high - low) < inside;
  u64 above = 0, *kept = NULL;
  *a = *b = c->known >= bits ? c->prefix << (64 - c->known) : least_key;
  if (! exact && ! (kept = malloc (inside * sizeof *kept)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) inside * sizeof *kept);
  if (! exact || ! next_inside)
    above = gather_candidates (c, kept);
  if (gpr_interrupted ())
    {
      free (kept);
      return gpr_fail (GPR_INTERRUPTED, "interrupted");
    }
  if (! exact)
    {
      *a = *b = gpr_cpu_select_key (kept, inside, rank);
      if (high > low && next_inside)
        *b = least (kept + rank + 1, inside - rank - 1);
    }
  if (! next_inside)
    *b = above;
  free (kept);
  return GPR_OK;
}

static gpr_status
select_of_column (const gpr_selection *s, column *c)
{
  count_column (c, &c->first_least, &c->first_greatest);
  if (gpr_interrupted ())
    return gpr_fail (GPR_INTERRUPTED, "interrupted");
  memcpy (c->first, c->tables, c->digits * sizeof *c->first);
  /* NaN has a digit of its own.  */
  const int64_t numbers = s->length - (is_float (s->elem) ? c->first[c->digits - 1] : 0);
  for (int k = 0; k < s->results; k++)
    {
      gpr_select_place at;
      u64 low = 0, high = 0;
      if (! place (s, c->j, k, numbers, &at))
        continue;
      /* Some methods' two elements are further apart than one, but for rounding never.  */
      gpr_status status = select_pair (c, at.low, at.high, &low, &high);
      if (status != GPR_OK)
        return status;
      put (s, c->j, k, &at, low, high);
    }
  return GPR_OK;
}

static gpr_status
select_of_long (const void *problem, int64_t j, int threads)
{
  const gpr_selection *s = problem;
  const gpr_columns o = columns_of (s);
  column c = { .o = &o, .j = j, .threads = threads, .digit = (int) smaller (DIGIT, gpr_cpu_key_bits (s->elem)) };
  c.digits = (int64_t) 1 << c.digit;
  const size_t bytes = (size_t) (threads + 1) * c.digits * sizeof *c.tables;
  c.tables = malloc (bytes);
  c.first = c.tables + threads * c.digits;
  gpr_status status = c.tables ? select_of_column (s, &c) : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  free (c.tables);
  return status;
}

gpr_status
gpr_cpu_select (gpr_selection *s)
{
  const gpr_key_work work = { .columns = columns_of (s), .sort_short = true, .of_keys = select_of_keys, .of_long = select_of_long };
  return gpr_cpu_each_column (&work, s);
}
