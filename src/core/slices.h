/* Reductions in stages and what reads their results, slice by slice: the problem that a backend computes.  */

#ifndef GPR_CORE_SLICES_H
#define GPR_CORE_SLICES_H

#include "map.h"

/* A stage ends before step `end`; it begins where the one before it ends.  What its steps leave of x[c + inner*(r + length*o)] is an element of class.
   These are reduced over r by an instance, or (GPR_INSTANCE_NONE) hang on c and o alone, and stand once for each slice.  value, inner x outer
   elements of the backend's memory, is a leaf of stages after it: x[leaf].  */
typedef struct {
  int end, leaf;                /* -1: nobody's */
  gpr_class class;
  enum gpr_instance instance;
  const gpr_instance_info *info;        /* of the instance */
  double divisor;
  void *value;
} gpr_stage;

typedef struct gpr_slices {
  int64_t inner, length, outer;
  int stages;
  gpr_stage stage[GPR_MAP_STAGES];
  gpr_mapping m;                /* all steps; the last, after those of the stages, are z's; z is NULL: there is none */
  bool done;                    /* out: false, nothing is computed: it is not the backend's, not ready, or some result was in doubt */
} gpr_slices;

#endif
