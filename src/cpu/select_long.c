/* Medians and quantiles of one long column.

   Each reading counts the keys by some more bits, from the top, among those that have the bits the median is already
   known to have, until few are left: they are gathered, and one of them is selected.  Of a column whose rows several
   processes have, the counts are added, and the few gathered (select_long.h).  Who reads is the backend of its memory (core/select.h).  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "select_long.h"

enum { DIGIT = 16 };        /* bits, or all that a key has, where one process reads */

typedef struct {
  const gpr_select_together *others;    /* who have the rest of the rows; or NULL */
  gpr_key_reading *k;       /* this process's */
  int64_t length;           /* of all rows */
  int64_t *all, *own;       /* counts of the last digit: of all, of this process's keys */
  int64_t *first, *first_own;           /* of the first digit of all keys */
  u64 first_least, first_greatest;
} column;

/* Bits of the digit that follows.  */
static int
next_digit (const gpr_key_reading *k)
{
  return (int) smaller (k->digit, gpr_cpu_key_bits (k->elem) - k->known);
}

static gpr_status
count (column *c, u64 *least, u64 *greatest)
{
  const int digit = next_digit (c->k);
  const int64_t digits = (int64_t) 1 << digit;
  const gpr_status status = c->k->home->keys_count (c->k, digit, c->all, least, greatest);
  memcpy (c->own, c->all, digits * sizeof *c->own);
  return status == GPR_OK && c->others ? c->others->add (c->all, digits, least, greatest) : status;
}

/* The keys that begin with the prefix, where kept is not NULL, inside of them in all, and the least of those above.  */
static gpr_status
gather (const column *c, u64 *kept, int64_t inside, u64 *above)
{
  const gpr_status status = c->k->home->keys_keep (c->k, kept, above);
  return status == GPR_OK && c->others ? c->others->gather (kept, kept ? c->k->inside : 0, inside, above) : status;
}

/* All keys that were counted may have more bits in common.  */
static void
take_common (gpr_key_reading *k, u64 least, u64 greatest)
{
  const int bits = gpr_cpu_key_bits (k->elem), common = least == greatest ? bits : __builtin_clzll (least ^ greatest);
  if (common > k->known)
    {
      k->known = common;
      k->prefix = least >> (64 - common);
    }
}

/* The keys of two ranks, the same or one after the other.  */
static gpr_status
select_pair (column *c, int64_t low, int64_t high, u64 *a, u64 *b)
{
  gpr_key_reading *k = c->k;
  const int bits = gpr_cpu_key_bits (k->elem);
  const int64_t *all = c->first, *own = c->first_own;
  int64_t inside, rank = low;
  u64 least_key = c->first_least, greatest_key = c->first_greatest;

  k->known = 0;
  k->prefix = 0;
  for (;;)
    {
      const int bits_of_digit = next_digit (k);
      const int64_t last = ((int64_t) 1 << bits_of_digit) - 1;
      int64_t digit = 0;
      while (digit < last && rank >= all[digit])
        rank -= all[digit++];
      inside = all[digit];
      k->inside = own[digit];
      k->prefix = k->prefix << bits_of_digit | (u64) digit;
      k->known += bits_of_digit;
      take_common (k, least_key, greatest_key);
      if (! (k->known < bits && inside > GPR_SELECT_FEW && (c->others || inside > c->length / 16)))
        break;
      const gpr_status status = count (c, &least_key, &greatest_key);
      all = c->all;
      own = c->own;
      if (status != GPR_OK)
        return status;
    }

  const bool exact = k->known >= bits, next_inside = rank + (high - low) < inside;
  u64 above = 0, *kept = NULL;
  *a = *b = k->prefix << (64 - k->known);
  if (! exact && ! (kept = malloc (inside * sizeof *kept)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) inside * sizeof *kept);
  const gpr_status status = exact && next_inside ? GPR_OK : gather (c, kept, inside, &above);
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
select_of_column (const gpr_selection *s, column *c, int64_t j)
{
  c->k->known = 0;
  gpr_status status = count (c, &c->first_least, &c->first_greatest);
  if (status != GPR_OK)
    return status;
  const int64_t digits = (int64_t) 1 << next_digit (c->k);
  memcpy (c->first, c->all, digits * sizeof *c->first);
  memcpy (c->first_own, c->own, digits * sizeof *c->first_own);
  /* NaN has a digit of its own.  */
  const int64_t numbers = s->length - (gpr_is_float (s->elem) ? c->first[digits - 1] : 0);
  for (int i = 0; i < s->results; i++)
    {
      gpr_select_place at;
      u64 low = 0, high = 0;
      if (! gpr_cpu_select_place (s, j, i, numbers, &at))
        continue;
      /* Some methods' two elements are further apart than one, but for rounding never.  */
      status = select_pair (c, at.low, at.high, &low, &high);
      if (status != GPR_OK)
        return status;
      gpr_cpu_select_put (s, j, i, &at, low, high);
    }
  return GPR_OK;
}

/* Columns from first to end, whose readings have begun.  */
static gpr_status
select_columns (const gpr_selection *s, gpr_key_reading *k, const gpr_select_together *others, int64_t first, int64_t end)
{
  const int64_t digits = (int64_t) 1 << k->digit;
  const size_t bytes = gpr_elem_bytes[s->elem];
  const char *x = k->x;
  int64_t *tables = malloc (4 * digits * sizeof *tables);
  column c = { .others = others, .k = k, .length = s->length, .all = tables, .own = tables + digits, .first = tables + 2 * digits,
               .first_own = tables + 3 * digits };
  gpr_status status = tables ? GPR_OK : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", 4 * digits * sizeof *tables);

  for (int64_t j = first; j < end && status == GPR_OK; j++)
    {
      k->x = x + (j % s->inner + s->inner * k->length * (j / s->inner)) * bytes;
      k->center = s->center ? (const char *) s->center + j * bytes : NULL;
      status = select_of_column (s, &c, j);
    }
  free (tables);
  return status;
}

gpr_key_reading
gpr_cpu_key_reading (const gpr_selection *s, int64_t rows, int digit)
{
  return (gpr_key_reading) { .home = &gpr_cpu_backend, .elem = s->elem, .length = rows, .stride = s->inner, .x = s->x,
                             .digit = (int) smaller (digit, gpr_cpu_key_bits (s->elem)), .most = GPR_SELECT_FEW };
}

gpr_status
gpr_cpu_select_long (const void *problem, int64_t j, int threads)
{
  const gpr_selection *s = problem;
  gpr_key_reading k = gpr_cpu_key_reading (s, s->length, DIGIT);
  k.threads = threads;
  gpr_status status = gpr_cpu_keys_begin (&k);
  if (status == GPR_OK)
    status = select_columns (s, &k, NULL, j, j + 1);
  gpr_cpu_keys_end (&k);
  return status;
}

gpr_status
gpr_cpu_select_together (const gpr_selection *s, gpr_key_reading *k, const gpr_select_together *others)
{
  return select_columns (s, k, others, 0, s->inner * s->outer);
}
