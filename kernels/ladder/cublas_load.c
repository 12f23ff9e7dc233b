/* cuBLAS for kernels/ladder/cublas.cu: the functions that it calls, found when they
   are, so that gpureduce_ladder.so loads where cuBLAS is not installed.  */

#include <stdbool.h>
#include <string.h>

#include <cublas_v2.h>

#include "../common/library.h"

static void
find (const char *name, void *function)
{
  static void *library;
  static bool tried;
  void *found;

  if (! tried)
    {
      tried = true;
      library = gpr_library_open ("libcublas.so." GPR_LIBRARY_TEXT (CUBLAS_VER_MAJOR));
    }
  found = library ? dlsym (library, name) : NULL;
  memcpy (function, &found, sizeof found);
}

#define FORWARD(name, parameters, arguments) \
  cublasStatus_t \
  name parameters \
  { \
    static cublasStatus_t (*f) parameters; \
    if (! f) \
      find (#name, &f); \
    return f ? f arguments : CUBLAS_STATUS_NOT_INITIALIZED; \
  }

FORWARD (cublasCreate_v2, (cublasHandle_t *h), (h))
FORWARD (cublasSetPointerMode_v2, (cublasHandle_t h, cublasPointerMode_t mode), (h, mode))
FORWARD (cublasSetStream_v2, (cublasHandle_t h, cudaStream_t stream), (h, stream))
FORWARD (cublasSasum_v2_64, (cublasHandle_t h, int64_t n, const float *x, int64_t step, float *sum), (h, n, x, step, sum))
FORWARD (cublasDasum_v2_64, (cublasHandle_t h, int64_t n, const double *x, int64_t step, double *sum), (h, n, x, step, sum))
