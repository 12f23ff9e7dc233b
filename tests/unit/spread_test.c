/* Arrays over several GPUs (src/spread), on the stand-ins of tests/three_gpus.c: what their threads make has the bits of the CPU's.  The
   module with them lies beside the program.  */

#include "test.h"
#include "../../src/core/order.h"
#include "../../src/core/scan.h"
#include "../../src/core/select.h"
#include "../../src/cpu/cpu.h"
#include "../../src/dispatch/cuda_module.h"
#include "../../src/spread/division.h"

/* LeakSanitizer fails on what an opened library has for each thread, while such threads wait (dispatch/takers.c); so it does not look there, where
   OpenMP has its own.  */
const char *__lsan_default_options (void), *__lsan_default_suppressions (void);
const char *__lsan_default_options (void) { return "use_tls=0"; }
const char *__lsan_default_suppressions (void) { return "leak:libgomp"; }

enum { DEVICES = 3 };

/* Doubles x[c + inner*(r + length*o)] over some of the GPUs, in an order of their own.  */
typedef struct { int64_t inner, length, outer, numbers; double *host; gpr_array a; } spread;

static void fill (spread *s, const int *devices, int count, int mood)
{
  s->host = malloc (s->numbers * sizeof (double));
  random_fill (s->host, 'f', sizeof (double), s->numbers, mood);
  s->a = (gpr_array) { .class = GPR_CLASS_double, .ndims = 3, .dims = { s->inner, s->length, s->outer } };
  gpr_status status = gpr_spread_create (&s->a, devices, count);
  if (status == GPR_OK)
    status = s->a.home->upload ((void *) (uintptr_t) s->a.data, s->host, s->numbers * sizeof (double));
  expect (status == GPR_OK && gpr_is_spread (&s->a), "%s", gpr_message ());
}

static void make (spread *s, int mood)
{
  static const int orders[][DEVICES] = { { 1, 2, 3 }, { 3, 1, 2 }, { 2, 3, 1 } };
  *s = (spread) { .inner = 1 + random_below (4), .length = 2 + random_below (random_below (2) ? 30 : 60000), .outer = random_below (2) ? 1 : 2 + random_below (5) };
  s->numbers = s->inner * s->length * s->outer;
  fill (s, orders[random_below (3)], 2 + (int) random_below (2), mood);
}

static void drop (spread *s)
{
  s->a.home->release ((void *) (uintptr_t) s->a.data);
  free (s->host);
}

/* NaN are alike.  */
static void same (const spread *s, gpr_status status, const double *got, const double *want, int64_t n, const char *what)
{
  int64_t k = 0;
  while (k < n && (memcmp (&got[k], &want[k], sizeof *got) == 0 || (got[k] != got[k] && want[k] != want[k])))
    k++;
  expect (status == GPR_OK && k == n, "%s of %lld x %lld x %lld: number %lld of %lld: %s", what, (long long) s->inner, (long long) s->length,
          (long long) s->outer, (long long) k, (long long) n, status == GPR_OK ? "another" : gpr_message ());
}

static void check_reductions (void)
{
  static const enum gpr_instance instances[] = { GPR_sum_f64, GPR_max_f64, GPR_min_f64, GPR_prod_f64, GPR_sumsq_f64 };
  spread s;
  make (&s, (int) random_below (2));
  const int64_t n = s.inner * s.outer;
  double *want = calloc (n, sizeof *want), *got = calloc (n, sizeof *got);
  gpr_reduction r = { .instance = instances[random_below (5)], .inner = s.inner, .length = s.length, .outer = s.outer, .x = s.host, .value = want };
  expect (gpr_reduce (&gpr_cpu_backend, &r) == GPR_OK, "%s", gpr_message ());
  r.x = s.a.data;
  r.x_resident = true;
  r.value = got;
  same (&s, gpr_reduce (s.a.home, &r), got, want, n, gpr_instances[r.instance].name);
  free (want);
  free (got);
  drop (&s);
}

/* To the host, or to pieces.  */
static void check_scans (void)
{
  spread s;
  make (&s, (int) random_below (2));
  double *want = malloc (s.numbers * sizeof *want), *got = malloc (s.numbers * sizeof *got);
  gpr_scanning p = { .op = (gpr_scan_op) random_below (GPR_SCAN_OPS), .elem = GPR_f64, .inner = s.inner, .length = s.length, .outer = s.outer, .x = s.host, .y = want };
  expect (gpr_cpu_backend.scan (&p) == GPR_OK, "%s", gpr_message ());
  void *there = NULL;
  p.x = s.a.data;
  p.x_resident = true;
  p.out_resident = random_below (2);
  p.y = got;
  if (p.out_resident)
    {
      expect (s.a.home->allocate (&there, s.numbers * sizeof *got) == GPR_OK, "%s", gpr_message ());
      p.y = there;
    }
  gpr_status status = s.a.home->scan (&p);
  if (status == GPR_OK && there)
    status = s.a.home->download (got, there, s.numbers * sizeof *got);
  s.a.home->release (there);
  same (&s, status, got, want, s.numbers, p.out_resident ? "scan to pieces" : "scan");
  free (want);
  free (got);
  drop (&s);
}

static void check_modes (void)
{
  spread s;
  make (&s, TIES);
  const int64_t n = s.inner * s.outer;
  double *want = calloc (2 * n, sizeof *want), *got = calloc (2 * n, sizeof *got);
  gpr_ordering o = { .elem = GPR_f64, .inner = s.inner, .length = s.length, .outer = s.outer, .x = s.host, .value = want, .frequency = want + n };
  expect (gpr_cpu_backend.order (&o) == GPR_OK, "%s", gpr_message ());
  o.x = s.a.data;
  o.x_resident = true;
  o.value = got;
  o.frequency = got + n;
  same (&s, s.a.home->order (&o), got, want, 2 * n, "mode");
  free (want);
  free (got);
  drop (&s);
}

static size_t free_memory = SIZE_MAX;
size_t __wrap_gpr_system_free_memory (void);
size_t __wrap_gpr_system_free_memory (void) { return free_memory; }

static int columns;             /* that were done by themselves */
gpr_status __wrap_gpr_spread_column (const gpr_reduction *r, int64_t output, void *elements), __real_gpr_spread_column (const gpr_reduction *, int64_t, void *);
gpr_status __wrap_gpr_spread_column (const gpr_reduction *r, int64_t output, void *elements)
{
  columns++;
  return __real_gpr_spread_column (r, output, elements);
}

/* largest: bytes that a GPU gives at once.  Whether all came together.  */
static bool products_together (const char *largest)
{
  spread s = { .inner = 100, .length = 60, .outer = 1, .numbers = 100 * 60 };
  double want[100], got[100];
  fill (&s, (int[]) { 1, 2, 3 }, 3, PLAIN);
  for (int64_t i = 0; i < s.numbers; i++)
    s.host[i] *= 1e9;
  gpr_status status = s.a.home->upload ((void *) (uintptr_t) s.a.data, s.host, s.numbers * sizeof (double));
  gpr_reduction r = { .instance = GPR_prod_f64, .inner = s.inner, .length = s.length, .outer = 1, .x = s.host, .value = want };
  expect (status == GPR_OK && gpr_reduce (&gpr_cpu_backend, &r) == GPR_OK, "%s", gpr_message ());
  r.x = s.a.data;
  r.x_resident = true;
  r.value = got;
  setenv ("THREE_LARGEST", largest, 1);
  columns = 0;
  same (&s, gpr_reduce (s.a.home, &r), got, want, s.inner, "product");
  unsetenv ("THREE_LARGEST");
  drop (&s);
  return columns == 0;
}

static _Atomic size_t most;     /* bytes that were asked for at once */
void *__wrap_malloc (size_t bytes), *__real_malloc (size_t);
void *__wrap_malloc (size_t bytes)
{
  most = bytes > most ? bytes : most;
  return __real_malloc (bytes);
}

/* Of 20 x 3000 numbers, seen as such columns, with results that stay on the GPUs.  */
static size_t scan_takes (gpr_scan_op op, int64_t inner)
{
  spread s = { .inner = 20, .length = 3000, .outer = 1, .numbers = 20 * 3000 };
  const gpr_backend *b = &gpr_spread_backend;
  void *y = NULL, *index = NULL;
  fill (&s, (int[]) { 2, 1, 3 }, 3, PLAIN);
  gpr_scanning p = { .op = op, .elem = GPR_f64, .inner = inner, .length = s.numbers / inner, .outer = 1, .x = s.a.data, .x_resident = true, .out_resident = true };
  gpr_status status = b->allocate (&y, s.numbers * sizeof (double));
  if (status == GPR_OK && op >= GPR_SCAN_cummax)
    status = b->allocate (&index, s.numbers * sizeof (double));
  p.y = y;
  p.index = index;
  most = 0;
  expect (status == GPR_OK && b->scan (&p) == GPR_OK, "%s", gpr_message ());
  const size_t taken = most;
  b->release (y);
  b->release (index);
  drop (&s);
  return taken;
}

static int runs;                /* of threads for all GPUs */
gpr_status __wrap_gpr_spread_run (const gpr_pieces *x, gpr_status (*work) (void *, int), void *of), __real_gpr_spread_run (const gpr_pieces *, gpr_status (*) (void *, int), void *);
gpr_status __wrap_gpr_spread_run (const gpr_pieces *x, gpr_status (*work) (void *, int), void *of)
{
  runs++;
  return __real_gpr_spread_run (x, work, of);
}

/* The greatest of each of 7 columns.  */
static bool one_finds_greatest (int64_t length)
{
  spread s = { .inner = 7, .length = length, .outer = 1, .numbers = 7 * length };
  double want[7], got[7];
  fill (&s, (int[]) { 3, 1, 2 }, 3, PLAIN);
  gpr_ranking r = { .elem = GPR_f64, .greatest = true, .inner = s.inner, .length = length, .outer = 1, .count = 1, .x = s.host, .value = want };
  expect (gpr_cpu_backend.rank (&r) == GPR_OK, "%s", gpr_message ());
  r.x = s.a.data;
  r.x_resident = true;
  r.value = got;
  runs = 0;
  same (&s, s.a.home->rank (&r), got, want, 7, "greatest");
  drop (&s);
  return runs == 0;
}

static bool is_dealt (int64_t columns)
{
  const gpr_pieces x = { .count = 3, .device = { 3, 1, 2 } };
  const gpr_division d = { .how = GPR_DIVIDED_ALONG, .by = GPR_DEALT_OUT, .x = &x, .inner = columns, .length = 3, .outer = 1, .elem_bytes = 8 };
  return gpr_deal_pays (&d);
}

int main (int argc, char **argv)
{
  char module[4096];
  snprintf (module, sizeof module, "%s.so", argc > 1 ? argv[1] : argv[0]);
  setenv ("GPUREDUCE_CUDA_MODULE", module, 1);
  rule ("the_stand_ins_are_there");
  expect (gpr_cuda (), "%s", gpr_message ());
  if (! gpr_cuda ())
    return verdict ();

  rule ("reductions_of_divided_arrays_have_the_bits_of_one");
  for (int i = 0; i < test_cases (60); i++)
    check_reductions ();
  rule ("cumulative_functions_of_divided_arrays_have_the_bits_of_one");
  for (int i = 0; i < test_cases (60); i++)
    check_scans ();
  rule ("modes_of_divided_arrays_are_those_of_one");
  for (int i = 0; i < test_cases (20); i++)
    check_modes ();
  rule ("gpus_that_reach_each_other_have_the_bits_of_one");
  setenv ("THREE_NEAR", "yes", 1);
  for (int i = 0; i < test_cases (40); i++)
    {
      check_reductions ();
      check_scans ();
      check_modes ();
    }
  rule ("products_that_leave_the_range_come_to_a_gpu_that_has_memory_whatever_the_host_has");
  free_memory = 0;
  expect (products_together ("1e9"), "not on a GPU");
  expect (! products_together ("2e4"), "without memory");
  free_memory = SIZE_MAX;
  expect (products_together ("2e4"), "not on the host");

  rule ("results_that_stay_on_gpus_take_no_host_memory");
  for (int op = 0; op < GPR_SCAN_OPS; op++)
    for (int anyhow = 0; anyhow < 2; anyhow++)
      {
        const size_t taken = scan_takes ((gpr_scan_op) op, anyhow ? 24 : 20);
        expect (taken < 20 * 900 * sizeof (double), "operator %d, %d: %zu bytes", op, anyhow, taken);
      }

  rule ("one_gpu_finds_the_greatest_where_candidates_are_many_to_the_elements");
  expect (one_finds_greatest (3 * 512 - 1) && ! one_finds_greatest (3 * 512), "who did them");

  rule ("columns_are_dealt_out_where_a_row_is_neither_short_nor_too_long_for_a_copy");
  expect (! is_dealt (95) && is_dealt (96) && is_dealt (INT32_MAX / 8) && ! is_dealt (INT32_MAX / 8 + 1), "short or long rows");
  return verdict ();
}
