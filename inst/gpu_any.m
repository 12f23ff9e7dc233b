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
## built-in), and the result has the size of @var{x} with 1 in that dimension.
## No element of nothing is true: @code{gpu_any ([])} is false and
## @code{gpu_any (zeros (0, 3))} is @code{[0 0 0]}.  The result is logical.
##
## @table @asis
## @item @var{dim}
## A dimension, a vector of dimensions to reduce together, or "all".
## @end table
##
## NaN and NA count as false for @code{gpu_any} (as true for @code{gpu_all}), also
## in one part of a complex number, as in the built-ins; -0 and @code{char (0)} are
## false.
##
## Sparse @var{x} goes to the built-in @code{any} and stays sparse.
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
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: M. Harris, @cite{Optimizing Parallel Reduction in CUDA} (NVIDIA, 2007).
## @seealso{gpu_all, gpu_reduce, gpu_options, any}
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
