#include <stddef.h>

#include "parts.h"

int
gpr_rank_of_row (const int64_t *starts, int ranks, int64_t row)
{
  int low = 0, high = ranks;    /* starts[low] <= row < starts[high] */
  while (high - low > 1)
    {
      const int middle = low + (high - low) / 2;
      if (starts[middle] <= row)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* The last of its level, without a neighbour to take it: it passes on.  */
static void
pass_on (gpr_subtree *s, int64_t parts)
{
  while (s->at > 0 && s->at % 2 == 0 && (s->at + 1) << s->height >= parts)
    {
      s->at /= 2;
      s->height++;
    }
}

void
gpr_forest_add (gpr_forest *f, int64_t parts, gpr_subtree s, void (*merge) (void *context, int into), void *context)
{
  pass_on (&s, parts);
  f->of[f->count++] = s;
  while (f->count > 1)
    {
      gpr_subtree *left = &f->of[f->count - 2], *last = left + 1;
      if (last->at % 2 == 0 || left->height != last->height || left->at != last->at - 1)
        return;
      f->count--;
      if (merge)
        merge (context, f->count - 1);
      left->at /= 2;
      left->height++;
      pass_on (left, parts);
    }
}

gpr_forest
gpr_forest_of (gpr_span owned, int64_t parts)
{
  gpr_forest f = { .count = 0 };
  /* The largest aligned subtree from the first part on, and so forth.  */
  for (int64_t p = owned.first; p < owned.end; )
    {
      int height = 0;
      while (p % ((int64_t) 2 << height) == 0 && p + ((int64_t) 2 << height) <= owned.end)
        height++;
      gpr_forest_add (&f, parts, (gpr_subtree) { height, p >> height }, NULL, NULL);
      p += (int64_t) 1 << height;
    }
  return f;
}
