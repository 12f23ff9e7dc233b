## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Functions of Octave that gpuArray has no method of give on gpuArrays what they give on the host, and need no host for it
## (doc/value.md): m-files, made of elements, operators and methods.

%!function t = calls ()
%!  t = {"trapz (M)", "trapz (X, M)", "trapz (M, 2)", "trapz (P, 3)", "cumtrapz (M)", "cumtrapz (X, M)", "cross (P, P)", "cross (V(1:3), V(4:6))", ...
%!       "center (M)", "center (P, 3)", "zscore (M)", "zscore (M, 1, 2)", "zscore (V)", "kurtosis (M)", "skewness (M, 1, 2)", "statistics (M)", ...
%!       "isdiag (S)", "issymmetric (S + S')", "ishermitian (S)", "istril (tril (S))", "istriu (S)", "trace (S)", ...
%!       "polyint (V)", "polyder (V)", "postpad (M, 9)", "postpad (M, 3)", "prepad (M, 9, 2, 2)", "nthargout (1:2, @meshgrid, V, W)", "nthargout (1:2, @ndgrid, V, W)", ...
%!       "union (V, W)", "union (M, M, 'rows')", "nthargout (1:3, @intersect, V, W)", "setdiff (W, V)", "setxor (V, W)", "unwrap (M / 2)", "interp2 (M, 2)", ...
%!       "M(:)(unique (V(V > 0)))", "bsxfun (@minus, M, V(1:5))", "bsxfun (@max, M, W(1:7))", "fliplr (M)", "rot90 (M)", "flip (P, 3)", "isequal (M, M + 0)", "diag (V)", "diag (S, 1)"};
%!endfunction
%!function y = evaluated (call, of)
%!  for [x, name] = of
%!    eval ([name " = x;"]);
%!  endfor
%!  y = eval (call);
%!  if (! iscell (y))
%!    y = {y};
%!  endif
%!endfunction
%!function same (y, x, what)
%!  assert (isgpuarray (y) || numel (x) == 1, what);
%!  y = gather (y);
%!  assert (strcmp (class (y), class (x)) && size_equal (y, x), what);
%!  if (isfloat (x))
%!    rest = ! (y == x | (isnan (y) & isnan (x)));
%!    assert (all (abs (double (y(rest)) - double (x(rest))) <= 16 * double (eps (class (x))) * max ([1; abs(double (x(isfinite (x)))(:))])), what);
%!  else
%!    assert (isequal (y, x), what);
%!  endif
%!endfunction
%!test                                   # functions_of_octave_give_on_gpuArrays_what_they_give_on_the_host
%! warning ("off", "all", "local");
%! for type = {"double", "single", "int8", "logical"}
%!   make = @(varargin) cast (round (10 * randn (varargin{:})), type{1});
%!   host = struct ("M", make (7, 5), "V", cast ([3 1 4 1 5 9 2 6 8], type{1}), "W", cast ([2 7 1 8 2 8 1 8 2 8 4].', type{1}), "P", make (3, 4, 5), "S", make (6, 6), "X", cast (cumsum (1 + rand (7, 1)), type{1}));
%!   ours = structfun (@gpuArray, host, "UniformOutput", false);
%!   for call = calls ()
%!     try
%!       want = evaluated (call{1}, host);
%!     catch
%!       assert (! strcmp (type{1}, "double"), call{1});  # of other classes some are errors
%!       continue;
%!     end_try_catch
%!     before = gpu_config ("through_host", "count");
%!     have = evaluated (call{1}, ours);
%!     trips = gpu_config ("through_host", "count") - before;
%!     cellfun (@(y, x) same (y, x, sprintf ("%s of %s", call{1}, type{1})), have, want);
%!     assert (trips == 0 || ! strcmp (type{1}, "double"), call{1});
%!   endfor
%! endfor
