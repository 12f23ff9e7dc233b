/* Modes, and the k greatest or least: all elements of a chunk are sorted by their keys, then, stably, by
   their columns; so one sort of the device does any shape.  What is sorted beside
   the keys are the elements' positions.  */

#include "order.h"

#include <cub/device/device_radix_sort.cuh>

static __device__ __forceinline__ int64_t first_item () { return (int64_t) blockIdx.x * GPR_ORDER_THREADS + threadIdx.x; }
static __device__ __forceinline__ int64_t item_step () { return (int64_t) gridDim.x * GPR_ORDER_THREADS; }

/* Element m of the chunk, where it lies in x.  */
static __device__ __forceinline__ int64_t place_in_x (const gpr_order_args &a, int64_t m)
{
  int64_t row = m / a.columns, c = m - row * a.columns, o = row / a.n, r = row - o * a.n;
  return c + a.row_stride * r + a.outer_stride * o;
}

#define GPR_ORDER_OVERLOADS(T, K, BITS) \
  static __device__ __forceinline__ K key_of (T x, bool merge) { return gpr_order_key_##T (x, merge); } \
  static __device__ __forceinline__ bool is_nan (T x) { return x != x; }
GPR_ORDER_TYPES (GPR_ORDER_OVERLOADS)

template <class T, class K>
__global__ void __launch_bounds__ (GPR_ORDER_THREADS) keys_k (const gpr_order_args a)
{
  for (int64_t m = first_item (); m < a.count; m += item_step ())
    {
      const T x = ((const T *) a.x)[place_in_x (a, m)];
      ((K *) a.keys)[m] = key_of (x, a.merge) ^ (is_nan (x) ? (K) 0 : (K) a.turned);
      a.positions[m] = (uint32_t) m;
    }
}

static __global__ void __launch_bounds__ (GPR_ORDER_THREADS) column_k (const gpr_order_args a)
{
  for (int64_t i = first_item (); i < a.count; i += item_step ())
    {
      int64_t m = a.positions[i];
      a.column[i] = (uint32_t) (m % a.columns + a.columns * (m / (a.n * a.columns)));
    }
}

template <class T>
__global__ void __launch_bounds__ (GPR_ORDER_THREADS) first_k (const gpr_order_args a)
{
  for (int64_t i = first_item (); i < a.outers * a.columns * a.taken; i += item_step ())
    {
      const int64_t row = i / a.columns, c = i - row * a.columns, o = row / a.taken, k = row - o * a.taken;
      const uint32_t m = a.positions[(c + a.columns * o) * a.n + k];
      const int64_t to = c + a.value_stride * row;
      ((T *) a.value)[to] = ((const T *) a.x)[place_in_x (a, m)];
      if (a.index)
        a.index[to] = (double) (m / a.columns - o * a.n + 1);
    }
}

template <class T>
__global__ void __launch_bounds__ (GPR_ORDER_THREADS) take_k (const gpr_order_args a)
{
  for (int64_t i = first_item (); i < a.count; i += item_step ())
    ((T *) a.sorted)[i] = ((const T *) a.x)[place_in_x (a, a.positions[i])];
}

/* In mode.m a run goes on while the difference is zero: infinities and NaN are runs of one.  */
template <class T>
static __device__ __forceinline__ bool same_run (T x, T y)
{
  return x == y && x - x == 0;
}

/* The first element of every run finds its end.  */
template <class T>
__global__ void __launch_bounds__ (GPR_ORDER_THREADS) runs_k (const gpr_order_args a)
{
  for (int64_t i = first_item (); i < a.count; i += item_step ())
    {
      const int64_t j = i / a.n, r = i - j * a.n;
      const T *s = (const T *) a.sorted + j * a.n;
      const T v = s[r];
      if (r > 0 && same_run (v, s[r - 1]))
        continue;
      /* s[in] is of the run, s[out] is not.  */
      int64_t in = r, out = r + 1;
      for (int64_t step = 1; out < a.n && same_run (s[out], v); step *= 2)
        {
          in = out;
          out = out + step < a.n ? out + step : a.n;
        }
      while (out - in > 1)
        {
          int64_t half = in + (out - in) / 2;
          if (same_run (s[half], v))
            in = half;
          else
            out = half;
        }
      unsigned long long mine = (unsigned long long) (out - r) << 32 | (uint32_t) ~(uint32_t) r;
      if (mine > *(volatile unsigned long long *) &a.best[j])       /* it only grows */
        atomicMax (&a.best[j], mine);
    }
}

template <class T>
__global__ void __launch_bounds__ (GPR_ORDER_THREADS) mode_k (const gpr_order_args a)
{
  for (int64_t j = first_item (); j < a.outers * a.columns; j += item_step ())
    {
      const unsigned long long best = a.best[j];
      ((T *) a.value)[j] = ((const T *) a.sorted)[j * a.n + (uint32_t) ~(uint32_t) best];
      a.frequency[j] = (double) (best >> 32);
    }
}

#define GPR_ORDER_CASE(T, K, BITS) \
  case GPR_##T: \
    { \
      static const gpr_order_kernels k = { (const void *) keys_k<T, K>, (const void *) column_k, (const void *) first_k<T>, \
                                           (const void *) take_k<T>, (const void *) runs_k<T>, (const void *) mode_k<T>, \
                                           sizeof (K), BITS }; \
      return &k; \
    }
extern "C" const gpr_order_kernels *gpr_engine_order (enum gpr_elem elem)
{
  switch ((int) elem)
    {
    GPR_ORDER_TYPES (GPR_ORDER_CASE)
    default: return 0;
    }
}

template <class K>
static cudaError_t sort (int key_bits, void *const keys[2], uint32_t *const positions[2], int *at, int64_t count,
                         void *temp, size_t *temp_bytes, cudaStream_t stream)
{
  cub::DoubleBuffer<K> k ((K *) keys[*at], (K *) keys[! *at]);
  cub::DoubleBuffer<uint32_t> p (positions[*at], positions[! *at]);
  cudaError_t e = cub::DeviceRadixSort::SortPairs (temp, *temp_bytes, k, p, (int) count, 0, key_bits, stream);
  if (temp)
    *at = p.Current () == positions[1];
  return e;
}

extern "C" int gpr_engine_sort (int key_bytes, int key_bits, void *const keys[2], uint32_t *const positions[2], int *at,
                                int64_t count, void *temp, size_t *temp_bytes, void *stream)
{
  return key_bytes == 8 ? sort<u64> (key_bits, keys, positions, at, count, temp, temp_bytes, (cudaStream_t) stream)
                        : sort<u32> (key_bits, keys, positions, at, count, temp, temp_bytes, (cudaStream_t) stream);
}
