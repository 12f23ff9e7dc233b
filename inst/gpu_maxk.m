## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_maxk (@var{x}, @var{k})
## @deftypefnx {} {@var{y} =} gpu_maxk (@var{x}, @var{k}, @var{dim})
## @deftypefnx {} {@var{y} =} gpu_maxk (@dots{}, "device", @var{d})
## @deftypefnx {} {[@var{y}, @var{i}] =} gpu_maxk (@dots{})
## The @var{k} largest elements of @var{x} along dimension @var{dim}, sorted, and their indices, as
## MATLAB's @code{maxk}, computed on the GPU.
##
## @var{x} is a full real numeric or logical array; the default dimension is the first that is not 1.
## @var{y} has the class of @var{x} and its size with @var{k} in that dimension, or fewer where @var{x} has
## fewer.  @var{i} is double: @code{@var{x}(@var{i}, j)} is @code{@var{y}(:, j)} for the columns of a matrix.  Of equal elements,
## and -0 and 0 are, the first comes first; NaN comes last.
##
## GPU and CPU give the same results.
##
## @example
## @group
## gpu_maxk ([3 1 4 2], 2)
##     @result{} 4   3
## @end group
## @end example
##
## What is wrong with the arguments raises @code{gpureduce:invalid-input}.  The last of the @var{k}
## elements is selected, and those up to it are sorted.  @code{gpu_options} has more on "device", gpuArrays and errors.
## @seealso{gpu_mink, gpu_max, gpu_min, gpu_median, gpu_options, sort}
## @end deftypefn

function [y, i] = gpu_maxk (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  if (nargout < 2)
    y = __gpureduce__ ("maxk", varargin{:});
  else
    [y, i] = __gpureduce__ ("maxk", varargin{:});
  endif
endfunction

%!assert (gpu_maxk ([3 1 4 2], 2), [4   3])

## the first rows of the sorted columns: equal elements as they come, NaN last
%!function [y, i] = sorted (x, k, dim)
%!  order = 1:max (ndims (x), dim);
%!  order([1 dim]) = [dim 1];
%!  x = permute (x, order);
%!  sz = size (x);
%!  key = x(:,:);
%!  [~, i] = sort (key, 1, "descend");
%!  i = [];
%!  for c = 1:columns (key)
%!    nan = isnan (key(:,c));
%!    at = find (! nan);
%!    [~, j] = sort (key(at,c), "descend");
%!    i(:,c) = [at(j); find(nan)];
%!  endfor
%!  k = min (k, sz(1));
%!  i = reshape (i, sz)(1:k,:);
%!  y = key(i + sz(1) * (0:columns (key) - 1));
%!  y = permute (reshape (y, [k, sz(2:end)]), order);
%!  i = permute (reshape (i, [k, sz(2:end)]), order);
%!endfunction
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   for sizes = {[1 1], [1 7], [8 1], [4 5], [3 4 5], [2 1 6], [60 3], [3 40]}
%!     x = cast (5 * randn (sizes{1}), type{1});
%!     for dim = 1:3
%!       for k = [1 5 1000]
%!         [y, i] = gpu_maxk (x, k, dim);
%!         [y0, i0] = sorted (x, k, dim);
%!         assert (class (y), type{1});
%!         assert (y, y0);
%!         assert (i, i0);
%!       endfor
%!     endfor
%!   endfor
%! endfor
%!test                                   # NaN, infinities, zeros of both signs
%! x = randi ([-3 3], 9, 200);
%! x(rand (size (x)) < 0.2) = NaN;
%! x(rand (size (x)) < 0.1) = -Inf;
%! x(rand (size (x)) < 0.1) = Inf;
%! x(x == 0 & rand (size (x)) < 0.5) = -0;
%! [y, i] = gpu_maxk (x, 9);
%! [y0, i0] = sorted (x, 9, 1);
%! assert (y, y0);
%! assert (i, i0);
%! assert (1 ./ y, 1 ./ y0);
%!test                                   # a long column; several
%! x = randi (1000, 200000, 1);
%! [y, i] = gpu_maxk (x, 300);
%! [y0, i0] = sorted (x, 300, 1);
%! assert ({y, i}, {y0, i0});
%! x = rand (3000, 70);
%! assert (gpu_maxk (x, 3, 2), sorted (x, 3, 2));
%!test                                   # many of few values; columns of as many rows as are counted, and of one more
%! for x = {randi(5, 3000, 3), 1 + eps * randi(300, 3000, 3), single(randn (3000, 3)), int8(randi (5, 3000, 3)), randi(3, 32, 40), randi(3, 33, 40), randi(3, 31, 40)'}
%!   for k = [2 20 257 3000]
%!     for dim = 1:2
%!       [y, i] = gpu_maxk (x{1}, k, dim);
%!       [y0, i0] = sorted (x{1}, k, dim);
%!       assert ({y, i}, {y0, i0});
%!     endfor
%!   endfor
%! endfor
%!assert (size (gpu_maxk (zeros (0, 3), 2)), [0 3])
%!assert (size (gpu_maxk (ones (4, 3), 0)), [0 3])
%!test
%! g = gpuArray (rand (30, 4));
%! [y, i] = gpu_maxk (g, 3);
%! assert (isgpuarray (y) && isgpuarray (i));
%! [y0, i0] = gpu_maxk (gather (g), 3);
%! assert ({gather(y), gather(i)}, {y0, i0});
%!error <Invalid call> gpu_maxk ()
%!error <Invalid call> gpu_maxk (1:3)
%!error id=gpureduce:invalid-input gpu_maxk (1:3, -1)
%!error id=gpureduce:invalid-input gpu_maxk (1:3, 1.5)
%!error id=gpureduce:invalid-input gpu_maxk (1:3, 1, 0)
%!error id=gpureduce:invalid-input gpu_maxk (1i, 1)
%!error id=gpureduce:invalid-input gpu_maxk ("abc", 1)
