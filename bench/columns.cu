/* Copyright (C) 2026 The gpureduce developers
   SPDX-License-Identifier: GPL-3.0-or-later

   bench/columns.cu: how fast columns of doubles that lie side by side are copied by rows of 64 to 1024 bytes, for the ways of src/cuda/slices.c.

     nvcc -O3 -std=c++17 -arch=sm_90 -o build/columns bench/columns.cu && build/columns FROM TO ROWS

   A row begins FROM bytes after the one before, and TO bytes in the copy, both multiples of 8; words of 16 bytes are copied where both are such.  A block takes 64 KiB of
   some columns at a time.  Prints us, the median of nine.  build/columns 800000 800000 1000 is 100000 x 1000; 98760 98816 8100: read between sectors of the memory, not
   written so.  */

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

static void
check (cudaError_t e, const char *what)
{
  if (e == cudaSuccess)
    return;
  fprintf (stderr, "columns: %s: %s\n", what, cudaGetErrorString (e));
  exit (1);
}

enum { THREADS = 256, BLOCKS = 8, TOGETHER = 8, BYTES = 64 << 10 };

template <class WORD, int WIDTH> __global__ void __launch_bounds__ (THREADS)
copy (const char *x, char *y, long from, long to, long rows, long each, long slabs)
{
  constexpr int lanes = WIDTH / sizeof (WORD), step = THREADS / lanes;
  const long parts = (rows + each - 1) / each, lane = threadIdx.x % lanes * sizeof (WORD);
  for (long unit = blockIdx.x; unit < slabs * parts; unit += gridDim.x)
    {
      const long at = unit / parts * WIDTH + lane, first = unit % parts * each, end = min (rows, first + each);
      for (long r = first + threadIdx.x / lanes; r < end; r += TOGETHER * step)
        {
          WORD v[TOGETHER];
#pragma unroll
          for (int k = 0; k < TOGETHER; k++)
            if (r + k * step < end)
              v[k] = __ldcs ((const WORD *) (x + at + (r + k * step) * from));
#pragma unroll
          for (int k = 0; k < TOGETHER; k++)
            if (r + k * step < end)
              __stcs ((WORD *) (y + at + (r + k * step) * to), v[k]);
        }
    }
}

template <int WIDTH> static void
measure (const char *x, char *y, long from, long to, long rows, int multiprocessors)
{
  const auto kernel = from % 16 == 0 && to % 16 == 0 ? copy<int4, WIDTH> : copy<double, WIDTH>;
  const long slabs = std::min (from, to) / WIDTH;
  std::vector<float> ms;
  cudaEvent_t begin, end;
  check (cudaEventCreate (&begin), "an event");
  check (cudaEventCreate (&end), "an event");
  for (int k = 0; k < 9; k++)
    {
      float one;
      check (cudaEventRecord (begin), "an event");
      kernel<<<BLOCKS * multiprocessors, THREADS>>> (x, y, from, to, rows, BYTES / WIDTH, slabs);
      check (cudaGetLastError (), "the launch");
      check (cudaEventRecord (end), "an event");
      check (cudaEventSynchronize (end), "the kernel");
      check (cudaEventElapsedTime (&one, begin, end), "the time");
      ms.push_back (one);
    }
  std::sort (ms.begin (), ms.end ());
  printf ("rows of %4d bytes: %.0f us\n", WIDTH, 1e3 * ms[4]);
}

int
main (int argc, char **argv)
{
  const long from = argc > 1 ? atol (argv[1]) : 0, to = argc > 2 ? atol (argv[2]) : 0, rows = argc > 3 ? atol (argv[3]) : 0;
  if (from < 1024 || to < 1024 || rows < 1 || from % 8 != 0 || to % 8 != 0)
    {
      fprintf (stderr, "usage: columns FROM TO ROWS, bytes of at least 1024 and multiples of 8\n");
      return 2;
    }
  char *x, *y;
  int multiprocessors;
  check (cudaDeviceGetAttribute (&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "the GPU");
  check (cudaMalloc (&x, from * rows), "memory");
  check (cudaMalloc (&y, to * rows), "memory");
  check (cudaMemset (x, 1, from * rows), "the array");
  measure<64> (x, y, from, to, rows, multiprocessors);
  measure<128> (x, y, from, to, rows, multiprocessors);
  measure<256> (x, y, from, to, rows, multiprocessors);
  measure<512> (x, y, from, to, rows, multiprocessors);
  measure<1024> (x, y, from, to, rows, multiprocessors);
}
