/* Stands in for cuBLAS, cuSOLVER and cuFFT, on host memory: what src/cuda/libraries.h names, by BLAS, LAPACK and the sums of the definition.  Space for work is
   overwritten as far as was asked for.  */

#include <complex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cublas_v2.h>
#include <cufft.h>
#include <cusolverDn.h>

#define EXPORT __attribute__ ((visibility ("default")))
typedef float real_S;
typedef double real_D;
typedef float real_C;
typedef double real_Z;
typedef float elem_S;
typedef double elem_D;
typedef float complex elem_C;
typedef double complex elem_Z;
typedef float out_S;
typedef double out_D;
typedef cuComplex out_C;
typedef cuDoubleComplex out_Z;

static char letter (cublasOperation_t op) { return "NTC"[op]; }
static char side (cublasFillMode_t part) { return part == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U'; }
static int handle;

/* ---- cuBLAS --------------------------------------------------------------------------- */

EXPORT cublasStatus_t cublasCreate (cublasHandle_t *h) { *h = (cublasHandle_t) &handle; return 0; }
EXPORT cublasStatus_t cublasDestroy (cublasHandle_t h) { (void) h; return 0; }
EXPORT cublasStatus_t cublasSetStream (cublasHandle_t h, cudaStream_t s) { (void) h; (void) s; return 0; }
EXPORT cublasStatus_t cublasSetPointerMode (cublasHandle_t h, cublasPointerMode_t mode) { (void) h; (void) mode; return 0; }

#define BLAS(L, l) \
  extern void l##gemm_ (const char *, const char *, const int *, const int *, const int *, const void *, const void *, const int *, \
                        const void *, const int *, const void *, void *, const int *, size_t, size_t); \
  extern void l##gemv_ (const char *, const int *, const int *, const void *, const void *, const int *, const void *, const int *, const void *, void *, \
                        const int *, size_t); \
  extern void l##syrk_ (const char *, const char *, const int *, const int *, const void *, const void *, const int *, const void *, void *, const int *, size_t, size_t); \
  EXPORT cublasStatus_t \
  cublas##L##gemm (cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const out_##L *alpha, const out_##L *a, int lda, \
                   const out_##L *b, int ldb, const out_##L *beta, out_##L *c, int ldc) \
  { \
    (void) h; \
    if (lda < (ta ? k : m) || ldb < (tb ? n : k) || ldc < m) \
      return CUBLAS_STATUS_INVALID_VALUE; \
    l##gemm_ (&(char) { letter (ta) }, &(char) { letter (tb) }, &m, &n, &k, alpha, a, &lda, b, &ldb, beta, c, &ldc, 1, 1); \
    return 0; \
  } \
  EXPORT cublasStatus_t \
  cublas##L##gemv (cublasHandle_t h, cublasOperation_t t, int m, int n, const out_##L *alpha, const out_##L *a, int lda, const out_##L *x, int stepx, \
                   const out_##L *beta, out_##L *y, int stepy) \
  { \
    (void) h; \
    l##gemv_ (&(char) { letter (t) }, &m, &n, alpha, a, &lda, x, &stepx, beta, y, &stepy, 1); \
    return 0; \
  } \
  EXPORT cublasStatus_t \
  cublas##L##syrk (cublasHandle_t h, cublasFillMode_t part, cublasOperation_t t, int n, int k, const out_##L *alpha, const out_##L *a, int lda, \
                   const out_##L *beta, out_##L *c, int ldc) \
  { \
    (void) h; \
    l##syrk_ (&(char) { side (part) }, &(char) { letter (t) }, &n, &k, alpha, a, &lda, beta, c, &ldc, 1, 1); \
    return 0; \
  } \
  static elem_##L at_##L (cublasOperation_t t, const elem_##L *a, int lda, int i, int j) \
  { return t == CUBLAS_OP_N ? a[i + (size_t) j * lda] : t == CUBLAS_OP_T ? a[j + (size_t) i * lda] : (elem_##L) conj (a[j + (size_t) i * lda]); } \
  EXPORT cublasStatus_t \
  cublas##L##geam (cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, const out_##L *alpha, const out_##L *a, int lda, \
                   const out_##L *beta, const out_##L *b, int ldb, out_##L *c, int ldc) \
  { \
    const elem_##L p = *(const elem_##L *) alpha, q = *(const elem_##L *) beta; \
    (void) h; \
    for (int j = 0; j < n; j++) \
      for (int i = 0; i < m; i++) \
        ((elem_##L *) c)[i + (size_t) j * ldc] = (p == 0 ? 0 : p * at_##L (ta, (const elem_##L *) a, lda, i, j)) \
                                                 + (q == 0 ? 0 : q * at_##L (tb, (const elem_##L *) b, ldb, i, j)); \
    return 0; \
  } \
  EXPORT cublasStatus_t \
  cublas##L##copy (cublasHandle_t h, int n, const out_##L *x, int stepx, out_##L *y, int stepy) \
  { \
    (void) h; \
    for (size_t i = 0; i < (size_t) n; i++) \
      y[i * stepy] = x[i * stepx]; \
    return 0; \
  } \
  EXPORT cublasStatus_t \
  cublas##L##trttp (cublasHandle_t h, cublasFillMode_t part, int n, const out_##L *a, int lda, out_##L *packed) \
  { \
    (void) h; \
    for (int j = 0; j < n; j++) \
      for (int i = side (part) == 'L' ? j : 0; i <= (side (part) == 'L' ? n - 1 : j); i++) \
        *packed++ = a[i + (size_t) j * lda]; \
    return 0; \
  } \
  EXPORT cublasStatus_t \
  cublas##L##tpttr (cublasHandle_t h, cublasFillMode_t part, int n, const out_##L *packed, out_##L *a, int lda) \
  { \
    (void) h; \
    for (int j = 0; j < n; j++) \
      for (int i = side (part) == 'L' ? j : 0; i <= (side (part) == 'L' ? n - 1 : j); i++) \
        a[i + (size_t) j * lda] = *packed++; \
    return 0; \
  }
BLAS (S, s)
BLAS (D, d)
BLAS (C, c)
BLAS (Z, z)

#define HERK(L, l) \
  extern void l##herk_ (const char *, const char *, const int *, const int *, const void *, const void *, const int *, const void *, void *, const int *, size_t, size_t); \
  EXPORT cublasStatus_t \
  cublas##L##herk (cublasHandle_t h, cublasFillMode_t part, cublasOperation_t t, int n, int k, const real_##L *alpha, const out_##L *a, int lda, \
                   const real_##L *beta, out_##L *c, int ldc) \
  { \
    (void) h; \
    l##herk_ (&(char) { side (part) }, &(char) { letter (t) }, &n, &k, alpha, a, &lda, beta, c, &ldc, 1, 1); \
    return 0; \
  }
HERK (C, c)
HERK (Z, z)

#define DOT(name, L, turned) \
  EXPORT cublasStatus_t \
  cublas##name (cublasHandle_t h, int n, const out_##L *x, int stepx, const out_##L *y, int stepy, out_##L *result) \
  { \
    elem_##L sum = 0; \
    (void) h; \
    for (size_t i = 0; i < (size_t) n; i++) \
      sum += (elem_##L) turned (((const elem_##L *) x)[i * stepx]) * ((const elem_##L *) y)[i * stepy]; \
    memcpy (result, &sum, sizeof sum); \
    return 0; \
  }
DOT (Sdot, S,)
DOT (Ddot, D,)
DOT (Cdotu, C,)
DOT (Zdotu, Z,)
DOT (Cdotc, C, conj)
DOT (Zdotc, Z, conj)

/* ---- cuSOLVER --------------------------------------------------------------------------- */

EXPORT cusolverStatus_t cusolverDnCreate (cusolverDnHandle_t *h) { *h = (cusolverDnHandle_t) &handle; return 0; }
EXPORT cusolverStatus_t cusolverDnDestroy (cusolverDnHandle_t h) { (void) h; return 0; }
EXPORT cusolverStatus_t cusolverDnSetStream (cusolverDnHandle_t h, cudaStream_t s) { (void) h; (void) s; return 0; }

#define SOLVER(L, l, or, sy) \
  extern void l##getrf_ (const int *, const int *, void *, const int *, int *, int *); \
  extern void l##getrs_ (const char *, const int *, const int *, const void *, const int *, const int *, void *, const int *, int *, size_t); \
  extern void l##potrf_ (const char *, const int *, void *, const int *, int *, size_t); \
  extern void l##geqrf_ (const int *, const int *, void *, const int *, void *, void *, const int *, int *); \
  extern void l##or##gqr_ (const int *, const int *, const int *, void *, const int *, const void *, void *, const int *, int *); \
  EXPORT cusolverStatus_t \
  cusolverDn##L##getrf_bufferSize (cusolverDnHandle_t h, int m, int n, out_##L *a, int lda, int *count) \
  { (void) h; (void) a; *count = m + 3; return lda < m || n < 1; } \
  EXPORT cusolverStatus_t \
  cusolverDn##L##getrf (cusolverDnHandle_t h, int m, int n, out_##L *a, int lda, out_##L *work, int *pivots, int *info) \
  { \
    (void) h; \
    memset (work, 0xff, (size_t) (m + 3) * sizeof *work); \
    l##getrf_ (&m, &n, a, &lda, pivots, info); \
    return 0; \
  } \
  EXPORT cusolverStatus_t \
  cusolverDn##L##getrs (cusolverDnHandle_t h, cublasOperation_t t, int n, int count, const out_##L *a, int lda, const int *pivots, out_##L *b, int ldb, int *info) \
  { \
    (void) h; \
    l##getrs_ (&(char) { letter (t) }, &n, &count, a, &lda, pivots, b, &ldb, info, 1); \
    return 0; \
  } \
  EXPORT cusolverStatus_t \
  cusolverDn##L##potrf_bufferSize (cusolverDnHandle_t h, cublasFillMode_t part, int n, out_##L *a, int lda, int *count) \
  { (void) h; (void) a; (void) part; *count = n + 1; return lda < n; } \
  EXPORT cusolverStatus_t \
  cusolverDn##L##potrf (cusolverDnHandle_t h, cublasFillMode_t part, int n, out_##L *a, int lda, out_##L *work, int count, int *info) \
  { \
    (void) h; \
    memset (work, 0xff, (size_t) count * sizeof *work); \
    l##potrf_ (&(char) { side (part) }, &n, a, &lda, info, 1); \
    return count < n + 1; \
  } \
  EXPORT cusolverStatus_t \
  cusolverDn##L##geqrf_bufferSize (cusolverDnHandle_t h, int m, int n, out_##L *a, int lda, int *count) \
  { (void) h; (void) a; *count = n; return lda < m; } \
  EXPORT cusolverStatus_t \
  cusolverDn##L##geqrf (cusolverDnHandle_t h, int m, int n, out_##L *a, int lda, out_##L *tau, out_##L *work, int count, int *info) \
  { \
    (void) h; \
    l##geqrf_ (&m, &n, a, &lda, tau, work, &count, info); \
    return 0; \
  } \
  EXPORT cusolverStatus_t \
  cusolverDn##L##or##gqr_bufferSize (cusolverDnHandle_t h, int m, int n, int k, const out_##L *a, int lda, const out_##L *tau, int *count) \
  { (void) h; (void) a; (void) tau; *count = n + k; return lda < m || n > m || k > n; } \
  EXPORT cusolverStatus_t \
  cusolverDn##L##or##gqr (cusolverDnHandle_t h, int m, int n, int k, out_##L *a, int lda, const out_##L *tau, out_##L *work, int count, int *info) \
  { \
    (void) h; \
    if (count < n + k) \
      return CUSOLVER_STATUS_INVALID_VALUE; \
    l##or##gqr_ (&m, &n, &k, a, &lda, tau, work, &count, info); \
    return 0; \
  } \
  EXPORT cusolverStatus_t \
  cusolverDn##L##gesvd_bufferSize (cusolverDnHandle_t h, int m, int n, int *count) \
  { (void) h; *count = m + n; return m < n; } \
  EXPORT cusolverStatus_t \
  cusolverDn##L##sy##evd_bufferSize (cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t part, int n, const out_##L *a, int lda, \
                                     const real_##L *w, int *count) \
  { (void) h; (void) mode; (void) part; (void) a; (void) w; *count = n + 2; return lda < n; }
SOLVER (S, s, or, sy)
SOLVER (D, d, or, sy)
SOLVER (C, c, un, he)
SOLVER (Z, z, un, he)

#define SVD(L, l, sy, REAL_ONLY, COMPLEX_ONLY) \
  EXPORT cusolverStatus_t \
  cusolverDn##L##gesvd (cusolverDnHandle_t h, signed char u, signed char vt, int m, int n, out_##L *a, int lda, real_##L *s, out_##L *us, int ldu, out_##L *vts, \
                        int ldvt, out_##L *work, int count, real_##L *rwork, int *info) \
  { \
    int more = 64 * (m + n); \
    void *space = malloc ((size_t) more * sizeof *a), *reals = malloc (5 * (size_t) n * sizeof *s); \
    (void) h; \
    (void) rwork; \
    memset (work, 0xff, (size_t) count * sizeof *work); \
    if (m >= n) \
      l##gesvd_ (&(char) { u }, &(char) { vt }, &m, &n, a, &lda, s, us, &ldu, vts, &ldvt, space, &more COMPLEX_ONLY (reals), info, 1, 1); \
    free (space); \
    free (reals); \
    return m < n; \
  } \
  EXPORT cusolverStatus_t \
  cusolverDn##L##sy##evd (cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t part, int n, out_##L *a, int lda, real_##L *w, out_##L *work, int count, int *info) \
  { \
    int more = 64 * n; \
    void *space = malloc ((size_t) more * sizeof *a), *reals = malloc (3 * (size_t) n * sizeof *w); \
    (void) h; \
    memset (work, 0xff, (size_t) count * sizeof *work); \
    l##sy##ev_ (&(char) { mode == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N' }, &(char) { side (part) }, &n, a, &lda, w, space, &more COMPLEX_ONLY (reals), info, 1, 1); \
    free (space); \
    free (reals); \
    return 0; \
  }
#define NOTHING(x)
#define THIS(x) , x
extern void sgesvd_ (), dgesvd_ (), cgesvd_ (), zgesvd_ (), ssyev_ (), dsyev_ (), cheev_ (), zheev_ ();
SVD (S, s, sy, THIS, NOTHING)
SVD (D, d, sy, THIS, NOTHING)
SVD (C, c, he, NOTHING, THIS)
SVD (Z, z, he, NOTHING, THIS)

/* ---- cuFFT: by the definition --------------------------------------------------------------- */

typedef struct { bool used, made; int rank; long long n[3], stride, distance, batch; void *work; size_t bytes; } fft_plan;
static fft_plan plans[64];

EXPORT cufftResult
cufftCreate (cufftHandle *plan)
{
  for (*plan = 0; *plan < 64; ++*plan)
    if (! plans[*plan].used)
      {
        plans[*plan] = (fft_plan) { .used = true };
        return CUFFT_SUCCESS;
      }
  return CUFFT_ALLOC_FAILED;
}

EXPORT cufftResult
cufftDestroy (cufftHandle plan)
{
  plans[plan].used = false;
  return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftSetAutoAllocation (cufftHandle plan, int automatic) { return plans[plan].used && automatic == 0 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }
EXPORT cufftResult cufftSetStream (cufftHandle plan, cudaStream_t s) { (void) s; return plans[plan].made ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }

EXPORT cufftResult
cufftMakePlanMany64 (cufftHandle plan, int rank, long long *n, long long *in, long long in_stride, long long in_distance, long long *out, long long out_stride,
                     long long out_distance, cufftType type, long long batch, size_t *bytes)
{
  fft_plan *p = &plans[plan];
  (void) type;
  if (! p->used || in_stride != out_stride || in_distance != out_distance || ! in || ! out)
    return CUFFT_INVALID_VALUE;
  p->made = true;
  p->rank = rank;
  memcpy (p->n, n, (size_t) rank * sizeof *n);
  p->stride = in_stride;
  p->distance = in_distance;
  p->batch = batch;
  p->bytes = *bytes = 100;
  return CUFFT_SUCCESS;
}

EXPORT cufftResult
cufftSetWorkArea (cufftHandle plan, void *work)
{
  memset (work, 0xff, plans[plan].bytes);
  plans[plan].work = work;
  return CUFFT_SUCCESS;
}

/* n numbers, so many apart, by a table of roots of unity.  */
static void
line (double complex *x, long long n, long long apart, int direction)
{
  double complex *y = malloc (2 * (size_t) n * sizeof *y), *roots = y + n;
  for (long long k = 0; k < n; k++)
    roots[k] = cexp (direction * 2 * 3.14159265358979323846 * I * k / n);
  for (long long k = 0; k < n; k++)
    {
      y[k] = 0;
      for (long long i = 0; i < n; i++)
        y[k] += x[i * apart] * roots[i * k % n];
    }
  for (long long k = 0; k < n; k++)
    x[k * apart] = y[k];
  free (y);
}

static void
transform (double complex *x, const long long *n, int rank, int direction)
{
  long long all = 1, apart = 1;
  for (int d = 0; d < rank; d++)
    all *= n[d];
  for (int d = rank - 1; d >= 0; d--)
    {
      for (long long first = 0; first < all; first++)
        if (first / apart % n[d] == 0)
          line (x + first, n[d], apart, direction);
      apart *= n[d];
    }
}

#define EXEC(name, L, T) \
  EXPORT cufftResult \
  cufftExec##name (cufftHandle plan, T *in, T *out, int direction) \
  { \
    const fft_plan *p = &plans[plan]; \
    long long all = 1; \
    for (int d = 0; d < p->rank; d++) \
      all *= p->n[d]; \
    if (! p->made || ! p->work || in != out) \
      return CUFFT_INVALID_PLAN; \
    double complex *x = malloc ((size_t) all * sizeof *x); \
    for (long long b = 0; b < p->batch; b++) \
      { \
        elem_##L *at = (elem_##L *) in + b * p->distance; \
        for (long long i = 0; i < all; i++) \
          x[i] = at[i * p->stride]; \
        transform (x, p->n, p->rank, direction); \
        for (long long i = 0; i < all; i++) \
          at[i * p->stride] = (elem_##L) x[i]; \
      } \
    free (x); \
    return CUFFT_SUCCESS; \
  }
EXEC (C2C, C, cufftComplex)
EXEC (Z2Z, Z, cufftDoubleComplex)
