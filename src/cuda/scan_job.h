/* Between scan.c, whole columns, and scan_piece.c, rows behind others.  */

#ifndef GPR_CUDA_SCAN_JOB_H
#define GPR_CUDA_SCAN_JOB_H

#include "problems.h"
#include "../../kernels/engine/scan.h"
#include "../core/scan.h"

/* An instance of kernels/ops/scan.h.  */
typedef struct {
  gpr_scan_op op;
  enum gpr_elem elem;
  int acc_bytes, elem_bytes, steps;
} gpr_scan_kind;
const gpr_scan_kind *gpr_scan_kind_of (const gpr_scanning *p, bool values);     /* values: of extremes without indices; NULL: there is none */

/* Of a launch of TILED shared memory is what a tile has.  */
gpr_status gpr_scan_launch (gpr_cuda_state *s, const gpr_scanning *p, gpr_scan_way way, int64_t blocks, int threads, size_t shared, const gpr_scan_args *a);

static inline size_t
gpr_scan_state_bytes (const gpr_scan_kind *kind, int64_t columns, int64_t tiles)
{
  return ((size_t) (columns * tiles) * (size_t) ((kind->acc_bytes + 3) / 4) * sizeof (uint64_t) + 15) / 16 * 16;
}

#endif
