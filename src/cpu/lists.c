/* Gathers, scatters and lists of elements that are not 0, on the CPU.  */

#include <string.h>

#include "cpu.h"
#include "../core/lists.h"

enum { BLOCK = 512, ALONE = 10000 };    /* positions at a time; elements that one thread is quick enough with */

static int
threads_for (int64_t elements)
{
  const int threads = elements < ALONE ? 1 : gpr_cpu_threads ();
  if (threads > 1)
    gpr_cpu_note_pool ();
  return threads;
}

static gpr_status
ended (void)
{
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}

/* ---- positions ---------------------------------------------------------------------------------- */

/* Offsets of n positions from k on; false: one is wrong.  */
static bool
offsets (const gpr_list *l, int64_t k, int64_t n, int64_t *to)
{
  int64_t wrong = 0;
  if (! l->at)
    {
      for (int64_t i = 0; i < n; i++)
        to[i] = (l->first + (k + i) * l->step) * l->stride;
      return true;
    }
  switch ((int) l->elem)
    {
#define OFFSETS(T) \
    case GPR_##T: \
      for (int64_t i = 0; i < n; i++) \
        { \
          const int64_t at = gpr_list_of_##T (((const T *) l->at)[k + i], l->extent); \
          wrong |= at; \
          to[i] = at * l->stride; \
        } \
      break;
    GPR_LIST_ELEMS (OFFSETS)
#undef OFFSETS
    }
  return wrong >= 0;
}

/* Whether all are right, and whether they rise.  */
static bool
check (const gpr_list *l, bool *rises)
{
  const int threads = threads_for (l->count);
  bool good = true, up = true;

  #pragma omp parallel for num_threads (threads) if (threads > 1) reduction (&& : good, up)
  for (int64_t k = 0; k < l->count; k += BLOCK)
    {
      int64_t at[BLOCK + 1];
      const int64_t n = l->count - k < BLOCK ? l->count - k : BLOCK;
      at[0] = -1;
      if (k > 0)
        (void) offsets (l, k - 1, 1, at);
      good = offsets (l, k, n, at + 1) && good;
      for (int64_t i = 0; i < n; i++)
        up = up && at[i + 1] > at[i];
    }
  *rises = up;
  return good;
}

/* ---- elements, as bits -------------------------------------------------------------------------- */

typedef struct { u64 v[2]; } wide;
#define WIDTHS(F) F (u8) F (u16) F (u32) F (u64) F (wide)
#define MOVES(T) \
static void \
take_##T (const void *x, const int64_t *at, void *z, int64_t n) \
{ \
  for (int64_t i = 0; i < n; i++) \
    ((T *) z)[i] = ((const T *) x)[at[i]]; \
} \
static void \
give_##T (const void *x, int64_t step, const int64_t *at, void *z, int64_t n) \
{ \
  for (int64_t i = 0; i < n; i++) \
    ((T *) z)[at[i]] = ((const T *) x)[i * step]; \
}
WIDTHS (MOVES)

static void
move (const gpr_gathering *g, int64_t outer, const int64_t *at, int64_t i, int64_t n)
{
  const int64_t bytes = g->bytes, step = g->one ? 0 : 1;
  const char *x = (const char *) g->x + (g->scatters ? step * i : outer) * bytes;
  char *z = (char *) g->z + (g->scatters ? outer : i) * bytes;
  switch (g->bytes)
    {
#define MOVE(T) \
    case sizeof (T): \
      if (g->scatters) \
        give_##T (x, step, at, z, n); \
      else \
        take_##T (x, at, z, n); \
      break;
    WIDTHS (MOVE)
#undef MOVE
    }
}

/* Elements first to first + n - 1, run by run along the first list.  */
static bool
move_some (const gpr_gathering *g, int64_t first, int64_t n)
{
  int64_t at[BLOCK];

  for (int64_t i = first, run; i < first + n; i += run)
    {
      int64_t rest = i / g->lists[0].count, outer = 0;
      const int64_t k = i - rest * g->lists[0].count, left = g->lists[0].count - k;
      bool good = true;
      run = first + n - i < left ? first + n - i : left;
      for (int d = 1; d < g->rank; d++)
        {
          int64_t offset;
          good = offsets (&g->lists[d], rest % g->lists[d].count, 1, &offset) && good;
          outer += offset;
          rest /= g->lists[d].count;
        }
      good = offsets (&g->lists[0], k, run, at) && good;
      if (! good)
        return false;
      move (g, outer, at, i, run);
    }
  return true;
}

gpr_status
gpr_cpu_gather (gpr_gathering *g)
{
  int64_t count = 1;
  bool any_order = true, good = true;

  for (int d = 0; d < g->rank; d++)
    {
      bool rises = true;
      if (g->scatters && g->lists[d].at && ! check (&g->lists[d], &rises))
        good = false;
      any_order = any_order && rises;
      count *= g->lists[d].count;
    }
  g->bad = ! good;
  if (g->bad)
    return ended ();
  /* Where a place may be named again, one thread goes in order.  */
  const int threads = any_order || g->one ? threads_for (count) : 1;
  #pragma omp parallel for num_threads (threads) if (threads > 1) reduction (&& : good)
  for (int64_t i = 0; i < count; i += BLOCK)
    if (! gpr_interrupted ())
      good = move_some (g, i, count - i < BLOCK ? count - i : BLOCK) && good;
  g->bad = ! good;
  return ended ();
}

/* ---- elements that are not 0 -------------------------------------------------------------------- */

/* In-tile numbers of the elements that are not 0, of n from x on; to NULL: only how many.  */
#define FIND(T, IS) \
static int \
find_##T (const T *x, int n, u64 mask, u64 last_mask, uint16_t *to) \
{ \
  int count = 0; \
  (void) last_mask; \
  if (! to) \
    for (int i = 0; i < n; i++) \
      count += IS; \
  else \
    for (int i = 0; i < n; i++) \
      { \
        to[count] = (uint16_t) i; \
        count += IS; \
      } \
  return count; \
}
#define IS_NOT_0(T) FIND (T, (x[i] & (T) mask) != 0)
IS_NOT_0 (u8) IS_NOT_0 (u16) IS_NOT_0 (u32) IS_NOT_0 (u64)
FIND (wide, ((x[i].v[0] & mask) | (x[i].v[1] & last_mask)) != 0)

static int
find_tile (const gpr_finding *f, int64_t tile, uint16_t *to)
{
  const int64_t first = tile * GPR_FIND_TILE, left = f->count - first;
  const int n = left < GPR_FIND_TILE ? (int) left : GPR_FIND_TILE;
  const u64 mask = gpr_find_mask (f->elem, 0, f->imaginary), last_mask = gpr_find_mask (f->elem, 1, f->imaginary);
  switch (gpr_elem_bytes[f->elem])
    {
#define FIND_CASE(T) case sizeof (T): return find_##T ((const T *) f->x + first, n, mask, last_mask, to);
    WIDTHS (FIND_CASE)
#undef FIND_CASE
    default: return 0;
    }
}

static void
put_tile (const gpr_finding *f, int64_t tile)
{
  uint16_t found[GPR_FIND_TILE + 1];
  const int64_t before = f->before[tile], first = tile * GPR_FIND_TILE + 1;
  if (before >= f->skip + f->take || f->before[tile + 1] <= f->skip)
    return;
  const int64_t count = find_tile (f, tile, found), from = before < f->skip ? f->skip - before : 0;
  const int64_t to = before + count > f->skip + f->take ? f->skip + f->take - before : count;
#define PUT(T) \
  for (int64_t i = from; i < to; i++) \
    ((T *) f->z)[before + i - f->skip] = (T) (first + found[i])
  if (f->z_elem == GPR_f64)
    PUT (f64);
  else if (f->z_elem == GPR_u32)
    PUT (u32);
  else
    PUT (i64);
#undef PUT
}

gpr_status
gpr_cpu_find (gpr_finding *f)
{
  const int64_t tiles = gpr_find_tiles (f->count);
  const int threads = threads_for (f->count);

  #pragma omp parallel for num_threads (threads) if (threads > 1)
  for (int64_t t = 0; t < tiles; t++)
    if (gpr_interrupted ())
      ;
    else if (f->z)
      put_tile (f, t);
    else
      f->before[t] = find_tile (f, t, NULL);
  if (gpr_interrupted () || f->z)
    return ended ();
  f->total = 0;
  for (int64_t t = 0; t < tiles; t++)
    {
      const int64_t own = f->before[t];
      f->before[t] = f->total;
      f->total += own;
    }
  f->before[tiles] = f->total;
  return GPR_OK;
}
