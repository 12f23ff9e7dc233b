## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_mean (@var{x})
## @deftypefnx {} {@var{y} =} gpu_mean (@var{x}, @var{dim})
## @deftypefnx {} {@var{y} =} gpu_mean (@dots{}, @var{kind})
## @deftypefnx {} {@var{y} =} gpu_mean (@dots{}, @var{outtype})
## @deftypefnx {} {@var{y} =} gpu_mean (@dots{}, "all")
## @deftypefnx {} {@var{y} =} gpu_mean (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{y} =} gpu_mean (@dots{}, "device", @var{d})
## Mean of the elements of @var{x} along dimension @var{dim}, as the function
## @code{mean} of Octave 7, computed on the GPU.
##
## @var{x} is a numeric or logical array of any size; a character array is an
## error, as in the built-in.  The default dimension is the first that is greater than 1, and the result has the size of
## @var{x} with 1 in that dimension.  The mean of nothing is NaN.  The result is single
## for single @var{x}, double for every other class, complex for complex @var{x}.
##
## @table @asis
## @item @var{kind}
## "a", the arithmetic mean (default); "g", the geometric mean
## @code{exp (sum (log (x)) / n)}, for which no element may be negative; "h", the
## harmonic mean @code{n / sum (1 ./ x)}, computed in the class of @var{x}.  It may
## stand before or after @var{dim}.  Octave 9 and later have no kinds, and there @code{gpu_reduce}
## with "meantype" gives them.
##
## @item @var{outtype}
## "default"; "double"; or "native", the class of @var{x}: integer means are
## rounded, halves away from 0.
##
## @item @var{dim}
## A dimension, a vector of dimensions to reduce together, or "all".
##
## @item "omitnan", "includenan"
## Leave NaN (and NA) elements out, or let them make the result NaN (the default).
## Only what is left is counted; the mean of none is NaN.
## @end table
##
## The mean is the sum as @code{gpu_sum} computes it, divided by the number of
## elements; of singles, in double where the built-in does so (Octave 9 and later).  Only where the
## built-in does (11) is a mean finite that lies in the range while the sum does not.  NaN and NA elements make it NaN, and NA where one of them is NA.  Means of integers
## are exact sums, rounded once before the division.  "g" and "h" differ from the
## built-in's by the rounding of @code{log}, @code{exp} and of the sum.
##
## Sparse @var{x} goes to the built-in @code{mean} and stays sparse.
##
## @example
## @group
## gpu_mean ([1 2 3; 4 5 6])
##     @result{} 2.5000   3.5000   4.5000
## gpu_mean ([1 2 3; 4 5 6], 2)
##     @result{} 2
##        5
## gpu_reduce ([1 4 16], "mean", "meantype", "g")
##     @result{} 4
## gpu_mean (int8 ([-1 -2]), "native")
##     @result{} -2
## gpu_mean ([1 NaN 3], "omitnan")
##     @result{} 2
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: M. Harris, @cite{Optimizing Parallel Reduction in CUDA} (NVIDIA, 2007).
## Errors of pairwise summation: N. J. Higham, ``The accuracy of floating point summation'',
## @cite{SIAM J. Sci. Comput.} 14 (1993).
## @seealso{gpu_sum, gpu_max, gpu_min, gpu_reduce, gpu_options, mean}
## @end deftypefn

function y = gpu_mean (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  y = __gpureduce__ ("mean", varargin{:});
endfunction

%!assert (gpu_mean ([1 2 3; 4 5 6]), [2.5 3.5 4.5])
%!assert (gpu_mean ([1 2 3; 4 5 6], 1), [2.5 3.5 4.5])
%!assert (gpu_mean ([1 2 3; 4 5 6], 2), [2; 5])
%!assert (gpu_mean ([1 2 3; 4 5 6], 3), [1 2 3; 4 5 6])
%!assert (gpu_mean (5), 5)
%!assert (gpu_mean (1:10), 5.5)
%!assert (gpu_mean ((1:10)'), 5.5)

## classes: the built-in's values and classes
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64"}
%!   x = cast (reshape (1:24, 4, 3, 2), type{1});
%!   for dim = 1:4
%!     assert (gpu_mean (x, dim), mean (x, dim));
%!     assert (gpu_mean (x, dim, "native"), mean (x, dim, "native"));
%!     assert (gpu_mean (x, dim, "double"), mean (x, dim, "double"));
%!     assert (gpu_mean (x, dim, "default"), mean (x, dim, "default"));
%!   endfor
%!   assert (class (gpu_mean (x)), class (mean (x)));
%!   assert (class (gpu_mean (x, "native")), type{1});
%!   assert (class (gpu_mean (x, "double")), "double");
%! endfor
%!assert (gpu_mean (int8 ([-1 -2]), "native"), int8 (-2))
%!assert (gpu_mean (int8 ([1 2]), "native"), int8 (2))
%!assert (gpu_mean (int8 ([127 127]), "native"), int8 (127))
%!assert (gpu_mean ([1+2i 3-1i]), 2+0.5i)
%!assert (gpu_mean (single ([1+2i 3-1i])), single (2+0.5i))
%!assert (isreal (gpu_mean ([1+2i 3-2i])))
%!assert (gpu_mean (0:0.5:2), 1)
%!assert (gpu_mean (eye (4)), [1 1 1 1] / 4)
%!assert (gpu_mean (diag ([3 6 9]), 2), [1; 2; 3])
%!assert (gpu_mean (eye (4)([3 1 2 4],:)), [1 1 1 1] / 4)
%!assert (gpu_mean ([true false; true true]), [1 0.5])
%!assert (class (gpu_mean (true)), "double")

## empties
%!assert (gpu_mean ([]), mean ([]))
%!test
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [0 3 2], [3 0 2], [2 3 0]}
%!   for type = {"double", "single"}
%!     x = zeros (s{1}, type{1});
%!     assert (gpu_mean (x), mean (x));
%!     assert (class (gpu_mean (x)), class (mean (x)));
%!     for dim = 1:4
%!       assert (gpu_mean (x, dim), mean (x, dim));
%!     endfor
%!   endfor
%! endfor

## NaN, NA, Inf
%!assert (gpu_mean ([1 NaN 3]), NaN)
%!assert (isna (gpu_mean ([1 NA])))
%!assert (isna (gpu_mean (single ([1 NA]))))
%!assert (gpu_mean ([Inf -Inf]), NaN)
%!assert (gpu_mean ([Inf 1]), Inf)
%!test __gpr_same__ ("mean", [1e308 1e308])
%!test __gpr_same__ ("mean", single ([3e38 3e38]))
%!assert (gpu_mean ([1 NaN; 3 4]), [2 NaN])

## kinds
%!test
%! if (! __gpr_rule__ ("mean_kinds"))
%!   __gpr_same__ ("mean", [1 4 16], "g");
%!   return;
%! endif
%! assert (gpu_mean ([1 2; 3 4], "a"), [2 3]);
%! assert (gpu_mean ([1 4 16], "g"), 4, 8 * eps);
%! assert (gpu_mean ([1 4 16; 2 2 2], "g", 2), [4; 2], 8 * eps);
%! assert (gpu_mean ([1 4 16; 2 2 2], 2, "g"), [4; 2], 8 * eps);
%! assert (gpu_mean ([0 4], "g"), 0);
%! assert (gpu_mean (single ([1 4 16]), "g"), mean (single ([1 4 16]), "g"), 8 * eps ("single"));
%! assert (gpu_mean ([1 2 4], "h"), 12 / 7, 4 * eps);
%! assert (gpu_mean ([1 2 4; 1 1 1], "h", 2), [12/7; 1], 4 * eps);
%! assert (gpu_mean ([-1 1], "h"), Inf);
%! assert (gpu_mean ([1 0 2], "h"), 0);
%! assert (gpu_mean (int8 ([1 2 4]), "h"), mean (int8 ([1 2 4]), "h"));
%! assert (gpu_mean ([1+1i 2-1i], "h"), mean ([1+1i 2-1i], "h"), 8 * eps);
%! assert (gpu_mean ([1 4 16], "g", "double"), 4, 8 * eps);

## options of our own
%!test
%! for x = {int8([1 2; 3 4]), true(2), uint16(magic (3)), reshape(int32 (1:24), 2, 3, 4)}
%!   for kind = "gh"
%!     if (__gpr_rule__ ("mean_kinds"))
%!       assert (gpu_mean (x{1}, kind, "all"), mean (x{1}(:), kind));
%!     endif
%!   endfor
%! endfor
%! x = reshape (int8 (1:24), 2, 3, 4);
%! if (__gpr_rule__ ("mean_kinds"))
%!   want = reshape (mean (reshape (permute (x, [1 3 2]), 8, 3), "g", 1), 1, 3);
%!   assert (gpu_mean (x, "g", [1 3]), want);
%!   assert (gather (gpu_mean (gpuArray (x), "g", [1 3])), want);
%! endif
%!assert (gpu_mean (magic (4), "all"), 8.5)
%!test
%! x = reshape (1:24, 4, 3, 2);
%! assert (gpu_mean (x, [1 2]), mean (mean (x, 1), 2));
%! assert (gpu_mean (x, [1 3]), mean (mean (x, 1), 3));
%! assert (gpu_mean (x, [2 3]), mean (mean (x, 2), 3));
%! assert (gpu_mean (x, [1 2 3]), 12.5);
%!assert (gpu_mean (int8 ([1 2; 3 5]), "all", "native"), int8 (3))
%!assert (gpu_mean (single ([1 2; 3 5]), [1 2], "double"), 2.75)
%!assert (gpu_mean ([1 NaN 3], "omitnan"), 2)
%!assert (gpu_mean ([1 NaN 3], "includenan"), NaN)
%!assert (gpu_mean ([1 NA; NaN 2; 3 4], 1, "omitNaN"), [2 3])
%!assert (gpu_mean ([NaN NaN], "omitnan"), NaN)
%!assert (gpu_mean ([NaN 1; NaN 3], "omitnan"), [NaN 2])
%!assert (gpu_mean (single ([1 NaN 2]), "omitnan"), single (1.5))
%!assert (gpu_mean ([1+2i, complex(NaN, 1), 3], "omitnan"), 2+1i)
%!assert (gpu_mean ([NaN 1; 2 3], "all", "omitnan"), 2)
%!assert (gpu_mean (1:4, "device", "cpu"), 2.5)
%!assert (gpu_mean (1:4, "Device", "Auto"), 2.5)

## long ones: within the bound, the same bits twice
%!test
%! x = mod ((1:100000) * 7919, 1009);
%! assert (gpu_mean (x), mean (x));
%! assert (gpu_mean (uint16 (x)), mean (x));
%! y = 1 ./ (1 + x);
%! assert (gpu_mean (y), mean (y), 1e5 * eps * mean (y));
%! assert (gpu_mean (y), gpu_mean (y));
%! assert (gpu_mean (y, "device", "cpu"), gpu_mean (y));
%! if (__gpr_rule__ ("mean_kinds"))
%!   assert (gpu_mean (1 + y, "g"), mean (1 + y, "g"), -1e5 * eps);
%!   assert (gpu_mean (1 + y, "h"), mean (1 + y, "h"), -1e5 * eps);
%! endif

## arrays the built-in takes
%!test
%! s = gpu_mean (sparse ([1 0; 2 3]));
%! assert (issparse (s));
%! assert (full (s), [1.5 1.5]);
%!assert (gather (gpu_mean (gpuArray ([1 2; 3 4]), 2)), [1.5; 3.5])
%!assert (gpu_mean (gpuArray (1:4)), 2.5)

## errors
%!error <Invalid call to gpu_mean> gpu_mean ()
%!error <DIM must be> gpu_mean (1:3, 0)
%!error <DIM must be> gpu_mean (1:3, 1.5)
%!test __gpr_same__ ("mean", [1 -1], "g")
%!error <gpu_mean: X must be> gpu_mean ({1})
%!test __gpr_same__ ("mean", "abc")
%!error <gpu_mean: X must be> gpu_mean (struct ("a", 1))
%!error gpu_mean (1:3, "foo")
%!error gpu_mean (1:3, 1, 2, 3)
%!error id=gpureduce:invalid-input gpu_mean (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_mean (1:3, "device", 1000)
