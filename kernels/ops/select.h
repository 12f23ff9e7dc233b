/* Which elements of a sorted column a median or a quantile is made of, and how, for C11 and
   CUDA C++.  */

#ifndef GPR_OPS_SELECT_H
#define GPR_OPS_SELECT_H

#include "order.h"

/* Bits of a digit by which the keys of a column are counted that several processes have: a GPU's block has its counts in shared memory, and
   so many tell NaN from infinity.  */
enum { GPR_KEY_DIGIT = 13 };

/* Elements low <= high of those sorted, from 0, and the share of the second: the value is
   (1 - share) * low + share * high, or their mean (order.h) where `middle' is set.  */
typedef struct {
  i64 low, high;
  double share;
  bool middle;
} gpr_select_place;

GPR_FN gpr_select_place gpr_select_median (i64 numbers)
{
  gpr_select_place at = { (numbers - 1) / 2, numbers / 2, 0, true };
  return at;
}

/* The quantile p, from 0 to 1, of numbers elements, by one of the nine methods of
   R. J. Hyndman and Y. Fan, Sample Quantiles in Statistical Packages (1996).  */
GPR_FN double gpr_select_between (double x, double least, double most) { return x < least ? least : x > most ? most : x; }
GPR_FN gpr_select_place gpr_select_quantile (int method, double p, i64 numbers)
{
  const double n = (double) numbers;
  gpr_select_place at = { 0, 0, 0, false };
  double place, from;

  if (method <= 3)
    {
      place = p * n;
      if (method == 3)          /* halves to the even one */
        place = rint (place < 1 ? 1 : place);
      at.low = at.high = (i64) gpr_select_between (ceil (place), 1, n) - 1;
      if (method == 2)
        {
          at.high = (i64) gpr_select_between (floor (place + 1), 1, n) - 1;
          at.share = 0.5;
        }
      return at;
    }
  place = method == 4 ? p * n : method == 5 ? p * n + 0.5 : method == 6 ? p * (n + 1) : method == 7 ? p * (n - 1) + 1
          : method == 8 ? p * (n + 1.0 / 3) + 1.0 / 3 : p * (n + 0.25) + 0.375;
  from = floor (place);
  from = from > n - 1 ? n - 1 : from;
  from = from < 1 ? 1 : from;
  at.low = (i64) from - 1;
  at.high = at.low + 1 < numbers ? at.low + 1 : at.low;
  at.share = gpr_select_between (place - from, 0, 1);
  return at;
}

/* The quantile of the two elements there.  NaN is made from its key, since processors differ in its bits.  */
#define GPR_SELECT_MIX(T, U) \
GPR_FN T gpr_select_mix_##T (int method, double share, T low, T high) \
{ \
  T v = method == 2 ? (low + high) / 2 : method <= 3 ? low : (T) (1 - share) * low + (T) share * high; \
  return v == v ? v : gpr_order_value_##T ((U) -1); \
}
GPR_SELECT_MIX (f64, u64) GPR_SELECT_MIX (f32, u32)

#endif
