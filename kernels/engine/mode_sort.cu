/* Columns of keys, sorted by CUB.  */

#include "mode.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct begin_of { int n; __host__ __device__ int operator() (int i) const { return i * n; } };

template <class K>
static cudaError_t sort (bool at_once, void *const keys[2], int *at, int64_t columns, int64_t n, void *temp, size_t *temp_bytes, cudaStream_t stream)
{
  cudaError_t e = cudaSuccess;
  if (at_once)
    {
      cub::DoubleBuffer<K> k ((K *) keys[0], (K *) keys[1]);
      auto begin = thrust::make_transform_iterator (thrust::make_counting_iterator (0), begin_of { (int) n });
      e = cub::DeviceSegmentedRadixSort::SortKeys (temp, *temp_bytes, k, (int) (columns * n), (int) columns, begin, begin + 1,
                                                   0, (int) (8 * sizeof (K)), stream);
      *at = k.selector;
    }
  else
    for (int64_t j = 0; j < (temp ? columns : 1) && e == cudaSuccess; j++)
      {
        cub::DoubleBuffer<K> k ((K *) keys[0] + j * n, (K *) keys[1] + j * n);
        e = cub::DeviceRadixSort::SortKeys (temp, *temp_bytes, k, (int) n, 0, (int) (8 * sizeof (K)), stream);
        *at = k.selector;
      }
  return e;
}

extern "C" int gpr_engine_mode_sort (int key_bytes, bool at_once, void *const keys[2], int *at, int64_t columns, int64_t n, void *temp,
                                     size_t *temp_bytes, void *stream)
{
  return key_bytes == 8 ? sort<u64> (at_once, keys, at, columns, n, temp, temp_bytes, (cudaStream_t) stream)
                        : sort<u32> (at_once, keys, at, columns, n, temp, temp_bytes, (cudaStream_t) stream);
}
