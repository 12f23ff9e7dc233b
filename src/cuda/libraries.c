/* Libraries of the CUDA toolkit: their functions by name, handles and plans of each device.  */

#include <string.h>

#include "libraries.h"

#ifdef GPR_CUDA_HAS_LIBRARIES

#include "memory.h"
#include "../../kernels/common/library.h"

/* ---- functions ---------------------------------------------------------------------- */

typedef struct { bool tried, found; } search;

/* All of them, or none.  */
static bool
find (search *done, const char *name, const gpr_library_symbol *symbols, size_t count, void *functions)
{
  if (done->tried)
    return done->found;
  done->tried = true;
  return done->found = gpr_library_find (gpr_library_open (name), symbols, count, functions);
}

#define BLAS_SYMBOL(name) { GPR_LIBRARY_TEXT (name), offsetof (gpr_cublas, name) },
#define SOLVER_SYMBOL(name) { GPR_LIBRARY_TEXT (name), offsetof (gpr_cusolver, name) },
#define FFT_SYMBOL(name) { GPR_LIBRARY_TEXT (name), offsetof (gpr_cufft, name) },
static const gpr_library_symbol blas_symbols[] = { GPR_CUBLAS (BLAS_SYMBOL) }, solver_symbols[] = { GPR_CUSOLVER (SOLVER_SYMBOL) }, fft_symbols[] = { GPR_CUFFT (FFT_SYMBOL) };

static gpr_cublas blas;
static gpr_cusolver solver;
static gpr_cufft fft;
static search blas_search, solver_search, fft_search;

#define FIND(which, name, version) \
  find (&which##_search, name ".so." GPR_LIBRARY_TEXT (version), which##_symbols, sizeof which##_symbols / sizeof *which##_symbols, &which)

static gpr_status
missing (const char *library)
{
  return gpr_cuda_fail (GPR_UNSUPPORTED, "%s is not installed where the system looks for libraries", library);
}

gpr_status
gpr_cuda_library_error (const gpr_cuda_state *s, const char *library, int code, bool no_memory, const char *what)
{
  const cudaError_t e = cudaStreamQuery (s->work);
  if (e != cudaSuccess && e != cudaErrorNotReady)
    return gpr_cuda_error (e, what);
  (void) cudaGetLastError ();
  if (no_memory)
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of GPU memory while %s", what);
  return gpr_cuda_fail (GPR_UNSUPPORTED, "%s refused %s: status %d", library, what, code);
}

/* ---- handles: making one takes long, and memory of the driver's ----------------------- */

static cublasHandle_t blas_of[GPR_CUDA_DEVICES];
static cusolverDnHandle_t solver_of[GPR_CUDA_DEVICES];

static cublasStatus_t
make_blas (cublasHandle_t *h)
{
  cublasStatus_t status = blas.cublasCreate (h);
  if (status == CUBLAS_STATUS_ALLOC_FAILED)
    {
      gpr_cuda_trim_cache ();
      status = blas.cublasCreate (h);
    }
  return status;
}

static cusolverStatus_t
make_solver (cusolverDnHandle_t *h)
{
  cusolverStatus_t status = solver.cusolverDnCreate (h);
  if (status == CUSOLVER_STATUS_ALLOC_FAILED)
    {
      gpr_cuda_trim_cache ();
      status = solver.cusolverDnCreate (h);
    }
  return status;
}

gpr_status
gpr_cuda_use_blas (const gpr_cuda_state *s, const gpr_cublas **f, cublasHandle_t *h)
{
  cublasHandle_t *kept = &blas_of[s->number];

  if (! FIND (blas, "libcublas", CUBLAS_VER_MAJOR))
    return missing ("cuBLAS");
  if (! *kept)
    {
      cublasHandle_t made;
      GPR_BLAS_TRY (s, make_blas (&made), "starting cuBLAS");
      *kept = made;
      GPR_BLAS_TRY (s, blas.cublasSetStream (made, s->work), "starting cuBLAS");
    }
  *f = &blas;
  *h = *kept;
  return GPR_OK;
}

gpr_status
gpr_cuda_use_solver (const gpr_cuda_state *s, const gpr_cusolver **f, cusolverDnHandle_t *h)
{
  cusolverDnHandle_t *kept = &solver_of[s->number];

  if (! FIND (solver, "libcusolver", CUSOLVER_VER_MAJOR))
    return missing ("cuSOLVER");
  if (! *kept)
    {
      cusolverDnHandle_t made;
      GPR_SOLVER_TRY (s, make_solver (&made), "starting cuSOLVER");
      *kept = made;
      GPR_SOLVER_TRY (s, solver.cusolverDnSetStream (made, s->work), "starting cuSOLVER");
    }
  *f = &solver;
  *h = *kept;
  return GPR_OK;
}

/* ---- plans: the last that were used --------------------------------------------------- */

enum { PLANS = 8 };
typedef struct { bool made; gpr_fft_key key; cufftHandle plan; size_t bytes; unsigned used; } kept_plan;
static kept_plan plans[GPR_CUDA_DEVICES][PLANS];
static unsigned uses;

gpr_status
gpr_cuda_use_fft (const gpr_cuda_state *s, const gpr_cufft **f)
{
  (void) s;
  if (! FIND (fft, "libcufft", CUFFT_VER_MAJOR))
    return missing ("cuFFT");
  *f = &fft;
  return GPR_OK;
}

static bool
is_same (const gpr_fft_key *a, const gpr_fft_key *b)
{
  bool same = a->rank == b->rank && a->stride == b->stride && a->distance == b->distance && a->batch == b->batch && a->single == b->single;
  for (int d = 0; d < a->rank && same; d++)
    same = a->n[d] == b->n[d];
  return same;
}

/* The library has the first of n as the slowest.  Its memory for work is ours, of each call.  */
static gpr_status
make_plan (const gpr_cuda_state *s, const gpr_fft_key *key, cufftHandle plan, size_t *bytes)
{
  long long n[3];
  for (int d = 0; d < key->rank; d++)
    n[key->rank - 1 - d] = key->n[d];
  GPR_FFT_TRY (s, fft.cufftSetAutoAllocation (plan, 0), "planning a Fourier transform");
  GPR_FFT_TRY (s, fft.cufftMakePlanMany64 (plan, key->rank, n, n, key->stride, key->distance, n, key->stride, key->distance,
                                            key->single ? CUFFT_C2C : CUFFT_Z2Z, key->batch, bytes), "planning a Fourier transform");
  GPR_FFT_TRY (s, fft.cufftSetStream (plan, s->work), "planning a Fourier transform");
  return GPR_OK;
}

gpr_status
gpr_cuda_fft_plan (const gpr_cuda_state *s, const gpr_fft_key *key, cufftHandle *plan, size_t *bytes)
{
  kept_plan *all = plans[s->number], *at = all;

  for (int i = 0; i < PLANS; i++)
    {
      if (all[i].made && is_same (&all[i].key, key))
        {
          all[i].used = ++uses;
          *plan = all[i].plan;
          *bytes = all[i].bytes;
          return GPR_OK;
        }
      if (at->made && (! all[i].made || all[i].used < at->used))
        at = &all[i];
    }
  if (at->made)
    (void) fft.cufftDestroy (at->plan);
  at->made = false;
  GPR_FFT_TRY (s, fft.cufftCreate (plan), "planning a Fourier transform");
  gpr_status status = make_plan (s, key, *plan, bytes);
  if (status != GPR_OK)
    {
      (void) fft.cufftDestroy (*plan);
      return status;
    }
  *at = (kept_plan) { true, *key, *plan, *bytes, ++uses };
  return GPR_OK;
}

/* ---- the end -------------------------------------------------------------------------- */

void
gpr_cuda_close_libraries (int device, bool lost)
{
  if (blas_of[device] && ! lost)
    (void) blas.cublasDestroy (blas_of[device]);
  if (solver_of[device] && ! lost)
    (void) solver.cusolverDnDestroy (solver_of[device]);
  blas_of[device] = NULL;
  solver_of[device] = NULL;
  for (int i = 0; i < PLANS; i++)
    {
      if (plans[device][i].made && ! lost)
        (void) fft.cufftDestroy (plans[device][i].plan);
      plans[device][i].made = false;
    }
}

#else

void
gpr_cuda_close_libraries (int device, bool lost)
{
  (void) device;
  (void) lost;
}

#endif
