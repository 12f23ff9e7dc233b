/* What GPUs share of a cumulative function: sorted.c.  */

#ifndef GPR_SPREAD_TILES_H
#define GPR_SPREAD_TILES_H

#include "division.h"

typedef struct {
  gpr_near near;                /* first: what the rank knows of it */
  const gpr_pieces *x, *y;
  int64_t from, bytes;          /* of the tile, or the first row, in these */
  int device;
} gpr_tile;
typedef struct { int count; gpr_tile of[GPR_MOST_DEVICES]; } gpr_tiles;        /* of each GPU; 0: they go by way of the host */

/* Before the threads, and after them.  */
gpr_status gpr_tiles_open (gpr_tiles *g, const struct gpr_scanning *s, const gpr_division *d);
void gpr_tiles_close (gpr_tiles *g);

#endif
