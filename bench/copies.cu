/* Copyright (C) 2026 The gpureduce developers
   SPDX-License-Identifier: GPL-3.0-or-later

   bench/copies.cu: how fast pageable memory comes to one or several GPUs through buffers of pinned memory, for the numbers of src/cuda/device.h and
   src/core/share.h.

     nvcc -O3 -std=c++17 -o build/copies bench/copies.cu && build/copies GPUS THREADS KIB BUFFERS [READERS] [MIB]

   For each of so many GPUs so many threads copy pieces of so many KiB, each thread through so many buffers of its own; so many other threads only add elements up,
   as the CPU does that helps.  BUFFERS 0: the pieces are page-locked in place.  Of MIB (8192) in all.  Prints GB/s, the median of five runs, and the least and the most.  */

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <cuda_runtime.h>
#include <sys/mman.h>

static void
check (cudaError_t e, const char *what)
{
  if (e == cudaSuccess)
    return;
  fprintf (stderr, "copies: %s: %s\n", what, cudaGetErrorString (e));
  exit (1);
}
#define TRY(call) check (call, #call)

static char *source;
static size_t total, piece;
static std::atomic<size_t> next_piece;

/* The next piece; false: there is none.  */
static bool
take (size_t *at, size_t *bytes)
{
  *at = next_piece.fetch_add (piece);
  if (*at >= total)
    return false;
  *bytes = std::min (piece, total - *at);
  return true;
}

struct buffer { char *host, *device; cudaEvent_t done; void *locked; bool copying; };

static void
wait_for (buffer &b)
{
  if (! b.copying)
    return;
  cudaError_t e;
  while ((e = cudaEventQuery (b.done)) == cudaErrorNotReady)
    std::this_thread::yield ();
  check (e, "copying");
  if (b.locked)
    TRY (cudaHostUnregister (b.locked));
  b.copying = false;
}

static void
copy (std::vector<buffer> &buffers, cudaStream_t stream, bool in_place)
{
  size_t at, bytes;

  for (size_t k = 0; take (&at, &bytes); k++)
    {
      buffer &b = buffers[k % buffers.size ()];
      wait_for (b);
      const char *from = b.host;
      if (in_place)
        {
          b.locked = source + at;
          TRY (cudaHostRegister (b.locked, bytes, cudaHostRegisterPortable));
          from = source + at;
        }
      else
        memcpy (b.host, source + at, bytes);
      TRY (cudaMemcpyAsync (b.device, from, bytes, cudaMemcpyHostToDevice, stream));
      TRY (cudaEventRecord (b.done, stream));
      b.copying = true;
    }
  for (buffer &b : buffers)
    wait_for (b);
}

static double
read_elements ()
{
  double sum[16] = { 0 };
  size_t at, bytes;

  while (take (&at, &bytes))
    for (const double *x = (const double *) (source + at), *end = x + bytes / sizeof *x; x + 16 <= end; x += 16)
      for (int j = 0; j < 16; j++)
        sum[j] += x[j];
  return sum[0] + sum[15];
}

struct copier { int gpu; cudaStream_t stream; std::vector<buffer> buffers; };

static copier
open (int gpu, int count, bool in_place)
{
  copier c = { gpu };
  TRY (cudaSetDevice (gpu));
  TRY (cudaStreamCreateWithFlags (&c.stream, cudaStreamNonBlocking));
  for (int k = 0; k < count; k++)
    {
      buffer b = { };
      if (! in_place)
        {
          TRY (cudaHostAlloc ((void **) &b.host, piece, cudaHostAllocPortable));
          memset (b.host, 1, piece);
        }
      TRY (cudaMalloc ((void **) &b.device, piece));
      TRY (cudaEventCreateWithFlags (&b.done, cudaEventDisableTiming));
      c.buffers.push_back (b);
    }
  return c;
}

/* GB/s of one run.  */
static double
run (std::vector<copier> &copiers, int readers, bool in_place)
{
  static std::atomic<double> sums;      /* so that the compiler keeps what is read */
  std::vector<std::thread> threads;
  next_piece = 0;
  const auto start = std::chrono::steady_clock::now ();
  for (copier &c : copiers)
    threads.emplace_back ([&c, in_place] { TRY (cudaSetDevice (c.gpu)); copy (c.buffers, c.stream, in_place); });
  for (int k = 0; k < readers; k++)
    threads.emplace_back ([] { sums = read_elements (); });
  for (std::thread &t : threads)
    t.join ();
  return total / std::chrono::duration<double> (std::chrono::steady_clock::now () - start).count () / 1e9;
}

int
main (int argc, char **argv)
{
  if (argc < 5)
    {
      fprintf (stderr, "copies GPUS THREADS KIB BUFFERS [READERS] [MIB]\n");
      return 1;
    }
  const int gpus = atoi (argv[1]), threads = atoi (argv[2]), count = atoi (argv[4]), readers = argc > 5 ? atoi (argv[5]) : 0;
  const bool in_place = count == 0;
  piece = (size_t) atoll (argv[3]) << 10;
  total = (size_t) (argc > 6 ? atoll (argv[6]) : 8192) << 20;

  source = (char *) mmap (NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (source == MAP_FAILED || piece == 0)
    {
      fprintf (stderr, "copies: no memory, or pieces of 0 KiB\n");
      return 1;
    }
  madvise (source, total, MADV_HUGEPAGE);
  for (size_t i = 0; i < total / sizeof (double); i++)
    ((double *) source)[i] = (double) i;

  std::vector<copier> copiers;
  for (int k = 0; k < gpus * threads; k++)
    copiers.push_back (open (k / threads, in_place ? 2 : count, in_place));
  std::vector<double> rates;
  for (int k = 0; k < 6; k++)
    rates.push_back (run (copiers, readers, in_place));
  rates.erase (rates.begin ());         /* the first run warms up */
  std::sort (rates.begin (), rates.end ());
  printf ("%d GPUs, %d threads each, %d buffers of %zu KiB each, %d readers: %.1f GB/s (%.1f .. %.1f)\n", gpus, threads, count, piece >> 10, readers,
          rates[2], rates.front (), rates.back ());
  return 0;
}
