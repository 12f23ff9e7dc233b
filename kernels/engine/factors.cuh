/* Factors of a product, as its kernels read them (settle.cu, prod_columns.cu).  */

#ifndef GPR_ENGINE_FACTORS_CUH
#define GPR_ENGINE_FACTORS_CUH

/* Rows of a column, LEFT at most; 1 beyond.  */
template <int EACH, class X> static __device__ __forceinline__ void factors_fetch (const X *x, i64 stride, int left, X *own)
{
  if (left >= EACH)
#pragma unroll
    for (int j = 0; j < EACH; j++, x += stride)
      own[j] = *x;
  else
#pragma unroll
    for (int j = 0; j < EACH; j++, x += stride)
      own[j] = j < left ? *x : (X) 1;
}

#endif
