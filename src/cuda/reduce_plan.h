/* How a reduction runs on a GPU: which outputs and which input at a time, and for each launch
   which algorithm, how many blocks, how parts merge.  Pure functions of the problem and of facts
   of the device: no CUDA call, no state.  doc/architecture.md has a table of the algorithms.  */

#ifndef GPR_CUDA_REDUCE_PLAN_H
#define GPR_CUDA_REDUCE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../kernels/engine/reduce.h"

typedef struct {
  const gpr_reduce_kernels *kernels;    /* what the instance has; they are not called */
  gpr_tree tree;
  uint64_t address;             /* of x; only its lowest bits matter */
  bool products;                /* of two arrays */
  bool x_resident, out_resident;
  bool index;                   /* is wanted */
} gpr_reduce_problem;

typedef struct {
  int multiprocessors;
  int64_t dense_blocks;         /* of the dense kernel at once; see gpr_reduce_plan_asks_blocks */
  const gpr_tuning *tuning;
} gpr_reduce_device;

typedef struct {
  /* Outputs are computed box by box, ... */
  int64_t box_outers, box_tiles;
  /* ... from input that comes chunk by chunk; of so many bytes, 0: it is all there.  */
  int64_t outers, tiles, parts;
  size_t chunk_bytes;
  int64_t pieces;               /* STREAM: of an output, in place of the tree's parts; else 0 */
  int64_t cuts;                 /* EXACT_ROWS, EXACT_COLUMNS: likewise */
  size_t partial_bytes;         /* of an output's parts, where there are several */
} gpr_reduce_plan;

/* One launch works on a chunk, or on what is left of the box.  */
typedef struct {
  uint64_t address;             /* of its first element on the device */
  int64_t second;               /* bytes from there to its second factor, or 0 */
  int64_t row_stride;           /* in elements */
  int64_t outers, tiles, parts;
  bool finishes;                /* outputs are written; else parts' accumulators */
} gpr_reduce_chunk;

typedef struct {
  gpr_algorithm algorithm;
  gpr_own_args own;
  bool dense, short_columns, merge_warp;        /* of the instance's kernels */
  bool exact;                   /* EXACT_ROWS or EXACT_COLUMNS */
  int64_t all_parts;            /* of an output, in runs or pieces: left to be merged */
  int64_t parts, units;         /* of the launch */
  int64_t blocks;
  int threads;
  bool ticketed;                /* the last block of an output merges its parts */
  bool mails;                   /* a single result may go by mailbox */
  const char *why;              /* this algorithm */
} gpr_reduce_launch;

/* Whether dense_blocks matters: asking for it loads the kernel.  */
bool gpr_reduce_plan_asks_blocks (const gpr_reduce_problem *p);

/* With so many bytes of device memory.  */
gpr_reduce_plan gpr_reduce_plan_make (const gpr_reduce_problem *p, const gpr_reduce_device *d, size_t room);
gpr_reduce_launch gpr_reduce_plan_launch (const gpr_reduce_problem *p, const gpr_reduce_device *d, const gpr_reduce_plan *plan,
                                          const gpr_reduce_chunk *k);
/* The tree over parts of so many columns of so many outers, by a launch of its own.  */
gpr_reduce_launch gpr_reduce_plan_merge (const gpr_reduce_device *d, int acc_bytes, int64_t all_parts, int64_t columns, int64_t outers);

/* A line that says what was chosen and why.  */
void gpr_reduce_plan_explain (const gpr_reduce_problem *p, const gpr_reduce_plan *plan, const gpr_reduce_launch *l, char *text, size_t size);

static inline int64_t
gpr_reduce_columns (const gpr_tree *t, int64_t first_tile, int64_t tiles)
{
  const int64_t left = t->inner - first_tile * t->columns;
  return tiles * t->columns < left ? tiles * t->columns : left;
}

#endif
