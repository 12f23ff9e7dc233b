## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{m} =} gpu_max (@var{x})
## @deftypefnx {} {@var{m} =} gpu_max (@var{x}, [], @var{dim})
## @deftypefnx {} {[@var{m}, @var{i}] =} gpu_max (@dots{})
## @deftypefnx {} {@var{m} =} gpu_max (@var{x}, @var{y})
## @deftypefnx {} {@var{m} =} gpu_max (@var{x}, [], "all")
## @deftypefnx {} {@var{m} =} gpu_max (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{m} =} gpu_max (@dots{}, "device", @var{d})
## Largest elements of @var{x} along dimension @var{dim}, and their places, or the
## elementwise largest of two arrays, as the built-in @code{max}, computed on
## the GPU.
##
## @var{x} is a numeric, logical or character array of any size.  The default
## dimension is the first that is not 1, and the results have the size of @var{x}
## with 1 in that place, but a dimension of length 0 stays 0:
## @code{gpu_max ([])} is @code{[](0x0)}.  @var{m} has the class of @var{x} (double
## for characters); @var{i}, always double, is where it was found, from 1 along
## the dimension, or as a linear index with "all" or a vector of dimensions.  With
## two arrays, @var{x} and @var{y} must have the same size or sizes that broadcast,
## and there is no second output; an integer with a double gives the integer class.
##
## @table @asis
## @item "all"
## In place of @var{dim}: reduce over all elements, to one.
##
## @item a vector of dimensions
## In place of @var{dim}: reduce over these dimensions together, as in
## @code{gpu_max (x, [], [1 3])}.
##
## @item "omitnan", "includenan"
## Skip NaN (and NA) elements (the default), or let the first of them win.
##
## @item "device", @var{d}
## Where to compute: "gpu", "cpu", "auto" (wherever this call is fastest) or the
## number of a GPU, from 1.  Without it the GPU is used when there is one, else
## the CPU, with one warning (@code{gpureduce:cpu-fallback}) a session.
## @end table
##
## NaN elements are skipped; where all are NaN, the result is NaN and its place 1.
## Of equal elements the first wins, and 0 and -0 are equal.  Complex numbers are
## compared by @code{abs}, then by @code{arg} in (-pi, pi]; so are real numbers of
## complex class.  The results are exact for every class.
##
## "all", @var{nanflag} and "device" may be written in upper or lower case.  A gpuArray is reduced
## where it lies; a result with one element comes back as a number, others stay on
## the GPU.  Sparse @var{x} goes to the built-in @code{max} and stays sparse; its places are full.
##
## @example
## @group
## gpu_max ([3 9 2; 7 1 8])
##     @result{} 7   9   8
## [m, i] = gpu_max ([3 9 2; 7 1 8], [], 2)
##     @result{} m = 9
##            8
##     @result{} i = 2
##            3
## gpu_max ([1 NaN 3])
##     @result{} 3
## gpu_max ([3 9 2; 7 1 8], [], "all")
##     @result{} 9
## gpu_max ([1 5 3], 2)
##     @result{} 2   5   3
## @end group
## @end example
##
## Errors are those of the built-in, with this function's name in front and the
## built-in's identifier (@code{Octave:invalid-fun-call} for a wrong number of
## arguments); what only this function knows raises
## @code{gpureduce:invalid-input}, a GPU that is asked for and absent
## @code{gpureduce:no-device}.
##
## Reductions in parallel follow M. Harris, @cite{Optimizing Parallel Reduction in
## CUDA} (NVIDIA, 2007).
## @seealso{gpu_min, gpu_argmax, gpu_reduce, gpuArray, max}
## @end deftypefn

function [m, i] = gpu_max (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  if (nargout > 1)
    [m, i] = __gpureduce__ ("max", varargin{:});
  else
    m = __gpureduce__ ("max", varargin{:});
  endif
endfunction

%!assert (gpu_max ([3 9 2; 7 1 8]), max ([3 9 2; 7 1 8]))
%!assert (gpu_max ([3 9 2; 7 1 8], [], 1), max ([3 9 2; 7 1 8], [], 1))
%!assert (gpu_max ([3 9 2; 7 1 8], [], 2), max ([3 9 2; 7 1 8], [], 2))
%!assert (gpu_max ([3 9 2; 7 1 8], [], 3), [3 9 2; 7 1 8])
%!assert (gpu_max (5), 5)
%!assert (gpu_max (-5, [], 4), -5)
%!test
%! [m, i] = gpu_max ([3 9 2; 7 1 8], [], 2);
%! [m1, i1] = max ([3 9 2; 7 1 8], [], 2);
%! assert (m, m1);
%! assert (i, i1);
%! [m, i] = gpu_max ([3 9 2; 7 1 8], [], 5);
%! assert (m, [3 9 2; 7 1 8]);
%! assert (i, ones (2, 3));

## classes: the built-in's values and classes
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64", "logical", "char"}
%!   x = feval (type{1}, reshape (mod ((1:24) * 11, 17), 4, 3, 2));
%!   for dim = 1:4
%!     [m, i] = gpu_max (x, [], dim);
%!     [m1, i1] = max (x, [], dim);
%!     assert (m, m1);
%!     assert (i, i1);
%!     assert (class (m), class (m1));
%!     assert (class (i), "double");
%!     assert (gpu_max (x, [], dim), m1);
%!   endfor
%! endfor
%!assert (gpu_max ([true false; true true]), max ([true false; true true]))
%!assert (class (gpu_max ([true false])), "logical")
%!assert (gpu_max ("hello"), max ("hello"))
%!assert (class (gpu_max ("hello")), "double")
%!assert (gpu_max (1:10), max (1:10))
%!assert (gpu_max (10:-1:1), max (10:-1:1))
%!assert (gpu_max (eye (3)), max (eye (3)))
%!assert (gpu_max (diag ([1 -2 3]), [], 2), max (diag ([1 -2 3]), [], 2))
%!assert (gpu_max (eye (3)([3 1 2],:)), max (eye (3)([3 1 2],:)))
%!assert (gpu_max (int64 ([9007199254740993, 9007199254740992, 9007199254740994])), ...
%!        max (int64 ([9007199254740993, 9007199254740992, 9007199254740994])))
%!assert (gpu_max ([intmin("int8") intmax("int8")]), max ([intmin("int8") intmax("int8")]))
%!test
%! x = uint64 ([18446744073709551614, 18446744073709551615; 1 0]);
%! [m, i] = gpu_max (x, [], 2);
%! [m1, i1] = max (x, [], 2);
%! assert (m, m1);
%! assert (i, i1);

## complex: by abs, then arg
%!test
%! for x = {[1i -1i 1 -1], [3+4i 5 -5], [1+1i; 2; -2i], complex([-5 4], 0), ...
%!          single([1i -1i 1 -1]), [complex(NaN, 1) 2 1i], complex([NaN NaN], 0), [1+0i 1]}
%!   [m, i] = gpu_max (x{1});
%!   [m1, i1] = max (x{1});
%!   assert (m, m1);
%!   assert (i, i1);
%!   assert (iscomplex (m), iscomplex (m1));
%!   assert (gpu_max (x{1}), m1);
%! endfor

## empties: a reduced dimension of length 0 stays 0
%!assert (gpu_max ([]), [])
%!assert (size (gpu_max (zeros (0, 3))), size (max (zeros (0, 3))))
%!assert (size (gpu_max (zeros (3, 0), [], 2)), size (max (zeros (3, 0), [], 2)))
%!test
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [0 3 2], [3 0 2], [2 3 0]}
%!   for type = {"double", "single", "int8", "char"}
%!     x = feval (type{1}, zeros (s{1}));
%!     assert (gpu_max (x), max (x));
%!     for dim = 1:4
%!       [m, i] = gpu_max (x, [], dim);
%!       [m1, i1] = max (x, [], dim);
%!       assert (m, m1);
%!       assert (i, i1);
%!       assert (class (m), class (m1));
%!     endfor
%!   endfor
%! endfor
%!assert (size (gpu_max (false (3, 0))), [1 0])
%!assert (class (gpu_max (false (3, 0))), "logical")
%!assert (size (gpu_max (zeros (0, 3), [], "all")), [0 0])

## NaN, NA, Inf
%!assert (gpu_max ([1 NaN 3 2]), max ([1 NaN 3 2]))
%!assert (gpu_max ([NaN NaN]), NaN)
%!assert (isna (gpu_max ([NA NA])))
%!assert (! isna (gpu_max ([NaN NaN])))
%!assert (gpu_max ([NA 1]), 1)
%!assert (gpu_max ([Inf -Inf 0]), max ([Inf -Inf 0]))
%!assert (gpu_max (-Inf*ones (1, 3)), -Inf)
%!assert (gpu_max (single ([NaN 2])), single (2))
%!assert (gpu_max ([NaN 2; 1 NaN]), [1 2])
%!test
%! [m, i] = gpu_max ([NaN NaN; 1 NaN]);
%! assert (m, [1 NaN]);
%! assert (i, [2 1]);
%! [m, i] = gpu_max ([NaN -Inf -Inf]);
%! assert (m, -Inf);
%! assert (i, 2);

## ties, zeros
%!test
%! [m, i] = gpu_max ([4 7 7 4 4]);
%! [m1, i1] = max ([4 7 7 4 4]);
%! assert ([m i], [m1 i1]);
%! x = zeros (1, 50000);  x([20000 40000]) = 1;
%! [m, i] = gpu_max (x);
%! assert (i, 20000);
%! [m, i] = gpu_max (int8 (x'));
%! assert (i, 20000);
%!assert (1 / gpu_max ([-0 0]), -Inf)
%!assert (1 / gpu_max ([0 -0]), Inf)
%!assert (1 / gpu_max (single ([-0 0])), single (-Inf))
%!assert (1 / gpu_max ([(-3), -0, 0]), -Inf)
%!test
%! [m, i] = gpu_max ([-0 0]);
%! assert (1 / m, -Inf);
%! assert (i, 1);
%! x = zeros (1, 3000);  x(1) = -0;
%! assert (1 / gpu_max (x), -Inf);
%! x = -x;
%! assert (1 / gpu_max (x), Inf);
%!assert (1 ./ gpu_max ([-0 0; 0 -0], [], 2), [-Inf; Inf])
%!assert (1 / gpu_max (-3:-0), 1 / max (-3:-0))

## options of our own
%!assert (gpu_max ([1 2; 3 4], [], gpuArray ([1 2])), 4)
%!warning <gpu_max: second argument is ignored> assert (gpu_max ([1 2; 3 4], 9, 2), [2; 4])
%!error id=gpureduce:invalid-input gpu_max (1:3, 3:-1:1, "omitnan")
%!assert (gpu_max (magic (4), [], "all"), max (magic (4)(:)))
%!test
%! [m, i] = gpu_max (magic (4), [], "ALL");
%! [m1, i1] = max (magic (4)(:));
%! assert ([m i], [m1 i1]);
%!test
%! x = reshape (mod ((1:24) * 11, 25), 4, 3, 2);
%! assert (gpu_max (x, [], [1 2]), max (max (x, [], 1), [], 2));
%! assert (gpu_max (x, [], [1 3]), max (max (x, [], 1), [], 3));
%! assert (gpu_max (x, [], [2 3]), max (max (x, [], 2), [], 3));
%! assert (gpu_max (x, [], [1 2 3]), max (x(:)));
%!assert (gpu_max ([1 NaN 3], [], 2, "includenan"), NaN)
%!assert (gpu_max ([1 NaN 3], [], 2, "omitnan"), max ([1 NaN 3]))
%!assert (gpu_max ([1 2 3], [], 2, "IncludeNaN"), max ([1 2 3]))
%!assert (isna (gpu_max ([1 NA NaN], [], 2, "includenan")))
%!test
%! [m, i] = gpu_max ([1 NaN; NaN 4; 2 NaN], [], 1, "includenan");
%! assert (m, [NaN NaN]);
%! assert (i, [2 1]);
%!assert (gpu_max (int8 ([3 1 2]), [], 2, "includenan"), max (int8 ([3 1 2])))
%!assert (gpu_max (1:4, [], 2, "device", "cpu"), max (1:4))
%!assert (gpu_max ([4 2 3], "Device", "auto"), max ([4 2 3]))

## two arrays
%!assert (gpu_max ([1 5 3], 2), max ([1 5 3], 2))
%!assert (gpu_max (2, [1 5 3]), max (2, [1 5 3]))
%!assert (gpu_max ([1 5 3], [3; 4]), max ([1 5 3], [3; 4]))
%!assert (gpu_max ([1 NaN NaN], [NaN 2 NaN]), [1 2 NaN])
%!assert (gpu_max (int8 ([100 -100]), 3.6), max (int8 ([100 -100]), 3.6))
%!assert (class (gpu_max (int8 (1), 2)), "int8")
%!assert (gpu_max (single ([1 2]), [2 1]), max (single ([1 2]), [2 1]))
%!assert (class (gpu_max (single (1), 2)), "single")
%!assert (gpu_max (true, [false true]), max (true, [false true]))
%!assert (gpu_max ([1i 2], [-1 1i]), max ([1i 2], [-1 1i]))
%!assert (gpu_max (zeros (0, 3), 1), max (zeros (0, 3), 1))
%!assert (gpu_max (reshape (1:8, 2, 2, 2), [4 5]), max (reshape (1:8, 2, 2, 2), [4 5]))
%!assert (gpu_max (uint64 ([5 7]), uint64 (6)), max (uint64 ([5 7]), uint64 (6)))

## long ones
%!test
%! x = mod ((1:100000) * 7919, 100003) - 5e4;
%! for type = {"double", "single", "int32", "uint16"}
%!   y = feval (type{1}, x);
%!   [m, i] = gpu_max (y);
%!   [m1, i1] = max (y);
%!   assert (m, m1);
%!   assert (i, i1);
%!   assert (gpu_max (y), m1);
%!   y = reshape (y, 250, 400);
%!   assert (gpu_max (y), max (y));
%!   assert (gpu_max (y, [], 2), max (y, [], 2));
%! endfor

## arrays the built-in takes
%!test
%! s = gpu_max (sparse ([1 0; 2 -3]));
%! assert (issparse (s));
%! assert (full (s), max ([1 0; 2 -3]));
%!assert (gather (gpu_max (gpuArray ([1 2; 4 3]), [], 2)), max ([1 2; 4 3], [], 2))
%!test
%! [m, i] = gpu_max (gpuArray ([4 2 6 1]));
%! [m1, i1] = max ([4 2 6 1]);
%! assert ([m i], [m1 i1]);

## errors
%!error <Invalid call to gpu_max> gpu_max ()
%!error id=Octave:invalid-fun-call gpu_max (1, 2, 3, 4)
%!error <gpu_max: DIM must be a valid dimension> gpu_max (1:3, [], 0)
%!error <gpu_max: DIM must be a valid dimension> gpu_max (1:3, [], -1)
%!error <gpu_max: .*wrong type argument 'cell'> gpu_max ({1, 2})
%!error <wrong type argument> gpu_max (struct ("a", 1))
%!error gpu_max ([1 2 3], [1 2])
%!error <cannot compute .*string, scalar> gpu_max ("a", 98)
%!error [m, i] = gpu_max (1:3, 2)
%!error id=gpureduce:invalid-input gpu_max (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_max (1:3, "device", 1000)
