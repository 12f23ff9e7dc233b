## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{n} =} gpu_histc (@var{x}, @var{edges})
## @deftypefnx {} {@var{n} =} gpu_histc (@var{x}, @var{edges}, @var{dim})
## @deftypefnx {} {[@var{n}, @var{idx}] =} gpu_histc (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_histc (@dots{}, "device", @var{d})
## Count the elements of @var{x} between @var{edges}, as the built-in
## @code{histc}, computed on the GPU.
##
## @code{@var{n}(k)} is the number of elements with
## @code{@var{edges}(k) <= x < @var{edges}(k+1)}, and the last count is that of
## the elements equal to the last edge.  NaN and whatever lies outside the
## edges is not counted; edges may be infinite.  Where edges are equal, the
## last of them counts.  Edges that are not sorted are sorted, with a warning.
##
## @var{x} is a real array of any class and number of dimensions; sparse ones
## are taken as full.  The counts run along dimension @var{dim}, by default the
## first that is longer than 1, and @var{n}, a double array, has the size of
## @var{x} with @code{numel (@var{edges})} in that dimension.  @var{idx} has the
## size of @var{x} and holds the bin of each element, 0 for none.
##
## @example
## @group
## gpu_histc ([1 2 2 3 5], 1:5)
##     @result{} 1   2   1   0   1
## [n, idx] = gpu_histc ([1 2; 2 9; 3 0], [1 2 3], 1)
##     @result{} n = 1   0
##            1   1
##            1   0
##     @result{} idx = 1   2
##              2   0
##              3   0
## @end group
## @end example
##
## Elements are compared in single precision if @var{x} or @var{edges} is
## single and neither has an integer, logical or character class, else in
## double.  Counts are exact and equal to the built-in's except in these cases, which it gets wrong or
## refuses:
##
## @itemize
## @item
## Logical or character @var{x} may be counted between any number of edges,
## which may be of these classes too, and @var{x} of three or more dimensions
## may be counted along any of them.
## @item
## A vector may be counted across: @code{gpu_histc (1:3, 0:4, 1)} is the 5x3
## array with a count for each element.
## @item
## Integers are not rounded to single because @var{edges} are single.
## @item
## 64-bit integers beyond 2^53 are compared as doubles with any number of edges
## (the built-in: from 4 on).
## @end itemize
##
## Errors and warnings are those of @code{histc} under this function's name;
## besides, those of @code{gpu_options}, which has more on "device" and gpuArrays.
## @seealso{gpu_hist, gpu_reduce, gpu_options, histc}
## @end deftypefn

function [n, idx] = gpu_histc (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  if (nargout > 1)
    [n, idx] = __gpureduce__ ("histc", varargin{:});
  else
    n = __gpureduce__ ("histc", varargin{:});
  endif
endfunction

%!function same (varargin)
%!  [n, idx] = gpu_histc (varargin{:});
%!  [n0, idx0] = histc (varargin{:});
%!  assert (n, n0);
%!  assert (idx, idx0);
%!  assert (class (n), class (n0));
%!  assert (class (idx), class (idx0));
%!  assert (gpu_histc (varargin{:}), n0);
%!endfunction

%!assert (gpu_histc ([1 2 2 3 5], 1:5), [1 2 1 0 1])
%!test
%! [n, idx] = gpu_histc ([1 2; 2 9; 3 0], [1 2 3], 1);
%! assert (n, [1 0; 1 1; 1 0]);
%! assert (idx, [1 2; 2 0; 3 0]);

## orientation, dimensions, empties
%!test
%! for x = {5, 1:6, (1:6)', magic(4), magic(6)(:,1:3), reshape(1:24, 2, 3, 4), reshape(1:8, 1, 2, 4), ...
%!          [], zeros(0, 3), zeros(3, 0), zeros(1, 0), zeros(0, 1), zeros(2, 0, 3), zeros(0, 2, 3)}
%!   same (x{1}, 0:2:20);
%!   for dim = 1:ndims (x{1})
%!     if (! isvector (x{1}) || size (x{1}, dim) != 1)
%!       same (x{1}, [1 4 4 7 12], dim);
%!     endif
%!     if (ndims (x{1}) == 2)
%!       same (x{1}, [2 5 9], dim);
%!     endif
%!   endfor
%! endfor

## every class, few and many edges
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}
%!   x = feval (type{1}, mod ((1:60) * 11, 17) - 3);
%!   for edges = {5, [2 9], [2 5 9], 0:3:12, -1:0.5:8, single([0.5 1 2 7 7 8]), [-Inf 0 4 Inf], [3 4 4 4 9]}
%!     same (x, edges{1});
%!   endfor
%! endfor
%! same ([true false true], [0 1]);
%! same ("hello", ["a" "l" "z"]);
%! same (1:9, uint8 ([2 5]));

## NaN, infinities, zeros
%!test
%! x = [-Inf -1 -0 0 0.5 1 1 2 Inf NaN NA];
%! for edges = {[0 1 2], [0 0.5 1 2], [-Inf 0 1 Inf], [-Inf Inf], [0 1 NaN], [0 NaN NaN], NaN, [0 1 2 NaN], ...
%!              [0 NaN NaN NaN NaN], [-0 1 2 3], [1 1 1 1], [2 2], Inf, -Inf}
%!   same (x, edges{1});
%!   same (single (x), edges{1});
%! endfor

## comparison in single as soon as one is single
%!test
%! x = (0:20) / 10;
%! same (x, single (x));
%! same (single (x), x);
%! same (x + eps, single (x([1 8 15])));
%! same (single (x), x([2 4 8 12]));
%! same (single (x), x([2 4]));

## what the built-in refuses, gets wrong or rounds
%!assert (gpu_histc (1:3, 0:4, 1), [0 0 0; 1 0 0; 0 1 0; 0 0 1; 0 0 0])
%!assert (gpu_histc ([true false true true], 0:4), [1 3 0 0 0])
%!assert (gpu_histc ("hello", "a":"z")([5 8 12 15]), [1 1 2 1])
%!assert (gpu_histc (reshape (1:8, 2, 2, 2), [1 4 8], 1), cat (3, [2 1; 0 1; 0 0], [0 0; 2 1; 0 1]))
%!assert (gpu_histc (int32 ([16777216 16777217]), single ([0 1 2 16777216])), [0 0 0 1])

%!test
%! s = sparse ([1 0 2; 0 3 0]);
%! [n, idx] = gpu_histc (s, [0 1 2 3]);
%! assert (n, histc (full (s), [0 1 2 3]));
%! assert (! issparse (n) && ! issparse (idx));
%!test
%! [n, idx] = gpu_histc (gpuArray ([1 2; 2 9; 3 0]), gpuArray ([1 2 3]), 1);
%! assert (isgpuarray (n) && isgpuarray (idx));
%! assert (gather (n), [1 0; 1 1; 1 0]);
%! assert (gather (idx), [1 2; 2 0; 3 0]);
%!assert (gpu_histc (1:3, 1:3, "Device", "cpu"), [1 1 1])
%!assert (gpu_histc (1:3, 1:3, 2, "device", "auto"), [1 1 1])

%!test
%! warning ("off", "all", "local");
%! same (1:5, [3 1 2 9]);
%! same (1:5, [3 2 1]);
%! same (1:5, [NaN 2 1 4]);
%! same (1:5, []);
%!warning <gpu_histc: edge values not sorted on input> gpu_histc (1:3, [3 2 1]);
%!warning <gpu_histc: empty EDGES specified> gpu_histc (1:3, []);
%!error <Invalid call to gpu_histc> gpu_histc ()
%!error <Invalid call to gpu_histc> gpu_histc (1)
%!error id=Octave:invalid-fun-call gpu_histc (1, 2, 1, 4)
%!error id=Octave:invalid-fun-call [n, idx, more] = gpu_histc (1, 2);
%!error <gpu_histc: X argument must be real-valued, not complex> gpu_histc ([1:10 1+i], 2)
%!error <gpu_histc: X argument must be real-valued, not complex> gpu_histc ({1}, 2)
%!error <gpu_histc: X argument must be real-valued, not complex> gpu_histc (struct (), 1:4)
%!error <gpu_histc: EDGES must be real-valued, not complex> gpu_histc (1, 1i)
%!error <gpu_histc: EDGES must be real-valued, not complex> gpu_histc (1, {1})
%!error <gpu_histc: DIM must be an integer and a valid dimension> gpu_histc (1, 1, 3)
%!error <gpu_histc: DIM must be an integer and a valid dimension> gpu_histc (1:3, 1, 0)
%!error <gpu_histc: DIM must be an integer and a valid dimension> gpu_histc (1:3, 1, 1.5)
%!error <gpu_histc: DIM must be an integer and a valid dimension> gpu_histc (1:3, 1, [1 2])
%!error <gpu_histc: DIM must be an integer and a valid dimension> gpu_histc (1:3, 1, {1})
%!error id=gpureduce:invalid-input gpu_histc (1:3, 1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_histc (1:3, 1:3, "device", 1000)
