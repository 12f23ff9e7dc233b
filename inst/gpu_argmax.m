## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{i} =} gpu_argmax (@var{x})
## @deftypefnx {} {@var{i} =} gpu_argmax (@var{x}, [], @var{dim})
## @deftypefnx {} {[@var{i}, @var{m}] =} gpu_argmax (@dots{})
## @deftypefnx {} {@var{i} =} gpu_argmax (@var{x}, [], "all")
## @deftypefnx {} {@var{i} =} gpu_argmax (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{i} =} gpu_argmax (@dots{}, "device", @var{d})
## Places @var{i} of the largest elements of @var{x} along dimension @var{dim}, and
## the elements @var{m} themselves: the outputs of @code{gpu_max} the other way
## round, computed on the GPU.
##
## @var{x} is a numeric, logical or character array of any size.  The default
## dimension is the first that is not 1, and the results have the size of @var{x}
## with 1 in that place, but a dimension of length 0 stays 0.  @var{i} counts from
## 1 along the dimension and is double; @var{m} has the class of @var{x} (double
## for characters).
##
## @table @asis
## @item "all"
## In place of @var{dim}: over all elements, to one.
##
## @item a vector of dimensions
## In place of @var{dim}: over these dimensions together.  With it, as with "all",
## @var{i} is a linear index: @code{x(i)} is @var{m}.
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
## NaN elements are skipped; where all are NaN, the place is 1.  Of equal elements
## the first wins, and 0 and -0 are equal.  Complex numbers are compared by
## @code{abs}, then by @code{arg} in (-pi, pi].  The results are exact.
##
## "all", @var{nanflag} and "device" may be written in upper or lower case.  A
## gpuArray is reduced where it lies; a result with one element comes back as a
## number, others stay on the GPU.  Sparse @var{x} goes to the built-in
## @code{max}.
##
## @example
## @group
## gpu_argmax ([3 9 2; 7 1 8])
##     @result{} 2   1   2
## [i, m] = gpu_argmax ([3 9 2; 7 1 8], [], 2)
##     @result{} i = 2
##            3
##     @result{} m = 9
##            8
## gpu_argmax ([3 9 2; 7 1 8], [], "all")
##     @result{} 3
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
## @seealso{gpu_max, gpu_reduce, gpuArray, max}
## @end deftypefn

function [i, m] = gpu_argmax (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  if (nargout > 1)
    [i, m] = __gpureduce__ ("argmax", varargin{:});
  else
    i = __gpureduce__ ("argmax", varargin{:});
  endif
endfunction

%!function check (x, varargin)
%!  [i, m] = gpu_argmax (x, varargin{:});
%!  [m1, i1] = max (x, varargin{:});
%!  assert (i, i1);
%!  assert (m, m1);
%!  assert (class (i), "double");
%!  assert (class (m), class (m1));
%!  assert (gpu_argmax (x, varargin{:}), i1);
%!endfunction

%!test check ([3 9 2; 7 1 8])
%!test check ([3 9 2; 7 1 8], [], 1)
%!test check ([3 9 2; 7 1 8], [], 2)
%!test check ([3 9 2; 7 1 8], [], 3)
%!test check (5)
%!test check (1:10)
%!test check (10:-1:1)
%!test check ((1:10)')
%!test check (eye (3))
%!test check (diag ([1 -2 3]), [], 2)
%!test check (eye (3)([3 1 2],:))
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64", "logical", "char"}
%!   x = feval (type{1}, reshape (mod ((1:24) * 11, 17), 4, 3, 2));
%!   for dim = 1:4
%!     check (x, [], dim);
%!   endfor
%! endfor

## empties
%!test
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [0 3 2], [3 0 2], [2 3 0]}
%!   check (zeros (s{1}));
%!   for dim = 1:4
%!     check (zeros (s{1}), [], dim);
%!     check (zeros (s{1}, "int16"), [], dim);
%!   endfor
%! endfor

## NaN, ties, zeros, complex
%!test check ([NaN 3 1 NaN])
%!test check ([NaN NaN])
%!test check ([NaN 1; NaN NaN])
%!test check ([Inf -Inf Inf -Inf])
%!test check ([NaN Inf Inf])
%!test check ([NaN -Inf -Inf])
%!test check ([4 7 7 4 4])
%!test check ([0 -0])
%!test check ([-0 0])
%!test check ([1i -1i 1 -1])
%!test check (complex ([-5 4], 0))
%!test check ([complex(NaN, 1) 2 1i])
%!test check (single ([3+4i 5 -5]))
%!test check (int64 ([9007199254740993, 9007199254740992, 9007199254740994]))
%!test check (uint8 ([0 255 255 0]))

## long ones: the first of equal elements
%!test
%! x = zeros (1, 50000);
%! x([20000 40000]) = 1;
%! x([10000 30000]) = -1;
%! check (x);
%! check (single (x'));
%! check (int8 (x));
%! check (reshape (x, 250, 200), [], 2);
%! check (mod ((1:100000) * 7919, 100003));

## options of our own
%!error <the second argument must be \[\]> gpu_argmax (1:3, 2)
%!assert (gpu_argmax (magic (4), [], "all"), 1)
%!assert (nthargout (2, @gpu_argmax, magic (4), [], "ALL"), 16)
%!test
%! x = reshape (mod ((1:24) * 11, 25), 4, 3, 2);
%! [i, m] = gpu_argmax (x, [], [1 2 3]);
%! [m1, i1] = max (x(:));
%! assert ([i m], [i1 m1]);
%! for dims = {[1 2], [1 3], [2 3]}
%!   [i, m] = gpu_argmax (x, [], dims{1});
%!   assert (x(i), m);
%!   assert (m, max (max (x, [], dims{1}(1)), [], dims{1}(2)));
%! endfor
%!assert (gpu_argmax ([1 NaN 3], [], 2, "includenan"), 2)
%!assert (gpu_argmax ([1 NaN 3], [], 2, "OmitNaN"), 3)
%!assert (gpu_argmax ([1 NaN; NaN 4; 2 NaN], [], 1, "includenan"), [2 1])
%!assert (gpu_argmax ([4 9 3 6], "device", "cpu"), 2)
%!assert (gpu_argmax ([4 9 3 6], [], 2, "Device", "AUTO"), 2)
%!assert (gpu_argmax (gpuArray ([4 9 3 6])), 2)
## the first of equals, also where a column does not begin at a multiple of 16 bytes
%!test
%! for n = [3, 100, 2049, 30011]
%!   for kind = {"int8", "uint16", "single", "double"}
%!     x = gpuArray (zeros (n, 5, kind{1}));
%!     assert (gather (gpu_argmax (x)), ones (1, 5));
%!     assert (gpu_argmax (gpuArray (NaN (n, 1))), 1);
%!   endfor
%! endfor
%!assert (gather (gpu_argmax (gpuArray ([4 9; 3 6]))), nthargout (2, @max, [4 9; 3 6]))

## errors
%!error <Invalid call to gpu_argmax> gpu_argmax ()
%!error <DIM must be a valid dimension> gpu_argmax (1:3, [], 0)
%!error <DIM must be a valid dimension> gpu_argmax (1:3, [], -1)
%!error <wrong type argument> gpu_argmax ({1, 2})
%!error id=gpureduce:invalid-input gpu_argmax (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_argmax (1:3, "device", 1000)
