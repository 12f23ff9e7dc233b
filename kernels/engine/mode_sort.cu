/* Columns sorted by CUB.  Of floating-point elements NaN come first and last; -0 and 0 are equal.  Negative integers
   come last, for the sake of fewer kernels.  */

#include "mode.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct begin_of { int n; __host__ __device__ int operator() (int i) const { return i * n; } };

template <class T>
static cudaError_t sort (bool at_once, const void *from, void *to, int64_t columns, int64_t n, void *temp, size_t *temp_bytes, cudaStream_t stream)
{
  cudaError_t e = cudaSuccess;
  if (at_once)
    {
      auto begin = thrust::make_transform_iterator (thrust::make_counting_iterator (0), begin_of { (int) n });
      return cub::DeviceSegmentedRadixSort::SortKeys (temp, *temp_bytes, (const T *) from, (T *) to, (int) (columns * n), (int) columns,
                                                      begin, begin + 1, 0, (int) (8 * sizeof (T)), stream);
    }
  for (int64_t j = 0; j < (temp ? columns : 1) && e == cudaSuccess; j++)
    e = cub::DeviceRadixSort::SortKeys (temp, *temp_bytes, (const T *) from + j * n, (T *) to + j * n, (int) n, 0, (int) (8 * sizeof (T)), stream);
  return e;
}

extern "C" int gpr_engine_mode_sort (enum gpr_elem elem, bool at_once, const void *from, void *to, int64_t columns, int64_t n, void *temp,
                                     size_t *temp_bytes, void *stream)
{
  switch ((int) elem)
    {
#define GPR_MODE_SORT(T) case GPR_##T: return sort<T> (at_once, from, to, columns, n, temp, temp_bytes, (cudaStream_t) stream);
    GPR_MODE_SORT (f64) GPR_MODE_SORT (f32) GPR_MODE_SORT (u32) GPR_MODE_SORT (u64)
#undef GPR_MODE_SORT
    case GPR_i32: return sort<u32> (at_once, from, to, columns, n, temp, temp_bytes, (cudaStream_t) stream);
    case GPR_i64: return sort<u64> (at_once, from, to, columns, n, temp, temp_bytes, (cudaStream_t) stream);
    default: return cudaErrorInvalidValue;
    }
}
