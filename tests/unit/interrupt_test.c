/* Ctrl-C, as a flag that another thread sets, stops long work within a second.  */

#define _GNU_SOURCE
#include <pthread.h>
#include "test.h"
#include "virtual.h"
#include "../../src/core/gpr.h"
#include "../../src/cpu/cpu.h"

static volatile int flag;
static double pressed;

static void *press (void *nothing)
{
  struct timespec t = { 0, 200000000 };
  nanosleep (&t, NULL);
  pressed = seconds ();
  flag = 1;
  return nothing;
}

static void check (const char *name, gpr_status (*work) (const void *x), const void *x)
{
  pthread_t thread;
  gpr_status status;
  rule (name);
  flag = 0;
  pthread_create (&thread, NULL, press, NULL);
  status = work (x);
  pthread_join (thread, NULL);
  expect (status == GPR_INTERRUPTED, "status %d", status);
  expect (seconds () - pressed < 1, "%.1f s after the key", seconds () - pressed);
  flag = 0;
}

/* 64 GiB of virtual doubles; a logarithm each, or several columns.  */
enum { GIB = 64 };
static const int64_t elements = (int64_t) GIB << 27;
static double y[1000];

static gpr_status reduce (enum gpr_instance f, int64_t l, int64_t u, const void *x)
{
  gpr_reduction r = { .instance = f, .inner = l, .length = elements / l / u, .outer = u, .x = x, .value = y };
  return gpr_reduce (&gpr_cpu_backend, &r);
}
static gpr_status one_output (const void *x) { return reduce (GPR_sumlog_f64, 1, 1, x); }
static gpr_status columns (const void *x) { return reduce (GPR_sumlog_f64, 10, 1, x); }
static gpr_status outputs (const void *x) { return reduce (GPR_sumlog_f64, 1, 100, x); }
static gpr_status one_thread (const void *x)
{
  gpr_status status;
  gpr_config.threads = 1;
  status = reduce (GPR_sumlog_f64, 1, 1, x);
  gpr_config.threads = 0;
  return status;
}
/* Every lane overflows, so the sum is taken again in the plain order.  */
static gpr_status settling (const void *x) { return reduce (GPR_sum_f64, 1, 1, x); }

static gpr_status counting (const void *x)
{
  static double counts[100], edges[100];
  gpr_counting c = { .elem = GPR_f64, .inner = 1, .length = elements, .outer = 1, .x = x, .rule = GPR_BIN_EDGES, .bins = 100,
                     .edges = edges, .counts = counts };
  for (int k = 0; k < 100; k++)
    edges[k] = k * k;
  return gpr_cpu_backend.count (&c);
}

int main (void)
{
  char *piece, *x = virtual_input ((size_t) GIB << 30, &piece);
  gpr_interrupt_flag = &flag;
  if (! x)
    {
      printf ("no room for %d GiB of addresses\n", GIB);
      return 1;
    }
  for (int64_t j = 0; j < PIECE / 8; j++)
    ((double *) piece)[j] = (double) (j % 1000) + 0.5;
  check ("one_long_output", one_output, x);
  check ("several_columns", columns, x);
  check ("many_outputs", outputs, x);
  check ("one_thread", one_thread, x);
  check ("counting", counting, x);
  for (int64_t j = 0; j < PIECE / 8; j++)
    ((double *) piece)[j] = j % 2 ? 1e308 : -1e308;
  check ("sum_that_overflows_and_is_taken_again", settling, x);

  rule ("next_call_works");
  {
    double sum, three[] = { 1, 2, 3 };
    gpr_reduction r = { .instance = GPR_sum_f64, .inner = 1, .length = 3, .outer = 1, .x = three, .value = &sum };
    expect (gpr_reduce (&gpr_cpu_backend, &r) == GPR_OK && sum == 6, "%g", sum);
  }
  return verdict ();
}
