## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{r} =} gpu_iqr (@var{x})
## @deftypefnx {} {@var{r} =} gpu_iqr (@var{x}, @var{dim})
## @deftypefnx {} {@var{r} =} gpu_iqr (@dots{}, "device", @var{d})
## Interquartile range of the elements of @var{x} along dimension @var{dim}, as the built-in
## @code{iqr}, computed on the GPU: the distance from the quantile 0.25 to the quantile 0.75.
##
## @var{x} is a real array that is not empty, logical too where the running release takes that; the default dimension is
## the first that is longer than 1.  The result has the size of @var{x} with 1 in that dimension; it is single where @var{x}
## is, else double.  Several dimensions, "all" and several outputs go to the built-in, where the running release takes them.
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
%!test                                   # ranges_of_integers_are_doubles_computed_where_they_lie
%! rand ("seed", 7);
%! types = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"};
%! for type = types(1:end - ! __gpr_rule__ ("quantile_logical"))
%!   for sizes = {[1 9], [8 1], [7 5], [3 4 5], [1 1 6], [300 3]}
%!     x = rand (sizes{1}) > 0.5;
%!     if (! strcmp (type{1}, "logical"))
%!       x = cast (double (intmin (type{1})) + rand (sizes{1}) * (double (intmax (type{1})) - double (intmin (type{1}))), type{1});
%!     endif
%!     for args = {{}, {1}, {2}, {3}, {4}}
%!       r0 = iqr (x, args{1}{:});
%!       for y = {x, gpuArray(x)}
%!         r = gpu_iqr (y{1}, args{1}{:});
%!         assert (isgpuarray (r), isgpuarray (y{1}) && ! isscalar (r0));
%!         assert (class (gather (r)), class (r0));
%!         assert (gather (r), r0);
%!       endfor
%!     endfor
%!     gpu_iqr (y{1});
%!     assert (strcmp (gpu_config ("last").backend, "built-in"), false);
%!   endfor
%! endfor
%!test __gpr_same__ ("iqr", [true false true true])
%!test __gpr_same__ ("iqr", [1 2 5], [])
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
