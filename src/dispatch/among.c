#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "among.h"
#include "cuda_module.h"
#include "split.h"

enum { MESSAGE = 1024, COPY_THREADS = 8 };      /* copies gain nothing by more (cuda/ring.c) */

gpr_status
gpr_among_fail (int device, gpr_status status)
{
  char name[32];
  snprintf (name, sizeof name, "GPU %d", device);
  if (status == GPR_INTERRUPTED || strstr (gpr_message (), name))
    return status;
  return gpr_fail (status, "%s: %s", name, gpr_message ());
}

/* ---- the threads ------------------------------------------------------------------------ */

typedef struct worker {
  gpr_taker *taker;
  gpr_share *share;
  gpr_status (*share_on) (gpr_taker *t, gpr_share *s);
  _Atomic (struct worker *) *failed;    /* the first that did */
  gpr_status status;
  char message[MESSAGE];                /* of its thread */
  pthread_t thread;
  bool runs;
} worker;

/* The others stop at their next unit or chunk.  */
static void
note_failure (worker *w, gpr_status status)
{
  worker *none = NULL;
  w->status = status;
  snprintf (w->message, sizeof w->message, "%s", gpr_message ());
  atomic_compare_exchange_strong (w->failed, &none, w);
  w->share->left = 0;
}

static void *
work (void *of)
{
  worker *w = of;
  gpr_status status = w->share_on (w->taker, w->share);
  if (status != GPR_OK)
    note_failure (w, gpr_among_fail (w->taker->device, status));
  return NULL;
}

/* Signals are for Octave's threads.  */
static void
start (worker *w, int count)
{
  sigset_t all, old;

  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  for (int i = 0; i < count; i++)
    {
      w[i].runs = pthread_create (&w[i].thread, NULL, work, &w[i]) == 0;
      if (! w[i].runs)
        note_failure (&w[i], gpr_fail (GPR_OUT_OF_MEMORY, "GPU %d: the system gives no thread for it", w[i].taker->device));
    }
  pthread_sigmask (SIG_SETMASK, &old, NULL);
}

static void
cpu_takes (gpr_share *s, int threads)
{
  gpr_cpu_note_pool ();
  #pragma omp parallel num_threads (threads)
  if (gpr_cpu_share (s) != GPR_OK)
    {
      s->stopped = true;
      s->left = 0;
    }
}

/* ---- the reduction ---------------------------------------------------------------------- */

gpr_status
gpr_among_reduce (gpr_status (*share_on) (gpr_taker *t, gpr_share *s), gpr_taker *takers, int count, bool cpu, gpr_reduction *r)
{
  const int threads = gpr_cpu_threads (), copying = threads / (count + cpu);
  worker workers[GPR_MOST_DEVICES] = { { .runs = false } };
  _Atomic (worker *) failed = NULL;
  gpr_share s;

  gpr_status status = gpr_share_open (&s, r);
  if (status != GPR_OK)
    return status;
  s.takers = count;
  for (int i = 0; i < count; i++)
    {
      takers[i] = (gpr_taker) { .device = takers[i].device,
                                .threads = copying < 1 ? 1 : copying > COPY_THREADS ? COPY_THREADS : copying };
      workers[i] = (worker) { .taker = &takers[i], .share = &s, .share_on = share_on, .failed = &failed };
    }
  start (workers, count);
  if (cpu && threads > count * takers[0].threads)
    cpu_takes (&s, threads - count * takers[0].threads);
  for (int i = 0; i < count; i++)
    if (workers[i].runs)
      pthread_join (workers[i].thread, NULL);
  if (! failed && ! s.stopped && s.left > 0)    /* what none of the GPUs has kernels for */
    cpu_takes (&s, threads);
  if (failed)
    status = gpr_fail (failed->status, "%s", failed->message);
  else if (s.stopped)
    status = gpr_fail (GPR_INTERRUPTED, "interrupted");
  gpr_share_close (&s, status);
  return status;
}

/* ---- the backend ---------------------------------------------------------------------- */

static struct {
  gpr_taker takers[GPR_MOST_DEVICES];
  int count;
  bool cpu;
  double bytes, taken[GPR_MOST_DEVICES];        /* of input, in all reductions since gpr_among; each GPU's */
} among;

static gpr_status
reduce (gpr_reduction *r)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  const gpr_cuda_api *cuda = gpr_cuda ();

  if (! gpr_splits (r))         /* of several reductions of one call this one is not divided */
    return cuda->backend.reduce (r);
  gpr_status status = gpr_among_reduce (cuda->share_on, among.takers, among.count, among.cpu, r);
  const gpr_tree t = gpr_tree_make (f->acc_bytes, r->inner, r->length, r->outer);
  const double units = t.parts * r->outer, bytes = (double) r->inner * r->length * r->outer * f->elem_bytes * (r->y ? 2 : 1);
  among.bytes += bytes;
  for (int i = 0; i < among.count; i++)
    among.taken[i] += among.takers[i].units / units * bytes;
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
  { .name = "cuda", .reduce = reduce, .pair = pair, .times = times },
  { .name = "cuda+cpu", .reduce = reduce, .pair = pair, .times = times }
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
