## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Elementwise operations that wait until their values are wanted: what of that shows in Octave.  Random programs are in expressions.m.

%!test                                   # what_was_positive_may_leave_the_reals_after_an_assignment
%! g = abs (gpuArray ([1 -2 3]));
%! gather (g);
%! g(1) = -4;
%! assert (gather (sqrt (g) + 1), sqrt ([-4 2 3]) + 1);

%!test                                   # whole_exponents_of_negative_numbers_as_large_as_an_int
%! for x = {[1 -2 3], single([1 -2 3])}
%!   for n = [-2^31, -2^31 + 1, -2^30, 2^30 - 1, 2^30, 2^31 - 2, 2^31 - 1]
%!     assert (gather (gpuArray (x{1}) .^ n + 1), x{1} .^ n + 1);
%!   endfor
%! endfor

%!test                                   # an_error_of_what_waited_names_the_operation_and_its_sizes
%! x = gpuArray (true (2^24, 1));
%! y = x + x';                           # 2 PiB
%! err = [];
%! try
%!   cumsum (y);
%! catch err
%! end_try_catch
%! assert (err.identifier, "gpureduce:out-of-memory");
%! assert (regexp (err.message, '^gpu_cumsum: .*out of memory.*; computing plus of 16777216x16777216 double$', "once"), 1);
