/* accumarray on the CPU.

   Threads share the outputs, where there are many: each adds only to its own range,
   so that every output takes its elements in order.  Chunk by chunk, subscripts
   first become 32-bit keys, each thread a part of them; then each thread walks
   all keys and lists, without a branch, those of its range before it adds them.
   Outputs beyond 2^31 are done in windows of that size, from the same elements
   again.  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "scatter.h"

enum {
  BATCH = 1024,             /* elements whose subscripts are put together: in L1 */
  CHUNK = 1 << 21,          /* elements whose keys are kept: more cost more new pages */
  NEAR = 1 << 23,           /* bytes of outputs, times helpers, up to which adding all costs less than finding one's own */
  FAR = 1 << 25,            /* bytes of outputs from where on it pays to fetch them ahead */
  ALONE = 1 << 15           /* elements that one thread does alone */
};
#define WINDOW ((int64_t) 1 << 31)

typedef struct {
  gpr_scattering *p;
  int64_t first, count;     /* the outputs of this window */
  char *out;                /* its first one */
  uint8_t *hit;             /* of each output, or NULL */
  uint32_t *keys;           /* of a chunk: output less first; count: none of the window's */
} window;

/* ---- keys ------------------------------------------------------------------------ */

/* Adds (s - 1) * stride of so many elements to at; false: one is not allowed.  */
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
/* The same for one column of few outputs, in 32 bits.  */
#define ONE_COLUMN(T, WIDE, NONE) \
static bool one_##T (const T *restrict x, int count, int64_t size, uint32_t *restrict keys) \
{ \
  const WIDE most = (WIDE) size; \
  int wrong = 0; \
  for (int i = 0; i < count; i++) \
    { \
      WIDE held = (WIDE) x[i]; \
      held = x[i] >= 1 && held <= most ? held : NONE; \
      int32_t k = (int32_t) held; \
      wrong |= (WIDE) k != held || k == 0; \
      keys[i] = (uint32_t) k - 1; \
    } \
  return ! wrong; \
}
#define REALS(F) F (f64) F (f32) F (i8) F (u8) F (i16) F (u16) F (i32) F (u32) F (i64) F (u64)
REALS (ADD_COLUMN)
ONE_COLUMN (f64, double, 0.5) ONE_COLUMN (f32, double, 0.5) ONE_COLUMN (i8, int32_t, 0) ONE_COLUMN (u8, int32_t, 0)
ONE_COLUMN (i16, int32_t, 0) ONE_COLUMN (u16, int32_t, 0) ONE_COLUMN (i32, int32_t, 0) ONE_COLUMN (u32, int64_t, 0)
ONE_COLUMN (i64, int64_t, 0) ONE_COLUMN (u64, uint64_t, 0)

static bool
make_keys (const window *w, int64_t from, int count, uint32_t *keys)
{
  const gpr_scattering *p = w->p;
  const gpr_scatter_column *c = p->column;
  int64_t at[BATCH], stride = 1;
  bool good = true;

  if (p->columns == 1 && c->size <= INT32_MAX)
    switch (c->elem)
      {
#define ONE(T) case GPR_##T: return one_##T ((const T *) c->at + from, count, c->size, keys);
      REALS (ONE)
#undef ONE
      default: return false;
      }
  memset (at, 0, count * sizeof *at);
  for (; c < p->column + p->columns; stride *= c++->size)
    switch (c->elem)
      {
#define ADD(T) case GPR_##T: good &= add_##T ((const T *) c->at + from, count, c->size, stride, at); break;
      REALS (ADD)
#undef ADD
      default: return false;
      }
  for (int i = 0; i < count; i++)
    keys[i] = (uint64_t) (at[i] - w->first) < (uint64_t) w->count ? (uint32_t) (at[i] - w->first) : (uint32_t) w->count;
  return good;
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

/* Of the batch that begins with element from, those in the list; NULL: all of count.  */
#define EACH(A, STEP) \
  { \
    if (list) \
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
#define FOLDED(A) \
    ADDED (A) \
    case GPR_SCATTER_PROD: EACH (A, gpr_by_##A (a, y)) break; \
    COMPARED (A)
#define WIDENED(X, A) SCATTER (X, A, FOLDED)
SCATTER (f64, f64, FOLDED) SCATTER (f32, f32, FOLDED) GPR_SCATTER_WIDENED (WIDENED)
SCATTER (i8, i8, COMPARED) SCATTER (u8, u8, COMPARED) SCATTER (i16, i16, COMPARED) SCATTER (u16, u16, COMPARED)
SCATTER (i32, i32, COMPARED) SCATTER (u32, u32, COMPARED) SCATTER (i64, i64, COMPARED) SCATTER (u64, u64, COMPARED)
SCATTER (c128, c128, ADDED) SCATTER (c64, c64, ADDED)

/* count elements from … on, whose keys these are, into outputs low … low + width
   of the window.  */
static void
scatter (const window *w, int64_t from, int64_t count, const uint32_t *keys, int64_t low, int64_t width)
{
  const bool all = width == gpr_scatter_outputs (w->p);
  const int64_t bytes = gpr_elem_bytes[w->p->to];
  const bool far = width * bytes > FAR;
  uint16_t list[BATCH];

  for (int64_t i = 0; i < count; i += BATCH, from += BATCH, keys += BATCH)
    {
      const int length = count - i < BATCH ? (int) (count - i) : BATCH;
      int listed = all ? length : 0;
      if (! all)
        for (int j = 0; j < length; j++)
          {
            list[listed] = (uint16_t) j;
            listed += keys[j] - (uint32_t) low < (uint32_t) width;
          }
      if (far)
        for (int j = 0; j < listed; j++)
          __builtin_prefetch (w->out + keys[all ? j : list[j]] * bytes, 1);
      switch (w->p->in * GPR_ELEM_COUNT + w->p->to)
        {
#define CASE(X, A) case GPR_##X * GPR_ELEM_COUNT + GPR_##A: scatter_##X##_##A (w, from, keys, all ? NULL : list, listed); break;
        GPR_SCATTER_SAME (CASE)
        GPR_SCATTER_WIDENED (CASE)
        GPR_SCATTER_COMPLEX (CASE)
#undef CASE
        default: break;
        }
      if (w->hit)
        for (int j = 0; j < listed; j++)
          w->hit[keys[all ? j : list[j]]] = 1;
    }
}

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

/* From NaN to what beginning with 0 would have given.  */
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

static gpr_status
run (window *w, int threads)
{
  gpr_scattering *p = w->p;
  const int adders = w->count * gpr_elem_bytes[p->to] * (threads - 1) > NEAR ? threads : 1;
  int bad = 0, beyond = 0;

  #pragma omp parallel for num_threads (adders) if (adders > 1)
  for (int t = 0; t < adders; t++)
    {
      const int64_t low = w->count * t / adders, high = w->count * (t + 1) / adders;
      fill (w, p->start, NULL, low, high);
      if (w->hit)
        memset (w->hit + low, 0, high - low);
    }
  for (int64_t from = 0; from < p->n && ! bad; from += CHUNK)
    {
      const int64_t count = p->n - from < CHUNK ? p->n - from : CHUNK;

      #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (dynamic, 32) reduction (|: bad, beyond)
      for (int64_t i = 0; i < count; i += BATCH)
        {
          const int length = count - i < BATCH ? (int) (count - i) : BATCH;
          bad |= ! make_keys (w, from + i, length, w->keys + i);
          beyond |= p->from_zero && ! all_on_one_side (p, from + i, length);
        }
      if (gpr_interrupted ())
        return gpr_fail (GPR_INTERRUPTED, "interrupted");
      #pragma omp parallel for num_threads (adders) if (adders > 1 && ! bad)
      for (int t = 0; t < adders; t++)
        {
          const int64_t low = w->count * t / adders, high = w->count * (t + 1) / adders;
          if (! bad)
            scatter (w, from, count, w->keys, low, high - low);
        }
    }
  #pragma omp parallel for num_threads (adders) if (adders > 1)
  for (int t = 0; t < adders; t++)
    {
      const int64_t low = w->count * t / adders, high = w->count * (t + 1) / adders;
      if (p->gaps)
        fill (w, p->gap, w->hit, low, high);
      if (p->from_zero && ! beyond)
        begin_with_zero (w, low, high);
    }
  p->bad = bad;
  return GPR_OK;
}

static gpr_status
scatter_all (gpr_scattering *p, int threads)
{
  const int64_t outputs = gpr_scatter_outputs (p), most = outputs < WINDOW ? outputs : WINDOW;
  const size_t keys = (size_t) (p->n < CHUNK ? p->n : CHUNK), bytes = keys * sizeof (uint32_t) + (p->gaps ? most : 0);
  uint32_t *memory = malloc (bytes);
  gpr_status status = GPR_OK;

  if (! memory)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory to scatter into %lld outputs", bytes, (long long) outputs);
  window w = { .p = p, .keys = memory, .hit = p->gaps ? (uint8_t *) (memory + keys) : NULL };
  for (; w.first < outputs && status == GPR_OK && ! p->bad; w.first += WINDOW)
    {
      w.count = outputs - w.first < WINDOW ? outputs - w.first : WINDOW;
      w.out = (char *) p->out + w.first * gpr_elem_bytes[p->to];
      status = run (&w, threads);
    }
  free (memory);
  return status;
}

/* ---- the largest subscript ----------------------------------------------------------- */

static gpr_status
find_largest (gpr_scattering *p, int threads)
{
  gpr_scatter_column *c = p->column;
  int64_t largest = 0, wrong = 0;

  (void) threads;               /* without OpenMP */
  #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (dynamic, 32) \
    reduction (max: largest) reduction (+: wrong)
  for (int64_t from = 0; from < p->n; from += BATCH)
    {
      int64_t count = p->n - from < BATCH ? p->n - from : BATCH;
      switch (c->elem)
        {
#define LARGEST(T) \
        case GPR_##T: \
          { \
            const T *x = (const T *) c->at + from; \
            T top = x[0]; \
            for (int64_t i = 0; i < count; i++) \
              { \
                top = x[i] > top ? x[i] : top; \
                wrong += ! (x[i] >= 1); \
              } \
            int64_t k = gpr_subscript_##T (top, c->size); \
            wrong += k == 0; \
            largest = k > largest ? k : largest; \
          } \
          break;
        REALS (LARGEST)
#undef LARGEST
        default: break;
        }
    }
  p->bad = wrong > 0;
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
