/* One reduction by several workers at once: each takes units of its tree from a common store
   until none is left.

   A unit is one part of one outer index, number p + parts*o; its input is one run of memory,
   since only trees of one tile are shared.  The CPU's threads take units from the front, the
   GPUs take them from the back, so that none waits for another.  Where they meet depends on
   their speeds.  The bits do not: every part's accumulator goes to its own place, and they are
   merged by the tree at the end.  */

#ifndef GPR_SHARE_H
#define GPR_SHARE_H

#include <stdatomic.h>

#include "gpr.h"

typedef struct gpr_share {
  gpr_reduction *r;             /* of the whole problem, all of it host memory */
  gpr_tree tree;
  char *partials;               /* accumulators, [output][part]; NULL: one part, results go to r */
  int acc_bytes;                /* of an accumulator here: a device with another size takes no units */
  int64_t unit_bytes;           /* input of a full unit */
  /* Takes at most so many units, from first on; 0: none is left.  Any thread may call it.  */
  int64_t (*take) (struct gpr_share *s, bool from_back, int64_t most, int64_t *first);
  int takers;                   /* from the back, at once; 0: one */
  _Atomic int64_t left, front, back;
  atomic_bool needs_fixup, stopped;
} gpr_share;

/* Threads that copy for a GPU: more are slower, 10 threads 48.9 GB/s where 8 have 50.4 (H200, 16 cores, PCIe 5).  For several GPUs, through
   smaller buffers (cuda/device.h), some more are faster; and where the CPU computes, fewer (bench/copies.cu, doc/experiments.md).  */
enum { GPR_COPY_THREADS = 8, GPR_COPY_THREADS_AMONG = 10, GPR_COPY_THREADS_BESIDE = 4 };

/* A GPU that takes units in a thread of its own.  */
typedef struct gpr_taker {
  int device;                   /* from 1 */
  int threads;                  /* that copy for it, at most */
  int64_t bytes;                /* of the buffers that they copy through, at most; 0: as of a GPU by itself */
  int64_t units;                /* out: that it took */
  double transfer_ms, kernel_ms;        /* out */
} gpr_taker;

#endif
