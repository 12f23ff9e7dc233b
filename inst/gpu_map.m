## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{y} =} gpu_map (@var{f}, @var{x}, @dots{})
## @code{@var{f} (@var{x}, @dots{})}, computed on the GPU in one pass where its operations are elementwise.
##
## @var{f} is a function handle of as many arrays as follow: numeric, logical or character arrays of any sizes that @var{f} takes, or gpuArrays.  It
## is called once, with gpuArrays for the arrays.  Elementwise operations on these wait and are then computed together; what in @var{f} asks
## for a value is computed then.  Class and size of @var{y} are those that @var{f} gives of the arrays; it is a gpuArray if one of them is.
##
## @example
## @group
## gpu_map (@@(x) 2 * x .^ 2 + 1, [1 2 3])
##     @result{} 3    9   19
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} for what is no function handle; what @var{f} raises is not changed.
## @seealso{gpu_mapreduce, gpuArray, gpu_config}
## @end deftypefn

function y = gpu_map (f, varargin)

  if (nargin < 2)
    print_usage ();
  endif
  no_comm ("gpu_map", varargin);
  [y, gathers] = of_gpuarrays ("gpu_map", f, varargin);
  if (gathers && isa (y, "gpuArray"))
    y = gather (y);
  endif

endfunction

%!test
%! x = randn (50, 7);
%! assert (gpu_map (@(a) sqrt (abs (a)) - 1, x), sqrt (abs (x)) - 1);
%! assert (gpu_map (@(a, b) a > b, single (x), 0), single (x) > 0);
%! assert (gpu_map (@(a, b) a + b, int8 ([1 100]), int8 ([100; 2])), int8 ([1 100]) + int8 ([100; 2]));
%! y = gpu_map (@(a) a + 1, gpuArray (x));
%! assert (isa (y, "gpuArray"));
%! assert (gather (y), x + 1);
%!assert (gpu_map (@(a) sqrt (a), [-4 9]), [2i 3])
%!assert (gpu_map (@(a) {a}, 3), {3})
%!assert (gpu_map (@(a, b) size (b), 3, reshape ("comm", 1, 1, 4)), [1 1 4])
%!error <Invalid call> gpu_map (@(x) x)
%!error <gpu_map: F must be a function handle> gpu_map ("sin", 1:3)
