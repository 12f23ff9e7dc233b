## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_cumprod (@var{x})
## @deftypefnx {} {@var{y} =} gpu_cumprod (@var{x}, @var{dim})
## @deftypefnx {} {@var{y} =} gpu_cumprod (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{y} =} gpu_cumprod (@dots{}, "device", @var{d})
## Cumulative product of the elements of @var{x} along dimension @var{dim}, as the
## built-in @code{cumprod}, computed on the GPU.
##
## @var{x} is a numeric or logical array of any size, real or complex, and @var{y} has its
## size; it is single for single @var{x}, double for every other class.  The default
## dimension is the first that is not 1.
##
## @table @asis
## @item @var{nanflag}
## "includenan" (default), or "omitnan": NaN elements count as 1.
## @end table
##
## Products go row by row within blocks of 256 rows (more where there are more than
## 16,777,216), and are then joined to the totals of the blocks before, taken one after the
## other.  So up to 256 rows the bits are the built-in's, beyond they differ in the last
## bits, and they are the same on every GPU and on the CPU.
## Where a total overflows or underflows, the whole is done in the built-in's order, which takes longer.
## Complex products with infinite parts may have NaN where the built-in has Inf, and NaN for its NA.
##
## Sparse and empty @var{x} go to the built-in.
##
## @example
## @group
## gpu_cumprod ([1 2; 3 4; 5 6])
##     @result{}  1    2
##         3    8
##        15   48
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source of the method: G. E. Blelloch, ``Prefix sums and their applications'' (1990).
## @seealso{gpu_cumsum, gpu_cummax, gpu_sum, gpu_options, cumprod}
## @end deftypefn

function y = gpu_cumprod (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  y = __gpureduce__ ("cumprod", varargin{:});
endfunction

%!assert (gpu_cumprod ([1 2; 3 4; 5 6]), [1 2; 3 8; 15 48])
%!test # no more over- or underflow than the built-in
%! for x = {exp(20 * sin ((1:5000)' .^ 2)), mod((1:3000)' * 7919, 1009) / 1009, single(exp (3 * sin ((1:2000)' .^ 2))), ...
%!           [ones(300, 1); 0; ones(600, 1)], [1e-200 * ones(600, 1); 1], complex(cos ((1:2000)'), sin ((1:2000)'))}
%!   assert (gpu_cumprod (x{1}), cumprod (x{1}), -1e5 * eps (class (x{1})));
%! endfor
## More: tests/cumulative_sums.tst
