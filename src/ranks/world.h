/* The ranks of a job: who they are, and messages between them.

   Nothing waits blindly: every wait looks for Ctrl-C, for the time limit gpu_config ("comm_timeout") and for word of another rank
   that has failed, and ends with an error.  After such an end the ranks may no longer be at one place, and each later call of
   theirs fails at once.  What all find wrong together (agree.h) leaves them as they were.  */

#ifndef GPR_RANKS_WORLD_H
#define GPR_RANKS_WORLD_H

#include "../core/gpr.h"

typedef struct { int rank, size, local_rank; } gpr_world;

/* Joins what started the job, at the first call: all ranks must do it.  Without a launcher, a world of one.  */
gpr_status gpr_world_join (gpr_world *w);
/* Whether it has been joined, and nothing has failed since; or why not.  */
gpr_status gpr_world_check (gpr_world *w);
/* This rank leaves a call that others are in, failed as gpr_message () says: they shall not wait.  */
void gpr_world_leave (gpr_status status);
/* From here on the calling thread is a rank of such a world, until gpr_world_exit; between moves bytes (threads.h).  */
struct gpr_mpi_api;
void gpr_world_enter (const gpr_world *w, const struct gpr_mpi_api *between);
void gpr_world_exit (void);
/* Whether the ranks are processes, not threads of one.  */
bool gpr_world_of_processes (void);
/* The process ends.  What ends with it: in order, where all ranks do.  */
void gpr_world_end (void);
extern void (*gpr_world_before_end) (bool in_order);

/* ---- messages: each on its way until gpr_post_wait ---- */
enum { GPR_POST_AGREE = 1, GPR_POST_ROWS, GPR_POST_TREES, GPR_POST_RESULTS, GPR_POST_PIECES, GPR_POST_LINK };    /* tags; others are the world's own */
/* Begin with zeros.  What else is waited for, not by MPI: more (of) is asked whether it is done, as gpr_mpi_api.done.  */
typedef struct gpr_post { void **transfer; int *with; int count, room; int (*more) (void *of); void *of; } gpr_post;
gpr_status gpr_post_send (gpr_post *p, int to, int tag, const void *data, size_t bytes);
gpr_status gpr_post_receive (gpr_post *p, int from, int tag, void *data, size_t bytes);
gpr_status gpr_post_more (gpr_post *p, int with);       /* what else is waited for is by that rank's doing */
/* Until all have arrived, and forgets them; so it does where status is a failure already.  Then data that still may be
   written to is not to be freed: *leaks.  */
gpr_status gpr_post_wait (gpr_post *p, gpr_status status, bool *leaks);

/* One message, received or sent when it returns.  */
gpr_status gpr_world_receive (int from, int tag, void *data, size_t bytes);
gpr_status gpr_world_send (int to, int tag, const void *data, size_t bytes);

/* ---- all ranks together: together.c ---- */
/* What all ranks have, a piece each of starts[k + 1] - starts[k] bytes, put together in whole on every rank.  */
gpr_status gpr_world_gather (const void *own, const int64_t *starts, void *whole);
/* The same of pieces of so many slabs each: whole has the first slab's of all ranks, then the second's.  */
gpr_status gpr_world_gather_slabs (const void *own, const int64_t *starts, int64_t slabs, void *whole);
/* The same of rank 0's bytes.  */
gpr_status gpr_world_spread (void *data, size_t bytes);
/* Of arrays of count items, that all ranks have: on every rank what they make when one is added to the other, in no order that is promised.  */
gpr_status gpr_world_combine (void *values, int64_t count, size_t bytes, void (*add) (void *to, const void *from, int64_t count));
void gpr_add_doubles (void *to, const void *from, int64_t count);
void gpr_add_integers (void *to, const void *from, int64_t count);              /* int64_t */
void gpr_take_least (void *to, const void *from, int64_t count);                /* int64_t */
void gpr_take_bounds (void *to, const void *from, int64_t count);               /* pairs of doubles: the least, the greatest, or NaN */

/* Counted, for what a call costs this thread.  */
typedef struct { int64_t messages, bytes; } gpr_traffic;
extern _Thread_local gpr_traffic gpr_world_sent;

/* A binomial tree: rank k receives from its children, the nearest first, and sends to its parent.  The ranks of a child's subtree
   follow one another.  */
static inline int gpr_parent (int rank) { return rank & (rank - 1); }
/* The child at distance step, 1, 2, 4 …; 0: no more.  Its subtree ends before rank *end.  */
static inline int
gpr_child (int rank, int size, int step, int *end)
{
  if ((rank & step) || rank + step >= size)
    return 0;
  *end = rank + 2 * step < size ? rank + 2 * step : size;
  return rank + step;
}

#endif
