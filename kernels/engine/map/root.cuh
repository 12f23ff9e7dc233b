/* Square roots of expressions.  */

#ifndef GPR_ENGINE_MAP_ROOT_CUH
#define GPR_ENGINE_MAP_ROOT_CUH

/* Correctly rounded square roots of normal numbers without a branch, so that those of a thread are under way together; by the
   compiler's own (sqrt, sqrtf) each waits for the one before.  A reciprocal square root, better by a step, gives a root that one more step rounds:
   Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor" (1990).  tests/unit/accuracy_test.c
   compares on a GPU.  */
static __device__ __forceinline__ bool map_is_usual (f64 x) { return (unsigned) (__double2hiint (x) - 0x03500000) < 0x7ca00000u; }
static __device__ __forceinline__ bool map_is_usual (f32 x) { return __float_as_uint (x) - 0x0d000000u < 0x72800000u; }
#if defined __NVCC__ || defined __CUDACC_RTC__
static __device__ __forceinline__ f64 map_reciprocal_root (f64 x) { f64 y; asm ("rsqrt.approx.ftz.f64 %0, %1;" : "=d" (y) : "d" (x)); return y; }
static __device__ __forceinline__ f32 map_reciprocal_root (f32 x) { f32 y; asm ("rsqrt.approx.ftz.f32 %0, %1;" : "=f" (y) : "f" (x)); return y; }
#endif
static __device__ __forceinline__ f64 map_root (f64 x)
{
  const f64 y = map_reciprocal_root (x), e = fma (x, -(y * y), 1.0), better = fma (fma (e, 0.375, 0.5), y * e, y), root = x * better;
  return fma (fma (root, -root, x), 0.5 * better, root);
}
static __device__ __forceinline__ f32 map_root (f32 x)
{
  const f32 y = map_reciprocal_root (x), root = x * y;
  return fmaf (fmaf (-root, root, x), 0.5f * y, root);
}

#endif
