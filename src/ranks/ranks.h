/* A backend whose arrays are divided over ranks along a dimension: this one's piece, in host memory or a device's.  The
   gateway's code above it runs alike on all ranks, with the sizes of the whole array.

   A reduction over the divided dimension has the tree of the whole array (parts.h) and its results on every rank.  Over
   others nothing is communicated, and the backend of the piece does it (gpr_reduction.whole_outer).  A piece on a device is read where it lies; it is
   copied to the host where columns are dealt out (columns.h), or the device has no memory or no way.  */

#ifndef GPR_RANKS_H
#define GPR_RANKS_H

#include "parts.h"
#include "world.h"

extern const gpr_backend gpr_ranks_backend;

/* A cumulative function of ranks whose devices copy from each other.  Of a sum or product, a tile that several have is done by its owner's device in memory of its
   own, to which its rows come, and from which results go.  What columns come to goes from device to device too; messages only say that it is there.
   GPR_UNSUPPORTED: few columns leave the range, and without this the ranks do them by way of the host.  */
typedef struct gpr_near {
  void *x, *y;                  /* for the last tile that this rank owns, if others have some of it; else NULL.  Of extremes x alone, for the first row of all,
                                   unless this rank has it */
  void *level;                  /* an accumulator for each column */
  gpr_status (*bring) (const struct gpr_near *n);       /* all rows of the tile, or that row, to x */
  gpr_status (*put) (const struct gpr_near *n);         /* its results from y */
  /* Bytes of level from there on: from those of the rank before, and then to the host, unless that is NULL; and from the host.  */
  gpr_status (*take_level) (const struct gpr_near *n, size_t first, size_t bytes, void *host);
  gpr_status (*put_level) (const struct gpr_near *n, size_t first, size_t bytes, const void *host);
} gpr_near;

/* Elements that lie nowhere: an expression's, which are made on the device where they are read.  */
typedef struct gpr_making {
  const struct gpr_mapping *terms;      /* of this rank's, as gpr_reduction has them */
  gpr_status (*read) (const struct gpr_making *m, size_t first, size_t bytes, void *to);        /* gpr_piece_read does it */
} gpr_making;

/* The memory of such an array, as gpr_array.data and gpr_reduction.x have it.  */
typedef struct {
  const void *data;             /* this rank's elements */
  const int64_t *starts;        /* where each rank's begin along the divided dimension; the last is the whole length */
  int64_t outer;                /* the product of the dimensions after that one */
  bool own;                     /* data is this backend's to free */
  const gpr_backend *home;      /* whose memory data is; NULL: the host's */
  const gpr_making *making;     /* of home, in place of data, for reductions and counts; or NULL */
  const gpr_near *near;         /* or NULL; of all ranks or none */
  void *here;                   /* a copy in host memory, once one was wanted; or NULL */
} gpr_piece;

static inline bool
gpr_on_device (const gpr_piece *p)
{
  return p->home && p->home->on_device;
}
/* Some bytes of it, to host memory.  */
gpr_status gpr_piece_read (const gpr_piece *p, size_t first, size_t bytes, void *to);
/* All its bytes in host memory: where they are, or a copy, which the piece keeps.  */
gpr_status gpr_piece_here (const gpr_piece *p, size_t bytes, const void **data);
void gpr_piece_forget (gpr_piece *p);   /* the copy */

/* How many of a problem's rows, so many over the divided dimension, are this rank's.  */
static inline int64_t
gpr_own_rows (const gpr_piece *p, const gpr_world *w, int64_t length)
{
  return length / p->starts[w->size] * (p->starts[w->rank + 1] - p->starts[w->rank]);
}

/* Whether columns are dealt out, by way of the host, to so many ranks.  */
bool gpr_deals_exact (const gpr_reduction *r, int ranks);
bool gpr_deals_selection (const struct gpr_selection *s);

/* Whether a piece of so many bytes of a reduction is for its device; the host takes smaller ones.  */
bool gpr_is_for_device (int64_t bytes);

/* fused <- false, of making: it does not count it on this rank, and the counts are of no use on any.  */
gpr_status gpr_ranks_count (gpr_counting *c);
gpr_status gpr_ranks_exact (gpr_reduction *r);
gpr_status gpr_ranks_scatter (struct gpr_scattering *p);
gpr_status gpr_ranks_scan (struct gpr_scanning *s);
gpr_status gpr_ranks_select (struct gpr_selection *s);
gpr_status gpr_ranks_order (struct gpr_ordering *o);
gpr_status gpr_ranks_rank (struct gpr_ranking *r);
gpr_status gpr_ranks_reduce (gpr_reduction *r);
/* The end of it, where each rank has the subtrees of its own parts, one after the other: takes the accumulators over.  */
gpr_status gpr_ranks_merge (gpr_reduction *r, int64_t *starts, const gpr_forest *own, char *accumulators);
gpr_status gpr_ranks_column (const gpr_reduction *r, int64_t output, void *elements);

#endif
