#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "setting.h"
#include "takers.h"

enum { MESSAGE = 1024 };

gpr_status
gpr_among_fail (int device, gpr_status status)
{
  char name[32];
  snprintf (name, sizeof name, "GPU %d", device);
  if (status == GPR_INTERRUPTED || strstr (gpr_message (), name))
    return status;
  return gpr_fail (status, "%s: %s", name, gpr_message ());
}

typedef struct worker {
  gpr_taker *taker;
  gpr_job *job;
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
  w->job->stop (w->job);
}

static void *
work (void *of)
{
  worker *w = of;
  gpr_status status = w->job->take (w->job, w->taker);
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

gpr_status
gpr_takers_run (gpr_job *j, gpr_taker *takers, int count, int threads)
{
  const int each = threads / count;
  worker workers[GPR_MOST_DEVICES] = { { .runs = false } };
  _Atomic (worker *) failed = NULL;

  for (int i = 0; i < count; i++)
    {
      takers[i] = (gpr_taker) { .device = takers[i].device, .threads = each < 1 ? 1 : each > GPR_COPY_THREADS ? GPR_COPY_THREADS : each };
      workers[i] = (worker) { .taker = &takers[i], .job = j, .failed = &failed };
    }
  start (workers, count);
  if (j->beside)
    j->beside (j);
  for (int i = 0; i < count; i++)
    if (workers[i].runs)
      pthread_join (workers[i].thread, NULL);
  worker *first = failed;
  return first ? gpr_fail (first->status, "%s", first->message) : GPR_OK;
}
