## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_sum (@var{x})
## @deftypefnx {} {@var{y} =} gpu_sum (@var{x}, @var{dim})
## @deftypefnx {} {@var{y} =} gpu_sum (@dots{}, "native")
## @deftypefnx {} {@var{y} =} gpu_sum (@dots{}, "double")
## @deftypefnx {} {@var{y} =} gpu_sum (@dots{}, "extra")
## @deftypefnx {} {@var{y} =} gpu_sum (@dots{}, "exact")
## @deftypefnx {} {@var{y} =} gpu_sum (@dots{}, "all")
## @deftypefnx {} {@var{y} =} gpu_sum (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{y} =} gpu_sum (@dots{}, "device", @var{d})
## Sum of the elements of @var{x} along dimension @var{dim}, as the built-in
## @code{sum}, computed on the GPU.
##
## @var{x} is a numeric, logical or character array of any size.  The default
## dimension is the first that is not 1, and the result has the size of @var{x}
## with 1 in that dimension; an empty sum is 0, so @code{gpu_sum ([])} is 0 and
## @code{gpu_sum (zeros (0, 3))} is @code{[0 0 0]}.  The result is single for
## single @var{x}, double for every other class, complex for complex @var{x}.
##
## @table @asis
## @item "native"
## Sum integers in their own class, saturating at every step in the order of the
## elements; for logical @var{x} the answer is that of @code{any}.
##
## @item "double"
## Sum singles in double precision.
##
## @item "extra"
## Sum doubles with compensation, so that the error hardly grows with their
## number; an infinite element then gives NaN, as in the built-in.
##
## @item "exact"
## Round the exact sum once, to the nearest number of the result's class (ties to even):
## the one right answer, which depends neither on the order of the elements nor on where it
## is computed.  The real and the imaginary part are a sum each.  It is infinite where it is
## beyond the largest number, or where an element is infinite, but not where only a partial
## sum overflows.  "double" and the nanflags go with it; "extra" does not, nor does "native"
## of integers.  Sums of integers are exact without it, and sparse @var{x} is made full.
##
## @item @var{dim}
## A dimension, a vector of dimensions to reduce together, or "all".
##
## @item "omitnan", "includenan"
## Leave NaN (and NA) elements out, or let them make the result NaN (the default).
## The sum of no elements is 0.
## @end table
##
## NaN and NA elements make the sum NaN, and NA where one of them is NA; Inf and
## -Inf together make NaN.  Integers are summed exactly and rounded once.  Up to 8
## numbers are added from left to right, as the built-in does; more of them by
## pairs in a fixed tree, so that the result differs from the built-in's in its
## last bits only, is nearer to the exact sum, and is the same on every GPU and on
## the CPU.  With a tree @math{d} levels deep the error is at most
## @math{(d + 1) u} times the sum of the absolute values, @math{u} being the unit
## roundoff.
##
## Sparse @var{x} goes to the built-in @code{sum} and stays sparse.
##
## @example
## @group
## gpu_sum ([1 2 3; 4 5 6])
##     @result{} 5   7   9
## gpu_sum ([1 2 3; 4 5 6], 2)
##     @result{}  6
##        15
## gpu_sum (int8 ([127 10 -20]), "native")
##     @result{} 107
## gpu_sum ([1 NaN 3], "omitnan")
##     @result{} 4
## gpu_sum ([1 1e100 1 -1e100], "extra")
##     @result{} 2
## gpu_sum ([1 1e100 1e-100 -1 -1e100], "exact") == 1e-100
##     @result{} 1
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: M. Harris, @cite{Optimizing Parallel Reduction in CUDA} (NVIDIA, 2007).
## Errors of pairwise summation: N. J. Higham, ``The accuracy of floating point summation'',
## @cite{SIAM J. Sci. Comput.} 14 (1993).
## "extra": D. E. Knuth, @cite{The Art of Computer Programming}, volume 2, section
## 4.2.2 (TwoSum); T. Ogita, S. M. Rump, S. Oishi, ``Accurate sum and dot
## product'', @cite{SIAM J. Sci. Comput.} 26 (2005).
## "exact": a few doubles hold what they can exactly, and what falls out goes to a long fixed-point
## number of integers, which is rounded once: S. Collange, D. Defour, S. Graillat,
## R. Iakymchuk, ``Numerical reproducibility for the parallel reduction on multi- and many-core
## architectures'', @cite{Parallel Computing} 49 (2015); R. M. Neal, ``Fast exact
## summation using small and large superaccumulators'', arXiv:1505.05571 (2015);
## S. Boldo, G. Melquiond, ``Emulation of a FMA and correctly rounded sums: proved algorithms using
## rounding to odd'', @cite{IEEE Trans. Comput.} 57 (2008).
## @seealso{gpu_sumsq, gpu_prod, gpu_mean, gpu_reduce, gpu_options, sum}
## @end deftypefn

function y = gpu_sum (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  y = __gpureduce__ ("sum", varargin{:});
endfunction

%!assert (gpu_sum ([1 2 3; 4 5 6]), [5 7 9])
%!assert (gpu_sum ([1 2 3; 4 5 6], 1), [5 7 9])
%!assert (gpu_sum ([1 2 3; 4 5 6], 2), [6; 15])
%!assert (gpu_sum ([1 2 3; 4 5 6], 3), [1 2 3; 4 5 6])
%!assert (gpu_sum (5), 5)
%!assert (gpu_sum (5, 7), 5)
%!assert (gpu_sum (1:10), 55)
%!assert (gpu_sum ((1:10)'), 55)

## classes: the built-in's values and classes
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64"}
%!   x = cast (reshape (1:24, 4, 3, 2), type{1});
%!   for dim = 1:4
%!     assert (gpu_sum (x, dim), sum (x, dim));
%!     assert (gpu_sum (x, dim, "native"), sum (x, dim, "native"));
%!     assert (gpu_sum (x, dim, "double"), sum (x, dim, "double"));
%!     assert (gpu_sum (x, dim, "extra"), sum (x, dim, "extra"));
%!   endfor
%!   assert (class (gpu_sum (x)), class (sum (x)));
%!   assert (class (gpu_sum (x, "native")), class (sum (x, "native")));
%!   assert (class (gpu_sum (x, "double")), "double");
%!   assert (class (gpu_sum (x, "extra")), "double");
%! endfor
%!assert (gpu_sum ([true false; true true]), [2 1])
%!assert (class (gpu_sum (true)), "double")
%!assert (gpu_sum ([true false; false false], "native"), [true false])
%!assert (gpu_sum ("abc"), 294)
%!assert (gpu_sum (["ab"; "cd"], 2), [195; 199])
%!assert (gpu_sum ("abc", "native"), 294)
%!assert (gpu_sum ([1+2i 3-1i]), 4+1i)
%!assert (gpu_sum (single ([1+2i 3-1i])), single (4+1i))
%!assert (isreal (gpu_sum ([1+2i 3-2i])))
%!assert (gpu_sum ([1+2i; 3-2i], 2), [1+2i; 3-2i])
%!assert (gpu_sum (single ([1+2i 3-1i]), "double"), 4+1i)
%!assert (gpu_sum (1:0), 0)
%!assert (gpu_sum (0:0.5:2), 5)
%!assert (gpu_sum (eye (3)), [1 1 1])
%!assert (gpu_sum (diag ([1 2 3]), 2), [1; 2; 3])
%!assert (gpu_sum (eye (3)([3 1 2],:)), [1 1 1])

## empties
%!assert (gpu_sum ([]), 0)
%!test __gpr_same__ ("sum", zeros (0, 0), 1)
%!test __gpr_same__ ("sum", zeros (0, 0), 2)
%!assert (gpu_sum (zeros (0, 3)), [0 0 0])
%!test
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [0 3 2], [3 0 2], [2 3 0]}
%!   for type = {"double", "single", "int8", "logical", "char"}
%!     x = feval (type{1}, zeros (s{1}));
%!     assert (gpu_sum (x), sum (x));
%!     for dim = 1:4
%!       assert (gpu_sum (x, dim), sum (x, dim));
%!       assert (class (gpu_sum (x, dim)), class (sum (x, dim)));
%!     endfor
%!   endfor
%! endfor
%!assert (gpu_sum (zeros (0, 3), "all"), 0)
%!assert (class (gpu_sum (single ([]))), "single")
%!assert (class (gpu_sum (int8 ([]), "native")), "int8")

## NaN, NA, Inf, -0
%!assert (gpu_sum ([1 NaN 3]), NaN)
%!assert (isna (gpu_sum ([1 NA])))
%!assert (isna (gpu_sum (single ([1 NA]))))
%!assert (! isna (gpu_sum ([1 NaN])))
%!assert (isna (gpu_sum ([NA, zeros(1, 5000)])))
%!assert (gpu_sum ([Inf 1]), Inf)
%!assert (gpu_sum ([Inf -Inf]), NaN)
%!assert (gpu_sum ([1e308 1e308 -1e308]), Inf)
%!assert (1 / gpu_sum (-0), Inf)
%!assert (1 / gpu_sum ([-0 -0]), Inf)
%!assert (gpu_sum ([1 NaN; 3 4]), [4 NaN])
%!assert (gpu_sum (single ([3e38 3e38])), single (Inf))
%!assert (gpu_sum ([1e308*ones(1, 9), -1e308*ones(1, 9)]), sum ([1e308*ones(1, 9), -1e308*ones(1, 9)]))

## "native": saturates at every step, in order
%!assert (gpu_sum (int8 ([127 10 -20]), "native"), int8 (107))
%!assert (gpu_sum (int8 ([-20 127 10]), "native"), int8 (117))
%!assert (gpu_sum (int8 ([100 100 -100 -100]), "native"), int8 (-73))
%!assert (gpu_sum (int8 ([100 -100 100 -100]), "native"), int8 (0))
%!assert (gpu_sum (uint8 ([200 100 5]), "native"), uint8 (255))
%!assert (gpu_sum (intmax ("int64") * int64 ([1 1]), "native"), intmax ("int64"))
%!assert (gpu_sum ([intmax("int64") 10 -20], "native"), intmax ("int64") - 20)
%!assert (gpu_sum ([intmax("uint64") 10], "native"), intmax ("uint64"))
%!assert (gpu_sum ([int64(2)^53, int64(1)], "native"), int64 (2)^53 + 1)
%!test
%! x = int8 (mod ((1:5000) * 7919, 255) - 127);
%! assert (gpu_sum (x, "native"), sum (x, "native"));
%! assert (gpu_sum (reshape (x, 50, 100), 1, "native"), sum (reshape (x, 50, 100), 1, "native"));
%! assert (gpu_sum (reshape (x, 50, 100), 2, "native"), sum (reshape (x, 50, 100), 2, "native"));

## "double" and "extra"
%!assert (gpu_sum ([1 1e100 1 -1e100], "extra"), 2)
%!assert (gpu_sum ([1 1e100 1 -1e100]), 0)
%!assert (gpu_sum (single ([16777216 1 1]), "double"), 16777218)
%!test __gpr_same__ ("sum", [Inf 1], "extra")
%!test __gpr_same__ ("sum", [Inf NaN; -Inf Inf; 1 -Inf; 1 2], 2, "extra")
%!assert (gpu_sum ([1 1e100 1 -1e100]' * [1 2], 1, "extra"), [2 4])

## "exact": rounded once
%!assert (gpu_sum ([1 1e100 1e-100 -1 -1e100], "exact"), 1e-100)
%!assert (gpu_sum ([1 2^-53], "exact"), 1)
%!assert (gpu_sum ([1 2^-53 2^-1074], "exact"), 1 + eps)
%!assert (gpu_sum ([1+eps 2^-53], "exact"), 1 + 2*eps)
%!assert (gpu_sum (single ([1 2^-24 2^-140]), "exact"), 1 + eps (single (1)))
%!assert (gpu_sum (single ([1 2^-24 2^-149]), "exact", "double"), 1 + 2^-24)
%!assert (class (gpu_sum (single (1:3), "exact", "native")), "single")
%!assert (gpu_sum ([realmax realmax -realmax], "exact"), realmax)
%!assert (gpu_sum ([realmax 2^969], "exact"), realmax)
%!assert (gpu_sum ([realmax 2^970], "exact"), Inf)
%!assert (gpu_sum (-[realmax realmax], "exact"), -Inf)
%!assert (gpu_sum (single ([3e38 3e38 -3e38]), "exact"), single (3e38))
%!assert (gpu_sum ([Inf 1; Inf -Inf; NaN Inf; NA 1; 1 2], 2, "exact"), [Inf; NaN; NaN; NA; 3])
%!assert (isna (gpu_sum ([Inf 1; Inf -Inf; NaN Inf; NA 1; 1 2], 2, "exact")), logical ([0; 0; 0; 1; 0]))
%!assert (isna (gpu_sum (single ([NA 1]), "exact")))
%!assert (gpu_sum ([1 NaN NA 3], "exact", "omitnan"), 4)
%!assert (gpu_sum ([1+2i, complex(NaN, 1), -2i], "omitnan", "exact"), 1)
%!assert (gpu_sum ([1e100+1i, 1-1e100i, -1e100, 1e100i], "exact"), 1 + 1i)
%!assert (1 / gpu_sum ([-0 -0], "exact"), Inf)
%!assert (gpu_sum (int8 ([100 100]), "exact"), 200)
%!assert (gpu_sum (true (2, 3), 2, "exact"), [3; 3])
%!assert (gpu_sum ("abc", "Exact"), 294)
%!assert (gpu_sum (sparse ([1e100 1 -1e100]), "exact"), 1)
%!assert (gpu_sum ([], "exact"), 0)
%!assert (gpu_sum (zeros (0, 3, "single"), "exact"), zeros (1, 3, "single"))
%!assert (gpu_sum (zeros (3, 0), 2, "exact"), zeros (3, 1))
%!assert (gpu_reduce ([1 1e100 1 -1e100], "sum", "outtype", "exact"), 2)
%!error <"exact" goes neither> gpu_sum (1:3, "exact", "extra")
%!error <"exact" goes neither> gpu_sum (int8 (1:3), "exact", "native")
%!error <gpu_sum: > gpu_sum (1:3, "exact", "foo")
%!test                                   # sums that are exact in any order, along every dimension
%! for s = {[7 300], [300 7], [40 30], [1 5000], [5000 1], [9 8 7 2], [1025 3], [100 1 33]}
%!   x = randi ([-2^20, 2^20], s{1}) .* 2 .^ randi ([0, 20], s{1});
%!   for dim = 1:4
%!     assert (gpu_sum (x * 2^-1060, dim, "exact"), sum (x, dim) * 2^-1060);
%!     assert (gather (gpu_sum (gpuArray (x), dim, "exact")), sum (x, dim));
%!     z = complex (x, -x / 4);
%!     assert (gpu_sum (z, dim, "exact"), sum (z, dim));
%!     assert (gpu_sum (single (x), dim, "exact"), single (sum (double (single (x)), dim)));
%!   endfor
%!   assert (gpu_sum (x, [1 3], "exact"), sum (sum (x, 1), 3));
%!   assert (gpu_sum (x, "all", "exact"), sum (x(:)));
%! endfor
%!test                                   # what cancels leaves the rest, in any order
%! for n = [5 40 1001 150001]
%!   x = 10 .^ (600 * (rand (n, 1) - 0.5)) .* sign (rand (n, 1) - 0.5);
%!   y = [x; pi; 1e-300; -x](randperm (2 * n + 2));
%!   assert (gpu_sum (y, "exact"), pi);
%!   assert (gpu_sum (y(randperm (2 * n + 2)).', "exact"), pi);
%!   assert (gpu_sum ([y, y, 2 * y], 1, "exact"), [pi, pi, 2 * pi]);
%!   assert (gpu_sum ([y, -y, 2 * y], 2, "exact"), 2 * y);
%! endfor

## options of our own
%!assert (gpu_sum ([1 2; 3 4], gpuArray ([1 2])), 10)
%!assert (gpu_sum ([1 2; 3 4], gpuArray (1)), [4 6])
%!assert (gpu_sum (1:3, "device", 1000, "device", "cpu"), 6)
%!assert (gpu_sum (magic (4), "all"), 136)
%!assert (gpu_sum (magic (4), "ALL"), 136)
%!assert (gpu_sum (int8 ([100 100; 100 100]), "all", "native"), int8 (127))
%!test
%! x = reshape (1:24, 4, 3, 2);
%! assert (gpu_sum (x, [1 2]), sum (sum (x, 1), 2));
%! assert (gpu_sum (x, [1 3]), sum (sum (x, 1), 3));
%! assert (gpu_sum (x, [3 1]), sum (sum (x, 1), 3));
%! assert (gpu_sum (x, [2 3]), sum (sum (x, 2), 3));
%! assert (gpu_sum (x, [1 2 3]), 300);
%! assert (gpu_sum (x, [2 5]), sum (x, 2));
%!assert (gpu_sum ([1 NaN 3], "omitnan"), 4)
%!assert (gpu_sum ([1 NaN 3], "includenan"), NaN)
%!assert (gpu_sum ([1 NA; NaN 2], 1, "OmitNaN"), [1 2])
%!assert (gpu_sum ([NaN NaN], "omitnan"), 0)
%!assert (gpu_sum (single ([1 NaN]), "omitnan"), single (1))
%!assert (gpu_sum ([1+2i, complex(NaN, 1)], "omitnan"), 1+2i)
%!assert (gpu_sum (int8 ([1 2]), "omitnan"), 3)
%!assert (gpu_sum ([NaN 1; 2 3], "all", "omitnan"), 6)
%!assert (gpu_sum (1:4, "device", "cpu"), 10)
%!assert (gpu_sum (1:4, "Device", "AUTO"), 10)
%!assert (gpu_sum (magic (3), 2, "device", "cpu"), [15; 15; 15])

## long ones: integers exactly, others within the bound, the same bits twice
%!test
%! x = mod ((1:100000) * 7919, 1009);
%! assert (gpu_sum (x), sum (x));
%! assert (gpu_sum (reshape (x, 250, 400), 2), sum (reshape (x, 250, 400), 2));
%! assert (gpu_sum (uint16 (x)), sum (x));
%! y = 1 ./ (1 + x);
%! assert (abs (gpu_sum (y) - sum (y)) <= 1e5 * eps * sum (y));
%! assert (gpu_sum (y), gpu_sum (y));
%! assert (gpu_sum (y, "device", "cpu"), gpu_sum (y));
%! s = single (y);
%! assert (abs (double (gpu_sum (s)) - sum (double (s))) <= 32 * eps ("single") * sum (y));
%!assert (gpu_sum (int64 (2)^60 + int64 ([1 -1])), 2^61)

## arrays the built-in takes
%!test
%! s = gpu_sum (sparse ([1 0; 2 3]));
%! assert (issparse (s));
%! assert (full (s), [3 3]);
%!assert (gather (gpu_sum (gpuArray (magic (4)), 2)), [34; 34; 34; 34])
%!assert (gpu_sum (gpuArray (1:4)), 10)

## errors
%!error <Invalid call to gpu_sum> gpu_sum ()
%!error id=Octave:invalid-fun-call gpu_sum (1, 2, 3, 4)
%!test __gpr_same__ ("sum", 1:3, 0)
%!test __gpr_same__ ("sum", 1:3, -1)
%!test __gpr_same__ ("sum", 1:3, "foo")
%!error <gpu_sum: .*wrong type argument 'cell'> gpu_sum ({1, 2})
%!error <wrong type argument> gpu_sum (struct ("a", 1))
%!error <wrong type argument> gpu_sum (@sin)
%!error id=gpureduce:invalid-input gpu_sum (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_sum (1:3, "device", 1000)
