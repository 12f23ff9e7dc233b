/* Cumulative sums, products and extremes (ops/scan.h) on the GPU: arguments of the kernels.  */

#ifndef GPR_ENGINE_SCAN_H
#define GPR_ENGINE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "../ops/scan.h"

/* Columns are x[c + inner*(r + length*o)].

   GPR_SCAN_WALK    a thread goes along a column, in the built-in's order
   GPR_SCAN_WALK_MANY   the same where there are many, long ones in the order of tiles, long products in one of both; _WALK_TWICE: where rows begin in the middle of a sector
                    of memory, and a warp does some of its columns twice to write whole ones
   GPR_SCAN_STAGED  the same, by way of shared memory: whole outers that lie beside each other
   GPR_SCAN_TILED   long columns in one pass: a block takes a tile, and what goes before it
                    from the blocks of the tiles before
   GPR_SCAN_IN_ORDER    of long sums and products, columns in the built-in's order, until they have ended
                    (ops/scan.h): before TILED, of products that seem to leave the range, and after it, the outers in
                    doubt.  TILED then does the rest
   GPR_SCAN_VALUES_TILED, _WALK_MANY, _WALK_TWICE    of extremes whose indices nobody wants

   Of rows behind others, which lie elsewhere, TILED makes the tiles' totals first; GPR_SCAN_CHAIN goes from tile to tile, in
   few steps of a thread for each column; then TILED makes the results.  WALK does such rows too, in the built-in's order.  */
typedef enum { GPR_SCAN_WALK, GPR_SCAN_STAGED, GPR_SCAN_TILED, GPR_SCAN_IN_ORDER, GPR_SCAN_VALUES_TILED, GPR_SCAN_CHAIN, GPR_SCAN_VALUES_CHAIN,
               GPR_SCAN_WALK_MANY, GPR_SCAN_VALUES_WALK_MANY, GPR_SCAN_WALK_TWICE, GPR_SCAN_VALUES_WALK_TWICE, GPR_SCAN_WAYS } gpr_scan_way;
typedef enum { GPR_SCAN_AT_ONCE, GPR_SCAN_TOTALS, GPR_SCAN_KNOWN } gpr_scan_stage;      /* of TILED; KNOWN: states have what goes before each tile */
enum { GPR_SCAN_TOTAL = 1, GPR_SCAN_UP_TO = 2 };        /* what a state says of a tile, in its upper half; 0: nothing yet */
/* Of WALK, WALK_MANY and _TWICE: threads of a block; of the last, columns done twice of 32; and so threads of an outer.  Of smaller elements a sector has too many.  */
enum { GPR_SCAN_WALKERS = 128, GPR_SCAN_SECTOR = 32 };
#define GPR_SCAN_TWICE(bytes, indices) ((indices) ? GPR_SCAN_SECTOR / (int) sizeof (double) : (bytes) < 4 ? 0 : GPR_SCAN_SECTOR / (int) (bytes))
GPR_FN int64_t gpr_scan_walkers (int64_t inner, int twice) { return twice ? (inner + 32 - twice - 1) / (32 - twice) * 32 : inner; }
/* CHAIN: of a block; bytes of totals that it brings at once.  Its shared memory has a row of accumulators more.  */
enum { GPR_SCAN_CHAIN_THREADS = 128, GPR_SCAN_WINDOW = 8192 };
/* Those that are compiled at run time: WALK; STAGED; TILED, of tiles of a single column, of whole rows of all columns, and of some columns; ANY: one of the package's.  */
typedef enum { GPR_SCAN_ANY_KERNEL, GPR_SCAN_WALKS, GPR_SCAN_STAGES, GPR_SCAN_OF_COLUMN, GPR_SCAN_OF_ROWS, GPR_SCAN_OF_BANDS } gpr_scan_kernel;
/* Of a block of IN_ORDER: elements of a stage, places of one, rows after which it first asks whether to go on, of all of its columns and of
   each at least; warps that carry, beside the one that multiplies.  Stages on their
   way: as many as fit the shared memory of every GPU.  */
enum { GPR_SCAN_STAGE = 1024, GPR_SCAN_PITCH = GPR_SCAN_STAGE + 32, GPR_SCAN_SAMPLE = 256, GPR_SCAN_LEAST_SAMPLE = 32, GPR_SCAN_CARRIERS = 4,
       GPR_SCAN_IN_ORDER_THREADS = 32 * (1 + GPR_SCAN_CARRIERS) };
#define GPR_SCAN_STAGES_OF(bytes) ((bytes) == 16 ? 2 : 4)
/* What is known of a stage when it has been multiplied.  */
typedef struct {
  int done[32];                 /* of each column, rows */
  unsigned live;                /* columns that go on, as bits */
} gpr_scan_verdict;
#define GPR_SCAN_IN_ORDER_SHARED(bytes) (GPR_SCAN_STAGES_OF (bytes) * GPR_SCAN_PITCH * (bytes) + 2 * sizeof (gpr_scan_verdict))
/* Of an outer: in a column the product has left the range; a column is not done that must be then.  */
enum { GPR_SCAN_LOST = 1, GPR_SCAN_OPEN = 2 };

/* A column in the built-in's order.  */
typedef struct {
  int64_t rows;                 /* that are done */
  double all;                   /* an accumulator: what it has ended with, if these are not all */
} gpr_scan_end;

typedef struct {
  const void *x;
  void *y;
  double *index;                /* rows from 1, or NULL */
  int64_t inner, length, outer;
  int64_t outers;               /* STAGED, and TILED where a column is less than a tile: of a block */
  int64_t tiles, works;         /* of a column; of all columns */
  unsigned long long *states;   /* [outer][tile][column][word]: what blocks tell each other of a tile, its total
                                   first and then that of all up to it; zero at first.  Each word has 4
                                   bytes of an accumulator, and how far that is: no fence is needed  */
  unsigned *ticket;             /* zero at first */
  unsigned *settled;            /* columns whose rows are all done by IN_ORDER; outers that are LOST: zero at first */
  unsigned *heads;              /* of outers, zero at first: LOST and OPEN.  LOST alone: all columns are in `ends'.  Or NULL */
  gpr_scan_end *ends;           /* [outer][column] */
  int round;                    /* 0: all outers; then those whose doubt it is */
  int *any;                     /* on the host: the next round, where an outer is in doubt; zero at first */
  int *doubt;                   /* of outers, zero at first: the round that is to do it again, since an operation overflowed, a product underflowed
                                   or does not rest any more */
  bool whole;                   /* IN_ORDER: all rows */
  bool rests;                   /* IN_ORDER: until a product seems to rest (ops/scan.h) */
  int lanes;                    /* IN_ORDER: columns of a block, a power of two, 32 where they lie apart */
  unsigned char *modes;         /* WALK_MANY of long products: of each warp, whether it has gone in the built-in's order in round 0; else NULL.  doubt says of outers, in
                                   round 1, which order is theirs */
  int64_t limit;                /* IN_ORDER, of round 0: rows, at most */
  int patience;                 /* and how many quarters of the range a column must seem to go to, to be done */
  uint64_t turn;                /* of extremes: gpr_turn */
  gpr_scan_stage stage;
  bool goes_on;                 /* there are rows before these, of one outer index: */
  int64_t above;                /* how many: extremes' indices count them */
  const void *top;              /* the columns' first row, if it is not x's; or NULL */
  void *level;                  /* CHAIN, WALK: accumulators of columns: of the rows before, then with these; or NULL */
  int64_t some;                 /* WALK: of the columns, these; 0: all */
#ifdef GPR_COMPILED_TERMS       /* kernels compiled at run time */
  gpr_terms_args terms;
#endif
} gpr_scan_args;

#ifdef __cplusplus
extern "C"
#endif
/* NULL: there is none.  *tile_bytes: of shared memory of a block of TILED.  */
const void *gpr_engine_scan (gpr_scan_op op, enum gpr_elem elem, gpr_scan_way way, size_t *tile_bytes);

#endif
