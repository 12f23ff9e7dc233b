/* Linear algebra and Fourier transforms: what libraries made for the device solve.  A backend without them has neither function,
   and what one declines is Octave's.  C and C++.  */

#ifndef GPR_LINEAR_H
#define GPR_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {
  GPR_LINEAR_product,           /* by cuBLAS alone */
  GPR_LINEAR_left_divide, GPR_LINEAR_right_divide, GPR_LINEAR_inv, GPR_LINEAR_det,
  GPR_LINEAR_chol, GPR_LINEAR_lu, GPR_LINEAR_qr, GPR_LINEAR_svd, GPR_LINEAR_eig
} gpr_linear_op;

typedef enum { GPR_AS_IT_IS, GPR_TRANSPOSED, GPR_ADJOINT } gpr_transposition;

enum { GPR_LINEAR_GIVEN = 2, GPR_LINEAR_RESULTS = 3 };

/* Results, as many as outputs says: of lu (1 or 3) both factors in one, or L, U and, as a column, the row of A in each row of L U; of det the
   diagonal of U; of the others what Octave's function returns, diagonal matrices in full.  */
typedef struct {
  gpr_linear_op op;
  gpr_transposition turns[GPR_LINEAR_GIVEN];     /* of a product's operands */
  int outputs;
  bool economy;                         /* qr, svd */
  bool lower;                           /* chol */
  double rcond;                         /* out: of divisions, inv and, with two outputs, det: an estimate in the 1-norm */
  bool odd;                             /* out: of det: an odd number of rows was exchanged */
} gpr_linear_task;

/* Of dimensions from first to below end, to these sizes: zeros are appended, or what is beyond is left out.  */
enum { GPR_FOURIER_DIMS = 32 };
typedef struct {
  int first, end;
  bool inverse;
  int ndims;
  int64_t dims[GPR_FOURIER_DIMS];       /* of the result */
} gpr_fourier_task;

#endif
