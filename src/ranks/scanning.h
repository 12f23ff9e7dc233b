/* A cumulative function along the divided dimension at work (scan.c, scan_tiles.c, scan_pieces.c).  */

#ifndef GPR_RANKS_SCANNING_H
#define GPR_RANKS_SCANNING_H

#include "../core/scan.h"
#include "../cpu/cpu.h"
#include "parts.h"
#include "ranks.h"

typedef struct {
  gpr_scanning own;             /* of this rank's rows */
  const gpr_piece *piece;       /* they */
  const gpr_backend *home;      /* does them where they lie; NULL: the CPU, in host memory */
  void *y_here, *index_here;    /* results in host memory that belong elsewhere */
  const gpr_scan_parts *parts;
  gpr_world world;
  const int64_t *starts;        /* rows of each rank */
  gpr_span rows, tiles;         /* this rank's; that it owns */
  int64_t tile_rows, whole;     /* rows of a tile, of all */
  size_t row_bytes, level_bytes;        /* of a row's elements, and accumulators */
  char *given;                  /* rows at the beginning of a tile that begins before, then their results */
  size_t given_bytes;
  gpr_post post;                /* rows on their way, or results */
  bool leaks;                   /* memory of such is still written to */
  char *x, *y;                  /* the last tile that it owns, where some of it is others', in host memory */
  gpr_span last;                /* its rows */
  bool shares;                  /* there is one */
  const gpr_near *near;         /* those tiles' memory on devices; or NULL: rows are sent */
  int64_t elsewhere;            /* rows at the beginning whose results their tile's owner puts where they belong */
  char *level, *then, *total;   /* what columns have come to: here; before the last tile; that adds */
  bool lost;
} gpr_scan_over_ranks;

static inline gpr_status
gpr_scan_no_memory (size_t bytes)
{
  return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
}

/* ---- from rank to rank: scan_pieces.c ---- */
/* Of level, so many bytes from there on: what the rows or tiles before this rank's come to, if there are any; and that for the next rank.  */
gpr_status gpr_scan_take_before (const gpr_scan_over_ranks *w, gpr_span mine, size_t first, size_t bytes);
gpr_status gpr_scan_pass_on (const gpr_scan_over_ranks *w, gpr_span mine, size_t first, size_t bytes);

/* ---- where the rows lie: scan_pieces.c ---- */
/* The rows, and room for their results, in host memory; and these to where they belong.  */
gpr_status gpr_scan_come_here (gpr_scan_over_ranks *w);
gpr_status gpr_scan_go_back (gpr_scan_over_ranks *w, const gpr_scanning *s, gpr_status status);
/* Results of rows, from this one of the rank's own on.  */
gpr_status gpr_scan_put_rows (const gpr_scan_over_ranks *w, int64_t row, const void *from, size_t bytes);
/* What the device has not begun is done here: home is NULL then.  */
gpr_status gpr_scan_try_there (gpr_scan_over_ranks *w, gpr_scan_piece *p);

/* ---- sums and products of many rows: scan_tiles.c ---- */
gpr_status gpr_scan_by_tiles (gpr_scan_over_ranks *w);

#endif
