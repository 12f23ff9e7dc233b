/* Cumulative sums, products and extremes.  */

#ifndef GPR_SCAN_H
#define GPR_SCAN_H

#include "gpr.h"
#include "../../kernels/ops/scan.h"

/* y[c + inner*(r + length*o)] is the operator over rows 0 … r of x.  Sums and products are of
   floating-point elements only.  */
typedef struct gpr_scanning {
  gpr_scan_op op;
  enum gpr_elem elem;
  int64_t inner, length, outer;
  const void *x;
  bool x_resident;
  const struct gpr_mapping *terms;      /* its elements, of elem's class and without z, are x, which is NULL; or NULL */
  bool fused;                   /* out, of terms: done; else nothing is, and y holds anything */
  void *y;
  double *index;                /* rows of the extremes, from 1; or NULL */
  bool out_resident;            /* of y and index */
} gpr_scanning;

/* Rows that lie by themselves; none: 0.  */
typedef struct { const void *x; void *y; int64_t rows; } gpr_scan_rows;

/* Some rows of the columns of one outer index.  The rows before them lie elsewhere, and whoever has those says what they come to.  */
typedef struct gpr_scan_piece {
  gpr_scanning s;               /* these rows; x, y and index are the backend's memory */
  int64_t above;                /* rows before them */
  gpr_scan_rows tile;           /* of a sum or product in tiles: one more, behind these, which are whole tiles then */
  bool in_order;                /* a sum or product in the built-in's order; else from a row on that begins a tile of the whole column */
  void *level;                  /* host memory, or (level_there) the backend's: a CPU accumulator for each column */
  bool level_there;             /* and top */
  const void *top;              /* of extremes, host memory or the backend's: the columns' first row, once `before' has returned */
  /* Some columns' level: it is to be what they have come to before, if any rows are; then it is what they have come to.  Each once or for
     some columns after others, in order.  */
  gpr_status (*before) (void *of, int64_t column, int64_t columns);
  gpr_status (*after) (void *of, int64_t column, int64_t columns);
  gpr_status (*meanwhile) (void *of);   /* or NULL: while the results are made */
  void *of;
  bool begun;                   /* out: `before' was called; else nothing is done, and somebody else may */
  bool lost;                    /* out: all columns must be done in the built-in's order */
} gpr_scan_piece;
/* Columns that are passed on together where it is done in order, so that who comes after can begin.  */
static inline int64_t
gpr_scan_passed (int64_t inner)
{
  const int64_t least = 1 << 15, some = (inner + 7) / 8;
  return some > least ? some : least;
}

/* Of columns whose rows lie in several pieces of memory, one outer index (CPU backend).  An accumulator has what a column comes to.  */
typedef struct {
  int acc_bytes, steps;         /* rows of a segment: gpr_scan_tile_rows */
  void (*merge) (void *a, const void *b);       /* b of later rows */
  /* Sums and products: rows in the built-in's order; before: what each column has come to, if any rows are before, then with these.  */
  void (*go_on) (const gpr_scanning *s, bool any, void *before);
  /* Extremes: what the columns of results have come to; and results, of rows behind others, put right: from: rows before, first: the
     first row of all, before: what each column has come to there.  */
  void (*last) (const gpr_scanning *s, int64_t from, void *own);
  void (*put_behind) (const gpr_scanning *s, int64_t from, const void *first, const void *before);
} gpr_scan_parts;

/* NULL, with a message: there is no such operator.  */
const gpr_scan_parts *gpr_cpu_scan_parts (gpr_scan_op op, enum gpr_elem elem);
/* Of a sum over more than GPR_SCAN_SHORT rows in all, those from first on, which begins a tile; x and y lie as if row 0 were there.  What each tile
   adds up to, [tile][column] (y gets anything).  */
gpr_status gpr_cpu_scan_totals (const gpr_scanning *s, int64_t first, void *totals);
/* The results, with what the columns have come to before; or *lost <- true, and all columns must be done in the built-in's order.  */
gpr_status gpr_cpu_scan_piece (gpr_scanning *s, int64_t first, const void *before, bool *lost);

#endif
