## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{w} =} gpu_cummax (@var{x})
## @deftypefnx {} {@var{w} =} gpu_cummax (@var{x}, @var{dim})
## @deftypefnx {} {[@var{w}, @var{iw}] =} gpu_cummax (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_cummax (@dots{}, @var{nanflag})
## @deftypefnx {} {[@dots{}] =} gpu_cummax (@dots{}, "device", @var{d})
## Cumulative maximum of the elements of @var{x} along dimension @var{dim}, as the
## built-in @code{cummax}, computed on the GPU.
##
## @var{x} is a numeric or logical array of any size; @var{w} has its size and class, and
## @var{iw} the index along @var{dim}, from 1, of each element of @var{w}, of equal ones the first.
## The default dimension is the first that is not 1.  Complex numbers are compared by @code{abs}, then
## by @code{arg}.
##
## @table @asis
## @item @var{nanflag}
## "omitnan" (default): NaN is skipped, and stands only before the first number (with index 1);
## "includenan": from the first NaN on the result is NaN.
## @end table
##
## Sparse and empty @var{x} go to the built-in.
##
## @example
## @group
## [w, iw] = gpu_cummax ([1 3 2 6 4 5])
##     @result{} w = 1   3   3   6   6   6
##     @result{} iw = 1   2   2   4   4   4
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source of the method: G. E. Blelloch, ``Prefix sums and their applications'' (1990).
## @seealso{gpu_cummin, gpu_cumsum, gpu_max, gpu_options, cummax}
## @end deftypefn

function varargout = gpu_cummax (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  [varargout{1:max (1, nargout)}] = __gpureduce__ ("cummax", varargin{:});
endfunction

%!assert (nthargout (1:2, @gpu_cummax, [1 3 2 6 4 5]), {[1 3 3 6 6 6], [1 2 2 4 4 4]})
## More: tests/cumulative_extremes.tst
