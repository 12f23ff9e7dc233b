/* cublas: cuBLAS's asum, the sum of ABSOLUTE values, which is the sum where no
   element is negative.  Floats only.  Left out of the build where there is no
   cuBLAS to link.  */

#include "ladder.h"

#ifndef LADDER_SIM              /* cuBLAS runs on GPUs only */
#include <cublas_v2.h>

#include "library.h"

/* One a device, for as long as the module lives: making one takes long.  */
static cublasStatus_t handle_for (cudaStream_t stream, cublasHandle_t *h)
{
  enum { DEVICES = 64 };
  static cublasHandle_t handle[DEVICES];
  int device = 0;
  cublasStatus_t e = CUBLAS_STATUS_SUCCESS;

  if (cudaGetDevice (&device) != cudaSuccess || device >= DEVICES)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (! handle[device])
    e = cublasCreate (&handle[device]);
  if (e == CUBLAS_STATUS_SUCCESS)
    e = cublasSetPointerMode (handle[device], CUBLAS_POINTER_MODE_DEVICE);
  if (e == CUBLAS_STATUS_SUCCESS)
    e = cublasSetStream (handle[device], stream);
  *h = handle[device];
  return e;
}
static cublasStatus_t asum (cublasHandle_t h, int64_t n, const double *x, double *r) { return cublasDasum_64 (h, n, x, 1, r); }
static cublasStatus_t asum (cublasHandle_t h, int64_t n, const float *x, float *r) { return cublasSasum_64 (h, n, x, 1, r); }

template <class X>
static cudaError_t sum_of_absolutes (const void *args, void *scratch, size_t *bytes, cudaStream_t stream)
{
  const ladder_reduce_args &a = *(const ladder_reduce_args *) args;
  cublasHandle_t h;

  if (! scratch)
    {
      *bytes = 1;               /* it has its own */
      return cudaSuccess;
    }
  cublasStatus_t e = handle_for (stream, &h);
  if (e == CUBLAS_STATUS_SUCCESS)
    e = asum (h, a.n, (const X *) a.x, (X *) a.result);
  return e == CUBLAS_STATUS_SUCCESS ? cudaSuccess : e == CUBLAS_STATUS_ALLOC_FAILED ? cudaErrorMemoryAllocation : cudaErrorUnknown;
}
#endif

LADDER_VARIANT (cublas)
{
  v.rank = 940;
  v.aliases = "cuBLAS, asum";
  v.idea = "cublasDasum, cublasSasum: the sum of absolute values";
  v.lesson = "a library for vectors has some reductions, not the one you want";
  v.wrong = "absolute values: the sum only where no element is negative; floats only";
  v.source = "G";
#ifndef LADDER_SIM
  LADDER_SET (v, LADDER_SUM, LADDER_DOUBLE, sum_of_absolutes<double>)
  LADDER_SET (v, LADDER_SUM, LADDER_SINGLE, sum_of_absolutes<float>)
  describe_library (v);
#endif
}
