## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{q} =} gpu_quantile (@var{x})
## @deftypefnx {} {@var{q} =} gpu_quantile (@var{x}, @var{p})
## @deftypefnx {} {@var{q} =} gpu_quantile (@var{x}, @var{p}, @var{dim})
## @deftypefnx {} {@var{q} =} gpu_quantile (@var{x}, @var{p}, @var{dim}, @var{method})
## @deftypefnx {} {@var{q} =} gpu_quantile (@dots{}, "device", @var{d})
## Quantiles of the elements of @var{x} along dimension @var{dim}, as the built-in
## @code{quantile}, computed on the GPU.
##
## @var{x} is a real numeric array that is not empty, or a logical one where the running release takes that.  @var{p} is a vector of probabilities from
## 0 to 1 (default: @code{[0, 0.25, 0.5, 0.75, 1]}).  The default dimension is the first that is longer
## than 1.  The result has the size of @var{x} with one element for each of @var{p} in that dimension; a
## vector lies as @var{p} does.  It is single where @var{x} is, else double.  NaN elements are left
## out; quantiles of no elements are NaN.
##
## @var{method}, from 1 to 9, says which elements a quantile is made of, in the numbering of Hyndman and Fan;
## 5, the default, is piecewise linear where @code{p * n + 0.5} is the place of an element.
##
## GPU and CPU give the same bits.  What only some releases of Octave take, such as a number of evenly spaced
## probabilities, several dimensions or probabilities outside of 0 to 1, goes to the built-in.
##
## @example
## @group
## gpu_quantile ([4 1 3 2], 0.5)
##     @result{} 2.5000
## gpu_quantile ([1 2; 3 4; 5 6], [0 1])
##     @result{} 1   2
##        5   6
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## On the GPU a long column's elements are sampled, so that one reading leaves few candidates for each
## quantile; columns that fit shared memory are ordered there.  On the CPU they are counted by their leading bits.
## Methods: R. J. Hyndman and Y. Fan, @cite{Sample Quantiles in Statistical Packages} (1996).
## @seealso{gpu_prctile, gpu_median, gpu_iqr, gpu_options, quantile}
## @end deftypefn

function q = gpu_quantile (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  q = __gpureduce__ ("quantile", varargin{:});
endfunction

%!assert (gpu_quantile ([4 1 3 2], 0.5), 2.5)
%!assert (gpu_quantile ([1 2; 3 4; 5 6], [0 1]), [1 2; 5 6])
%!assert (gpu_quantile (single ([1 2 3]), 0.5), single (2))

## the built-in's values, classes and shapes, by all methods
%!function same (varargin)
%!  q = gpu_quantile (varargin{:});
%!  q0 = quantile (varargin{:});
%!  assert (class (q), class (q0));
%!  assert (size (q), size (q0));
%!  assert (isequaln (q, q0), "gpu_quantile differs for %s %s %s", class (varargin{1}), mat2str (size (varargin{1})), disp (varargin(2:end)));
%!endfunction
%!test
%! p = [0, 0.001, 0.1, 0.25, 1/3, 0.5, 0.5, 0.77, 0.999, 1];
%! for type = {"double", "single", "int8", "uint16", "int32"}
%!   for sizes = {[1 1], [1 7], [8 1], [4 5], [3 4 5], [2 1 6], [200 3], [3 200], [1 1 9]}
%!     x = cast (100 * randn (sizes{1}), type{1});
%!     for method = 1:9
%!       same (x, p, find ([sizes{1} 2] > 1, 1), method);
%!     endfor
%!     same (x);
%!     same (x, 0.3);
%!     same (x, p');
%!     for dim = 1:4
%!       same (x, p, dim);
%!       same (x, 0.6, dim);
%!     endfor
%!   endfor
%! endfor
%!test                                   # NaN is left out, infinities are numbers
%! for v = {NaN, NA, Inf, -Inf, -0}
%!   x = randi ([-3 3], 7, 60);
%!   x(rand (size (x)) < 0.4) = v{1};
%!   x(1, all (isna (x))) = 0;
%!   for method = 1:9
%!     for y = {x, single(x)}
%!       q = gpu_quantile (y{1}, [0 0.2 0.5 1], 1, method);
%!       assert (q, quantile (y{1}, [0 0.2 0.5 1], 1, method));
%!       assert (! any (isna (q)));
%!     endfor
%!   endfor
%!   same (x, [0.1 0.9], 2);
%! endfor
%!test                                   # quantiles of no numbers are NaN, of NA too
%! for x = {[NA; NA], single([NA; NaN; NA]), NA(40, 1), [NA, NA]}
%!   for method = [1 2 5]
%!     q = gpu_quantile (x{1}, [0.2 1], find (size (x{1}) > 1), method);
%!     assert (all (isnan (q) & ! isna (q)));
%!   endfor
%! endfor
%!test                                   # columns that are sorted whole, of every length, and longer ones
%! for n = 1:35
%!   x = randi ([-99 99], n, 40);
%!   x(rand (n, 40) < 0.1) = NaN;
%!   for y = {x, single(x), int16(x)}
%!     same (y{1}, [0.1 0.5 0.5 0.9], 1, 8);
%!     same (y{1}', [0.3 0.7], 2);
%!     assert (gpu_median (y{1}, 1), median (y{1}, 1));
%!     assert (gpu_median (y{1}', 2), median (y{1}, 1)');
%!   endfor
%! endfor
%!test                                   # long columns, few and many values
%! n = 300001;
%! for x = {rand(n, 1), 1e6 + 1e-6 * randn(n, 1), ones(n, 1), mod((1:n)', 7), [zeros(n, 1); 1], [rand(n, 1); NaN(n, 1)]}
%!   same (x{1}, [0 0.01 0.5 0.99 1]);
%!   same (single (x{1}), 0.3, 1, 7);
%!   same ([x{1}, flipud(x{1}), -x{1}]', [0.2 0.4], 2);
%! endfor
%!test                                   # quantiles_of_logical_elements_are_computed_where_they_lie
%! if (__gpr_rule__ ("quantile_logical"))
%!   rand ("seed", 7);
%!   for sizes = {[1 1], [1 7], [8 1], [4 5], [3 4 5], [300 3]}
%!     x = rand (sizes{1}) > 0.4;
%!     for method = 1:9
%!       for args = {{[0 0.3 0.5 1], 1, method}, {[0.2; 0.9], 2, method}, {0.5, 3, method}}
%!         same (x, args{1}{:});
%!         assert (gather (gpu_quantile (gpuArray (x), args{1}{:})), quantile (x, args{1}{:}));
%!       endfor
%!     endfor
%!     gpu_quantile (gpuArray (x));
%!     assert (strcmp (gpu_config ("last").backend, "built-in"), false);
%!     assert (gpu_prctile (x, [10 50]), prctile (x, [10 50]));
%!   endfor
%! endif
%!test                                   # what releases have rules of their own for
%! for args = {{rand(3, 4) > 0.5, 0.5}, {1:5, 2}, {1:5, [0.5 1.5]}, {1:5, [0.5 -1]}, {[], 0.5}, {zeros(0, 3), 0.5}}
%!   try
%!     q0 = quantile (args{1}{:});
%!   catch
%!     q0 = "refused";
%!   end_try_catch
%!   try
%!     q = gpu_quantile (args{1}{:});
%!   catch
%!     q = "refused";
%!   end_try_catch
%!   assert (q, q0);
%! endfor

%!error <Invalid call> gpu_quantile ()
%!error <gpu_quantile: > gpu_quantile ("a")
%!error <gpu_quantile: > gpu_quantile (1:3, "a")
%!error <gpu_quantile: > gpu_quantile (1:3, 0.5, 0)
%!error <gpu_quantile: > gpu_quantile (1:3, 0.5, 1.5)
%!error <gpu_quantile: > gpu_quantile (1:3, 0.5, 2, 10)
%!test
%! g = gpuArray (rand (50, 4));
%! q = gpu_quantile (g, [0.1 0.5]);
%! assert (isgpuarray (q));
%! assert (gather (q), quantile (gather (g), [0.1 0.5]));
%! assert (! isgpuarray (gpu_quantile (gpuArray (rand (50, 1)), 0.5)));
