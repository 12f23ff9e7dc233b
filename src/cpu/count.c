/* Counting into bins on the CPU: slots.h.  */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../core/bin_even.h"
#include "cpu.h"
#include "part.h"
#include "slots.h"

enum {
  BATCH = GPR_CPU_SLOTS_AT_ONCE,
  CHUNK = 1 << 16,          /* elements between two looks at Ctrl-C */
  MOST_BUCKETS = 1 << 13,   /* more than twice the cuts only while in L1 */
  TABLE = 1 << 17,          /* counters of a tile of columns: in L2 */
  SHORT_RUN = 128           /* elements of an expression: fewer take longer to make than to write and read */
};

typedef struct {
  const gpr_counting *c;
  const gpr_cpu_terms *terms;   /* of c->terms */
  atomic_bool *left;        /* an element of them left the real numbers */
  gpr_cpu_search search;
  gpr_cpu_slots *slots_of;
  int32_t *byte_slots;      /* slot of each value of an 8-bit type, else NULL */
} plan;

/* ---- elements ----------------------------------------------------------------- */

/* Elements from at on, as they lie in memory or, those of an expression, made here.  */
static const void *
elements (const plan *p, int64_t at, int count, double *room)
{
  if (! p->terms)
    return (const char *) p->c->x + at * gpr_elem_bytes[p->c->elem];
  if (gpr_cpu_terms_take (p->terms, at, count, (char *) room))
    atomic_store_explicit (p->left, true, memory_order_relaxed);
  return room;
}

/* ---- counting ------------------------------------------------------------------ */

/* One element after the other into one table after the other, from t on;
   returns the table that is next, the first after a whole batch.  */
static int64_t *
histogram (int64_t *table, int64_t slots, int64_t lanes, int64_t *t, const int32_t *s, int count)
{
  int64_t *end = table + lanes * slots;
  int i = 0;
  if (lanes == 4)
    for (; i + 4 <= count; i += 4)
      {
        table[s[i]]++;
        table[slots + s[i + 1]]++;
        table[2 * slots + s[i + 2]]++;
        table[3 * slots + s[i + 3]]++;
      }
  else if (lanes == 2)
    for (; i + 2 <= count; i += 2)
      {
        table[s[i]]++;
        table[slots + s[i + 1]]++;
      }
  else if (lanes == 1)
    for (; i < count; i++)
      table[s[i]]++;
  for (; i < count; i++)
    {
      t[s[i]]++;
      t += slots;
      t = t == end ? table : t;
    }
  return t;
}

/* Counts length elements that lie together from at; element i of them into
   table i mod lanes.  */
static void
count_run (const plan *p, int64_t at, int64_t length, int64_t *table, int64_t lanes)
{
  const gpr_counting *c = p->c;
  int64_t *t = table;
  double room[BATCH];
  int32_t s[BATCH];

  for (; length > 0; length -= BATCH, at += BATCH)
    {
      int count = length < BATCH ? (int) length : BATCH;
      const void *x = elements (p, at, count, room);
      if (p->byte_slots)
        for (int i = 0; i < count; i++)
          s[i] = p->byte_slots[((const uint8_t *) x)[i]];
      else
        p->slots_of (&p->search, c->elem, x, count, s);
      t = histogram (table, p->search.slots, lanes, t, s, count);
      if (c->bin_of)
        for (int i = 0; i < count; i++)
          c->bin_of[at + i] = s[i];
    }
}

/* Some rows of a tile of columns.  */
static void
count_rows (const plan *p, int64_t o, int64_t c0, int64_t columns, int64_t first, int64_t rows,
            int64_t *table, int64_t lanes)
{
  int64_t l = p->c->inner, at = (o * p->c->length + first) * l + c0;
  if (columns == l)
    count_run (p, at, rows * l, table, lanes);
  else
    for (; rows > 0; rows--, at += l)
      count_run (p, at, columns, table, columns);
}

/* Writes the counts of a tile, the sums over all its tables, and clears these.  */
static void
deliver (const plan *p, int64_t o, int64_t c0, int64_t columns, int64_t *tables, int64_t lanes, int64_t threads)
{
  const gpr_counting *c = p->c;
  for (int64_t k = 0; k < c->bins; k++)
    for (int64_t j = 0; j < columns; j++)
      {
        int64_t sum = 0;
        for (int64_t first = 0; first < threads * lanes; first += lanes)
          for (int64_t lane = j; lane < lanes; lane += columns)
            {
              int64_t *t = &tables[(first + lane) * p->search.slots + k + 1];
              sum += *t;
              *t = 0;
            }
        c->counts[c0 + j + c->inner * (k + c->bins * o)] = (double) sum;
      }
}

static inline int64_t
smaller (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* Of a tile, whose counters stay in L2.  */
static int64_t
columns_of (const plan *p)
{
  int64_t width = TABLE / p->search.slots;
  return smaller (p->c->inner, width > 0 ? width : 1);
}

static gpr_status
count_all (const plan *p)
{
  const gpr_counting *c = p->c;
  int64_t columns = columns_of (p);
  int64_t tiles = (c->inner + columns - 1) / columns, units = tiles * c->outer;
  int64_t lanes = columns, chunk = CHUNK / columns > 0 ? CHUNK / columns : 1;
  int64_t threads = c->inner * c->length * c->outer < CHUNK / 2 ? 1 : gpr_cpu_threads ();
  bool split = units < 4 * threads;   /* threads share the rows of a tile, else each takes tiles */

  /* Neighbours in one bin wait for each other: in separate tables they do not.  */
  while (columns == c->inner && lanes < 4 && 2 * lanes * p->search.slots <= smaller (4096, c->length * c->inner / 16))
    lanes *= 2;

  /* A table per thread: never more of them than elements or outputs.  */
  if (split)
    threads = smaller (threads, 1 + c->length * columns / (lanes * p->search.slots));
  int64_t size = lanes * p->search.slots;
  int64_t *tables = calloc (threads * size, sizeof (int64_t));
  if (! tables)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%lld bytes of host memory for tables of %lld bins, %lld threads",
                     (long long) (threads * size * 8), (long long) c->bins, (long long) threads);
  if (threads > 1)
    gpr_cpu_note_pool ();

  if (split)
    for (int64_t unit = 0; unit < units && ! gpr_interrupted (); unit++)
      {
        int64_t o = unit / tiles, c0 = unit % tiles * columns, w = smaller (columns, c->inner - c0);
        #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (dynamic)
        for (int64_t first = 0; first < c->length; first += chunk)
          if (! gpr_interrupted ())
            {
              int64_t *own = tables + gpr_cpu_thread_number () * size;
              count_rows (p, o, c0, w, first, smaller (chunk, c->length - first), own, lanes);
            }
        deliver (p, o, c0, w, tables, lanes, threads);
      }
  else
    {
      #pragma omp parallel for num_threads (threads) if (threads > 1) \
        schedule (dynamic, 1 + CHUNK / ((c->length + p->search.slots) * columns))
      for (int64_t unit = 0; unit < units; unit++)
        {
          int64_t *own = tables + gpr_cpu_thread_number () * size;
          int64_t o = unit / tiles, c0 = unit % tiles * columns, w = smaller (columns, c->inner - c0);
          for (int64_t first = 0; first < c->length && ! gpr_interrupted (); first += chunk)
            count_rows (p, o, c0, w, first, smaller (chunk, c->length - first), own, lanes);
          deliver (p, o, c0, w, own, lanes, 1);
        }
    }
  free (tables);
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}

/* ---- the plan ------------------------------------------------------------------- */

/* Fills start for so many buckets between finite cuts; returns the most cuts in one of them.  */
static int64_t
fill_buckets (gpr_cpu_search *p, double high, int64_t buckets, int64_t cuts, int64_t always)
{
  int64_t fullest = 0, k = always;
  p->last = (double) (buckets - 1);
  p->scale = (double) buckets / (high - p->low);
  for (int32_t b = 0; b < buckets; b++)
    {
      int64_t before = k;
      p->start[b] = (int32_t) k;
      while (k < cuts && gpr_cpu_bucket_of (p, p->cuts[k]) == b)
        k++;
      if (k - before > fullest)
        fullest = k - before;
    }
  return fullest;
}

/* The finite cuts.  Numbers are compared with the first: below 0 there are numbers whose estimate is 0.  */
static bool
find_even (gpr_cpu_search *p, int64_t from, int64_t end, int64_t cuts)
{
  gpr_even e;

  if (from == end || ! gpr_find_even (&e, GPR_f64, false, p->cuts + from, 1, end - from))
    return false;
  p->how = GPR_CPU_AMONG_EVEN;
  p->low = e.low;
  p->scale = e.scale;
  p->near = e.near;
  p->before = (int32_t) from;
  p->inside = (int32_t) (end - from);
  p->after = (int32_t) (cuts - end);
  return true;
}

/* One allocation: cuts with their padding, start.  */
static gpr_status
make_search (gpr_cpu_search *p, const gpr_counting *c)
{
  const int64_t bins = c->bins;
  int64_t buckets = 2, padded, always;

  *p = (gpr_cpu_search) { .how = GPR_CPU_SPACED, .single_precision = c->single_precision, .slots = bins + 1, .low = c->origin, .scale = c->step };
  if (c->rule == GPR_BIN_SPACED)
    return GPR_OK;
  while (buckets < 2 * bins)
    buckets *= 2;
  padded = bins + 1 + buckets;
  int64_t most = buckets > MOST_BUCKETS ? buckets : MOST_BUCKETS;
  size_t bytes = padded * sizeof (double) + most * sizeof (int32_t);
  p->cuts = malloc (bytes);
  if (! p->cuts)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory to look up %lld bins", bytes, (long long) bins);
  p->start = (int32_t *) (p->cuts + padded);

  always = c->rule == GPR_BIN_CUTS;  /* cuts below every x */
  int64_t cuts = gpr_make_cuts (c, p->cuts, &p->top), finite = always, end = cuts;
  for (int64_t k = cuts; k < padded; k++)
    p->cuts[k] = NAN;
  while (finite < end && isinf (p->cuts[finite]))
    finite++;
  while (finite < end && isinf (p->cuts[end - 1]))
    end--;
  if (find_even (p, finite, end, cuts))
    return GPR_OK;
  p->how = GPR_CPU_AMONG_BUCKETS;
  p->low = finite < end ? p->cuts[finite] : 0;
  const double high = finite < end ? p->cuts[end - 1] : 1;
  int64_t fullest = fill_buckets (p, high, buckets, cuts, always);
  while (fullest > 1 && 2 * buckets <= most)
    fullest = fill_buckets (p, high, buckets *= 2, cuts, always);
  for (p->width = 0; p->width < fullest; p->width = 2 * p->width + 1)
    ;
  p->width = (p->width + 1) / 2;
  return GPR_OK;
}

/* False: the rows of a tile are too short to be made one by one.  */
static bool
has_long_runs (const plan *p)
{
  return columns_of (p) == p->c->inner || columns_of (p) >= SHORT_RUN;
}

static gpr_status
count (gpr_counting *c, const gpr_cpu_terms *terms, bool *fused)
{
  atomic_bool left = false;
  plan p = { .c = c, .terms = terms, .left = &left, .slots_of = gpr_cpu_vectors ()->slots };
  int32_t byte_slots[256];

  if (c->bins >= INT32_MAX / 4)
    return gpr_fail (GPR_UNSUPPORTED, "%lld bins: at most %d can be counted", (long long) c->bins, INT32_MAX / 4 - 1);
  gpr_status status = make_search (&p.search, c);
  if (status == GPR_OK && (c->elem == GPR_u8 || c->elem == GPR_i8))
    {
      uint8_t bytes[256];
      for (int i = 0; i < 256; i++)
        bytes[i] = (uint8_t) i;
      p.slots_of (&p.search, c->elem, bytes, 256, byte_slots);
      p.byte_slots = byte_slots;
    }
  *fused = terms && has_long_runs (&p);
  if (status == GPR_OK && (*fused || ! terms))
    status = count_all (&p);
  *fused = *fused && status == GPR_OK && ! left;
  free (p.search.cuts);
  return status;
}

gpr_status
gpr_cpu_count (gpr_counting *c)
{
  gpr_cpu_terms *terms = c->terms ? gpr_cpu_terms_make (c->terms) : NULL;

  c->fused = false;
  if (c->terms && ! terms)
    return GPR_OK;
  gpr_status status = count (c, terms, &c->fused);
  free (terms);
  return status;
}
