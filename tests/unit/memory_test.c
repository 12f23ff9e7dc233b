/* Any allocation may fail: a clean status, nothing leaked, and the next call
   works.  The linker sends the sources' allocations through here.  */

#include "allocations.h"
#include "test.h"
#include "../../src/core/gpr.h"
#include "../../src/cpu/cpu.h"

enum { N = 300000 };
static double x[N], y[N], place[N];
static int64_t index_[N];

static gpr_status reduce (enum gpr_instance f, int64_t l, int64_t u, bool resident)
{
  gpr_reduction r = { .instance = f, .inner = l, .length = N / l / u, .outer = u, .x = x, .value = y,
                      .index = gpr_instances[f].has_index ? index_ : NULL, .x_resident = resident, .out_resident = resident };
  return gpr_reduce (&gpr_cpu_backend, &r);
}
static gpr_status one_output (void) { return reduce (GPR_sum_f64, 1, 1, false); }
static gpr_status many_outputs (void) { return reduce (GPR_max_f64, 1, 300, false); }
static gpr_status columns (void) { return reduce (GPR_argmin_f64, 1500, 1, false); }
static gpr_status short_rows (void) { return reduce (GPR_sum_f64, 1, N / 5, false); }
static gpr_status with_second_look (void)
{
  gpr_status status;
  for (int i = 0; i < N; i++)
    x[i] = i % 2 ? 1e308 : -1e308;
  status = reduce (GPR_sum_f64, 1, 1, true);
  if (status == GPR_OK && y[0] != 0)
    status = GPR_BAD_INPUT;
  for (int i = 0; i < N; i++)
    x[i] = i % 100;
  return status;
}
static gpr_status all_nan (void)
{
  double first = x[0], *whole = x;
  gpr_reduction r = { .instance = GPR_max_f64, .inner = 1, .length = 1, .outer = 1, .x = whole, .value = y };
  x[0] = NAN;
  gpr_status status = gpr_reduce (&gpr_cpu_backend, &r);
  x[0] = first;
  return status;
}
static gpr_status counting (void)
{
  static double edges[50];
  gpr_counting c = { .elem = GPR_f64, .inner = 1, .length = N, .outer = 1, .x = x, .rule = GPR_BIN_EDGES, .bins = 50,
                     .edges = edges, .counts = y, .bin_of = place };
  for (int k = 0; k < 50; k++)
    edges[k] = k * k;
  return gpr_cpu_backend.count (&c);
}
static gpr_status pairing (void)
{
  const int64_t dims[] = { 500, 600 }, xs[] = { 1, 500 }, ys[] = { 0, 1 };
  gpr_pairing p = { .elem = GPR_f64, .op = GPR_PAIR_MAX, .rank = 2, .dims = dims, .xs = xs, .ys = ys, .x = x, .y = x, .z = y };
  return gpr_cpu_backend.pair (&p);
}
static gpr_status allocating (void)
{
  void *p = NULL;
  gpr_status status = gpr_cpu_backend.allocate (&p, 1000);
  gpr_cpu_backend.release (p);
  return status;
}

static const struct { const char *name; gpr_status (*work) (void); } cases[] = {
  { "one_output", one_output }, { "many_outputs", many_outputs }, { "columns", columns }, { "short_rows", short_rows },
  { "a_second_look", with_second_look }, { "all_nan", all_nan }, { "counting", counting }, { "two_arrays", pairing },
  { "allocating", allocating }
};

int main (void)
{
  int tried = 0;
  for (int i = 0; i < N; i++)
    x[i] = i % 100;
  gpr_config.threads = 2;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      int before, nth = 0;
      gpr_status status = cases[i].work ();   /* the pool's own memory stays */
      rule (cases[i].name);
      expect (status == GPR_OK, "untroubled: status %d, %s", status, gpr_message ());
      before = live;
      do
        {
          failures = 0;
          until_failure = nth++;
          status = cases[i].work ();
          until_failure = -1;
          tried += failures;
          expect (failures == 0 ? status == GPR_OK : status == GPR_OUT_OF_MEMORY && *gpr_message (),
                  "allocation %d fails: status %d, %s", nth, status, gpr_message ());
          expect (live == before, "allocation %d fails: %d not freed", nth, live - before);
          status = cases[i].work ();
          expect (status == GPR_OK, "after allocation %d failed: status %d", nth, status);
        }
      while (failures && nth < 100);
    }
  rule ("allocations_did_fail");
  expect (tried >= 5, "only %d", tried);
  return verdict ();
}
