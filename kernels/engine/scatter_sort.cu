/* accumarray's sort of keys and positions.  */

#include <cub/device/device_radix_sort.cuh>

#include "scatter.h"

extern "C" int gpr_engine_scatter_sort (void *temp, size_t *temp_bytes, uint32_t *const keys[2], uint32_t *const positions[2],
                                        int64_t n, int bits, int *keys_at, int *places_at, void *stream)
{
  cub::DoubleBuffer<uint32_t> k (keys[0], keys[1]), p (positions[0], positions[1]);
  cudaError_t e = cub::DeviceRadixSort::SortPairs (temp, *temp_bytes, k, p, (int) n, 0, bits, (cudaStream_t) stream);
  *keys_at = k.selector;
  *places_at = p.selector;
  return (int) e;
}
