/* How the pieces of an array lie to a problem x[c + inner*(r + length*o)], and what each GPU's thread does of it.  */

#ifndef GPR_SPREAD_DIVISION_H
#define GPR_SPREAD_DIVISION_H

#include "backend.h"

typedef enum {
  GPR_DIVIDED_ANYHOW,           /* the whole comes to the host */
  GPR_DIVIDED_ALONG,            /* each has some of the rows r, of one outer index */
  GPR_DIVIDED_OUTER             /* each has some of the outer indices */
} gpr_divided_how;

typedef struct {
  gpr_divided_how how;
  const gpr_pieces *x, *y;      /* y: a second factor, or NULL */
  int64_t inner, length, outer, elem_bytes;
  int64_t starts[GPR_MOST_DEVICES + 1];         /* rows or outer indices before each piece */
} gpr_division;
gpr_division gpr_division_of (const void *x, const void *y, int64_t elem_bytes, int64_t inner, int64_t length, int64_t outer);

/* What a thread has.  */
typedef struct {
  const gpr_division *d;
  int k;                        /* device; -1: the whole problem, by the calling thread */
  bool together;                /* with the others, as ranks: x and y are gpr_piece; else host memory, a problem of its own */
  const void *x, *y;
  int64_t first, outer;         /* outer indices of its own */
  int64_t from, elements;       /* of x: its first, in the whole array, and how many */
  gpr_piece piece, factor;
} gpr_part;
gpr_status gpr_division_run (const gpr_division *d, gpr_status (*work) (const gpr_part *p, void *problem), void *problem);
/* Those of device k, or all (-1), in host memory that is to be freed.  */
gpr_status gpr_division_read (const gpr_pieces *x, int k, void **host);

/* Where a part's results go: all's own place, so many bytes an outer index; or, of what all make together, to memory of its own (own, to be freed) but for one.  */
typedef struct { void *at, *own; } gpr_results;
gpr_status gpr_results_open (gpr_results *v, const gpr_part *p, void *all, int64_t bytes, int64_t of_outer);

/* A result of the problem: host memory, or memory of the backend that gets pieces like those of an array, or (like is NULL) one.  */
typedef struct { void *given; bool resident; void *host; int64_t bytes; } gpr_kept;
gpr_status gpr_kept_open (gpr_kept *v, void *given, bool resident, int64_t bytes);
gpr_status gpr_kept_close (gpr_kept *v, gpr_status status, const gpr_pieces *like, int64_t elem_bytes, int64_t like_bytes);

gpr_status gpr_spread_no_memory (int64_t bytes);

#endif
