## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Elementwise operations on complex gpuArrays by kernels give what they give on host arrays.

%!function x = numbers (dims, type, special)
%!  x = complex (round (20 * randn (dims)) / 4, round (20 * randn (dims)) / 4);
%!  x(rand (dims) < 0.2) = 0;
%!  if (special)
%!    parts = {0, -0, 1, -2.5, Inf, -Inf, NaN, NA, realmax, realmin};
%!    for k = 1:numel (x)
%!      if (rand () < 0.6)
%!        x(k) = complex (parts{randi (10)}, parts{randi (10)});
%!      endif
%!    endfor
%!  endif
%!  x = cast (x, type);
%!endfunction

## Powers are exp (y * log (x)), here and there: what log rounds counts as often as the exponent is great.
%!function tol = of_powers (units, want)
%!  tol = units * (1 + abs (log (max (abs (want), realmin (class (want))))));
%!endfunction

## Values, and signs of zeros, of both parts; within tol of their modulus, or what the function tol says of them.
%!function same (f, tol, varargin)
%!  on_device = cellfun (@gpuArray, varargin, "UniformOutput", false);
%!  k = randi (2 ^ numel (varargin)) - 1;                 # one or the other of the host, not all
%!  for i = 1:numel (varargin)
%!    if (bitand (k, 2 ^ (i-1)) && k != 2 ^ numel (varargin) - 1)
%!      on_device{i} = varargin{i};
%!    endif
%!  endfor
%!  want = f (varargin{:});
%!  got = gather (f (on_device{:}));
%!  assert (class (got), class (want));
%!  assert (size (got), size (want));
%!  assert (iscomplex (got), iscomplex (want));
%!  if (is_function_handle (tol))
%!    tol = tol (want);
%!  endif
%!  if (any (tol(:) > 0))
%!    near = abs (got - want) <= tol .* eps (class (want)) .* abs (want);
%!    ok = all (near(:) | got(:) == want(:) | isnan (want(:)) | isnan (got(:)) | (isinf (got(:)) & isinf (want(:))));
%!  else
%!    ok = isequaln (real (got), real (want)) && isequaln (imag (got), imag (want));
%!    if (isfloat (want))
%!      ok = ok && isequaln (1 ./ real (got), 1 ./ real (want)) && isequaln (1 ./ imag (got), 1 ./ imag (want));
%!    endif
%!  endif
%!  if (! ok)
%!    error ("%s of %s: %s, not %s", func2str (f), strjoin (cellfun (@(x) disp (x), varargin, "UniformOutput", false), ", "), disp (got), disp (want));
%!  endif
%!endfunction

%!test                                   # each_operation_of_finite_and_special_numbers_as_the_built-in
%! sizes = {{[3 4], [3 4]}, {[3 4], [1 1]}, {[1 1], [3 4]}, {[3 1], [1 4]}, {[1 4], [3 4]}, {[3 4 2], [3 1 2]}, {[7 1], [7 1]}, {[2 1 3], [1 4]}};
%! for type = {"double", "single"}
%!   for special = [false true]
%!     for s = sizes
%!       x = numbers (s{1}{1}, type{1}, special);
%!       y = numbers (s{1}{2}, type{1}, special);
%!       r = real (y);
%!       for f = {@plus, @minus, @times, @eq, @ne}
%!         same (f{1}, 0, x, y);
%!         same (f{1}, 0, x, r);
%!         same (f{1}, 0, r, x);
%!       endfor
%!       quotient_tol = 8 * (__gpureduce__ ("diagnose").devices > 0);
%!       power_tol = @(want) of_powers (2 * quotient_tol, want);
%!       same (@rdivide, quotient_tol, x, y);
%!       same (@rdivide, 0, x, r);
%!       for n = [2, 3, 7, 0]
%!         same (@(x) x .^ n, 0, x);
%!       endfor
%!       for n = [0.5, -1, -2, 1.5]
%!         same (@(x) x .^ n, power_tol, x);
%!       endfor
%!       same (@(x, y) x .^ round (real (y)), power_tol, x, y);
%!       for f = {@exp, @sqrt, @log}
%!         same (f{1}, quotient_tol, x);
%!       endfor
%!       same (@arg, quotient_tol, x);
%!       same (@log10, 2 + quotient_tol, r);
%!       for f = {@sqrt, @log, @log2}
%!         same (f{1}, 2 * quotient_tol, r);                # complex where an element is negative
%!       endfor
%!       for f = {@(x) x .^ 0.5, @(x) x .^ -1.5, @(x) (-2) .^ (x / 3)}
%!         same (f{1}, power_tol, r);
%!       endfor
%!       same (@(x, y) x .^ y, power_tol, r, r / 2);
%!       same (@rdivide, quotient_tol, r, x);
%!       for f = {@uminus, @conj, @real, @imag, @isnan, @isinf, @isfinite, @(x) x + 2, @(x) 3 * x, @(x) x / 4, @(x) 1 - x, @(x) x == 1}
%!         same (f{1}, 0, x);
%!       endfor
%!       same (@abs, 2, x);
%!     endfor
%!   endfor
%! endfor
%!test                                   # they_are_done_where_the_arrays_lie
%! g = gpuArray (complex (rand (40, 30), rand (40, 30)));
%! h = gpuArray (rand (40, 1));
%! before = gpu_config ("through_host", "count");
%! z = abs (exp (g) - g .^ 2 + conj (g) .* g - h ./ g + 2i * g) + real (g) - imag (g) + angle (g) + imag (sqrt (-h)) + real (log (h - 0.5)) + abs ((h - 0.5) .^ 0.3);
%! n = (g == g) & ! isnan (g);
%! assert (gpu_config ("through_host", "count"), before);
%! assert (isgpuarray (z) && isgpuarray (n));
%!test                                   # of_two_precisions_the_other_operand_is_rounded_first_and_they_are_done_there_too
%! before = gpu_config ("through_host", "count");
%! sizes = {{[3 4], [3 4]}, {[3 4], [1 1]}, {[1 1], [3 4]}, {[3 1], [1 4]}};
%! for special = [false true]
%!   for s = sizes
%!     x = numbers (s{1}{1}, "single", special);
%!     y = numbers (s{1}{2}, "double", special) * pi;
%!     for operands = {{x, y}, {y, x}, {x, real(y)}, {real(y), x}, {real(x), y}, {y, real(x)}}
%!       for f = {@plus, @minus, @times, @eq, @ne}
%!         same (f{1}, 0, operands{1}{:});
%!       endfor
%!       same (@rdivide, 8 * (__gpureduce__ ("diagnose").devices > 0), operands{1}{:});
%!     endfor
%!   endfor
%! endfor
%! x = numbers ([4 3], "single", false);
%! for n = {2+3i, 1i, -pi}
%!   assert (gather (gpuArray (x) * n{1}), x * n{1});
%!   assert (gather (n{1} - gpuArray (x)), n{1} - x);
%!   assert (gather (gpuArray (double (x)) * single (n{1})), double (x) * single (n{1}));
%! endfor
%! assert (gpu_config ("through_host", "count"), before);
%!test                                   # a_result_without_imaginary_parts_is_real
%! g = gpuArray ([1+2i, 3-1i; 2i, 5]);
%! assert (isreal (g .* conj (g)));
%! assert (isreal (g - 1i * imag (g)));
%! assert (isreal (g + conj (g)));
%! assert (! isreal (g + 1));
%! assert (isreal (-gpuArray (complex (1, 0))));
%! for f = {@double, @single, @(x) cast (x, "single"), @(x) +x, @(x) double(single (x))}
%!   for x = {complex([1 2 3], 0), single(complex (2, 0)), [1+2i 3]}
%!     assert (iscomplex (gather (f{1} (gpuArray (x{1})))), iscomplex (f{1} (x{1})));
%!     assert (gather (f{1} (gpuArray (x{1}))), f{1} (x{1}));
%!   endfor
%! endfor
%!test                                   # whole_exponents_of_one_negative_number_give_real_numbers, also those that no int holds
%! for type = {"double", "single"}
%!   for n = {[0 1e10 3], [1e10; 0], cast(realmax (type{1}), "double") / 4 * [1 0; 0 1], [repmat(2, 1, 1e5), 1e12], [repmat(2, 1, 1e5), 0.5, 1e12], [0 1e10 0.5], [1e10 Inf 1], [1e10 NaN 1]}
%!     for base = {-2, -0.5}
%!       same (@power, 8 * (__gpureduce__ ("diagnose").devices > 0), cast (base{1}, type{1}), cast (n{1}, type{1}));
%!     endfor
%!   endfor
%! endfor
%!test                                   # long_arrays_as_the_built-in
%! x = numbers ([300 123], "double", false);
%! y = numbers ([300 1], "double", true);
%! for f = {@plus, @minus, @times, @(a, b) a .* real(b), @(a, b) real (b) - a}
%!   same (f{1}, 0, x, y);
%! endfor
%!test                                   # what_Octave_refuses_is_refused
%! g = gpuArray (complex (ones (2, 3), 1));
%! raises ("nonconformant", @() g + ones (3, 2));
%! raises ("nonconformant", @() g .* gpuArray (ones (2, 2)));
%! raises ("binary operator", @() g + int8 (1));
## Octave makes complex numbers without imaginary parts real when it permutes them: their reductions over dimensions that lie apart are those of complex numbers.
%!test
%! rand ("twister", 11);
%! for kind = {"double", "single"}
%!   x = cast (rand (30, 40, 50), kind{1});
%!   z = complex (x, zeros (size (x), kind{1}));
%!   for y = {z, gpuArray(z)}
%!     assert (gather (gpu_sum (y{1}, [1 3])), sum (sum (x, 1), 3), 1e4 * eps (kind{1}));
%!     assert (gather (gpu_max (y{1}, [], [1 3])), max (max (x, [], 1), [], 3));
%!     assert (gather (gpu_mean (y{1}, [1 3], "omitnan")), mean (mean (x, 1), 3), 100 * eps (kind{1}));
%!   endfor
%! endfor
