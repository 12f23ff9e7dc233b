## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{m} =} gpu_median (@var{x})
## @deftypefnx {} {@var{m} =} gpu_median (@var{x}, @var{dim})
## @deftypefnx {} {@var{m} =} gpu_median (@dots{}, "all")
## @deftypefnx {} {@var{m} =} gpu_median (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{m} =} gpu_median (@dots{}, "device", @var{d})
## Median of the elements of @var{x} along dimension @var{dim}, as the built-in
## @code{median}, computed on the GPU.
##
## @var{x} is a numeric or logical array of any size but empty.  The default
## dimension is the first that is not 1, and the result has the class of @var{x}
## and its size with 1 in that dimension.  Of an even number of elements it is the mean
## of the two in the middle: of integers the exact mean, where nothing saturates, with halves
## rounded as the running Octave does (away from zero; in some releases upwards); of
## logical values it is true where one of the two is.
##
## @table @asis
## @item @var{dim}
## A dimension, a vector of dimensions to reduce together, or "all".
##
## @item "omitnan", "includenan"
## Leave NaN (and NA) elements out, or let them make the result NaN (the default).
## The median of no elements is NaN.
## @end table
##
## -0 counts as less than 0.  (The built-in takes them for equal, so that the sign of
## a median that is zero is that of any of them.)  GPU and CPU give the same bits.
##
## On the GPU a column needs little memory beside @var{x}, up to half of its own bytes.  A column of host data that does
## not fit there is computed on the CPU, or, if the GPU was asked for, raises @code{gpureduce:out-of-memory}.
##
## Complex and sparse @var{x} go to the built-in @code{median}.
##
## @example
## @group
## gpu_median ([1 5 2; 4 8 6])
##     @result{} 2.5000   6.5000   4.0000
## gpu_median ([1 5 2; 4 8 6], 2)
##     @result{} 2
##        6
## gpu_median ([3 NaN 4 8], "omitnan")
##     @result{} 4
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Nothing is sorted but short columns.  On the CPU a long column's elements are counted by their leading bits, again and
## again.  On the GPU a sample bounds the median, and one reading counts what lies below and keeps the few candidates
## between the bounds, as in R. W. Floyd and R. L. Rivest, @cite{Expected Time Bounds for Selection} (1975).
## @seealso{gpu_quantile, gpu_mad, gpu_mode, gpu_mean, gpu_options, median}
## @end deftypefn

function m = gpu_median (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  m = __gpureduce__ ("median", varargin{:});
endfunction

%!assert (gpu_median ([1 5 2; 4 8 6]), [2.5 6.5 4])
%!assert (gpu_median ([1 5 2; 4 8 6], 2), [2; 6])
%!assert (gpu_median ([1 5 2; 4 8 6], 3), [1 5 2; 4 8 6])
%!assert (gpu_median (5), 5)
%!assert (gpu_median (1:5), 3)
%!assert (gpu_median ((1:6)'), 3.5)
%!assert (gpu_median ([1 2; 3 4], true), [2 3])

## the built-in's values, classes and shapes
%!function same (varargin)
%!  m = gpu_median (varargin{:});
%!  m0 = __gpr_median__ (varargin{:});
%!  assert (class (m), class (m0));
%!  same = isequaln (m, m0);
%!  if (! same && isfloat (m))            # Octave 9 adds half the difference of two elements to the first: the difference is rounded
%!    x = abs (double (varargin{1}(:)));
%!    bound = eps (cast (max ([0; x(isfinite(x))]), class (m)));
%!    same = size_equal (m, m0) && all ((abs (m - m0) <= bound | ! isfinite (m0))(:));
%!  endif
%!  assert (same, "gpu_median differs for %s %s", class (varargin{1}), mat2str (size (varargin{1})));
%!  assert (! any (isna (m)));
%!endfunction
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}
%!   for sizes = {[1 1], [1 7], [8 1], [4 5], [3 4 5], [2 1 6], [200 3], [3 200], [1 1 9]}
%!     x = cast (300 * randn (sizes{1}), type{1});
%!     same (x);
%!     for dim = 1:4
%!       same (x, dim);
%!     endfor
%!   endfor
%! endfor
%!test
%! for sizes = {[1 6], [5 6], [6 5], [2 3 4]}
%!   x = rand (sizes{1}) > 0.5;
%!   same (x);
%!   same (x, 2);
%!   same (x, 3);
%! endfor
%!test
%! for v = {NaN, NA, Inf, -Inf, -0, realmax, 5e-324}
%!   x = randi ([-2 2], 6, 40);
%!   x(rand (size (x)) < 0.2) = v{1};
%!   for dim = 1:3
%!     same (x, dim);
%!     same (single (x), dim);
%!   endfor
%! endfor

## the two in the middle
%!assert (gpu_median (uint8 ([254 255])), uint8 (255))
%!assert (gpu_median (uint8 ([200 200])), uint8 (200))
%!test __gpr_same__ ("median", int8 ([-3 -2]))
%!assert (gpu_median (int8 ([-128 -127])), int8 (-128 + __gpr_rule__ ("median_rounds_up")))
%!assert (gpu_median (int8 ([127 127])), int8 (127))
%!assert (gpu_median ([intmax("int64") intmax("int64")]), intmax ("int64"))
%!assert (gpu_median ([intmax("int64") intmin("int64")]), median ([intmax("int64") intmin("int64")]))
%!assert (gpu_median (uint64 ([18446744073709551615 3])), bitshift (intmax ("uint64"), -1) + uint64 (2))
%!assert (gpu_median ([intmax("int64")-3 intmax("int64")-1 intmax("int64")]), intmax ("int64") - 1)
%!assert (gpu_median ([true false]), true)
%!assert (gpu_median ([realmax realmax]), realmax)
%!assert (gpu_median ([-Inf Inf]), NaN)
%!assert (gpu_median ([Inf Inf]), Inf)

## zeros
%!assert (1 / gpu_median ([0 -0 0]), Inf)
%!assert (1 / gpu_median ([-0 0 -0]), -Inf)
%!assert (1 / gpu_median ([-0 -0]), Inf)

## long columns: few and many values, all alike, narrow, NaN, one and several columns
%!test
%! n = 300001;
%! for x = {rand(n, 1), randn(n, 1), 1e6 + 1e-6 * randn(n, 1), ones(n, 1), double(rand (n, 1) > 0.5), mod((1:n)', 7), ...
%!          [zeros(n, 1); 1], [-ones(n, 1); ones(n, 1)], [5; zeros(n, 1)]}
%!   same (x{1});
%!   same ([x{1}; 3]);
%!   same (single (x{1}));
%!   same (int64 (1e15 * x{1}));
%!   same (uint8 (9 * x{1})');
%!   same (-x{1}(1:150001));
%!   same ([x{1}, flipud(x{1}), -x{1}, x{1} / 3, x{1}.^2]);
%!   same ([x{1}, -x{1}]', 2);
%! endfor
%! x = rand (n, 1);
%! x(77) = NaN;
%! same (x);
%! assert (gpu_median (x, "omitnan"), median (x(! isnan (x))));
%! x(:) = NA;
%! same (x);
%!test
%! for type = {"double", "single", "int16", "int64"}
%!   x = cast (1e4 * randn (70, 900), type{1});
%!   same (x);
%!   same (x, 2);
%!   same (reshape (x, 7, 10, 30, 30), 3);
%! endfor

## options of our own
%!assert (gpu_median ([1 2; 3 4], "all"), 2.5)
%!assert (gpu_median ([1 2; 3 4], "ALL", "device", "cpu"), 2.5)
%!test
%! x = rand (4, 3, 5, 2);
%! assert (gpu_median (x, [1 2]), median (reshape (x, 1, 12, 5, 2), 2));
%! assert (gpu_median (x, [2 3]), median (reshape (x, 4, 1, 15, 2), 3));
%! assert (gpu_median (x, [1 3]), reshape (median (reshape (permute (x, [1 3 2 4]), 20, 3, 2)), 1, 3, 1, 2));
%! assert (gpu_median (x, [4 1 2 3]), median (x(:)));
%! assert (gpu_median (x, [5 6]), x);
%! assert (gpu_median (x, [2 9]), median (x, 2));
%! z = complex (x, 1);
%! assert (gpu_median (z, [1 3]), reshape (median (reshape (permute (z, [1 3 2 4]), 20, 3, 2)), 1, 3, 1, 2));
%!assert (gpu_median ([3 NaN 4 8], "omitnan"), 4)
%!assert (gpu_median ([3 NaN 4 8], "includenan"), NaN)
%!assert (gpu_median ([1 NA; NaN 2; 3 4], 1, "OmitNaN"), [2 3])
%!assert (gpu_median (single ([NaN NA]), "omitnan"), single (NaN))
%!assert (gpu_median (int8 ([1 2 7]), "omitnan"), int8 (2))
%!assert (gpu_median ([1 NaN; 2 3], "all", "omitnan"), 2)
%!assert (gpu_median ([1 2 9], 2, "device", "auto"), 2)

## arrays the built-in takes
%!assert (gpu_median ([1+i 2 3]), median ([1+i 2 3]))
%!assert (full (gpu_median (sparse ([1 0 2; 3 0 0]))), [2 0 1])
%!assert (full (gpu_median (sparse ([1 0 2; 3 0 0]), "all")), 0.5)
%!assert (gpu_median (eye (3)), [0 0 0])
%!test
%! x = rand (5, 6);
%! m = gpu_median (gpuArray (x), 2);
%! assert (isgpuarray (m));
%! assert (gather (m), median (x, 2));
%! assert (gpu_median (gpuArray (x), "all"), median (x(:)));
%! y = reshape (x, 5, 2, 3);
%! assert (gather (gpu_median (gpuArray (y), [1 3])), median (reshape (permute (y, [1 3 2]), 15, 2)));
%! assert (gather (gpu_median (gpuArray (x > 0.5))), median (x > 0.5));
%! assert (gather (gpu_median (gpuArray (complex (x, x)), 2)), median (complex (x, x), 2));

## errors
%!error <Invalid call to gpu_median> gpu_median ()
%!error id=Octave:invalid-fun-call gpu_median (1, 2, 3)
%!test __gpr_same__ ("median", {1:5})
%!test __gpr_same__ ("median", "abc")
%!test __gpr_same__ ("median", {1:5}, "omitnan")
%!error <gpu_median: X must be> gpu_median (gpuArray ("abc"))
%!test __gpr_same__ ("median", [])
%!test
%! for option = {"all", "omitnan"}
%!   if (__gpr_rule__ ("mean_options"))
%!     __gpr_same__ ("median", zeros (0, 3), option{1});
%!   else
%!     fail ("gpu_median (zeros (0, 3), option{1})", "gpu_median: X cannot be an empty matrix");
%!   endif
%! endfor
%!test __gpr_same__ ("median", 1, ones (2, 2)(1:0))
%!test __gpr_same__ ("median", 1, 1.5)
%!test __gpr_same__ ("median", 1, 0)
%!test __gpr_same__ ("median", 1:3, "foo")
%!test __gpr_same__ ("median", 1:3, "a")
%!error <gpu_median: .*DIM> gpu_median (1:3, [1 1])
%!error <gpu_median: .*DIM> gpu_median (1:3, [1 0])
%!test
%! if (__gpr_rule__ ("mean_options"))
%!   __gpr_same__ ("median", 1:3, int8 ([1 2]));
%! else
%!   fail ("gpu_median (1:3, int8 ([1 2]))", "gpu_median: DIM must be");
%! endif
%!error id=gpureduce:invalid-input gpu_median (complex (1:3, 1), "omitnan")
%!error id=gpureduce:invalid-input gpu_median (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_median (1:3, "device", 1000)
## of zeros of both signs: two in the middle as the built-in's, one by their order, -0 first
%!test
%! for x = {[-0 -0], [0 -0], [-1 -0 0 2], [-0 0 -0 0], -0}
%!   assert (1 ./ gpu_median (x{1}), 1 ./ median (x{1}));
%! endfor
%! assert (1 ./ gpu_median ([0 -0 0]), Inf);
%! assert (1 ./ gpu_median ([0 -0 -0]), -Inf);
