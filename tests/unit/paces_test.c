/* Where "auto" sends work: by what calls took lately, else by what the rates say.  */

#include <math.h>
#include "test.h"
#include "../../src/dispatch/paces.h"

static double real_us[GPR_PLACES];      /* what calls really take */

/* Calls, and where the last one went.  */
static gpr_place calls (int count, const gpr_work *w, double cpu, double gpu, double both)
{
  gpr_place at = GPR_PLACES;
  for (int i = 0; i < count; i++)
    {
      double us[] = { cpu, gpu, both };
      const gpr_paced p = gpr_pace_choose (w, 2, 1, us);
      at = p.place;
      gpr_pace_note (&p, real_us[at] / 1e3);
    }
  return at;
}

static void takes (double cpu, double gpu, double both)
{
  real_us[GPR_ON_CPU] = cpu;
  real_us[GPR_ON_GPU] = gpu;
  real_us[GPR_ON_BOTH] = both;
}

int main (void)
{
  const gpr_work scan = { GPR_WORK_SCAN, 1, 1 << 20, false }, other = { GPR_WORK_SCAN, 2, 1 << 20, false }, longer = { GPR_WORK_SCAN, 1, 1 << 28, false };
  const gpr_work apart = { GPR_WORK_SCAN, 1, 1 << 20, true };

  rule ("the_first_call_goes_where_the_rates_say");
  takes (1000, 100, 100);
  expect (calls (1, &scan, 50, 200, HUGE_VAL) == GPR_ON_CPU, "not to the CPU");
  expect (calls (1, &other, 300, 200, HUGE_VAL) == GPR_ON_GPU, "not to the GPU");

  rule ("a_guess_that_was_wrong_is_given_up");
  expect (calls (10, &scan, 50, 200, HUGE_VAL) == GPR_ON_GPU, "still on the CPU");
  takes (20, 1000, 100);
  gpr_paces_forget ();
  expect (calls (10, &scan, 300, 100, HUGE_VAL) == GPR_ON_CPU, "still on the GPU");

  rule ("a_place_that_is_close_is_tried");
  gpr_paces_forget ();
  takes (100, 40, 1000);
  expect (calls (10, &scan, 100, 250, HUGE_VAL) == GPR_ON_GPU, "the GPU was not tried");
  gpr_paces_forget ();
  expect (calls (10, &scan, 100, 400, HUGE_VAL) == GPR_ON_CPU, "a far one was");

  rule ("a_place_that_cannot_be_is_never_taken");
  gpr_paces_forget ();
  takes (100, 100, 1);
  for (int i = 0; i < 20; i++)
    expect (calls (1, &scan, 100, 100, HUGE_VAL) != GPR_ON_BOTH, "both at call %d", i);
  expect (calls (10, &scan, 100, 100, 90) == GPR_ON_BOTH, "not both");

  rule ("sizes_and_kinds_are_apart");
  gpr_paces_forget ();
  takes (1000, 100, 100);
  calls (10, &scan, 50, 200, HUGE_VAL);
  expect (calls (1, &longer, 50, 200, HUGE_VAL) == GPR_ON_CPU, "of a longer array");
  expect (calls (1, &other, 50, 200, HUGE_VAL) == GPR_ON_CPU, "of another class");
  expect (calls (1, &apart, 50, 200, HUGE_VAL) == GPR_ON_CPU, "along another dimension");

  rule ("one_slow_call_changes_nothing");
  gpr_paces_forget ();
  takes (100, 200, 1000);
  calls (10, &scan, 100, 200, HUGE_VAL);
  takes (600, 200, 1000);
  calls (1, &scan, 100, 200, HUGE_VAL);
  takes (100, 200, 1000);
  expect (calls (1, &scan, 100, 200, HUGE_VAL) == GPR_ON_CPU, "left for the GPU");

  rule ("a_call_that_hangs_changes_nothing");
  takes (1e6, 200, 1000);
  calls (1, &scan, 100, 200, HUGE_VAL);
  takes (100, 200, 1000);
  expect (calls (1, &scan, 100, 200, HUGE_VAL) == GPR_ON_CPU, "left for the GPU");

  rule ("a_place_that_was_slow_when_it_was_tried_is_tried_again");
  gpr_paces_forget ();
  takes (2000, 1000, 3000);             /* another process has the processors */
  expect (calls (10, &scan, 900, 1000, HUGE_VAL) == GPR_ON_GPU, "not to the GPU");
  takes (150, 1000, 3000);
  expect (calls (100, &scan, 900, 1000, HUGE_VAL) == GPR_ON_CPU, "still on the GPU");

  rule ("a_place_that_was_far_when_it_was_first_tried_is_tried_once_more");
  gpr_paces_forget ();
  takes (15000, 1000, 3000);
  expect (calls (10, &scan, 900, 1000, HUGE_VAL) == GPR_ON_GPU, "not to the GPU");
  takes (150, 1000, 3000);
  expect (calls (100, &scan, 900, 1000, HUGE_VAL) == GPR_ON_CPU, "still on the GPU");
  gpr_paces_forget ();
  takes (15000, 1000, 3000);
  int far = 0;
  for (int i = 0; i < 1000; i++)
    far += calls (1, &scan, 900, 1000, HUGE_VAL) == GPR_ON_CPU;
  expect (far == 4, "%d of 1000 calls where they take fifteen times as long", far);

  rule ("a_place_whose_calls_become_quicker_is_given_time");
  gpr_paces_forget ();
  gpr_place at = GPR_PLACES;
  for (int i = 0, in_row = 0; i < 40; i++)
    {
      takes (fmax (200, 2000 * pow (0.6, in_row)), 700, 3000);          /* threads wake up */
      at = calls (1, &scan, 300, 700, HUGE_VAL);
      in_row = at == GPR_ON_CPU ? in_row + 1 : 0;
    }
  expect (at == GPR_ON_CPU, "still on the GPU");

  rule ("trials_are_few");
  int away = 0;
  takes (100, 200, 150);
  gpr_paces_forget ();
  for (int i = 0; i < 1000; i++)
    away += calls (1, &scan, 100, 200, 150) != GPR_ON_CPU;
  expect (away > 4 && away <= 20, "%d of 1000", away);

  rule ("more_kinds_than_are_kept_do_no_harm");
  for (int id = 0; id < 1000; id++)
    {
      const gpr_work w = { GPR_WORK_COUNT, id, 1 << 20, false };
      expect (calls (1, &w, 50, 200, HUGE_VAL) == GPR_ON_CPU, "kind %d", id);
    }
  const gpr_paced none = { -1, GPR_ON_CPU, 8 };
  gpr_pace_note (&none, 1);
  return verdict ();
}
