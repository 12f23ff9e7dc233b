/* The kernels of modes, compiled for the CPU and launched by src/cuda/mode.c itself on a fake runtime (tests/unit/fake_cuda), give
   the first longest run of the sorted column and its length, bit for bit: random classes, shapes, numbers and sizes of
   shared memory and of chunks.  CUB's sort is std::sort here.  */

#include "cuda.h"

#include <atomic>
#include <cfloat>
#include <vector>
using std::atomic_bool, std::atomic_long;

alignas (16) static unsigned char block_memory[256 << 10];
#define GPR_SELECT_MEMORY(raw) unsigned char *raw = block_memory
#include "../../kernels/engine/mode.cu"
extern "C" {
#include "../../src/core/order.h"
#include "../../src/cuda/problems.h"
#include "../../src/cuda/session.h"
#include "../../src/cuda/stream.h"
#include "../unit/fake_cuda/fake_cuda.h"
volatile int never, *gpr_interrupt_flag = &never;
gpr_status gpr_fail (gpr_status status, const char *, ...) { return status; }
const void *gpr_engine_sum (...) { static const void *none[64]; return none; }    /* which device.c loads */
}

static volatile int *flag = &never;
static gpr_settings settings;
static gpr_status note (gpr_status status, const char *, ...) { return status; }
static gpr_cuda_state *device;
static uint64_t launch_seed = 1;

static long runs[GPR_MODE_KERNELS], sorts[2], missed;
static void run_kernel (const void *kernel, unsigned blocks, unsigned block, const void *arguments)
{
  const gpr_mode_args a = *(const gpr_mode_args *) arguments;
  const bool pieces = kernel == gpr_engine_mode (GPR_MODE_COUNT, &a) || kernel == gpr_engine_mode (GPR_MODE_COUNT_HALVES, &a);
  for (int k = 0; k < GPR_MODE_KERNELS; k++)
    runs[k] += gpr_engine_mode ((gpr_mode_kernel) k, &a) == kernel && (k != GPR_MODE_NETWORKS || a.x.length <= GPR_SELECT_NETWORK);
  const bool loops = kernel == gpr_engine_mode (GPR_MODE_NETWORKS, &a) || kernel == gpr_engine_mode (GPR_MODE_TABLES, &a)
                     || kernel == gpr_engine_mode (GPR_MODE_LAY, &a);
  run_launch (kernel, a, loops ? min (blocks, 3u) : blocks, block, &launch_seed);
  if (pieces)
    for (int64_t j = 0; j < a.x.inner * a.x.outers; j++)
      missed += a.found[j].missed;
}

/* As CUB has it: by bits, so NaN are first and last, and negative integers last, but -0 is 0.  */
template <class T> static void sort_columns (const T *from, T *to, int64_t columns, int64_t n)
{
  std::copy (from, from + columns * n, to);
  for (int64_t j = 0; j < columns; j++)
    std::stable_sort (to + j * n, to + (j + 1) * n, [] (T a, T b)
      {
        if (a == a && b == b)
          return a < b;
        const int side_a = a == a ? 0 : std::signbit ((double) a) ? -1 : 1, side_b = b == b ? 0 : std::signbit ((double) b) ? -1 : 1;
        return side_a < side_b;
      });
}
extern "C" int gpr_engine_sort_columns (enum gpr_elem elem, bool at_once, const void *from, void *to, int64_t columns, int64_t n, void *temp,
                                        size_t *temp_bytes, void *stream)
{
  *temp_bytes = 1000;
  if (! temp)
    return 0;
  cudaStreamSynchronize ((cudaStream_t) stream);
  sorts[at_once]++;
  switch ((int) elem)
    {
#define SORT(T) case GPR_##T: sort_columns ((const T *) from, (T *) to, columns, n); break;
    SORT (f64) SORT (f32) SORT (u32) SORT (u64)
    case GPR_i32: sort_columns ((const u32 *) from, (u32 *) to, columns, n); break;
    case GPR_i64: sort_columns ((const u64 *) from, (u64 *) to, columns, n); break;
    }
  return 0;
}

/* ---- problems --------------------------------------------------------------------------- */

/* As mode.m: -0 and 0 are equal, NaN is behind all others; a run goes on while the difference is zero.  */
template <class T> static void plain_mode (const T *x, int64_t stride, int64_t n, T *value, double *frequency)
{
  std::vector<T> s (n);
  for (int64_t i = 0; i < n; i++)
    s[i] = x[i * stride];
  std::stable_sort (s.begin (), s.end (), [] (T a, T b) { return a < b || (a == a && b != b); });
  int64_t best = 0, from = 0;
  for (int64_t i = 0, first = 0; i < n; i++)
    {
      if (i > 0 && ! (s[i] == s[i - 1] && s[i] - s[i - 1] == 0))
        first = i;
      if (i - first + 1 > best)
        best = i - first + 1, from = first;
    }
  *value = s[from];
  *frequency = (double) best;
}

static double unit () { return rand () / (double) RAND_MAX; }
static int wanted = -1;         /* a mood; one below 10 has a number that a sample misses */
template <class T> static void fill (std::vector<T> &x)
{
  static const double special[] = { 0, -0.0, HUGE_VAL, -HUGE_VAL, NAN, -NAN, 1, -1, DBL_MIN / 8 };
  const bool floats = (T) 0.5 != 0;
  const int mood = wanted >= 0 ? wanted : rand () % 12, kinds = rand () % 3 ? 9 : 1 + rand () % 9;
  const double some = rand () % 3 ? 0 : pow (unit (), 4), span = exp (14 * unit ()), offset = rand () % 2 ? 0 : floor (1e5 * (unit () - 0.5));
  for (size_t i = 0; i < x.size (); i++)
    {
      const double r = unit ();
      x[i] = (T) (i64) (mood == 0 ? 5 * r : mood == 1 ? 3 : mood == 2 ? i : mood == 3 ? span * (r - 0.5) + offset : mood == 4 ? i / 8 : mood == 5 ? offset
                        : 100 * (r + unit () + unit () - 1.5));
      if (mood == 6)            /* 64 random bits */
        {
          const u64 bits = random64 (&seed);
          memcpy (&x[i], &bits, sizeof (T));
        }
      else if (mood == 7 && floats)
        x[i] = (T) (r - 0.5);
      else if (mood == 8 && i % 2)
        x[i] = x[rand () % i];
      if (floats && unit () < some)
        x[i] = (T) special[rand () % kinds];
    }
  if (mood < 10 && (wanted >= 0 || rand () % 4 == 0))   /* what a sample misses */
    x[rand () % x.size ()] = (T) (rand () % 2 ? 1e9 : floats ? 0.5 : 77);
  for (size_t i = 0; mood == 10 && i < x.size (); i++)
    x[i] = (T) i;
  if (mood == 10 && floats)                     /* a mode that has no bin */
    x[rand () % x.size ()] = (T) -HUGE_VAL;
  for (size_t i = 0; mood == 11 && i < x.size (); i++)
    x[i] = rand () % 2 ? (T) 0 : rand () % 2 ? (T) -0.0 : (T) 5;
  if (mood == 9 && floats)
    for (T &v : x)
      v = (T) special[4 + rand () % 2];
}

template <class T> static bool check (enum gpr_elem elem, int64_t inner, int64_t length, int64_t outer)
{
  const bool x_resident = rand () % 2, out_resident = rand () % 2, counted = rand () % 3;
  const size_t columns = (size_t) (inner * outer);
  std::vector<T> x (columns * length), y (columns), z (columns);
  std::vector<double> f (columns), g (columns);

  fill (x);
  for (int64_t j = 0; j < (int64_t) columns; j++)
    plain_mode (&x[j % inner + inner * length * (j / inner)], inner, length, &y[j], &f[j]);
  gpr_ordering o = { .elem = elem, .inner = inner, .length = length, .outer = outer, .x = x.data (), .x_resident = x_resident,
                     .value = z.data (), .frequency = counted ? g.data () : NULL, .out_resident = out_resident };
  void *there[3] = {};
  const size_t room[3] = { x.size () * sizeof (T), columns * sizeof (T), columns * sizeof (double) };
  for (int i = 0; i < 3; i++)
    if (gpr_cuda_take (device, &there[i], room[i]) != GPR_OK)
      return false;
  if (x_resident)
    o.x = memcpy (there[0], x.data (), room[0]);
  if (out_resident)
    {
      o.value = there[1];
      o.frequency = counted ? (double *) there[2] : NULL;
    }
  device->multiprocessors = 1 + rand () % 2;
  device->shared_bytes = length > 3000 && rand () % 2 ? 232448 : 12000 << rand () % 4;
  settings.memory_limit = rand () % 3 ? 0 : 1 + rand () % (4 * room[0]);
  const gpr_status status = gpr_cuda_modes (device, &o);
  if (out_resident)
    {
      memcpy (z.data (), there[1], room[1]);
      memcpy (g.data (), there[2], room[2]);
    }
  for (void *t : there)
    gpr_cuda_give (t);
  const bool good = status == GPR_OK && fake.violations == 0 && memcmp (y.data (), z.data (), room[1]) == 0 && (! counted || f == g);
  if (! good)
    {
      printf ("FAILED: element %d, %lld x %lld x %lld, %zu bytes of shared memory, limit %zu%s%s%s%s\n", elem, (long long) inner, (long long) length,
              (long long) outer, device->shared_bytes, settings.memory_limit, x_resident ? ", resident" : "", out_resident ? ", to resident" : "",
              status == GPR_OK ? "" : ", status", fake.violations ? fake.last : "");
      for (size_t j = 0; j < columns; j++)
        if (memcmp (&y[j], &z[j], sizeof (T)) || (counted && f[j] != g[j]))
          {
            printf ("  column %zu: %.17g, %g times; has %.17g, %g times\n", j, (double) y[j], f[j], (double) z[j], counted ? g[j] : NAN);
            break;
          }
    }
  fake.violations = 0;
  return good;
}

static bool check_any (enum gpr_elem elem, int64_t inner, int64_t length, int64_t outer)
{
  switch ((int) elem)
    {
#define CHECK(T, K, BITS) case GPR_##T: return check<T> (elem, inner, length, outer);
    GPR_ORDER_TYPES (CHECK)
    }
  return false;
}

int main (int argc, char **argv)
{
  static const int64_t inners[] = { 1, 1, 1, 2, 3, 7, 31, 33, 64, 70 };
  static const int64_t lengths[] = { 1, 2, 3, 7, 8, 40, 48, 64, 65, 100, 333, 512, 513, 1000, 1300, 2049, 3000, 9000, 20000, 50000 };
  const int rounds = argc > 1 ? atoi (argv[1]) : 400;
  long passed = 0, failed = 0;

  if (getenv ("TEST_SEED"))
    seed ^= strtoull (getenv ("TEST_SEED"), NULL, 0) * 0x9E3779B97F4A7C15ull;
  srand ((unsigned) seed);
  gpr_host = { &flag, &settings, note, nullptr, nullptr };
  fake_run_kernel = run_kernel;
  fake_argument_bytes = sizeof (gpr_mode_args);
  if (gpr_cuda_enter (&device, nullptr, nullptr, nullptr) != GPR_OK)
    return 1;
  fake_late_us = 0;
  for (int round = 0; round < rounds; )
    {
      const int64_t inner = inners[rand () % 10], length = rand () % 2 ? lengths[rand () % 20] : 1 + rand () % 3000;
      const int64_t outer = 1 + rand () % (rand () % 2 ? 3 : 300);
      if (inner * length * outer > 30000)
        continue;
      (check_any ((enum gpr_elem) (round++ % 10), inner, length, outer) ? passed : failed)++;
    }
  for (int round = 0; round < rounds / 4; round++)
    {
      const int64_t inner = inners[rand () % 10], most = 200000 / inner;
      (check_any ((enum gpr_elem) (round % 10), inner, 1500 + rand () % most, 1 + rand () % 2) ? passed : failed)++;
    }
  for (int round = 0; round < 12; round++)      /* counts that two of a word cannot hold */
    {
      wanted = round % 3 % 2;
      (check_any (round % 2 ? GPR_i16 : GPR_u16, 1 + round / 6, 100000, 1) ? passed : failed)++;
    }
  wanted = 10;
  for (int round = 0; round < 8; round++)
    (check_any (round % 2 ? GPR_f64 : GPR_f32, 1, round % 2 ? 17500 : 26000, 1) ? passed : failed)++;
  printf ("launches: %ld networks, %ld tables, %ld laid, %ld samples, %ld counts, %ld by halves, %ld bests, %ld runs, %ld zeros, %ld ends; "
          "%ld sorts, %ld at once; %ld misled columns\n", runs[0], runs[1], runs[2], runs[3], runs[4], runs[5], runs[6], runs[7], runs[8], runs[9],
          sorts[0], sorts[1], missed);
  for (long r : runs)
    (r ? passed : failed)++;
  (sorts[0] && sorts[1] && missed ? passed : failed)++;
  printf ("%ld passed, %ld failed\n", passed, failed);
  return failed != 0;
}
