/* Linear algebra by cuBLAS and cuSOLVER.  What is singular, or has no such factors, or holds NaN where Octave refuses it, is declined:
   Octave's own function then gives the warning, the error or the least squares.  */

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blas.h"
#include "memory.h"
#include "problems.h"
#include "stream.h"
#include "../core/map.h"
#include "../core/solve.h"

#ifdef GPR_CUDA_HAS_LIBRARIES

typedef struct {
  gpr_held held;
  gpr_cuda_state *s;
  gpr_linear *p;
  const gpr_cusolver *solver;
  cusolverDnHandle_t h;
} job;

static gpr_status
declined (const char *why)
{
  return gpr_cuda_fail (GPR_UNSUPPORTED, "%s", why);
}

/* ---- between host and device, in the middle of a problem ----------------------------------- */

/* Bytes of the host's; work may go on afterwards.  */
static gpr_status
fetch (job *j, void *host, const void *device, size_t bytes)
{
  gpr_cuda_view v = gpr_cuda_bytes (host, bytes);
  GPR_TRY (gpr_cuda_download (j->s, &v, device));
  j->s->idle = false;
  return GPR_OK;
}

static gpr_status
send (job *j, void *device, const void *host, size_t bytes)
{
  gpr_cuda_view v = gpr_cuda_bytes (host, bytes);
  GPR_TRY (gpr_cuda_upload (j->s, device, &v));
  GPR_TRY (gpr_cuda_drain (j->s));
  j->s->idle = false;
  return GPR_OK;
}

/* What the library says at the end of a function: 0, or where it stopped.  */
static gpr_status
outcome (job *j, const int *info, int *at)
{
  GPR_TRY (fetch (j, at, info, sizeof *at));
  return *at < 0 ? gpr_cuda_fail (GPR_UNSUPPORTED, "cuSOLVER refused argument %d", -*at) : GPR_OK;
}

/* Sums of absolute values of the columns, on the host.  */
static gpr_status
column_sums (job *j, const gpr_matrix *a, int64_t length, int64_t columns, double *sums)
{
  gpr_reduction r = { .inner = 1, .length = length, .outer = columns, .x = a->data, .x_resident = true, .value = sums };
  r.instance = a->elem == GPR_f32 ? GPR_norm1_f32 : a->elem == GPR_f64 ? GPR_norm1_f64 : a->elem == GPR_c64 ? GPR_norm1_c64 : GPR_norm1_c128;
  GPR_TRY (gpr_cuda_reduce (j->s, &r));
  j->s->idle = false;
  return GPR_OK;
}

/* Declines what has an element that is not finite.  */
static gpr_status
all_finite (job *j, const gpr_matrix *a)
{
  double sum;
  GPR_TRY (column_sums (j, a, (int64_t) a->rows * a->columns, 1, &sum));
  return isfinite (sum) ? GPR_OK : declined ("a matrix holds Inf or NaN");
}

/* A number on the diagonal of columns many columns.  */
static gpr_status
set_diagonal (job *j, const gpr_matrix *m, int columns, double number)
{
  const enum gpr_elem e = gpr_elem_real (m->elem);
  const int parts = gpr_elem_is_complex (m->elem) ? 2 : 1;
  for (int part = 0; part < parts; part++)
    {
      gpr_map_step step = { .op = GPR_MAP_load, .operand = GPR_MAP_NUMBER, .number = part == 0 ? number : 0, .single = e == GPR_f32 };
      gpr_mapping map = { .rank = 1, .dims = { columns }, .placed = true, .steps = 1, .step = &step };
      map.class = e == GPR_f32 ? GPR_CLASS_single : GPR_CLASS_double;
      map.strides[GPR_MAP_LEAVES][0] = parts * ((int64_t) m->rows + 1);
      map.z = (char *) m->data + part * gpr_bytes_of (e);
      GPR_TRY (gpr_cuda_map (j->s, &map));
      j->s->idle = false;
    }
  return GPR_OK;
}

/* ---- the results ---------------------------------------------------------------------------- */

static gpr_matrix
given (const job *j, int which)
{
  const gpr_array *a = j->p->given[which];
  return (gpr_matrix) { gpr_array_elem (a), (int) a->dims[0], (int) a->dims[1], (void *) a->data };
}

static void
give (job *j, int which, const gpr_matrix *m)
{
  const bool complex = gpr_elem_is_complex (m->elem);
  const gpr_class class = gpr_elem_real (m->elem) == GPR_f32 ? GPR_CLASS_single : GPR_CLASS_double;
  j->p->results[which] = (gpr_array) { .class = class, .complex = complex, .ndims = 2, .dims = { m->rows, m->columns },
                                       .data = gpr_held_keep (&j->held, m->data) };
}

/* ---- LU ------------------------------------------------------------------------------------- */

typedef struct { gpr_matrix lu; int *pivots, *info; int stopped; } factors;

static gpr_status
factor (job *j, const gpr_matrix *a, factors *f)
{
  const enum gpr_elem e = a->elem;
  const int least = a->rows < a->columns ? a->rows : a->columns;
  void *work;
  int n = 0;

  GPR_TRY (gpr_matrix_copy (&j->held, &f->lu, a));
  GPR_TRY (gpr_held_take (&j->held, &f->pivots, (int64_t) least * sizeof *f->pivots));
  GPR_TRY (gpr_held_take (&j->held, &f->info, sizeof *f->info));
  GPR_SOLVER_TRY (j->s, GPR_SOLVER_OF (e, j->solver, getrf_bufferSize, j->h, a->rows, a->columns, f->lu.data, a->rows, &n), "factoring");
  GPR_TRY (gpr_held_take (&j->held, &work, n * gpr_bytes_of (e)));
  GPR_SOLVER_TRY (j->s, GPR_SOLVER_OF (e, j->solver, getrf, j->h, a->rows, a->columns, f->lu.data, a->rows, work, f->pivots, f->info), "factoring");
  return outcome (j, f->info, &f->stopped);
}

/* x <- A \ x, or A.' \ x or A' \ x.  */
static gpr_status
apply (job *j, const factors *f, cublasOperation_t op, const gpr_matrix *x)
{
  const int n = f->lu.rows;
  GPR_SOLVER_TRY (j->s, GPR_SOLVER_OF (x->elem, j->solver, getrs, j->h, op, n, x->columns, f->lu.data, n, f->pivots, x->data, n, f->info), "solving");
  return GPR_OK;
}

/* ---- the condition in the 1-norm ---------------------------------------------------------------

   The norm of the inverse is estimated from below by products with it, after N. J. Higham, FORTRAN codes for estimating the one-norm
   of a real or complex matrix, ACM TOMS 14 (1988), algorithm 4.1.  */

typedef struct { job *j; const factors *f; gpr_matrix x; int n; double *parts, *before; void *raw; } estimate;      /* parts: re, im of each */

static gpr_status
multiply_by_inverse (estimate *t, bool adjoint)
{
  const enum gpr_elem e = t->x.elem, real = gpr_elem_real (e);
  const int each = gpr_elem_is_complex (e) ? 2 : 1;
  const size_t bytes = (size_t) t->n * (size_t) gpr_bytes_of (e);
  for (int i = 0; i < t->n; i++)
    for (int part = 0; part < each; part++)
      {
        if (real == GPR_f32)
          ((float *) t->raw)[each * i + part] = (float) t->parts[2 * i + part];
        else
          ((double *) t->raw)[each * i + part] = t->parts[2 * i + part];
      }
  GPR_TRY (send (t->j, t->x.data, t->raw, bytes));
  GPR_TRY (apply (t->j, t->f, ! adjoint ? CUBLAS_OP_N : each == 2 ? CUBLAS_OP_C : CUBLAS_OP_T, &t->x));
  GPR_TRY (fetch (t->j, t->raw, t->x.data, bytes));
  for (int i = 0; i < t->n; i++)
    for (int part = 0; part < 2; part++)
      t->parts[2 * i + part] = part >= each ? 0 : real == GPR_f32 ? (double) ((float *) t->raw)[each * i + part] : ((double *) t->raw)[each * i + part];
  return GPR_OK;
}

static double
modulus (const estimate *t, int i)
{
  return hypot (t->parts[2 * i], t->parts[2 * i + 1]);
}

static double
sum_of_moduli (const estimate *t)
{
  double sum = 0;
  for (int i = 0; i < t->n; i++)
    sum += modulus (t, i);
  return sum;
}

/* x <- its signs; false: they are those of before, of real numbers.  */
static bool
take_signs (estimate *t)
{
  bool changed = gpr_elem_is_complex (t->x.elem);
  for (int i = 0; i < t->n; i++)
    {
      const double r = modulus (t, i);
      t->parts[2 * i] = r > DBL_MIN ? t->parts[2 * i] / r : 1;
      t->parts[2 * i + 1] = r > DBL_MIN ? t->parts[2 * i + 1] / r : 0;
      changed = changed || t->parts[2 * i] != t->before[i];
      t->before[i] = t->parts[2 * i];
    }
  return changed;
}

static int
greatest (const estimate *t)
{
  int at = 0;
  for (int i = 1; i < t->n; i++)
    if (modulus (t, i) > modulus (t, at))
      at = i;
  return at;
}

static gpr_status
norm_of_inverse (estimate *t, double *norm)
{
  for (int i = 0; i < t->n; i++)
    {
      t->parts[2 * i] = 1.0 / t->n;
      t->before[i] = t->parts[2 * i + 1] = 0;
    }
  GPR_TRY (multiply_by_inverse (t, false));
  *norm = sum_of_moduli (t);
  if (t->n == 1)
    return GPR_OK;
  (void) take_signs (t);
  GPR_TRY (multiply_by_inverse (t, true));
  for (int round = 0, at = greatest (t); round < 4; round++)
    {
      const double last = *norm;
      memset (t->parts, 0, 2 * (size_t) t->n * sizeof *t->parts);
      t->parts[2 * at] = 1;
      GPR_TRY (multiply_by_inverse (t, false));
      const double now = sum_of_moduli (t);
      *norm = now;              /* as LAPACK, also where it is less */
      if (! take_signs (t) || ! (now > last))
        break;
      GPR_TRY (multiply_by_inverse (t, true));
      const int next = greatest (t);
      if (modulus (t, at) == modulus (t, next))
        break;
      at = next;
    }
  for (int i = 0; i < t->n; i++)
    {
      t->parts[2 * i] = (i % 2 ? -1 : 1) * (1 + (double) i / (t->n - 1));
      t->parts[2 * i + 1] = 0;
    }
  GPR_TRY (multiply_by_inverse (t, false));
  *norm = fmax (*norm, 2 * sum_of_moduli (t) / (3.0 * t->n));
  return GPR_OK;
}

static gpr_status
greatest_column (job *j, const gpr_matrix *a, double *norm)
{
  double *sums = malloc ((size_t) a->columns * sizeof *sums);
  if (! sums)
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of host memory");
  gpr_status status = column_sums (j, a, a->rows, a->columns, sums);
  *norm = 0;
  for (int i = 0; i < a->columns && status == GPR_OK; i++)
    if (! (sums[i] <= *norm))           /* also of NaN */
      *norm = sums[i];
  free (sums);
  return status;
}

/* a is what was factored.  */
static gpr_status
condition (job *j, const gpr_matrix *a, const factors *f, double *rcond)
{
  estimate t = { .j = j, .f = f, .n = a->rows };
  double norm = 0, of_inverse = 0;

  *rcond = 0;
  GPR_TRY (greatest_column (j, a, &norm));
  GPR_TRY (gpr_matrix_make (&j->held, &t.x, a->elem, t.n, 1));
  t.parts = malloc ((size_t) t.n * 5 * sizeof *t.parts);
  if (! t.parts)
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of host memory");
  t.before = t.parts + 2 * (size_t) t.n;
  t.raw = t.before + t.n;
  gpr_status status = norm_of_inverse (&t, &of_inverse);
  free (t.parts);
  if (status == GPR_OK && isfinite (norm) && isfinite (of_inverse) && norm * of_inverse > 0)
    *rcond = 1 / of_inverse / norm;
  return status;
}

/* Factors that a solution can come from.  */
static gpr_status
factor_regular (job *j, const gpr_matrix *a, factors *f)
{
  double *rcond = &j->p->task->rcond;
  GPR_TRY (factor (j, a, f));
  if (f->stopped > 0)
    return declined ("the matrix is singular");
  GPR_TRY (condition (j, a, f, rcond));
  const bool regular = gpr_elem_real (a->elem) == GPR_f32 ? (float) *rcond + 1.0f != 1.0f : *rcond + 1.0 != 1.0;
  return regular ? GPR_OK : declined ("the matrix is singular to machine precision");
}

/* ---- the operations ---------------------------------------------------------------------------- */

static gpr_status
product (job *j)
{
  const gpr_matrix a = given (j, 0), b = given (j, 1);
  const gpr_transposition *turns = j->p->task->turns;
  gpr_matrix c;
  GPR_TRY (gpr_cuda_product (&j->held, &c, &a, turns[0], &b, turns[1]));
  give (j, 0, &c);
  return GPR_OK;
}

/* x <- op (A) \ b, both of one kind of number in the end: real factors solve for real and imaginary parts side by side.  */
static gpr_status
solve (job *j, const gpr_matrix *a, const gpr_matrix *b, cublasOperation_t op, gpr_matrix *x)
{
  const bool complex_a = gpr_elem_is_complex (a->elem), complex_b = gpr_elem_is_complex (b->elem);
  gpr_matrix parts;
  factors f;

  GPR_TRY (factor_regular (j, a, &f));
  if (complex_b && ! complex_a)
    {
      GPR_TRY (gpr_matrix_split (&j->held, &parts, b));
      GPR_TRY (apply (j, &f, op, &parts));
      return gpr_matrix_join (&j->held, x, &parts);
    }
  if (complex_a && ! complex_b)
    GPR_TRY (gpr_matrix_complex (&j->held, x, b));
  else
    GPR_TRY (gpr_matrix_copy (&j->held, x, b));
  return apply (j, &f, op, x);
}

static gpr_status
left_divide (job *j)
{
  const gpr_matrix a = given (j, 0), b = given (j, 1);
  gpr_matrix x;
  GPR_TRY (solve (j, &a, &b, CUBLAS_OP_N, &x));
  give (j, 0, &x);
  return GPR_OK;
}

/* X A = B is A.' X.' = B.'.  */
static gpr_status
right_divide (job *j)
{
  const gpr_matrix b = given (j, 0), a = given (j, 1);
  gpr_matrix turned, x, result;
  GPR_TRY (gpr_matrix_turn (&j->held, &turned, &b, false));
  GPR_TRY (solve (j, &a, &turned, CUBLAS_OP_T, &x));
  GPR_TRY (gpr_matrix_turn (&j->held, &result, &x, false));
  give (j, 0, &result);
  return GPR_OK;
}

static gpr_status
inverse (job *j)
{
  const gpr_matrix a = given (j, 0);
  gpr_matrix x;
  factors f;
  GPR_TRY (factor_regular (j, &a, &f));
  GPR_TRY (gpr_matrix_make (&j->held, &x, a.elem, a.rows, a.rows));
  GPR_TRY (gpr_matrix_clear (&j->held, &x));
  GPR_TRY (set_diagonal (j, &x, a.rows, 1));
  GPR_TRY (apply (j, &f, CUBLAS_OP_N, &x));
  give (j, 0, &x);
  return GPR_OK;
}

static gpr_status
fetch_pivots (job *j, const factors *f, int n, int **pivots)
{
  *pivots = malloc ((size_t) n * sizeof **pivots);
  if (! *pivots)
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of host memory");
  gpr_status status = fetch (j, *pivots, f->pivots, (size_t) n * sizeof **pivots);
  if (status != GPR_OK)
    free (*pivots);
  return status;
}

static gpr_status
determinant (job *j)
{
  const gpr_matrix a = given (j, 0);
  gpr_linear_task *task = j->p->task;
  gpr_matrix diagonal;
  factors f;
  int *pivots;

  GPR_TRY (factor (j, &a, &f));
  if (f.stopped > 0)
    return declined ("the matrix is singular");
  if (task->outputs > 1)
    GPR_TRY (condition (j, &a, &f, &task->rcond));
  GPR_TRY (gpr_matrix_make (&j->held, &diagonal, a.elem, a.rows, 1));
  GPR_TRY (gpr_blas_copy (&j->held, a.elem, a.rows, f.lu.data, a.rows + 1, diagonal.data, 1));
  GPR_TRY (fetch_pivots (j, &f, a.rows, &pivots));
  task->odd = false;
  for (int i = 0; i < a.rows; i++)
    task->odd = task->odd != (pivots[i] != i + 1);
  free (pivots);
  give (j, 0, &diagonal);
  return GPR_OK;
}

static gpr_status
cholesky (job *j)
{
  const gpr_matrix a = given (j, 0);
  const enum gpr_elem e = a.elem;
  const int n = a.rows;
  const bool lower = j->p->task->lower;
  const cublasFillMode_t part = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  gpr_matrix both, r;
  void *work;
  int *info, count = 0, stopped;

  GPR_TRY (gpr_matrix_copy (&j->held, &both, &a));
  GPR_TRY (gpr_held_take (&j->held, &info, sizeof *info));
  GPR_SOLVER_TRY (j->s, GPR_SOLVER_OF (e, j->solver, potrf_bufferSize, j->h, part, n, both.data, n, &count), "factoring");
  GPR_TRY (gpr_held_take (&j->held, &work, count * gpr_bytes_of (e)));
  GPR_SOLVER_TRY (j->s, GPR_SOLVER_OF (e, j->solver, potrf, j->h, part, n, both.data, n, work, count, info), "factoring");
  GPR_TRY (outcome (j, info, &stopped));
  if (stopped > 0)
    return declined ("the matrix is not positive definite");
  GPR_TRY (gpr_matrix_make (&j->held, &r, e, n, n));
  GPR_TRY (gpr_matrix_clear (&j->held, &r));
  GPR_TRY (gpr_matrix_triangle (&j->held, &r, &both, n, lower));
  GPR_TRY (all_finite (j, &r));
  give (j, 0, &r);
  return GPR_OK;
}

/* The row of A in each row of L U.  */
static gpr_status
order_of_rows (job *j, const factors *f, int rows, int least, gpr_matrix *order)
{
  int *pivots;
  double *row = malloc ((size_t) rows * sizeof *row);
  if (! row)
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of host memory");
  gpr_status status = gpr_matrix_make (&j->held, order, GPR_f64, rows, 1);
  if (status == GPR_OK)
    status = fetch_pivots (j, f, least, &pivots);
  if (status == GPR_OK)
    {
      for (int i = 0; i < rows; i++)
        row[i] = i + 1;
      for (int i = 0; i < least; i++)
        {
          const double kept = row[i];
          row[i] = row[pivots[i] - 1];
          row[pivots[i] - 1] = kept;
        }
      free (pivots);
      status = send (j, order->data, row, (size_t) rows * sizeof *row);
    }
  free (row);
  return status;
}

static gpr_status
lu (job *j)
{
  const gpr_matrix a = given (j, 0);
  const int least = a.rows < a.columns ? a.rows : a.columns;
  gpr_matrix l, u, order;
  factors f;

  GPR_TRY (factor (j, &a, &f));
  if (j->p->task->outputs < 2)
    {
      give (j, 0, &f.lu);
      return GPR_OK;
    }
  GPR_TRY (gpr_matrix_make (&j->held, &l, a.elem, a.rows, least));
  GPR_TRY (gpr_matrix_clear (&j->held, &l));
  GPR_TRY (gpr_matrix_triangle (&j->held, &l, &f.lu, least, true));
  GPR_TRY (gpr_matrix_block (&j->held, &l, &f.lu, least, 0, a.rows - least, least));
  GPR_TRY (set_diagonal (j, &l, least, 1));
  GPR_TRY (gpr_matrix_make (&j->held, &u, a.elem, least, a.columns));
  GPR_TRY (gpr_matrix_clear (&j->held, &u));
  GPR_TRY (gpr_matrix_triangle (&j->held, &u, &f.lu, least, false));
  GPR_TRY (gpr_matrix_block (&j->held, &u, &f.lu, 0, least, least, a.columns - least));
  GPR_TRY (order_of_rows (j, &f, a.rows, least, &order));
  give (j, 0, &l);
  give (j, 1, &u);
  give (j, 2, &order);
  return GPR_OK;
}

/* Q R, of which the library keeps Q as reflections below the diagonal.  */
static gpr_status
qr (job *j)
{
  const gpr_matrix a = given (j, 0);
  const enum gpr_elem e = a.elem;
  const int m = a.rows, n = a.columns, least = m < n ? m : n, wide = j->p->task->economy ? least : m;
  gpr_matrix both, q, r;
  void *tau, *work;
  int *info, count = 0, more = 0, stopped;

  GPR_TRY (gpr_matrix_copy (&j->held, &both, &a));
  GPR_TRY (gpr_held_take (&j->held, &info, sizeof *info));
  GPR_TRY (gpr_held_take (&j->held, &tau, least * gpr_bytes_of (e)));
  GPR_TRY (gpr_matrix_make (&j->held, &q, e, m, wide));
  GPR_SOLVER_TRY (j->s, GPR_SOLVER_OF (e, j->solver, geqrf_bufferSize, j->h, m, n, both.data, m, &count), "factoring");
  GPR_SOLVER_TRY (j->s, GPR_SOLVER_OF_BOTH (e, j->solver, orgqr_bufferSize, ungqr_bufferSize, j->h, m, wide, least, q.data, m, tau, &more), "factoring");
  count = more > count ? more : count;
  GPR_TRY (gpr_held_take (&j->held, &work, count * gpr_bytes_of (e)));
  GPR_SOLVER_TRY (j->s, GPR_SOLVER_OF (e, j->solver, geqrf, j->h, m, n, both.data, m, tau, work, count, info), "factoring");
  GPR_TRY (outcome (j, info, &stopped));
  GPR_TRY (gpr_matrix_make (&j->held, &r, e, wide, n));
  GPR_TRY (gpr_matrix_clear (&j->held, &r));
  GPR_TRY (gpr_matrix_triangle (&j->held, &r, &both, least, false));
  GPR_TRY (gpr_matrix_block (&j->held, &r, &both, 0, least, least, n - least));
  GPR_TRY (gpr_matrix_clear (&j->held, &q));
  GPR_TRY (gpr_matrix_block (&j->held, &q, &both, 0, 0, m, least));
  GPR_SOLVER_TRY (j->s, GPR_SOLVER_OF_BOTH (e, j->solver, orgqr, ungqr, j->h, m, wide, least, q.data, m, tau, work, count, info), "factoring");
  GPR_TRY (outcome (j, info, &stopped));
  give (j, 0, &q);
  give (j, 1, &r);
  return GPR_OK;
}

/* Singular or eigenvalues, a column, on the diagonal of a matrix of zeros.  */
static gpr_status
on_diagonal (job *j, const gpr_matrix *values, int rows, int columns, gpr_matrix *m)
{
  GPR_TRY (gpr_matrix_make (&j->held, m, values->elem, rows, columns));
  GPR_TRY (gpr_matrix_clear (&j->held, m));
  return gpr_blas_copy (&j->held, m->elem, values->rows, values->data, 1, m->data, rows + 1);
}

/* The library takes no matrix that is wider than high: then it gets the adjoint, whose U and V are exchanged.  */
static gpr_status
svd (job *j)
{
  gpr_matrix a = given (j, 0), copy, s, u = { 0 }, vt = { 0 }, v, diagonal;
  const enum gpr_elem e = a.elem;
  const bool wide = a.rows < a.columns, vectors = j->p->task->outputs > 1, economy = j->p->task->economy;
  void *work;
  int *info, count = 0, stopped;

  GPR_TRY (all_finite (j, &a));
  GPR_TRY (wide ? gpr_matrix_turn (&j->held, &copy, &a, true) : gpr_matrix_copy (&j->held, &copy, &a));
  const int m = copy.rows, n = copy.columns;
  const signed char all = vectors ? (economy ? 'S' : 'A') : 'N';
  GPR_TRY (gpr_matrix_make (&j->held, &s, gpr_elem_real (e), n, 1));
  if (vectors)
    {
      GPR_TRY (gpr_matrix_make (&j->held, &u, e, m, economy ? n : m));
      GPR_TRY (gpr_matrix_make (&j->held, &vt, e, n, n));
    }
  GPR_TRY (gpr_held_take (&j->held, &info, sizeof *info));
  GPR_SOLVER_TRY (j->s, GPR_SOLVER_OF (e, j->solver, gesvd_bufferSize, j->h, m, n, &count), "finding singular values");
  GPR_TRY (gpr_held_take (&j->held, &work, count * gpr_bytes_of (e)));
  GPR_SOLVER_TRY (j->s, GPR_SOLVER_OF (e, j->solver, gesvd, j->h, all, all, m, n, copy.data, m, s.data, u.data, m, vt.data, n, work, count, NULL, info),
                  "finding singular values");
  GPR_TRY (outcome (j, info, &stopped));
  if (stopped > 0)
    return declined ("the singular values do not converge");
  if (! vectors)
    {
      give (j, 0, &s);
      return GPR_OK;
    }
  GPR_TRY (gpr_matrix_turn (&j->held, &v, &vt, true));
  GPR_TRY (on_diagonal (j, &s, economy ? n : a.rows, economy ? n : a.columns, &diagonal));
  give (j, 0, wide ? &v : &u);
  give (j, 1, &diagonal);
  give (j, 2, wide ? &u : &v);
  return GPR_OK;
}

/* Symmetric and Hermitian matrices.  */
static gpr_status
eig (job *j)
{
  const gpr_matrix a = given (j, 0);
  const enum gpr_elem e = a.elem;
  const int n = a.rows;
  const bool vectors = j->p->task->outputs > 1;
  const cusolverEigMode_t mode = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  const gpr_cublas *f;
  cublasHandle_t blas;
  gpr_matrix v, w, d;
  double difference;
  void *work;
  int *info, count = 0, stopped;

  GPR_TRY (all_finite (j, &a));
  GPR_TRY (gpr_matrix_make (&j->held, &v, e, n, n));
  GPR_TRY (gpr_cuda_use_blas (j->s, &f, &blas));
  GPR_BLAS_TRY (j->s, GPR_BLAS_OF (e, f, geam, blas, CUBLAS_OP_N, CUBLAS_OP_C, n, n, gpr_blas_number (e, 1), a.data, n, gpr_blas_number (e, -1), a.data, n, v.data, n),
                "comparing");
  GPR_TRY (column_sums (j, &v, (int64_t) n * n, 1, &difference));
  if (difference != 0)
    return declined ("the matrix is not symmetric");
  GPR_CUDA_TRY (cudaMemcpyAsync (v.data, a.data, (size_t) n * n * (size_t) gpr_bytes_of (e), cudaMemcpyDeviceToDevice, j->s->work), "copying on the GPU");
  GPR_TRY (gpr_matrix_make (&j->held, &w, gpr_elem_real (e), n, 1));
  GPR_TRY (gpr_held_take (&j->held, &info, sizeof *info));
  GPR_SOLVER_TRY (j->s, GPR_SOLVER_OF_BOTH (e, j->solver, syevd_bufferSize, heevd_bufferSize, j->h, mode, CUBLAS_FILL_MODE_UPPER, n, v.data, n, w.data, &count),
                  "finding eigenvalues");
  GPR_TRY (gpr_held_take (&j->held, &work, count * gpr_bytes_of (e)));
  GPR_SOLVER_TRY (j->s, GPR_SOLVER_OF_BOTH (e, j->solver, syevd, heevd, j->h, mode, CUBLAS_FILL_MODE_UPPER, n, v.data, n, w.data, work, count, info),
                  "finding eigenvalues");
  GPR_TRY (outcome (j, info, &stopped));
  if (stopped > 0)
    return declined ("the eigenvalues do not converge");
  if (! vectors)
    {
      give (j, 0, &w);
      return GPR_OK;
    }
  GPR_TRY (on_diagonal (j, &w, n, n, &d));
  give (j, 0, &v);
  give (j, 1, &d);
  return GPR_OK;
}

/* ---- one problem -------------------------------------------------------------------------- */

static gpr_status
run (job *j)
{
  static gpr_status (*const operations[]) (job *j) = {
    [GPR_LINEAR_product] = product, [GPR_LINEAR_left_divide] = left_divide, [GPR_LINEAR_right_divide] = right_divide, [GPR_LINEAR_inv] = inverse,
    [GPR_LINEAR_det] = determinant, [GPR_LINEAR_chol] = cholesky, [GPR_LINEAR_lu] = lu, [GPR_LINEAR_qr] = qr, [GPR_LINEAR_svd] = svd, [GPR_LINEAR_eig] = eig
  };
  gpr_cuda_slot *slot;

  for (int i = 0; i < GPR_LINEAR_GIVEN && j->p->given[i]; i++)
    if (j->p->given[i]->dims[0] > INT_MAX - 1 || j->p->given[i]->dims[1] > INT_MAX - 1)
      return declined ("cuBLAS and cuSOLVER take fewer rows and columns");
  GPR_TRY (gpr_cuda_drain (j->s));
  const double begun = gpr_cuda_now_ms ();
  j->s->idle = false;
  if (j->p->task->op > GPR_LINEAR_product)
    GPR_TRY (gpr_cuda_use_solver (j->s, &j->solver, &j->h));
  GPR_TRY (operations[j->p->task->op] (j));
  GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  GPR_TRY (gpr_cuda_end_work (j->s, slot));
  GPR_TRY (gpr_cuda_drain (j->s));
  j->s->transfer_ms = 0;
  j->s->kernel_ms = gpr_cuda_now_ms () - begun;
  return GPR_OK;
}

gpr_status
gpr_cuda_linear (gpr_cuda_state *s, gpr_linear *p)
{
  job j = { .held = { .s = s }, .s = s, .p = p };
  gpr_status status = run (&j);

  gpr_cuda_finish (s);
  gpr_held_give (&j.held);
  for (int i = 0; i < GPR_LINEAR_RESULTS && status != GPR_OK; i++)
    {                           /* those of one that failed halfway */
      gpr_cuda_give ((void *) p->results[i].data);
      p->results[i].data = NULL;
    }
  return status;
}

#else

gpr_status
gpr_cuda_linear (gpr_cuda_state *s, gpr_linear *p)
{
  (void) s;
  (void) p;
  return gpr_cuda_fail (GPR_UNSUPPORTED, "built without cuBLAS and cuSOLVER");
}

#endif
