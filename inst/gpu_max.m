## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{m} =} gpu_max (@var{x})
## @deftypefnx {} {@var{m} =} gpu_max (@var{x}, [], @var{dim})
## @deftypefnx {} {[@var{m}, @var{i}] =} gpu_max (@dots{})
## @deftypefnx {} {@var{m} =} gpu_max (@var{x}, @var{y})
## @deftypefnx {} {@var{m} =} gpu_max (@var{x}, [], "all")
## @deftypefnx {} {@var{m} =} gpu_max (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{m} =} gpu_max (@dots{}, "device", @var{d})
## Largest elements of @var{x} along dimension @var{dim}, and their indices, or the
## elementwise largest of two arrays, as the built-in @code{max}, computed on
## the GPU.
##
## @var{x} is a numeric, logical or character array of any size.  The default
## dimension is the first that is not 1, and the results have the size of @var{x}
## with 1 in that dimension, but a dimension of length 0 stays 0:
## @code{gpu_max ([])} is @code{[](0x0)}.  @var{m} has the class of @var{x} (double
## for characters); @var{i}, always double, is where it was found, from 1 along
## the dimension, or as a linear index with "all" or a vector of dimensions.  With
## two arrays, @var{x} and @var{y} must have the same size or sizes that broadcast,
## and there is no second output; an integer with a double gives the integer class.
##
## @table @asis
## @item @var{dim}
## A dimension, a vector of dimensions to reduce together, or "all".
##
## @item "omitnan", "includenan"
## Skip NaN (and NA) elements (the default), or let the first of them win.
## @end table
##
## NaN elements are skipped; where all are NaN, the result is NaN and its index 1.
## Of equal elements the first wins, and 0 and -0 are equal.  Complex numbers are
## compared by @code{abs}, then by @code{arg} in (-pi, pi]; so are real numbers of
## complex class.  The results are exact for every class.
##
## Sparse @var{x} goes to the built-in @code{max} and stays sparse; its indices are full.
##
## @example
## @group
## gpu_max ([3 9 2; 7 1 8])
##     @result{} 7   9   8
## [m, i] = gpu_max ([3 9 2; 7 1 8], [], 2)
##     @result{} m = 9
##            8
##     @result{} i = 2
##            3
## gpu_max ([1 NaN 3])
##     @result{} 3
## gpu_max ([3 9 2; 7 1 8], [], "all")
##     @result{} 9
## gpu_max ([1 5 3], 2)
##     @result{} 2   5   3
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: M. Harris, @cite{Optimizing Parallel Reduction in CUDA} (NVIDIA, 2007).
## @seealso{gpu_min, gpu_argmax, gpu_reduce, gpu_options, max}
## @end deftypefn

function [m, i] = gpu_max (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  if (nargout > 1)
    [m, i] = __gpureduce__ ("max", varargin{:});
  else
    m = __gpureduce__ ("max", varargin{:});
  endif
endfunction

%!assert (gpu_max ([3 9 2; 7 1 8], [], 2), [9; 8])
%!assert (nthargout (1:2, @gpu_max, [3 9 2; 7 1 8], [], 2), {[9; 8], [2; 3]})
%!assert (gpu_max ([1 2; 3 4], [], gpuArray ([1 2])), 4)
%!warning <gpu_max: second argument is ignored> assert (gpu_max ([1 2; 3 4], 9, 2), [2; 4])
%!test
%! if (__gpr_rule__ ("sum_options"))
%!   __gpr_same__ ("max", [1 NaN 3], 3:-1:1, "includenan");
%! else
%!   fail ("gpu_max (1:3, 3:-1:1, \"omitnan\")", "gpu_max: nanflag does not go");
%! endif
## More: tests/extremes.tst
