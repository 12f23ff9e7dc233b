/* On a crowded machine one thread does not wait for another that has no processor.  The clock and the counter are this test's.  */

#include "test.h"
#include "../../src/core/gpr.h"
#include "../../src/core/system.h"
#include "../../src/cpu/cpu.h"

static double now = 1e6;
static double waited;

double __wrap_gpr_now_ms (void);
double __wrap_gpr_now_ms (void) { return now; }
double __wrap_gpr_system_waited_ms (int most);
double __wrap_gpr_system_waited_ms (int most) { (void) most; return waited; }

/* Whether all threads are used at each of so many times, a step apart, of which each thread is ready and has no processor for a share.  */
static bool uses_all (int times, double step_ms, double share)
{
  const int threads = gpr_cpu_allowed_threads () < 16 ? gpr_cpu_allowed_threads () : 16;
  bool all = true;
  for (int k = 0; k < times; k++, now += step_ms, waited += share * threads * step_ms)
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
  expect (uses_all (100, 50, 0.12), "an eighth of the time");
  expect (uses_all (20, 1e5, 0.12), "calls far apart");

  rule ("one_that_often_waits_uses_one_and_then_all_again");
  for (int round = 0; round < 2 && several; round++)
    {
      uses_all (22, 10, 0.25);
      expect (gpr_cpu_threads () == 1, "a quarter of the time");
      expect (! uses_all (30, 10, 0) && gpr_cpu_threads () == 1, "for 0.3 seconds");
      now += 300;
      expect (uses_all (100, 10, 0), "afterwards");
    }

  rule ("threads_that_were_asked_for_are_used");
  gpr_config.threads = 2;
  expect (uses_all (100, 10, 0.5), "half of the time");
  return verdict ();
}
