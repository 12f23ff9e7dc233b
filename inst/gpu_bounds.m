## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {[@var{s}, @var{l}] =} gpu_bounds (@var{x})
## @deftypefnx {} {[@var{s}, @var{l}] =} gpu_bounds (@var{x}, @var{dim})
## @deftypefnx {} {[@var{s}, @var{l}] =} gpu_bounds (@dots{}, @var{nanflag})
## @deftypefnx {} {[@var{s}, @var{l}] =} gpu_bounds (@dots{}, "device", @var{d})
## Smallest and largest elements of @var{x} along dimension @var{dim}, as the built-in
## @code{bounds}, computed on the GPU.
##
## @var{x} is a numeric or logical array of any size.  The default dimension is the first
## that is longer than 1; @var{s} and @var{l} have the size of @var{x} with 1 in that
## dimension and its class.
##
## @table @asis
## @item @var{dim}
## A dimension, a vector of dimensions to reduce over together, or "all".
##
## @item @var{nanflag}
## "omitnan" (default): NaN elements are skipped; "includenan": they make the results NaN.
## @end table
##
## The data is read once; where a bound is zero or all elements are NaN, and with "includenan", more often.
##
## @example
## @group
## [s, l] = gpu_bounds ([3 1 2; 9 NaN 0], 2)
##     @result{} s = 1
##            0
##     @result{} l = 3
##            9
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
## @seealso{gpu_range, gpu_min, gpu_max, gpu_options, bounds}
## @end deftypefn

function [s, l] = gpu_bounds (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  if (nargout > 1)
    [s, l] = __gpureduce__ ("bounds", varargin{:});
  else
    s = __gpureduce__ ("bounds", varargin{:});
  endif
endfunction

%!function same (varargin)
%!  [s, l] = gpu_bounds (varargin{:});
%!  [s0, l0] = bounds (varargin{:});
%!  assert (s, s0);
%!  assert (l, l0);
%!  assert (class (s), class (s0));
%!endfunction
%!test
%! [s, l] = gpu_bounds ([3 1 2; 9 NaN 0], 2);
%! assert (s, [1; 0]);
%! assert (l, [3; 9]);
%!test
%! x = reshape (mod ((1:60) * 37, 23) - 7, 3, 4, 5);
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   y = cast (x, type{1});
%!   if (islogical (y) && ! __gpr_rule__ ("bounds_logical"))
%!     __gpr_same__ ("bounds", y);
%!     continue;
%!   endif
%!   same (y);
%!   for dim = 1:4
%!     same (y, dim);
%!   endfor
%!   [s, l] = gpu_bounds (y, "all");
%!   assert ([s l], [min(y(:)), max(y(:))]);
%!   [s, l] = gpu_bounds (y, [1 3]);
%!   assert (s, min (min (y, [], 1), [], 3));
%! endfor
%!test
%! same ([NaN 1 4]);
%! same ([NaN 1 4], "includenan");
%! same ([NaN 1 4; 2 3 NaN], 2, "includenan");
%! __gpr_same__ ("bounds", [NaN 1 4; 2 3 NaN], [], "includenan");
%! same ([]);
%! same (zeros (0, 3));
%! same (zeros (1, 0));
%! same (7);
%! same (ones (1, 1, 4) .* reshape (1:4, 1, 1, 4));
%!test
%! [s, l] = gpu_bounds (gpuArray (magic (4)), 1);
%! assert (isgpuarray (s) && isgpuarray (l));
%! assert (gather (s), min (magic (4)));
%! [s, l] = gpu_bounds (1:5, "device", "cpu");
%! assert ([s l], [1 5]);
%!error <Invalid call> gpu_bounds ()
%!error <Invalid call> gpu_bounds (1, 2, 3, 4)
%!error <gpu_bounds: X must be a numeric> gpu_bounds (["A"; "B"])
%!error <gpu_bounds: X must be a numeric> gpu_bounds ({1})
%!test __gpr_same__ ("bounds", 1, 1.5)
%!test __gpr_same__ ("bounds", 1, 0)
%!test __gpr_same__ ("bounds", 1, "some")
%!test __gpr_same__ ("bounds", [3 NaN 2], 2, false)
%!test __gpr_same__ ("bounds", [3 NaN 2], 2, "some")
%!error id=gpureduce:invalid-input gpu_bounds (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_bounds (1:3, "device", 1000)
%!test                                   # an empty DIM is the built-in's
%! __gpr_same__ ("bounds", [1 2; 3 4], []);
