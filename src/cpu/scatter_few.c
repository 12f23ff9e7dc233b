/* accumarray with few outputs on the CPU.  Threads take groups of chunks (kernels/ops/scatter.h), each
   with tables of its own; in the order of the groups these are merged into the outputs.
   Extremes and counts, which do not depend on the chunks, have long groups and one table each.  */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "scatter.h"

enum { LONG = 1 << 16 };

typedef struct {
  gpr_scattering *p;
  gpr_scatter_cut cut;
  int64_t outputs;
  size_t bytes;                 /* of a table, in whole lines of the cache */
  bool counted;
  atomic_int bad, beyond;
} work;

static void
add_chunk (work *w, int64_t from, int64_t end, char *table, int64_t *counts)
{
  const gpr_scattering *p = w->p;
  uint32_t keys[GPR_SCATTER_BATCH];

  for (; from < end && ! w->bad; from += GPR_SCATTER_BATCH)
    {
      const int length = end - from < GPR_SCATTER_BATCH ? (int) (end - from) : GPR_SCATTER_BATCH;
      if (! gpr_scatter_keys (p, 0, w->outputs, from, length, keys))
        {
          w->bad = 1;
          return;
        }
      if (p->from_zero && ! w->beyond && ! gpr_scatter_one_side (p, from, length))
        w->beyond = 1;
      gpr_scatter_add (p, table, from, keys, NULL, length);
      if (counts)
        for (int j = 0; j < length; j++)
          counts[keys[j]]++;
    }
}

/* A thread's memory: a group's table, a chunk's, counts.  */
static void
add_group (work *w, int64_t group, char *memory)
{
  const gpr_scattering *p = w->p;
  const int64_t chunk = w->cut.chunk, first = group * w->cut.group * chunk;
  const bool cut = w->cut.group > 1;
  char *sums = memory, *table = cut ? memory + w->bytes : sums;
  int64_t *counts = w->counted ? (int64_t *) (memory + 2 * w->bytes) : NULL;

  gpr_scatter_fill (p->to, sums, p->start, NULL, w->outputs);
  if (counts)
    memset (counts, 0, w->outputs * sizeof *counts);
  for (int64_t from = first; from < first + w->cut.group * chunk && from < p->n; from += chunk)
    {
      if (cut)
        memset (table, 0, w->bytes);
      add_chunk (w, from, from + chunk < p->n ? from + chunk : p->n, table, counts);
      if (cut)
        gpr_scatter_merge (p, sums, table, w->outputs);
    }
}

/* The outputs take a group's tables.  */
static void
merge_group (const work *w, const char *memory, int64_t *counts)
{
  gpr_scatter_merge (w->p, w->p->out, memory, w->outputs);
  for (int64_t i = 0; w->counted && i < w->outputs; i++)
    counts[i] += ((const int64_t *) (memory + 2 * w->bytes))[i];
}

gpr_status
gpr_scatter_few (gpr_scattering *p, int64_t *counts, int threads)
{
  work w = { .p = p, .cut = gpr_scatter_cut_of (p->n, gpr_scatter_outputs (p)), .outputs = gpr_scatter_outputs (p), .counted = counts };
  if (! gpr_scatter_is_cut (p))
    w.cut = (gpr_scatter_cut) { .chunk = p->n / (4 * threads) + LONG, .group = 1 };
  const int64_t groups = (p->n - 1) / (w.cut.group * w.cut.chunk) + 1;
  w.bytes = (w.outputs * gpr_elem_bytes[p->to] + 63) / 64 * 64;
  const size_t each = 2 * w.bytes + (counts ? w.outputs * sizeof *counts + 63 : 0) / 64 * 64;
  const int in_flight = threads > 1 ? 2 * threads : 1;
  char *memory = aligned_alloc (64, in_flight * each);
  char merged;                  /* what the outputs depend on */

  (void) merged;                /* without OpenMP */
  if (! memory)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory to scatter", in_flight * each);
  gpr_scatter_fill (p->to, p->out, p->start, NULL, w.outputs);
  if (counts)
    memset (counts, 0, w.outputs * sizeof *counts);
  #pragma omp parallel num_threads (threads) if (threads > 1)
  #pragma omp single
  for (int64_t g = 0; g < groups && ! w.bad && ! gpr_interrupted (); g++)
    {
      char *mine = memory + g % in_flight * each;
      #pragma omp task depend (out: *mine)
      add_group (&w, g, mine);
      #pragma omp task depend (in: *mine) depend (inout: merged)
      merge_group (&w, mine, counts);
    }
  free (memory);
  p->bad = w.bad;
  if (p->from_zero && ! w.beyond)
    gpr_scatter_from_zero (p->to, p->out, w.outputs);
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}
