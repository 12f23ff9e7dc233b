#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../core/system.h"
#include "join.h"
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

gpr_status
gpr_world_join (gpr_world *w)
{
  joining *h = here ();
  gpr_status status = h->joined ? GPR_OK : gpr_join_job (&h->world.rank, &h->world.size, &h->world.local_rank, &h->mpi);
  if (status == GPR_OK && h->mpi && ! h->has_ended && ! (h->has_ended = calloc (h->world.size, sizeof *h->has_ended)))
    {
      status = gpr_fail (GPR_OUT_OF_MEMORY, "%d bytes of host memory", h->world.size);
      h->mpi = NULL;
    }
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

bool
gpr_world_of_processes (void)
{
  return ! here ()->of_threads;
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

/* Room for one more.  */
static gpr_status
make_room (gpr_post *p)
{
  const int room = 2 * p->room + 16;
  if (p->count < p->room)
    return GPR_OK;
  void **transfer = realloc (p->transfer, room * sizeof *transfer);
  p->transfer = transfer ? transfer : p->transfer;
  int *peers = transfer ? realloc (p->with, room * sizeof *peers) : NULL;
  p->with = peers ? peers : p->with;
  if (! peers)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", room * sizeof *peers);
  p->room = room;
  return GPR_OK;
}

gpr_status
gpr_post_more (gpr_post *p, int with)
{
  const gpr_status status = make_room (p);
  if (status == GPR_OK)
    {
      p->transfer[p->count] = NULL;
      p->with[p->count++] = with;
    }
  return status;
}

static gpr_status
post (gpr_post *p, int with, int tag, char *data, size_t bytes, bool sends)
{
  const gpr_mpi_api *mpi = here ()->mpi;
  gpr_status status;
  for (size_t at = 0; at < bytes; at += most_bytes)
    {
      const size_t some = bytes - at < most_bytes ? bytes - at : most_bytes;
      if ((status = make_room (p)) != GPR_OK)
        return status;
      void *transfer = sends ? mpi->send (with, tag, data + at, some) : mpi->receive (with, tag, data + at, some);
      if (! transfer)
        return gpr_fail (GPR_COMM_FAILED, "MPI takes no message for or from rank %d: %s", with, mpi->wrong ());
      p->transfer[p->count] = transfer;
      p->with[p->count++] = with;
      gpr_world_sent.messages += sends;
      gpr_world_sent.bytes += sends ? (int64_t) some : 0;
    }
  return GPR_OK;
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
  const int more = p->more ? p->more (p->of) : 1;       /* it may post messages */
  int left = 0;
  gpr_status status = more < 0 ? GPR_COMM_FAILED : GPR_OK;
  *moved = false;
  for (int i = 0; i < p->count; i++)
    {
      const int done = p->transfer[i] ? mpi->done (p->transfer[i]) : more;
      *moved |= done != 0;
      if (done < 0 && p->transfer[i])
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
        status = gpr_fail (GPR_COMM_FAILED, "no word from rank %d in %g s: it has ended, does not make this call, takes longer, or waits for one that does "
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
        if (p->transfer[i])
          here ()->mpi->cancel (p->transfer[i]);
      p->more = NULL;           /* who began it ends it */
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

void (*gpr_world_before_end) (bool in_order);

/* A rank that others wait for in a call tells its neighbours in the tree that it ends, and waits for theirs: MPI_Finalize does not
   return before all have come to it.  After a failure they may never, and the launcher ends the job.  */
static bool
all_end (void)
{
  static char text[TEXT];
  const joining *h = &of_process;
  const gpr_mpi_api *mpi = h->mpi;
  const gpr_world world = h->world;
  int end, child, from, awaited = world.rank > 0 && ! h->has_ended[gpr_parent (world.rank)];

  if (mpi->ended () || h->broken[0])
    return false;
  tell (TAG_ENDED, "", true);
  for (int step = 1; (child = gpr_child (world.rank, world.size, step, &end)); step *= 2)
    awaited += ! h->has_ended[child];
  for (int round = 0; awaited > 0 && ! gpr_interrupted (); round++)
    {
      if (mpi->arrived (TAG_ENDED, &from) && take (from, TAG_ENDED, text, sizeof text))
        awaited--;
      if (mpi->arrived (TAG_LEFT, &from))
        return false;           /* it has failed, so MPI cannot end in order */
      rest (round);
    }
  return awaited == 0;
}

void
gpr_world_end (void)
{
  const joining *h = &of_process;
  if (! h->mpi || h->user != gpr_system_pid ())
    return;
  const bool in_order = all_end ();
  if (gpr_world_before_end)
    gpr_world_before_end (in_order);
  if (in_order)
    h->mpi->end ();
}
