#include <limits.h>
#include <math.h>
#include <string.h>

#include "paces.h"

enum {
  SLOTS = 256,          /* functions by classes, sizes and directions */
  WARM = 2,             /* the first call at a place starts threads, or the GPU: it does not count */
  FAR = 3,              /* times the best: not tried */
  ONCE_FAR = 30,
  WARMING = 8,          /* calls in a row, at most, until threads and the memory are quick again where another place had the calls before */
  AGAIN = 16            /* after so many calls, and each time after twice as many, another place is tried again */
};

typedef struct {
  gpr_work_kind kind;
  int id, size, threads, device;
  bool apart;
  int calls, trials;            /* trials: calls that are still to be made at the place tried */
  gpr_place tried, last;
  int in_row;                   /* calls at the last place */
  double last_us_per_byte;
  struct { int calls; double us_per_byte; } at[GPR_PLACES];
} slot;

static slot slots[SLOTS];
static int used, next;                  /* next: the oldest, once all are in use */

/* Sizes within a factor of eight are alike.  */
static int
size_of (int64_t bytes)
{
  int size = 0;
  for (int64_t b = bytes; b >= 4096; b /= 8)
    size++;
  return size;
}

static int
find (const gpr_work *w, int threads, int device)
{
  const int size = size_of (w->bytes);
  for (int i = 0; i < used; i++)
    if (slots[i].kind == w->kind && slots[i].id == w->id && slots[i].size == size && slots[i].apart == w->apart && slots[i].threads == threads && slots[i].device == device)
      return i;
  const int which = next;
  next = (next + 1) % SLOTS;
  used = used < SLOTS ? used + 1 : used;
  memset (&slots[which], 0, sizeof slots[which]);
  slots[which].kind = w->kind;
  slots[which].id = w->id;
  slots[which].size = size;
  slots[which].apart = w->apart;
  slots[which].threads = threads;
  slots[which].device = device;
  return which;
}

/* Close to the best, and least tried; GPR_PLACES where there is none.  What has been tried but once may have been slow for
   another's sake: that it is far counts only the second time.  */
static gpr_place
find_trial (int which, gpr_place best, const double us[GPR_PLACES])
{
  const int calls = slots[which].calls;
  const bool again = calls >= AGAIN && (calls & (calls - 1)) == 0;
  gpr_place trial = GPR_PLACES;

  for (gpr_place p = 0; p < GPR_PLACES && calls >= WARM; p++)
    {
      const int tried = slots[which].at[p].calls;
      const bool close = us[p] < (tried == WARM ? ONCE_FAR : FAR) * us[best];
      if (p != best && close && (again || tried < WARM) && (trial == GPR_PLACES || tried < slots[which].at[trial].calls))
        trial = p;
    }
  return trial;
}

gpr_paced
gpr_pace_choose (const gpr_work *work, int threads, int device, double us[GPR_PLACES])
{
  const int which = find (work, threads, device);
  gpr_place best = GPR_ON_CPU;

  for (gpr_place p = 0; p < GPR_PLACES; p++)
    if (us[p] < HUGE_VAL && slots[which].at[p].calls >= WARM)
      us[p] = work->bytes * slots[which].at[p].us_per_byte;
  for (gpr_place p = 1; p < GPR_PLACES; p++)
    if (us[p] < us[best])
      best = p;
  if (slots[which].trials == 0 && (slots[which].tried = find_trial (which, best, us)) < GPR_PLACES)
    slots[which].trials = WARM;
  if (slots[which].trials > 0 && us[slots[which].tried] < HUGE_VAL)
    {
      slots[which].trials--;
      best = slots[which].tried;
    }
  else
    slots[which].trials = 0;
  return (gpr_paced) { which, best, work->bytes };
}

void
gpr_pace_note (const gpr_paced *paced, double ms)
{
  if (paced->slot < 0 || paced->slot >= used || paced->bytes == 0 || ! (ms > 0))
    return;
  const double pace = 1e3 * ms / paced->bytes;
  slot *s = &slots[paced->slot];
  double *known = &s->at[paced->place].us_per_byte;
  const int calls = s->at[paced->place].calls;
  const bool same = s->calls > 0 && s->last == paced->place;

  s->in_row = ! same ? 1 : s->in_row < WARMING ? s->in_row + 1 : WARMING;
  /* As long as each call is quicker by a fifth than the one before, the next goes there too.  */
  if (same && s->in_row < WARMING && s->trials == 0 && pace < 0.8 * s->last_us_per_byte)
    {
      s->tried = paced->place;
      s->trials = 1;
    }
  s->last = paced->place;
  s->last_us_per_byte = pace;
  s->calls += s->calls < INT_MAX;
  s->at[paced->place].calls += calls < INT_MAX;
  /* What is quicker counts at once; what is slower may be another process, and counts slowly, whatever it took.  */
  if (calls < WARM || pace < *known)
    *known = pace;
  else
    *known += fmin (pace - *known, *known) / 8;
}

void
gpr_paces_forget (void)
{
  used = next = 0;
}

/* 10^9 bytes a second of a thread of the CPU, typical of a server, until a call has shown its own.  The bus is the GPU's
   limit.  */
double
gpr_pace_guess (const gpr_work *work, const gpr_rates *r, gpr_place place)
{
  static const double rate[GPR_WORK_KINDS] = {
    [GPR_WORK_STORE] = 15, [GPR_WORK_REDUCTION] = 15, [GPR_WORK_SCAN] = 3, [GPR_WORK_COUNT] = 1.5, [GPR_WORK_MEDIAN] = 0.6, [GPR_WORK_MODE] = 0.15,
    [GPR_WORK_SCATTER] = 0.8, [GPR_WORK_PAIR] = 5
  };
  const double us = work->bytes * 1e-3, bus = r->staged > r->in_place ? r->staged : r->in_place;

  if (place == GPR_ON_GPU)
    return us * (work->kind == GPR_WORK_SCAN || work->kind == GPR_WORK_PAIR ? 2 : 1) / bus + 30;   /* results of its size */
  if (place == GPR_ON_BOTH)
    return work->kind == GPR_WORK_REDUCTION && r->both > 0 ? us / r->both + 50 : HUGE_VAL;
  return us / (r->cpu * rate[work->kind] / rate[GPR_WORK_REDUCTION]) + 2;
}
