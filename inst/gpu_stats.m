## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{s} =} gpu_stats (@var{x})
## @deftypefnx {} {@var{s} =} gpu_stats (@var{x}, @var{dim})
## @deftypefnx {} {@var{s} =} gpu_stats (@dots{}, "device", @var{d})
## Count, sum, mean, variance, extremes and their indices of @var{x} along dimension
## @var{dim}, on the GPU, in one reading of the data.
##
## @var{x} is a real numeric or logical array of any size.  NaN elements are counted and
## left out of everything else.
##
## @table @asis
## @item @var{dim}
## A dimension, a vector of dimensions to reduce over together, or "all".  Default: the
## first that is not 1.
## @end table
##
## @var{s} is a struct whose fields have the size of @var{x} with 1 in the reduced dimensions:
##
## @table @code
## @item count
## Elements that are not NaN; @code{nans}: elements that are.
## @item sum, mean, var
## Of these elements; @code{var} divides by the count less 1 (0 for one element).  Without
## elements @code{sum} is 0 and the others are NaN.
## @item min, max, argmin, argmax
## The extremes, and the indices (from 1, along @var{dim}; linear in the reduced dimensions
## where there are several) of the first elements that have these values; NaN without elements.
## @end table
##
## @code{sum}, @code{mean}, @code{var}, @code{min} and @code{max} are single for single
## @var{x}, double for every other class; all is computed in double.  64-bit integers beyond
## 2^53 are rounded to doubles first.
##
## @example
## @group
## s = gpu_stats ([4 1 NaN 7]);
## [s.count, s.sum, s.mean, s.var, s.min, s.max, s.argmax, s.nans]
##     @result{} 3   12    4    9    1    7    4    1
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} for other classes, dimensions and options,
## @code{Octave:invalid-fun-call} for a wrong number of arguments.  @code{gpu_options} has more on
## "device", gpuArrays and errors.
##
## Source of the variance: as in @code{gpu_var}.
## @seealso{gpu_var, gpu_mean, gpu_bounds, gpu_max, gpu_options}
## @end deftypefn

function s = gpu_stats (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  s = __gpureduce__ ("summary:gpu_stats", varargin{:});
endfunction

%!function same (x, varargin)
%!  s = gpu_stats (x, varargin{:});
%!  x = gather (x);
%!  dim = [varargin{:}];
%!  if (isempty (dim))
%!    (dim = find (size (x) != 1, 1)) || (dim = 1);
%!  endif
%!  kind = class (sum (x(1)));
%!  y = double (x);
%!  nan = isnan (y);
%!  z = y;
%!  z(nan) = 0;
%!  n = sum (! nan, dim);
%!  assert (gather (s.count), n);
%!  assert (gather (s.nans), sum (nan, dim));
%!  assert (double (gather (s.sum)), sum (z, dim), -1000 * eps (kind));
%!  assert (double (gather (s.mean)), sum (z, dim) ./ n, -1000 * eps (kind));
%!  [a, i] = min (y, [], dim);
%!  [b, j] = max (y, [], dim);
%!  i(n == 0) = j(n == 0) = NaN;
%!  assert (double (gather (s.min)), a);
%!  assert (double (gather (s.max)), b);
%!  assert (gather (s.argmin), i);
%!  assert (gather (s.argmax), j);
%!  assert (class (gather (s.mean)), kind);
%!  v = gpu_var (y, 0, dim, "omitnan");
%!  assert (double (gather (s.var)), v, -1000 * eps (kind));
%!endfunction

%!test
%! s = gpu_stats ([4 1 NaN 7]);
%! assert ([s.count, s.sum, s.mean, s.var, s.min, s.max, s.argmin, s.argmax, s.nans], [3 12 4 9 1 7 2 4 1]);
%!test
%! x = reshape (mod ((1:120) * 37, 23) - 7, 4, 5, 6);
%! y = x;
%! y(mod (x, 5) == 0) = NaN;
%! y(:,2,3) = NaN;
%! for z = {x, y, single(x), single(y), int8(x), uint16(x), int64(x), x > 0, gpuArray(y), gpuArray(int32 (x))}
%!   same (z{1});
%!   for dim = 1:4
%!     same (z{1}, dim);
%!   endfor
%! endfor
%! for n = [1 2 7 8 9 100 1000 30000]
%!   same (cos ((1:n) .^ 2));
%!   same (cos ((1:n)' .^ 2));
%!   same (mod (1:n, 3));
%! endfor
%!test
%! x = reshape (mod ((1:120) * 37, 23) - 7, 4, 5, 6);
%! s = gpu_stats (x, "all");
%! [b, j] = max (x(:));
%! assert ([s.count, s.max, s.argmax], [120, b, j]);
%! s = gpu_stats (x, [2 3]);
%! [b, j] = min (reshape (x, 4, 30), [], 2);
%! assert (s.min, b);
%! assert (s.argmin, j);
%! s = gpu_stats (x, [1 3]);
%! assert (size (s.sum), [1 5]);
%! assert (s.sum, sum (sum (x, 1), 3));
%!test
%! s = gpu_stats ([NaN NaN]);
%! assert ([s.count, s.sum, s.nans], [0 0 2]);
%! assert (all (isnan ([s.mean, s.var, s.min, s.max, s.argmin, s.argmax])));
%! s = gpu_stats (5);
%! assert ([s.count, s.var, s.min, s.argmax], [1 0 5 1]);
%! s = gpu_stats ([1 Inf -Inf]);
%! assert ([s.min, s.max, s.argmin], [-Inf Inf 3]);
%! assert (isnan ([s.sum, s.mean, s.var]));
%! s = gpu_stats ([1 Inf]);
%! assert ([s.sum, s.mean], [Inf Inf]);
%! s = gpu_stats (zeros (0, 3));
%! assert (s.count, [0 0 0]);
%! assert (s.mean, [NaN NaN NaN]);
%!test
%! s = gpu_stats (gpuArray (magic (4)), 2);
%! assert (isgpuarray (s.sum) && isgpuarray (s.argmax));
%! s = gpu_stats (1:3, "device", "cpu");
%! assert (s.sum, 6);
%!error <Invalid call> gpu_stats ()
%!error <Invalid call> gpu_stats (1, 2, 3)
%!error id=gpureduce:invalid-input gpu_stats ({1})
%!error id=gpureduce:invalid-input gpu_stats (1i)
%!error id=gpureduce:invalid-input gpu_stats ("abc")
%!error id=gpureduce:invalid-input gpu_stats (1:3, 0)
%!error id=gpureduce:invalid-input gpu_stats (1:3, [1 1])
%!error id=gpureduce:invalid-input gpu_stats (1:3, "some")
%!error id=gpureduce:invalid-input gpu_stats (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_stats (1:3, "device", 1000)
%!assert ({gpu_stats([]).sum, gpu_stats([]).count}, {sum([]), 0})
## What the host makes of the numbers is made where they lie, if the array does.
%!test
%! rand ("twister", 3);
%! randn ("twister", 3);
%! for kind = {"double", "single", "int16", "uint64", "logical"}
%!   for k = 1:6
%!     x = [1 1e200](1 + (k == 5)) * 50 * randn (4, 9, 3);
%!     x(rand (size (x)) < [0.3 0.8](1 + mod (k, 2))) = NaN;
%!     x(rand (size (x)) < 0.1 * (k == 3)) = NA;
%!     x(rand (size (x)) < 0.1 * (k == 4)) = Inf;
%!     if (strcmp (kind{1}, "logical"))
%!       x = x > 0;
%!     else
%!       x = cast (x, kind{1});
%!     endif
%!     for dim = {1, 2, 3, [1 2]}
%!       s = gpu_stats (gpuArray (x), dim{1});
%!       assert (all (structfun (@isgpuarray, s)));
%!       s = structfun (@gather, s, "UniformOutput", false);
%!       h = gpu_stats (x, dim{1});
%!       assert (s, h);
%!       assert (structfun (@(v) sum (isna (v(:))), s), structfun (@(v) sum (isna (v(:))), h));
%!     endfor
%!   endfor
%! endfor
