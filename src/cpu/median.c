/* Medians on the CPU, from keys (keys.h).  */

#include <stdlib.h>
#include <string.h>

#include "keys.h"

enum {
  DIGIT = 16,               /* bits, or all that a key has */
  FEW = 1 << 16             /* keys that are selected from without counting further */
};

static const u64 ALL_ONES = ~(u64) 0;

static bool
is_float (const gpr_ordering *o)
{
  return o->elem == GPR_f64 || o->elem == GPR_f32;
}

static u64
nan_key (const gpr_ordering *o)
{
  return ALL_ONES << (64 - gpr_cpu_key_bits (o->elem));
}

/* The median of a column whose middle elements, one or two, have these keys.  */
static void
put_median (const gpr_ordering *o, int64_t at, int middles, u64 low, u64 high)
{
  switch (o->elem)
    {
#define PUT(T, K, B) \
    case GPR_##T: \
      { \
        T a = gpr_order_value_##T ((K) (low >> (64 - B))), b = gpr_order_value_##T ((K) (high >> (64 - B))); \
        ((T *) o->value)[at] = middles == 1 || o->logical ? b : gpr_order_middle_##T (a, b, o->round_up); \
      } \
      break;
    GPR_ORDER_TYPES (PUT)
#undef PUT
    default: break;
    }
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
static u64
select_key (u64 *v, int64_t n, int64_t rank)
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

/* Which elements are in the middle: false where the median is NaN.  */
static bool
middle (const gpr_ordering *o, int64_t nans, int64_t *low, int64_t *high)
{
  int64_t numbers = o->length - nans;
  *low = (numbers - 1) / 2;
  *high = numbers / 2;
  return numbers > 0 && (nans == 0 || o->omit_nan);
}

void
gpr_cpu_median_of_keys (const gpr_ordering *o, u64 *keys, int64_t at)
{
  int64_t n = o->length, low, high;
  const u64 nan = nan_key (o);

  if (is_float (o))
    n = part (keys, n, nan);
  if (! middle (o, o->length - n, &low, &high))
    {
      put_median (o, at, 1, nan, nan);
      return;
    }
  u64 a = select_key (keys, n, low);
  put_median (o, at, 1 + (int) (high - low), a, high == low ? a : least (keys + high, n - high));
}

/* ---- one long column ------------------------------------------------------------------

   It is not copied.  Each pass counts the keys by 16 more bits, from the top, among those that
   have the bits the median is already known to have, until few are left: they are gathered, and one
   of them is selected.  */

typedef struct {
  const gpr_ordering *o;
  int64_t at;               /* its first element; stride o->l */
  int threads, digit;       /* bits of one */
  int64_t digits;           /* 2^digit */
  int known;                /* bits at the top, those of prefix, that the median is known to have */
  u64 prefix;
  int64_t *tables;          /* one of digits for each thread */
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
      gpr_cpu_load_keys (c->o, c->at + i * c->o->inner, c->o->inner, count, keys);
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
      gpr_cpu_load_keys (c->o, c->at + p * PIECE * c->o->inner, c->o->inner, count, keys);
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

static gpr_status
median_of_column (column *c, int64_t out)
{
  const gpr_ordering *o = c->o;
  const int bits = gpr_cpu_key_bits (o->elem);
  int64_t low = 0, high = 0, inside, rank = 0;
  u64 least_key, greatest_key;

  do
    {
      count_column (c, &least_key, &greatest_key);
      if (gpr_interrupted ())
        return gpr_fail (GPR_INTERRUPTED, "interrupted");
      if (c->known == 0)
        {
          /* NaN has a digit of its own.  */
          if (! middle (o, is_float (o) ? c->tables[c->digits - 1] : 0, &low, &high))
            {
              put_median (o, out, 1, nan_key (o), nan_key (o));
              return GPR_OK;
            }
          rank = low;
        }
      int64_t digit = 0;
      while (digit < c->digits - 1 && rank >= c->tables[digit])
        rank -= c->tables[digit++];
      inside = c->tables[digit];
      c->prefix = c->prefix << c->digit | (u64) digit;
      c->known += c->digit;
    }
  while (c->known < bits && least_key < greatest_key && inside > FEW && inside > o->length / 16);

  const bool exact = c->known >= bits || least_key == greatest_key, next_inside = rank + (high - low) < inside;
  u64 a = c->known >= bits ? c->prefix << (64 - c->known) : least_key, b = a, above = 0, *kept = NULL;
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
      a = b = select_key (kept, inside, rank);
      if (high > low && next_inside)
        b = least (kept + rank + 1, inside - rank - 1);
    }
  put_median (o, out, 1 + (int) (high - low), a, next_inside ? b : above);
  free (kept);
  return GPR_OK;
}

gpr_status
gpr_cpu_median_of_long (const gpr_ordering *o, int64_t j, int threads)
{
  column c = { .o = o, .at = first_of_column (o, j), .threads = threads, .digit = (int) smaller (DIGIT, gpr_cpu_key_bits (o->elem)) };
  c.digits = (int64_t) 1 << c.digit;
  size_t bytes = (size_t) threads * c.digits * sizeof *c.tables;
  c.tables = malloc (bytes);
  gpr_status status = c.tables ? median_of_column (&c, j) : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  free (c.tables);
  return status;
}
