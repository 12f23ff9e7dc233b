/* exp of doubles as GPUs have it (kernels/ops/exp.h), beside that of long doubles.  */

#include "test.h"
#include "../../kernels/ops/exp.h"

/* Units in the last place of the exact value, between normal and other numbers too.  */
static double
distance (double got, long double exact)
{
  int e;
  if (exact == 0 || isinf (exact) || exact >= 0x1p1024l)
    return got == (double) exact ? 0 : HUGE_VAL;
  frexpl (exact, &e);
  return (double) ldexpl (fabsl (got - exact), 53 - (e < -1021 ? -1021 : e));
}

static double unit (void) { return 2 * (double) random_below (INT64_C (1) << 53) / 0x1p53 - 1; }

int main (void)
{
  static const double edges[] = { 0, 708.39641853226408, 709.78271289338397, 709.78271289338409, 745.13321910194110, 745.13321910194122, 746, 1e5, 0x1.fffffp19, 0x1p20, 0x1p52,
                                  1e300, DBL_MIN, 4.9406564584124654e-324, HUGE_VAL };
  double most = 0, at = 0;

  rule ("of_any_magnitude_within_0.88_units");
  for (int64_t i = 0, n = test_cases (300000); i < n; i++)
    {
      const double x = unit () * (i % 3 == 0 ? 746 : i % 3 == 1 ? 1 : ldexp (1, (int) random_below (60) - 40)), d = distance (gpr_exp_f64 (x), expl (x));
      if (d > most)
        most = d, at = x;
    }
  expect (most <= 0.88, "exp (%.17g): %.17g, %g units off", at, gpr_exp_f64 (at), most);

  rule ("near_0_the_short_way_has_the_same_bits");
  for (int64_t i = 0, n = test_cases (100000); i < n; i++)
    {
      const double x = i < 2 ? (i ? -1 : 1) * GPR_EXP_NEAR : unit () * (i % 2 ? GPR_EXP_NEAR : 1), near = gpr_exp_near_f64 (x), far = gpr_exp_f64 (x);
      expect (memcmp (&near, &far, sizeof near) == 0, "exp (%.17g): %.17g and %.17g", x, near, far);
    }

  rule ("to_the_limits_and_beyond");
  for (size_t i = 0; i < 2 * sizeof edges / sizeof *edges; i++)
    {
      const double x = (i % 2 ? -1 : 1) * edges[i / 2];
      expect (distance (gpr_exp_f64 (x), expl (x)) <= 0.88, "exp (%.17g) is %.17g", x, gpr_exp_f64 (x));
    }

  rule ("of_no_number_it_is_none");
  for (int i = 0; i < 4; i++)
    {
      union { uint64_t u; double d; } v = { (i % 2 ? 0xfff0000000000000 : 0x7ff0000000000000) | (i / 2 ? 0x8000000000000 : 1) };
      expect (isnan (gpr_exp_f64 (v.d)), "exp of NaN is %g", gpr_exp_f64 (v.d));
    }
  return verdict ();
}
