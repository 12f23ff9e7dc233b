/* Cumulative sums, products and extremes (ops/scan.h) on the GPU: arguments of the kernels.  */

#ifndef GPR_ENGINE_SCAN_H
#define GPR_ENGINE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "../ops/scan.h"

/* Columns are x[c + inner*(r + length*o)].

   GPR_SCAN_WALK    a thread goes along a column, in the built-in's order
   GPR_SCAN_STAGED  the same, by way of shared memory: whole outers that lie beside each other
   GPR_SCAN_TILED   long columns in one pass: a block takes a tile, and what goes before it
                    from the blocks of the tiles before
   GPR_SCAN_AGAIN   of long sums and products, the columns of the outers in doubt, in the built-in's order: a
                    block a column, until it has ended (ops/scan.h).  The second time the first row alone that AFTER has left:
                    there a column that has ended becomes NaN
   GPR_SCAN_AFTER   the rows after that, from what TILED gave
   GPR_SCAN_VALUES_TILED    TILED of extremes whose indices nobody wants  */
typedef enum { GPR_SCAN_WALK, GPR_SCAN_STAGED, GPR_SCAN_TILED, GPR_SCAN_AGAIN, GPR_SCAN_AFTER, GPR_SCAN_VALUES_TILED } gpr_scan_way;
enum { GPR_SCAN_CHUNK = 2048, GPR_SCAN_CHUNK_HEAD = 32 };       /* rows that AGAIN has in shared memory; bytes before them */
enum { GPR_SCAN_DOUBT = 1, GPR_SCAN_LEFT };             /* an outer to be done again; and a second time, where a row does not follow */

/* A column in doubt.  */
typedef struct {
  int64_t row;                  /* rows that are done in the built-in's order */
  unsigned long long left;      /* the first row after that does not follow from them; length: none */
  double all[2];                /* the accumulator there */
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
  int *any;                     /* on the host: GPR_SCAN_DOUBT or GPR_SCAN_LEFT where any outer is, zero at first */
  unsigned char *kinds;         /* [outer][tile] of single columns: the kind (ops/scan.h) that all results of a tile have, zero at first; or NULL */
  bool keeps;                   /* TILED keeps the sign of what is lost to overflow or underflow (ops/scan.h), for AFTER to know what follows.
                                   Without, most results after a column has ended are right at once; where one is not, the outer is
                                   GPR_SCAN_LEFT, and TILED is to begin anew */
  int *doubt;                   /* of outers, zero at first: GPR_SCAN_DOUBT, and GPR_SCAN_LEFT where AFTER has left rows */
  gpr_scan_end *ends;           /* [outer][column], of outers in doubt */
  bool resume;                  /* AGAIN: the second time */
  uint64_t turn;                /* of extremes: gpr_turn */
} gpr_scan_args;

#ifdef __cplusplus
extern "C"
#endif
/* NULL: there is none.  *tile_bytes: of shared memory of a block of TILED.  */
const void *gpr_engine_scan (gpr_scan_op op, enum gpr_elem elem, gpr_scan_way way, size_t *tile_bytes);

#endif
