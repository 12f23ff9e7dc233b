/* How a long run of elements is counted: from a rule and its edges to what
   kernels/engine/histogram.h takes.  No CUDA call in it.  */

#ifndef GPR_CUDA_HISTOGRAM_H
#define GPR_CUDA_HISTOGRAM_H

#include <stddef.h>

#include "../core/gpr.h"
#include "../../kernels/engine/histogram.h"

typedef struct {
  bool bytes, short_elements;   /* of 8 bits, of 16 */
  gpr_histogram_bytes_args of_bytes;
  gpr_histogram_args args;          /* all but x, n, counts and where cuts and buckets are on the device */
  enum gpr_elem compared;       /* the type of the cuts */
  void *table;                  /* cuts, then buckets_at bytes further buckets; or NULL */
  size_t table_bytes, buckets_at;
} gpr_histogram_plan;

/* False: no kernel counts these so, or not exactly, or no memory.  */
bool gpr_histogram_make (gpr_histogram_plan *p, const gpr_counting *c);
void gpr_histogram_drop (gpr_histogram_plan *p);

/* Where the counters of n elements are to be on a GPU with so many multiprocessors and bytes
   of shared memory a block, and how many blocks count them.  */
int64_t gpr_histogram_place (gpr_histogram_plan *p, int64_t n, int multiprocessors, size_t shared_bytes);
/* Bytes of shared memory a block then needs.  */
size_t gpr_histogram_shared (const gpr_histogram_plan *p);

#endif
