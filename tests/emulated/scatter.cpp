/* The kernels of accumarray, compiled for the CPU and launched by src/cuda/scatter.c itself on a
   fake runtime (tests/unit/fake_cuda), give the bits of the CPU backend: random operators,
   classes, sizes, subscripts and numbers, several chunks and windows, tables in shared and in
   global memory.  */

#include "cuda.h"

#include <atomic>
#include <map>
#include <string>
#include <vector>
using std::atomic_bool, std::atomic_long;
struct ulonglong2 { unsigned long long x, y; };
static ulonglong2 make_ulonglong2 (unsigned long long x, unsigned long long y) { return { x, y }; }

alignas (16) static unsigned char block_memory[256 << 10];
#define GPR_BLOCK_MEMORY(raw) unsigned char *raw = block_memory
#include "../../kernels/engine/scatter_keys.cu"
#include "../../kernels/engine/scatter.cu"
#include "../../kernels/engine/scatter_few.cu"
#include "../../kernels/engine/scatter_out.cu"
extern "C" {
#include "../../src/core/scatter.h"
#include "../../src/cpu/cpu.h"
#include "../../src/cpu/part.h"
#include "../../src/cuda/problems.h"
#include "../../src/cuda/session.h"
#include "../unit/fake_cuda/fake_cuda.h"

/* What cpu/scatter.c needs of the others.  */
static volatile int never, *flag = &never;
volatile int *gpr_interrupt_flag = &never;
static int cpu_threads = 2;
int gpr_cpu_threads (void) { return cpu_threads; }
void gpr_cpu_note_pool (void) {}
gpr_status gpr_fail (gpr_status status, const char *, ...) { return status; }
const int gpr_elem_bytes[GPR_ELEM_COUNT] = { 8, 4, 1, 1, 2, 2, 4, 4, 8, 8, 16, 8 };
const gpr_cpu_vector *gpr_cpu_vectors (void) { return &gpr_cpu_vector_baseline; }

const void *gpr_engine_sum (...) { static const void *none[64]; return none; }    /* which device.c loads */

int gpr_engine_sort (int, int bits, void *const all_keys[2], uint32_t *const positions[2], int *at, int64_t n, void *temp,
                     size_t *temp_bytes, void *stream)
{
  uint32_t *const keys[2] = { (uint32_t *) all_keys[*at], (uint32_t *) all_keys[! *at] };
  *temp_bytes = 1;
  if (! temp)
    return 0;
  *at = bits & 1;
  cudaStreamSynchronize ((cudaStream_t) stream);
  std::vector<std::pair<uint32_t, uint32_t>> all;
  for (int64_t i = 0; i < n; i++)
    all.push_back ({ keys[0][i], positions[0][i] });
  std::stable_sort (all.begin (), all.end (), [] (auto &a, auto &b) { return a.first < b.first; });
  memset (keys[0], 255, n * sizeof (uint32_t));
  for (int64_t i = 0; i < n; i++)
    {
      keys[bits & 1][i] = all[i].first;
      positions[bits & 1][i] = all[i].second;
    }
  return 0;
}
}

/* ---- the fake device ----------------------------------------------------------------- */

static gpr_settings settings;
static std::string message;
static gpr_status note (gpr_status status, const char *format, ...)
{
  message = format;
  return status;
}
static uint64_t launch_seed = 1;
static unsigned most_blocks = 3;

struct way { size_t bytes; std::function<void (const void *, unsigned, unsigned)> run; long runs; };
static std::map<const void *, way> kernels;
template <class A> static void add_kernel (const void *kernel)
{
  if (kernel)
    kernels[kernel] = { sizeof (A), [=] (const void *a, unsigned blocks, unsigned threads) {
      run_launch (kernel, *(const A *) a, min (blocks, most_blocks), threads, &launch_seed); }, 0 };
}
static void run_kernel (const void *kernel, unsigned blocks, unsigned threads, const void *arguments)
{
  way &w = kernels.at (kernel);
  w.runs++;
  w.run (arguments, blocks, threads);
}
static size_t bytes_of (const void *kernel) { return kernels.at (kernel).bytes; }
static void list_kernels ()
{
  add_kernel<gpr_scatter_keys_args> (gpr_engine_scatter_keys ());
  add_kernel<gpr_scatter_runs_args> (gpr_engine_scatter_runs ());
  add_kernel<gpr_scatter_largest_args> (gpr_engine_scatter_largest ());
  add_kernel<gpr_scatter_finish_args> (gpr_engine_scatter_lengths ());
  add_kernel<gpr_scatter_finish_args> (gpr_engine_scatter_counted ());
  for (int i = 0; i < GPR_ELEM_COUNT; i++)
    {
      const gpr_elem to = (gpr_elem) i;
      add_kernel<gpr_scatter_add_args> (gpr_engine_scatter_add_pieces (to));
      add_kernel<gpr_scatter_few_args> (gpr_engine_scatter_merge (to));
      add_kernel<gpr_scatter_finish_args> (gpr_engine_scatter_finish (to));
      for (int in = 0; in < GPR_ELEM_COUNT; in++)
        {
          add_kernel<gpr_scatter_add_args> (gpr_engine_scatter_add ((gpr_elem) in, to));
          add_kernel<gpr_scatter_few_args> (gpr_engine_scatter_few (true, (gpr_elem) in, to));
          add_kernel<gpr_scatter_few_args> (gpr_engine_scatter_few (false, (gpr_elem) in, to));
        }
    }
  add_kernel<gpr_scatter_count_args> (gpr_engine_scatter_count (true));
  add_kernel<gpr_scatter_count_args> (gpr_engine_scatter_count (false));
  for (int bytes = 1; bytes <= 16; bytes *= 2)
    {
      add_kernel<gpr_scatter_fill_args> (gpr_engine_scatter_fill (bytes));
      add_kernel<gpr_scatter_fill_args> (gpr_engine_scatter_zero (bytes));
    }
}

/* ---- problems --------------------------------------------------------------------------- */

static int64_t below (int64_t n) { return (int64_t) (random64 (&seed) >> 1) % n; }
static double unit_number () { return (double) (random64 (&seed) >> 11) * 0x1p-53; }

static double number (int mood)
{
  static const double odd[] = { NAN, INFINITY, -INFINITY, 0, -0.0, 1e308, -1e308, 5e-324 };
  switch (mood)
    {
    case 0: return (2 * unit_number () - 1) * exp2 ((double) below (60) - 30);
    case 1: return below (200) ? 2 * unit_number () - 1 : odd[below (8)];
    case 2: return unit_number ();
    default: return below (3) ? (double) below (4) : -0.0;
    }
}

static void fill_values (char *v, gpr_elem elem, int64_t n, int mood)
{
  const int64_t bytes = n * gpr_elem_bytes[elem];
  for (int64_t i = 0; i < bytes; i++)
    v[i] = (char) random64 (&seed);
  if (elem == GPR_f64 || elem == GPR_c128)
    for (int64_t i = 0; i < bytes / 8; i++)
      ((double *) v)[i] = number (mood);
  else if (elem == GPR_f32 || elem == GPR_c64)
    for (int64_t i = 0; i < bytes / 4; i++)
      ((float *) v)[i] = (float) number (mood);
}

/* Spread, all one, mostly one, ascending, in short runs.  */
static int64_t subscript_number (int kind, int64_t i, int64_t n, int64_t m, int64_t one)
{
  switch (kind)
    {
    case 0: return 1 + below (m);
    case 1: return one;
    case 2: return below (10) ? one : 1 + below (m);
    case 3: return 1 + i * m / n;
    default: return 1 + i / 20 % m;
    }
}

static gpr_cuda_state *device;
static long passed, failed;

static void check (int round)
{
  static const struct { gpr_elem in, to; } pairs[] = {
#define PAIR(X, A) { GPR_##X, GPR_##A },
    GPR_SCATTER_SAME (PAIR) GPR_SCATTER_WIDENED (PAIR) GPR_SCATTER_COMPLEX (PAIR)
  };
  gpr_scattering p = {};
  const auto &pair = pairs[round % (sizeof pairs / sizeof *pairs)];
  const bool adds = pair.to == GPR_f64 || pair.to == GPR_f32 || pair.in == GPR_c128 || pair.in == GPR_c64;
  const bool compares = pair.in != GPR_c128 && pair.in != GPR_c64;
  do
    p.op = (gpr_scatter_op) below (5);
  while (((p.op == GPR_SCATTER_SUM || p.op == GPR_SCATTER_PROD) && ! adds) || (p.op == GPR_SCATTER_PROD && ! compares)
         || ((p.op == GPR_SCATTER_MAX || p.op == GPR_SCATTER_MIN) && ! compares));
  const bool counts = p.op == GPR_SCATTER_COUNT;
  const bool extreme = p.op == GPR_SCATTER_MAX || p.op == GPR_SCATTER_MIN;
  static const int64_t lengths[] = { 1, 31, 33, 1000, 5000, 20000 }, sizes[] = { 1, 2, 7, 100, 1000, 1025, 3000, 8192, 8193, 20000 };
  p.n = 1 + below (lengths[below (6)]);
  p.scale = 3;
  p.in = counts ? GPR_f64 : pair.in;
  p.to = counts ? GPR_f64 : pair.to;
  p.mean = p.op == GPR_SCATTER_SUM && below (3) == 0;
  p.builtin_order = p.op == GPR_SCATTER_SUM && below (4) == 0;
  p.gaps = below (3) == 0 && ! (extreme && (p.to == GPR_f64 || p.to == GPR_f32));
  p.repeated = counts || below (6) == 0;
  p.columns = 1 + (below (4) == 0);
  const int64_t outputs = sizes[below (10)];
  const bool long_runs = outputs > GPR_SCATTER_FEW && below (2);        /* of several pieces */
  const int mood = (int) below (4), kind = long_runs ? 1 + (int) below (2) : (int) below (5);
  p.n = long_runs ? 3000 + below (17000) : p.n;
  if (p.to == GPR_f64 || p.to == GPR_f32)
    {
      const double start = p.op == GPR_SCATTER_PROD ? 1 : extreme ? NAN : 0;
      p.to == GPR_f64 ? (void) (p.start.f64 = start, p.gap.f64 = 7.5) : (void) (p.start.f32 = (float) start, p.gap.f32 = 7.5f);
      p.from_zero = extreme && p.in == p.to && below (2);
    }
  else if (extreme)
    memset (&p.start, p.op == GPR_SCATTER_MAX ? 0 : 0x7f, sizeof p.start);

  std::vector<char> subs[2], values ((counts ? 1 : p.n) * 16), expected, got;
  const bool doubles = below (2);
  for (int c = 0; c < p.columns; c++)
    {
      const int64_t size = p.columns == 1 ? outputs : c == 0 ? (outputs + 2) / 3 : 3, one = 1 + below (size);
      subs[c].resize (p.n * 8);
      for (int64_t i = 0; i < p.n; i++)
        {
          const int64_t s = subscript_number (kind, i, p.n, size, one);
          if (doubles)
            ((double *) subs[c].data ())[i] = (double) s;
          else
            ((int32_t *) subs[c].data ())[i] = (int32_t) s;
        }
      if (below (40) == 0 && doubles)
        ((double *) subs[c].data ())[below (p.n)] = below (2) ? 1.5 : 0;
      p.column[c] = { subs[c].data (), doubles ? GPR_f64 : GPR_i32, size };
    }
  fill_values (values.data (), p.in, counts || p.repeated ? 1 : p.n, mood);
  p.values = counts ? (const void *) &p.scale : values.data ();
  const size_t bytes = gpr_scatter_outputs (&p) * gpr_elem_bytes[p.to];
  expected.assign (bytes + 8, 1);
  got.assign (bytes + 8, 2);

  cpu_threads = 1 + (int) below (3);
  p.out = expected.data ();
  bool good = gpr_cpu_scatter (&p) == GPR_OK;
  const bool bad = p.bad;
  p.out = got.data ();
  device->shared_bytes = below (2) ? sizeof block_memory : 1 << 10;
  settings.memory_limit = below (3) && ! long_runs ? 0 : (size_t) 1 << (14 + below (6));
  message = "";
  good = good && gpr_cuda_scatter (device, &p) == GPR_OK && p.bad == bad;
  good = good && (bad || memcmp (expected.data (), got.data (), bytes) == 0);
  (good ? passed : failed)++;
  if (! good)
    {
      int64_t at = 0;
      while (at < (int64_t) bytes && expected[at] == got[at])
        at++;
      printf ("FAILED: round %d operator %d mean %d builtin %d elements %d to %d n %ld outputs %ld columns %d doubles %d kind %d mood %d "
              "repeated %d gaps %d from_zero %d limit %zu shared %zu bad %d: output %ld, %s\n", round, p.op, p.mean, p.builtin_order, p.in, p.to, (long) p.n,
              (long) gpr_scatter_outputs (&p), p.columns, doubles, kind, mood, p.repeated, p.gaps, p.from_zero, settings.memory_limit,
              device->shared_bytes, p.bad, (long) (at / gpr_elem_bytes[p.to]), message.c_str ());
    }
}

int main (int argc, char **argv)
{
  const int rounds = argc > 1 ? atoi (argv[1]) : 1500;
  if (getenv ("TEST_SEED"))
    seed ^= strtoull (getenv ("TEST_SEED"), NULL, 0) * 0x9E3779B97F4A7C15ull;
  list_kernels ();
  gpr_host = { &flag, &settings, note, nullptr, nullptr };
  fake_run_kernel = run_kernel;
  fake_argument_bytes_of = bytes_of;
  if (gpr_cuda_enter (&device, nullptr, nullptr, nullptr) != GPR_OK)
    return 1;
  fake_late_us = 0;
  for (int round = 0; round < rounds && failed < 10; round++)
    check (round);
  printf ("%ld passed, %ld failed\n", passed, failed);
  return failed > 0;
}
