#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/hash.h"
#include "agree.h"
#include "link.h"

/* ---- comparing -------------------------------------------------------------------- */

static void __attribute__ ((format (printf, 3, 4)))
refuse (gpr_agreed *a, gpr_status status, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  vsnprintf (a->message, sizeof a->message, format, args);
  va_end (args);
  a->failed = status;
}

static int64_t
size_of (const gpr_saying *s, int piece, int dim)
{
  return dim < s->of[piece].ndims ? s->of[piece].dims[dim] : 1;
}

/* An empty array without any sizes of its own.  */
static bool
is_0x0 (const gpr_saying *s, int piece)
{
  return s->of[piece].ndims == 2 && s->of[piece].dims[0] == 0 && s->of[piece].dims[1] == 0;
}

/* [], as it is written.  */
static bool
has_no_class (const gpr_saying *s, int piece)
{
  return is_0x0 (s, piece) && s->of[piece].class == GPR_CLASS_double && ! s->of[piece].complex;
}

/* The first rank whose piece is not [], which has the class of the others.  */
static int
first_with_class (const gpr_saying *all, int ranks, int piece)
{
  for (int k = 0; k < ranks; k++)
    if (! has_no_class (&all[k], piece))
      return k;
  return 0;
}

static const char *
sizes (const gpr_saying *s, char text[120])
{
  int at = 0;
  for (int d = 0; d < s->of[0].ndims && at < 100; d++)
    at += snprintf (text + at, 120 - at, "%s%lld", d ? "x" : "", (long long) s->of[0].dims[d]);
  return text;
}

/* Calls that are not the same.  */
static bool
differ (const gpr_saying *all, int ranks, gpr_agreed *a)
{
  for (int k = 1; k < ranks && ! a->failed; k++)
    if (strcmp (all[k].function, all[0].function) != 0)
      refuse (a, GPR_BAD_INPUT, "rank %d calls %s, rank 0 %s", k, all[k].function, all[0].function);
    else if (all[k].calls != all[0].calls)
      refuse (a, GPR_BAD_INPUT, "this is the %lld. call with \"comm\" of rank %d, and the %lld. of rank 0: one has left some out",
              (long long) all[k].calls, k, (long long) all[0].calls);
  return a->failed != GPR_OK;
}

/* Arguments that are wrong by themselves: on every rank the same, or on some.  */
static bool
wrong (const gpr_saying *all, int ranks, gpr_agreed *a)
{
  int first = 0, same = 0;
  while (first < ranks && ! all[first].failed)
    first++;
  if (first == ranks)
    return false;
  for (int k = 0; k < ranks; k++)
    same += all[k].failed && strcmp (all[k].message, all[first].message) == 0;
  if (same == ranks)
    refuse (a, all[0].failed, "%s", all[0].message);
  else
    refuse (a, all[first].failed, "rank %d: %s", first, all[first].message);
  return true;
}

static const char *
bytes_said (const gpr_saying *s, char text[24])
{
  if (s->link_least > 0)
    snprintf (text, 24, "%lld", (long long) s->link_least);
  else
    snprintf (text, 24, "not set");
  return text;
}

static bool
differ_in_arguments (const gpr_saying *all, int ranks, gpr_agreed *a)
{
  char one[24], other[24];
  for (int k = 1; k < ranks && ! a->failed; k++)
    if (all[k].arguments != all[0].arguments)
      refuse (a, GPR_BAD_INPUT, "rank %d gives %d arguments, rank 0 %d", k, all[k].arguments, all[0].arguments);
    else if (all[k].outputs != all[0].outputs)
      refuse (a, GPR_BAD_INPUT, "rank %d wants %d outputs, rank 0 %d", k, all[k].outputs, all[0].outputs);
    else if (all[k].link_least != all[0].link_least)
      refuse (a, GPR_BAD_INPUT, "GPUREDUCE_NCCL_BYTES is %s on rank %d, %s on rank 0", bytes_said (&all[k], one), k, bytes_said (&all[0], other));
    else if (all[k].divided != all[0].divided)
      refuse (a, GPR_BAD_INPUT, "rank %d says that dimension %d is divided, rank 0 %d", k, all[k].divided, all[0].divided);
    else if (all[k].options != all[0].options || all[k].pieces != all[0].pieces)
      refuse (a, GPR_BAD_INPUT, "rank %d gives other options than rank 0", k);
    else
      for (int i = 0; i < all[0].pieces && ! a->failed; i++)
        {
          const int first = first_with_class (all, ranks, i);
          if (all[k].of[i].class != all[first].of[i].class && ! has_no_class (&all[k], i))
            refuse (a, GPR_BAD_INPUT, "rank %d has an array of class %s, rank %d %s", k, gpr_class_names[all[k].of[i].class], first,
                    gpr_class_names[all[first].of[i].class]);
        }
  return a->failed != GPR_OK;
}

static uint64_t
devices_of (const gpr_saying *all, int ranks)
{
  uint64_t h = GPR_HASH_BEGIN;
  bool every = all[0].pieces > 0;
  for (int k = 0; k < ranks; k++)
    for (int i = 0; i < all[0].pieces; i++)
      {
        h = gpr_hash (h, &all[k].of[i].device, sizeof all[k].of[i].device);
        every &= all[k].of[i].device > 0;
      }
  return every ? h | 1 : 0;
}

/* Weights are those of pieces where they differ; but of ranks that give single numbers these are no weights of longer pieces.  */
static void
compare_weights (const gpr_saying *all, int ranks, gpr_agreed *a, const int64_t *counts)
{
  bool single = true, longer = false;
  int other = 0;

  for (int k = 0; k < ranks; k++)
    {
      single &= all[k].weights == 1;
      longer |= counts[k] > 1;
      other = other == 0 && all[k].weighed != all[0].weighed ? k : other;
    }
  a->weights_differ = other > 0;
  if (other > 0 && single && longer)
    refuse (a, GPR_BAD_INPUT, "rank %d gives other options than rank 0", other);
}

void
gpr_compare (const gpr_saying *all, int ranks, gpr_agreed *a, int64_t *counts)
{
  int like = 0;                 /* a rank whose array has the sizes of all */
  char one[120], other[120];

  memset (a, 0, sizeof *a);
  memset (counts, 0, ranks * sizeof *counts);
  if (differ (all, ranks, a) || wrong (all, ranks, a) || differ_in_arguments (all, ranks, a))
    return;
  a->devices = devices_of (all, ranks);
  for (int i = 0; i < all[0].pieces; i++)
    a->class[i] = all[first_with_class (all, ranks, i)].of[i].class;
  while (like < ranks - 1 && is_0x0 (&all[like], 0))
    like++;
  for (int k = 0; k < ranks; k++)
    {
      a->ndims = all[k].of[0].ndims > a->ndims ? all[k].of[0].ndims : a->ndims;
      for (int i = 0; i < all[0].pieces; i++)
        a->complex[i] |= all[k].of[i].complex;
    }
  a->dim = all[0].divided > 0 ? all[0].divided - 1 : all[0].rows ? 0 : a->ndims - 1;
  if (all[0].rows && a->dim > 0)
    refuse (a, GPR_BAD_INPUT, "rows are divided along dimension 1, not %d", a->dim + 1);
  a->ndims = a->dim + 1 > a->ndims ? a->dim + 1 : a->ndims;
  for (int k = 0; k < ranks && ! a->failed; k++)
    {
      if (is_0x0 (&all[k], 0) && ! is_0x0 (&all[like], 0))
        continue;
      counts[k] = size_of (&all[k], 0, a->dim);
      for (int d = 0; d < a->ndims && ! a->failed; d++)
        if (d != a->dim && size_of (&all[k], 0, d) != size_of (&all[like], 0, d))
          refuse (a, GPR_BAD_INPUT, "rank %d has an array of %s elements, rank %d one of %s: only dimension %d may differ", k,
                  sizes (&all[k], one), like, sizes (&all[like], other), a->dim + 1);
    }
  for (int d = 0; d < a->ndims; d++)
    a->dims[d] = size_of (&all[like], 0, d);
  a->dims[a->dim] = 0;
  for (int k = 0; k < ranks; k++)
    a->dims[a->dim] += counts[k];
  if (! a->failed)
    compare_weights (all, ranks, a, counts);
}

/* ---- telling ------------------------------------------------------------------------ */

/* What the ranks of this one's subtree say, from its own on.  */
static gpr_status
collect (const gpr_world *w, gpr_saying *all)
{
  gpr_post p = { .count = 0 };
  gpr_status status = GPR_OK;
  bool leaks;
  int last = w->rank + 1, child, end;

  for (int step = 1; status == GPR_OK && (child = gpr_child (w->rank, w->size, step, &end)); step *= 2)
    {
      status = gpr_post_receive (&p, child, GPR_POST_AGREE, all + child - w->rank, (end - child) * sizeof *all);
      last = end;
    }
  status = gpr_post_wait (&p, status, &leaks);
  if (status == GPR_OK && w->rank > 0)
    status = gpr_post_wait (&p, gpr_post_send (&p, gpr_parent (w->rank), GPR_POST_AGREE, all, (last - w->rank) * sizeof *all), &leaks);
  return status;
}

gpr_status
gpr_agree (gpr_saying *own, gpr_agreed *a, const int64_t **starts)
{
  static int64_t calls;
  static gpr_saying *all;       /* these stay: a message may still be on its way into them after a failure */
  static struct { gpr_agreed agreed; int64_t counts[]; } *verdict;
  static int64_t *begins;
  gpr_world w;
  gpr_status status = gpr_world_check (&w);

  if (status != GPR_OK)
    return status;
  const size_t bytes = sizeof *verdict + w.size * sizeof (int64_t);
  if (! begins)
    {
      all = malloc (w.size * sizeof *all);
      verdict = calloc (1, bytes);
      begins = malloc ((w.size + 1) * sizeof *begins);
    }
  if (! all || ! verdict || ! begins)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", w.size * sizeof *all);
  own->calls = ++calls;
  status = gpr_link_said_least (&own->link_least);
  if (status != GPR_OK && ! own->failed)
    {
      own->failed = status;
      snprintf (own->message, sizeof own->message, "%s", gpr_message ());
    }
  all[0] = *own;
  status = collect (&w, all);
  if (status == GPR_OK && w.rank == 0)
    gpr_compare (all, w.size, &verdict->agreed, verdict->counts);
  if (status == GPR_OK)
    status = gpr_world_spread (verdict, bytes);
  if (status != GPR_OK)
    {
      gpr_world_leave (status);
      return status;
    }
  *a = verdict->agreed;
  gpr_link_between (a->devices);
  begins[0] = 0;
  for (int k = 0; k < w.size; k++)
    begins[k + 1] = begins[k] + verdict->counts[k];
  *starts = begins;
  return GPR_OK;
}

gpr_status
gpr_agree_status (const char *function, gpr_status own)
{
  const int64_t *starts;
  gpr_agreed a;
  gpr_saying s;

  memset (&s, 0, sizeof s);
  snprintf (s.function, sizeof s.function, "%s", function);
  s.failed = own;
  if (own != GPR_OK)
    snprintf (s.message, sizeof s.message, "%s", gpr_message ());
  s.pieces = 1;
  s.of[0].ndims = 2;
  s.of[0].dims[0] = s.of[0].dims[1] = 1;
  const gpr_status status = gpr_agree (&s, &a, &starts);
  return status != GPR_OK ? status : a.failed ? gpr_fail (a.failed, "%s", a.message) : GPR_OK;
}
