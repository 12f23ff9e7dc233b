/* The tree of every reduction: which elements meet, and in what order.

   It is a function of the accumulator's size and of the sizes inner, length and outer alone,
   never of the device, the grid, the number of threads or timing; so two runs, two GPUs
   and the CPU give the same bits.  The rows of an output, its elements, are taken as follows:

     part p      the rows p*R … p*R + R - 1: the unit of work.  A GPU's block, a
                 CPU's thread or a streamed chunk reduces whole parts.
     lane q      of k in a part: the rows p*R + q, p*R + q + k, …, one after the
                 other, beginning with the identity.  (Of ordered operators the
                 R/k consecutive rows from p*R + q*R/k on.)
     in a part   lanes learn from the first (id_lead, ../ops/traits.h), if there are
                 several, and merge by halving: q takes q + k/2, then q + k/4, …, q + 1.
                 (Of ordered operators by doubling: 2q takes 2q + 1, and so on.)
     over parts  neighbours merge pairwise, level by level; an odd last one
                 passes on.

   k is a power of two; up to 8 elements are taken by one lane, k = 1.  A part of all
   the columns (inner of them) has k*inner lanes, at most gpr_tree_width; where the columns
   alone are more, k = 1 and they are cut into tiles of that width or, of wide accumulators, of
   such that all are as wide, or nearly.

   Changing anything here changes results in their last bits: raise
   GPR_TREE_VERSION and write it into NEWS.  */

#ifndef GPR_TREE_H
#define GPR_TREE_H

#include <stdint.h>

#define GPR_TREE_VERSION 4
#define GPR_MAX_PARTS 16384

typedef struct {
  int64_t inner, length, outer;      /* x[c + inner*(r + length*o)], reduced over r */
  int64_t rows;         /* R, rows of a part: k times a power of two */
  int64_t parts;        /* parts of an output; 1 when n is 0 */
  int64_t tiles;        /* tiles of columns */
  int32_t lanes;        /* k, row lanes of a column */
  int32_t columns;      /* columns of a tile (the last may have fewer) */
} gpr_tree;

/* Lanes of one unit of work: 8 KiB of accumulators, a quarter of an L1 cache, or more where one is
   larger than 32 bytes.  */
static inline int32_t gpr_tree_width (int64_t acc_bytes)
{
  return acc_bytes <= 8 ? 1024 : acc_bytes <= 16 ? 512 : 256;
}

static inline gpr_tree gpr_tree_make (int64_t acc_bytes, int64_t l, int64_t n, int64_t u)
{
  gpr_tree t;
  int32_t width = gpr_tree_width (acc_bytes);
  int64_t steps = acc_bytes > 16 ? 256 : 64, units;     /* long merges: more steps for one, fewer lanes */

  t.inner = l;
  t.length = n;
  t.outer = u;
  t.columns = l < width ? (int32_t) (l > 0 ? l : 1) : width;
  t.tiles = (l + t.columns - 1) / t.columns;
  t.lanes = n <= 8 ? 1 : n <= (acc_bytes > 16 ? 512 : 128) ? 8 : n <= 2048 ? 64 : 1024;
  while (t.lanes > 1 && (int64_t) t.lanes * t.columns > width)
    t.lanes /= 2;

  /* The steps of a lane: fewer where there would be too few units to fill a GPU,
     more where an output would have too many parts.  */
#define GPR_PARTS_(steps) ((n + t.lanes * (steps) - 1) / (t.lanes * (steps)))
  units = u * t.tiles;
  while (steps > 8 && GPR_PARTS_ (steps) * units < 1024)
    steps /= 2;
  while (acc_bytes > 8 && n <= 32 * t.lanes && GPR_PARTS_ (steps) > 1)          /* one launch, not two */
    steps *= 2;
  while (GPR_PARTS_ (steps) > GPR_MAX_PARTS)
    steps *= 2;
  t.rows = t.lanes * steps;
  t.parts = n > 0 ? GPR_PARTS_ (steps) : 1;
#undef GPR_PARTS_
  /* As few threads of the last tile idle as of the others; whose tile a column is changes no bit.  */
  if (t.tiles > 1 && acc_bytes > 16)
    t.columns = (int32_t) (((l + t.tiles - 1) / t.tiles + 31) / 32 * 32);
  return t;
}

#endif
