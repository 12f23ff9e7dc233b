#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "../cpu/part.h"
#include "among.h"
#include "cuda_module.h"
#include "split.h"

/* ---- the reduction ---------------------------------------------------------------------- */

typedef struct {
  gpr_share s;
  gpr_status (*share_on) (gpr_taker *t, gpr_share *s);
  int cpu_threads;
} sharing;

static gpr_status
take_share (gpr_job *j, gpr_taker *t)
{
  sharing *p = j->of;
  return p->share_on (t, &p->s);
}

static void
stop_share (gpr_job *j)
{
  ((sharing *) j->of)->s.left = 0;
}

static void
cpu_takes (gpr_job *j)
{
  sharing *p = j->of;
  gpr_cpu_note_pool ();
  #pragma omp parallel num_threads (p->cpu_threads)
  if (gpr_cpu_share (&p->s) != GPR_OK)
    {
      p->s.stopped = true;
      p->s.left = 0;
    }
}

/* Of so many threads those that copy for so many GPUs; others compute (cpu), or are left alone.  */
static int
copying_threads (int threads, int count, bool cpu)
{
  const int most = cpu ? GPR_COPY_THREADS_BESIDE : GPR_COPY_THREADS_AMONG, each = threads / (count + cpu);
  return (each < most ? each : most) * count;
}

gpr_status
gpr_among_reduce (gpr_status (*share_on) (gpr_taker *t, gpr_share *s), gpr_taker *takers, int count, bool cpu, gpr_reduction *r)
{
  const int threads = gpr_cpu_threads (), copying = copying_threads (threads, count, cpu);
  sharing p = { .share_on = share_on, .cpu_threads = threads - copying };
  gpr_job j = { .take = take_share, .stop = stop_share, .beside = cpu && copying > 0 ? cpu_takes : NULL, .of = &p };

  gpr_status status = gpr_share_open (&p.s, r);
  if (status != GPR_OK)
    return status;
  p.s.takers = count;
  status = gpr_takers_run (&j, takers, count, copying);
  if (status == GPR_OK && ! p.s.stopped && p.s.left > 0)        /* what none of the GPUs has kernels for */
    {
      p.cpu_threads = threads;
      cpu_takes (&j);
    }
  if (status == GPR_OK && p.s.stopped)
    status = gpr_fail (GPR_INTERRUPTED, "interrupted");
  gpr_share_close (&p.s, status);
  return status;
}

/* ---- counting --------------------------------------------------------------------------- */

typedef struct {
  const gpr_counting *c;
  gpr_status (*count_on) (gpr_taker *t, gpr_counting *c);
  int64_t units, least, most;   /* elements of the one run, or runs; as many as are taken at once, by a GPU */
  int64_t few;                  /* by a thread of the CPU */
  int sharers;                  /* GPUs, and the CPU */
  _Atomic int64_t next;
  double *counts;               /* [GPU or thread][2][bin] of one run: what was counted last, and all; NULL: of several runs each has its own */
  const gpr_taker *takers;
  int count, cpu_threads;       /* GPUs */
  gpr_status cpu_status;        /* the first thread's that failed, and why */
  char cpu_message[256];
} tallying;

bool
gpr_among_counts (const gpr_counting *c)
{
  return c->inner == 1 && ! c->bin_of && ! c->terms && ! c->x_resident && ! c->out_resident && c->bins >= 1
         && (c->outer == 1 ? c->bins < c->length / 256 : c->length > 0);
}

/* A quarter of each one's part of what is left, as of reductions, but at least and at most so many.  */
static int64_t
take_units (tallying *p, int64_t least, int64_t most, int64_t *first)
{
  int64_t n;

  *first = p->next;
  do
    {
      const int64_t left = p->units - *first, some = left / (4 * p->sharers);
      n = some > most ? most : some < least ? least : some;
      n = n < left ? n : left;
      if (n <= 0)
        return 0;
    }
  while (! atomic_compare_exchange_weak (&p->next, first, *first + n));
  return n;
}

/* Some units after others, by a GPU or (t NULL) a thread of the CPU.  */
static gpr_status
count_units (tallying *p, int worker, gpr_taker *t)
{
  const gpr_counting *c = p->c;
  const int64_t unit = c->outer == 1 ? 1 : c->length;           /* elements */
  double *own = p->counts ? p->counts + 2 * c->bins * worker : NULL, *sum = own ? own + c->bins : NULL;
  double transfer_ms = 0, kernel_ms = 0;

  for (int64_t first, n; (n = take_units (p, t ? p->least : p->few, t ? p->most : p->few, &first)) > 0; )
    {
      gpr_counting some = *c;
      some.x = (const char *) c->x + first * unit * gpr_elem_bytes[c->elem];
      *(own ? &some.length : &some.outer) = n;
      some.counts = own ? own : c->counts + first * c->bins;
      gpr_status status = t ? p->count_on (t, &some) : gpr_cpu_backend.count (&some);
      if (status != GPR_OK)
        return status;
      for (int64_t k = 0; own && k < c->bins; k++)
        sum[k] += own[k];
      if (! t)
        continue;
      t->units += n * unit;
      transfer_ms += t->transfer_ms;
      kernel_ms += t->kernel_ms;
    }
  if (t)
    {
      t->transfer_ms = transfer_ms;
      t->kernel_ms = kernel_ms;
    }
  return GPR_OK;
}

static gpr_status
take_counts (gpr_job *j, gpr_taker *t)
{
  tallying *p = j->of;
  return count_units (p, (int) (t - p->takers), t);
}

static void
stop_counts (gpr_job *j)
{
  tallying *p = j->of;
  p->next = p->units;
}

/* Its threads take units one by one: where all of them count one together, the slowest is waited for each time.  */
static void
cpu_counts (gpr_job *j)
{
  tallying *p = j->of;
  gpr_cpu_note_pool ();
  #pragma omp parallel num_threads (p->cpu_threads)
  {
    const int before = gpr_cpu_most_threads;
    gpr_cpu_most_threads = 1;
    const gpr_status status = count_units (p, p->count + gpr_cpu_thread_number (), NULL);
    gpr_cpu_most_threads = before;
    if (status != GPR_OK)
      {
        #pragma omp critical (gpr_cpu_counts)
        if (p->cpu_status == GPR_OK)
          {
            p->cpu_status = status;
            snprintf (p->cpu_message, sizeof p->cpu_message, "%s", gpr_message ());
          }
        stop_counts (j);
      }
  }
}

/* So many threads of the CPU, each of which has counts and cuts of its own, about a hundred bytes a bin: together less than the elements.  */
static int
threads_that_count (const gpr_counting *c, int threads)
{
  const int64_t most = c->outer == 1 ? c->length / (128 * c->bins) : threads;
  return most < threads ? (int) most : threads;
}

/* Counts are whole numbers below 2^53, which add exactly in any order.  */
static gpr_status
count_among (gpr_status (*count_on) (gpr_taker *t, gpr_counting *c), gpr_taker *takers, int count, bool cpu, gpr_counting *c)
{
  /* Bytes that are taken at once, estimates: a thread of the CPU takes a millisecond or two for few, as a GPU for least.  */
  const int64_t least = (int64_t) 8 << 20, most = (int64_t) 1 << 30, few = (int64_t) 1 << 20;
  const int threads = gpr_cpu_threads (), copying = copying_threads (threads, count, cpu);
  tallying p = { .c = c, .count_on = count_on, .units = c->outer == 1 ? c->length : c->outer, .takers = takers, .count = count,
                 .sharers = count + cpu, .cpu_threads = cpu ? threads_that_count (c, threads - copying) : 0 };
  gpr_job j = { .take = take_counts, .stop = stop_counts, .beside = cpu ? cpu_counts : NULL, .of = &p };
  const int64_t unit_bytes = (c->outer == 1 ? 1 : c->length) * gpr_elem_bytes[c->elem];
  const int64_t bins_too = c->outer == 1 ? 16 * c->bins : 1;      /* what a thread counts is much more than its counts */
  const size_t bytes = (size_t) (2 * c->bins * (count + p.cpu_threads)) * sizeof *p.counts;

  p.least = least > unit_bytes ? least / unit_bytes : 1;
  p.most = most > unit_bytes ? most / unit_bytes : 1;
  p.few = few > unit_bytes ? few / unit_bytes : 1;
  p.few = p.few < bins_too ? bins_too : p.few;
  if (c->outer == 1 && ! (p.counts = calloc (1, bytes)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes for counts", bytes);
  gpr_status status = gpr_takers_run (&j, takers, count, copying);
  if (status == GPR_OK && p.cpu_status != GPR_OK)
    status = gpr_fail (p.cpu_status, "%s", p.cpu_message);
  for (int64_t k = 0; status == GPR_OK && p.counts && k < c->bins; k++)
    {
      c->counts[k] = 0;
      for (int i = 0; i < count + p.cpu_threads; i++)
        c->counts[k] += p.counts[(2 * i + 1) * c->bins + k];
    }
  free (p.counts);
  return status;
}

/* Long runs are divided one after the other: whole ones would leave somebody the last.  */
gpr_status
gpr_among_count (gpr_status (*count_on) (gpr_taker *t, gpr_counting *c), gpr_taker *takers, int count, bool cpu, gpr_counting *c)
{
  gpr_counting run = *c;
  gpr_taker all[GPR_MOST_DEVICES];
  gpr_status status = GPR_OK;

  run.outer = 1;
  if (c->outer == 1 || ! gpr_among_counts (&run) || c->length * gpr_elem_bytes[c->elem] < GPR_AMONG_LEAST)
    return count_among (count_on, takers, count, cpu, c);
  for (int i = 0; i < count; i++)
    all[i] = (gpr_taker) { .device = takers[i].device };
  for (int64_t o = 0; o < c->outer && status == GPR_OK; o++)
    {
      run.x = (const char *) c->x + o * c->length * gpr_elem_bytes[c->elem];
      run.counts = c->counts + o * c->bins;
      status = count_among (count_on, takers, count, cpu, &run);
      for (int i = 0; i < count; i++)
        {
          all[i].units += takers[i].units;
          all[i].transfer_ms += takers[i].transfer_ms;
          all[i].kernel_ms += takers[i].kernel_ms;
        }
    }
  memcpy (takers, all, count * sizeof *takers);
  return status;
}

/* ---- the backend ---------------------------------------------------------------------- */

static struct {
  gpr_taker takers[GPR_MOST_DEVICES];
  int count;
  bool cpu;
  double bytes, taken[GPR_MOST_DEVICES];        /* of input, in all reductions since gpr_among; each GPU's */
} among;

/* What each took of so many units.  */
static void
note (int64_t units, double bytes)
{
  among.bytes += bytes;
  for (int i = 0; i < among.count; i++)
    among.taken[i] += among.takers[i].units * (bytes / units);
}

static gpr_status
reduce (gpr_reduction *r)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  const gpr_cuda_api *cuda = gpr_cuda ();

  if (! gpr_splits (r))         /* of several reductions of one call this one is not divided */
    return cuda->backend.reduce (r);
  gpr_status status = gpr_among_reduce (cuda->share_on, among.takers, among.count, among.cpu, r);
  const gpr_tree t = gpr_tree_make (f->acc_bytes, r->inner, r->length, r->outer);
  note (t.parts * r->outer, (double) r->inner * r->length * r->outer * f->elem_bytes * (r->y ? 2 : 1));
  return status;
}

static gpr_status
count (gpr_counting *c)
{
  const gpr_cuda_api *cuda = gpr_cuda ();

  if (! gpr_among_counts (c))
    return cuda->backend.count (c);
  gpr_status status = gpr_among_count (cuda->count_on, among.takers, among.count, among.cpu, c);
  note (c->length * c->outer, (double) c->length * c->outer * gpr_elem_bytes[c->elem]);
  return status;
}

static gpr_status
pair (gpr_pairing *p)
{
  return gpr_cuda ()->backend.pair (p);
}

/* Of the slowest.  */
static void
times (double *transfer_ms, double *kernel_ms)
{
  *transfer_ms = *kernel_ms = 0;
  for (int i = 0; i < among.count; i++)
    {
      const gpr_taker *t = &among.takers[i];
      *transfer_ms = t->transfer_ms > *transfer_ms ? t->transfer_ms : *transfer_ms;
      *kernel_ms = t->kernel_ms > *kernel_ms ? t->kernel_ms : *kernel_ms;
    }
}

static const gpr_backend backends[2] = {
  { .name = "cuda", .reduce = reduce, .count = count, .pair = pair, .times = times },
  { .name = "cuda+cpu", .reduce = reduce, .count = count, .pair = pair, .times = times }
};

const gpr_backend *
gpr_among (const int *devices, int count, bool cpu)
{
  memset (&among, 0, sizeof among);
  among.count = count;
  among.cpu = cpu;
  for (int i = 0; i < count; i++)
    among.takers[i].device = devices[i];
  return &backends[cpu];
}

int
gpr_among_report (const gpr_backend *b, double devices[GPR_MOST_DEVICES + 1], double bytes[GPR_MOST_DEVICES + 1])
{
  double rest = among.bytes;
  int n = 0;

  if ((b != &backends[0] && b != &backends[1]) || among.bytes == 0)
    return 0;
  for (int i = 0; i < among.count; i++)
    {
      devices[n] = among.takers[i].device;
      bytes[n] = among.taken[i];
      rest -= bytes[n++];
    }
  if (rest > 1e-9 * among.bytes)        /* no rounding error */
    {
      devices[n] = 0;
      bytes[n++] = rest;
    }
  return n;
}
