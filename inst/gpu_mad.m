## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{m} =} gpu_mad (@var{x})
## @deftypefnx {} {@var{m} =} gpu_mad (@var{x}, @var{opt})
## @deftypefnx {} {@var{m} =} gpu_mad (@var{x}, @var{opt}, @var{dim})
## @deftypefnx {} {@var{m} =} gpu_mad (@dots{}, "device", @var{d})
## Mean or median absolute deviation of the elements of @var{x} along dimension @var{dim}, as the
## built-in @code{mad}.
##
## With @var{opt} = 1 it is @code{median (abs (x - median (x)))}, computed on the GPU for a real
## @var{x} that is not empty: of floating-point numbers the distances are never stored.  With @var{opt} = 0, the default, it is
## @code{mean (abs (x - mean (x)))}, computed so of such a gpuArray; of other arrays the built-in computes it, as it does with either
## @var{opt} of gpuArrays of 64-bit integers.  Distances of integers are rounded and saturate, as @code{x - mean (x)} does.
##
## The default dimension is the first that is longer than 1; the result has the size of @var{x} with 1
## in that dimension, and the class of @var{x}, but double for means of integers and for logical @var{x}.  Whether NaN is left out or makes
## the result NaN is as in the running Octave.
##
## @example
## @group
## gpu_mad ([1 2 3 4 100], 1)
##     @result{} 1
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  The method is that of
## @code{gpu_median}, twice; @code{gpu_options} has more on "device", gpuArrays and errors.
## @seealso{gpu_median, gpu_iqr, gpu_std, gpu_options, mad}
## @end deftypefn

function m = gpu_mad (x, opt = 0, dim, varargin)

  if (nargin == 0)
    print_usage ();
  endif
  if (isempty (opt))
    opt = 0;
  endif
  if (nargin < 3)
    given = {};
  else
    given = [{dim}, varargin];
  endif
  if (isa (x, "gpuArray") && isequal (opt, 0) && numel (given) < 2)
    if (isempty (given))
      (dim = find (size (x) > 1, 1)) || (dim = 1);
    endif
    if (__gpr_octave__ ("is_plain_call", x, dim))
      nanflag = {"includenan", "omitnan"}{1 + __gpr_rule__("mad_omits_nan")};
      m = __gpureduce__ ("mean:gpu_mad", abs (x - __gpureduce__ ("mean:gpu_mad", x, dim, nanflag)), dim, nanflag);
      return;
    endif
  endif
  m = __gpureduce__ ("mad", x, opt, given{:});

endfunction

%!assert (gpu_mad ([1 2 3 4 100], 1), 1)
%!test                                   # the built-in's values and shapes
%! for type = {"double", "single", "int16"}
%!   for sizes = {[1 1], [1 9], [8 1], [7 5], [3 4 5], [1 1 6]}
%!     x = cast (100 * randn (sizes{1}), type{1});
%!     for args = {{}, {0}, {1}, {1, 1}, {1, 2}, {1, 3}, {0, 2}}
%!       m = gpu_mad (x, args{1}{:});
%!       m0 = mad (x, args{1}{:});
%!       assert (class (m), class (m0));
%!       tolerance = 0;
%!       if (isfloat (x))          # releases add and halve in other ways
%!         tolerance = 4 * eps (max (abs (x(:))));
%!       endif
%!       assert (m, m0, tolerance);
%!     endfor
%!   endfor
%! endfor
%!test                                   # NaN and infinities, as in the running Octave
%! for v = {NaN, Inf, -Inf}
%!   x = randi ([-9 9], 9, 50);
%!   x(rand (size (x)) < 0.1) = v{1};
%!   assert (gpu_mad (x, 1), mad (x, 1));
%!   assert (gpu_mad (single (x), 1, 2), mad (single (x), 1, 2));
%! endfor
%!test                                   # long columns
%! x = randn (200001, 2);
%! assert (gpu_mad (x, 1), mad (x, 1));
%! assert (gpu_mad (x', 1, 2), mad (x', 1, 2));
%!test
%! x = rand (40, 3);
%! g = gpu_mad (gpuArray (x), 1);
%! assert (isgpuarray (g));
%! assert (gather (g), mad (x, 1));
%!test                                   # mean_deviations_of_a_gpuArray_are_computed_where_it_lies
%! for type = {"double", "single"}
%!   for sizes = {[1 1], [1 9], [8 1], [7 5], [3 4 5], [1000 40]}
%!     x = cast (100 * randn (sizes{1}), type{1});
%!     for args = {{}, {0}, {[], 2}, {0, 1}, {0, 2}, {0, 4}}
%!       before = gpu_config ("through_host", "count");
%!       m = mad (gpuArray (x), args{1}{:});
%!       assert (gpu_config ("through_host", "count"), before);
%!       m0 = mad (x, args{1}{:});
%!       assert (isgpuarray (m), ! isscalar (m0));
%!       assert (class (gather (m)), class (m0));
%!       assert (gather (m), m0, 8 * eps (max (abs (x(:)))));
%!     endfor
%!   endfor
%! endfor
%! for v = {NaN, Inf}
%!   x = randn (9, 50);
%!   x(rand (size (x)) < 0.1) = v{1};
%!   assert (gather (gpu_mad (gpuArray (x))), mad (x), 1e-14);
%! endfor
%!test                                   # deviations_of_integers_round_and_saturate_as_the_builtins
%! warning ("off", "all", "local");      # of halves as logical values, in the built-in
%! rand ("seed", 7);
%! for type = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   for sizes = {[1 1], [1 7], [8 1], [3 4 2], [300 3]}
%!     if (strcmp (type{1}, "logical"))
%!       arrays = {rand(sizes{1}) > 0.5, mod(reshape (1:prod (sizes{1}), sizes{1}), 2) == 1};
%!     else
%!       ends = double ([intmin(type{1}), intmax(type{1})]);
%!       arrays = {cast(ends(1) + diff (ends) * rand (sizes{1}), type{1}), cast(ends(1) + diff (ends) * round (rand (sizes{1})), type{1}), ...
%!                 cast(floor (8 * rand (sizes{1})) - 4, type{1}), cast(ends(2) - floor (9 * rand (sizes{1})), type{1})};
%!     endif
%!     calls = {{1}, {1, 1}, {1, 2}, {1, 5}, {}, {[], 1}, {0, 3}};
%!     if (any (strfind (type{1}, "64")))                 # the built-in's own, which some releases have wrong
%!       calls = calls(1:4);
%!     endif
%!     for x = arrays
%!       for args = calls
%!         m0 = mad (x{1}, args{1}{:});
%!         for y = {x{1}, gpuArray(x{1})}
%!           m = gpu_mad (y{1}, args{1}{:});
%!           assert (isgpuarray (m), isgpuarray (y{1}) && ! isscalar (m0));
%!           assert (class (gather (m)), class (m0));
%!           assert (gather (m), m0, islogical (x{1}) * isgpuarray (y{1}) * 1e-14);       # other orders of sums
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! endfor
%!test                                   # deviations_of_integers_are_computed_where_they_lie
%! for x = {int8([1 2; 3 9]), uint16([1 2; 3 9]), int32([1 2; 3 9]), [true false; true true]}
%!   for call = {{x{1}, 1}, {gpuArray(x{1}), 1}, {gpuArray(x{1}), 0, 2}}
%!     gpu_mad (call{1}{:});
%!     assert (strcmp (gpu_config ("last").backend, "built-in"), false);
%!   endfor
%! endfor
%!error <gpu_mad: > gpu_mad (int8 (1:3), 1, 0)
%!error <gpu_mad: > gpu_mad (gpuArray (true (1, 3)), 0, 1.5)
%!error <gpu_mad: > gpu_mad (gpuArray (1:3), 0, 0)
%!error <gpu_mad: > gpu_mad (gpuArray (1:3), 2)
%!error <Invalid call> gpu_mad ()
%!error <gpu_mad: > gpu_mad ("a")
%!error <gpu_mad: > gpu_mad (1:3, 2)
%!error <gpu_mad: > gpu_mad (1:3, 1, 0)
