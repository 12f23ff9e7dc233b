#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "../dispatch/cuda_module.h"
#include "../dispatch/takers.h"
#include "../ranks/threads.h"
#include "backend.h"

enum { MESSAGE = 1024 };

typedef struct {
  const gpr_pieces *x;
  gpr_status (*work) (void *of, int k);
  void *of;
  gpr_hub *hub;
  const gpr_taker *takers;
  struct { gpr_status status; int turn; char message[MESSAGE]; } end[GPR_MOST_DEVICES];         /* turn: of those that failed, from 1 */
  atomic_int failed;
} running;

static _Thread_local bool in_thread;

bool
gpr_spread_in_thread (void)
{
  return in_thread;
}

/* Its failure is kept here, since the others' that follow from it may be seen sooner.  */
static gpr_status
take (gpr_job *j, gpr_taker *t)
{
  running *p = j->of;
  const int k = (int) (t - p->takers);
  in_thread = true;
  gpr_cpu_most_threads = t->threads;
  gpr_hub_enter (p->hub, k);
  gpr_status status = gpr_cuda ()->begin_thread (t);
  if (status == GPR_OK)
    status = p->work (p->of, k);
  if (status != GPR_OK)
    {
      (void) gpr_among_fail (t->device, status);
      p->end[k].status = status;
      p->end[k].turn = 1 + atomic_fetch_add (&p->failed, 1);
      snprintf (p->end[k].message, MESSAGE, "%s", gpr_message ());
      gpr_world_leave (status);
    }
  gpr_cuda ()->end_thread (t);
  gpr_hub_exit ();
  in_thread = false;
  return GPR_OK;
}

static void
stop (gpr_job *j)
{
  gpr_hub_stop (((running *) j->of)->hub);
}

/* The first failure that is no consequence of another.  */
static gpr_status
first_failure (const running *p, int count)
{
  int first = -1;
  for (int k = 0; k < count; k++)
    if (p->end[k].turn && (first < 0 || (p->end[first].status == GPR_COMM_FAILED) > (p->end[k].status == GPR_COMM_FAILED)
                           || ((p->end[first].status == GPR_COMM_FAILED) == (p->end[k].status == GPR_COMM_FAILED)
                               && p->end[k].turn < p->end[first].turn)))
      first = k;
  return first < 0 ? GPR_OK : gpr_fail (p->end[first].status, "%s", p->end[first].message);
}

gpr_status
gpr_spread_run (const gpr_pieces *x, gpr_status (*work) (void *of, int k), void *of)
{
  gpr_taker takers[GPR_MOST_DEVICES];
  running p = { .x = x, .work = work, .of = of, .takers = takers };
  gpr_job j = { .take = take, .stop = stop, .of = &p };
  gpr_status status = gpr_cuda ()->rest ();     /* threads read other GPUs' memory */

  if (status == GPR_OK)
    status = gpr_hub_open (x->count, &p.hub);
  if (status != GPR_OK)
    return status;
  for (int k = 0; k < x->count; k++)
    takers[k] = (gpr_taker) { .device = x->device[k] };
  (void) gpr_cpu_isa ();        /* found once, before there are threads */
  gpr_cpu_note_pool ();
  status = gpr_takers_run (&j, takers, x->count, gpr_cpu_threads ());
  gpr_hub_close (p.hub);
  const gpr_status first = first_failure (&p, x->count);
  return status != GPR_OK ? status : first;
}

gpr_status
gpr_spread_each (const gpr_pieces *x, int64_t bytes, gpr_status (*work) (void *of, int k), void *of)
{
  enum { ALONE = 4 << 20 };     /* bytes, an estimate: a thread that sleeps has to wake */
  const int before = gpr_cuda ()->selected ();
  gpr_status status = GPR_OK;

  if (bytes > ALONE && x->count > 1)
    return gpr_spread_run (x, work, of);

  for (int k = 0; k < x->count && status == GPR_OK; k++)
    {
      status = gpr_cuda ()->select (x->device[k]);
      if (status == GPR_OK)
        status = work (of, k);
      if (status != GPR_OK)
        status = gpr_among_fail (x->device[k], status);
    }
  return status != GPR_OK || before == 0 ? status : gpr_cuda ()->select (before);
}
