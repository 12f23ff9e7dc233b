#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/system.h"
#include "link.h"

enum { NO, YES, NEVER };

/* What a rank says before a call.  */
typedef struct {
  int64_t can;                  /* YES; NO: not in this call; NEVER: without a library */
  int64_t serial;               /* of its link, which rests; 0: it has none */
  char place[GPR_LINK_PLACE];
} words;

/* Of this process.  */
static struct {
  const struct gpr_links *by;
  void *link;                   /* NULL: none */
  int64_t serial;
  int size;
  char place[GPR_LINK_PLACE];   /* of the device that it joins */
  bool refused;                 /* one could not be made: not tried again; the same on all ranks */
  char why[400];                /* there is none; "" */
  uint64_t devices, apart_not;  /* of this call; of a call some of whose were one: these are not asked for again */
} own;

/* Both are estimates: of a message, and of all that calls had for a link before there is one.  */
enum { LEAST = 1 << 22, MANY = 1 << 28 };

gpr_status
gpr_link_said_least (int64_t *bytes)
{
  const char *said = getenv ("GPUREDUCE_NCCL_BYTES");
  char *end;

  *bytes = 0;
  if (! said || ! *said)
    return GPR_OK;
  errno = 0;
  const long long number = strtoll (said, &end, 10);
  if (end == said || *end != '\0' || errno != 0 || number <= 0)
    return gpr_fail (GPR_BAD_INPUT, "environment variable GPUREDUCE_NCCL_BYTES is \"%.100s\"; it must be a number of bytes, from 1", said);
  *bytes = number;
  return GPR_OK;
}

/* agree.c has checked it.  */
static int64_t
said_least (void)
{
  int64_t bytes;
  (void) gpr_link_said_least (&bytes);
  return bytes;
}

int64_t
gpr_link_least (void)
{
  const int64_t said = said_least ();
  return said > 0 ? said : LEAST;
}

bool
gpr_link_pays (int64_t bytes)
{
  static int64_t so_far;
  if (own.refused || own.devices == 0 || own.devices == own.apart_not)
    return false;
  so_far += so_far < MANY ? bytes : 0;
  return so_far >= MANY || said_least () > 0;
}

void
gpr_link_between (uint64_t devices)
{
  own.devices = devices;
}

int
gpr_link_size (void)
{
  return own.link && own.by->done (own.link) == 1 ? own.size : 0;
}

const char *
gpr_link_why (void)
{
  return own.link && own.by->done (own.link) < 0 ? gpr_message () : own.why;
}

/* The first reason is kept.  */
static void __attribute__ ((format (printf, 1, 2)))
note (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  if (! own.why[0])
    vsnprintf (own.why, sizeof own.why, format, args);
  va_end (args);
}

static void
close_link (bool in_order)
{
  if (own.link)
    own.by->close (own.link, in_order);
  own.link = NULL;
}

void
gpr_link_stop (void)
{
  if (own.link)
    own.by->stop (own.link);
}

gpr_status
gpr_link_copy (void *to, const void *from, size_t bytes)
{
  return own.by->copy (own.link, to, from, bytes);
}

/* ---- moves ---------------------------------------------------------------------------- */

static int
is_done (void *unused)
{
  (void) unused;
  return own.by->done (own.link);
}

gpr_status
gpr_link_move (const gpr_move *moves, int count)
{
  gpr_post p = { .more = is_done };
  gpr_status status = GPR_OK;
  bool leaks;

  if (count == 0)
    return GPR_OK;
  for (int i = 0; i < count && status == GPR_OK; i++)
    status = gpr_post_more (&p, moves[i].rank);
  if (status == GPR_OK)
    status = own.by->move (own.link, moves, count);
  return gpr_post_wait (&p, status, &leaks);
}

/* ---- making one ------------------------------------------------------------------------- */

enum { NOTHING, GOOD, BAD };    /* what a rank has said of its attempt */

typedef struct {
  gpr_post p;
  gpr_world w;
  char *said;                   /* of each rank */
  char *memory;                 /* of the device: what tries the link, a byte to each rank and one from each */
  double until;                 /* gpr_now_ms () at which it is given up, before others' waiting ends in an error */
  bool tried;
} attempt;

/* A byte from each to its neighbours and between rank 0 and all: libraries join two devices when they first meet.  */
static gpr_status
try_it (attempt *a)
{
  const gpr_world *w = &a->w;
  gpr_move *moves = malloc (2 * ((size_t) w->size + 2) * sizeof *moves);
  int count = 0;

  if (! moves)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%d bytes of host memory", w->size);
  for (int k = 0; k < w->size; k++)
    if (k != w->rank && (k == 0 || w->rank == 0 || k == w->rank - 1 || k == w->rank + 1))
      {
        moves[count++] = (gpr_move) { k, true, a->memory + k, 1 };
        moves[count++] = (gpr_move) { k, false, a->memory + w->size + k, 1 };
      }
  const gpr_status status = own.by->move (own.link, moves, count);
  free (moves);
  return status;
}

/* The first rank that has none; -1: none says so.  */
static int
first_bad (const attempt *a)
{
  for (int k = 0; k < a->w.size; k++)
    if (a->said[k] == BAD)
      return k;
  return -1;
}

/* Joining takes a second or so; behind a wrong interface or a firewall, for ever.  */
static double
longest_ms (void)
{
  const double most = 20e3, half = 1e3 * gpr_config.comm_timeout / 2;
  return half < most ? half : most;
}

/* Goes on with this rank's, until it is good or bad, and then tells the others: those that wait within the library for one that failed give up.  */
static int
advance (void *of)
{
  attempt *a = of;
  char *verdict = &a->said[a->w.rank];
  int done;

  if (*verdict != NOTHING)
    return 1;
  done = ! own.link || first_bad (a) >= 0 ? -1 : own.by->done (own.link);
  if (done == 1 && ! a->tried)
    {
      a->tried = true;
      done = try_it (a) == GPR_OK ? 0 : -1;
    }
  if (done == 0 && gpr_now_ms () < a->until)
    return 0;
  if (first_bad (a) >= 0)
    note ("rank %d could not join the others", first_bad (a));
  else if (done == 0)
    note ("the GPUs were not joined in %g s", longest_ms () / 1e3);
  else if (done < 0)
    note ("%s", gpr_message ());
  if (done <= 0)
    gpr_link_stop ();
  *verdict = done > 0 ? GOOD : BAD;
  for (int k = 0; k < a->w.size; k++)
    if (k != a->w.rank && gpr_post_send (&a->p, k, GPR_POST_LINK, verdict, 1) != GPR_OK)
      return -1;
  return 1;
}

static gpr_status
hear (attempt *a)
{
  gpr_status status = gpr_post_more (&a->p, a->w.rank > 0 ? 0 : 1);
  for (int k = 0; k < a->w.size && status == GPR_OK; k++)
    if (k != a->w.rank)
      status = gpr_post_receive (&a->p, k, GPR_POST_LINK, &a->said[k], 1);
  return status;
}

/* By a name that rank 0 makes.  Where a rank cannot, none has one.  */
static gpr_status
make (const gpr_world *w, const void *memory)
{
  struct { int64_t good; gpr_link_name name; } told = { .good = 0 };
  attempt a = { .w = *w, .p = { .more = advance } };
  bool leaks = false;

  own.why[0] = '\0';
  if (w->rank == 0 && ! (told.good = own.by->name (&told.name) == GPR_OK))
    note ("%s", gpr_message ());
  gpr_status status = gpr_world_spread (&told, sizeof told);
  if (status != GPR_OK || ! told.good)
    {
      note ("rank 0 could not begin to join the GPUs");
      own.refused = true;
      return status;
    }
  if (! (a.said = calloc (1, w->size)))
    status = gpr_fail (GPR_OUT_OF_MEMORY, "%d bytes of host memory", w->size);
  a.p.of = &a;
  void *bytes = NULL;
  if (status == GPR_OK && own.by->open (&told.name, w->rank, w->size, memory, &own.link) == GPR_OK)
    if (own.by->take (2 * (size_t) w->size, memory, &bytes) != GPR_OK)
      {
        note ("%s", gpr_message ());
        gpr_link_stop ();
      }
  a.memory = bytes;
  a.until = gpr_now_ms () + longest_ms ();
  if (status == GPR_OK)
    status = hear (&a);
  status = gpr_post_wait (&a.p, status, &leaks);
  own.refused = status != GPR_OK || first_bad (&a) >= 0;
  if (status != GPR_OK)
    note ("%s", gpr_message ());
  else if (own.refused)
    note ("rank %d could not join the others", first_bad (&a));
  if (own.refused)
    close_link (false);
  own.by->release (bytes);
  memcpy (&own.serial, told.name.bytes, sizeof own.serial);
  own.serial |= 1;
  own.size = w->size;
  if (! leaks)
    free (a.said);
  return status;
}

/* ---- finding it ----------------------------------------------------------------------------- */

static bool
all_can (const words *all, int size)
{
  for (int k = 0; k < size; k++)
    if (all[k].can != YES)
      return false;
  return true;
}

static bool
one_never_can (const words *all, int size)
{
  for (int k = 0; k < size; k++)
    if (all[k].can == NEVER)
      {
        note ("rank %d has no library for it", k);
        return true;
      }
  return false;
}

/* Of each device one rank: NCCL takes no two.  */
static bool
all_apart (const words *all, int size)
{
  for (int k = 0; k < size; k++)
    for (int i = 0; i < k; i++)
      if (strcmp (all[i].place, all[k].place) == 0)
        {
          note ("ranks %d and %d have one GPU", i, k);
          return false;
        }
  return true;
}

static bool
all_have_one (const words *all, int size)
{
  for (int k = 0; k < size; k++)
    if (all[k].serial == 0 || all[k].serial != all[0].serial)
      return false;
  return true;
}

/* Of all ranks.  */
static gpr_status
collect (const gpr_world *w, const words *mine, words *all)
{
  int64_t *starts = malloc (((size_t) w->size + 1) * sizeof *starts);
  if (! starts)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (w->size + 1) * sizeof *starts);
  for (int k = 0; k <= w->size; k++)
    starts[k] = k * (int64_t) sizeof *all;
  const gpr_status status = gpr_world_gather (mine, starts, all);
  free (starts);
  return status;
}

gpr_status
gpr_link_find (const struct gpr_links *by, const void *memory, bool can, bool *found)
{
  words mine;
  gpr_world w;
  gpr_status status = gpr_world_check (&w);

  *found = false;
  if (status != GPR_OK)
    return status;
  words *all = malloc (w.size * sizeof *all);
  if (! all)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", w.size * sizeof *all);
  memset (&mine, 0, sizeof mine);
  mine.can = ! by ? NO : ! by->found () ? NEVER : can && by->can (memory, mine.place) ? YES : NO;
  if (mine.can == YES && own.link && own.by == by && strcmp (mine.place, own.place) == 0 && by->done (own.link) == 1)
    mine.serial = own.serial;
  status = collect (&w, &mine, all);
  *found = status == GPR_OK && all_can (all, w.size);
  own.refused |= status == GPR_OK && one_never_can (all, w.size);
  const bool needs_one = *found && ! all_have_one (all, w.size);
  if (needs_one && ! all_apart (all, w.size))
    {
      own.apart_not = own.devices;
      *found = false;
    }
  if (*found && needs_one)
    {
      close_link (false);
      own.by = by;
      memcpy (own.place, mine.place, sizeof own.place);
      gpr_world_before_end = close_link;
      status = make (&w, memory);
      *found = own.link != NULL;
    }
  free (all);
  return status;
}
