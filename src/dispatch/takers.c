#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../core/system.h"
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

static void
work (worker *w)
{
  gpr_status status = w->job->take (w->job, w->taker);
  if (status != GPR_OK)
    note_failure (w, gpr_among_fail (w->taker->device, status));
}

/* ---- threads that stay ----------------------------------------------------------------------

   What a new thread needs of CUDA and OpenMP takes longer than a short call: so threads wait for the next call, at first without leaving
   the core, unless OMP_WAIT_POLICY=passive asks them to sleep.  Each is of one device, near which it binds itself (cuda/near.c).  The code that they run is never unloaded (gateway.c).  */

enum { AWAKE_MS = 2, AWAKE_FOR_RESULTS_MS = 10 };       /* between calls; within one, as for one GPU (cuda/device.c): to wake takes 0.1 ms and more */

static struct {
  pid_t process;                /* whose they are: a child has none of them */
  pthread_mutex_t lock;
  pthread_cond_t given, done;
  struct { bool runs; _Atomic (worker *) work; } of[GPR_MOST_DEVICES];  /* of devices; work: NULL once it is done */
} pool;

/* Until there is some work, or (given false) none.  */
static worker *
wait_for_work (int k, bool given)
{
  _Atomic (worker *) *at = &pool.of[k].work;
  worker *w;
  const double start = gpr_now_ms (), awake = gpr_system_threads_sleep () ? 0 : given ? AWAKE_MS : AWAKE_FOR_RESULTS_MS;

  while ((w = *at, (w != NULL) != given) && gpr_now_ms () < start + awake)
    ;
  if ((w != NULL) == given)
    return w;
  pthread_mutex_lock (&pool.lock);
  while ((w = *at, (w != NULL) != given))
    pthread_cond_wait (given ? &pool.given : &pool.done, &pool.lock);
  pthread_mutex_unlock (&pool.lock);
  return w;
}

static void
set_work (int k, worker *w)
{
  pthread_mutex_lock (&pool.lock);
  pool.of[k].work = w;
  pthread_cond_broadcast (w ? &pool.given : &pool.done);
  pthread_mutex_unlock (&pool.lock);
}

static void *
stay (void *of)
{
  const int k = (int) (intptr_t) of;
  for (;;)
    {
      work (wait_for_work (k, true));
      set_work (k, NULL);
    }
  return NULL;
}

/* Signals are for Octave's threads.  */
static bool
has_thread (int k)
{
  sigset_t all, old;
  pthread_t thread;

  if (pool.process != getpid ())
    {
      memset (&pool, 0, sizeof pool);
      pool.process = getpid ();
      pthread_mutex_init (&pool.lock, NULL);
      pthread_cond_init (&pool.given, NULL);
      pthread_cond_init (&pool.done, NULL);
    }
  if (pool.of[k].runs)
    return true;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  pool.of[k].runs = pthread_create (&thread, NULL, stay, (void *) (intptr_t) k) == 0;
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  if (pool.of[k].runs)
    pthread_detach (thread);
  return pool.of[k].runs;
}

/* What threads have copied for a GPU is read by the bus from half of the last cache, if it fits into that with the other GPUs'; where that is small, from memory.  */
static int64_t
buffer_bytes (int count, int threads)
{
  const int64_t least = 16 << 20, wanted = (int64_t) threads * 3 << 20, half = gpr_system_cache_bytes () / 2 / count, room = half < least ? least : half;
  return count == 1 ? 0 : wanted < room ? wanted : room;
}

gpr_status
gpr_takers_run (gpr_job *j, gpr_taker *takers, int count, int threads)
{
  const int some = threads / count < GPR_COPY_THREADS_AMONG ? threads / count : GPR_COPY_THREADS_AMONG, each = some < 1 ? 1 : some;
  worker workers[GPR_MOST_DEVICES];
  _Atomic (worker *) failed = NULL;

  for (int i = 0; i < count; i++)
    {
      takers[i] = (gpr_taker) { .device = takers[i].device, .threads = each, .bytes = buffer_bytes (count, each) };
      workers[i] = (worker) { .taker = &takers[i], .job = j, .failed = &failed };
    }
  for (int i = 0; i < count; i++)
    if (has_thread (takers[i].device - 1))
      set_work (takers[i].device - 1, &workers[i]);
    else
      note_failure (&workers[i], gpr_fail (GPR_OUT_OF_MEMORY, "GPU %d: the system gives no thread for it", takers[i].device));
  if (j->beside)
    j->beside (j);
  for (int i = 0; i < count; i++)
    if (pool.of[takers[i].device - 1].runs)
      wait_for_work (takers[i].device - 1, false);
  worker *first = failed;
  return first ? gpr_fail (first->status, "%s", first->message) : GPR_OK;
}
