/* The kernels of exact sums, compiled for the CPU and launched by src/cuda/exact.c itself on a fake
   runtime: the results of the CPU backend, which tests/unit/exact_sum_test.c holds to long arithmetic,
   bit for bit, also where the long sums of some rows are the kernels', those of others the CPU's.  */

#include "cuda.h"

#include <atomic>
#include <cfloat>
#include <string>
#include <vector>
using std::atomic_bool, std::atomic_long;

#include "../../kernels/engine/exact_sum.cu"
#include "../../kernels/ladder/variant.h"
extern "C" {
#include "../../src/cuda/problems.h"
#include "../../src/cuda/session.h"
#include "../../src/cuda/stream.h"
#include "../../src/cpu/cpu.h"
#include "../../src/cpu/part.h"
#include "../unit/fake_cuda/fake_cuda.h"

/* What the CPU backend needs of the others, and the device when it is opened.  */
const gpr_reduce_kernels *gpr_engine_sum (enum gpr_instance) { static const gpr_reduce_kernels none = {}; return &none; }
static volatile int never;
volatile int *gpr_interrupt_flag = &never;
int gpr_cpu_threads (void) { return 1; }
void gpr_cpu_note_pool (void) {}
gpr_status gpr_fail (gpr_status status, const char *, ...) { return status; }
extern const gpr_cpu_expansions gpr_cpu_expansions_baseline;
const gpr_cpu_vector *gpr_cpu_vectors (void)
{
  static const gpr_cpu_vector v = { .expansions = &gpr_cpu_expansions_baseline };
  return &v;
}
}

static volatile int *flag = &never;
static gpr_settings settings;
static std::string message;
static gpr_status note (gpr_status status, const char *format, ...)
{
  message = format;
  return status;
}
static gpr_cuda_state *device;
static long passed, failed, launches[5];
static uint64_t launch_seed = 1;

static int64_t below (int64_t n) { return (int64_t) (random64 (&seed) >> 1) % n; }

static void run_kernel (const void *kernel, unsigned blocks, unsigned threads, const void *arguments)
{
  const gpr_exact_args a = *(const gpr_exact_args *) arguments;
  const unsigned most = 3;      /* blocks: the others' work is theirs */
  int kind = kernel == gpr_engine_exact_finish () ? 4 : 3;
  for (int elem : { GPR_f64, GPR_f32, GPR_c128, GPR_c64 })
    for (int products = 0; products < 2; products++)
      for (int omit = 0; omit < 2; omit++)
        {
          const gpr_exact_kernels *k = gpr_engine_exact ((gpr_elem) elem, products, omit);
          kind = kernel == k->outputs ? 0 : kernel == k->runs[0] ? 1 : kernel == k->runs[1] ? 2 : kind;
        }
  launches[kind]++;
  if (a.threads != (int) threads)
    fake_violation ("a block of other threads");
  run_launch (kernel, a, std::min (blocks, most), threads, &launch_seed);
}

static double number (int kind, const std::vector<double> &before)
{
  const double unit = (double) (random64 (&seed) >> 11) * 0x1p-53, sign = below (2) ? -1 : 1;
  switch (kind)
    {
    case 0: return sign * (unit + 0.001);
    case 1: return sign * ldexp (1 + unit, (int) below (2098) - 1074);
    case 2: return ! before.empty () && below (2) ? -before[below (before.size ())] : sign * ldexp (1 + unit, (int) below (200) - 100);
    case 3: return sign * ldexp (1 + unit, 1000 + (int) below (24));
    case 4: return below (20) ? sign * (1 + unit) : below (3) ? 0 : below (2) ? HUGE_VAL : below (2) ? gpr_make_na () : gpr_make_nan ();
    case 5: return sign * ldexp (0x1.fffffffffffffp0, 250 * (int) below (8) - 1000);      /* digits that carry */
    default: return below (100) ? sign * ldexp (unit, -(int) below (60)) : number (1, before);
    }
}

static float single_of (double x)
{
  union { unsigned u; float f; } na = { 0x7FC207A2u };
  int e;
  const double m = frexp (x, &e);
  return gpr_na_f64 (x) ? na.f : x != 0 && fabs (x) <= DBL_MAX && abs (e) > 100 ? (float) ldexp (m, e / 8) : (float) x;
}

static char *take (size_t bytes)
{
  void *p = nullptr;
  if (gpr_cuda_take (device, &p, bytes ? bytes : 1) != GPR_OK)
    exit (1);
  return (char *) p;
}

/* Of the first rows, some or all, by the kernels, of the others by the CPU.  */
static gpr_status by_long_sums (gpr_reduction *q, const gpr_reduction *r, size_t number_bytes)
{
  size_t bytes;
  const int64_t sums = gpr_cpu_exact_sums (r, &bytes), rows = q->outer > 1 ? q->length : 1 + below (q->length), left = q->length - rows;
  std::vector<gpr_long_sum> totals (sums), others (sums);
  gpr_reduction rest = *r;

  memset (totals.data (), 0xA5, sums * bytes);
  rest.length = left;
  rest.x = (const char *) r->x + rows * r->inner * number_bytes;
  rest.y = r->y ? (const char *) r->y + rows * r->inner * number_bytes : nullptr;
  q->length = rows;
  const gpr_status status = gpr_cuda_exact_totals (device, q, totals.data ());
  if (status == GPR_OK && left > 0 && gpr_cpu_exact_totals (&rest, others.data ()) == GPR_OK)
    gpr_cpu_exact_add (totals.data (), others.data (), sums);
  gpr_cpu_exact_round (q, totals.data ());
  return status;
}

static void check (enum gpr_instance instance, bool products, int64_t l, int64_t n, int64_t u)
{
  const gpr_instance_info *f = &gpr_instances[instance];
  const bool complex = f->elem == GPR_c128 || f->elem == GPR_c64, single = f->elem == GPR_f32 || f->elem == GPR_c64;
  const int64_t count = l * n * u * (complex ? 2 : 1), outputs = l * u;
  const int kind = (int) below (7), way = (int) below (4);      /* host arrays, resident ones, host results of these, long sums */
  const size_t bytes = count * (single ? 4 : 8), value_bytes = outputs * f->value_bytes;
  std::vector<double> data[2];
  std::vector<char> x[2], want (value_bytes), got (value_bytes);
  for (int i = 0; i < 2; i++)
    {
      x[i].resize (bytes);
      for (int64_t k = 0; k < count; k++)
        {
          data[i].push_back (number (i && below (3) ? 0 : kind, data[i]));
          if (single)
            ((float *) x[i].data ())[k] = single_of (data[i][k]);
          else
            ((double *) x[i].data ())[k] = data[i][k];
        }
    }
  gpr_reduction r = { .instance = instance, .inner = l, .length = n, .outer = u, .x = x[0].data (), .y = products ? x[1].data () : nullptr,
                      .value = want.data (), .exact = true };
  gpr_cpu_exact (&r);

  char *there[2] = { nullptr, nullptr };
  gpr_reduction q = r;
  q.value = got.data ();
  settings.memory_limit = below (2) ? 0 : (size_t) 1 << (12 + below (9));
  if (way > 0)
    {
      for (int i = 0; i < 2; i++)
        memcpy (there[i] = take (bytes), x[i].data (), bytes);
      q.x = there[0];
      q.y = products ? there[1] : nullptr;
      q.x_resident = true;
    }
  if (way == 1)
    {
      q.out_resident = true;
      q.value = take (value_bytes);
    }
  device->multiprocessors = 1 + (int) below (3);
  const gpr_status status = way == 3 ? by_long_sums (&q, &r, f->elem_bytes) : gpr_cuda_exact (device, &q);
  if (way == 1)
    {
      memcpy (got.data (), q.value, value_bytes);
      gpr_cuda_give (q.value);
    }
  gpr_cuda_give (there[0]);
  gpr_cuda_give (there[1]);
  const bool good = status == GPR_OK && want == got && fake.violations == 0;
  if (! good && failed < 20)
    {
      size_t at = 0;
      while (at + 1 < value_bytes && want[at] == got[at])
        at++;
      at /= single && f->value_bytes % 8 ? 4 : 8;
      printf ("FAILED %s%s l %lld n %lld u %lld kind %d way %d limit %zu, %d multiprocessors, status %d %s, number %zu: %a, not %a\n", f->name,
              products ? ", products" : "", (long long) l, (long long) n, (long long) u, kind, way, settings.memory_limit, device->multiprocessors,
              status, fake.violations ? fake.last : "", at, ((double *) got.data ())[at], ((double *) want.data ())[at]);
    }
  *(good ? &passed : &failed) += 1;
  fake.violations = 0;
}

int main (int argc, char **argv)
{
  static const enum gpr_instance instances[] = {
    GPR_sum_f64, GPR_sum_f32, GPR_sum_f32_f64, GPR_sum_c128, GPR_sum_c64, GPR_sum_c64_c128, GPR_sumomit_f64, GPR_sumomit_f32, GPR_sumomit_c128, GPR_sumomit_c64 };
  static const int64_t ls[] = { 1, 1, 1, 2, 3, 4, 7, 8, 9, 40, 333 }, ns[] = { 1, 2, 3, 7, 8, 9, 17, 40, 100, 300, 1000, 2048, 4097, 9000, 40000 };
  static const int64_t us[] = { 1, 1, 2, 5, 40, 300 };
  const int problems = argc > 1 ? atoi (argv[1]) : 400;
  if (getenv ("TEST_SEED"))
    seed ^= strtoull (getenv ("TEST_SEED"), NULL, 0) * 0x9E3779B97F4A7C15ull;
  gpr_host = { &flag, &settings, note, nullptr, nullptr };
  fake_run_kernel = run_kernel;
  fake_argument_bytes = sizeof (gpr_exact_args);
  if (gpr_cuda_enter (&device, nullptr, nullptr, nullptr) != GPR_OK)
    return 1;
  fake_late_us = 0;
  for (int i = 0; i < problems; )
    {
      const int64_t l = ls[below (sizeof ls / sizeof *ls)], u = us[below (sizeof us / sizeof *us)];
      const int64_t n = below (3) ? ns[below (sizeof ns / sizeof *ns)] : (1500 + below (10000)) / l;
      const int k = (int) below (10);
      if (l * n * u > 60000)
        continue;
      check (instances[k], k < 5 && k != 2 && below (3) == 0, l, n, u);
      i++;
    }
  static const char *const names[] = { "outputs", "runs of one column", "runs of some", "marked", "finish" };
  for (int k = 0; k < 5; k++)
    {
      printf ("%s: %ld launches\n", names[k], launches[k]);
      *(launches[k] > 0 ? &passed : &failed) += 1;
    }
  printf ("%ld passed, %ld failed\n", passed, failed);
  return failed > 0;
}
