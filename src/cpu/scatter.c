/* accumarray on the CPU.

   Few outputs: scatter_few.c.  Many, and what must keep the order of the elements: these are cut into
   batches of tasks, the outputs into shares.  One task makes 32-bit keys of some elements'
   subscripts and deals them into a list for each share.  Then one task for each
   share adds the elements of its list, after the tasks that add earlier elements to
   it: so every output takes its elements in order.  More than 2^31 outputs are done in windows of
   that many, each from all elements again.  */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "scatter.h"

enum {
  BATCH = GPR_SCATTER_BATCH,
  TASK = 1 << 16,           /* elements of a task: their keys stay in the cache */
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
} batches;

typedef struct {
  gpr_scattering *p;
  int64_t first, count;     /* the outputs of this window */
  char *out;                /* its first one */
  int64_t piece;            /* of sums that are cut, else 0; then either */
  uint16_t *tally;          /* elements of 2^shift neighbouring outputs: */
  int shift;
  atomic_bool heavy;        /* some have a whole piece, so one of them may; or else */
  uint16_t *ranks;          /* of each output: elements of its last piece, modulo 65536 */
  char *totals;             /* and the sum of its other pieces */
  int64_t *counts;          /* elements of each output; or NULL */
  int shares;               /* a power of two; output k is of share k / BLOCK mod shares */
  bool listed;              /* batches have positions */
  atomic_int bad, beyond;
} window;

/* ---- lists ------------------------------------------------------------------------ */

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

/* ---- tasks ----------------------------------------------------------------------------- */

/* Makes the keys and lists of a task's elements.  */
static void
make (window *w, const batches *c, int64_t from, int64_t count)
{
  for (int64_t i = 0; i < count && ! w->bad; i += BATCH)
    {
      const int length = count - i < BATCH ? (int) (count - i) : BATCH;
      if (! gpr_scatter_keys (w->p, w->first, w->count, from + i, length, c->keys + i))
        w->bad = 1;
      if (w->p->from_zero && ! w->beyond && ! gpr_scatter_one_side (w->p, from + i, length))
        w->beyond = 1;
      if (w->listed)
        make_lists (w, c->keys + i, length, c->positions + i, c->ends + i / BATCH * w->shares);
    }
}

static bool
has_piece (const window *w, const uint32_t *keys, const uint16_t *list, int length)
{
  const int64_t bytes = gpr_elem_bytes[w->p->to];
  int any = 0;
  for (int j = 0; j < length; j++)
    {
      const uint32_t k = keys[list ? list[j] : j];
      any |= ++w->tally[k >> w->shift] == (uint16_t) w->piece;
      __builtin_prefetch (w->out + k * bytes, 1);
    }
  return any;
}

/* Adds a task's elements to the outputs of share t.  */
static void
add (window *w, const batches *c, int64_t from, int64_t count, int t)
{
  const int64_t bytes = gpr_elem_bytes[w->p->to];
  const bool far = w->count * bytes > FAR;

  for (int64_t i = 0; i < count && ! w->bad && ! w->heavy; i += BATCH)
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
      if (w->tally && has_piece (w, keys, list, length))
        {
          w->heavy = true;
          return;
        }
      if (! w->ranks)
        gpr_scatter_add (w->p, w->out, from + i, keys, list, length);
      else
        gpr_scatter_add_pieces (w->p, w->out, w->ranks, w->piece, w->totals, from + i, keys, list, length);
      if (w->counts)
        for (int j = 0; j < length; j++)
          w->counts[keys[list ? list[j] : j]]++;
    }
}

/* Sums of the window that are not finite, again in the built-in's order.  */
static gpr_status
add_again (window *w)
{
  gpr_scattering *p = w->p;
  int64_t first = 0;

  while (first < w->count && gpr_scatter_is_finite (p->to, w->out, first))
    first++;
  if (first == w->count)
    return GPR_OK;
  uint8_t *again = malloc (w->count + 1);
  if (! again)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%lld bytes of host memory to scatter", (long long) w->count + 1);
  again[w->count] = 0;
  for (int64_t i = 0; i < w->count; i++)
    if ((again[i] = i >= first && ! gpr_scatter_is_finite (p->to, w->out, i)))
      memset (w->out + i * gpr_elem_bytes[p->to], 0, gpr_elem_bytes[p->to]);
  for (int64_t from = 0; from < p->n && ! gpr_interrupted (); from += BATCH)
    {
      const int length = p->n - from < BATCH ? (int) (p->n - from) : BATCH;
      uint32_t keys[BATCH];
      uint16_t list[BATCH];
      int here = 0;
      gpr_scatter_keys (p, w->first, w->count, from, length, keys);
      for (int j = 0; j < length; j++)
        {
          list[here] = (uint16_t) j;
          here += again[keys[j]];
        }
      gpr_scatter_add (p, w->out, from, keys, list, here);
    }
  free (again);
  return GPR_OK;
}

/* After all elements: what makes results of the outputs.  */
static gpr_status
finish (window *w, int fillers)
{
  gpr_scattering *p = w->p;
  const int64_t bytes = gpr_elem_bytes[p->to];

  if (gpr_scatter_is_cut (p))
    {
      const gpr_status status = add_again (w);
      if (status != GPR_OK)
        return status;
    }
  #pragma omp parallel for num_threads (fillers) if (fillers > 1)
  for (int t = 0; t < fillers; t++)
    {
      const int64_t low = w->count * t / fillers, count = w->count * (t + 1) / fillers - low;
      if (p->mean)
        gpr_scatter_divide (p->to, w->out + low * bytes, w->counts + low, count);
      if (p->gaps)
        gpr_scatter_fill (p->to, w->out + low * bytes, p->gap, w->counts + low, count);
      if (p->from_zero && ! w->beyond)
        gpr_scatter_from_zero (p->to, w->out + low * bytes, count);
    }
  return GPR_OK;
}

static void
begin (window *w, int fillers)
{
  const gpr_scattering *p = w->p;
  const int64_t bytes = gpr_elem_bytes[p->to];

  #pragma omp parallel for num_threads (fillers) if (fillers > 1)
  for (int t = 0; t < fillers; t++)
    {
      const int64_t low = w->count * t / fillers, count = w->count * (t + 1) / fillers - low;
      gpr_scatter_fill (p->to, w->out + low * bytes, p->start, NULL, count);
      if (w->counts)
        memset (w->counts + low, 0, count * sizeof *w->counts);
    }
}

static void
add_all (window *w, batches *tasks, int in_flight, int threads)
{
  const gpr_scattering *p = w->p;
  char share[SHARES];           /* what tasks of one share depend on */

  (void) share;                 /* without OpenMP */
  #pragma omp parallel num_threads (threads) if (threads > 1)
  #pragma omp single
  for (int64_t from = 0; from < p->n && ! w->bad && ! w->heavy && ! gpr_interrupted (); from += TASK)
    {
      const int64_t count = p->n - from < TASK ? p->n - from : TASK;
      batches *c = tasks + from / TASK % in_flight;
      #pragma omp task depend (out: *c)
      make (w, c, from, count);
      for (int t = 0; t < w->shares; t++)
        #pragma omp task depend (in: *c) depend (inout: share[t])
        add (w, c, from, count, t);
    }
}

/* Sums that are cut are first added as if no output had more than a piece; as soon as one may
   have, again, with their ranks.  */
static gpr_status
run (window *w, batches *tasks, int in_flight, int threads)
{
  const gpr_scattering *p = w->p;
  const int fillers = w->count * gpr_elem_bytes[p->to] > NEAR ? threads : 1;

  begin (w, fillers);
  if (w->piece > 0 && ! (w->tally = calloc ((w->count >> w->shift) + 1, sizeof *w->tally)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "host memory to scatter into %lld outputs", (long long) w->count);
  add_all (w, tasks, in_flight, threads);
  free (w->tally);
  w->tally = NULL;
  if (w->heavy && ! w->bad)
    {
      w->heavy = false;
      w->ranks = calloc (w->count, sizeof *w->ranks);
      w->totals = calloc (w->count, gpr_elem_bytes[p->to]);
      if (w->ranks && w->totals)
        {
          begin (w, fillers);
          add_all (w, tasks, in_flight, threads);
          gpr_scatter_close (p->to, w->out, w->totals, w->count);
        }
      const bool failed = ! (w->ranks && w->totals);
      free (w->ranks);
      free (w->totals);
      w->ranks = NULL;
      if (failed)
        return gpr_fail (GPR_OUT_OF_MEMORY, "host memory to scatter into %lld outputs", (long long) w->count);
    }
  return w->bad || gpr_interrupted () ? GPR_OK : finish (w, fillers);
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
run_windows (window *w, int64_t outputs, int threads)
{
  gpr_scattering *p = w->p;
  const int in_flight = threads > 1 ? 2 * threads : 1;
  const size_t keys = p->n < TASK ? p->n : TASK, ends = (keys + BATCH - 1) / BATCH * w->shares;
  const size_t each = keys * (sizeof (uint32_t) + sizeof (uint16_t)) + ends * sizeof (uint16_t);
  const size_t stride = (each + 63) / 64 * 64, bytes = in_flight * (stride + sizeof (batches));
  char *memory = malloc (bytes);
  gpr_status status = GPR_OK;

  if (! memory)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory to scatter", bytes);
  batches *tasks = (batches *) (memory + in_flight * stride);
  for (int i = 0; i < in_flight; i++)
    {
      tasks[i].keys = (uint32_t *) (memory + i * stride);
      tasks[i].positions = (uint16_t *) (tasks[i].keys + keys);
      tasks[i].ends = tasks[i].positions + keys;
    }
  for (; w->first < outputs && ! w->bad && ! gpr_interrupted () && status == GPR_OK; w->first += WINDOW)
    {
      w->count = outputs - w->first < WINDOW ? outputs - w->first : WINDOW;
      w->out = (char *) p->out + w->first * gpr_elem_bytes[p->to];
      status = run (w, tasks, in_flight, threads);
    }
  free (memory);
  return status;
}

static gpr_status
scatter_in_order (gpr_scattering *p, int threads)
{
  const int64_t outputs = gpr_scatter_outputs (p);
  window w = { .p = p, .shares = shares_of (p, outputs, threads) };

  if (gpr_scatter_is_cut (p))
    w.piece = gpr_scatter_cut_of (p->n, outputs).piece;
  w.listed = w.shares > 1 || outputs > WINDOW;
  while ((2 << w.shift) <= BLOCK && 4 * (p->n / outputs + 1) * (2 << w.shift) <= w.piece)
    w.shift++;
  if ((p->gaps || p->mean) && ! (w.counts = malloc ((outputs < WINDOW ? outputs : WINDOW) * sizeof *w.counts)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "host memory to scatter into %lld outputs", (long long) outputs);
  gpr_status status = run_windows (&w, outputs, threads);
  free (w.counts);
  p->bad = w.bad;
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : status;
}

/* Sums in the built-in's order, and products, are not merged.  */
static gpr_status
scatter (gpr_scattering *p, int threads)
{
  const int64_t outputs = gpr_scatter_outputs (p);
  window w = { .p = p, .count = outputs, .out = p->out, .beyond = 1 };

  if (gpr_scatter_cut_of (p->n, outputs).chunk == 0 || gpr_scatter_in_order (p))
    return scatter_in_order (p, threads);
  if ((p->gaps || p->mean) && ! (w.counts = malloc (outputs * sizeof *w.counts)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "%lld counts", (long long) outputs);
  gpr_status status = gpr_scatter_few (p, w.counts, threads);
  if (status == GPR_OK && ! p->bad)
    status = finish (&w, 1);
  free (w.counts);
  return status;
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
      const int64_t k = gpr_cpu_vectors ()->largest (c->elem, (const char *) c->at + from * gpr_elem_bytes[c->elem], count, c->size);
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
  return p->out ? scatter (p, threads) : find_largest (p, threads);
}
