## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_cumsum (@var{x})
## @deftypefnx {} {@var{y} =} gpu_cumsum (@var{x}, @var{dim})
## @deftypefnx {} {@var{y} =} gpu_cumsum (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{y} =} gpu_cumsum (@dots{}, "device", @var{d})
## Cumulative sum of the elements of @var{x} along dimension @var{dim}, as the
## built-in @code{cumsum}, computed on the GPU.
##
## @var{x} is a numeric or logical array of any size, real or complex, and @var{y} has its
## size; it is single for single @var{x}, double for every other class.  The default
## dimension is the first that is not 1.
##
## @table @asis
## @item "native", "double"
## As the last argument, as in the built-in: integers and logicals in their own class (computed by
## the built-in), or singles in double.
##
## @item @var{nanflag}
## "includenan" (default), or "omitnan": NaN elements count as 0.
## @end table
##
## Up to 256 rows the bits are the built-in's.  Longer columns are cut into segments, which are
## summed and then joined to the sums of all before them, so their last bits differ; they are
## the same on every GPU and on the CPU.  Sums of numbers that are not negative never fall.
## Where an addition overflows, the column is done in the built-in's order, which takes longer.
##
## Sparse and empty @var{x} go to the built-in.
##
## @example
## @group
## gpu_cumsum ([1 2; 3 4; 5 6])
##     @result{} 1    2
##        4    6
##        9   12
## gpu_cumsum ([1 NaN 2], "omitnan")
##     @result{} 1   1   3
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source of the method: G. E. Blelloch, ``Prefix sums and their applications'' (1990);
## D. Merrill and M. Garland, ``Single-pass parallel prefix scan with decoupled look-back'' (2016),
## here with sums that are always taken from the left.
## @seealso{gpu_cumprod, gpu_cummax, gpu_sum, gpu_options, cumsum}
## @end deftypefn

function y = gpu_cumsum (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  y = __gpureduce__ ("cumsum", varargin{:});
endfunction

%!assert (gpu_cumsum ([1 2; 3 4; 5 6]), [1 2; 4 6; 9 12])
%!test __gpr_same__ ("cumsum", int8 ([100 100]), "native")
%!test __gpr_same__ ("cumsum", int8 ([100 100]))
%!test __gpr_same__ ("cumsum", [true true], "native")
%!test __gpr_same__ ("cumsum", [1.5 2], "native")
%!test __gpr_same__ ("cumsum", single (1:3), "double")
%!test __gpr_same__ ("cumsum", single ([0.1 0.2]), 2, "double")
%!test __gpr_same__ ("cumsum", 1:3, "foo")
%!test __gpr_same__ ("cumsum", 1:3, 0)
%!test # never falls where no number is negative
%! x = single (mod ((1:100000) * 7919, 1009)) / 1009;
%! assert (all (diff (gpu_cumsum (x)) >= 0));
%!test # an overflow on the way, as in the built-in
%! x = [1e308 * ones(1, 300), -1e308 * ones(1, 300)];
%! assert (gpu_cumsum (x), cumsum (x));
%!test
%! x = complex ([1 NaN NA 2], [2 1 NaN NA]);
%! assert (gpu_cumsum (x), cumsum (x));
%! assert (isna (gpu_cumsum (x)), isna (cumsum (x)));
## More: tests/cumulative_sums.tst
