/* Plans for counting a long run of elements: cuda_histogram.h.  */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../core/bin_even.h"
#include "histogram.h"

/* Gains are those of floats on an H200.  */
enum {
  MOST_CUTS = 1 << 21,          /* t is below 2^22 */
  MOST_NARROWED = 0xFFFF,       /* cuts are counted in 16 bits */
  LEAST_BUCKETS = 1 << 10, MOST_BUCKETS = 1 << 12,      /* 16 KiB */
  SHARED_CUTS = 32 << 10,       /* bytes: 15 to 24 % faster than cuts in L1, which has them beyond */
  MOST_BISECTED = 4096,         /* bins of "spaced" for which cuts are sought */
  /* Each group reads all of x, mostly from L2: a pass of 2400 GB/s for each, against 400 of
     the counts in L2 at random (840 where all elements are the same, as fast as three groups).  */
  MOST_GROUPS = 4,
  COPIES_BYTES = 64 << 10
};

static int64_t
bin_of (const gpr_counting *c, double x)
{
  if (c->single_precision)
    return gpr_bin_of_f32 (c->rule, c->bins, c->edges, (float) c->origin, (float) c->step, (float) x);
  return gpr_bin_of_f64 (c->rule, c->bins, c->edges, c->origin, c->step, x);
}

/* ---- cuts ---------------------------------------------------------------------------- */

/* "spaced" never decreases: bin k begins at the least integer from least to most that has it.  */
static int64_t
bisect_cuts (const gpr_counting *c, int64_t least, int64_t most, double *cuts, double *top)
{
  *top = (double) most;
  cuts[0] = -INFINITY;
  for (int64_t k = 1; k < c->bins; k++)
    {
      int64_t from = least, to = most + 1;
      while (from < to)
        {
          int64_t middle = from + (to - from) / 2;
          if (bin_of (c, (double) middle) < k)
            from = middle + 1;
          else
            to = middle;
        }
      cuts[k] = (double) from;
    }
  return c->bins;
}

/* Integers from least to most are at or above a cut when they are above the integer before
   it: all of them, or none, where that is out of their range.  */
static void
round_cuts (double *cuts, int64_t count, double *top, double least, double most)
{
  for (int64_t k = 0; k < count; k++)
    {
      double cut = ceil (cuts[k]);
      cuts[k] = cut <= least ? -INFINITY : cut > most ? INFINITY : cut;
    }
  if (*top == *top)
    *top = fmin (floor (*top), most);
}

/* ---- estimates, in the arithmetic and order of histogram.cu ---------------------------------- */

/* Of single precision, or double.  */
static inline double
estimate (const gpr_histogram_args *a, bool single, double x)
{
  if (single)
    {
      float t = (float) x - (float) a->low;
      return t * (float) a->scale;
    }
  double t = x - a->low;
  return t * a->scale;
}

/* cuts: the finite ones.  */
static bool
find_even (gpr_histogram_args *a, enum gpr_elem compared, bool whole, const double *cuts)
{
  gpr_even e;
  const bool even = gpr_find_even (&e, compared, whole, cuts, 0, a->inside);
  a->find = GPR_FIND_EVEN;
  a->low = e.low;
  a->scale = e.scale;
  a->near = e.near;
  return even;
}

static int32_t
bucket_of (const gpr_histogram_args *a, bool single, double x)
{
  double t = estimate (a, single, x), last = a->bucket_count - 1;
  t = t > 0 ? t : 0;
  return (int32_t) (t < last ? t : last);
}

/* x and the cuts get their bucket from the same estimate, which never decreases: cuts of lower
   buckets are below x, those of higher ones above.  */
static bool
find_narrowed (gpr_histogram_args *a, bool single, const double *cuts, uint32_t *buckets)
{
  int32_t k = 0;
  a->find = GPR_FIND_NARROWED;
  a->low = cuts[0];
  a->scale = a->bucket_count / (cuts[a->inside - 1] - cuts[0]);
  if (single)
    a->scale = (float) a->scale;
  if (! gpr_is_scale (single, a->scale))
    a->scale = 0;               /* one bucket for all */
  for (int32_t b = 0; b < a->bucket_count; b++)
    {
      uint32_t from = k;
      while (k < a->inside && bucket_of (a, single, cuts[k]) == b)
        k++;
      buckets[b] = from | (uint32_t) k << 16;
    }
  return true;
}

/* The kernel's t and the rule's quotient differ by less than 4 units in the last place of a
   number below bins; near is twice that.  */
static bool
find_spaced (gpr_histogram_args *a, const gpr_counting *c)
{
  const bool single = c->single_precision;
  const double step = single ? (float) c->step : c->step, unit = single ? 0x1p-23 : 0x1p-52;

  a->find = GPR_FIND_SPACED;
  a->low = single ? (float) c->origin : c->origin;
  a->step = step;
  a->scale = single ? 1 / (float) step : 1 / step;
  a->top = INFINITY;
  a->near = gpr_power_above (8 * unit * c->bins);
  return isfinite (a->low) && gpr_is_scale (single, step) && gpr_is_scale (single, a->scale)
         && c->bins <= MOST_CUTS && a->near <= 0.0625;
}

/* ---- the plan ---------------------------------------------------------------------------- */

static bool
plan_bytes (gpr_histogram_plan *p, const gpr_counting *c)
{
  p->bytes = true;
  p->of_bytes.merge = true;
  for (int i = 0; i < 256; i++)
    p->of_bytes.bin[i] = (int32_t) bin_of (c, c->elem == GPR_u8 ? i : (int8_t) i);
  return true;
}

static size_t
bytes_of (enum gpr_elem compared)
{
  return compared == GPR_f64 ? sizeof (double) : sizeof (float);
}

/* The finite ones; what follows is a NaN where it is real.  */
static void
write_cuts (gpr_histogram_plan *p, const double *cuts)
{
  memset (p->table, 0xFF, p->table_bytes);
#define WRITE_CUTS(elem, type) \
  case elem: \
    for (int32_t k = p->args.before; k < p->args.before + p->args.inside; k++) \
      ((type *) p->table)[k] = (type) cuts[k]; \
    break;
  switch ((int) p->compared)
    {
    WRITE_CUTS (GPR_f64, double)
    WRITE_CUTS (GPR_f32, float)
    WRITE_CUTS (GPR_i32, int32_t)
    WRITE_CUTS (GPR_u32, uint32_t)
    }
}

static bool
plan_cuts (gpr_histogram_plan *p, const gpr_counting *c, double *cuts)
{
  gpr_histogram_args *a = &p->args;
  const bool whole = c->elem == GPR_i16 || c->elem == GPR_u16 || c->elem == GPR_i32 || c->elem == GPR_u32;
  const double least = c->elem == GPR_i16 ? INT16_MIN : c->elem == GPR_i32 ? INT32_MIN : 0;
  const double most = c->elem == GPR_i16 ? INT16_MAX : c->elem == GPR_u16 ? UINT16_MAX : c->elem == GPR_i32 ? INT32_MAX : UINT32_MAX;

  a->cut_count = (int32_t) (c->rule == GPR_BIN_SPACED ? bisect_cuts (c, (int64_t) least, (int64_t) most, cuts, &a->top)
                            : gpr_make_cuts (c, cuts, &a->top));
  if (whole)
    round_cuts (cuts, a->cut_count, &a->top, least, most);
  while (a->before < a->cut_count && cuts[a->before] == -INFINITY)
    a->before++;
  const double *finite = cuts + a->before;
  while (a->before + a->inside < a->cut_count && finite[a->inside] < INFINITY)
    a->inside++;

  /* Integers of 32 bits are compared as such where the cuts are even, else in double.  */
  bool even = (c->elem == GPR_i32 || c->elem == GPR_u32) && a->top >= least && find_even (a, c->elem, whole, finite);
  if (even)
    p->compared = c->elem;
  else
    even = find_even (a, p->compared, whole, finite);
  if (! even && a->inside > MOST_NARROWED)
    return false;
  a->bucket_count = even ? 0 : LEAST_BUCKETS;
  while (! even && a->bucket_count < MOST_BUCKETS && a->bucket_count < 8 * a->inside)
    a->bucket_count *= 2;
  p->buckets_at = ((a->cut_count + 1) * bytes_of (p->compared) + 15) / 16 * 16;
  p->table_bytes = p->buckets_at + a->bucket_count * sizeof (uint32_t);
  p->table = malloc (p->table_bytes);
  if (! p->table)
    return false;
  write_cuts (p, cuts);
  return even || find_narrowed (a, p->compared == GPR_f32, finite, (uint32_t *) ((char *) p->table + p->buckets_at));
}

bool
gpr_histogram_make (gpr_histogram_plan *p, const gpr_counting *c)
{
  const bool short_integer = c->elem == GPR_i16 || c->elem == GPR_u16, real = c->elem == GPR_f64 || c->elem == GPR_f32;

  memset (p, 0, sizeof *p);
  if (c->elem == GPR_i8 || c->elem == GPR_u8)
    return c->bins <= INT32_MAX && plan_bytes (p, c);
  p->short_elements = short_integer;
  if (c->bins > MOST_CUTS || (c->single_precision && ! real && ! short_integer))
    return false;
  p->compared = c->single_precision || short_integer ? GPR_f32 : GPR_f64;
  p->args.bins = (int32_t) c->bins;
  if (c->rule == GPR_BIN_SPACED && ! short_integer)
    return find_spaced (&p->args, c);
  /* Without a step that counts upwards there are no such cuts.  */
  if (c->rule == GPR_BIN_SPACED
      && (c->bins > MOST_BISECTED || ! isfinite (c->origin) || ! (c->step > 0) || (c->single_precision && ! ((float) c->step > 0))
          || ! isfinite ((float) c->origin)))
    return false;
  double *cuts = malloc (c->bins * sizeof (double));
  bool good = cuts && plan_cuts (p, c, cuts);
  free (cuts);
  if (! good)
    gpr_histogram_drop (p);
  return good;
}

void
gpr_histogram_drop (gpr_histogram_plan *p)
{
  free (p->table);
  p->table = NULL;
}

/* ---- where the counters are ------------------------------------------------------------------ */

static size_t
search_bytes (const gpr_histogram_plan *p)
{
  const gpr_histogram_args *a = &p->args;
  return (a->cuts_shared ? ((size_t) a->inside + 1) * bytes_of (p->compared) : 0)
         + a->bucket_count * sizeof (uint32_t);
}

size_t
gpr_histogram_shared (const gpr_histogram_plan *p)
{
  const gpr_histogram_args *a = &p->args;
  if (p->bytes)
    return GPR_HISTOGRAM_BYTES_SHARED;
  size_t counters = a->store == GPR_HISTOGRAM_WIDE ? ((size_t) a->size + 1) * sizeof (uint32_t) * a->copies
                    : a->store == GPR_HISTOGRAM_PACKED ? ((size_t) a->size + 1) / 2 * sizeof (uint32_t) : 0;
  return search_bytes (p) + counters;
}

int64_t
gpr_histogram_place (gpr_histogram_plan *p, int64_t n, int multiprocessors, size_t shared_bytes)
{
  gpr_histogram_args *a = &p->args;
  const int64_t block = GPR_HISTOGRAM_THREADS * 64;         /* bytes that are one load of its threads */
  int64_t blocks = multiprocessors, worth = block / 8;

  /* Bytes: two blocks run at once where there is room, else in turn.  */
  if (p->bytes)
    {
      int64_t useful = n / block + 1;
      return 2 * blocks < useful ? 2 * blocks : useful;
    }

  /* A search reads its cuts from shared memory where the smallest table still fits beside them.  */
  a->cuts_shared = a->find == GPR_FIND_NARROWED && a->inside * bytes_of (p->compared) <= SHARED_CUTS
                   && (a->bins + 1) * 4 <= (int64_t) shared_bytes - SHARED_CUTS - MOST_BUCKETS * 4;
  const int64_t room = (int64_t) shared_bytes - (int64_t) search_bytes (p), wide = (a->bins + 1) * (int64_t) sizeof (uint32_t);
  a->copies = 1;
  a->groups = 1;
  a->size = a->bins;

  /* To clear and deliver a table that is longer than the block's share is not worth it.  */
  if (a->bins > 4096 && n / 4 < a->bins)
    a->store = GPR_HISTOGRAM_GLOBAL;
  else if (wide <= room)
    {
      a->store = GPR_HISTOGRAM_WIDE;
      /* A counter for each lane, in a bank of its own, where else shared memory is what they
         wait for: 256 arbitrary edges are 7 % faster, even ones are not.  */
      if ((a->find == GPR_FIND_NARROWED || p->short_elements) && 32 * wide <= (room < COPIES_BYTES ? room : COPIES_BYTES))
        a->copies = 32;
    }
  else
    {
      /* Half the counter, twice the bins.  Beyond, groups of blocks have some of the bins each;
         beyond that, the counts in L2.  */
      int64_t fit = room / 4 * 2;
      a->groups = (int32_t) ((a->bins + fit - 1) / fit);
      a->store = a->groups <= MOST_GROUPS && a->groups <= multiprocessors ? GPR_HISTOGRAM_PACKED : GPR_HISTOGRAM_GLOBAL;
      if (a->store == GPR_HISTOGRAM_GLOBAL)
        a->groups = 1;
      a->size = (a->bins + a->groups - 1) / a->groups;
    }

  /* Each block: as many elements as bins to deliver, at least.  */
  if (a->store != GPR_HISTOGRAM_GLOBAL && worth < a->size)
    worth = a->size;
  blocks /= a->groups;
  if (blocks > n / worth + 1)
    blocks = n / worth + 1;
  return blocks * a->groups;
}
