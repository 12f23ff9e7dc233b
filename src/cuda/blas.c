/* Products of matrices, and other orders of their elements, by cuBLAS.  Its default mode works in the elements' own precision; nothing here asks for less.  */

#include <limits.h>

#include "blas.h"
#include "memory.h"

#ifdef GPR_CUDA_HAS_LIBRARIES

/* ---- memory --------------------------------------------------------------------------- */

gpr_status
gpr_held_take (gpr_held *h, void *p, int64_t bytes)
{
  void **to = p;
  *to = NULL;
  if (h->count == GPR_HELD)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "a problem takes too many pieces of memory");
  GPR_TRY (gpr_cuda_take (h->s, to, (size_t) gpr_max64 (bytes, 1)));
  h->memory[h->count++] = *to;
  return GPR_OK;
}

void *
gpr_held_keep (gpr_held *h, void *p)
{
  for (int i = 0; i < h->count; i++)
    if (h->memory[i] == p)
      h->memory[i] = h->memory[--h->count];
  return p;
}

void
gpr_held_give (gpr_held *h)
{
  while (h->count > 0)
    gpr_cuda_give (h->memory[--h->count]);
}

/* ---- matrices ------------------------------------------------------------------------- */

const void *
gpr_blas_number (enum gpr_elem e, int number)
{
  static const cuComplex singles[] = { { 0, 0 }, { 1, 0 }, { -1, 0 } };
  static const cuDoubleComplex doubles[] = { { 0, 0 }, { 1, 0 }, { -1, 0 } };
  const int at = number < 0 ? 2 : number;
  return gpr_elem_real (e) == GPR_f32 ? (const void *) &singles[at] : &doubles[at];
}

static size_t
bytes_of (const gpr_matrix *m)
{
  return (size_t) m->rows * (size_t) m->columns * (size_t) gpr_bytes_of (m->elem);
}

gpr_status
gpr_matrix_make (gpr_held *h, gpr_matrix *m, enum gpr_elem e, int64_t rows, int64_t columns)
{
  *m = (gpr_matrix) { e, (int) rows, (int) columns, NULL };
  if (rows > INT_MAX || columns > INT_MAX)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "cuBLAS takes at most %d rows and columns", INT_MAX);
  return gpr_held_take (h, &m->data, (int64_t) bytes_of (m));
}

gpr_status
gpr_matrix_clear (gpr_held *h, const gpr_matrix *m)
{
  GPR_CUDA_TRY (cudaMemsetAsync (m->data, 0, bytes_of (m), h->s->work), "clearing GPU memory");
  return GPR_OK;
}

gpr_status
gpr_matrix_copy (gpr_held *h, gpr_matrix *m, const gpr_matrix *from)
{
  GPR_TRY (gpr_matrix_make (h, m, from->elem, from->rows, from->columns));
  GPR_CUDA_TRY (cudaMemcpyAsync (m->data, from->data, bytes_of (m), cudaMemcpyDeviceToDevice, h->s->work), "copying on the GPU");
  return GPR_OK;
}

gpr_status
gpr_matrix_turn (gpr_held *h, gpr_matrix *m, const gpr_matrix *from, bool adjoint)
{
  const gpr_cublas *f;
  cublasHandle_t blas;
  const enum gpr_elem e = from->elem;

  GPR_TRY (gpr_matrix_make (h, m, e, from->columns, from->rows));
  GPR_TRY (gpr_cuda_use_blas (h->s, &f, &blas));
  GPR_BLAS_TRY (h->s, GPR_BLAS_OF (e, f, geam, blas, adjoint ? CUBLAS_OP_C : CUBLAS_OP_T, CUBLAS_OP_N, m->rows, m->columns, gpr_blas_number (e, 1),
                                   from->data, from->rows, gpr_blas_number (e, 0), m->data, m->rows, m->data, m->rows), "transposing");
  return GPR_OK;
}

gpr_status
gpr_blas_copy (gpr_held *h, enum gpr_elem e, int n, const void *from, int apart, void *to, int to_apart)
{
  const gpr_cublas *f;
  cublasHandle_t blas;
  GPR_TRY (gpr_cuda_use_blas (h->s, &f, &blas));
  GPR_BLAS_TRY (h->s, GPR_BLAS_OF (e, f, copy, blas, n, from, apart, to, to_apart), "copying elements");
  return GPR_OK;
}

/* Real numbers to or from every second place of a complex matrix.  */
static gpr_status
copy_part (gpr_held *h, const gpr_matrix *complex, int part, void *reals, bool back)
{
  const enum gpr_elem e = gpr_elem_real (complex->elem);
  const int64_t n = (int64_t) complex->rows * complex->columns;
  char *at = (char *) complex->data + part * gpr_bytes_of (e);
  if (n > INT_MAX)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "cuBLAS copies at most %d elements", INT_MAX);
  return back ? gpr_blas_copy (h, e, (int) n, reals, 1, at, 2) : gpr_blas_copy (h, e, (int) n, at, 2, reals, 1);
}

gpr_status
gpr_matrix_split (gpr_held *h, gpr_matrix *m, const gpr_matrix *from)
{
  const enum gpr_elem e = gpr_elem_real (from->elem);
  GPR_TRY (gpr_matrix_make (h, m, e, from->rows, 2 * (int64_t) from->columns));
  GPR_TRY (copy_part (h, from, 0, m->data, false));
  return copy_part (h, from, 1, (char *) m->data + bytes_of (m) / 2, false);
}

gpr_status
gpr_matrix_join (gpr_held *h, gpr_matrix *m, const gpr_matrix *from)
{
  GPR_TRY (gpr_matrix_make (h, m, gpr_elem_complex (from->elem), from->rows, from->columns / 2));
  GPR_TRY (copy_part (h, m, 0, from->data, true));
  return copy_part (h, m, 1, (char *) from->data + bytes_of (from) / 2, true);
}

gpr_status
gpr_matrix_complex (gpr_held *h, gpr_matrix *m, const gpr_matrix *from)
{
  GPR_TRY (gpr_matrix_make (h, m, gpr_elem_complex (from->elem), from->rows, from->columns));
  GPR_TRY (gpr_matrix_clear (h, m));
  return copy_part (h, m, 0, from->data, true);
}

/* By way of the packed form, which has the triangle alone.  */
gpr_status
gpr_matrix_triangle (gpr_held *h, const gpr_matrix *to, const gpr_matrix *from, int n, bool lower)
{
  const gpr_cublas *f;
  cublasHandle_t blas;
  const enum gpr_elem e = from->elem;
  const cublasFillMode_t part = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  void *packed;

  GPR_TRY (gpr_cuda_use_blas (h->s, &f, &blas));
  GPR_TRY (gpr_held_take (h, &packed, ((int64_t) n + 1) * n / 2 * gpr_bytes_of (e)));
  GPR_BLAS_TRY (h->s, GPR_BLAS_OF (e, f, trttp, blas, part, n, from->data, from->rows, packed), "copying a triangle");
  GPR_BLAS_TRY (h->s, GPR_BLAS_OF (e, f, tpttr, blas, part, n, packed, to->data, to->rows), "copying a triangle");
  return GPR_OK;
}

gpr_status
gpr_matrix_block (gpr_held *h, const gpr_matrix *to, const gpr_matrix *from, int row, int column, int rows, int columns)
{
  const size_t each = (size_t) gpr_bytes_of (from->elem), width = to->rows * each, from_width = from->rows * each;
  if (rows <= 0 || columns <= 0)
    return GPR_OK;
  GPR_CUDA_TRY (cudaMemcpy2DAsync ((char *) to->data + row * each + column * width, width,
                                   (const char *) from->data + row * each + column * from_width, from_width,
                                   rows * each, columns, cudaMemcpyDeviceToDevice, h->s->work), "copying on the GPU");
  return GPR_OK;
}

/* ---- products ------------------------------------------------------------------------- */

static cublasOperation_t
operation (gpr_transposition t)
{
  return t == GPR_AS_IT_IS ? CUBLAS_OP_N : t == GPR_TRANSPOSED ? CUBLAS_OP_T : CUBLAS_OP_C;
}

/* A number: of complex vectors at most one is conjugated.  */
static gpr_status
dot (gpr_held *h, const gpr_matrix *c, const gpr_matrix *a, const gpr_matrix *b, gpr_transposition ta, gpr_transposition tb, int n)
{
  const gpr_cublas *f;
  cublasHandle_t blas;
  cublasStatus_t status;
  const bool conjugates = ta == GPR_ADJOINT || tb == GPR_ADJOINT;
  const void *x = ta == GPR_ADJOINT ? a->data : b->data, *y = ta == GPR_ADJOINT ? b->data : a->data;         /* the first is conjugated */

  GPR_TRY (gpr_cuda_use_blas (h->s, &f, &blas));
  GPR_BLAS_TRY (h->s, f->cublasSetPointerMode (blas, CUBLAS_POINTER_MODE_DEVICE), "multiplying");
  switch (c->elem)
    {
    case GPR_f32: status = f->cublasSdot (blas, n, x, 1, y, 1, c->data); break;
    case GPR_f64: status = f->cublasDdot (blas, n, x, 1, y, 1, c->data); break;
    case GPR_c64: status = (conjugates ? f->cublasCdotc : f->cublasCdotu) (blas, n, x, 1, y, 1, c->data); break;
    default: status = (conjugates ? f->cublasZdotc : f->cublasZdotu) (blas, n, x, 1, y, 1, c->data); break;
    }
  (void) f->cublasSetPointerMode (blas, CUBLAS_POINTER_MODE_HOST);
  GPR_BLAS_TRY (h->s, status, "multiplying");
  return GPR_OK;
}

/* A matrix and its own transpose or adjoint: half the work, and exactly symmetric, as Octave's is.  */
static gpr_status
square (gpr_held *h, const gpr_matrix *c, const gpr_matrix *a, gpr_transposition ta, gpr_transposition tb, int k)
{
  const gpr_cublas *f;
  cublasHandle_t blas;
  cublasStatus_t status;
  const enum gpr_elem e = c->elem;
  const bool adjoint = gpr_elem_is_complex (e) && (ta == GPR_ADJOINT || tb == GPR_ADJOINT);
  const cublasOperation_t op = ta == GPR_AS_IT_IS ? CUBLAS_OP_N : adjoint ? CUBLAS_OP_C : CUBLAS_OP_T;
  const cublasFillMode_t upper = CUBLAS_FILL_MODE_UPPER;
  const int n = c->rows;
  gpr_matrix half;

  GPR_TRY (gpr_cuda_use_blas (h->s, &f, &blas));
  GPR_TRY (gpr_matrix_make (h, &half, e, n, n));
  GPR_TRY (gpr_matrix_clear (h, &half));
  const void *one = gpr_blas_number (e, 1), *zero = gpr_blas_number (e, 0);
  if (! adjoint)
    status = GPR_BLAS_OF (e, f, syrk, blas, upper, op, n, k, one, a->data, a->rows, zero, half.data, n);
  else if (e == GPR_c64)
    status = f->cublasCherk (blas, upper, op, n, k, one, a->data, a->rows, zero, half.data, n);
  else
    status = f->cublasZherk (blas, upper, op, n, k, one, a->data, a->rows, zero, half.data, n);
  GPR_BLAS_TRY (h->s, status, "multiplying");
  GPR_BLAS_TRY (h->s, GPR_BLAS_OF (e, f, geam, blas, CUBLAS_OP_N, adjoint ? CUBLAS_OP_C : CUBLAS_OP_T, n, n, one, half.data, n, one, half.data, n, c->data, n),
                "multiplying");
  return gpr_blas_copy (h, e, n, half.data, n + 1, c->data, n + 1);
}

static gpr_status
multiply (gpr_held *h, const gpr_matrix *c, const gpr_matrix *a, gpr_transposition ta, const gpr_matrix *b, gpr_transposition tb, int k)
{
  const gpr_cublas *f;
  cublasHandle_t blas;
  const enum gpr_elem e = c->elem;
  const void *one = gpr_blas_number (e, 1), *zero = gpr_blas_number (e, 0);
  const int m = c->rows, n = c->columns;
  const bool complex = gpr_elem_is_complex (e), plain_a = ! complex || ta != GPR_ADJOINT, plain_b = ! complex || tb != GPR_ADJOINT;

  if (m == 1 && n == 1 && (plain_a || plain_b))
    return dot (h, c, a, b, complex ? ta : GPR_AS_IT_IS, complex ? tb : GPR_AS_IT_IS, k);
  if (m > 1 && a->data == b->data && a->rows == b->rows && a->columns == b->columns && (ta == GPR_AS_IT_IS) != (tb == GPR_AS_IT_IS))
    return square (h, c, a, ta, tb, k);
  GPR_TRY (gpr_cuda_use_blas (h->s, &f, &blas));
  if (n == 1 && plain_b)
    GPR_BLAS_TRY (h->s, GPR_BLAS_OF (e, f, gemv, blas, operation (ta), a->rows, a->columns, one, a->data, a->rows, b->data, 1, zero, c->data, 1), "multiplying");
  else if (m == 1 && plain_a && plain_b)
    GPR_BLAS_TRY (h->s, GPR_BLAS_OF (e, f, gemv, blas, tb == GPR_AS_IT_IS ? CUBLAS_OP_T : CUBLAS_OP_N, b->rows, b->columns, one, b->data, b->rows,
                                     a->data, 1, zero, c->data, 1), "multiplying");
  else
    GPR_BLAS_TRY (h->s, GPR_BLAS_OF (e, f, gemm, blas, operation (ta), operation (tb), m, n, k, one, a->data, a->rows, b->data, b->rows, zero, c->data, m),
                  "multiplying");
  return GPR_OK;
}

/* Of a real and a complex matrix the parts are multiplied apart, as Octave does: no zero part meets an Inf.  */
gpr_status
gpr_cuda_product (gpr_held *h, gpr_matrix *c, const gpr_matrix *a, gpr_transposition ta, const gpr_matrix *b, gpr_transposition tb)
{
  const int m = ta == GPR_AS_IT_IS ? a->rows : a->columns, k = ta == GPR_AS_IT_IS ? a->columns : a->rows;
  const int n = tb == GPR_AS_IT_IS ? b->columns : b->rows;
  const bool complex_a = gpr_elem_is_complex (a->elem), complex_b = gpr_elem_is_complex (b->elem);

  if (complex_a && ! complex_b)
    {
      gpr_matrix rows = { gpr_elem_real (a->elem), 2 * a->rows, a->columns, a->data }, pairs;  /* the parts of an element lie side by side */
      if (ta != GPR_AS_IT_IS || a->rows > INT_MAX / 2)
        return gpr_cuda_fail (GPR_UNSUPPORTED, "a transposed complex matrix times a real one");
      GPR_TRY (gpr_matrix_make (h, c, a->elem, m, n));
      pairs = (gpr_matrix) { rows.elem, 2 * m, n, c->data };
      return multiply (h, &pairs, &rows, ta, b, tb, k);
    }
  if (complex_b && ! complex_a)
    {
      gpr_matrix parts, product;
      if (tb != GPR_AS_IT_IS)
        return gpr_cuda_fail (GPR_UNSUPPORTED, "a real matrix times a transposed complex one");
      GPR_TRY (gpr_matrix_split (h, &parts, b));
      GPR_TRY (gpr_matrix_make (h, &product, parts.elem, m, parts.columns));
      GPR_TRY (multiply (h, &product, a, ta, &parts, tb, k));
      return gpr_matrix_join (h, c, &product);
    }
  GPR_TRY (gpr_matrix_make (h, c, a->elem, m, n));
  return multiply (h, c, a, ta, b, tb, k);
}

#endif
