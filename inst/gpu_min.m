## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{m} =} gpu_min (@var{x})
## @deftypefnx {} {@var{m} =} gpu_min (@var{x}, [], @var{dim})
## @deftypefnx {} {[@var{m}, @var{i}] =} gpu_min (@dots{})
## @deftypefnx {} {@var{m} =} gpu_min (@var{x}, @var{y})
## @deftypefnx {} {@var{m} =} gpu_min (@var{x}, [], "all")
## @deftypefnx {} {@var{m} =} gpu_min (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{m} =} gpu_min (@dots{}, "device", @var{d})
## Smallest elements of @var{x} along dimension @var{dim}, and their places, or the
## elementwise smallest of two arrays, as the built-in @code{min}, computed on
## the GPU.
##
## @var{x} is a numeric, logical or character array of any size.  The default
## dimension is the first that is not 1, and the results have the size of @var{x}
## with 1 in that place, but a dimension of length 0 stays 0:
## @code{gpu_min ([])} is @code{[](0x0)}.  @var{m} has the class of @var{x} (double
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
## @code{gpu_min (x, [], [1 3])}.
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
## the GPU.  Sparse @var{x} goes to the built-in @code{min} and stays sparse; its places are full.
##
## @example
## @group
## gpu_min ([3 9 2; 7 1 8])
##     @result{} 3   1   2
## [m, i] = gpu_min ([3 9 2; 7 1 8], [], 2)
##     @result{} m = 2
##            1
##     @result{} i = 3
##            2
## gpu_min ([1 NaN 3])
##     @result{} 1
## gpu_min ([3 9 2; 7 1 8], [], "all")
##     @result{} 1
## gpu_min ([1 5 3], 2)
##     @result{} 1   2   2
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
## @seealso{gpu_max, gpu_argmin, gpu_reduce, gpuArray, min}
## @end deftypefn

function [m, i] = gpu_min (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  if (nargout > 1)
    [m, i] = __gpureduce__ ("min", varargin{:});
  else
    m = __gpureduce__ ("min", varargin{:});
  endif
endfunction

%!assert (gpu_min ([3 9 2; 7 1 8]), min ([3 9 2; 7 1 8]))
%!assert (gpu_min ([3 9 2; 7 1 8], [], 1), min ([3 9 2; 7 1 8], [], 1))
%!assert (gpu_min ([3 9 2; 7 1 8], [], 2), min ([3 9 2; 7 1 8], [], 2))
%!assert (gpu_min ([3 9 2; 7 1 8], [], 3), [3 9 2; 7 1 8])
%!assert (gpu_min (5), 5)
%!assert (gpu_min (-5, [], 4), -5)
%!test
%! [m, i] = gpu_min ([3 9 2; 7 1 8], [], 2);
%! [m1, i1] = min ([3 9 2; 7 1 8], [], 2);
%! assert (m, m1);
%! assert (i, i1);
%! [m, i] = gpu_min ([3 9 2; 7 1 8], [], 5);
%! assert (m, [3 9 2; 7 1 8]);
%! assert (i, ones (2, 3));

## classes: the built-in's values and classes
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64", "logical", "char"}
%!   x = feval (type{1}, reshape (mod ((1:24) * 11, 17), 4, 3, 2));
%!   for dim = 1:4
%!     [m, i] = gpu_min (x, [], dim);
%!     [m1, i1] = min (x, [], dim);
%!     assert (m, m1);
%!     assert (i, i1);
%!     assert (class (m), class (m1));
%!     assert (class (i), "double");
%!     assert (gpu_min (x, [], dim), m1);
%!   endfor
%! endfor
%!assert (gpu_min ([true false; true true]), min ([true false; true true]))
%!assert (class (gpu_min ([true false])), "logical")
%!assert (gpu_min ("hello"), min ("hello"))
%!assert (class (gpu_min ("hello")), "double")
%!assert (gpu_min (1:10), min (1:10))
%!assert (gpu_min (10:-1:1), min (10:-1:1))
%!assert (gpu_min (eye (3)), min (eye (3)))
%!assert (gpu_min (diag ([1 -2 3]), [], 2), min (diag ([1 -2 3]), [], 2))
%!assert (gpu_min (eye (3)([3 1 2],:)), min (eye (3)([3 1 2],:)))
%!assert (gpu_min (int64 ([9007199254740993, 9007199254740992, 9007199254740994])), ...
%!        min (int64 ([9007199254740993, 9007199254740992, 9007199254740994])))
%!assert (gpu_min ([intmin("int8") intmax("int8")]), min ([intmin("int8") intmax("int8")]))
%!test
%! x = uint64 ([18446744073709551614, 18446744073709551615; 1 0]);
%! [m, i] = gpu_min (x, [], 2);
%! [m1, i1] = min (x, [], 2);
%! assert (m, m1);
%! assert (i, i1);

## complex: by abs, then arg
%!test
%! for x = {[1i -1i 1 -1], [3+4i 5 -5], [1+1i; 2; -2i], complex([-5 4], 0), ...
%!          single([1i -1i 1 -1]), [complex(NaN, 1) 2 1i], complex([NaN NaN], 0), [1+0i 1]}
%!   [m, i] = gpu_min (x{1});
%!   [m1, i1] = min (x{1});
%!   assert (m, m1);
%!   assert (i, i1);
%!   assert (iscomplex (m), iscomplex (m1));
%!   assert (gpu_min (x{1}), m1);
%! endfor

## empties: a reduced dimension of length 0 stays 0
%!assert (gpu_min ([]), [])
%!assert (size (gpu_min (zeros (0, 3))), size (min (zeros (0, 3))))
%!assert (size (gpu_min (zeros (3, 0), [], 2)), size (min (zeros (3, 0), [], 2)))
%!test
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [0 3 2], [3 0 2], [2 3 0]}
%!   for type = {"double", "single", "int8", "char"}
%!     x = feval (type{1}, zeros (s{1}));
%!     assert (gpu_min (x), min (x));
%!     for dim = 1:4
%!       [m, i] = gpu_min (x, [], dim);
%!       [m1, i1] = min (x, [], dim);
%!       assert (m, m1);
%!       assert (i, i1);
%!       assert (class (m), class (m1));
%!     endfor
%!   endfor
%! endfor
%!assert (size (gpu_min (false (3, 0))), [1 0])
%!assert (class (gpu_min (false (3, 0))), "logical")
%!assert (size (gpu_min (zeros (0, 3), [], "all")), [0 0])

## NaN, NA, Inf
%!assert (gpu_min ([1 NaN 3 2]), min ([1 NaN 3 2]))
%!assert (gpu_min ([NaN NaN]), NaN)
%!assert (isna (gpu_min ([NA NA])))
%!assert (! isna (gpu_min ([NaN NaN])))
%!assert (gpu_min ([NA 1]), 1)
%!assert (gpu_min ([Inf -Inf 0]), min ([Inf -Inf 0]))
%!assert (gpu_min (Inf*ones (1, 3)), Inf)
%!assert (gpu_min (single ([NaN 2])), single (2))
%!assert (gpu_min ([NaN 2; 1 NaN]), [1 2])
%!test
%! [m, i] = gpu_min ([NaN NaN; 1 NaN]);
%! assert (m, [1 NaN]);
%! assert (i, [2 1]);
%! [m, i] = gpu_min ([NaN Inf Inf]);
%! assert (m, Inf);
%! assert (i, 2);

## ties, zeros
%!test
%! [m, i] = gpu_min ([4 7 7 4 4]);
%! [m1, i1] = min ([4 7 7 4 4]);
%! assert ([m i], [m1 i1]);
%! x = zeros (1, 50000);  x([20000 40000]) = -1;
%! [m, i] = gpu_min (x);
%! assert (i, 20000);
%! [m, i] = gpu_min (int8 (x'));
%! assert (i, 20000);
%!assert (1 / gpu_min ([-0 0]), -Inf)
%!assert (1 / gpu_min ([0 -0]), Inf)
%!assert (1 / gpu_min (single ([-0 0])), single (-Inf))
%!assert (1 / gpu_min ([(-1 * -3), -0, 0]), -Inf)
%!test
%! [m, i] = gpu_min ([-0 0]);
%! assert (1 / m, -Inf);
%! assert (i, 1);
%! x = zeros (1, 3000);  x(1) = -0;
%! assert (1 / gpu_min (x), -Inf);
%! x = -x;
%! assert (1 / gpu_min (x), Inf);
%!assert (1 ./ gpu_min ([-0 0; 0 -0], [], 2), [-Inf; Inf])
%!assert (1 / gpu_min (-0:3), 1 / min (-0:3))

## options of our own
%!assert (gpu_min (magic (4), [], "all"), min (magic (4)(:)))
%!test
%! [m, i] = gpu_min (magic (4), [], "ALL");
%! [m1, i1] = min (magic (4)(:));
%! assert ([m i], [m1 i1]);
%!test
%! x = reshape (mod ((1:24) * 11, 25), 4, 3, 2);
%! assert (gpu_min (x, [], [1 2]), min (min (x, [], 1), [], 2));
%! assert (gpu_min (x, [], [1 3]), min (min (x, [], 1), [], 3));
%! assert (gpu_min (x, [], [2 3]), min (min (x, [], 2), [], 3));
%! assert (gpu_min (x, [], [1 2 3]), min (x(:)));
%!assert (gpu_min ([1 NaN 3], [], 2, "includenan"), NaN)
%!assert (gpu_min ([1 NaN 3], [], 2, "omitnan"), min ([1 NaN 3]))
%!assert (gpu_min ([1 2 3], [], 2, "IncludeNaN"), min ([1 2 3]))
%!assert (isna (gpu_min ([1 NA NaN], [], 2, "includenan")))
%!test
%! [m, i] = gpu_min ([1 NaN; NaN 4; 2 NaN], [], 1, "includenan");
%! assert (m, [NaN NaN]);
%! assert (i, [2 1]);
%!assert (gpu_min (int8 ([3 1 2]), [], 2, "includenan"), min (int8 ([3 1 2])))
%!assert (gpu_min (1:4, [], 2, "device", "cpu"), min (1:4))
%!assert (gpu_min ([4 2 3], "Device", "auto"), min ([4 2 3]))

## two arrays
%!assert (gpu_min ([1 5 3], 2), min ([1 5 3], 2))
%!assert (gpu_min (2, [1 5 3]), min (2, [1 5 3]))
%!assert (gpu_min ([1 5 3], [3; 4]), min ([1 5 3], [3; 4]))
%!assert (gpu_min ([1 NaN NaN], [NaN 2 NaN]), [1 2 NaN])
%!assert (gpu_min (int8 ([100 -100]), 3.6), min (int8 ([100 -100]), 3.6))
%!assert (class (gpu_min (int8 (1), 2)), "int8")
%!assert (gpu_min (single ([1 2]), [2 1]), min (single ([1 2]), [2 1]))
%!assert (class (gpu_min (single (1), 2)), "single")
%!assert (gpu_min (true, [false true]), min (true, [false true]))
%!assert (gpu_min ([1i 2], [-1 1i]), min ([1i 2], [-1 1i]))
%!assert (gpu_min (zeros (0, 3), 1), min (zeros (0, 3), 1))
%!assert (gpu_min (reshape (1:8, 2, 2, 2), [4 5]), min (reshape (1:8, 2, 2, 2), [4 5]))
%!assert (gpu_min (uint64 ([5 7]), uint64 (6)), min (uint64 ([5 7]), uint64 (6)))

## long ones
%!test
%! x = mod ((1:100000) * 7919, 100003) - 5e4;
%! for type = {"double", "single", "int32", "uint16"}
%!   y = feval (type{1}, x);
%!   [m, i] = gpu_min (y);
%!   [m1, i1] = min (y);
%!   assert (m, m1);
%!   assert (i, i1);
%!   assert (gpu_min (y), m1);
%!   y = reshape (y, 250, 400);
%!   assert (gpu_min (y), min (y));
%!   assert (gpu_min (y, [], 2), min (y, [], 2));
%! endfor

## arrays the built-in takes
%!test
%! s = gpu_min (sparse ([1 0; 2 -3]));
%! assert (issparse (s));
%! assert (full (s), min ([1 0; 2 -3]));
%!assert (gather (gpu_min (gpuArray ([1 2; 4 3]), [], 2)), min ([1 2; 4 3], [], 2))
%!test
%! [m, i] = gpu_min (gpuArray ([4 2 6 1]));
%! [m1, i1] = min ([4 2 6 1]);
%! assert ([m i], [m1 i1]);

## errors
%!error <Invalid call to gpu_min> gpu_min ()
%!error id=Octave:invalid-fun-call gpu_min (1, 2, 3, 4)
%!error <gpu_min: DIM must be a valid dimension> gpu_min (1:3, [], 0)
%!error <gpu_min: DIM must be a valid dimension> gpu_min (1:3, [], -1)
%!error <gpu_min: .*wrong type argument 'cell'> gpu_min ({1, 2})
%!error <wrong type argument> gpu_min (struct ("a", 1))
%!error gpu_min ([1 2 3], [1 2])
%!error <cannot compute .*string, scalar> gpu_min ("a", 98)
%!error [m, i] = gpu_min (1:3, 2)
%!error id=gpureduce:invalid-input gpu_min (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_min (1:3, "device", 1000)
