## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{v} =} gpu_std (@var{x})
## @deftypefnx {} {@var{v} =} gpu_std (@var{x}, @var{w})
## @deftypefnx {} {@var{v} =} gpu_std (@var{x}, @var{w}, @var{dim})
## @deftypefnx {} {@var{v} =} gpu_std (@dots{}, @var{nanflag})
## @deftypefnx {} {[@var{v}, @var{m}] =} gpu_std (@dots{})
## @deftypefnx {} {@var{v} =} gpu_std (@dots{}, "device", @var{d})
## Standard deviation of the elements of @var{x} along dimension @var{dim}, as the
## built-in @code{std}, computed on the GPU in one reading of @var{x}.
##
## It is the square root of the variance that @code{gpu_var} computes, and arguments, sizes and
## classes are as there: @var{w} is 0 (divide by n - 1), 1 (by n) or a vector of weights, @var{dim} a
## dimension, a vector of them or "all", @var{nanflag} "includenan" (default) or "omitnan".  The
## result is real, single for single @var{x} and double for every other class.  One element alone has
## std 0; without elements it is NaN.  @var{m} is the mean, where the built-in has this output.
##
## @example
## @group
## gpu_std ([2 4 4 4 5 5 7 9])
##     @result{} 2.1381
## gpu_std ([2 4 4 4 5 5 7 9], 1)
##     @result{} 2
## gpu_std ([1 2; 3 5; 5 NaN], 0, 1, "omitnan")
##     @result{} 2.0000   2.1213
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: T. F. Chan, G. H. Golub, R. J. LeVeque, ``Updating formulae and a pairwise
## algorithm for computing sample variances'' (1979).
## @seealso{gpu_var, gpu_mean, gpu_stats, gpu_options, std}
## @end deftypefn

function [v, m] = gpu_std (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  if (nargout > 1)
    [v, m] = __gpureduce__ ("std", varargin{:});
  else
    v = __gpureduce__ ("std", varargin{:});
  endif
endfunction

%!assert (gpu_std ([2 4 4 4 5 5 7 9], 1), 2, 4 * eps)
%!assert (gpu_std ([1 2; 3 5; 5 NaN], 0, 1, "omitnan"), [2 sqrt(4.5)], 8 * eps)
## More: tests/variances.tst, tests/weighted_variances.tst
