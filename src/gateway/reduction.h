/* One reduction on its way through validate, plan, create, compute, deliver (reduce.c).  */

#ifndef GPR_REDUCTION_H
#define GPR_REDUCTION_H

#include "request.h"
#include "../ranks/ranks.h"

typedef struct {
  gpr_call *c;
  gpr_request *q;
  const gpr_operator *o;
  double start;
  gpr_array x, y;                   /* operands; x permuted where its dimensions are not adjacent */
  struct gpr_resident *waits;       /* x is not computed yet; or NULL */
  bool keeps_one;                   /* one result, too, is a gpuArray where one came in */
  gpr_array wanted;                 /* x as it came: where the result belongs */
  gpr_shape shape;
  int64_t whole_outer;              /* x is a piece that is reduced by itself, of an array of so many outers; or 0 */
  int64_t whole_inner;              /* and of so many inners; or 0 */
  int64_t index_from;               /* then: the index, from 0, of x's first element in the whole array; */
  int64_t slab, skipped;            /* after so many elements so many are others'; 0: never */
  gpr_piece permuted;               /* x, of one that is divided and permuted */
  gpr_piece other;                  /* and of one whose divided dimension is not the last that is reduced: divided along that one */
  gpr_plan plan;
  gpr_finishing finish;
  bool want_index, several;
  bool reduced;                     /* from what x is computed from */
  bool omit_count;                  /* divide by the number of those that are not NaN */
  bool bounds;                      /* both extremes, or their difference */
  bool nan_first;                   /* "includenan" of max and min */
  bool check_negative, negative;    /* mean "g" refuses negative values; out: there is one */
  bool check_overflow, overflow;    /* of a mean: only the sum is infinite, not an element; out: so it is */
  bool check_infinite;              /* "extra": NaN of an infinite element becomes the plain sum's Inf */
  bool separate;                    /* the reduction's values are not yet the result */
  bool keep, in_place;              /* the result stays on the device; is made there at once */
  bool finish_there;                /* then: what the reduction gives is finished and converted there (finish_there.c) */
  gpr_choice choice, place, noted;  /* decided; where it runs; what is reported */
  gpr_tree tree;
  gpr_output out[2];                /* the value; the index, where it is wanted */
  gpr_reduction r;
} gpr_running;

/* Whether this is one of the reduced dimensions, from 0.  */
bool gpr_reduces (const gpr_running *w, int dim);
/* Of an x that is divided over ranks (reduce_piece.c): over the divided dimension as it is, or divided along another one; else this rank's piece.  */
void gpr_divide_reduction (gpr_running *w);
double gpr_divisor_of (const gpr_running *w);
/* Runs it and frees what it needs; no mx call, so nothing is left behind.  */
gpr_status gpr_compute (gpr_running *w);

/* ---- finish_there.c ---- */

/* Whether elementwise steps make the results of what the reduction gives; and these steps.  */
bool gpr_can_finish_there (const gpr_running *w);
gpr_status gpr_finish_there (gpr_running *w);

#endif
