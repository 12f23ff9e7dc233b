/* Cumulative sums, products and extremes on the CPU: blocks of kernels/ops/scan.h,
   spread over threads.  */

#include <stdlib.h>

#include "cpu.h"
#include "../core/scan.h"

enum { COLUMNS = 64 };          /* of a tile: their accumulators stay in the cache */

/* A block of one outer index: rows from `from' on, of some columns; its totals, or y.  */
#define DEFINE_LOOPS(id, op, T) \
static void id##_block (const gpr_scanning *s, int64_t column, int64_t columns, int64_t from, int64_t rows, void *totals, bool total) \
{ \
  id##_a a[COLUMNS], all; \
  const id##_x *first = (const id##_x *) s->x + column, *x = first + from * s->inner; \
  id##_x *y = (id##_x *) s->y + column + from * s->inner; \
  double *index = s->index ? s->index + column + from * s->inner : NULL; \
  if (columns == 1)             /* the accumulator in a register */ \
    { \
      id##_a v = id##_init (), before = from > 0 && totals ? *(id##_a *) totals : id##_init (); \
      for (int64_t r = 0; total && r < rows; r++) \
        id##_step (&v, x[r * s->inner], from + r); \
      if (total) \
        *(id##_a *) totals = v; \
      for (int64_t r = 0; ! total && r < rows; r++) \
        { \
          id##_step (&v, x[r * s->inner], from + r); \
          all = v; \
          if (from > 0) \
            { \
              all = before; \
              id##_merge (&all, v); \
            } \
          int64_t at = id##_put (all, *first, &y[r * s->inner]); \
          if (index) \
            index[r * s->inner] = (double) (at + 1); \
        } \
      return; \
    } \
  for (int64_t c = 0; c < columns; c++) \
    a[c] = id##_init (); \
  for (int64_t r = 0; r < rows; r++, x += s->inner) \
    { \
      for (int64_t c = 0; c < columns; c++) \
        id##_step (&a[c], x[c], from + r); \
      if (total) \
        continue; \
      for (int64_t c = 0; c < columns; c++) \
        { \
          all = a[c]; \
          if (from > 0) \
            { \
              all = ((id##_a *) totals)[c]; \
              id##_merge (&all, a[c]); \
            } \
          int64_t at = id##_put (all, first[c], &y[r * s->inner + c]); \
          if (index) \
            index[r * s->inner + c] = (double) (at + 1); \
        } \
    } \
  if (total) \
    for (int64_t c = 0; c < columns; c++) \
      ((id##_a *) totals)[c] = a[c]; \
}
GPR_SCANS (DEFINE_LOOPS)
GPR_SCANS (GPR_SCAN_DEFINE_KIND)

#define ROW(id, op, T) { GPR_SCAN_KIND (id, op, T), id##_block },
static const struct {
  gpr_scan_kind kind;
  void (*block) (const gpr_scanning *s, int64_t column, int64_t columns, int64_t from, int64_t rows, void *totals, bool total);
} kinds[] = { GPR_SCANS (ROW) };

typedef struct {
  gpr_scanning *s;
  size_t kind;
  int threads;
  int64_t rows, blocks;
  char *totals;                 /* NULL: one block */
  const bool *left_out;         /* outers, or NULL */
} job;

/* All blocks of some outer indices: their totals, or y.  */
static void
run (const job *j, int64_t first, int64_t outers, bool total)
{
  const gpr_scanning *s = j->s;
  const int64_t tiles = (s->inner + COLUMNS - 1) / COLUMNS, units = tiles * j->blocks * outers;

  #pragma omp parallel for num_threads (j->threads) if (j->threads > 1) schedule (static)
  for (int64_t i = 0; i < units; i++)
    {
      int64_t tile = i % tiles, block = i / tiles % j->blocks, o = first + i / tiles / j->blocks, column = tile * COLUMNS;
      int64_t columns = s->inner - column < COLUMNS ? s->inner - column : COLUMNS, left = s->length - block * j->rows;
      if (! gpr_interrupted () && ! (j->left_out && j->left_out[o]))
        kinds[j->kind].block (s, o * s->length * s->inner + column, columns, block * j->rows, left < j->rows ? left : j->rows,
                              j->totals ? j->totals + ((o * j->blocks + block) * s->inner + column) * kinds[j->kind].kind.acc_bytes : NULL,
                              total);
    }
}

gpr_status
gpr_cpu_scan (gpr_scanning *s)
{
  job j = { .s = s, .threads = 1, .rows = gpr_scan_block (s->length) };

  while (j.kind < sizeof kinds / sizeof *kinds && (kinds[j.kind].kind.op != s->op || kinds[j.kind].kind.elem != s->elem))
    j.kind++;
  if (j.kind == sizeof kinds / sizeof *kinds)
    return gpr_fail (GPR_UNSUPPORTED, "no cumulative operator of that class");
  j.blocks = (s->length + j.rows - 1) / j.rows;
  if (s->inner * s->length * s->outer >= 1 << 14 && (j.threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();
  if (j.blocks <= 1)
    {
      run (&j, 0, s->outer, false);
      return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
    }

  const size_t slab = s->inner * j.blocks * kinds[j.kind].kind.acc_bytes, bytes = s->outer * (slab + sizeof (bool));
  char *totals = malloc (bytes);
  if (! totals)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  bool *doubtful = (bool *) (totals + s->outer * slab);
  job whole = { .s = s, .kind = j.kind, .threads = j.threads, .rows = s->length, .blocks = 1 };
  j.totals = totals;
  run (&j, 0, s->outer, true);
  for (int64_t o = 0; o < s->outer && ! gpr_interrupted (); o++)
    doubtful[o] = gpr_scan_totals (&kinds[j.kind].kind, totals + o * slab, s->inner, j.blocks);
  j.left_out = doubtful;
  run (&j, 0, s->outer, false);
  for (int64_t o = 0; o < s->outer && ! gpr_interrupted (); o++)
    if (doubtful[o])
      run (&whole, o, 1, false);
  free (totals);
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}
