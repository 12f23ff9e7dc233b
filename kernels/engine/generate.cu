#include "generate.h"
#include "../ops/convert.h"

/* A thread makes the elements of a block of the stream, which are neighbours.  */
#define GENERATE_BLOCKS(a, each) \
  const i64 blocks = ((a).count + (each) - 1) / (each), step = (i64) gridDim.x * blockDim.x; \
  for (i64 b = (i64) blockIdx.x * blockDim.x + threadIdx.x; b < blocks; b += step)

/* z begins at a multiple of 16 bytes.  */
template <class T, int N> static __device__ __forceinline__ void generate_store (const gpr_generate_args &a, i64 block, const T (&v)[N])
{
  struct __align__ (N * sizeof (T)) vector { T v[N]; };
  T *z = (T *) a.z + block * N;
  if (block * N + N <= a.count)
    {
      vector all;
#pragma unroll
      for (int j = 0; j < N; j++)
        all.v[j] = v[j];
      *(vector *) z = all;
    }
  else
    for (int j = 0; block * N + j < a.count; j++)
      z[j] = v[j];
}

#define GENERATE_NUMBERS(name) \
  __global__ void __launch_bounds__ (GPR_GENERATE_THREADS) name##_f64_k (const gpr_generate_args a) \
  { \
    GENERATE_BLOCKS (a, 2) \
      { \
        const gpr_words w = gpr_random_block (a.seed, a.position + (u64) b, 0); \
        const f64 v[2] = { gpr_##name##_f64 (gpr_long_word (w, 0)), gpr_##name##_f64 (gpr_long_word (w, 1)) }; \
        generate_store (a, b, v); \
      } \
  } \
  __global__ void __launch_bounds__ (GPR_GENERATE_THREADS) name##_f32_k (const gpr_generate_args a) \
  { \
    GENERATE_BLOCKS (a, 4) \
      { \
        const gpr_words w = gpr_random_block (a.seed, a.position + (u64) b, 0); \
        const f32 v[4] = { gpr_##name##_f32 (w.w[0]), gpr_##name##_f32 (w.w[1]), gpr_##name##_f32 (w.w[2]), gpr_##name##_f32 (w.w[3]) }; \
        generate_store (a, b, v); \
      } \
  }
GENERATE_NUMBERS (uniform)
GENERATE_NUMBERS (normal)
GENERATE_NUMBERS (exponential)

static __device__ __forceinline__ i64 generate_integer (const gpr_generate_args &a, const gpr_words &w, i64 b, int half)
{
  return a.least + (i64) gpr_random_below (a.many, gpr_long_word (w, half), a.seed, a.position + (u64) b, half);
}
#define GENERATE_INTEGERS(X) \
  __global__ void __launch_bounds__ (GPR_GENERATE_THREADS) integers_##X##_k (const gpr_generate_args a) \
  { \
    GENERATE_BLOCKS (a, 2) \
      { \
        const gpr_words w = gpr_random_block (a.seed, a.position + (u64) b, 0); \
        const X v[2] = { gpr_##X##_of_i64 (generate_integer (a, w, b, 0)), gpr_##X##_of_i64 (generate_integer (a, w, b, 1)) }; \
        generate_store (a, b, v); \
      } \
  }
GPR_CONVERT_REALS (GENERATE_INTEGERS)

__global__ void __launch_bounds__ (GPR_GENERATE_THREADS) range_k (const gpr_generate_args a)
{
  GENERATE_BLOCKS (a, 2)
    {
      f64 v[2];
#pragma unroll
      for (int j = 0; j < 2; j++)
        {
          const i64 i = 2 * b + j;
          v[j] = i == a.count - 1 ? a.last : i == 0 ? a.first : a.first + (f64) i * a.step;
        }
      generate_store (a, b, v);
    }
}

extern "C" const void *gpr_engine_random (int kind, enum gpr_elem elem)
{
  static const void *const kernels[3][2] = {
    { (const void *) uniform_f64_k, (const void *) uniform_f32_k }, { (const void *) normal_f64_k, (const void *) normal_f32_k },
    { (const void *) exponential_f64_k, (const void *) exponential_f32_k }
  };
  return elem == GPR_f64 || elem == GPR_f32 ? kernels[kind][elem == GPR_f32] : 0;
}

#define GENERATE_CASE(X) case GPR_##X: return (const void *) integers_##X##_k;
extern "C" const void *gpr_engine_integers (enum gpr_elem elem)
{
  switch ((int) elem)
    {
    GPR_CONVERT_REALS (GENERATE_CASE)
    default: return 0;
    }
}

extern "C" const void *gpr_engine_range (void) { return (const void *) range_k; }
