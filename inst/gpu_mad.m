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
## floating-point @var{x} that is not empty: the distances are never stored.  With @var{opt} = 0, the default, it is
## @code{mean (abs (x - mean (x)))}, computed so of such a gpuArray; of other arrays, and for other classes, the built-in computes it.  The
## default dimension is the first that is longer than 1; the result has the class of @var{x} and its size with 1
## in that dimension.  Whether NaN is left out or makes the result NaN is as in the running Octave.
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
%!     for args = {{}, {0}, {0, 1}, {0, 2}, {0, 4}}
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
%! assert (gpu_mad (gpuArray (int8 ([1 2 9]))), mad (int8 ([1 2 9])));
%!error <gpu_mad: > gpu_mad (gpuArray (1:3), 0, 0)
%!error <gpu_mad: > gpu_mad (gpuArray (1:3), 2)
%!error <Invalid call> gpu_mad ()
%!error <gpu_mad: > gpu_mad ("a")
%!error <gpu_mad: > gpu_mad (1:3, 2)
%!error <gpu_mad: > gpu_mad (1:3, 1, 0)
