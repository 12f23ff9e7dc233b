/* cub (histogram): cub::DeviceHistogram::HistogramRange.

   CUB's last bin is open and ours is closed: it gets a copy of the edges whose
   last one is a step higher, and a last edge of Inf is seen to apart.  It counts
   in 32 bits, as its users have it, of 2^30 elements at a time.  */

#include "ladder.h"

#ifndef LADDER_SIM              /* CUB runs on GPUs only */
#include <cub/device/device_histogram.cuh>

#include "library.h"

enum { TOO_MANY = 1 << 30, THREADS = 256, BLOCKS = 64 };

static __global__ void close_last (const double *edges, int bins, double *levels)
{
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k <= bins; k += gridDim.x * blockDim.x)
    levels[k] = k < bins ? edges[k] : nextafter (edges[k], HUGE_VAL);
}

template <class X>
static __global__ void add_counts (histogram_args<X> a, const unsigned *counts)
{
  int64_t me = (int64_t) blockIdx.x * blockDim.x + threadIdx.x, all = (int64_t) gridDim.x * blockDim.x;
  for (int64_t k = me; k < a.bins; k += all)
    atomicAdd (&a.counts[k], (unsigned long long) counts[k]);
  if (a.edges[a.bins] == HUGE_VAL)
    for (int64_t i = me; i < a.n; i += all)
      if ((double) a.x[i] == HUGE_VAL)
        atomicAdd (&a.counts[a.bins - 1], 1ull);
}

template <class X>
static cudaError_t count (const void *args, void *scratch, size_t *bytes, cudaStream_t stream)
{
  histogram_args<X> a = *(const histogram_args<X> *) args;
  size_t levels_bytes = ((a.bins + 1) * sizeof (double) + 255) / 256 * 256;
  size_t counts_bytes = (a.bins * sizeof (unsigned) + 255) / 256 * 256, own = 0;
  double *levels = (double *) scratch;
  unsigned *counts = (unsigned *) ((char *) scratch + levels_bytes);
  void *rest = scratch ? (char *) scratch + levels_bytes + counts_bytes : NULL;
  cudaError_t e = cudaSuccess;
  const X *end = a.x + a.n;

  if (! scratch)
    {
      e = cub::DeviceHistogram::HistogramRange (rest, own, a.x, counts, a.bins + 1, levels, (int) TOO_MANY, stream);
      *bytes = levels_bytes + counts_bytes + own;
      return e;
    }
  own = *bytes - levels_bytes - counts_bytes;
  close_last<<<BLOCKS, THREADS, 0, stream>>> (a.edges, a.bins, levels);
  for (; a.x < end && e == cudaSuccess; a.x += a.n)
    {
      a.n = end - a.x < TOO_MANY ? end - a.x : TOO_MANY;
      e = cub::DeviceHistogram::HistogramRange (rest, own, a.x, counts, a.bins + 1, levels, (int) a.n, stream);
      if (e == cudaSuccess)
        add_counts<<<BLOCKS, THREADS, 0, stream>>> (a, counts);
    }
  return e == cudaSuccess ? cudaGetLastError () : e;
}
#endif

LADDER_VARIANT (cub_histogram)
{
  v.name = "cub";
  v.family = LADDER_FAMILY_HISTOGRAM;
  v.rank = 960;
  v.aliases = "CUB, DeviceHistogram";
  v.idea = "cub::DeviceHistogram";
  v.lesson = "what the library gives";
  v.source = "V, histogram";
#ifndef LADDER_SIM
  HISTOGRAM_KERNELS (v, count);
  describe_library (v);
#endif
}
