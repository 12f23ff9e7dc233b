/* An elementwise expression on pieces: each GPU's share of it, of its own pieces of the leaves, and of copies of what lies otherwise.  */

#ifndef GPR_SPREAD_TERMS_H
#define GPR_SPREAD_TERMS_H

#include <stdatomic.h>

#include "../core/map.h"
#include "../ranks/ranks.h"
#include "backend.h"

typedef struct gpr_terms {
  gpr_pieces z;                 /* where the elements lie, or would: then it has no memory; terms is this */
  int64_t elem_bytes;           /* of them */
  int64_t inner;                /* elements before the next of the last dimension; cuts lie at multiples of it */
  atomic_bool left;             /* some element left the real numbers */
  void *brought[GPR_MOST_DEVICES][GPR_MAP_LEAVES];
  gpr_mapping of[];             /* each device's, without z; dims end with as many of the last dimension as it has */
} gpr_terms;

/* Where the elements of m, so many, are to lie: as one of its leaves does, or evenly.  */
void gpr_terms_lay (const gpr_mapping *m, int64_t count, gpr_pieces *z);
/* Of m, all of whose dimensions that can be are joined, so divided; to be closed.  *t <- NULL: cuts are in the midst of its last dimension's.  */
gpr_status gpr_terms_open (gpr_terms **t, const gpr_mapping *m, const gpr_pieces *z);
/* Of an expression that is computed to no memory: as gpr_terms_lay has it.  GPR_UNSUPPORTED: it is to be computed first; or it is only asked.  */
gpr_status gpr_terms_open_alone (gpr_terms **t, const gpr_mapping *m);
void gpr_terms_close (gpr_terms *t);    /* NULL is fine */
/* Elements of piece k to that device's memory, by its thread, or where it is selected: from first to before end, multiples of inner.  */
gpr_status gpr_terms_make (gpr_terms *t, int k, int64_t first, int64_t end, void *z);

/* Piece k of them for ranks, which read some to the host (gpr_making.read).  */
typedef struct { gpr_making m; gpr_terms *terms; int k; } gpr_terms_making;
gpr_terms_making gpr_terms_of_rank (gpr_terms *t, int k);

#endif
