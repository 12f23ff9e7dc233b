/* What all ranks do together, by messages along the binomial tree (world.h).  */

#include <stdlib.h>
#include <string.h>

#include "world.h"

static gpr_status
no_memory (size_t bytes)
{
  return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
}

/* ---- one message, of memory that the caller may free after a failure ------------------------ */

gpr_status
gpr_world_receive (int from, int tag, void *data, size_t bytes)
{
  gpr_post p = { .count = 0 };
  bool leaks;
  void *own = malloc (bytes ? bytes : 1);

  if (! own)
    return no_memory (bytes);
  const gpr_status status = gpr_post_wait (&p, gpr_post_receive (&p, from, tag, own, bytes), &leaks);
  if (status == GPR_OK)
    memcpy (data, own, bytes);
  if (! leaks)
    free (own);
  return status;
}

gpr_status
gpr_world_send (int to, int tag, const void *data, size_t bytes)
{
  gpr_post p = { .count = 0 };
  bool leaks;
  void *own = malloc (bytes ? bytes : 1);

  if (! own)
    return no_memory (bytes);
  memcpy (own, data, bytes);
  const gpr_status status = gpr_post_wait (&p, gpr_post_send (&p, to, tag, own, bytes), &leaks);
  if (! leaks)
    free (own);
  return status;
}

/* ---- all ------------------------------------------------------------------------------------ */

gpr_status
gpr_world_spread (void *data, size_t bytes)
{
  gpr_post p = { .count = 0 };
  gpr_world w;
  gpr_status status = gpr_world_check (&w);
  bool leaks;
  int end, step = 1;

  if (status != GPR_OK || w.size == 1 || bytes == 0)
    return status;
  if (w.rank > 0)
    status = gpr_world_receive (gpr_parent (w.rank), GPR_POST_RESULTS, data, bytes);
  /* The farthest first: they have the most to pass on.  */
  while (gpr_child (w.rank, w.size, step, &end))
    step *= 2;
  for (step /= 2; step > 0 && status == GPR_OK; step /= 2)
    status = gpr_post_send (&p, w.rank + step, GPR_POST_RESULTS, data, bytes);
  return gpr_post_wait (&p, status, &leaks);
}

gpr_status
gpr_world_gather (const void *own, const int64_t *starts, void *whole)
{
  gpr_world w;
  gpr_post p = { .count = 0 };
  gpr_status status = gpr_world_check (&w);
  bool leaks;
  int last = w.rank + 1, child, end;

  if (status != GPR_OK)
    return status;
  for (int step = 1; (child = gpr_child (w.rank, w.size, step, &end)); step *= 2)
    last = end;
  /* Of this rank and those below it; not in the caller's memory, which it frees after a failure.  */
  const size_t bytes = (size_t) (starts[last] - starts[w.rank]);
  char *all = malloc (bytes ? bytes : 1);
  if (! all)
    return no_memory (bytes);
  memcpy (all, own, (size_t) (starts[w.rank + 1] - starts[w.rank]));
  for (int step = 1; status == GPR_OK && (child = gpr_child (w.rank, w.size, step, &end)); step *= 2)
    status = gpr_post_receive (&p, child, GPR_POST_PIECES, all + starts[child] - starts[w.rank], (size_t) (starts[end] - starts[child]));
  status = gpr_post_wait (&p, status, &leaks);
  if (w.rank > 0 && status == GPR_OK)
    status = gpr_post_wait (&p, gpr_post_send (&p, gpr_parent (w.rank), GPR_POST_PIECES, all, bytes), &leaks);
  else if (status == GPR_OK)
    memcpy (whole, all, bytes);
  if (! leaks)
    free (all);
  return status == GPR_OK ? gpr_world_spread (whole, (size_t) starts[w.size]) : status;
}

gpr_status
gpr_world_gather_slabs (const void *own, const int64_t *starts, int64_t slabs, void *whole)
{
  gpr_world w;
  gpr_status status = gpr_world_check (&w);

  if (status != GPR_OK || slabs <= 1)
    return status == GPR_OK ? gpr_world_gather (own, starts, whole) : status;
  const int64_t slab = starts[w.size] / slabs;
  char *pieces = malloc (starts[w.size] + 1);
  status = pieces ? gpr_world_gather (own, starts, pieces) : no_memory (starts[w.size]);
  for (int k = 0; k < w.size && status == GPR_OK; k++)
    {
      const int64_t bytes = (starts[k + 1] - starts[k]) / slabs;
      for (int64_t o = 0; o < slabs; o++)
        memcpy ((char *) whole + o * slab + starts[k] / slabs, pieces + starts[k] + o * bytes, bytes);
    }
  free (pieces);
  return status;
}

gpr_status
gpr_world_combine (void *values, int64_t count, size_t bytes, void (*add) (void *to, const void *from, int64_t count))
{
  gpr_world w;
  gpr_status status = gpr_world_check (&w);
  const size_t all = (size_t) count * bytes;
  int child, end;

  if (status != GPR_OK || w.size == 1 || count == 0)
    return status;
  void *theirs = gpr_child (w.rank, w.size, 1, &end) ? malloc (all) : NULL;
  if (gpr_child (w.rank, w.size, 1, &end) && ! theirs)
    status = no_memory (all);
  for (int step = 1; status == GPR_OK && (child = gpr_child (w.rank, w.size, step, &end)); step *= 2)
    {
      status = gpr_world_receive (child, GPR_POST_PIECES, theirs, all);
      if (status == GPR_OK)
        add (values, theirs, count);
    }
  free (theirs);
  if (status == GPR_OK && w.rank > 0)
    status = gpr_world_send (gpr_parent (w.rank), GPR_POST_PIECES, values, all);
  return status == GPR_OK ? gpr_world_spread (values, all) : status;
}

/* ---- what is added ------------------------------------------------------------------------------ */

void
gpr_add_doubles (void *to, const void *from, int64_t count)
{
  double *a = to;
  const double *b = from;
  for (int64_t i = 0; i < count; i++)
    a[i] += b[i];
}

void
gpr_add_integers (void *to, const void *from, int64_t count)
{
  int64_t *a = to;
  const int64_t *b = from;
  for (int64_t i = 0; i < count; i++)
    a[i] += b[i];
}

void
gpr_take_least (void *to, const void *from, int64_t count)
{
  int64_t *a = to;
  const int64_t *b = from;
  for (int64_t i = 0; i < count; i++)
    a[i] = b[i] < a[i] ? b[i] : a[i];
}

/* Pairs of a least and a greatest, or NaN.  */
void
gpr_take_bounds (void *to, const void *from, int64_t count)
{
  double *a = to;
  const double *b = from;
  for (int64_t i = 0; i < count; i++)
    {
      a[2 * i] = ! (a[2 * i] <= b[2 * i]) && b[2 * i] == b[2 * i] ? b[2 * i] : a[2 * i];
      a[2 * i + 1] = ! (a[2 * i + 1] >= b[2 * i + 1]) && b[2 * i + 1] == b[2 * i + 1] ? b[2 * i + 1] : a[2 * i + 1];
    }
}
