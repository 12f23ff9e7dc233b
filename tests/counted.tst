## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Histograms of what waits read what it is made of, and count as of a computed array.

%!function varargout = at_once (f, args)       # operations are computed at once
%!  gpu_config ("lazy", "off");
%!  unwind_protect
%!    [varargout{1:nargout}] = f (args{:});
%!  unwind_protect_cleanup
%!    gpu_config ("lazy", "on");
%!  end_unwind_protect
%!endfunction
%!function x = random_array (sizes, type)
%!  x = round (40 * randn (sizes)) / 8;
%!  if (any (strcmp (type, {"double", "single"})) && rand () < 0.7)
%!    odd = [NaN, NA, Inf, -Inf, -0, 0];
%!    at = rand (sizes) < 0.1;
%!    x(at) = odd(randi (numel (odd) - 2 * (rand () < 0.5), 1, nnz (at)));
%!  endif
%!  if (strcmp (type, "logical"))
%!    x = x > 0;
%!  endif
%!  x = gpuArray (cast (x, type));
%!endfunction
%!function c = pick (list)
%!  c = list{randi (numel (list))};
%!endfunction

%!test                                   # histograms_of_what_waits_are_those_of_what_is_computed
%! warning ("off", "all", "local");
%! expressions = {@(x, y, r) x - 0.25, @(x, y, r) x - y, @(x, y, r) abs (x - y), @(x, y, r) x .* r + 1, @(x, y, r) (x - y) .^ 2, @(x, y, r) x ./ y, @(x, y, r) x > y, ...
%!                @(x, y, r) exp (double (x)), @(x, y, r) single (x) + single (r), @(x, y, r) int16 (x) + 3, @(x, y, r) uint8 (x), @(x, y, r) int32 (100 * double (x)), ...
%!                @(x, y, r) x - mean (x), @(x, y, r) (x - mean (x)) ./ (std (double (x)) + 1), @(x, y, r) reshape (x - y, [], 1), @(x, y, r) x(:), @(x, y, r) max (x, y) .* 0};
%! sizes = {[1 1], [1 9], [40 30], [1000 7], [7 300], [1 70000], [70000 1], [3 500 5], [300 300]};
%! edges = @(n) pick ({linspace(-5, 5, n), sort(round (16 * randn (1, n)) / 8), [-Inf, sort(randn (1, n)), Inf], single(linspace (-3, 3, n)), 0:n});
%! calls = {@(e, a) histc (e, a), @(e, a) histc (e, a, 1), @(e, a) histc (e, a, 2), @(e, a) histc (e(:), a), @(e, a) hist (e(:), numel (a)), @(e, a) hist (e(:,:), 5), ...
%!          @(e, a) hist (e(:,:), double (a(isfinite (a)))), @(e, a) gpu_hist(e(:,:), 12, 1), @(e, a) histcounts (e), @(e, a) histcounts (e, numel (a)), @(e, a) histcounts (e, a), ...
%!          @(e, a) histcounts (e, "BinWidth", 0.5), @(e, a) histcounts (e, "BinLimits", [-1 1]), @(e, a) histcounts (e, "NumBins", 7, "BinLimits", [-1 2]), ...
%!          @(e, a) histcounts (e, 6, "Normalization", "pdf"), @(e, a) histcounts (e, "BinMethod", pick ({"integers", "sturges", "sqrt", "fd", "scott"})), ...
%!          @(e, a) gpu_reduce(e, "histogram", numel (a)), @(e, a) gpu_histcounts2(e, e, 5, "device", "auto"), @(e, a) histcounts (e, 5, "device", "cpu")};
%! for trial = 1:merge (strcmp (getenv ("CHECK_LONG"), "yes"), 6000, 120)
%!   s = pick (sizes);
%!   type = pick ({"double", "double", "single", "int16", "uint8", "logical", "int64"});
%!   x = random_array (s, type);
%!   y = random_array (pick ({s, [s(1) 1], [1 s(2:end)]}), type);
%!   r = gpuArray (rand (1, s(2)));
%!   f = pick (expressions);
%!   call = pick (calls);
%!   a = edges (2 + randi (30));
%!   state = rand ("state");
%!   is = want = cell (1, 2);
%!   err = {"", ""};
%!   for k = 1:2
%!     rand ("state", state);              # as it picks
%!     try
%!       if (k == 1)
%!         [is{:}] = call (f (x, y, r), a);
%!       else
%!         e = at_once (f, {x, y, r});
%!         [want{:}] = call (e, a);
%!       endif
%!     catch caught
%!       err{k} = caught.message;
%!     end_try_catch
%!   endfor
%!   assert (err{1}, err{2});
%!   if (! isempty (err{1}))
%!     continue;
%!   endif
%!   for k = 1:2
%!     if (! same_bits (gather (is{k}), gather (want{k})) || isgpuarray (is{k}) != isgpuarray (want{k}))
%!       error ("%s of %s of %s %s", func2str (call), func2str (f), type, mat2str (s));
%!     endif
%!   endfor
%! endfor

%!function waits = does_wait (g)
%!  waits = gpu_explain (g).waits;
%!endfunction

%!testif ; __gpureduce__ ("diagnose").devices == 0      # what_is_counted_once_is_not_computed: on a GPU tests/gpu/counted_expressions.m
%! x = gpuArray (randn (300, 40));
%! mu = mean (x);
%! for call = {@(e) histc (e, -2:2), @(e) histc (e, -2:2, 2), @(e) hist (e, -2:2), @(e) histcounts (e, 50), @(e) histcounts (e, [-1 0 1]), @(e) histcounts (e, "BinWidth", 0.5), ...
%!             @(e) histcounts (e, 8, "BinLimits", [-1 1]), @(e) hist (e), @(e) gpu_histc (e, -2:2), @(e) gpu_reduce (e, "histogram", 8, "limits", [-1 1])}
%!   e = x - mu;
%!   n = call{1} (e);
%!   assert (does_wait (e));
%!   n = call{1} (e);                          # by now it shall be
%!   assert (! does_wait (e));
%! endfor
%! for call = {@(e) histcounts (e), @(e) histcounts (e, "BinMethod", "fd"), @(e) median (e)}
%!   e = x - mu;
%!   n = call{1} (e);
%!   assert (! does_wait (e));
%! endfor
%! e = exp (x);                            # to make it twice would take longer
%! histcounts (e, 50);
%! assert (! does_wait (e));
%! e = exp (x);
%! histc (e, 0:5);
%! assert (does_wait (e));

%!test                                   # bins_of_the_elements_themselves
%! x = gpuArray (round (8 * randn (50, 30)) / 4);
%! [n, at] = histc (x - 0.25, -2:0.5:2);
%! [n0, at0] = histc (gather (x) - 0.25, -2:0.5:2);
%! assert (gather (n), n0);
%! assert (gather (at), at0);
%! [n, ~, at] = histcounts (x .* 2, 9);
%! [n0, ~, at0] = gpu_histcounts (gather (x) .* 2, 9);
%! assert (gather (n), n0);
%! assert (gather (at), at0);
%! assert (gather (gpu_histcounts2 (x + 1, x - 1, 5)), gpu_histcounts2 (gather (x) + 1, gather (x) - 1, 5));

%!test                                   # an_operand_may_change_after_it_was_counted
%! x = gpuArray (0:99);
%! e = x .* 2;
%! n = histc (e, 0:20:200);
%! x(1:50) = 1000;
%! assert (gather (n), histc (2 * (0:99), 0:20:200));
%! assert (gather (histc (e, 0:20:200)), histc (2 * (0:99), 0:20:200));
%! assert (gather (e), 2 * (0:99));
