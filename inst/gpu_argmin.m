## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{i} =} gpu_argmin (@var{x})
## @deftypefnx {} {@var{i} =} gpu_argmin (@var{x}, [], @var{dim})
## @deftypefnx {} {[@var{i}, @var{m}] =} gpu_argmin (@dots{})
## @deftypefnx {} {@var{i} =} gpu_argmin (@var{x}, [], "all")
## @deftypefnx {} {@var{i} =} gpu_argmin (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{i} =} gpu_argmin (@dots{}, "device", @var{d})
## Indices @var{i} of the smallest elements of @var{x} along dimension @var{dim}, and
## the elements @var{m} themselves: the outputs of @code{gpu_min} in the other order,
## computed on the GPU.
##
## Arguments, sizes, classes, NaN and equal elements are as in @code{gpu_argmax}: @var{i} is double,
## from 1 along the dimension, or a linear index with "all" or a vector of dimensions; @var{m} has the
## class of @var{x} (double for characters).
##
## @example
## @group
## gpu_argmin ([3 9 2; 7 1 8])
##     @result{} 1   2   1
## [i, m] = gpu_argmin ([3 9 2; 7 1 8], [], 2)
##     @result{} i = 3
##            2
##     @result{} m = 2
##            1
## gpu_argmin ([3 9 2; 7 1 8], [], "all")
##     @result{} 4
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: M. Harris, @cite{Optimizing Parallel Reduction in CUDA} (NVIDIA, 2007).
## @seealso{gpu_min, gpu_argmax, gpu_reduce, gpu_options, min}
## @end deftypefn

function [i, m] = gpu_argmin (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  if (nargout > 1)
    [i, m] = __gpureduce__ ("argmin", varargin{:});
  else
    i = __gpureduce__ ("argmin", varargin{:});
  endif
endfunction

%!assert (gpu_argmin (magic (4), [], "all"), 16)
%!assert (nthargout (1:2, @gpu_argmin, [3 9 2; 7 1 8], [], 2), {[3; 2], [2; 1]})
## More: tests/extremes.tst
