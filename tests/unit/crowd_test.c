/* On a crowded machine one thread does not wait for another that has no processor.  The clock and the counter are this test's.  */

#include "test.h"
#include "../../src/core/gpr.h"
#include "../../src/core/system.h"
#include "../../src/cpu/cpu.h"

static double now = 1e6;
static int64_t preempted;

double __wrap_gpr_now_ms (void);
double __wrap_gpr_now_ms (void) { return now; }
int64_t __wrap_gpr_system_preempted (void);
int64_t __wrap_gpr_system_preempted (void) { return preempted; }

/* Whether all threads are used at each of so many times, a step apart, between which this process has to wait so often.  */
static bool uses_all (int times, double step_ms, int64_t waits)
{
  bool all = true;
  for (int k = 0; k < times; k++, now += step_ms, preempted += waits)
    all = all && gpr_cpu_threads () == gpr_cpu_allowed_threads ();
  return all;
}

int main (void)
{
  setenv ("OMP_WAIT_POLICY", "active", 1);
  gpr_config.threads = 0;
  const bool several = gpr_cpu_allowed_threads () > 1;

  rule ("a_process_that_seldom_waits_uses_all_threads");
  expect (uses_all (1000, 10, 0), "it never waited");
  expect (uses_all (100, 50, 1), "20 times a second");
  expect (uses_all (20, 1e5, 1000), "10 times a second, calls far apart");

  rule ("one_that_often_waits_uses_one_and_then_all_again");
  for (int round = 0; round < 2 && several; round++)
    {
      uses_all (8, 10, 2);
      expect (gpr_cpu_threads () == 1, "200 times a second");
      expect (! uses_all (90, 10, 0) && gpr_cpu_threads () == 1, "for 0.9 seconds");
      now += 200;
      expect (uses_all (100, 10, 0), "afterwards");
    }

  rule ("threads_that_were_asked_for_are_used");
  gpr_config.threads = 2;
  expect (uses_all (100, 10, 5), "500 times a second");
  return verdict ();
}
