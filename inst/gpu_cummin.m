## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{w} =} gpu_cummin (@var{x})
## @deftypefnx {} {@var{w} =} gpu_cummin (@var{x}, @var{dim})
## @deftypefnx {} {[@var{w}, @var{iw}] =} gpu_cummin (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_cummin (@dots{}, @var{nanflag})
## @deftypefnx {} {[@dots{}] =} gpu_cummin (@dots{}, "device", @var{d})
## Cumulative minimum of the elements of @var{x} along dimension @var{dim}, as the
## built-in @code{cummin}, computed on the GPU.
##
## Arguments, NaN and equal elements are as in @code{gpu_cummax}: @var{w} has the size and class of
## @var{x}, and @var{iw} the index along @var{dim}, from 1, of each element of @var{w}.
##
## @example
## @group
## [w, iw] = gpu_cummin ([5 3 4 6 1 2])
##     @result{} w = 5   3   3   3   1   1
##     @result{} iw = 1   2   2   2   5   5
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source of the method: G. E. Blelloch, ``Prefix sums and their applications'' (1990).
## @seealso{gpu_cummax, gpu_cumsum, gpu_min, gpu_options, cummin}
## @end deftypefn

function varargout = gpu_cummin (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  [varargout{1:max (1, nargout)}] = __gpureduce__ ("cummin", varargin{:});
endfunction

%!assert (nthargout (1:2, @gpu_cummin, [5 3 4 6 1 2]), {[5 3 3 3 1 1], [1 2 2 2 5 5]})
## More: tests/cumulative_extremes.tst
