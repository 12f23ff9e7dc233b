/* All sorts, which are CUB's: one file, since its headers take most of the time to compile.  */

#include "sort.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

/* ---- pairs of a key and a position ------------------------------------------------- */

template <class K>
static cudaError_t sort_pairs (int key_bits, void *const keys[2], uint32_t *const positions[2], int *at, int64_t count,
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
  return key_bytes == 8 ? sort_pairs<u64> (key_bits, keys, positions, at, count, temp, temp_bytes, (cudaStream_t) stream)
                        : sort_pairs<u32> (key_bits, keys, positions, at, count, temp, temp_bytes, (cudaStream_t) stream);
}

/* ---- columns ----------------------------------------------------------------------- */

struct begin_of { int n; __host__ __device__ int operator() (int i) const { return i * n; } };

template <class T>
static cudaError_t sort_columns (bool at_once, const void *from, void *to, int64_t columns, int64_t n, void *temp, size_t *temp_bytes, cudaStream_t stream)
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

extern "C" int gpr_engine_sort_columns (enum gpr_elem elem, bool at_once, const void *from, void *to, int64_t columns, int64_t n, void *temp,
                                        size_t *temp_bytes, void *stream)
{
  switch ((int) elem)
    {
#define GPR_SORT_COLUMNS(T) case GPR_##T: return sort_columns<T> (at_once, from, to, columns, n, temp, temp_bytes, (cudaStream_t) stream);
    GPR_SORT_COLUMNS (f64) GPR_SORT_COLUMNS (f32) GPR_SORT_COLUMNS (u32) GPR_SORT_COLUMNS (u64)
#undef GPR_SORT_COLUMNS
    case GPR_i32: return sort_columns<u32> (at_once, from, to, columns, n, temp, temp_bytes, (cudaStream_t) stream);
    case GPR_i64: return sort_columns<u64> (at_once, from, to, columns, n, temp, temp_bytes, (cudaStream_t) stream);
    default: return cudaErrorInvalidValue;
    }
}
