/* Medians and quantiles: elements that a sorted column would have at given places.  */

#ifndef GPR_SELECT_H
#define GPR_SELECT_H

#include "gpr.h"
#include "../../kernels/ops/select.h"

/* Of the column x[c + inner*(r + length*o)], over r, result k is value[c + inner*(k + results*o)].
   length is at least 1.  -0 comes before 0.

   p NULL: medians, one result, of the class of x.  One is NaN if an element is, unless omit_nan leaves
   these out.  Of logical elements it is the larger of the two in the middle; halves of integers are
   rounded away from zero, between two negative ones up where round_up is set.

   Else quantiles p[0 … results-1], by one of nine methods, single where x is, else double.  NaN is left out;
   p below 0 gives -Inf, above 1 Inf, NaN gives NaN, and so does a column of NaN alone.

   With a center, one of each column (center[c + inner*o], of the class of x, floating), it is
   not x but |x - center| that is ordered.  */
typedef struct gpr_selection {
  enum gpr_elem elem;           /* real ones only */
  int64_t inner, length, outer;
  const void *x;
  bool x_resident;
  const void *center;           /* or NULL; resident where x is */
  const double *p;              /* host memory */
  int results, method;
  bool omit_nan, logical, round_up;
  void *value;
  bool out_resident;
} gpr_selection;

/* ---- keys of a column, for who looks for a key that others have the rest of ------------ */

/* The elements x[r*stride], r below length, as keys (kernels/ops/order.h), each in the highest of 64 bits: those that begin with a prefix are read,
   again and again.  */
typedef struct gpr_key_reading {
  const struct gpr_backend *home;       /* whose memory x is, and who reads */
  enum gpr_elem elem;           /* real ones only */
  int64_t length, stride;       /* length: at least 1 of a device */
  const void *x;                /* another column's after some readings */
  const void *center;           /* host memory: as gpr_selection has it, of this column; or NULL */
  int threads;                  /* of the CPU's reading; 0: as many as it likes */
  int digit;                    /* bits of a digit, at most; of a device GPR_KEY_DIGIT at most */
  int64_t most;                 /* keys that are kept, at most, on a device */
  int known;                    /* bits of the prefix; 0: all keys are read */
  uint64_t prefix;
  int64_t inside;               /* where known > 0: so many begin with it */
  void *running;                /* the backend's, from keys_begin to keys_end */
} gpr_key_reading;

/* ---- the k greatest or least ---------------------------------------------------------- */

/* Element k of the column sorted, down where `greatest' is set, is value[c + inner*(k + count*o)], for k
   below count <= length, and its row, from 1, index[…].  Of equal ones, and -0 and 0 are, the first row comes
   first; NaN comes last, or first where nan_first is set (with `greatest').  */
typedef struct gpr_ranking {
  enum gpr_elem elem;
  bool greatest, nan_first;
  int64_t inner, length, outer, count;
  const void *x;
  bool x_resident;
  void *value;
  double *index;                /* or NULL */
  bool out_resident;            /* of value and index */
} gpr_ranking;

#endif
