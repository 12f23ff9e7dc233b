/* What "auto" decides by: rates that were measured are kept for their threads, device
   and operation, and no other; a device is fake by one that naps.  */

#include <math.h>
#include "test.h"
#include "../../src/dispatch/choose.h"
#include "../../src/dispatch/rates.h"
#include "../../src/cpu/cpu.h"
#include "../../src/dispatch/split.h"

static int reductions, shares, nap_ms;
static gpr_status answer = GPR_OK;
static int in_place_seen[2];

static void nap (void)
{
  struct timespec t = { 0, nap_ms * 1000000 };
  nanosleep (&t, NULL);
}

static gpr_status reduce (gpr_reduction *r)
{
  reductions++;
  in_place_seen[gpr_config.in_place_threads >= 100]++;
  /* Page-locking is the faster way here.  */
  if (gpr_config.in_place_threads < 100)
    nap ();
  return answer == GPR_OK ? gpr_cpu_backend.reduce (r) : gpr_fail (answer, "fake");
}

static gpr_status share (gpr_share *s)
{
  shares++;
  (void) s;
  return GPR_OK;
}

static const gpr_backend device = { .name = "fake", .reduce = reduce, .share = share };

int main (void)
{
  static double data[1 << 20];
  const size_t bytes = sizeof data;
  gpr_rates r;
  for (int i = 0; i < 1 << 20; i++)
    data[i] = random_unit ();

  rule ("typical_rates_until_measured");
  gpr_config.threads = 2;
  r = gpr_rates_of (GPR_sum_f64, 0);
  expect (! r.measured && r.cpu > 0 && r.staged == 0 && r.both == 0 && r.threads == gpr_cpu_threads (), "cpu %g", r.cpu);
  r = gpr_rates_of (GPR_sum_f64, 1);
  expect (! r.measured && r.staged > 0 && r.in_place > 0 && r.both == 0, "staged %g", r.staged);

  rule ("all_ways_are_measured_and_the_faster_one_is_taken");
  const int default_upto = gpr_config.in_place_threads;
  nap_ms = 20;
  gpr_config.threads = gpr_config.in_place_threads + 1;
  gpr_status status = gpr_rates_measure (GPR_sum_f64, &device, 1, data, bytes);
  r = gpr_rates_of (GPR_sum_f64, 1);
  expect (status == GPR_OK && r.measured && r.cpu > 0 && r.staged > 0 && r.in_place > r.staged && r.device == 1,
          "status %d, staged %g, in place %g", status, r.staged, r.in_place);
  expect (in_place_seen[0] > 0 && in_place_seen[1] > 0, "%d staged, %d in place", in_place_seen[0], in_place_seen[1]);
  expect (r.threads == 1 || (shares > 0 && r.both > 0), "%d shares, both %g", shares, r.both);
  expect (gpr_config.in_place_threads == (r.threads > default_upto ? r.threads : default_upto), "in place up to %d",
          gpr_config.in_place_threads);

  rule ("rates_are_kept_for_their_threads_device_and_operation");
  reductions = 0;
  expect (gpr_rates_of (GPR_sum_f64, 1).cpu == r.cpu && ! gpr_rates_of (GPR_sum_f64, 2).measured
          && ! gpr_rates_of (GPR_max_f32, 1).measured, "of another one");
  gpr_config.threads = 1;
  expect (! gpr_rates_of (GPR_sum_f64, 1).measured, "of other threads");
  gpr_config.threads = default_upto + 1;
  status = gpr_rates_measure (GPR_max_f32, &device, 1, data, bytes);
  gpr_rates other = gpr_rates_of (GPR_max_f32, 1);
  expect (status == GPR_OK && other.measured && other.staged == r.staged && other.in_place == r.in_place && reductions == 0,
          "the bus was measured again: %d reductions", reductions);

  rule ("own_memory_where_none_is_given_and_no_device");
  status = gpr_rates_measure (GPR_sum_f64, NULL, 0, NULL, 0);
  r = gpr_rates_of (GPR_sum_f64, 0);
  expect (status == GPR_OK && r.measured && r.cpu > 0 && r.staged == 0 && r.both == 0, "status %d, cpu %g", status, r.cpu);

  rule ("a_failure_keeps_nothing_and_is_the_callers");
  gpr_rates_forget ();
  int upto = gpr_config.in_place_threads;
  answer = GPR_DEVICE_LOST;
  status = gpr_rates_measure (GPR_sum_f64, &device, 1, data, bytes);
  expect (status == GPR_DEVICE_LOST && ! gpr_rates_of (GPR_sum_f64, 1).measured && gpr_config.in_place_threads == upto,
          "status %d, in place up to %d", status, gpr_config.in_place_threads);
  answer = GPR_OK;

  rule ("rates_of_an_earlier_session_are_those_of_all_operations");
  r = (gpr_rates) { .measured = true, .threads = gpr_cpu_threads (), .device = 1, .cpu = 10, .staged = 20, .in_place = 5, .both = 25 };
  gpr_config.in_place_threads = 100;
  gpr_rates_set (&r);
  expect (gpr_rates_of (GPR_max_f64, 1).both == 25 && gpr_rates_of (GPR_sum_f32, 1).cpu == 10, "not all");
  expect (gpr_config.in_place_threads == r.threads - 1, "in place up to %d", gpr_config.in_place_threads);
  r.measured = false;
  gpr_rates_set (&r);
  expect (! gpr_rates_of (GPR_max_f64, 1).measured, "not forgotten");
  return verdict ();
}
