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
## Smallest elements of @var{x} along dimension @var{dim}, and their places, or the
## elementwise smallest of two arrays, as the built-in @code{min}, computed on
## the GPU.
##
## @var{x} is a numeric, logical or character array of any size.  The default
## dimension is the first that is not 1, and the results have the size of @var{x}
## with 1 in that place, but a dimension of length 0 stays 0:
## @code{gpu_min ([])} is @code{[](0x0)}.  @var{m} has the class of @var{x} (double
## for characters); @var{i}, always double, is where it was found, from 1 along
## the dimension, or as a linear index with "all" or a vector of dimensions.  With
## two arrays, @var{x} and @var{y} must have the same size or sizes that broadcast,
## and there is no second output; an integer with a double gives the integer class.
##
## @table @asis
## @item "all"
## In place of @var{dim}: reduce over all elements, to one.
##
## @item a vector of dimensions
## In place of @var{dim}: reduce over these dimensions together, as in
## @code{gpu_min (x, [], [1 3])}.
##
## @item "omitnan", "includenan"
## Skip NaN (and NA) elements (the default), or let the first of them win.
##
## @item "device", @var{d}
## Where to compute: "gpu", "cpu", "auto" (wherever this call is fastest) or the
## number of a GPU, from 1.  Without it the GPU is used when there is one, else
## the CPU, with one warning (@code{gpureduce:cpu-fallback}) a session.
## @end table
##
## NaN elements are skipped; where all are NaN, the result is NaN and its place 1.
## Of equal elements the first wins, and 0 and -0 are equal.  Complex numbers are
## compared by @code{abs}, then by @code{arg} in (-pi, pi]; so are real numbers of
## complex class.  The results are exact for every class.
##
## "all", @var{nanflag} and "device" may be written in upper or lower case.  A gpuArray is reduced
## where it lies; a result with one element comes back as a number, others stay on
## the GPU.  Sparse @var{x} goes to the built-in @code{min} and stays sparse; its places are full.
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
## Errors are those of the built-in, with this function's name in front and the
## built-in's identifier (@code{Octave:invalid-fun-call} for a wrong number of
## arguments); what only this function knows raises
## @code{gpureduce:invalid-input}, a GPU that is asked for and absent
## @code{gpureduce:no-device}.
##
## Reductions in parallel follow M. Harris, @cite{Optimizing Parallel Reduction in
## CUDA} (NVIDIA, 2007).
## @seealso{gpu_max, gpu_argmin, gpu_reduce, gpuArray, min}
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
