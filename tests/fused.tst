## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Reductions of what waits: they read the expression's operands, and give what the same reduction of a computed array gives.

%!function [fused, plain] = both (f, reduce)      # f: the expression, made anew; of the computed one a copy is reduced
%!  fused = reduce (f ());
%!  g = f ();
%!  gather (g);
%!  plain = reduce (g);
%!endfunction
%!function assert_same_bits (a, b)
%!  a = gather (a);
%!  b = gather (b);
%!  assert (class (a), class (b));
%!  assert (size (a), size (b));
%!  assert (isequaln (a, b) && isequal (signbit (a), signbit (b)));
%!endfunction

%!test                                   # softmax_and_its_like_of_gpuArrays_are_those_of_host_arrays
%! for k = 1:60
%!   sz = {[randi(9), randi(30)], [1, randi(40)], [randi(40), 1], [randi(5), randi(6), randi(4)], [1 1]}{randi (5)};
%!   x = cast (randn (sz) * 10 ^ randi ([-2 3]), {"double", "single"}{randi (2)});
%!   x(rand (sz) < {0, 0.2, 0}{1 + mod(k, 3)}) = NaN;
%!   x(rand (sz) < {0, 0, 0.1}{1 + mod(k, 3)}) = Inf;
%!   x *= 1e36 ^ (mod (k, 7) == 0);     # sums of singles overflow
%!   for f = {@gpu_softmax, @gpu_logsumexp, @gpu_normalize}
%!     for args = {{}, {randi(3)}}
%!       y = f{1} (gpuArray (x), args{1}{:});
%!       assert (isgpuarray (y) || isscalar (y));
%!       assert (gather (y), f{1} (x, args{1}{:}));
%!     endfor
%!   endfor
%! endfor

%!test                                   # a_fused_reduction_has_the_bits_of_the_plain_one
%! shapes = {[1 1], [1 9], [40 30], [1000 7], [7 3000], [1 70000], [70000 1], [3 1100 5], [2 3 4 5]};
%! some = merge (strcmp (getenv ("CHECK_LONG"), "yes"), 1, 0.15);
%! for cls = {"double", "single", "int16", "uint8", "logical"}
%!   for k = 1:numel (shapes)
%!     s = shapes{k};
%!     x = gpuArray (cast (round (8 * (rand (s) - 0.4)), cls{1}));
%!     y = gpuArray (randi (9, s(1), 1));
%!     if (! isinteger (x) && ! islogical (x))
%!       x = x + rand (s, cls{1}) / 7;
%!     endif
%!     for f = {@() x .* 2 + 1, @() (double (x) - y) .^ 2, @() abs (single (x)) ./ 3, @() x > 1, @() exp (-double (x) ./ y)}
%!       for reduce = {@(e) sum (e), @(e) sum (e, 2), @(e) sum (e(:)), @(e) max (e), @(e) min (e, [], 2), @(e) mean (e), @(e) mean (e, 2), @(e) sumsq (e), ...
%!                     @(e) any (e), @(e) all (e, 2), @(e) nnz (e), @(e) sum (e, ndims (e)), @(e) sum (e, 5)}
%!         if (rand () < some)
%!           [fused, plain] = both (f{1}, reduce{1});
%!           assert_same_bits (fused, plain);
%!         endif
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!test                                   # so_have_variances_and_norms
%! x = gpuArray (rand (900, 35) - 0.5);
%! y = gpuArray (rand (1, 35));
%! for reduce = {@(e) var (e), @(e) std (e, 0, 2), @(e) var (e(:), 1), @(e) norm (e(:)), @(e) range (e)}
%!   [fused, plain] = both (@() (x - y) .* 3, reduce{1});
%!   assert_same_bits (fused, plain);
%! endfor

%!test                                   # results_in_doubt_are_those_of_the_computed_array
%! for v = {[Inf 1 2; -Inf 3 4], [NaN 1 NaN; NaN NaN 2], [NA 1; 2 NaN], [1e308 1e308; 1e308 -1e308], [-0 0; -0 -0]}
%!   x = gpuArray (v{1});
%!   for reduce = {@(e) sum (e), @(e) sum (e, 2), @(e) max (e), @(e) min (e), @(e) mean (e), @(e) sumsq (e), @(e) var (e)}
%!     [fused, plain] = both (@() x .* 1, reduce{1});
%!     assert_same_bits (fused, plain);
%!     assert (isna (gather (fused)), isna (gather (plain)));
%!   endfor
%! endfor

%!test                                   # what_was_reduced_is_still_what_it_was
%! x = gpuArray (rand (300, 4));
%! y = x .^ 2;
%! a = sum (y);
%! b = max (y);
%! x(1) = 7;
%! h = gather (y);
%! assert (gather (a), gather (sum (gpuArray (h))));
%! assert (gather (b), max (h));
%! assert (h(1) < 1);

%!test                                   # an_error_of_a_fused_reduction_is_that_of_the_plain_one
%! x = gpuArray (rand (5, 4));
%! for reduce = {@(e) sum (e, 0), @(e) sum (e, "other"), @(e) max (e, 3), @(e) mean (e, 1.5)}
%!   err = {[], []};
%!   for k = 1:2
%!     g = x + 1;
%!     if (k == 2)
%!       gather (g);
%!     endif
%!     try
%!       z = gather (reduce{1} (g));
%!       err{k} = z;
%!     catch e
%!       err{k} = {e.message, e.identifier};
%!     end_try_catch
%!   endfor
%!   assert (err{1}, err{2});
%! endfor

%!test                                   # arrays_in_other_sizes_wait_too
%! x = gpuArray (rand (30, 40) - 0.5);
%! h = gather (x);
%! for f = {@(x) sum (x(:)), @(x) sum (reshape (x, 60, 20)), @(x) max (abs (x(:) - 0.25)), @(x) sum (reshape (x .^ 2, [20 5 12]), 3), @(x) reshape (x, 1, []) + (1:3)', ...
%!          @(x) sum (reshape (x + 1, 1200, 1) .* (1:2)), @(x) reshape (x + ones (30, 1), [], 1) - reshape (2 * x, [], 1), @(x) reshape (reshape (x, 10, []) + 1, 40, 30) .* 2, ...
%!          @(x) mean (reshape (int8 (10 * x), 100, 12)), @(x) reshape (x > 0, [], 2) & true}
%!   a = gather (f{1} (x));
%!   b = f{1} (h);
%!   assert (class (a), class (b));
%!   assert (a, b, 1e-10);
%! endfor
%! y = x(:);
%! z = reshape (x, 1, []);
%! x(1) = 7;
%! assert (gather (y), h(:));
%! assert (gather (z), h(:)');
%! y(2) = 8;
%! assert (gather (x(2)), h(2));
