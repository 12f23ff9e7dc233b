/* Cumulative sums, products and extremes on the CPU, in the order of kernels/ops/scan.h:
   short columns one after the other, long ones tile by tile.  */

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "part.h"
#include "scan_tile.h"
#include "../core/system.h"

typedef struct {
  const gpr_scanning *s;
  const gpr_cpu_scan_kind *kind;
  int threads, columns, wide, deep;     /* columns of a band, and of some beside each other, which one thread takes down, or several tile by tile */
  bool whole_columns;           /* of extremes, which need no tiles where each thread has columns enough */
  int64_t bands, tiles, tile_rows;      /* bands: of `deep' columns */
  char *before;                 /* [outer][column]: of the tiles that are done */
  int64_t *done;                /* tiles of a band, in their order */
  bool *zero;                   /* of a band: products have become 0, and of the tiles to come the sign is enough, most likely */
  int64_t next;                 /* tile of all that no thread has taken */
  char *scratch;                /* accumulators for each thread's tile */
  int64_t first;                /* row, of a piece of an array, which begins a tile … */
  const char *given;            /* … and what the columns have come to there */
  bool *doubt;                  /* of outers; of terms one for all, which are computed then */
  gpr_cpu_terms *terms;         /* of s->terms */
  char *made;                   /* their elements: for each thread those of a tile, before them the first of its columns */
  size_t made_bytes;
} job;

enum { FIRST_BYTES = GPR_SCAN_WIDE * 8,
       WHOLE = 32,              /* columns for each thread */
       MADE_BYTES = 64 << 10, MOST_MADE = 512 << 10 };         /* of short columns together; of some beside each other */

static const char no_operator[] = "no cumulative operator of that class";

/* The first element of a band, or of some beside each other.  */
static int64_t
band_at (const job *j, int wide, int64_t band, int *columns)
{
  const gpr_scanning *s = j->s;
  const int64_t bands = (s->inner + wide - 1) / wide, o = band / bands, column = band % bands * wide;
  *columns = (int) (s->inner - column < wide ? s->inner - column : wide);
  return o * s->length * s->inner + column;
}

static bool *
doubt_of (const job *j, int64_t outer)
{
  return &j->doubt[j->terms ? 0 : outer];
}

static size_t
bytes_of (const job *j, int64_t elements)
{
  return (size_t) elements * gpr_elem_bytes[j->s->elem];
}

/* A tile's elements are where x is, or made.  */
static void
find_elements (const job *j, gpr_scan_tile *t)
{
  const gpr_scanning *s = j->s;
  const int64_t at = t->at + t->from * s->inner;

  if (! j->terms)
    {
      t->x = (const char *) s->x + bytes_of (j, at);
      t->first = (const char *) s->x + bytes_of (j, t->at);
      t->step = s->inner;
      return;
    }
  char *first = j->made + gpr_cpu_thread_number () * j->made_bytes, *x = first + FIRST_BYTES;
  bool left = gpr_cpu_terms_take_rows (j->terms, at, t->rows, t->columns, s->inner, x);
  if (t->from > 0 && (s->op == GPR_SCAN_cummax || s->op == GPR_SCAN_cummin))
    left |= gpr_cpu_terms_take_rows (j->terms, t->at, 1, t->columns, s->inner, first);
  t->x = x;
  t->first = t->from > 0 ? first : x;
  t->step = t->columns;
  if (left)
    *t->lost = true;
}

/* Outers that are taken together, where they are so short.  */
static int64_t
outers_together (const job *j)
{
  const int64_t bytes = (int64_t) bytes_of (j, j->s->inner * j->s->length);
  const int64_t some = bytes > 0 && j->wide >= j->s->inner ? MADE_BYTES / bytes : 1, most = j->s->outer / (4 * j->threads);
  return some < most ? some > 1 ? some : 1 : most > 1 ? most : 1;
}

/* Columns of outers in doubt, or of all, as the built-in takes them.  */
static void
walk (const job *j, const bool *doubt)
{
  const gpr_scanning *s = j->s;
  const int64_t each = (s->inner + j->wide - 1) / j->wide, some = doubt ? 1 : outers_together (j), units = each * ((s->outer + some - 1) / some);

  #pragma omp parallel for num_threads (j->threads) if (j->threads > 1) schedule (static)
  for (int64_t i = 0; i < units; i++)
    {
      const int64_t o = i / each * some, outers = s->outer - o < some ? s->outer - o : some;
      gpr_scan_tile t = { .lost = doubt_of (j, o) };
      if (gpr_interrupted () || (doubt && ! doubt[o]))
        continue;
      t.at = band_at (j, j->wide, o * each + i % each, &t.columns);
      t.rows = (int) (outers * s->length);
      find_elements (j, &t);
      j->kind->walk (s, &t, outers);
    }
}

/* A tile of bands beside each other, with everything that may happen; before: of the tiles before, then with this one.  */
static void
surely (const job *j, const gpr_scan_tile *t, char *before)
{
  const size_t each = j->kind->acc_bytes;
  char own[GPR_SCAN_COLUMNS * 32] __attribute__ ((aligned (16))), then[sizeof own] __attribute__ ((aligned (16)));
  char totals[GPR_SCAN_THREADS * 32] __attribute__ ((aligned (16))), groups[GPR_SCAN_GROUPS * 32] __attribute__ ((aligned (16)));

  for (int c = 0; c < t->columns && ! *t->lost; c += j->columns)
    {
      gpr_scan_tile p = { .at = t->at + c, .from = t->from, .columns = t->columns - c < j->columns ? t->columns - c : j->columns,
                          .rows = t->rows, .alive = t->rows, .x = (const char *) t->x + bytes_of (j, c), .step = t->step, .totals = totals, .groups = groups, .lost = t->lost };
      j->kind->segments (j->s, &p, own);
      memcpy (then, t->from > 0 ? before + c * each : own, p.columns * each);
      for (int i = 0; t->from > 0 && i < p.columns; i++)
        j->kind->merge (then + i * each, own + i * each);
      if (! *t->lost)
        j->kind->rows (j->s, &p, t->from > 0 ? before + c * each : NULL);
      memcpy (before + c * each, then, p.columns * each);
    }
}

/* Many columns: each thread takes some beside each other, from the first row to the last.  */
static void
down (const job *j)
{
  const gpr_scanning *s = j->s;
  const int64_t each = (s->inner + j->wide - 1) / j->wide, units = each * s->outer;

  #pragma omp parallel for num_threads (j->threads) if (j->threads > 1) schedule (static)
  for (int64_t i = 0; i < units; i++)
    {
      char before[GPR_SCAN_WIDE * 32] __attribute__ ((aligned (16)));
      gpr_scan_tile p = { .lost = doubt_of (j, i / each), .from = j->first };
      p.at = band_at (j, j->wide, i, &p.columns);
      if (j->first > 0)
        memcpy (before, j->given + p.at * j->kind->acc_bytes, (size_t) p.columns * j->kind->acc_bytes);
      for (; p.from < s->length && ! *p.lost && ! gpr_interrupted (); p.from += j->tile_rows)
        {
          p.rows = (int) (s->length - p.from < j->tile_rows ? s->length - p.from : j->tile_rows);
          find_elements (j, &p);
          if (j->kind->down (s, &p, before))
            surely (j, &p, before);
        }
    }
}

/* Until the tiles before are done; false: the call was interrupted.  */
static bool
wait_for (const int64_t *done, int64_t tile)
{
  for (int spins = 0; __atomic_load_n (done, __ATOMIC_ACQUIRE) != tile; spins++)
    {
      if (gpr_interrupted ())
        return false;
      if (spins > 1000)
        sched_yield ();
    }
  return true;
}

/* A tile of a band.  What it adds to those before is known before its rows are written, so that another
   thread can go on with the next one.  */
static void
tile (job *j, int64_t t, int64_t band, gpr_scan_tile *p, char *own, char *before)
{
  const gpr_scanning *s = j->s;
  const int64_t o = band / j->bands;

  p->at = band_at (j, j->deep, band, &p->columns);
  p->from = t * j->tile_rows;
  p->lost = doubt_of (j, o);
  p->rows = (int) (s->length - p->from < j->tile_rows ? s->length - p->from : j->tile_rows);
  char *kept = j->before + (o * s->inner + band % j->bands * j->deep) * j->kind->acc_bytes;
  const size_t bytes = (size_t) p->columns * j->kind->acc_bytes;

  const bool left_out = *p->lost;
  const bool zero = t > 0 && __atomic_load_n (&j->zero[band], __ATOMIC_RELAXED);
  p->alive = zero ? 0 : p->rows;
  if (! left_out)
    {
      find_elements (j, p);
      j->kind->segments (s, p, own);
    }
  if (! wait_for (&j->done[band], t))
    return;
  if (t > 0)
    memcpy (before, kept, bytes);
  if (zero && p->alive == 0 && ! left_out && ! j->kind->are_zero (before, p->columns))
    {
      p->alive = p->rows;       /* a factor was not finite */
      j->kind->segments (s, p, own);
    }
  if (t + 1 < j->tiles && ! left_out)
    {
      memcpy (kept, t > 0 ? before : own, bytes);
      for (int c = 0; t > 0 && c < p->columns; c++)
        j->kind->merge (kept + c * j->kind->acc_bytes, own + c * j->kind->acc_bytes);
      if (j->kind->are_zero)
        __atomic_store_n (&j->zero[band], j->kind->are_zero (kept, p->columns), __ATOMIC_RELAXED);
    }
  __atomic_store_n (&j->done[band], t + 1, __ATOMIC_RELEASE);
  if (! left_out && ! *p->lost)         /* the totals themselves may have said that the rows are of no use */
    j->kind->rows (s, p, t > 0 ? before : NULL);
}

/* Of a thread: a row of accumulators of the tile, one before it, then rows of segments and of groups.  */
static int64_t
scratch_bytes (const job *j)
{
  const int64_t segments = GPR_SCAN_THREADS / j->columns, rows = 2 + segments + (segments + GPR_SCAN_FOLD - 1) / GPR_SCAN_FOLD;
  return (rows * j->deep * j->kind->acc_bytes + 63) / 64 * 64;
}

/* Each thread touches its part of what all write tile by tile: those that came to a new large page together would each clear one.  */
static void
touch (const job *j, void *memory, size_t bytes)
{
  const uintptr_t from = (uintptr_t) memory, end = from + bytes, first = (from + GPR_LARGE_PAGE - 1) / GPR_LARGE_PAGE * GPR_LARGE_PAGE;

  #pragma omp parallel for num_threads (j->threads) if (j->threads > 1) schedule (static)
  for (uintptr_t at = first; at < end; at += GPR_LARGE_PAGE)
    __atomic_fetch_or ((char *) at, 0, __ATOMIC_RELAXED);
}

/* Few bands: neighbouring tiles of one at the same time.  Many: each thread whole ones.  */
static void
tiles (job *j)
{
  const gpr_scanning *s = j->s;
  const int64_t first_tile = j->first / j->tile_rows, deeply = j->tiles - first_tile;
  const int64_t bands = j->bands * s->outer, units = bands * deeply;
  const bool deep = bands < 4 * j->threads;
  const int64_t some = deep ? 1 : deeply * (1 + bands / (16 * j->threads));    /* neighbours: what threads note lies apart */

  if (s->inner > 1 && (! deep || j->whole_columns || j->threads == 1))
    {
      down (j);
      return;
    }
  if (deep)
    {
      const int64_t above = j->first * s->inner, elements = s->inner * s->length * s->outer - above;
      touch (j, (char *) s->y + bytes_of (j, above), bytes_of (j, elements));
      if (s->index)
        touch (j, s->index + above, elements * sizeof *s->index);
    }

  #pragma omp parallel num_threads (j->threads) if (j->threads > 1)
  {
    const int64_t row = (int64_t) j->deep * j->kind->acc_bytes, most = GPR_SCAN_THREADS / j->columns;
    char *own = j->scratch + gpr_cpu_thread_number () * scratch_bytes (j), *before = own + row;
    gpr_scan_tile p = { .totals = before + row, .groups = before + (most + 1) * row };
    for (;;)
      {
        const int64_t first = __atomic_fetch_add (&j->next, some, __ATOMIC_RELAXED), end = first + some < units ? first + some : units;
        if (first >= units || gpr_interrupted ())
          break;
        for (int64_t i = first; i < end; i++)
          tile (j, first_tile + (deep ? i / bands : i % deeply), deep ? i % bands : i / deeply, &p, own, before);
      }
  }
}

/* Of columns side by side, outers whose products seem to leave the range are walked first.  Where a column clearly has left it, tiles would be in doubt, and what is
   walked stands; the others are taken by tiles after all.  */
static void
walk_ahead (const job *j, bool *walked)
{
  const gpr_scanning *s = j->s;
  const gpr_cpu_scan_range *range = s->inner > 1 ? gpr_cpu_scans_of (s->elem)->range (s->op, s->elem) : NULL;
  bool some = false;

  for (int64_t o = 0; o < s->outer && range; o++)
    some |= walked[o] = range->seem_to_leave (s, o * s->length * s->inner);
  if (! some)
    return;
  walk (j, walked);
  for (int64_t o = 0; o < s->outer; o++)
    j->doubt[o] = walked[o] = walked[o] && range->have_left (s, o * s->length * s->inner);
}

/* Long columns; those in doubt then once more, but of terms, and unless the caller does that.  */
static gpr_status
scan_long (job *j, bool again)
{
  const gpr_scanning *s = j->s;
  const size_t before = ((size_t) s->outer * s->inner * j->kind->acc_bytes + 15) / 16 * 16, bands = s->outer * j->bands, done = bands * sizeof (int64_t);
  const size_t scratch = (size_t) scratch_bytes (j) * j->threads, bytes = scratch + before + done + (bands + 2 * s->outer) * sizeof (bool);

  if (! (j->scratch = calloc (1, bytes)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  j->before = j->scratch + scratch;
  j->done = (int64_t *) (j->before + before);
  j->zero = (bool *) (j->before + before + done);
  j->doubt = j->zero + bands;
  j->tiles = gpr_scan_tiles (s->inner, s->length, j->kind->steps);
  for (int64_t band = 0; band < s->outer * j->bands; band++)
    j->done[band] = j->first / j->tile_rows;
  if (j->first > 0)
    memcpy (j->before, j->given, (size_t) s->inner * j->kind->acc_bytes);
  bool *walked = j->doubt + s->outer;
  if (! j->terms && again)
    walk_ahead (j, walked);
  tiles (j);
  for (int64_t o = 0; o < s->outer; o++)
    j->doubt[o] &= ! walked[o];
  if (! j->terms && again)
    walk (j, j->doubt);
  return GPR_OK;
}

/* Elements of terms are made in a thread's buffer.  False: there is no memory for that.  */
static bool
make_room (job *j)
{
  const gpr_scanning *s = j->s;
  const int64_t rows = s->length <= GPR_SCAN_SHORT ? s->length : j->tile_rows;

  while (j->wide > j->columns && bytes_of (j, j->wide * rows) > MOST_MADE)
    j->wide -= j->columns;
  if (j->deep > j->wide)
    j->deep = j->wide;
  j->bands = (s->inner + j->deep - 1) / j->deep;
  j->terms = gpr_cpu_terms_make (s->terms);
  const size_t band = bytes_of (j, j->wide * rows), together = bytes_of (j, outers_together (j) * s->inner * s->length);
  j->made_bytes = (FIRST_BYTES + (s->length <= GPR_SCAN_SHORT && together > band ? together : band) + 63) / 64 * 64;
  j->made = malloc (j->threads * j->made_bytes);
  return j->terms && j->made;
}

/* What the kind, the sizes and the threads decide; false, with a message: there is no such kind.  brief: columns are walked, which a piece's are not,
   however short it is.  */
static bool
prepare (job *j, bool brief)
{
  const gpr_scanning *s = j->s;

  if (! (j->kind = gpr_cpu_scans_of (s->elem)->kind (s->op, s->elem)))
    {
      gpr_fail (GPR_UNSUPPORTED, no_operator);
      return false;
    }
  j->columns = gpr_scan_columns (s->inner);
  j->threads = s->inner * (s->length - j->first) * s->outer < 1 << 14 ? 1 : gpr_cpu_threads ();
  if (j->threads > 1)
    gpr_cpu_note_pool ();
  /* As many bands beside each other as leave as much for each thread.  */
  const int64_t bands = gpr_scan_bands (s->inner), outers = s->outer > 1 ? s->outer : 1;
  const int64_t widest = (brief ? GPR_SCAN_WIDEST : GPR_SCAN_WIDE) / j->columns;
  int64_t units = (j->threads + outers - 1) / outers;
  units *= (bands + widest * units - 1) / (widest * units);
  j->wide = j->columns * (int) (bands > units ? (bands + units - 1) / units : 1);
  j->whole_columns = (s->op == GPR_SCAN_cummax || s->op == GPR_SCAN_cummin) && ! brief && s->inner >= WHOLE * j->threads;
  if (j->whole_columns)         /* as many for each thread */
    {
      const int64_t shares = (j->threads + outers - 1) / outers, each = (s->inner + shares - 1) / shares, parts = (each + GPR_SCAN_WIDE - 1) / GPR_SCAN_WIDE;
      j->wide = (int) ((each + parts - 1) / parts);
    }
  j->tile_rows = gpr_scan_tile_rows (s->inner, j->kind->steps);
  /* A tile as wide as leaves two for each thread.  */
  const int64_t deeply = ((s->length - j->first) / j->tile_rows + 1) * outers, some = (2 * j->threads + deeply - 1) / deeply, of_tile = (bands + some - 1) / some;
  j->deep = j->columns * (int) (of_tile < widest ? of_tile : widest);
  j->bands = (s->inner + j->deep - 1) / j->deep;
  return true;
}

gpr_status
gpr_cpu_scan (gpr_scanning *s)
{
  job j = { .s = s };
  gpr_status status = GPR_OK;
  bool doubt = false;

  if (! prepare (&j, s->length <= GPR_SCAN_SHORT))
    return GPR_UNSUPPORTED;
  j.doubt = &doubt;
  s->fused = false;
  if (! s->terms || make_room (&j))
    {
      if (s->length > GPR_SCAN_SHORT)
        status = scan_long (&j, true);
      else
        walk (&j, NULL);
      s->fused = s->terms && status == GPR_OK && ! *j.doubt;
    }
  free (j.scratch);
  free (j.terms);
  free (j.made);
  return status == GPR_OK && gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : status;
}

const gpr_scan_parts *
gpr_cpu_scan_parts (gpr_scan_op op, enum gpr_elem elem)
{
  const gpr_scan_parts *parts = gpr_cpu_scans_of (elem)->parts (op, elem);
  if (! parts)
    gpr_fail (GPR_UNSUPPORTED, no_operator);
  return parts;
}

/* ---- pieces of an array ---------------------------------------------------------------- */

gpr_status
gpr_cpu_scan_totals (const gpr_scanning *s, int64_t first, void *totals)
{
  job j = { .s = s, .first = first };

  if (! prepare (&j, false))
    return GPR_UNSUPPORTED;
  const int64_t bands = gpr_scan_bands (s->inner), units = (s->length - first + j.tile_rows - 1) / j.tile_rows * bands;
  #pragma omp parallel for num_threads (j.threads) if (j.threads > 1) schedule (static)
  for (int64_t i = 0; i < units; i++)
    {
      char sums[GPR_SCAN_THREADS * 32] __attribute__ ((aligned (16))), groups[GPR_SCAN_GROUPS * 32] __attribute__ ((aligned (16)));
      bool lost = false;        /* is seen again when the rows are done */
      gpr_scan_tile p = { .from = first + i / bands * j.tile_rows, .totals = sums, .groups = groups, .lost = &lost };
      if (gpr_interrupted ())
        continue;
      p.at = band_at (&j, j.columns, i % bands, &p.columns);
      p.rows = p.alive = (int) (s->length - p.from < j.tile_rows ? s->length - p.from : j.tile_rows);
      find_elements (&j, &p);
      j.kind->segments (s, &p, (char *) totals + (i / bands * s->inner + p.at) * j.kind->acc_bytes);
    }
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}

gpr_status
gpr_cpu_scan_piece (gpr_scanning *s, int64_t first, const void *before, bool *lost)
{
  job j = { .s = s, .first = first, .given = before };

  if (! prepare (&j, false))
    return GPR_UNSUPPORTED;
  const gpr_status status = scan_long (&j, false);
  *lost |= status == GPR_OK && *j.doubt;
  free (j.scratch);
  return status == GPR_OK && gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : status;
}
