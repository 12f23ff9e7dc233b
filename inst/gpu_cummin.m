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
## @var{x} is a numeric or logical array of any size; @var{w} has its size and class, and
## @var{iw} the place along @var{dim}, from 1, of each element of @var{w}, of equal ones the first.
## The default dimension is the first that is not 1.  Complex numbers are compared by @code{abs}, then
## by @code{arg}.
##
## @table @asis
## @item @var{nanflag}
## "omitnan" (default): NaN is skipped, and stands only before the first number (with place 1);
## "includenan": from the first NaN on the result is NaN.
##
## @item "device", @var{d}
## Where to compute: "gpu", "cpu", "auto" (wherever this call is fastest) or the
## number of a GPU, from 1.  Without it the GPU is used when there is one, else
## the CPU, with one warning (@code{gpureduce:cpu-fallback}) a session.
## @end table
##
## A gpuArray is computed where it lies, and the result stays there.  Sparse and
## empty @var{x} go to the built-in.
##
## @example
## @group
## [w, iw] = gpu_cummin ([5 3 4 6 1 2])
##     @result{} w = 5   3   3   3   1   1
##     @result{} iw = 1   2   2   2   5   5
## @end group
## @end example
##
## Errors are those of the built-in, with this function's name in front;
## @code{gpureduce:no-device} where a GPU is asked for and absent.
##
## Source of the method: G. E. Blelloch, ``Prefix sums and their applications'' (1990).
## @seealso{gpu_cummax, gpu_cumsum, gpu_min, gpuArray, cummin}
## @end deftypefn

function varargout = gpu_cummin (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  [varargout{1:max (1, nargout)}] = cumulative ("gpu_cummin", varargin{:});
endfunction

%!assert (nthargout (1:2, @gpu_cummin, [5 3 4 6 1 2]), {[5 3 3 3 1 1], [1 2 2 2 5 5]})
## More: tests/cumulative_extremes.tst
