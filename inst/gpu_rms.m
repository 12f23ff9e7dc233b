## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_rms (@var{x})
## @deftypefnx {} {@var{y} =} gpu_rms (@var{x}, @var{dim})
## @deftypefnx {} {@var{y} =} gpu_rms (@dots{}, "all")
## @deftypefnx {} {@var{y} =} gpu_rms (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{y} =} gpu_rms (@dots{}, "device", @var{d})
## Root mean square of the elements of @var{x} along dimension @var{dim}, as
## @code{rms} of MATLAB, computed on the GPU:
## @code{sqrt (mean (abs (@var{x}) .^ 2, @var{dim}))}.
##
## @var{x} is a numeric or logical array of any size; a sparse one is made full.  The
## default dimension is the first that is not 1, and the result has the size of @var{x}
## with 1 in that place; of no elements it is NaN.  The result is real; single for
## single @var{x}, double for every other class.  (MATLAB takes double and single only.)
##
## @table @asis
## @item "all"
## In place of @var{dim}: over all elements, to one.
##
## @item a vector of dimensions
## In place of @var{dim}: over these dimensions together, as in
## @code{gpu_rms (x, [1 3])}.
##
## @item "omitnan", "includenan"
## Leave NaN (and NA) elements out, also of the number to divide by, or let them make the
## result NaN (the default).
##
## @item "device", @var{d}
## Where to compute: "gpu", "cpu", "auto" (wherever this call is fastest) or the
## number of a GPU, from 1.  Without it the GPU is used when there is one, else
## the CPU, with one warning (@code{gpureduce:cpu-fallback}) a session.
## @end table
##
## The squares are those of @code{gpu_sumsq}, and not scaled: @code{gpu_rms (1e200)} is
## Inf.  Squares of integers are summed exactly.  (@code{gpu_norm} scales: of a vector
## @code{gpu_norm (x) / sqrt (numel (x))} does not overflow.)
##
## A gpuArray is reduced where it lies; a result with one element comes back as a number,
## others stay on the GPU.
##
## @example
## @group
## gpu_rms ([1 7; 1 7])
##     @result{} 1   7
## gpu_rms ([3+4i 5], "all")
##     @result{} 5
## gpu_rms ([2 NaN 2], "omitnan")
##     @result{} 2
## @end group
## @end example
##
## What is wrong raises @code{gpureduce:invalid-input}, a GPU that is asked for and
## absent @code{gpureduce:no-device}.
## @seealso{gpu_sumsq, gpu_mean, gpu_std, gpu_norm, gpu_reduce, gpuArray}
## @end deftypefn

function y = gpu_rms (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  y = __gpureduce__ ("rms", varargin{:});
endfunction

%!function same (x, varargin)
%!  y = gpu_rms (x, varargin{:});
%!  want = sqrt (mean (abs (x) .^ 2, varargin{:}));
%!  assert (class (y), class (want));
%!  assert (y, want, -8 * eps (class (want)));
%!endfunction

%!assert (gpu_rms ([1 7; 1 7]), [1 7])
%!assert (gpu_rms ([3+4i 5], "all"), 5)
%!assert (gpu_rms ([2 NaN 2], "omitnan"), 2)
%!test                                   # the_values_and_classes_of_the_formula
%! x = cos (reshape (1:2400, 20, 30, 4) .^ 2);
%! for y = {x, single(x), complex(x, 2 * x), single(complex (x, -x)), x(1,:), x(:), 1e3 + x}
%!   same (y{1});
%!   for dim = 1:4
%!     same (y{1}, dim);
%!   endfor
%! endfor
%!assert (gpu_rms (cos (1:100000)), sqrt (mean (cos (1:100000) .^ 2)), -1e-13)
%!test                                   # integers_and_logicals_are_computed_in_double
%! for type = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   x = cast (reshape (1:24, 4, 6), type{1});
%!   y = gpu_rms (x, 2);
%!   assert (class (y), "double");
%!   assert (y, sqrt (mean (double (x) .^ 2, 2)), -4 * eps);
%! endfor
%!assert (gpu_rms (intmin ("int64") * ones (1, 3, "int64")), 2 ^ 63)
%!test                                   # several_dimensions_and_all
%! x = sin (reshape (1:120, 4, 5, 6));
%! assert (gpu_rms (x, [1 2]), sqrt (mean (reshape (x, 20, 1, 6) .^ 2)), -4 * eps);
%! assert (gpu_rms (x, [1 3]), sqrt (mean (mean (x .^ 2, 1), 3)), -4 * eps);
%! assert (gpu_rms (x, "all"), sqrt (mean (x(:) .^ 2)), -4 * eps);
%!test                                   # nan_counts_or_is_left_out
%! assert (gpu_rms ([1 NaN; 3 4]), [sqrt(5), NaN], -eps);
%! assert (gpu_rms ([1 NaN; 3 4], "includenan"), [sqrt(5), NaN], -eps);
%! assert (gpu_rms ([1 NaN; 3 4], "omitnan"), [sqrt(5), 4], -eps);
%! assert (gpu_rms (single ([1 NaN; 3 4]), 2, "omitnan"), single ([1; sqrt(12.5)]), -eps ("single"));
%! assert (gpu_rms (complex ([3 NaN], [4 1]), "omitnan"), 5);
%! assert (gpu_rms ([NaN NaN], "omitnan"), NaN);
%!test                                   # of_no_elements_nan
%! assert (gpu_rms ([]), NaN);
%! assert (gpu_rms (zeros (1, 0)), NaN);
%! assert (gpu_rms (zeros (0, 3)), NaN (1, 3));
%! assert (gpu_rms (zeros (0, 3), 2), zeros (0, 1));
%! assert (gpu_rms (zeros (0, 3), "all"), NaN);
%! assert (gpu_rms (single ([])), single (NaN));
%!test                                   # squares_are_not_scaled
%! assert (gpu_rms ([1e200 1]), Inf);
%! assert (gpu_rms ([-Inf 1]), Inf);
%!test                                   # a_resident_array_gives_the_same_bits
%! x = cos (reshape (1:600, 20, 30) .^ 2);
%! for y = {x, single(x), complex(x, x), int16(100 * x)}
%!   g = gpu_rms (gpuArray (y{1}), 2);
%!   assert (isgpuarray (g));
%!   assert (gather (g), gpu_rms (y{1}, 2));
%!   assert (gather (rms (gpuArray (y{1}), 2)), gpu_rms (y{1}, 2));
%! endfor
%! assert (gpu_rms (gpuArray ([3 4]), "all"), gpu_rms ([3 4]));
%!test                                   # gpu_reduce_has_it_by_name
%! x = reshape (1:24, 4, 6);
%! assert (gpu_reduce (x, "rms"), gpu_rms (x));
%! assert (gpu_reduce (x, "rms", "dim", [1 2]), gpu_rms (x, "all"));
%! assert (gpu_reduce ([1 NaN], "rms", "nanflag", "omitnan", "device", "cpu"), 1);
%!assert (gpu_rms (sparse ([3 0; 4 0])), [sqrt(12.5), 0], -eps)
%!assert (gpu_rms ([1 -1], "device", "cpu"), 1)
%!error <Invalid call to gpu_rms> gpu_rms ()
%!error id=gpureduce:invalid-input gpu_rms (1, 2, 3)
%!error id=gpureduce:invalid-input gpu_rms (1:3, 0)
%!error id=gpureduce:invalid-input gpu_rms (1:3, [1 1])
%!error id=gpureduce:invalid-input gpu_rms (1:3, "some")
%!error <gpu_rms: X must be a numeric> gpu_rms ("abc")
%!error id=gpureduce:invalid-input gpu_rms ({1})
%!error id=gpureduce:invalid-input gpu_rms (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_rms (1:3, "device", 1000)
