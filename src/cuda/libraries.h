/* cuBLAS, cuSOLVER and cuFFT: found when they are wanted, and then ready for a device as long as it is not reset.  */

#ifndef GPR_CUDA_LIBRARIES_H
#define GPR_CUDA_LIBRARIES_H

#include "device.h"

/* Before the reset of a device, from 0: a lost one takes no calls.  */
void gpr_cuda_close_libraries (int device, bool lost);

#if __has_include (<cublas_v2.h>) && __has_include (<cusolverDn.h>) && __has_include (<cufft.h>)
#define GPR_CUDA_HAS_LIBRARIES

#include <cublas_v2.h>
#include <cufft.h>
#include <cusolverDn.h>

/* A function of each name, as the toolkit's header declares it.  */
#define GPR_OF_FOUR(F, library, name) F (library##S##name) F (library##D##name) F (library##C##name) F (library##Z##name)
#define GPR_CUBLAS(F) \
  F (cublasCreate) F (cublasDestroy) F (cublasSetStream) F (cublasSetPointerMode) \
  GPR_OF_FOUR (F, cublas, gemm) GPR_OF_FOUR (F, cublas, gemv) GPR_OF_FOUR (F, cublas, geam) GPR_OF_FOUR (F, cublas, copy) \
  GPR_OF_FOUR (F, cublas, syrk) F (cublasCherk) F (cublasZherk) \
  F (cublasSdot) F (cublasDdot) F (cublasCdotu) F (cublasCdotc) F (cublasZdotu) F (cublasZdotc) \
  GPR_OF_FOUR (F, cublas, trttp) GPR_OF_FOUR (F, cublas, tpttr)
#define GPR_CUSOLVER(F) \
  F (cusolverDnCreate) F (cusolverDnDestroy) F (cusolverDnSetStream) \
  GPR_OF_FOUR (F, cusolverDn, getrf_bufferSize) GPR_OF_FOUR (F, cusolverDn, getrf) GPR_OF_FOUR (F, cusolverDn, getrs) \
  GPR_OF_FOUR (F, cusolverDn, potrf_bufferSize) GPR_OF_FOUR (F, cusolverDn, potrf) \
  GPR_OF_FOUR (F, cusolverDn, geqrf_bufferSize) GPR_OF_FOUR (F, cusolverDn, geqrf) \
  F (cusolverDnSorgqr_bufferSize) F (cusolverDnDorgqr_bufferSize) F (cusolverDnCungqr_bufferSize) F (cusolverDnZungqr_bufferSize) \
  F (cusolverDnSorgqr) F (cusolverDnDorgqr) F (cusolverDnCungqr) F (cusolverDnZungqr) \
  GPR_OF_FOUR (F, cusolverDn, gesvd_bufferSize) GPR_OF_FOUR (F, cusolverDn, gesvd) \
  F (cusolverDnSsyevd_bufferSize) F (cusolverDnDsyevd_bufferSize) F (cusolverDnCheevd_bufferSize) F (cusolverDnZheevd_bufferSize) \
  F (cusolverDnSsyevd) F (cusolverDnDsyevd) F (cusolverDnCheevd) F (cusolverDnZheevd)
#define GPR_CUFFT(F) \
  F (cufftCreate) F (cufftDestroy) F (cufftSetAutoAllocation) F (cufftMakePlanMany64) F (cufftSetStream) F (cufftSetWorkArea) \
  F (cufftExecC2C) F (cufftExecZ2Z)

#define GPR_MEMBER(name) __typeof__ (&name) name;
typedef struct { GPR_CUBLAS (GPR_MEMBER) } gpr_cublas;
typedef struct { GPR_CUSOLVER (GPR_MEMBER) } gpr_cusolver;
typedef struct { GPR_CUFFT (GPR_MEMBER) } gpr_cufft;
#undef GPR_MEMBER

/* The functions, and a handle that works on the device's stream; GPR_UNSUPPORTED: not installed.  */
gpr_status gpr_cuda_use_blas (const gpr_cuda_state *s, const gpr_cublas **f, cublasHandle_t *h);
gpr_status gpr_cuda_use_solver (const gpr_cuda_state *s, const gpr_cusolver **f, cusolverDnHandle_t *h);
gpr_status gpr_cuda_use_fft (const gpr_cuda_state *s, const gpr_cufft **f);

/* A plan of transforms in place, kept for the next call: batch of them, of sizes n, the first the fastest, whose neighbours are stride
   elements apart; each transform begins distance elements after the one before.  bytes is what it wants for its work.  */
typedef struct { int rank; long long n[3]; long long stride, distance, batch; bool single; } gpr_fft_key;
gpr_status gpr_cuda_fft_plan (const gpr_cuda_state *s, const gpr_fft_key *key, cufftHandle *plan, size_t *bytes);

/* A failure's status and message.  */
gpr_status gpr_cuda_library_error (const gpr_cuda_state *s, const char *library, int code, bool no_memory, const char *what);

#define GPR_LIBRARY_TRY(s, library, none_left, call, what) \
  do \
    { \
      GPR_CUDA_TRY (cudaSuccess, what); \
      const int code_ = (int) (call); \
      if (code_ != 0) \
        return gpr_cuda_library_error (s, library, code_, code_ == (int) none_left, what); \
    } \
  while (0)
#define GPR_BLAS_TRY(s, call, what) GPR_LIBRARY_TRY (s, "cuBLAS", CUBLAS_STATUS_ALLOC_FAILED, call, what)
#define GPR_SOLVER_TRY(s, call, what) GPR_LIBRARY_TRY (s, "cuSOLVER", CUSOLVER_STATUS_ALLOC_FAILED, call, what)
#define GPR_FFT_TRY(s, call, what) GPR_LIBRARY_TRY (s, "cuFFT", CUFFT_ALLOC_FAILED, call, what)

/* The function of four that takes elements of type elem; pointers to elements are void.  */
#define GPR_PASTE(a, b) a##b
#define GPR_BY_ELEM(elem, f, prefix, real, complex, ...) \
  ((elem) == GPR_f32 ? (f)->GPR_PASTE (prefix##S, real) (__VA_ARGS__) : (elem) == GPR_f64 ? (f)->GPR_PASTE (prefix##D, real) (__VA_ARGS__) \
   : (elem) == GPR_c64 ? (f)->GPR_PASTE (prefix##C, complex) (__VA_ARGS__) : (f)->GPR_PASTE (prefix##Z, complex) (__VA_ARGS__))
#define GPR_BLAS_OF(elem, f, name, ...) GPR_BY_ELEM (elem, f, cublas, name, name, __VA_ARGS__)
#define GPR_SOLVER_OF(elem, f, name, ...) GPR_BY_ELEM (elem, f, cusolverDn, name, name, __VA_ARGS__)
#define GPR_SOLVER_OF_BOTH(elem, f, real, complex, ...) GPR_BY_ELEM (elem, f, cusolverDn, real, complex, __VA_ARGS__)

#endif
#endif
