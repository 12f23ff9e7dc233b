/* What the CUDA kernels take and which there are: shared by the kernels (C++)
   and the host side that launches them (C11).

   A launch works on a box of a problem: some outers, some tiles of columns,
   some parts of gpr_tree.  x points to the box's first element; outputs count
   from the box's first one.  So a streamed chunk is a sub-problem of the same
   tree and gives the same bits.  */

#ifndef GPR_ENGINE_H
#define GPR_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "../common/bins.h"
#include "../ops/instances.h"
#include "../ops/pair.h"
#include "../common/tree.h"
#include "tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Threads of a block of the reduction and pair kernels, of BLOCK with a warp more that merges,
   and of the counting kernels.  */
enum { GPR_REDUCE_THREADS = 256, GPR_MERGE_WARP_THREADS = GPR_REDUCE_THREADS + 32, GPR_COUNT_THREADS = 512 };

/* Threads of a row that is no whole packs (WARPS).  */
enum { GPR_ROW_THREADS = 64 };

/* How a launch algorithms its units (fold_lanes.cuh, fold_dense.cuh).  */
typedef enum {
  GPR_ALGORITHM_LANES,               /* any number of lanes, merged in shared memory */
  GPR_ALGORITHM_BLOCK,               /* a unit's lanes are a block's, or more than half as many; merge_warp: just as many */
  GPR_ALGORITHM_GROUP,               /* a unit's lanes are neighbouring threads' of a warp */
  GPR_ALGORITHM_ROWS,                /* the same, contiguous rows of one part each */
  GPR_ALGORITHM_WARPS,               /* contiguous rows of one part each and a block's lanes, one or two warps a row */
  GPR_ALGORITHM_THREAD,              /* a thread an output of up to 8 elements */
  GPR_ALGORITHM_STREAM,              /* exact reductions, long rows: packs go to whichever thread */
  GPR_ALGORITHM_PARTS                /* no input: the tree over parts */
} gpr_algorithm;

/* Words of a mailbox: needs_fixup, the index in two, then the value.  */
enum { GPR_MAILBOX_HEAD = 3, GPR_MAILBOX_WORDS = GPR_MAILBOX_HEAD + 24 };

/* Results, and what a finished reduction needs.  */
typedef struct {
  void *value;
  int64_t *index;               /* or NULL */
  double divisor;
  int *needs_fixup;                 /* set to 1, never cleared */
  uint64_t *mailbox;             /* host memory: a single result, then, goes there (gpr_post); or NULL */
  unsigned call;                /* the number of this call */
} gpr_reduce_out;

/* A unit is one part of one tile of one outer, or run neighbouring parts, which are from
   then on as one.  The parts of an output are merged by the block that takes the last of
   its group's tickets (a group: the units of a tile of an outer; merge_warp: neighbours of
   them, and the groups; STREAM: always), or by a launch of its own.  */
typedef struct {
  gpr_algorithm algorithm;
  const void *x;
  int64_t second;               /* bytes from an element of x to its second factor, or 0 */
  int64_t row_stride, outer_stride;   /* in elements, as x lies on the device */
  int64_t inner, length;        /* of the whole problem */
  int64_t all_parts;            /* of an output */
  int32_t rows;                 /* of a part: below 2^31 for n below 2^44 */
  int64_t first_part, parts, first_tile, tiles, outers;   /* the box */
  int64_t units;                /* parts * tiles * outers */
  double by_parts, by_tiles;    /* 1 / parts, 1 / tiles */
  int64_t out_columns;          /* outputs of an outer from the box's first tile on */
  int64_t out_stride;           /* from an outer's outputs to the next's */
  int32_t lanes, lanes_log2, columns, columns_log2;     /* the last rounded up */
  int32_t run;                  /* parts of the tree in a unit: BLOCK, of wide tiles; else 1 */
  int32_t batch;                /* LANES: units a block takes at once */
  int32_t group;                /* GROUP: threads of a unit, as ROWS and WARPS have them; PARTS: outputs a block
                                   takes at once; BLOCK, merge_warp: parts of a ticket */
  bool vector;                  /* packs of lanes are aligned; LANES: and none is of two units;
                                   THREAD, WARPS: rows are whole packs */
  void *partials;               /* [outer][part][column], where an output has several parts */
  unsigned *tickets;            /* of the groups, zero between launches; or NULL */
  gpr_reduce_out out;
} gpr_reduce_args;

typedef struct {
  const void *lanes;            /* kernels, for cudaLaunchKernel: algorithms LANES, ROWS and PARTS */
  const void *dense;            /* the others; or NULL */
  const void *lanes_of_products, *dense_of_products;    /* the same of two arrays' products; or NULL */
  int width;                    /* lanes of a block, as gpr_tree_width */
  int vector;                   /* elements a thread loads at once */
  bool exact, blocks, small;    /* which of the other algorithms: STREAM; BLOCK; GROUP, ROWS and THREAD */
  int rows_at_once;             /* ROWS: of some threads */
  int row_threads;              /* WARPS, of whole packs; 0: no such algorithm */
  bool merge_warp;                 /* BLOCK has GPR_MERGE_WARP_THREADS; its tickets are of gpr_pass_on */
  int elem_bytes, acc_bytes, value_bytes;
} gpr_reduce_kernels;

/* Lanes of a column that are left of a unit of BLOCK when each thread has merged its own, v
   beside each other, which it can where all are a block's and their number is a power of two.
   1: columns are threads' own, and parts may merge as they come (run).  */
GPR_FN bool gpr_halves (int32_t lanes, int32_t columns, int width) { return lanes * columns == width && (columns & (columns - 1)) == 0; }
GPR_FN int32_t gpr_lanes_left (int32_t lanes, int32_t columns, int width, int v)
{
  return ! gpr_halves (lanes, columns, width) ? lanes : columns < GPR_REDUCE_THREADS * v ? GPR_REDUCE_THREADS * v / columns : 1;
}

/* NULL for a reduction that is not of that group.  */
const gpr_reduce_kernels *gpr_engine_sum (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_sumsq (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_prod (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_native (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_extreme (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_arg (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_logical (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_moments (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_norm (enum gpr_instance instance);

/* Counting.  A block takes items of tile_outers x tile_rows x tile_columns
   elements, so few that 32 bits count them.  */
typedef struct {
  const void *x;
  int64_t row_stride, outer_stride;
  int64_t outers, rows, columns;               /* the box */
  gpr_bin_rule rule;
  int64_t bins;
  const void *edges;                           /* of the type compared in */
  int64_t edge_count;
  double origin, step;
  unsigned long long *counts;                  /* [outer][bin][count_columns] */
  int64_t count_columns;
  double *place;                               /* or NULL */
  int64_t bin_row_stride, bin_outer_stride;
  int64_t tile_outers, tile_rows, tile_columns;
  int64_t outer_tiles, row_tiles, column_tiles;
  int32_t copies;                              /* of the tables in shared memory; 0: count in global memory */
  bool edges_shared;
} gpr_count_args;

const void *gpr_engine_count (enum gpr_elem elem, bool single_precision);

/* out[c + out_columns*r] = in[c + columns*r]  */
typedef struct {
  const unsigned long long *in;
  double *out;
  int64_t columns, out_columns, rows;
} gpr_widen_args;
const void *gpr_engine_widen (void);

/* Elementwise max, min and product; dims and strides with adjacent dimensions joined.  */
enum { GPR_PAIR_RANK = 32 };
typedef struct {
  const void *x, *y;
  void *z;
  int64_t count;
  int rank;
  int64_t dims[GPR_PAIR_RANK], xs[GPR_PAIR_RANK], ys[GPR_PAIR_RANK];
  int op;                       /* gpr_pair_op */
} gpr_pair_args;
const void *gpr_engine_pair (enum gpr_elem elem);

#ifdef __cplusplus
}
#endif
#endif
