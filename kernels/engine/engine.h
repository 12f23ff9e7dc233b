/* What the CUDA kernels take and which there are: shared by the kernels (C++) and the host side
   that launches them (C11).  Reductions have reduce.h.  */

#ifndef GPR_ENGINE_H
#define GPR_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "../common/bins.h"
#include "../ops/pair.h"
#include "reduce.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Threads of a block of the counting kernels.  */
enum { GPR_COUNT_THREADS = 512 };

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
  double *bin_of;                              /* or NULL */
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
