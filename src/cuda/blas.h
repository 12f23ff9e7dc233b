/* Matrices on a device, by cuBLAS: what is begun on the work stream has its results when that is drained.  */

#ifndef GPR_CUDA_BLAS_H
#define GPR_CUDA_BLAS_H

#include "libraries.h"
#include "../core/solve.h"

#ifdef GPR_CUDA_HAS_LIBRARIES

/* Memory of one problem, given back together.  */
enum { GPR_HELD = 16 };
typedef struct {
  gpr_cuda_state *s;
  void *memory[GPR_HELD];
  int count;
} gpr_held;
gpr_status gpr_held_take (gpr_held *h, void *p, int64_t bytes);         /* p: of a pointer */
void *gpr_held_keep (gpr_held *h, void *p);     /* p is no longer h's */
void gpr_held_give (gpr_held *h);

/* A matrix without gaps: as many columns as it is wide, of rows elements.  */
typedef struct { enum gpr_elem elem; int rows, columns; void *data; } gpr_matrix;
static inline bool gpr_elem_is_complex (enum gpr_elem e) { return e == GPR_c64 || e == GPR_c128; }
static inline enum gpr_elem gpr_elem_real (enum gpr_elem e) { return e == GPR_c64 ? GPR_f32 : e == GPR_c128 ? GPR_f64 : e; }
static inline enum gpr_elem gpr_elem_complex (enum gpr_elem e) { return e == GPR_f32 ? GPR_c64 : e == GPR_f64 ? GPR_c128 : e; }
/* Where an argument of cuBLAS is 0, 1 or -1.  */
const void *gpr_blas_number (enum gpr_elem e, int number);
gpr_status gpr_matrix_make (gpr_held *h, gpr_matrix *m, enum gpr_elem e, int64_t rows, int64_t columns);
gpr_status gpr_matrix_clear (gpr_held *h, const gpr_matrix *m);
gpr_status gpr_matrix_copy (gpr_held *h, gpr_matrix *m, const gpr_matrix *from);       /* makes m */

/* Makes m, the transpose or the adjoint.  */
gpr_status gpr_matrix_turn (gpr_held *h, gpr_matrix *m, const gpr_matrix *from, bool adjoint);
/* Real and imaginary parts side by side, a real matrix of twice the width; and back.  Both make m.  */
gpr_status gpr_matrix_split (gpr_held *h, gpr_matrix *m, const gpr_matrix *from);
gpr_status gpr_matrix_join (gpr_held *h, gpr_matrix *m, const gpr_matrix *from);
gpr_status gpr_matrix_complex (gpr_held *h, gpr_matrix *m, const gpr_matrix *from);    /* of a real one; makes m */
/* The n x n triangle in the first rows and columns to the same place of another, which keeps the rest.  */
gpr_status gpr_matrix_triangle (gpr_held *h, const gpr_matrix *to, const gpr_matrix *from, int n, bool lower);
/* Rows and columns from first ones on, to the same place of another.  */
gpr_status gpr_matrix_block (gpr_held *h, const gpr_matrix *to, const gpr_matrix *from, int row, int column, int rows, int columns);
/* n elements, so many apart.  */
gpr_status gpr_blas_copy (gpr_held *h, enum gpr_elem e, int n, const void *from, int apart, void *to, int to_apart);

gpr_status gpr_cuda_product (gpr_held *h, gpr_matrix *c, const gpr_matrix *a, gpr_transposition ta, const gpr_matrix *b, gpr_transposition tb);  /* makes c */

#endif
#endif
