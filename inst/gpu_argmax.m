## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{i} =} gpu_argmax (@var{x})
## @deftypefnx {} {@var{i} =} gpu_argmax (@var{x}, [], @var{dim})
## @deftypefnx {} {[@var{i}, @var{m}] =} gpu_argmax (@dots{})
## @deftypefnx {} {@var{i} =} gpu_argmax (@var{x}, [], "all")
## @deftypefnx {} {@var{i} =} gpu_argmax (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{i} =} gpu_argmax (@dots{}, "device", @var{d})
## Indices @var{i} of the largest elements of @var{x} along dimension @var{dim}, and
## the elements @var{m} themselves: the outputs of @code{gpu_max} in the other order,
## computed on the GPU.
##
## Arguments, sizes, classes, NaN and equal elements are as in @code{gpu_max} with one array: both
## results have the size of @var{x} with 1 in the reduced dimensions, but a dimension of length 0 stays 0.
## @var{i} is double and counts from 1 along the dimension; with "all" or a vector of
## dimensions it is a linear index: @code{x(i)} is @var{m}.  @var{m} has the class of @var{x} (double
## for characters).  The results are exact.
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
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: M. Harris, @cite{Optimizing Parallel Reduction in CUDA} (NVIDIA, 2007).
## @seealso{gpu_max, gpu_argmin, gpu_reduce, gpu_options, max}
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

%!assert (gpu_argmax (magic (4), [], "all"), 1)
%!assert (nthargout (1:2, @gpu_argmax, [3 9 2; 7 1 8], [], 2), {[2; 3], [9; 8]})
## More: tests/extremes.tst
