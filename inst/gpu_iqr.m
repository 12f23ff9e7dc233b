## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{r} =} gpu_iqr (@var{x})
## @deftypefnx {} {@var{r} =} gpu_iqr (@var{x}, @var{dim})
## @deftypefnx {} {@var{r} =} gpu_iqr (@dots{}, "device", @var{d})
## Interquartile range of the elements of @var{x} along dimension @var{dim}, as the built-in
## @code{iqr}, computed on the GPU: the distance from the quantile 0.25 to the quantile 0.75.
##
## @var{x} is a real floating-point array that is not empty; the default dimension is the first that
## is longer than 1.  The result has the class and the size of @var{x}, with 1 in that dimension.  Other classes,
## several dimensions, "all" and several outputs go to the built-in, where the running release takes them.
##
## @example
## @group
## gpu_iqr ([1 2 3 4 5 6 7 8])
##     @result{} 4
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  The method is that of
## @code{gpu_quantile}; @code{gpu_options} has more on "device", gpuArrays and errors.
## @seealso{gpu_quantile, gpu_mad, gpu_std, gpu_options, iqr}
## @end deftypefn

function varargout = gpu_iqr (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  [varargout{1:max (1, nargout)}] = __gpureduce__ ("iqr", varargin{:});
endfunction

%!assert (gpu_iqr ([1 2 3 4 5 6 7 8]), 4)
%!test                                   # the built-in's values and shapes
%! for type = {"double", "single"}
%!   for sizes = {[1 9], [8 1], [7 5], [3 4 5], [1 1 6]}
%!     x = cast (100 * randn (sizes{1}), type{1});
%!     for args = {{}, {1}, {2}, {3}}
%!       assert (gpu_iqr (x, args{1}{:}), iqr (x, args{1}{:}));
%!     endfor
%!     x(1) = NaN;
%!     assert (gpu_iqr (x), iqr (x));
%!   endfor
%! endfor
%!test
%! x = rand (5, 4, 3);
%! assert (gpu_iqr (x, [1 2]), iqr (x, [1 2]));
%! assert (gpu_iqr (x, "all"), iqr (x, "all"));
%! g = gpu_iqr (gpuArray (x));
%! assert (isgpuarray (g));
%! assert (gather (g), iqr (x));
%!error <Invalid call> gpu_iqr ()
%!error <gpu_iqr: > gpu_iqr ("a")
%!error <gpu_iqr: > gpu_iqr (1:3, 0)
