/* Loops of the cumulative functions on the CPU (scan.c) for each operator and class.  */

#ifndef GPR_CPU_SCAN_H
#define GPR_CPU_SCAN_H

#include "loops.h"
#include "../../core/scan.h"

enum { GPR_SCAN_GROUPS = GPR_SCAN_THREADS / GPR_SCAN_FOLD + GPR_SCAN_COLUMNS };

/* A tile: some rows of columns side by side; at: its first column's first row of all.  */
typedef struct {
  int64_t at, from;             /* element, row */
  int columns, rows;
  void *totals, *groups;        /* GPR_SCAN_THREADS, GPR_SCAN_GROUPS accumulators, [segment or group][column] */
  bool *lost;                   /* true: the columns must be done again */
} gpr_scan_tile;

#define GPR_SCAN_ONE(id, op, T) + 1
enum { GPR_SCAN_KINDS = 0 GPR_SCANS (GPR_SCAN_ONE) };
typedef struct {
  gpr_scan_op op;
  enum gpr_elem elem;
  int acc_bytes, steps;
  void (*walk) (const gpr_scanning *s, int64_t at, int columns);
  void (*segments) (const gpr_scanning *s, const gpr_scan_tile *t, void *own);
  void (*rows) (const gpr_scanning *s, const gpr_scan_tile *t, const void *before);
  void (*merge) (void *a, const void *b);
} gpr_cpu_scan_loops;
struct gpr_cpu_scans { gpr_cpu_scan_loops of[GPR_SCAN_KINDS]; };

#endif
