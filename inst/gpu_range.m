## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_range (@var{x})
## @deftypefnx {} {@var{y} =} gpu_range (@var{x}, @var{dim})
## @deftypefnx {} {@var{y} =} gpu_range (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{y} =} gpu_range (@dots{}, "device", @var{d})
## Difference of the largest and the smallest element of @var{x} along dimension
## @var{dim}, as the built-in @code{range}, computed on the GPU.
##
## @var{x}, the default dimension, classes and sizes are as in @code{gpu_max}; the
## difference of integers saturates.
##
## @table @asis
## @item @var{dim}
## A dimension, a vector of dimensions to reduce over together, or "all".
##
## @item @var{nanflag}
## "omitnan" (default): NaN elements are skipped; "includenan": they make the result NaN.
## @end table
##
## The data is read once; where all elements are NaN, and with "includenan", more often.
##
## @example
## @group
## gpu_range ([1 5 2; 7 7 9])
##     @result{} 6   2   7
## gpu_range ([1 5 2; 7 7 9], "all")
##     @result{} 8
## @end group
## @end example
##
## Errors are those of @code{max}, with this function's name in front, and
## those of @code{gpu_options}, which has more on "device" and gpuArrays.
## @seealso{gpu_bounds, gpu_max, gpu_min, gpu_std, gpu_options, range}
## @end deftypefn

function y = gpu_range (varargin)

  if (nargin == 0)
    print_usage ();
  endif
  y = __gpureduce__ ("range", varargin{:});

endfunction

%!assert (gpu_range ([1 5 2; 7 7 9]), [6 2 7])
%!test
%! x = reshape (mod ((1:60) * 37, 23) - 7, 3, 4, 5);
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}
%!   y = cast (x, type{1});
%!   assert (gpu_range (y), range (y));
%!   for dim = 1:4
%!     assert (gpu_range (y, dim), range (y, dim));
%!     assert (gather (gpu_range (gpuArray (y), dim)), range (y, dim));
%!   endfor
%!   assert (class (gpu_range (y)), class (range (y)));
%!   assert (gpu_range (y, "all"), range (y(:)));
%!   assert (gpu_range (y, [1 2]), range (reshape (y, 12, 1, 5)));
%! endfor
%!assert (gpu_range (int8 ([-100 100])), int8 (127))
%!assert (gpu_range ([NaN 1 4]), 3)
%!assert (gpu_range ([NaN 1 4], "includenan"), NaN)
%!assert (gpu_range ([NaN 1 4], 2, "omitnan"), 3)
%!assert (gpu_range ([]), [])
%!assert (gpu_range (zeros (0, 3)), zeros (0, 3))
%!assert (gpu_range (5), 0)
%!assert (isgpuarray (gpu_range (gpuArray (magic (3)))))
%!assert (gpu_range (gpuArray (1:4)), 3)
%!assert (gpu_range (1:4, "device", "cpu"), 3)
%!error <Invalid call to gpu_range> gpu_range ()
%!test __gpr_same__ ("range", 1:3, 0)
%!test __gpr_same__ ("range", {1})
%!error id=gpureduce:invalid-input gpu_range (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_range (1:3, "device", 1000)
