/* Between scan.c, which says who takes which rows of which columns, and the loops of each operator and class (isa/scan.c).  */

#ifndef GPR_CPU_SCAN_TILE_H
#define GPR_CPU_SCAN_TILE_H

#include "cpu.h"
#include "../core/scan.h"

enum { GPR_SCAN_WIDE = 1024, GPR_SCAN_WIDEST = 4096 };  /* columns that are gone through beside each other, at most; short ones */
enum { GPR_SCAN_SIDE = 8 };    /* segments of one column, or short columns, that are */
enum { GPR_SCAN_GROUPS = GPR_SCAN_THREADS / GPR_SCAN_FOLD + GPR_SCAN_COLUMNS };

/* A tile: some rows of columns side by side; at: its first column's first row of all.  */
typedef struct {
  int64_t at, from;             /* element, row */
  int columns, rows;
  const void *x, *first;        /* its elements, from one row to the next step of them; of extremes, the columns' first of all */
  int64_t step;
  void *totals, *groups;        /* accumulators, [segment or group][column] */
  int alive;                    /* rows before the first from which on all products are 0, and only have a sign; given: 0 where what comes before is 0, else rows */
  bool *lost;                   /* true: the columns must be done again */
} gpr_scan_tile;

/* What an operator does to elements of a class; accumulators are of acc_bytes, segments have so many rows (steps).  */
typedef struct {
  gpr_scan_op op;
  enum gpr_elem elem;
  int acc_bytes, steps;
  /* Whole columns in the built-in's order, of some outers after each other.  */
  void (*walk) (const gpr_scanning *s, const gpr_scan_tile *t, int64_t outers);
  /* Of a tile, what its segments and groups, and (own) its columns come to; then, with what comes before it (or NULL), its rows.  */
  void (*segments) (const gpr_scanning *s, gpr_scan_tile *t, void *own);
  void (*rows) (const gpr_scanning *s, gpr_scan_tile *t, const void *before);
  /* Both in one reading; before: of the tiles before, then with this one.  Not 0: nothing is done, and the tile is in doubt.  */
  int (*down) (const gpr_scanning *s, const gpr_scan_tile *t, void *before);
  void (*merge) (void *a, const void *b);       /* b of later rows */
  bool (*are_zero) (const void *products, int columns); /* so that of what follows the sign is enough, most often; of real products alone, else NULL */
} gpr_cpu_scan_kind;

/* Whether an outer's columns, which begin with element at, seem to leave the range; and whether one has in the built-in's order, so clearly that it does in any.  */
typedef struct {
  bool (*seem_to_leave) (const gpr_scanning *s, int64_t at);
  bool (*have_left) (const gpr_scanning *s, int64_t at);
} gpr_cpu_scan_range;

/* Of an instruction set; NULL: there is no such operator.  range: of products of real numbers alone.  */
struct gpr_cpu_scans {
  const gpr_cpu_scan_kind *(*kind) (gpr_scan_op op, enum gpr_elem elem);
  const gpr_scan_parts *(*parts) (gpr_scan_op op, enum gpr_elem elem);
  const gpr_cpu_scan_range *(*range) (gpr_scan_op op, enum gpr_elem elem);
};

#endif
