/* Medians and modes on the CPU, on keys: 64 bits, the element's own at the top, ordered
   as the elements are.

   The median of a long column needs no copy of it.  Passes over the column count the
   keys by 16 bits at a time, from the top, each among those that share the median's
   bits so far, until few are left; these are gathered, and one of them is
   selected.  Other columns are gathered, some neighbours together, and selected
   from, or for a mode sorted by their bytes, from the last to the first.  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "../core/order.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum {
  PIECE = 1024,             /* keys made together: in L1 */
  DIGIT = 16,               /* bits, or all that a key has */
  LONG = 1 << 17,           /* elements of a column that is worth counting by 16 bits */
  FEW = 1 << 16,            /* keys that are selected from without counting further */
  SHORT = 32,               /* keys that are sorted by insertion */
  NEIGHBOURS = 64,          /* bytes of a row that are gathered together: a line of the cache */
  GATHERED = 1 << 23,       /* keys of such columns, at most */
  BATCH = 1 << 12           /* and at least: in L1 */
};

static inline int64_t smaller (int64_t a, int64_t b) { return a < b ? a : b; }

static int
thread_number (void)
{
#ifdef _OPENMP
  return omp_get_thread_num ();
#else
  return 0;
#endif
}

static int
key_bits (enum gpr_elem elem)
{
  switch (elem)
    {
#define BITS(T, K, B) case GPR_##T: return B;
    GPR_ORDER_TYPES (BITS)
#undef BITS
    default: return 0;
    }
}

static bool
is_float (const gpr_ordering *o)
{
  return o->elem == GPR_f64 || o->elem == GPR_f32;
}

/* ---- elements and keys ------------------------------------------------------------ */

static const u64 ALL_ONES = ~(u64) 0;

/* Where column j begins.  */
static int64_t
begin (const gpr_ordering *o, int64_t j)
{
  return j % o->inner + o->inner * o->length * (j / o->inner);
}

/* Keys of elements at, at + stride, …  */
static void
load (const gpr_ordering *o, int64_t at, int64_t stride, int64_t count, u64 *restrict keys)
{
  const bool merge = o->op == GPR_ORDER_MODE;
  switch (o->elem)
    {
#define LOAD(T, K, B) \
    case GPR_##T: \
      { \
        const T *x = (const T *) o->x + at; \
        if (stride == 1) \
          for (int64_t i = 0; i < count; i++) \
            keys[i] = (u64) gpr_order_key_##T (x[i], merge) << (64 - B); \
        else \
          for (int64_t i = 0; i < count; i++) \
            keys[i] = (u64) gpr_order_key_##T (x[i * stride], merge) << (64 - B); \
      } \
      break;
    GPR_ORDER_TYPES (LOAD)
#undef LOAD
    default: break;
    }
}

static u64
nan_key (const gpr_ordering *o)
{
  return ALL_ONES << (64 - key_bits (o->elem));
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
        ((T *) o->value)[at] = middles == 1 || o->logical ? b : gpr_order_middle_##T (a, b); \
      } \
      break;
    GPR_ORDER_TYPES (PUT)
#undef PUT
    default: break;
    }
}

/* ---- selection ---------------------------------------------------------------------- */

static void
sort_short (u64 *v, int64_t n)
{
  for (int64_t i = 1; i < n; i++)
    {
      u64 key = v[i];
      int64_t k = i;
      for (; k > 0 && v[k - 1] > key; k--)
        v[k] = v[k - 1];
      v[k] = key;
    }
}

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

/* The key of that rank from 0; those before it end up before it, the others behind.  */
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
      sort_short (sample, 3);
      int64_t below = part (first, n, sample[1]);
      if (rank < below)
        {
          n = below;
          continue;
        }
      first += below;
      rank -= below;
      n -= below;
      /* No key is above the greatest; and the pivot itself goes.  */
      int64_t equal = sample[1] == ALL_ONES ? n : part (first, n, sample[1] + 1);
      if (rank < equal)
        return sample[1];
      first += equal;
      rank -= equal;
      n -= equal;
    }
  sort_short (first, n);
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

/* Of a column's keys.  */
static void
median_of_keys (const gpr_ordering *o, u64 *keys, int64_t at)
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

/* ---- one long column ------------------------------------------------------------------ */

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
      load (c->o, c->at + i * c->o->inner, c->o->inner, count, keys);
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

/* The counts of all threads' shares, in the first table.  */
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
      load (c->o, c->at + p * PIECE * c->o->inner, c->o->inner, count, keys);
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
median_of_long (column *c, int64_t out)
{
  const gpr_ordering *o = c->o;
  const int bits = key_bits (o->elem);
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

static gpr_status
median_at (const gpr_ordering *o, int64_t j, int threads)
{
  column c = { .o = o, .at = begin (o, j), .threads = threads, .digit = (int) smaller (DIGIT, key_bits (o->elem)) };
  c.digits = (int64_t) 1 << c.digit;
  size_t bytes = (size_t) threads * c.digits * sizeof *c.tables;
  c.tables = malloc (bytes);
  gpr_status status = c.tables ? median_of_long (&c, j) : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  free (c.tables);
  return status;
}

/* ---- sorting --------------------------------------------------------------------------- */

/* Sorts n keys, with room for as many; returns which of both they are in.  */
static u64 *
sort_keys (u64 *v, u64 *room, int64_t n, int threads)
{
  u64 varies = 0;
  int64_t counts[threads][256];

  if (n <= SHORT)
    {
      sort_short (v, n);
      return v;
    }
  for (int64_t i = 1; i < n; i++)
    varies |= v[i] ^ v[0];
  for (int shift = 0; shift < 64; shift += 8)
    {
      if ((varies >> shift & 255) == 0)
        continue;
      if (gpr_interrupted ())
        break;
      memset (counts, 0, sizeof counts);
      #pragma omp parallel for num_threads (threads) schedule (static, 1) if (threads > 1)
      for (int t = 0; t < threads; t++)
        for (int64_t i = n / threads * t, end = t == threads - 1 ? n : n / threads * (t + 1); i < end; i++)
          counts[t][v[i] >> shift & 255]++;
      int64_t sum = 0;
      for (int d = 0; d < 256; d++)
        for (int t = 0; t < threads; t++)
          {
            int64_t count = counts[t][d];
            counts[t][d] = sum;
            sum += count;
          }
      #pragma omp parallel for num_threads (threads) schedule (static, 1) if (threads > 1)
      for (int t = 0; t < threads; t++)
        for (int64_t i = n / threads * t, end = t == threads - 1 ? n : n / threads * (t + 1); i < end; i++)
          room[counts[t][v[i] >> shift & 255]++] = v[i];
      u64 *other = v;
      v = room;
      room = other;
    }
  return v;
}

/* ---- modes -------------------------------------------------------------------------------- */

/* In mode.m a run goes on while the difference is zero: infinities and NaN are runs of one.  */
#define SAME_RUN(x, y) ((x) == (y) && (x) - (x) == 0)

/* The sorted elements of a column, made from their keys.  */
#define DEFINE_MODES(T, K, B) \
static void \
restore_##T (const u64 *keys, int64_t n, T *sorted) \
{ \
  for (int64_t i = 0; i < n; i++) \
    sorted[i] = gpr_order_value_##T ((K) (keys[i] >> (64 - B))); \
} \
static void \
mode_##T (const T *sorted, int64_t n, T *value, double *frequency) \
{ \
  int64_t best = 0, from = 0; \
  for (int64_t first = 0, i = 1; i <= n; i++) \
    if (i == n || ! SAME_RUN (sorted[i], sorted[i - 1])) \
      { \
        if (i - first > best) \
          { \
            best = i - first; \
            from = first; \
          } \
        first = i; \
      } \
  *value = sorted[from]; \
  *frequency = (double) best; \
} \
static int64_t \
modes_##T (T *sorted, int64_t n, int64_t frequency) \
{ \
  int64_t count = 0; \
  for (int64_t first = 0, i = 1; i <= n; i++) \
    if (i == n || ! SAME_RUN (sorted[i], sorted[i - 1])) \
      { \
        T v = sorted[first]; \
        if (i - first == frequency) \
          sorted[count++] = v;      /* never ahead of i */ \
        first = i; \
      } \
  return count; \
}
GPR_ORDER_TYPES (DEFINE_MODES)

/* Zeros share a key, and so do all NaN: they are taken from the column, in its order.  */
#define DEFINE_SETTLE(T) \
static void \
settle_##T (const T *x, int64_t stride, int64_t n, T *sorted) \
{ \
  int64_t zero = n, nan = n, left = 0; \
  for (int64_t i = n - 1; i >= 0; i--) \
    if (sorted[i] == 0) \
      { \
        zero = i; \
        left++; \
      } \
    else if (sorted[i] != sorted[i]) \
      { \
        nan = i; \
        left++; \
      } \
  for (int64_t i = 0; left > 0; i++) \
    { \
      const T v = x[i * stride]; \
      if (v == 0 || v != v) \
        { \
          sorted[v == 0 ? zero++ : nan++] = v; \
          left--; \
        } \
    } \
}
DEFINE_SETTLE (f64) DEFINE_SETTLE (f32)

/* Of the keys of column j.  room: for n of them.  */
static void
mode_of_keys (const gpr_ordering *o, u64 *keys, u64 *room, int64_t j, int threads)
{
  const int64_t at = begin (o, j);
  u64 *ordered = sort_keys (keys, room, o->length, threads);
  void *other = ordered == keys ? room : keys;
  if (gpr_interrupted ())
    return;
  switch (o->elem)
    {
#define MODE(T, K, B) \
    case GPR_##T: \
      { \
        T *sorted = o->sorted ? (T *) o->sorted + j * o->length : other; \
        restore_##T (ordered, o->length, sorted); \
        if (o->elem == GPR_f64) \
          settle_f64 ((const f64 *) o->x + at, o->inner, o->length, (f64 *) sorted); \
        else if (o->elem == GPR_f32) \
          settle_f32 ((const f32 *) o->x + at, o->inner, o->length, (f32 *) sorted); \
        mode_##T (sorted, o->length, (T *) o->value + j, &o->frequency[j]); \
      } \
      break;
    GPR_ORDER_TYPES (MODE)
#undef MODE
    default: break;
    }
}

void
gpr_order_modes (const gpr_ordering *o, int64_t *counts)
{
  for (int64_t j = 0; j < o->inner * o->outer; j++)
    switch (o->elem)
      {
#define MODES(T, K, B) case GPR_##T: counts[j] = modes_##T ((T *) o->sorted + j * o->length, o->length, (int64_t) o->frequency[j]); break;
      GPR_ORDER_TYPES (MODES)
#undef MODES
      default: break;
      }
}

/* ---- all columns ------------------------------------------------------------------------------ */

/* The keys of columns j …, neighbours, one column after the other.  */
static void
gather_columns (const gpr_ordering *o, int64_t j, int64_t columns, u64 *keys)
{
  const int64_t rows = columns == 1 ? o->length : 128, at = begin (o, j);       /* so many lines stay in L1 */
  if (o->inner == 1)
    load (o, at, 1, columns * o->length, keys);
  else
    for (int64_t r = 0; r < o->length; r += rows)
      for (int64_t c = 0; c < columns; c++)
        load (o, at + c + o->inner * r, o->inner, smaller (rows, o->length - r), keys + c * o->length + r);
}

static gpr_status
order_columns (const gpr_ordering *o, int threads)
{
  /* A job is a tile of neighbours: a line of the cache of each row, or more where
     the columns are short; of one outer, or where l is 1 of several.  */
  const int64_t fit = 1 + GATHERED / o->length, line = NEIGHBOURS * 8 / key_bits (o->elem), small = 1 + BATCH / o->length;
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
          u64 *mine = keys[thread_number ()];
          if (gpr_interrupted ())
            continue;
          if (! counted)
            gather_columns (o, j, columns, mine);
          for (int64_t c = 0; c < columns; c++)
            if (mode)
              mode_of_keys (o, mine + c * o->length, mine + tile * o->length, j + c, 1);
            else if (! counted)
              median_of_keys (o, mine + c * o->length, j + c);
            else if (median_at (o, j + c, 1) == GPR_OUT_OF_MEMORY)
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

/* Its threads work on one column together.  */
static gpr_status
mode_at (const gpr_ordering *o, int64_t j, int threads)
{
  const int64_t at = begin (o, j), pieces = (o->length + PIECE - 1) / PIECE;
  u64 *keys = malloc (2 * (size_t) o->length * sizeof *keys);
  if (! keys)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", 2 * (size_t) o->length * sizeof *keys);
  #pragma omp parallel for num_threads (threads) if (threads > 1)
  for (int64_t p = 0; p < pieces; p++)
    load (o, at + o->inner * p * PIECE, o->inner, smaller (PIECE, o->length - p * PIECE), keys + p * PIECE);
  mode_of_keys (o, keys, keys + o->length, j, threads);
  free (keys);
  return GPR_OK;
}

gpr_status
gpr_cpu_order (gpr_ordering *o)
{
  const int64_t columns = o->inner * o->outer;
  int threads = 1;
  gpr_status status = GPR_OK;

  if (key_bits (o->elem) == 0)
    return gpr_fail (GPR_UNSUPPORTED, "ordering element type %d", (int) o->elem);
  if (columns * o->length >= 1 << 13 && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();
  if (o->length < LONG || columns >= 2 * threads)
    status = order_columns (o, threads);
  else
    for (int64_t j = 0; j < columns && status == GPR_OK; j++)
      status = o->op == GPR_ORDER_MODE ? mode_at (o, j, threads) : median_at (o, j, threads);
  return status == GPR_OK && gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : status;
}
