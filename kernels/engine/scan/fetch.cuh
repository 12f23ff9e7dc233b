/* Elements on their way from memory to shared memory, past the registers where the GPU can.  */

#ifndef GPR_SCAN_FETCH_CUH
#define GPR_SCAN_FETCH_CUH

#if defined __CUDACC__
#include <cuda_pipeline.h>
#endif

template <class X>
static __device__ __forceinline__ void scan_fetch (X *to, const X *from)
{
#if __CUDA_ARCH__ >= 800
  if (sizeof (X) == 4 || sizeof (X) == 8 || sizeof (X) == 16)
    {
      __pipeline_memcpy_async (to, from, sizeof (X));
      return;
    }
#endif
  *to = *from;
}

/* Those since the last call are a batch.  */
static __device__ __forceinline__ void scan_committed (void)
{
#if __CUDA_ARCH__ >= 800
  __pipeline_commit ();
#endif
}
/* Waits for all batches of the thread but the last ones.  */
template <int BUT>
static __device__ __forceinline__ void scan_arrived (void)
{
#if __CUDA_ARCH__ >= 800
  __pipeline_wait_prior (BUT);
#endif
}

#endif
