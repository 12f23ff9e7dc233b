/* Medians and quantiles of one long column on the CPU.

   It is not copied.  Each pass counts the keys by 16 more bits, from the top, among those that
   have the bits the median is already known to have, until few are left: they are gathered, and one
   of them is selected.  Of a column whose rows several processes have, the counts are added, and the few gathered (select_long.h).  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "part.h"
#include "select_long.h"

enum {
  DIGIT = 16,               /* bits, or all that a key has */
  FEW = 1 << 16             /* keys that are selected from without counting further */
};

static const u64 ALL_ONES = ~(u64) 0;

typedef struct {
  const gpr_columns *o;     /* this process's rows */
  const gpr_select_together *others;    /* who have the rest; or NULL */
  int64_t j, length;        /* of all rows */
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
static gpr_status
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
  if (gpr_interrupted ())
    return gpr_fail (GPR_INTERRUPTED, "interrupted");
  return c->others ? c->others->add (c->tables, c->digits, least, greatest) : GPR_OK;
}

/* Gathers the keys that begin with the prefix, where kept is not NULL, inside of them in all, and finds
   the least of those above.  */
static gpr_status
gather_candidates (const column *c, u64 *kept, int64_t inside, u64 *least_above)
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
  *least_above = above;
  if (gpr_interrupted ())
    return gpr_fail (GPR_INTERRUPTED, "interrupted");
  return c->others ? c->others->gather (kept, used, inside, least_above) : GPR_OK;
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
      if (! (c->known < bits && least_key < greatest_key && inside > FEW && (c->others || inside > c->length / 16)))
        break;
      const gpr_status status = count_column (c, &least_key, &greatest_key);
      table = c->tables;
      if (status != GPR_OK)
        return status;
    }

  const bool exact = c->known >= bits || least_key == greatest_key, next_inside = rank + (high - low) < inside;
  u64 above = 0, *kept = NULL;
  *a = *b = c->known >= bits ? c->prefix << (64 - c->known) : least_key;
  if (! exact && ! (kept = malloc (inside * sizeof *kept)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) inside * sizeof *kept);
  const gpr_status status = exact && next_inside ? GPR_OK : gather_candidates (c, kept, inside, &above);
  if (status != GPR_OK)
    {
      free (kept);
      return status;
    }
  if (! exact)
    {
      *a = *b = gpr_cpu_select_key (kept, inside, rank);
      if (high > low && next_inside)
        *b = gpr_cpu_least_key (kept + rank + 1, inside - rank - 1);
    }
  if (! next_inside)
    *b = above;
  free (kept);
  return GPR_OK;
}

static gpr_status
select_of_column (const gpr_selection *s, column *c)
{
  gpr_status status = count_column (c, &c->first_least, &c->first_greatest);
  if (status != GPR_OK)
    return status;
  memcpy (c->first, c->tables, c->digits * sizeof *c->first);
  /* NaN has a digit of its own.  */
  const int64_t numbers = s->length - (gpr_is_float (s->elem) ? c->first[c->digits - 1] : 0);
  for (int k = 0; k < s->results; k++)
    {
      gpr_select_place at;
      u64 low = 0, high = 0;
      if (! gpr_cpu_select_place (s, c->j, k, numbers, &at))
        continue;
      /* Some methods' two elements are further apart than one, but for rounding never.  */
      status = select_pair (c, at.low, at.high, &low, &high);
      if (status != GPR_OK)
        return status;
      gpr_cpu_select_put (s, c->j, k, &at, low, high);
    }
  return GPR_OK;
}

static gpr_status
select_of (const gpr_selection *s, const gpr_columns *o, const gpr_select_together *others, int64_t j, int threads)
{
  column c = { .o = o, .others = others, .j = j, .length = s->length, .threads = threads,
               .digit = (int) smaller (DIGIT, gpr_cpu_key_bits (s->elem)) };
  c.digits = (int64_t) 1 << c.digit;
  const size_t bytes = (size_t) (threads + 1) * c.digits * sizeof *c.tables;
  c.tables = malloc (bytes);
  c.first = c.tables + threads * c.digits;
  gpr_status status = c.tables ? select_of_column (s, &c) : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  free (c.tables);
  return status;
}

gpr_status
gpr_cpu_select_long (const void *problem, int64_t j, int threads)
{
  const gpr_selection *s = problem;
  const gpr_columns o = gpr_columns_of (s);
  return select_of (s, &o, NULL, j, threads);
}

gpr_status
gpr_cpu_select_together (const gpr_selection *s, int64_t rows, const gpr_select_together *others)
{
  gpr_columns o = gpr_columns_of (s);
  const int threads = rows >= 1 << 13 ? gpr_cpu_threads () : 1;
  gpr_status status = GPR_OK;

  o.length = rows;
  if (threads > 1)
    gpr_cpu_note_pool ();
  for (int64_t j = 0; j < s->inner * s->outer && status == GPR_OK; j++)
    status = select_of (s, &o, others, j, threads);
  return status;
}
