## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_sumsq (@var{x})
## @deftypefnx {} {@var{y} =} gpu_sumsq (@var{x}, @var{dim})
## @deftypefnx {} {@var{y} =} gpu_sumsq (@dots{}, "all")
## @deftypefnx {} {@var{y} =} gpu_sumsq (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{y} =} gpu_sumsq (@dots{}, "device", @var{d})
## Sum of the squares of the elements of @var{x} along dimension @var{dim}, as the
## built-in @code{sumsq}, computed on the GPU.  For complex @var{x} it is the sum
## of the squares of the absolute values, and real.
##
## @var{x} is a numeric or logical array of any size; a character array is an
## error, as in the built-in.  The default dimension is the first that is not 1 (also when
## @var{dim} is 0, as in the built-in), and the result has the size of @var{x} with
## 1 in that dimension; an empty sum is 0.  The result is single for single @var{x},
## double for every other class.
##
## @table @asis
## @item @var{dim}
## A dimension, a vector of dimensions to reduce together, or "all".
##
## @item "omitnan", "includenan"
## Leave NaN (and NA) elements out, or let them make the result NaN (the default).
## The sum of no elements is 0.
## @end table
##
## NaN and NA elements make the result NaN, and NA where one of them is NA.
## Squares are not scaled: @code{gpu_sumsq (1e200)} is Inf.  Integers are squared
## and summed exactly, and rounded once.  Up to 8 squares are added from left to
## right, as the built-in does; more of them by pairs in a fixed tree, the same on
## every GPU and on the CPU, so that the result differs from the built-in's in its
## last bits only and is nearer to the exact sum.
##
## Sparse @var{x} goes to the built-in @code{sumsq} and stays sparse.
##
## @example
## @group
## gpu_sumsq ([1 2 3; 4 5 6])
##     @result{} 17   29   45
## gpu_sumsq ([1 2 3; 4 5 6], 2)
##     @result{} 14
##        77
## gpu_sumsq ([3+4i 1])
##     @result{} 26
## gpu_sumsq ([3 NaN 4], "omitnan")
##     @result{} 25
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: M. Harris, @cite{Optimizing Parallel Reduction in CUDA} (NVIDIA, 2007).
## Errors of pairwise summation: N. J. Higham, ``The accuracy of floating point summation'',
## @cite{SIAM J. Sci. Comput.} 14 (1993).
## @seealso{gpu_sum, gpu_mean, gpu_reduce, gpu_options, sumsq}
## @end deftypefn

function y = gpu_sumsq (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  y = __gpureduce__ ("sumsq", varargin{:});
endfunction

%!assert (gpu_sumsq ([1 2 3; 4 5 6]), [17 29 45])
%!assert (gpu_sumsq ([1 2 3; 4 5 6], 1), [17 29 45])
%!assert (gpu_sumsq ([1 2 3; 4 5 6], 2), [14; 77])
%!assert (gpu_sumsq ([1 2 3; 4 5 6], 3), [1 4 9; 16 25 36])
%!test __gpr_same__ ("sumsq", [1 2 3; 4 5 6], 0)
%!assert (gpu_sumsq (-5), 25)
%!assert (gpu_sumsq (1:10), 385)
%!assert (gpu_sumsq ((1:10)'), 385)

## classes: the built-in's values and classes
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64"}
%!   x = cast (reshape (1:24, 4, 3, 2) - 12, type{1});
%!   for dim = 1:4
%!     assert (gpu_sumsq (x, dim), sumsq (double (x), dim)(:,:,:) + zeros (class (sumsq (x))));
%!   endfor
%!   assert (class (gpu_sumsq (x)), class (sumsq (x)));
%! endfor
%!assert (gpu_sumsq ([3+4i 1]), 26)
%!assert (isreal (gpu_sumsq ([3+4i 1])))
%!assert (gpu_sumsq ([3+4i; 1], 2), [25; 1])
%!assert (gpu_sumsq (single ([3+4i 1])), single (26))
%!assert (gpu_sumsq (int8 ([-128 127])), 32513)
%!assert (gpu_sumsq ([true false; true true]), [2 1])
%!assert (class (gpu_sumsq (true)), "double")
%!assert (gpu_sumsq (0:0.5:1), 1.25)
%!assert (gpu_sumsq (eye (3)), [1 1 1])
%!assert (gpu_sumsq (diag ([1 2 3]), 2), [1; 4; 9])
%!assert (gpu_sumsq (eye (3)([3 1 2],:)), [1 1 1])
%!assert (gpu_sumsq (intmin ("int64")), 2^126)
%!assert (gpu_sumsq (intmax ("uint64") * uint64 ([1 1 1 1])), 2^130)

## empties
%!assert (gpu_sumsq ([]), 0)
%!assert (gpu_sumsq (zeros (0, 0), 2), zeros (0, 1))
%!test
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [0 3 2], [3 0 2], [2 3 0]}
%!   for type = {"double", "single"}
%!     x = zeros (s{1}, type{1});
%!     assert (gpu_sumsq (x), sumsq (x));
%!     for dim = 1:4
%!       assert (gpu_sumsq (x, dim), sumsq (x, dim));
%!     endfor
%!   endfor
%! endfor
%!assert (gpu_sumsq (zeros (0, 3), "all"), 0)

## NaN, NA, Inf
%!assert (gpu_sumsq ([1 NaN 3]), NaN)
%!assert (isna (gpu_sumsq ([1 NA])))
%!assert (isna (gpu_sumsq ([NA, zeros(1, 5000)])))
%!assert (gpu_sumsq ([Inf -Inf]), Inf)
%!assert (gpu_sumsq (1e200), Inf)
%!assert (gpu_sumsq ([3e-200 0]), 0)
%!assert (gpu_sumsq (single (1e30)), single (Inf))
%!assert (gpu_sumsq (complex (Inf, 0)), Inf)

## options of our own
%!assert (gpu_sumsq ([1 2; 3 4], "all"), 30)
%!test
%! x = reshape (1:24, 4, 3, 2);
%! assert (gpu_sumsq (x, [1 2]), sum (sumsq (x, 1), 2));
%! assert (gpu_sumsq (x, [1 3]), sum (sumsq (x, 1), 3));
%! assert (gpu_sumsq (x, [2 3]), sum (sumsq (x, 2), 3));
%! assert (gpu_sumsq (x, [1 2 3]), sumsq (x(:)));
%!assert (gpu_sumsq ([3 NaN 4], "omitnan"), 25)
%!assert (gpu_sumsq ([3 NaN 4], "includenan"), NaN)
%!assert (gpu_sumsq ([1 NA; NaN 2], 1, "OMITNAN"), [1 4])
%!assert (gpu_sumsq ([NaN NaN], "omitnan"), 0)
%!assert (gpu_sumsq ([3+4i, complex(0, NaN)], "omitnan"), 25)
%!assert (gpu_sumsq (1:3, "device", "cpu"), 14)
%!assert (gpu_sumsq (1:3, 2, "device", "auto"), 14)

## long ones: integers exactly, others within the bound, the same bits twice
%!test
%! x = mod ((1:100000) * 7919, 1009);
%! assert (gpu_sumsq (x), sumsq (x));
%! assert (gpu_sumsq (int16 (x)), sumsq (x));
%! assert (gpu_sumsq (reshape (x, 250, 400), 2), sumsq (reshape (x, 250, 400), 2));
%! y = 1 ./ (1 + x);
%! assert (abs (gpu_sumsq (y) - sumsq (y)) <= 1e5 * eps * sumsq (y));
%! assert (gpu_sumsq (y), gpu_sumsq (y));
%! assert (gpu_sumsq (y, "device", "cpu"), gpu_sumsq (y));

## arrays the built-in takes
%!test
%! s = gpu_sumsq (sparse ([1 0; 2 3]));
%! assert (issparse (s));
%! assert (full (s), [5 9]);
%!assert (gather (gpu_sumsq (gpuArray ([1 2; 3 4]), 2)), [5; 25])
%!assert (gpu_sumsq (gpuArray (1:3)), 14)

## errors
%!error <Invalid call to gpu_sumsq> gpu_sumsq ()
%!error id=Octave:invalid-fun-call gpu_sumsq (1, 2, 3)
%!test __gpr_same__ ("sumsq", 1:3, -1)
%!test __gpr_same__ ("sumsq", 1:3, 1.5)
%!test __gpr_same__ ("sumsq", "abc")
%!test __gpr_same__ ("sumsq", {1})
%!test __gpr_same__ ("sumsq", 1:3, "foo")
%!error id=gpureduce:invalid-input gpu_sumsq (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_sumsq (1:3, "device", 1000)
