## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{i} =} gpu_argmin (@var{x})
## @deftypefnx {} {@var{i} =} gpu_argmin (@var{x}, [], @var{dim})
## @deftypefnx {} {[@var{i}, @var{m}] =} gpu_argmin (@dots{})
## @deftypefnx {} {@var{i} =} gpu_argmin (@var{x}, [], "all")
## @deftypefnx {} {@var{i} =} gpu_argmin (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{i} =} gpu_argmin (@dots{}, "device", @var{d})
## Places @var{i} of the smallest elements of @var{x} along dimension @var{dim}, and
## the elements @var{m} themselves: the outputs of @code{gpu_min} the other way
## round, computed on the GPU.
##
## @var{x} is a numeric, logical or character array of any size.  The default
## dimension is the first that is not 1, and the results have the size of @var{x}
## with 1 in that place, but a dimension of length 0 stays 0.  @var{i} counts from
## 1 along the dimension and is double; @var{m} has the class of @var{x} (double
## for characters).
##
## @table @asis
## @item "all"
## In place of @var{dim}: over all elements, to one.
##
## @item a vector of dimensions
## In place of @var{dim}: over these dimensions together.  With it, as with "all",
## @var{i} is a linear index: @code{x(i)} is @var{m}.
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
## NaN elements are skipped; where all are NaN, the place is 1.  Of equal elements
## the first wins, and 0 and -0 are equal.  Complex numbers are compared by
## @code{abs}, then by @code{arg} in (-pi, pi].  The results are exact.
##
## "all", @var{nanflag} and "device" may be written in upper or lower case.  A
## gpuArray is reduced where it lies; a result with one element comes back as a
## number, others stay on the GPU.  Sparse @var{x} goes to the built-in
## @code{min}.
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
## Errors are those of the built-in, with this function's name in front and the
## built-in's identifier (@code{Octave:invalid-fun-call} for a wrong number of
## arguments); what only this function knows raises
## @code{gpureduce:invalid-input}, a GPU that is asked for and absent
## @code{gpureduce:no-device}.
##
## Reductions in parallel follow M. Harris, @cite{Optimizing Parallel Reduction in
## CUDA} (NVIDIA, 2007).
## @seealso{gpu_min, gpu_reduce, gpuArray, min}
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
