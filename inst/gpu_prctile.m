## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{q} =} gpu_prctile (@var{x})
## @deftypefnx {} {@var{q} =} gpu_prctile (@var{x}, @var{p})
## @deftypefnx {} {@var{q} =} gpu_prctile (@var{x}, @var{p}, @var{dim})
## @deftypefnx {} {@var{q} =} gpu_prctile (@dots{}, "device", @var{d})
## Percentiles of the elements of @var{x} along dimension @var{dim}, as the built-in
## @code{prctile}, computed on the GPU.
##
## These are the quantiles @code{@var{p} / 100}: @code{gpu_quantile} says what goes for @var{x}, @var{dim},
## NaN, classes and shapes.  The default of @var{p} is @code{[0, 25, 50, 75, 100]}.  Where the running Octave's
## @code{prctile} takes a fourth argument, the method, it may follow @var{dim}.
##
## @example
## @group
## gpu_prctile ([1 2 3 4 5], [25 50])
##     @result{} 1.7500   3.0000
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  The method is that of
## @code{gpu_quantile}; @code{gpu_options} has more on "device", gpuArrays and errors.
## @seealso{gpu_quantile, gpu_median, gpu_iqr, gpu_options, prctile}
## @end deftypefn

function q = gpu_prctile (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  q = __gpureduce__ ("prctile", varargin{:});
endfunction

%!assert (gpu_prctile ([1 2 3 4 5], [25 50]), [1.75 3])
%!test                                   # the built-in's values and shapes
%! for type = {"double", "single", "int16"}
%!   for sizes = {[1 9], [8 1], [7 5], [3 4 5]}
%!     x = cast (100 * randn (sizes{1}), type{1});
%!     for args = {{}, {50}, {[1 33 99]}, {[1; 33; 99]}, {[10 90], 1}, {[10 90], 2}, {[10 90], 3}, {[]}}
%!       q = gpu_prctile (x, args{1}{:});
%!       q0 = prctile (x, args{1}{:});
%!       assert (class (q), class (q0));
%!       assert (q, q0);
%!     endfor
%!   endfor
%! endfor
%!test
%! if (__gpr_rule__ ("prctile_method"))
%!   x = rand (20, 3);
%!   assert (gpu_prctile (x, [5 95], 1, 8), prctile (x, [5 95], 1, 8));
%! endif
%!error <Invalid call> gpu_prctile ()
%!error <gpu_prctile: > gpu_prctile ("a")
%!error <gpu_prctile: > gpu_prctile (1:3, {1})
