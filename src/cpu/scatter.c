/* accumarray on the CPU.

   The elements are cut into chunks, the outputs into shares.  One task makes 32-bit keys of
   a chunk's subscripts and deals them into a list for each share.  Then one task for each
   share adds the elements of its list, after the tasks that add earlier chunks to
   it: so every output takes its elements in order.  More than 2^31 outputs are done in windows of
   that many, each from all elements again.  */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "part.h"
#include "../core/scatter.h"

enum {
  BATCH = 1024,             /* elements whose subscripts are put together: in L1 */
  CHUNK = 1 << 16,          /* elements of a task: their keys stay in the cache */
  BLOCK = 64,               /* neighbouring outputs of one share: no cache line is of two */
  SHARES = 64,              /* at most */
  NEAR = 1 << 19,           /* bytes of outputs that a processor's own cache holds */
  FAR = 1 << 24,            /* bytes of outputs from where on it pays to fetch them ahead */
  ALONE = 1 << 15           /* elements that one thread does alone */
};
#define WINDOW ((int64_t) 1 << 31)

/* What one task leaves to others.  */
typedef struct {
  uint32_t *keys;           /* output less the window's first; the window's count: none of its outputs */
  uint16_t *positions;         /* of each batch, the positions in it: those of share 0, then 1, … */
  uint16_t *ends;           /* of each share in them */
} chunk;

typedef struct {
  gpr_scattering *p;
  int64_t first, count;     /* the outputs of this window */
  char *out;                /* its first one */
  uint8_t *hit;             /* of each output, or NULL */
  int shares;               /* a power of two; output k is of share k / BLOCK mod shares */
  bool listed;              /* chunks have positions */
  atomic_int bad, beyond;
} window;

/* ---- keys ------------------------------------------------------------------------ */

/* Adds (s - 1) * stride of so many subscripts s to at; false: one is not allowed.  */
#define ADD_COLUMN(T) \
static bool add_##T (const T *restrict x, int count, int64_t size, int64_t stride, int64_t *restrict at) \
{ \
  int wrong = 0; \
  for (int i = 0; i < count; i++) \
    { \
      int64_t k = gpr_subscript_##T (x[i], size); \
      wrong |= k == 0; \
      at[i] += (k - 1) * stride; \
    } \
  return ! wrong; \
}
#define REALS(F) F (f64) F (f32) F (i8) F (u8) F (i16) F (u16) F (i32) F (u32) F (i64) F (u64)
REALS (ADD_COLUMN)

static const void *
subscripts (const gpr_scatter_column *c, int64_t from)
{
  return (const char *) c->at + from * gpr_elem_bytes[c->elem];
}

static bool
make_keys (const window *w, int64_t from, int count, uint32_t *keys)
{
  const gpr_scattering *p = w->p;
  const gpr_scatter_column *c = p->column;
  int64_t at[BATCH], stride = 1;
  bool good = true;

  if (p->columns == 1 && c->size <= INT32_MAX)
    return gpr_cpu_vectors ()->keys (c->elem, subscripts (c, from), count, c->size, keys);
  memset (at, 0, count * sizeof *at);
  for (; c < p->column + p->columns; stride *= c++->size)
    switch (c->elem)
      {
#define ADD(T) case GPR_##T: good &= add_##T (subscripts (c, from), count, c->size, stride, at); break;
      REALS (ADD)
#undef ADD
      default: return false;
      }
  for (int i = 0; i < count; i++)
    keys[i] = (uint64_t) (at[i] - w->first) < (uint64_t) w->count ? (uint32_t) (at[i] - w->first) : (uint32_t) w->count;
  return good;
}

/* Deals count positions (from, or 0, 1, … where that is NULL) to so many shares, by halves,
   into list, which may be from; their ends count from begin.  */
static void
deal (const uint32_t *keys, const uint16_t *from, uint16_t *list, int begin, int count, int shares, uint16_t *ends)
{
  uint16_t high[BATCH];

  if (shares == 1)
    {
      *ends = (uint16_t) (begin + count);
      return;
    }
  const int low = gpr_cpu_vectors ()->split (keys, from, count, BLOCK * shares / 2, list, high);
  memcpy (list + low, high, (count - low) * sizeof *list);
  deal (keys, list, list, begin, low, shares / 2, ends);
  deal (keys, list + low, list + low, begin + low, count - low, shares / 2, ends + shares / 2);
}

/* The lists of one batch.  */
static void
make_lists (const window *w, const uint32_t *keys, int count, uint16_t *positions, uint16_t *ends)
{
  const uint16_t *from = NULL;

  if (w->count < gpr_scatter_outputs (w->p))
    {
      int here = 0;
      for (int j = 0; j < count; j++)
        {
          positions[here] = (uint16_t) j;
          here += keys[j] < (uint32_t) w->count;
        }
      count = here;
      from = positions;
    }
  deal (keys, from, positions, 0, count, w->shares, ends);
}

/* Whether none of so many values is beyond 0.  */
static bool
all_on_one_side (const gpr_scattering *p, int64_t from, int64_t count)
{
  int beyond = 0;
#define LOOK(T) \
  { \
    const T *v = (const T *) p->values + (p->repeated ? 0 : from); \
    if (p->repeated) \
      count = 1; \
    if (p->op == GPR_SCATTER_MAX) \
      for (int64_t i = 0; i < count; i++) \
        beyond |= ! (v[i] >= 0); \
    else \
      for (int64_t i = 0; i < count; i++) \
        beyond |= ! (v[i] <= 0); \
  }
  if (p->to == GPR_f64 && p->in == GPR_f64)
    LOOK (f64)
  else if (p->to == GPR_f32)
    LOOK (f32)
#undef LOOK
  return ! beyond;
}

/* ---- adding ------------------------------------------------------------------------- */

static bool
one_output (const uint32_t *keys, const uint16_t *list, int count)
{
  for (int j = 1; j < count; j++)
    if (keys[list ? list[j] : j] != keys[list ? list[0] : 0])
      return false;
  return count > 1;
}

/* Of the batch that begins with element from, those in the list; NULL: all of count.
   One sum after the other through memory is slow where all go to one output.  */
#define EACH(A, STEP) \
  { \
    if (one_output (keys, list, count)) \
      { \
        A *at = out + keys[list ? list[0] : 0], a = *at; \
        for (int j = 0; j < count; j++) \
          { \
            A y = (A) v[(list ? list[j] : j) * stride]; \
            a = STEP; \
          } \
        *at = a; \
      } \
    else if (list) \
      for (int j = 0; j < count; j++) \
        { \
          A *at = out + keys[list[j]], a = *at, y = (A) v[list[j] * stride]; \
          *at = STEP; \
        } \
    else \
      for (int j = 0; j < count; j++, v += stride) \
        { \
          A *at = out + keys[j], a = *at, y = (A) *v; \
          *at = STEP; \
        } \
  }
#define SCATTER(X, A, OTHERS) \
static void __attribute__ ((noinline)) \
scatter_##X##_##A (const window *w, int64_t from, const uint32_t *keys, const uint16_t *list, int count) \
{ \
  const int64_t stride = ! w->p->repeated; \
  const X *v = (const X *) w->p->values + from * stride; \
  A *out = (A *) w->out; \
  switch (w->p->op) \
    { \
    OTHERS (A) \
    default: break; \
    } \
}
#define ADDED(A) \
    case GPR_SCATTER_SUM: EACH (A, gpr_plus_##A (a, y)) break;
#define COMPARED(A) \
    case GPR_SCATTER_MAX: EACH (A, GPR_LARGER (a, y)) break; \
    case GPR_SCATTER_MIN: EACH (A, GPR_SMALLER (a, y)) break;
#define REDUCED(A) \
    ADDED (A) \
    case GPR_SCATTER_PROD: EACH (A, gpr_by_##A (a, y)) break; \
    COMPARED (A)
#define WIDENED(X, A) SCATTER (X, A, REDUCED)
SCATTER (f64, f64, REDUCED) SCATTER (f32, f32, REDUCED) GPR_SCATTER_WIDENED (WIDENED)
SCATTER (i8, i8, COMPARED) SCATTER (u8, u8, COMPARED) SCATTER (i16, i16, COMPARED) SCATTER (u16, u16, COMPARED)
SCATTER (i32, i32, COMPARED) SCATTER (u32, u32, COMPARED) SCATTER (i64, i64, COMPARED) SCATTER (u64, u64, COMPARED)
SCATTER (c128, c128, ADDED) SCATTER (c64, c64, ADDED)

/* ---- outputs ------------------------------------------------------------------------- */

/* Outputs first … of the window become c; where hit is, only those without elements.  */
static void
fill (const window *w, union gpr_scatter_cell c, const uint8_t *hit, int64_t first, int64_t end)
{
  switch (w->p->to)
    {
#define FILL(T) \
    case GPR_##T: \
      for (int64_t i = first; i < end; i++) \
        if (! hit || ! hit[i]) \
          ((T *) w->out)[i] = c.T; \
      break;
    GPR_ELEMS (FILL)
#undef FILL
    default: break;
    }
}

/* Results that began with NaN become what they would be, had they begun with 0.  */
static void
begin_with_zero (const window *w, int64_t first, int64_t end)
{
#define ZERO(T) \
  for (int64_t i = first; i < end; i++) \
    { \
      T *at = (T *) w->out + i; \
      *at = *at != *at || *at == 0 ? 0 : *at; \
    }
  if (w->p->to == GPR_f64)
    ZERO (double)
  else
    ZERO (float)
#undef ZERO
}

/* ---- tasks ----------------------------------------------------------------------------- */

/* Makes the keys and lists of a chunk.  */
static void
make (window *w, const chunk *c, int64_t from, int64_t count)
{
  for (int64_t i = 0; i < count && ! w->bad; i += BATCH)
    {
      const int length = count - i < BATCH ? (int) (count - i) : BATCH;
      if (! make_keys (w, from + i, length, c->keys + i))
        w->bad = 1;
      if (w->p->from_zero && ! w->beyond && ! all_on_one_side (w->p, from + i, length))
        w->beyond = 1;
      if (w->listed)
        make_lists (w, c->keys + i, length, c->positions + i, c->ends + i / BATCH * w->shares);
    }
}

/* Adds a chunk to the outputs of share t.  */
static void
add (const window *w, const chunk *c, int64_t from, int64_t count, int t)
{
  const int64_t bytes = gpr_elem_bytes[w->p->to];
  const bool far = w->count * bytes > FAR;

  for (int64_t i = 0; i < count && ! w->bad; i += BATCH)
    {
      const uint32_t *keys = c->keys + i;
      const uint16_t *list = NULL;
      int length = count - i < BATCH ? (int) (count - i) : BATCH;
      if (w->listed)
        {
          const uint16_t *ends = c->ends + i / BATCH * w->shares;
          const int begin = t > 0 ? ends[t - 1] : 0;
          list = c->positions + i + begin;
          length = ends[t] - begin;
        }
      if (far)
        for (int j = 0; j < length; j++)
          __builtin_prefetch (w->out + keys[list ? list[j] : j] * bytes, 1);
      switch (w->p->in * GPR_ELEM_COUNT + w->p->to)
        {
#define CASE(X, A) case GPR_##X * GPR_ELEM_COUNT + GPR_##A: scatter_##X##_##A (w, from + i, keys, list, length); break;
        GPR_SCATTER_SAME (CASE)
        GPR_SCATTER_WIDENED (CASE)
        GPR_SCATTER_COMPLEX (CASE)
#undef CASE
        default: break;
        }
      if (w->hit)
        for (int j = 0; j < length; j++)
          w->hit[keys[list ? list[j] : j]] = 1;
    }
}

static void
run (window *w, chunk *chunks, int in_flight, int threads)
{
  gpr_scattering *p = w->p;
  char share[SHARES];           /* what tasks of one share depend on */
  const int fillers = w->count * gpr_elem_bytes[p->to] > NEAR ? threads : 1;

  (void) share;                 /* without OpenMP */
  #pragma omp parallel for num_threads (fillers) if (fillers > 1)
  for (int t = 0; t < fillers; t++)
    {
      const int64_t low = w->count * t / fillers, high = w->count * (t + 1) / fillers;
      fill (w, p->start, NULL, low, high);
      if (w->hit)
        memset (w->hit + low, 0, high - low);
    }
  #pragma omp parallel num_threads (threads) if (threads > 1)
  #pragma omp single
  for (int64_t from = 0; from < p->n && ! w->bad && ! gpr_interrupted (); from += CHUNK)
    {
      const int64_t count = p->n - from < CHUNK ? p->n - from : CHUNK;
      chunk *c = chunks + from / CHUNK % in_flight;
      #pragma omp task depend (out: *c)
      make (w, c, from, count);
      for (int t = 0; t < w->shares; t++)
        #pragma omp task depend (in: *c) depend (inout: share[t])
        add (w, c, from, count, t);
    }
  #pragma omp parallel for num_threads (fillers) if (fillers > 1)
  for (int t = 0; t < fillers; t++)
    {
      const int64_t low = w->count * t / fillers, high = w->count * (t + 1) / fillers;
      if (p->gaps)
        fill (w, p->gap, w->hit, low, high);
      if (p->from_zero && ! w->beyond)
        begin_with_zero (w, low, high);
    }
}

/* Outputs that stay in the cache are added to about as fast as keys are made: then half of the
   threads add.  */
static int
shares_of (const gpr_scattering *p, int64_t outputs, int threads)
{
  int shares = 1, adders = outputs * gpr_elem_bytes[p->to] > NEAR ? threads : threads / 2;
  while (2 * shares <= adders && 2 * shares <= SHARES && 2 * shares * BLOCK <= outputs)
    shares *= 2;
  return shares;
}

static gpr_status
scatter_all (gpr_scattering *p, int threads)
{
  const int64_t outputs = gpr_scatter_outputs (p), most = outputs < WINDOW ? outputs : WINDOW;
  const int in_flight = threads > 1 ? 2 * threads : 1;
  window w = { .p = p, .shares = shares_of (p, outputs, threads) };
  const size_t keys = p->n < CHUNK ? p->n : CHUNK, ends = (keys + BATCH - 1) / BATCH * w.shares;
  const size_t each = keys * (sizeof (uint32_t) + sizeof (uint16_t)) + ends * sizeof (uint16_t);
  const size_t stride = (each + 63) / 64 * 64, bytes = in_flight * (stride + sizeof (chunk)) + (p->gaps ? most : 0);
  char *memory = malloc (bytes);

  if (! memory)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory to scatter into %lld outputs", bytes, (long long) outputs);
  chunk *chunks = (chunk *) (memory + in_flight * stride);
  for (int i = 0; i < in_flight; i++)
    {
      chunks[i].keys = (uint32_t *) (memory + i * stride);
      chunks[i].positions = (uint16_t *) (chunks[i].keys + keys);
      chunks[i].ends = chunks[i].positions + keys;
    }
  w.listed = w.shares > 1 || outputs > WINDOW;
  if (p->gaps)
    w.hit = (uint8_t *) (chunks + in_flight);
  for (; w.first < outputs && ! w.bad && ! gpr_interrupted (); w.first += WINDOW)
    {
      w.count = outputs - w.first < WINDOW ? outputs - w.first : WINDOW;
      w.out = (char *) p->out + w.first * gpr_elem_bytes[p->to];
      run (&w, chunks, in_flight, threads);
    }
  free (memory);
  p->bad = w.bad;
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}

/* ---- the largest subscript ----------------------------------------------------------- */

static gpr_status
find_largest (gpr_scattering *p, int threads)
{
  gpr_scatter_column *c = p->column;
  int64_t largest = 0;
  int wrong = 0;

  (void) threads;               /* without OpenMP */
  #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (dynamic, 32) \
    reduction (max: largest) reduction (|: wrong)
  for (int64_t from = 0; from < p->n; from += BATCH)
    {
      const int count = p->n - from < BATCH ? (int) (p->n - from) : BATCH;
      const int64_t k = gpr_cpu_vectors ()->largest (c->elem, subscripts (c, from), count, c->size);
      wrong |= k == 0;
      largest = k > largest ? k : largest;
    }
  p->bad = wrong;
  c->size = largest;
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}

gpr_status
gpr_cpu_scatter (gpr_scattering *p)
{
  int threads = p->n < ALONE ? 1 : gpr_cpu_threads ();
  if (threads > 1)
    gpr_cpu_note_pool ();
  p->bad = false;
  return p->out ? scatter_all (p, threads) : find_largest (p, threads);
}
