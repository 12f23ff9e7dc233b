/* What the kernels of reductions take and which there are (engine.h).

   A launch works on a box of a problem: some outers, some tiles of columns, some parts of
   gpr_tree.  Its Load's arguments point to the box's first element, and outputs count from the
   box's first one: a chunk that is streamed is a sub-problem of the same tree, and gives the
   same bits.  */

#ifndef GPR_REDUCE_H
#define GPR_REDUCE_H

#include <stdbool.h>
#include <stdint.h>

#include "../common/tree.h"
#include "../ops/instances.h"
#include "tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Threads of a block; with a warp more that merges; of a row that is no whole vectors (WARPS).  */
enum { GPR_REDUCE_THREADS = 256, GPR_MERGE_WARP_THREADS = GPR_REDUCE_THREADS + 32, GPR_ROW_THREADS = 64 };

/* The algorithms; each has a file in reduce/.  */
typedef enum {
  GPR_ALGORITHM_LANES,          /* any number of lanes, merged in shared memory */
  GPR_ALGORITHM_BLOCK,          /* a unit has more than half a block's lanes; with a merge warp exactly a block's */
  GPR_ALGORITHM_COLUMNS,        /* slabs: a warp goes down neighbouring columns */
  GPR_ALGORITHM_GROUP,          /* a unit's lanes are neighbouring threads' of a warp */
  GPR_ALGORITHM_ROWS,           /* the same, contiguous rows of one part each */
  GPR_ALGORITHM_WARPS,          /* contiguous rows of one part and a block's lanes, one or two warps a row */
  GPR_ALGORITHM_THREAD,         /* a thread an output of up to 8 elements */
  GPR_ALGORITHM_STREAM,         /* exact reductions, long rows: tiles go to whichever block */
  GPR_ALGORITHM_EXACT_ROWS,     /* extremes with an index, any, all; shorter contiguous rows: a few threads each */
  GPR_ALGORITHM_EXACT_COLUMNS,  /* the same of slabs: a thread goes down neighbouring columns */
  GPR_ALGORITHM_PARTS           /* no input: the tree over parts */
} gpr_algorithm;
enum { GPR_ALGORITHMS = GPR_ALGORITHM_PARTS + 1 };

/* What the Loads of reduce/load.cuh read.  */
typedef struct {
  const void *x;
  uint64_t turn;                /* of elements that are turned (../common/turn.h): results turn back, partials do not */
} gpr_array_args;
typedef struct {
  const void *x;
  int64_t second;               /* bytes from an element of x to its second factor */
} gpr_product_args;
typedef union {
  gpr_array_args array;
  gpr_product_args product;
#ifdef GPR_COMPILED_TERMS       /* kernels compiled at run time */
  gpr_expression_args expression;
#endif
} gpr_load_args;

/* Results, and what a finished reduction needs.  */
typedef struct {
  void *value;
  int64_t *index;               /* or NULL */
  bool rows;                    /* index gets doubles, rows from 1 */
  bool apart;                   /* of results of two elements value gets the first, most the other */
  void *most;                   /* or NULL */
  double divisor;
  int *needs_fixup;             /* set to 1, never cleared */
  uint64_t *mailbox;            /* host memory, where a single result goes (gpr_post); or NULL */
  unsigned call;                /* the number of this call */
} gpr_reduce_out;

/* Words of a mailbox: needs_fixup, the index in two, then the value.  */
enum { GPR_MAILBOX_HEAD = 3, GPR_MAILBOX_WORDS = GPR_MAILBOX_HEAD + 24 };

/* What one algorithm alone is told.  vector: loads are aligned vectors, of which none is of two
   units; else single elements.  */
typedef struct {
  int32_t units;                /* a block takes at once */
  bool vector;
} gpr_lanes_args;
typedef struct {
  int32_t run;                  /* neighbouring parts of a unit, which are from then on one */
  bool vector;
} gpr_block_args;
/* How lanes merge then: in runs of parts that are threads' own columns, by a warp what the eight have, in shared memory.  */
enum { GPR_MERGES_ANY, GPR_MERGES_RUNS, GPR_MERGES_WARPS, GPR_MERGES_SHARED };
typedef struct { int32_t ticket_parts; } gpr_merge_warp_args;   /* parts that share a ticket */
/* Neighbouring columns of a thread of COLUMNS, by the bytes of an element, where they are aligned; else one.  */
#define GPR_COLUMNS_VECTOR(bytes) ((bytes) == 4 ? 2 : (bytes) < 4 ? 4 : 1)
typedef struct {
  int32_t run;                  /* parts of a unit, which are from then on one */
  bool vector;
  int64_t across;               /* units beside each other */
  double by_across;             /* 1 / across */
} gpr_columns_args;
typedef struct { int32_t threads; } gpr_group_args;             /* of a unit */
typedef struct { bool vector; } gpr_rows_args;                  /* ROWS, WARPS */
/* vector: of rows, of up to 16 bytes or 8 elements; of columns, so many neighbours of elements of so many bytes: few, since more threads are quicker
   than threads with more of them.  */
#define GPR_SHORT_COLUMNS(bytes) ((bytes) < 4 ? 4 : 1)
/* Columns of several lanes that want more registers for a thread than threads.  */
#define GPR_DENSE_LANES(lanes, bytes, merge_warp) (((lanes) == 8 && (bytes) > 4) || (merge_warp))
typedef struct {
  bool vector;
  double by_across;             /* of columns: 1 / (those of an outer, or vectors of them) */
} gpr_thread_args;
typedef struct {
  int32_t threads;              /* of a row: 1, 2, 4 … 32 */
  bool vector;
} gpr_exact_rows_args;
typedef struct {
  int32_t lanes, width;         /* of a column; columns of a tile: all, where there are several lanes */
  int32_t units;                /* a block takes at once; of one part each, or one alone */
  int32_t rows;                 /* of a part, which is not the tree's: whole steps of all lanes */
  int64_t tiles;
  double by_tiles;              /* 1 / tiles; of few 1 / (columns, or vectors of them, of an outer) */
  bool vector, few;             /* up to 8 elements: a unit is a column, or a vector of them */
} gpr_exact_columns_args;
typedef struct {
  int32_t columns;              /* a block takes at once */
  void *merged;                 /* gets accumulators, as outputs lie, where no results are wanted; or NULL */
} gpr_parts_args;
typedef union {
  gpr_lanes_args lanes;
  gpr_block_args block;
  gpr_merge_warp_args merge_warp;
  gpr_columns_args columns;
  gpr_group_args group;
  gpr_rows_args rows;
  gpr_thread_args thread;
  gpr_exact_rows_args exact_rows;
  gpr_exact_columns_args exact_columns;
  gpr_parts_args parts;
} gpr_own_args;

/* A unit is one part of one tile of one outer (BLOCK: a run of parts; COLUMNS: a run of parts of 32 threads' columns).  The parts of an output are
   merged by the block that takes the last of its tickets, or by a launch of its own (PARTS).  Each
   tile of an outer has a counter of tickets; with a merge warp one for every ticket_parts parts,
   and one more for those groups.  */
typedef struct {
  gpr_algorithm algorithm;
  int64_t row_stride, outer_stride;     /* in elements, as they lie on the device */
  int64_t inner, length;        /* of the whole problem */
  int64_t all_parts;            /* of an output */
  int32_t rows;                 /* of a part: below 2^31 for lengths below 2^44 */
  int64_t first_part, parts, first_tile, tiles, outers; /* the box */
  int64_t units;                /* parts * tiles * outers; of COLUMNS parts * across * outers */
  double by_parts, by_tiles;    /* 1 / parts, 1 / tiles */
  int64_t out_columns;          /* outputs of an outer from the box's first tile on */
  int64_t out_stride;           /* from an outer's outputs to the next's */
  int32_t lanes, lanes_log2, columns, columns_log2;     /* the last rounded up */
  void *partials;               /* [outer][part][column], where an output has several parts */
  unsigned *tickets;            /* zero between launches; or NULL */
  gpr_reduce_out out;
  gpr_own_args own;             /* the algorithm's */
  gpr_load_args load;           /* the last: a compiled expression's are longer */
} gpr_reduce_args;

/* The kernels of an instance, for cudaLaunchKernel, and what they can do.  */
typedef struct {
  const void *lanes;            /* LANES, COLUMNS, ROWS, THREAD of other columns of several lanes, PARTS */
  const void *dense;            /* BLOCK, GROUP, WARPS, STREAM, THREAD of rows and of columns of several lanes (GPR_DENSE_LANES); or NULL */
  const void *exact_rows, *exact_columns;       /* EXACT_ROWS, EXACT_COLUMNS; or NULL */
  const void *short_columns;    /* THREAD, of columns of a lane; or NULL */
  const void *lanes_of_products, *dense_of_products, *short_columns_of_products;        /* the same of two arrays' products; or NULL */
  int width;                    /* lanes of a block, as gpr_tree_width */
  int vector;                   /* elements a thread loads at once */
  int rows_vector, ragged_vector, columns_vector;       /* of EXACT_ROWS; of rows that are no whole vectors; of EXACT_COLUMNS */
  bool exact, blocks, small, columns;   /* has STREAM; BLOCK; GROUP, ROWS, WARPS and THREAD (a compiled expression's always); COLUMNS */
  bool indexed;                 /* accumulators have indices */
  int rows_at_once;             /* ROWS: of some threads */
  int row_threads;              /* WARPS, of whole vectors; 0: never */
  bool merge_warp;              /* BLOCK has one, and so GPR_MERGE_WARP_THREADS */
  int elem_bytes, acc_bytes, value_bytes;
  enum gpr_instance instance;   /* whose kernels they are */
  uint64_t turn;                /* that the kernels must be told: 0 but for extremes */
} gpr_reduce_kernels;

/* EXACT_COLUMNS of up to 8 elements: columns, or vectors of so many bytes, that a thread has on their way.  any of 14285714 x 7 singles 120 us as called, two at once 170; extremes, whose registers
   are more, take longer so.  */
#define GPR_FEW_AT_ONCE(bytes, value_bytes) ((bytes) == 4 && (value_bytes) == 1 ? 4 : (bytes) < 16 ? 2 : 1)

/* Lanes of a column that a block of BLOCK still has to merge after each thread has merged its own, v
   of them beside each other, as it can where all lanes are a block's and their number is a power
   of two.  1: columns are threads' own, and parts may merge as they come (run).  */
GPR_FN bool gpr_halves (int32_t lanes, int32_t columns, int width) { return lanes * columns == width && (columns & (columns - 1)) == 0; }
GPR_FN int32_t gpr_lanes_left (int32_t lanes, int32_t columns, int width, int v)
{
  return ! gpr_halves (lanes, columns, width) ? lanes : columns < GPR_REDUCE_THREADS * v ? GPR_REDUCE_THREADS * v / columns : 1;
}

/* Elements of a vector of EXACT_ROWS and of EXACT_COLUMNS, by the bytes of one.  Of rows of any and all that are
   no whole vectors 8 bytes, of which some may be other rows'; of other operators and of more than 2 bytes, single
   elements.  Vectors of v elements of a row that a thread of EXACT_ROWS has on their way.  */
#define GPR_EXACT_VECTOR_(bytes, most) (16 / (int) (bytes) < (int) (most) ? 16 / (int) (bytes) : (int) (most))
#define GPR_EXACT_ROWS_VECTOR(bytes) GPR_EXACT_VECTOR_ (bytes, GPR_EXACT_ROWS_VECTOR_MOST)
#define GPR_EXACT_RAGGED_VECTOR(bytes, by_word) ((by_word) && (bytes) <= 2 ? 8 / (int) (bytes) : 1)
#define GPR_EXACT_COLUMNS_VECTOR(bytes, by_word) \
  GPR_EXACT_VECTOR_ (bytes, (by_word) && (bytes) == 1 ? 2 * GPR_EXACT_COLUMNS_VECTOR_MOST : GPR_EXACT_COLUMNS_VECTOR_MOST)
#define GPR_EXACT_ROWS_LOADS(bytes, v) \
  ((v) == 1 ? (int) GPR_EXACT_LOADS / ((bytes) > 8 ? 2 : 1) : (bytes) <= 2 ? (int) GPR_EXACT_ROWS_VECTORS_SMALL : (int) GPR_EXACT_ROWS_ELEMENTS / (v))

/* NULL for an instance that is not of that group.  */
const gpr_reduce_kernels *gpr_engine_sum (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_sumsq (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_prod (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_native (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_extreme (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_bounds (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_arg (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_logical (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_moments (enum gpr_instance instance);
const gpr_reduce_kernels *gpr_engine_norm (enum gpr_instance instance);

#ifdef __cplusplus
}
#endif
#endif
