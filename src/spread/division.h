/* How the pieces of an array lie to a problem x[c + inner*(r + length*o)], and what each GPU's thread does of it.  */

#ifndef GPR_SPREAD_DIVISION_H
#define GPR_SPREAD_DIVISION_H

#include "backend.h"
#include "terms.h"

typedef enum {
  GPR_DIVIDED_ANYHOW,           /* the whole comes to one GPU, or to the host */
  GPR_DIVIDED_ALONG,            /* each has some of the rows r, of one outer index */
  GPR_DIVIDED_OUTER             /* each has some of the outer indices */
} gpr_divided_how;

/* Who does what is divided along.  Each row is for want of the one below: memory, or kernels.  */
typedef enum {
  GPR_BY_RANKS,                 /* each GPU its rows, together with the others */
  GPR_BY_ONE,                   /* one GPU all of it, in a copy */
  GPR_DEALT_OUT                 /* each GPU all rows of some columns, of which each has one result, whatever their number */
} gpr_divided_by;

typedef struct {
  gpr_divided_how how;
  gpr_divided_by by;
  bool if_room;                 /* the whole comes to the host only if twice its bytes are free there; else GPR_OUT_OF_MEMORY */
  const gpr_pieces *x, *y;      /* y: a second factor, or NULL */
  const void *host;             /* x, where it is host memory */
  int64_t inner, length, outer, elem_bytes;
  int64_t starts[GPR_MOST_DEVICES + 1];         /* rows or outer indices before each piece */
} gpr_division;
gpr_division gpr_division_of (const void *x, bool resident, const void *y, int64_t elem_bytes, int64_t inner, int64_t length, int64_t outer);

/* What a thread has.  */
typedef struct {
  const gpr_division *d;
  int k;                        /* device; -1: the whole problem, by the calling thread */
  bool together;                /* with the others, as ranks, of piece and factor; else a problem of its own, of their data */
  int64_t first, outer;         /* outer indices of its own */
  int64_t first_column, columns;        /* of these, all the problem's, unless they are dealt out */
  int64_t from, elements;       /* of x: its first, in the whole array, and how many */
  gpr_piece piece, factor;      /* memory of the device (gpr_on_device), or of the host */
  gpr_terms_making making;      /* the piece's, of an expression */
} gpr_part;
gpr_status gpr_division_run (const gpr_division *d, gpr_status (*work) (gpr_part *p, void *problem), void *problem);
/* Who does a part that is a problem of its own: first the backend of its device, then, of what has no kernel there (*status), the CPU, for
   which its elements come to the host; *x and *resident say where they are.  False: nobody more, as *status says.  */
bool gpr_part_next (gpr_part *p, const gpr_backend **b, const void **x, bool *resident, gpr_status *status);
/* False; or the part's elements are those of an expression, which a problem of its own on the device reads as they are made.  */
static inline bool
gpr_part_is_made (const gpr_part *p, const struct gpr_mapping **terms, const void **x, bool *resident)
{
  if (! p->piece.making)
    return false;
  *terms = p->piece.making->terms;
  *x = NULL;
  *resident = true;
  return true;
}
/* Those of device k, or all (-1), in host memory that is to be freed.  */
gpr_status gpr_division_read (const gpr_pieces *x, int k, void **host);

/* ---- columns dealt out to GPUs: deal.c ---- */
bool gpr_deal_pays (const gpr_division *d);
/* As gpr_division_run.  GPR_OUT_OF_MEMORY, GPR_UNSUPPORTED: it may be done otherwise.  */
gpr_status gpr_deal_run (const gpr_division *d, gpr_status (*work) (gpr_part *p, void *problem), void *problem);

/* Where a part's results go: all's own place, so many bytes an outer index, of columns that are dealt out as many each; or, of what all make together, to memory of its own (own, to
   be freed) but for one.  */
typedef struct { void *at, *own; } gpr_results;
gpr_status gpr_results_open (gpr_results *v, const gpr_part *p, void *all, int64_t bytes, int64_t of_outer);

/* A result of the whole problem, host memory or (resident) the backend's, which gets one piece of what the host's memory has got.  */
typedef struct { void *given; bool resident; void *host; int64_t bytes; } gpr_kept;
gpr_status gpr_kept_open (gpr_kept *v, void *given, bool resident, int64_t bytes);
gpr_status gpr_kept_close (gpr_kept *v, gpr_status status);

/* A part of a result that has elements as x has.  If the result is resident, it has pieces as x's.  */
typedef struct {
  const gpr_part *p;
  void *given;                  /* the whole result, or NULL */
  bool resident, made_there;
  int64_t from, bytes;
  void *own, *copy;             /* host memory, and that of the GPU that does the whole problem, from where they go to the pieces */
} gpr_placed;
void gpr_placed_open (gpr_placed *v, const gpr_part *p, void *given, bool resident, int64_t elem_bytes);
/* Where it is to be made: there, which is the part's device (of a resident result alone), or in host memory.  What has been asked last counts.  */
gpr_status gpr_placed_at (gpr_placed *v, bool there, void **at);
gpr_status gpr_placed_close (gpr_placed *v, gpr_status status);

gpr_status gpr_spread_no_memory (int64_t bytes);

/* ---- reductions with many outputs: wide.c ---- */
bool gpr_spread_is_wide (const gpr_reduction *r, const gpr_division *d);
/* GPR_OUT_OF_MEMORY, GPR_UNSUPPORTED: they may be done otherwise.  */
gpr_status gpr_spread_reduce_wide (gpr_reduction *r, const gpr_division *d);

#endif
