## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{t} =} gpu_all (@var{x})
## @deftypefnx {} {@var{t} =} gpu_all (@var{x}, @var{dim})
## @deftypefnx {} {@var{t} =} gpu_all (@dots{}, "all")
## @deftypefnx {} {@var{t} =} gpu_all (@dots{}, "device", @var{d})
## True where all elements of @var{x} along dimension @var{dim} are not zero, as
## the built-in @code{all}, computed on the GPU.
##
## Arguments and sizes are as in @code{gpu_any}, and the result is logical.  All elements of nothing
## are true: @code{gpu_all ([])} is true and @code{gpu_all (zeros (0, 3))} is @code{[1 1 1]}.
##
## NaN and NA count as true (as false in @code{gpu_any}), also in one part of a complex number, as in
## the built-ins (but @code{all} of Octave 7 takes NaN for false along the rows of a matrix of up to 8
## columns); -0 and @code{char (0)} are false.
##
## @example
## @group
## gpu_all ([1 0 1; 1 1 1])
##     @result{} 1   0   1
## gpu_all ([1 0 1; 1 1 1], 2)
##     @result{} 0
##        1
## gpu_all ([1 NaN])
##     @result{} 1
## gpu_all (ones (3), "all")
##     @result{} 1
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: M. Harris, @cite{Optimizing Parallel Reduction in CUDA} (NVIDIA, 2007).
## @seealso{gpu_any, gpu_reduce, gpu_options, all}
## @end deftypefn

function t = gpu_all (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  t = __gpureduce__ ("all", varargin{:});
endfunction

%!assert (gpu_all ([1 0 1; 1 1 1]), [true false true])
%!assert (gpu_all ([1 NaN; 1 0], 2), [true; false])
## More: tests/logical.tst
