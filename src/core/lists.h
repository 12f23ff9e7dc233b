/* Elements that lists of positions name, and lists of the elements that are not 0.  */

#ifndef GPR_CORE_LISTS_H
#define GPR_CORE_LISTS_H

#include "array.h"
#include "../../kernels/ops/lists.h"

/* Element i of z is the one of x at offset sum of lists[d].stride * (position k(d) - 1), where k counts through the
   lists, the first fastest.  All is memory of the backend.  */
typedef struct gpr_gathering {
  int rank;
  gpr_list lists[GPR_MAX_DIMS];
  int bytes;                    /* of an element: 1, 2, 4, 8 or 16 */
  const void *x;
  void *z;
  bool scatters;                /* the other way: element i of x goes to that place of z; of places that are named again the last one counts */
  bool one;                     /* all get the one element of x */
  bool bad;                     /* out: some position is no whole number from 1 to its extent; z is then as it was, of gathers of no use */
} gpr_gathering;

/* Positions, from 1, of the elements of x that are not 0: those of number skip to skip + take - 1, counted from 0.  z NULL: counts
   them, and leaves in before what the call with z needs.  */
typedef struct gpr_finding {
  enum gpr_elem elem;
  bool imaginary;               /* of complex numbers: these parts alone are looked at */
  int64_t count;
  const void *x;
  int64_t *before;              /* gpr_find_tiles (count) + 1 of them, of the backend's memory */
  int64_t total;                /* out, of the first call */
  int64_t skip, take;
  enum gpr_elem z_elem;         /* f64, u32 or i64 */
  void *z;
} gpr_finding;

#endif
