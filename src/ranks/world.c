#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../core/system.h"
#include "../mpi/module.h"
#include "world.h"

enum { TAG_LEFT = 100, TAG_ENDED };     /* a rank has left a call; its process ends */
enum { TEXT = 400 };

/* The ranks that a thread works with: the process's by MPI, or, in a thread that gpr_world_enter made a rank, those of threads.h.  */
typedef struct {
  const gpr_mpi_api *mpi;               /* NULL: a world of one */
  gpr_world world;
  bool joined;
  bool of_threads;
  long user;                            /* the process that has joined: MPI is not for its forked children */
  char broken[TEXT + 100];              /* why no call can work any more; "" */
  bool *has_ended;                      /* of each rank: its process ends */
} joining;
static joining of_process;
static _Thread_local joining of_thread;
static _Thread_local bool entered;
_Thread_local gpr_traffic gpr_world_sent;

static joining *
here (void)
{
  return entered ? &of_thread : &of_process;
}

/* ---- joining -------------------------------------------------------------------- */

/* How many processes the launcher has started, as it says in the environment; 1: none says more.  */
static long
launched (const char **launcher)
{
  /* In a batch script, outside of srun, Slurm's counts are of tasks to come: a step has an id.  */
  static const struct { const char *count, *with, *name; } launchers[] = {
    { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun of Open MPI" }, { "PMI_SIZE", "PMI_RANK", "mpiexec" },
    { "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun" }, { "SLURM_NTASKS", "SLURM_STEP_ID", "srun" } };
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
    {
      const char *count = getenv (launchers[i].count), *with = getenv (launchers[i].with);
      const long n = count && with && *with ? strtol (count, NULL, 10) : 0;
      *launcher = launchers[i].name;
      if (n > 1)
        return n;
    }
  return 1;
}

static const gpr_mpi_api *
open_module (char *why, size_t bytes)
{
  char folder[4096], path[4200] = "gpureduce_mpi.so";
  if (gpr_system_folder_of ((const void *) gpr_world_join, folder, sizeof folder))
    snprintf (path, sizeof path, "%s/gpureduce_mpi.so", folder);
  void *module = gpr_system_open (path, why, bytes);
  const gpr_mpi_api *(*entry) (void) = module ? (const gpr_mpi_api *(*) (void)) gpr_system_symbol (module, "gpr_mpi_module") : NULL;
  const gpr_mpi_api *found = entry ? entry () : NULL;
  if (module && (! found || found->abi != GPR_MPI_ABI || strcmp (found->version, GPR_VERSION) != 0))
    {
      snprintf (why, bytes, "%.200s is of another version of gpureduce", path);
      return NULL;
    }
  return found;
}

static gpr_status
join (joining *w)
{
  const char *launcher, *wrong;
  char why[512] = "";
  const long processes = launched (&launcher);
  const gpr_mpi_api *found = open_module (why, sizeof why);

  w->world = (gpr_world) { .size = 1 };
  if (processes == 1 && ! (found && found->running ()))
    return GPR_OK;
  if (! found)
    return gpr_fail (GPR_UNSUPPORTED, "%s has started %ld processes, but what joins them was not built or does not load: install MPI "
                     "with its compiler mpicc, and then gpureduce again (%s)", launcher, processes, why);
  if ((wrong = found->join (&w->world.rank, &w->world.size, &w->world.local_rank)))
    return gpr_fail (GPR_COMM_FAILED, "%s", wrong);
  if (w->world.size == 1 && processes > 1)
    {
      gpr_fail (GPR_COMM_FAILED, "%s has started %ld processes, but %s finds one: gpureduce was built with another MPI than the "
                "launcher's, or the launcher must be told of MPI (srun --mpi=pmix)", launcher, processes, found->library ());
      found->end ();
      return GPR_COMM_FAILED;
    }
  if (w->world.size > 1 && ! (w->has_ended = calloc (w->world.size, sizeof *w->has_ended)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "%d bytes of host memory", w->world.size);
  w->mpi = w->world.size > 1 ? found : NULL;
  return GPR_OK;
}

gpr_status
gpr_world_join (gpr_world *w)
{
  joining *h = here ();
  gpr_status status = h->joined ? GPR_OK : join (h);
  if (! h->joined)
    h->user = gpr_system_pid ();
  h->joined = status == GPR_OK;
  *w = h->world;
  return status;
}

gpr_status
gpr_world_check (gpr_world *w)
{
  const joining *h = here ();
  *w = h->world;
  if (! h->joined)
    return gpr_fail (GPR_BAD_INPUT, "\"comm\" must be what gpu_comm () returned in this session");
  if (h->mpi && h->user != gpr_system_pid ())
    return gpr_fail (GPR_COMM_FAILED, "a forked child process is no rank");
  if (h->broken[0])
    return gpr_fail (GPR_COMM_FAILED, "the ranks have not worked together since a call failed (%s): end the job", h->broken);
  if (h->mpi && h->mpi->ended ())
    return gpr_fail (GPR_COMM_FAILED, "MPI has ended in this process (MPI_Finalize)");
  return GPR_OK;
}

void
gpr_world_enter (const gpr_world *w, const struct gpr_mpi_api *between)
{
  of_thread = (joining) { .mpi = w->size > 1 ? between : NULL, .world = *w, .joined = true, .of_threads = true, .user = gpr_system_pid () };
  entered = true;
}

void
gpr_world_exit (void)
{
  entered = false;
}

/* ---- failures --------------------------------------------------------------------- */

/* Word to all; nobody waits for its arrival, so the text stays.  */
static void
tell (int tag, const char *text, bool neighbours)
{
  static _Thread_local char said[TEXT];
  const gpr_mpi_api *mpi = here ()->mpi;
  const gpr_world world = here ()->world;
  int end, child;
  memset (said, 0, sizeof said);
  snprintf (said, sizeof said, "%s", text);
  for (int k = 0; k < world.size && ! neighbours; k++)
    if (k != world.rank)
      mpi->send (k, tag, said, sizeof said);
  if (neighbours && world.rank > 0)
    mpi->send (gpr_parent (world.rank), tag, said, sizeof said);
  for (int step = 1; neighbours && (child = gpr_child (world.rank, world.size, step, &end)); step *= 2)
    mpi->send (child, tag, said, sizeof said);
}

void
gpr_world_leave (gpr_status status)
{
  char text[TEXT];
  joining *h = here ();
  if (! h->mpi || h->broken[0])
    return;
  snprintf (text, sizeof text, "%s%.*s", status == GPR_OUT_OF_MEMORY ? "out of memory: " : "", TEXT - 20, gpr_message ());
  snprintf (h->broken, sizeof h->broken, "%s", text);
  tell (TAG_LEFT, text, false);
}

/* Receives a message of so many bytes that has arrived; false: not soon.  */
static bool
take (int from, int tag, void *p, size_t bytes)
{
  const gpr_mpi_api *mpi = here ()->mpi;
  void *transfer = mpi->receive (from, tag, p, bytes);
  const double start = gpr_now_ms ();
  int done = 0;
  while (transfer && (done = mpi->done (transfer)) == 0 && gpr_now_ms () < start + 1000)
    sched_yield ();
  return done == 1;
}

/* Whether another rank has failed: then everyone does.  Of one that has ended only who waits for it need know.  */
static gpr_status
listen (const gpr_post *p)
{
  static _Thread_local char text[TEXT];
  joining *h = here ();
  int from;
  if (h->mpi->arrived (TAG_LEFT, &from))
    {
      take (from, TAG_LEFT, text, sizeof text);
      text[TEXT - 1] = '\0';
      snprintf (h->broken, sizeof h->broken, "rank %d: %s", from, text);
      return gpr_fail (GPR_COMM_FAILED, "%s", h->broken);
    }
  /* What it sent before has come before; so what is still to come never will.  */
  for (int i = 0; i < p->count && h->has_ended; i++)
    if (h->has_ended[p->with[i]])
      return gpr_fail (GPR_COMM_FAILED, "rank %d has ended without making this call", p->with[i]);
  while (h->has_ended && h->mpi->arrived (TAG_ENDED, &from) && take (from, TAG_ENDED, text, sizeof text))
    h->has_ended[from] = true;
  return GPR_OK;
}

/* ---- messages ---------------------------------------------------------------------- */

static const size_t most_bytes = (size_t) 1 << 30;

static gpr_status
note (gpr_post *p, void *transfer, int with)
{
  if (! transfer)
    return gpr_fail (GPR_COMM_FAILED, "MPI takes no message for or from rank %d: %s", with, here ()->mpi->wrong ());
  p->transfer[p->count] = transfer;
  p->with[p->count++] = with;
  return GPR_OK;
}

static gpr_status
post (gpr_post *p, int with, int tag, char *data, size_t bytes, bool sends)
{
  const gpr_mpi_api *mpi = here ()->mpi;
  gpr_status status = GPR_OK;
  for (size_t at = 0; at < bytes && status == GPR_OK; at += most_bytes)
    {
      const size_t some = bytes - at < most_bytes ? bytes - at : most_bytes;
      if (p->count == p->room)
        {
          const int room = 2 * p->room + 16;
          void **transfer = realloc (p->transfer, room * sizeof *transfer);
          p->transfer = transfer ? transfer : p->transfer;
          int *peers = transfer ? realloc (p->with, room * sizeof *peers) : NULL;
          p->with = peers ? peers : p->with;
          if (! peers)
            return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", room * sizeof *peers);
          p->room = room;
        }
      status = note (p, sends ? mpi->send (with, tag, data + at, some) : mpi->receive (with, tag, data + at, some), with);
      gpr_world_sent.messages += sends;
      gpr_world_sent.bytes += sends ? (int64_t) some : 0;
    }
  return status;
}

gpr_status
gpr_post_send (gpr_post *p, int to, int tag, const void *data, size_t bytes)
{
  return post (p, to, tag, (char *) (uintptr_t) data, bytes, true);
}

gpr_status
gpr_post_receive (gpr_post *p, int from, int tag, void *data, size_t bytes)
{
  return post (p, from, tag, data, bytes, false);
}

/* Lets others run: at once at first, then for longer.  */
static void
rest (int round)
{
  const int spins = 2000;
  if (round < spins)
    sched_yield ();
  else
    {
      struct timespec t = { 0, round < 2 * spins ? 20000 : 500000 };
      nanosleep (&t, NULL);
    }
}

/* Takes those that are done off the list.  */
static gpr_status
look (gpr_post *p, bool *moved)
{
  const gpr_mpi_api *mpi = here ()->mpi;
  int left = 0;
  gpr_status status = GPR_OK;
  *moved = false;
  for (int i = 0; i < p->count; i++)
    {
      const int done = mpi->done (p->transfer[i]);
      *moved |= done != 0;
      if (done < 0)
        status = gpr_fail (GPR_COMM_FAILED, "the message for or from rank %d failed: %s", p->with[i], mpi->wrong ());
      if (done == 0)
        {
          p->transfer[left] = p->transfer[i];
          p->with[left++] = p->with[i];
        }
    }
  p->count = left;
  return status;
}

static gpr_status
wait_for_all (gpr_post *p)
{
  double since = gpr_now_ms ();
  bool moved;
  gpr_status status = GPR_OK;
  for (int round = 0; status == GPR_OK; round++)
    {
      status = look (p, &moved);
      if (status != GPR_OK || p->count == 0)
        break;
      if (moved)
        {
          since = gpr_now_ms ();
          round = 0;
        }
      if (gpr_interrupted ())
        status = gpr_fail (GPR_INTERRUPTED, "interrupted");
      else if (round % 16 == 15)
        status = listen (p);
      /* A thread that fails says so.  */
      if (status == GPR_OK && ! here ()->of_threads && gpr_now_ms () - since > 1e3 * gpr_config.comm_timeout)
        status = gpr_fail (GPR_COMM_FAILED, "no word from rank %d in %g s: it has ended, or does not make this call, or takes longer "
                           "(gpu_config (\"comm_timeout\"))", p->with[0], gpr_config.comm_timeout);
      rest (round);
    }
  return status;
}

gpr_status
gpr_post_wait (gpr_post *p, gpr_status status, bool *leaks)
{
  *leaks = false;
  if (status == GPR_OK && p->count > 0)
    status = wait_for_all (p);
  if (status != GPR_OK && p->count > 0)
    {
      bool moved;
      gpr_world_leave (status);
      for (int i = 0; i < p->count; i++)
        here ()->mpi->cancel (p->transfer[i]);
      const double start = gpr_now_ms ();
      while (p->count > 0 && gpr_now_ms () < start + 200)
        look (p, &moved);
      *leaks = p->count > 0;
    }
  free (p->transfer);
  free (p->with);
  *p = (gpr_post) { .count = 0 };
  return status;
}

/* ---- the end ------------------------------------------------------------------------ */

/* A rank that others wait for in a call tells its neighbours in the tree that it ends, and waits for theirs: MPI_Finalize does not
   return before all have come to it.  After a failure they may never, and the launcher ends the job.  */
void
gpr_world_end (void)
{
  static char text[TEXT];
  const joining *h = &of_process;
  const gpr_mpi_api *mpi = h->mpi;
  const gpr_world world = h->world;
  int end, child, from, awaited = world.rank > 0 && ! h->has_ended[gpr_parent (world.rank)];

  if (! mpi || h->user != gpr_system_pid () || mpi->ended () || h->broken[0])
    return;
  tell (TAG_ENDED, "", true);
  for (int step = 1; (child = gpr_child (world.rank, world.size, step, &end)); step *= 2)
    awaited += ! h->has_ended[child];
  for (int round = 0; awaited > 0 && ! gpr_interrupted (); round++)
    {
      if (mpi->arrived (TAG_ENDED, &from) && take (from, TAG_ENDED, text, sizeof text))
        awaited--;
      if (mpi->arrived (TAG_LEFT, &from))
        return;                 /* it has failed, so MPI cannot end in order */
      rest (round);
    }
  if (awaited == 0)
    mpi->end ();
}
