/* One reduction by several workers at once: each takes units of its tree from a
   common store until none is left.

   A unit is a part of an outer, number p + parts*o; its input is one run of
   memory, since a tree of one tile is asked for.  The CPU's threads take units
   from the front, the GPU from the back, so that neither waits for the other and
   where they meet depends on their speeds alone; the bits do not, since each
   accumulator of a part goes to its place and one thread merges them by the tree.  */

#ifndef GPR_SPLIT_H
#define GPR_SPLIT_H

#include <stdatomic.h>

#include "../core/gpr.h"

typedef struct gpr_share {
  gpr_reduction *r;             /* of the whole problem, all of it host memory */
  gpr_tree tree;
  char *partials;               /* accumulators, [output][part]; NULL: one part, results go to r */
  int acc_bytes;                /* of one of them here: a device whose differ takes none */
  int64_t unit_bytes;           /* of input: of a full unit */
  /* At most so many units from first on; 0: none is left.  Of every thread, at any time.  */
  int64_t (*take) (struct gpr_share *s, bool from_back, int64_t most, int64_t *first);
  _Atomic int64_t left, front, back;
  atomic_bool needs_fixup, stopped;
} gpr_share;

/* Opens the store of all units; and closes it: the results, where status is GPR_OK.  */
gpr_status gpr_share_open (gpr_share *s, gpr_reduction *r);
void gpr_share_close (gpr_share *s, gpr_status status);

/* Whether there is a tile only, and accumulators and results are few against the input.  */
bool gpr_splits (const gpr_reduction *r);

/* gpr_cpu_share by the threads of the CPU, but for one, which is the device's share;
   then the tree over parts.  device->share may be NULL: as the CPU backend's reduction.  */
gpr_status gpr_split_reduce (const gpr_backend *device, gpr_reduction *r);

/* The GPU in use and the CPU: a backend for reductions of host data.  */
extern const gpr_backend gpr_split_backend;

/* Of the CPU (src/cpu_backend.c): one thread's share; the tree over parts, after all shares.  */
gpr_status gpr_cpu_share (gpr_share *s);
void gpr_cpu_finish_shares (gpr_share *s);

#endif
