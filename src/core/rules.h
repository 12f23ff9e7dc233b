/* Rules that differ between releases of Octave.  The running built-in is asked which it has,
   by an expression that is true where it has this one (gateway/rules.c): no version is
   compared.  The releases in the table are for readers only.  */

#ifndef GPR_RULES_H
#define GPR_RULES_H

/* X (name, releases of Octave, what is so there, expression).  */
#define GPR_RULES(X) \
  X (sum_options,       "since 11", "sum, prod, sumsq, max, min, any, all and the cumulative functions take several dimensions, \"all\" and, where " \
                                    "elements can be NaN, a nanflag", \
     "sum ([1 NaN; 1 1], [1 2], \"omitnan\") == 3") \
  X (mean_options,      "since 9",  "mean and median take several dimensions, \"all\" and a nanflag, and median a class of the result", \
     "median ([1 NaN; 1 1], [1 2], \"omitnan\") == 1") \
  X (var_options,       "since 9",  "var and std take a nanflag and weights for each element", "var ([1 NaN 3], \"omitnan\") == 2") \
  X (var_means,         "since 8",  "var and std return the mean too", "nargout (\"var\") == 2") \
  X (mad_omits_nan,     "since 9",  "mad leaves NaN out", "mad ([1 NaN 3], 1) == 1") \
  X (prctile_method,    "since 11", "prctile takes a method", "nargin (\"prctile\") == 4") \
  X (quantile_logical,  "until 10", "quantile, prctile and iqr take logical arrays", \
     "isfloat (prctile ([true false])) && isfloat (iqr ([true false]))") \
  X (mode_options,      "since 11", "mode takes several dimensions and \"all\"", "mode ([1 1; 2 1], \"all\") == 1") \
  X (bounds_options,    "since 11", "bounds and range take what max takes", "range ([1 5; 2 3], \"all\") == 4") \
  X (mean_kinds,        "until 8",  "mean takes \"a\", \"g\" and \"h\"", "mean ([1 4], \"g\") == 2") \
  X (mean_wide,         "since 9",  "mean sums singles in double precision", "mean (single ([3e38 3e38])) < Inf") \
  X (mean_scales,       "since 11", "mean is finite where only the sum of the elements is not", "mean ([1e308 1e308]) < Inf") \
  X (median_rounds_up,  "since 9",  "median rounds the mean of two negative integers upwards", "median (int8 ([-4 -5])) == -4") \
  X (var_integers,      "until 10", "var and std take integers", "isfloat (var (int8 ([1 2])))") \
  X (var_logical,       "until 8",  "var and std take logical arrays", "isfloat (var ([true false]))") \
  X (mode_logical,      "until 10", "mode takes logical arrays", "mode ([true true])") \
  X (bounds_logical,    "until 10", "bounds takes logical arrays", "! bounds ([true false])") \
  X (range_char,        "until 10", "range takes char arrays", "range (\"ac\") == 2") \
  X (cumulative_class,  "since 11", "cumsum and cumprod of integers are of their class", "isinteger (cumsum (int8 (1)))") \
  X (extra_infinite,    "since 11", "sum with \"extra\" of an infinite element is infinite", "sum ([1 Inf], \"extra\") == Inf") \
  X (pair_skips_nan,    "since 11", "max and min of two complex arrays leave out what is NaN in one part", "max (complex (NaN, 1), 2) == 2") \
  X (hist_pages,        "since 11", "hist takes the pages of an N-d array as columns", "isequal (size (hist (ones (2, 1, 3), 2)), [2 3])") \
  X (hist_close,        "since 9",  "hist takes values for equal that are 20 eps from each other", \
     "nthargout (2, @hist, [1, 1 + 4*eps], 3)(3) == 2") \
  X (hist_even,         "since 11", "hist takes centers for evenly spaced that are so up to rounding", \
     "hist (10.5, [1:11, 12 - eps(12)])(11) == 1") \
  X (cov_pairs,         "since 9",  "cov of two arrays is of two variables, the elements of each", "columns (cov ([1; 2], [3; 5])) == 2") \
  /* Wrong in these releases, not so here, and left out where tests compare: */ \
  X (median_saturates,  "until 8",  "median of integers is wrong where the two in the middle add up beyond their class", \
     "median (int8 ([127 127])) != 127") \
  X (var_saturates,     "9 and 10", "var and std of integers compute in their class", "var (int8 ([1 2])) != 0.5") \
  X (var_weighs_integers, "until 8", "var and std of integers with a weight for each element compute in their class", \
     "abs (var (uint8 ([1; 2; 3; 4; 50]), [1 2 1 2 1]) - 285.7) > 1") \
  X (mean_of_nothing,   "since 9",  "mean of a logical array over a dimension that it has not is logical", "islogical (mean (true, 3))") \
  X (mean_not_finite,   "11",       "the mean of complex numbers, one of which is infinite or NaN, is 0", "mean (complex ([1 Inf], 1)) == 0") \
  X (extra_not_finite,  "11",       "sum with \"extra\" of complex numbers, one of which is infinite or NaN, is 0", \
     "sum (complex ([1 Inf], 1), \"extra\") == 0") \
  X (median_of_nan,     "since 9",  "median over the second dimension has the wrong shape where each row has a NaN", \
     "isrow (median ([1 NaN; NaN 2], 2))") \
  X (minus_pi,          "11",       "max, min, cummax and cummin take the argument -pi of a complex number for less than others, where sort and < take it for pi, and the last two " \
                                    "differ in NaN along a later dimension", \
     "max ([complex(-1, -0), 1i]) == 1i") \
  X (char_index,        "11",       "the index of the largest or smallest char of a row is never 1", \
     "any (nthargout (2, @max, [\"aa\"; \"aa\"], [], 2) == 2)")

typedef enum {
  GPR_RULE_NONE,        /* in a row of the table of operators: always so */
#define GPR_RULE(name, releases, what, expression) GPR_RULE_##name,
  GPR_RULES (GPR_RULE)
#undef GPR_RULE
  GPR_RULE_COUNT
} gpr_rule;

#endif
