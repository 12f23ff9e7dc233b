## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_softmax (@var{x})
## @deftypefnx {} {@var{y} =} gpu_softmax (@var{x}, @var{dim})
## @deftypefnx {} {@var{y} =} gpu_softmax (@dots{}, "device", @var{d})
## Softmax of @var{x} along dimension @var{dim}: @code{exp (@var{x}) ./ sum (exp (@var{x}), @var{dim})}, computed without overflow.
##
## @var{x} is a real numeric or logical array of any size, or a gpuArray of one.  @var{dim} is a dimension, a vector of dimensions or "all"; the default
## is the first dimension that is not 1.  @var{y} has the size of @var{x} and is single for single @var{x}, double for every other class; its
## elements are between 0 and 1, and along @var{dim} they add up to 1.
##
## The largest element is subtracted first: @code{e = exp (x - max (x, [], dim)); y = e ./ sum (e, dim)}, so the largest @code{e} is 1.  An element that is
## -Inf gives 0.  A NaN or an Inf among the elements, or nothing but -Inf, makes all of them NaN.
##
## @example
## @group
## gpu_softmax ([0 log(2) log(5)])
##     @result{} 0.1250   0.2500   0.6250
## gpu_softmax ([1000 1000; 0 0], 2)
##     @result{} 0.5000   0.5000
##        0.5000   0.5000
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} for another @var{x} (a complex one, say) or @var{dim}.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: P. Blanchard, D. J. Higham, N. J. Higham, ``Accurately computing the log-sum-exp and softmax functions'',
## @cite{IMA J. Numer. Anal.} 41 (2021).
## @seealso{gpu_logsumexp, gpu_normalize, gpu_max, gpu_sum, gpu_options}
## @end deftypefn

function y = gpu_softmax (x, varargin)

  if (nargin == 0)
    print_usage ();
  endif
  [x, dim, options, gathers, ranks] = slices_to_compute ("gpu_softmax", [{x}, varargin]);
  y = x;
  if (all (ranks.sizes))                        # the maximum of no elements may have no sizes
    y = softmax (x, dim, options);
  endif
  if (gathers)
    y = gather (y);
  endif

endfunction

function y = softmax (x, dim, options)
  e = exp (x - __gpureduce__ ("max:gpu_softmax", x, [], dim, options{:}));
  y = e ./ __gpureduce__ ("sum:gpu_softmax", e, dim, options{:});
endfunction

%!function y = formula (x, dim)
%!  e = exp (x - max (x, [], dim));
%!  y = e ./ sum (e, dim);
%!endfunction
%!assert (gpu_softmax ([0 log(2) log(5)]), [1 2 5] / 8, eps)
%!test                                   # softmax_is_the_formula: classes, shapes, dimensions
%! for type = {"double", "single", "int8", "uint16", "logical"}
%!   for sizes = {[1 1], [1 9], [8 1], [7 5], [3 4 5], [1 1 6], [300 200], [2 60000]}
%!     x = cast (round (5 * randn (sizes{1})) .* rand (), type{1});
%!     wide = x;
%!     if (! isfloat (x))
%!       wide = double (x);
%!     endif
%!     for dim = 1:4
%!       y = gpu_softmax (x, dim);
%!       assert (class (y), class (wide));
%!       assert (y, formula (wide, dim), 32 * numel (x) ^ (1/2) * eps (class (wide)));
%!     endfor
%!     (dim = find (size (x) != 1, 1)) || (dim = 1);
%!     assert (gpu_softmax (x), gpu_softmax (x, dim));
%!   endfor
%! endfor
%!test                                   # several dimensions, "all"
%! x = 3 * randn (4, 5, 6);
%! y = gpu_softmax (x, [1 3]);
%! assert (y, permute (reshape (formula (reshape (permute (x, [1 3 2]), 24, 5), 1), 4, 6, 5), [1 3 2]), 8 * eps);
%! for all = {"all", "ALL", 1:3, [3 1 2 7]}
%!   assert (gpu_softmax (x, all{1}), reshape (formula (x(:), 1), size (x)), 8 * eps);
%! endfor
%!test                                   # nothing overflows, and what is far below is 0
%! assert (gpu_softmax ([1e308 1e308 -1e308]), [0.5 0.5 0]);
%! assert (gpu_softmax (single ([-3e38 -3e38 -Inf])), single ([0.5 0.5 0]));
%! assert (gpu_softmax ([0 -Inf; NaN 1; Inf 1; -Inf -Inf], 2), [1 0; NaN NaN; NaN NaN; NaN NaN]);
%!test                                   # empty and sparse arrays
%! for sizes = {[0 0], [0 3], [3 0], [1 0], [2 0 3]}
%!   for dim = 1:3
%!     assert (gpu_softmax (zeros (sizes{1}), dim), zeros (sizes{1}));
%!     assert (gather (gpu_softmax (gpuArray (zeros (sizes{1})), dim)), zeros (sizes{1}));
%!   endfor
%! endfor
%! assert (gpu_softmax (zeros (0, 2), "all"), zeros (0, 2));
%! assert (gpu_softmax (sparse ([0 0; 3 3])), [1 1; exp(3) exp(3)] ./ (1 + exp (3)), eps);
%!test                                   # gpuArrays stay where they are
%! old = gpu_config ("through_host", "error");
%! unwind_protect
%!   for x = {randn(30, 20), single(randn (5, 4, 3)), int16(randi (9, 6)), rand(4) > 0.5, 5, randn(1, 40), single(randn (3000, 1))}
%!     for dim = {1, 2, [1 2], "all"}
%!       y = gpu_softmax (gpuArray (x{1}), dim{1});
%!       assert (isgpuarray (y));
%!       assert (gather (y), gpu_softmax (x{1}, dim{1}), 8 * eps (class (gpu_softmax (x{1}))));
%!     endfor
%!   endfor
%!   assert (gather (gpu_softmax (gpuArray ([1 2; 3 5]) - 1, gpuArray (2))), gpu_softmax ([0 1; 2 4], 2), 2 * eps);
%! unwind_protect_cleanup
%!   gpu_config ("through_host", old);
%! end_unwind_protect
%!assert (gpu_softmax ([1 1; 2 2], 2, "device", "cpu"), [0.5 0.5; 0.5 0.5])
%!error <Invalid call to gpu_softmax> gpu_softmax ()
%!error id=Octave:invalid-fun-call gpu_softmax (1, 2, 3)
%!error id=gpureduce:invalid-input gpu_softmax (1:3, "device", "toaster")
%!error <gpu_softmax: X must be a real> gpu_softmax (1i)
%!error <gpu_softmax: X must be a real> gpu_softmax (complex (1:3, 0))
%!error <gpu_softmax: X must be a real> gpu_softmax (gpuArray (complex (1:3, 0)))
%!error <gpu_softmax: X must be a real> gpu_softmax ("abc")
%!error <gpu_softmax: X must be a real> gpu_softmax ({1})
%!error <gpu_softmax: DIM must be> gpu_softmax (1:3, 0)
%!error <gpu_softmax: DIM must be> gpu_softmax (1:3, 1.5)
%!error <gpu_softmax: DIM must be> gpu_softmax (1:3, [1 1])
%!error <gpu_softmax: DIM must be> gpu_softmax (1:3, [])
%!error <gpu_softmax: DIM must be> gpu_softmax (1:3, 1:0)
%!error <gpu_softmax: DIM must be> gpu_softmax (1:3, "foo")
%!error <gpu_softmax: DIM must be> gpu_softmax (1:3, {1})
