/* Cumulative sums, products and extremes on the CPU: blocks of kernels/engine/scan.h,
   spread over threads.  */

#include <stdlib.h>

#include "cpu.h"
#include "scan.h"

enum { COLUMNS = 64 };          /* of a tile: their accumulators stay in the cache */

/* Rows from … of columns c … of one outer: totals only, or y.  */
#define DEFINE_LOOPS(id, op, T) \
static void id##_block (const gpr_scanning *s, int64_t column, int64_t columns, int64_t from, int64_t rows, void *totals, bool total) \
{ \
  id##_a a[COLUMNS]; \
  const id##_x *first = (const id##_x *) s->x + column, *x = first + from * s->l; \
  id##_x *y = (id##_x *) s->y + column + from * s->l; \
  double *place = s->place ? s->place + column + from * s->l : NULL; \
  for (int64_t c = 0; c < columns; c++) \
    a[c] = total || ! totals ? id##_init () : ((id##_a *) totals)[c]; \
  for (int64_t r = 0; r < rows; r++, x += s->l) \
    { \
      for (int64_t c = 0; c < columns; c++) \
        id##_step (&a[c], x[c], from + r); \
      if (total) \
        continue; \
      for (int64_t c = 0; c < columns; c++) \
        { \
          int64_t at = id##_put (a[c], first[c], &y[r * s->l + c]); \
          if (place) \
            place[r * s->l + c] = (double) (at + 1); \
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

gpr_status
gpr_cpu_scan (gpr_scanning *s)
{
  const int64_t rows = gpr_scan_block (s->n), blocks = (s->n + rows - 1) / rows, tiles = (s->l + COLUMNS - 1) / COLUMNS;
  const int64_t units = tiles * blocks * s->u;
  char *totals = NULL;
  int threads = 1;
  size_t k = 0;

  while (k < sizeof kinds / sizeof *kinds && (kinds[k].kind.op != s->op || kinds[k].kind.elem != s->elem))
    k++;
  if (k == sizeof kinds / sizeof *kinds)
    return gpr_fail (GPR_UNSUPPORTED, "no cumulative operator of that class");
  const size_t bytes = kinds[k].kind.acc_bytes;
  if (blocks > 1 && ! (totals = malloc (s->l * blocks * s->u * bytes)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) (s->l * blocks * s->u) * bytes);
  if (s->l * s->n * s->u >= 1 << 14 && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();

  for (int pass = blocks > 1 ? 0 : 1; pass < 2 && ! gpr_interrupted (); pass++)
    {
      #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (static)
      for (int64_t i = 0; i < units; i++)
        {
          int64_t tile = i % tiles, block = i / tiles % blocks, o = i / tiles / blocks, column = tile * COLUMNS;
          int64_t columns = s->l - column < COLUMNS ? s->l - column : COLUMNS;
          int64_t left = s->n - block * rows;
          if (! gpr_interrupted ())
            kinds[k].block (s, o * s->n * s->l + column, columns, block * rows, left < rows ? left : rows,
                            totals ? totals + ((o * blocks + block) * s->l + column) * bytes : NULL, pass == 0);
        }
      if (pass == 0)
        gpr_scan_totals (&kinds[k].kind, totals, s->l, blocks, s->u);
    }
  free (totals);
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}
