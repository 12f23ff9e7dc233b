/* Elementwise operations on complex arrays: the problem that a backend computes.  */

#ifndef GPR_CORE_COMPLEX_H
#define GPR_CORE_COMPLEX_H

#include "array.h"
#include "../../kernels/ops/complex.h"

/* z[i] = x[0][...] OP x[1][...].  Sizes broadcast: dims has rank sizes of z, at least one and better few (gpr_broadcast_join), operand k the element strides strides[k] (0 repeats).  Of operations
   on one operand both are that one.  Operands and z are the backend's memory, a real number may be number[k] where x[k] is NULL.  */
typedef struct gpr_complex_mapping {
  gpr_complex_op op;
  gpr_complex_kind kind;
  bool single;
  int rank;
  int64_t dims[GPR_MAX_DIMS], strides[2][GPR_MAX_DIMS];
  const void *x[2];
  double number[2];
  void *z;
  bool is_complex;              /* out, where z is complex numbers: some imaginary part is not 0 */
} gpr_complex_mapping;

#endif
