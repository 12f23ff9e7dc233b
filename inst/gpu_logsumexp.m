## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_logsumexp (@var{x})
## @deftypefnx {} {@var{y} =} gpu_logsumexp (@var{x}, @var{dim})
## @deftypefnx {} {@var{y} =} gpu_logsumexp (@dots{}, "device", @var{d})
## The logarithm of a sum of exponentials, @code{log (sum (exp (@var{x}), @var{dim}))}, computed without overflow.
##
## @var{x} is a real numeric or logical array of any size, or a gpuArray of one.  @var{dim} is a dimension, a vector of dimensions or "all"; the default
## is the first dimension that is not 1.  @var{y} has the size of @var{x} with 1 in these dimensions and is single for single @var{x}, double for
## every other class.
##
## With the largest element @var{m} it is @code{@var{m} + log (sum (exp (@var{x} - @var{m}), @var{dim}))}.  It is -Inf where all elements are -Inf or there are none,
## Inf where one is Inf, and NaN where one is NaN.
##
## @example
## @group
## gpu_logsumexp ([1000 1000])
##     @result{} 1000.7
## gpu_logsumexp (log ([1 2; 3 4]), 2)
##     @result{} 1.0986
##        1.9459
## gpu_logsumexp ([-Inf -Inf])
##     @result{} -Inf
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} for another @var{x} (a complex one, say) or @var{dim}.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: P. Blanchard, D. J. Higham, N. J. Higham, ``Accurately computing the log-sum-exp and softmax functions'',
## @cite{IMA J. Numer. Anal.} 41 (2021).
## @seealso{gpu_softmax, gpu_max, gpu_sum, gpu_options}
## @end deftypefn

function y = gpu_logsumexp (x, varargin)

  if (nargin == 0)
    print_usage ();
  endif
  [x, dim, options, gathers, ranks] = slices_to_compute ("gpu_logsumexp", [{x}, varargin]);
  y = logsumexp (x, dim, options, realmax (underlyingType (x)) * all (ranks.sizes));
  if (gathers)
    y = gather (y);
  endif
  y = result_of_ranks (ranks, dim, y);

endfunction

## MOST: the greatest number of the class; 0: there are no elements, whose maximum may have no sizes.
function y = logsumexp (x, dim, options, most)
  m = 0;
  if (most > 0)
    m = min (max (__gpureduce__ ("max:gpu_logsumexp", x, [], dim, options{:}), -most), most);   # Inf - Inf would be NaN
  endif
  y = m + log (__gpureduce__ ("sum:gpu_logsumexp", exp (x - m), dim, options{:}));
endfunction

%!assert (gpu_logsumexp ([1000 1000]), 1000 + log (2))
%!test                                   # logsumexp_is_the_formula: classes, shapes, dimensions
%! for type = {"double", "single", "int8", "uint16", "logical"}
%!   for sizes = {[1 1], [1 9], [8 1], [7 5], [3 4 5], [1 1 6], [300 200], [2 60000]}
%!     x = cast (round (5 * randn (sizes{1})), type{1});
%!     wide = x;
%!     if (! isfloat (x))
%!       wide = double (x);
%!     endif
%!     for dim = 1:4
%!       y = gpu_logsumexp (x, dim);
%!       y0 = log (sum (exp (double (x)), dim));
%!       assert (class (y), class (wide));
%!       assert (double (y), y0, 16 * (1 + sqrt (numel (x))) * double (eps (max (abs (wide(:)))) + eps (class (wide))));
%!     endfor
%!     (dim = find (size (x) != 1, 1)) || (dim = 1);
%!     assert (gpu_logsumexp (x), gpu_logsumexp (x, dim));
%!   endfor
%! endfor
%!test                                   # several dimensions, "all"
%! x = 3 * randn (4, 5, 6);
%! assert (gpu_logsumexp (x, [1 3]), log (sum (sum (exp (x), 1), 3)), 1e-13);
%! assert (gpu_logsumexp (x, "all"), log (sum (exp (x(:)))), 1e-13);
%! assert (gpu_logsumexp (x, "All"), gpu_logsumexp (x, [3 1 2]));
%!test                                   # infinities, NaN, and the ends of the range
%! x = [-Inf -Inf; Inf 2; Inf -Inf; Inf Inf; NaN 1; NaN NaN; NaN Inf; realmax realmax; -realmax -realmax; -Inf 3];
%! y = [-Inf; Inf; Inf; Inf; NaN; NaN; NaN; realmax; -realmax; 3];
%! assert (gpu_logsumexp (x, 2), y);
%! assert (gather (gpu_logsumexp (gpuArray (x), 2)), y);
%! x(8:9,:) = [3e38 3e38; -3e38 -3e38];
%! y(8:9) = [3e38; -3e38];
%! assert (gpu_logsumexp (single (x), 2), single (y));
%!test                                   # without elements it is the logarithm of 0, with sum's sizes
%! for sizes = {[0 0], [0 3], [3 0], [1 0], [2 0 3]}
%!   x = zeros (sizes{1}, "single");
%!   for dim = 1:3
%!     assert (gpu_logsumexp (x, dim), log (sum (x, dim)));
%!     assert (gather (gpu_logsumexp (gpuArray (x), dim)), log (sum (x, dim)));
%!   endfor
%! endfor
%!test                                   # gpuArrays stay where they are
%! old = gpu_config ("through_host", "error");
%! unwind_protect
%!   for x = {randn(30, 20), single(randn (5, 4, 3)), int16(randi (9, 6)), rand(4) > 0.5, 5, randn(1, 40), single(randn (3000, 1))}
%!     for dim = {1, 2, [1 2], "all"}
%!       y = gpu_logsumexp (gpuArray (x{1}), dim{1});
%!       y0 = gpu_logsumexp (x{1}, dim{1});
%!       assert (isgpuarray (y), ! isscalar (y0));
%!       assert (gather (y), y0, 16 * eps (class (y0)) * max (1, max (abs (y0(:)))));
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   gpu_config ("through_host", old);
%! end_unwind_protect
%!assert (gpu_logsumexp (sparse ([0 0; 0 0]), 2, "device", "cpu"), log ([2; 2]), eps)
%!error <Invalid call to gpu_logsumexp> gpu_logsumexp ()
%!error id=Octave:invalid-fun-call gpu_logsumexp (1, 2, 3)
%!error <gpu_logsumexp: X must be a real> gpu_logsumexp (1i)
%!error <gpu_logsumexp: X must be a real> gpu_logsumexp (gpuArray ("abc"))
%!error <gpu_logsumexp: DIM must be> gpu_logsumexp (1:3, -1)
