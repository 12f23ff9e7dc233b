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
## Smallest elements of @var{x} along dimension @var{dim}, and their indices, or the
## elementwise smallest of two arrays, as the built-in @code{min}, computed on
## the GPU.
##
## Arguments, sizes, classes, NaN and equal elements are as in @code{gpu_max}: the results have
## the size of @var{x} with 1 in the reduced dimensions, @var{m} has its class (double
## for characters) and @var{i} is double; @var{nanflag} is "omitnan" (default) or "includenan".
## The results are exact for every class.
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
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: M. Harris, @cite{Optimizing Parallel Reduction in CUDA} (NVIDIA, 2007).
## @seealso{gpu_max, gpu_argmin, gpu_reduce, gpu_options, min}
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

%!assert (gpu_min ([3 9 2; 7 1 8], [], 2), [2; 1])
%!assert (nthargout (1:2, @gpu_min, [3 9 2; 7 1 8], [], 2), {[2; 1], [3; 2]})
## More: tests/extremes.tst
