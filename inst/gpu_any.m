## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{t} =} gpu_any (@var{x})
## @deftypefnx {} {@var{t} =} gpu_any (@var{x}, @var{dim})
## @deftypefnx {} {@var{t} =} gpu_any (@dots{}, "all")
## @deftypefnx {} {@var{t} =} gpu_any (@dots{}, "device", @var{d})
## True where any element of @var{x} along dimension @var{dim} is not zero, as the
## built-in @code{any}, computed on the GPU.
##
## @var{x} is a numeric, logical or character array of any size.  The default
## dimension is the first that is not 1 (also when @var{dim} is 0, as in the
## built-in), and the result has the size of @var{x} with 1 in that place.
## No element of nothing is true: @code{gpu_any ([])} is false and
## @code{gpu_any (zeros (0, 3))} is @code{[0 0 0]}.  The result is logical.
##
## @table @asis
## @item "all"
## In place of @var{dim}: reduce over all elements, to one.
##
## @item a vector of dimensions
## In place of @var{dim}: reduce over these dimensions together, as in
## @code{gpu_any (x, [1 3])}.
##
## @item "device", @var{d}
## Where to compute: "gpu", "cpu", "auto" (wherever this call is fastest) or the
## number of a GPU, from 1.  Without it the GPU is used when there is one, else
## the CPU, with one warning (@code{gpureduce:cpu-fallback}) a session.
## @end table
##
## NaN and NA count as false for @code{gpu_any} (as true for @code{gpu_all}), also
## in one part of a complex number, as in the built-ins; -0 and @code{char (0)} are
## false.
##
## "all" and "device" may be written in upper or lower case.  A gpuArray is
## reduced where it lies; a result with one element comes back as a number, others
## stay on the GPU.  Sparse @var{x} goes to the built-in @code{any} and stays sparse.
## So do cells, structures and objects: the answer for them is the built-in's.
##
## @example
## @group
## gpu_any ([0 0 1; 0 0 0])
##     @result{} 0   0   1
## gpu_any ([0 0 1; 0 0 0], 2)
##     @result{} 1
##        0
## gpu_any ([0 NaN])
##     @result{} 0
## gpu_any (eye (3), "all")
##     @result{} 1
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
## @seealso{gpu_all, gpu_reduce, gpuArray, any}
## @end deftypefn

function t = gpu_any (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  t = __gpureduce__ ("any", varargin{:});
endfunction

%!assert (gpu_any ([0 0 1; 0 0 0]), [false false true])
%!assert (gpu_any ([0 NaN; 0 1], 2), [false; true])
## More: tests/logical.tst
