## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Cumulative functions of what waits: they read the expression's operands, and give what the same function of a computed array gives.

%!function [scanned, plain, waits] = both (f, scan, outputs)  # f: the expression, made anew; waits: the first was not computed
%!  scanned = plain = cell (1, outputs);
%!  e = f ();
%!  [scanned{:}] = scan (e);
%!  waits = gpu_explain (e).waits;
%!  g = f ();
%!  gather (g);
%!  [plain{:}] = scan (g);
%!endfunction
%!function waits = check_both (f, scan, outputs, said)
%!  [scanned, plain, waits] = both (f, scan, outputs);
%!  for k = 1:outputs
%!    if (! (same_bits (gather (scanned{k}), gather (plain{k})) && isgpuarray (scanned{k}) == isgpuarray (plain{k})))
%!      error ("output %d of %s of %s %s", k, func2str (scan), func2str (f), said);
%!    endif
%!  endfor
%!endfunction
%!function x = numbers (s, cls)
%!  x = 3 * randn (s);
%!  switch (randi (5))
%!    case 1
%!      x = 1 + x / 1000;
%!    case 2
%!      x(randi (numel (x), 1, 3)) = {NaN, NA, Inf, -Inf, 0, -0, 1e308, 1e-300}{randi (8)};
%!    case 3
%!      x(1:randi (numel (x))) = {NaN, NA, -0}{randi (3)};
%!  endswitch
%!  x = cast (x, cls);
%!endfunction
%!function f = random_expression (x, y)
%!  f = {@() x .* 2 + 1, @() x - y, @() x .* 1, @() -x, @() abs (x) ./ y, @() x(:) .* 1, @() reshape (x + 1, [], rows (x)), @() max (x, y), @() single (x) .* 1, ...
%!       @() sqrt (abs (x)) + y, @() x > 1, @() (x > y) & true, @() int8 (x) + 1}{randi (13)};
%!endfunction
%!function at_once (n, f)       # with so many threads
%!  old = gpu_config ("threads", n);
%!  unwind_protect
%!    f ();
%!  unwind_protect_cleanup
%!    gpu_config ("threads", old);
%!  end_unwind_protect
%!endfunction
%!function random_scans (rounds)
%!  shapes = {[1 1], [1 9], [9 1], [40 30], [1000 7], [7 3000], [1 70000], [70000 1], [3 1100 5], [2 3 4 5], [300 40 3], [256 100], [257 100], [500 700], [700 500], ...
%!            [33 5000], [100 3 600], [3 90000], [1 300 40], [2 20 2000]};
%!  for k = 1:rounds
%!    s = shapes{randi (numel (shapes))};
%!    cls = {"double", "double", "single", "int16", "uint8", "int32"}{randi (6)};
%!    x = gpuArray (numbers (s, cls));
%!    y = gpuArray (cast (randi (9, s(1), 1), cls));
%!    name = {"cumsum", "cumprod", "cummax", "cummin"}{randi (4)};
%!    d = randi (4);
%!    check_both (random_expression (x, y), @(e) feval (name, e, d), randi (1 + (name(4) == "m")), sprintf ("%s %s, dim %d", cls, mat2str (s), d));
%!  endfor
%!endfunction

%!test                                   # a_cumulative_function_of_what_waits_has_the_bits_of_the_plain_one
%! warning ("off", "all", "local");
%! rounds = 60;
%! if (strcmp (getenv ("CHECK_LONG"), "yes"))
%!   rounds = 2000;
%! endif
%! for threads = [1 2 3 8]
%!   at_once (threads, @() random_scans (rounds / 4));
%! endfor

%!test                                   # results_in_doubt_are_those_of_the_computed_array
%! up = realmax / 3000 * (2 + cos ((1:9000)'));
%! for v = {[up, -up], up, 0.5 + rand(9000, 2), rand(2, 9000)', 4 * rand(1, 9000), [0.6 * ones(2000, 2); NA, -0; -1, Inf; 5, 5], [1e308; -1e308; 1e308] * ones(1, 300)}
%!   x = gpuArray (v{1});
%!   for scan = {@(e) cumsum(e), @(e) cumprod(e), @(e) cumsum(e, 2), @(e) cumprod(e, 2), @(e) cummax(e, 2)}
%!     check_both (@() x .* 1, scan{1}, 1, "");
%!   endfor
%! endfor

%!test                                   # an_expression_is_not_computed_for_a_cumulative_function_the_first_time
%! old = gpu_config ("device", "cpu");
%! unwind_protect
%!   for s = {[70000 1], [1 3000], [100 300], [300 100], [3 300 40], [200 50 7], [2000 64]}
%!     x = gpuArray (rand (s{1}) + 0.5);
%!     y = gpuArray (rand (s{1}(1), 1));
%!     for f = {@() x - y, @() single(x) .* 2, @() x > y, @() int16(9 * x) + 1}
%!       for name = {"cumsum", "cummax", "cummin"}
%!         for d = 1:3
%!           fused = check_both (f{1}, @(e) feval (name{1}, e, d), 1 + (name{1}(4) == "m"), mat2str (s{1}));
%!           builtins = strcmp (name{1}, "cumsum") && isinteger (gather (f{1} ()(1))) && __gpr_rule__ ("cumulative_class");
%!           assert (fused || builtins);
%!         endfor
%!       endfor
%!     endfor
%!     assert (check_both (@() 1 + x / 1e6, @(e) cumprod (e, 2), 1, mat2str (s{1})));
%!   endfor
%!   g = x + 1;
%!   cumsum (g);
%!   assert (gpu_explain (g).waits);
%!   cumsum (g);
%!   assert (! gpu_explain (g).waits);
%! unwind_protect_cleanup
%!   gpu_config ("device", old);
%! end_unwind_protect

%!test                                   # integers_and_logicals_are_doubles_where_they_are_scanned
%! x = randi ([-4 4], 300, 5);
%! for cls = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   v = cast (x, cls{1});
%!   for f = {@cumsum, @cumprod}
%!     for d = 1:3
%!       y = f{1} (gpuArray (v), d);
%!       assert (same_bits (gather (y), f{1} (v, d)));
%!       assert (gather (f{1} (gpuArray (v) & true, d)), f{1} (v & true, d));
%!     endfor
%!   endfor
%! endfor
%! assert (gather (cumsum (gpuArray (true))), cumsum (true));
%! g = gpuArray (x) > 0;
%! h = g;
%! assert (gather (cumsum (g)), cumsum (x > 0));
%! assert (gather (h), x > 0);

%!test                                   # options_of_cumulative_functions_of_what_waits
%! v = randn (400, 3);
%! v(7,2) = NaN;
%! w = v;
%! w(7,2) = 0;
%! x = gpuArray (v);
%! assert (gather (gpu_cumsum (x .* 2, "omitnan") ./ 2), cumsum (w), 1e-12);
%! assert (gather (gpu_cummax (x .* 2, "includenan"))(7:end,2), NaN (394, 1));
%! if (! __gpr_rule__ ("cumulative_class"))
%!   assert (class (gather (gpu_cumsum (single (x) .* 2, "double"))), class (gpu_cumsum (single (v), "double")));
%! endif
%! assert (gather (gpu_cumsum (x + 1, gpuArray (2))), cumsum (v + 1, 2));
%! assert (gpu_cumsum (gpuArray (v)(3) + 1), v(3) + 1);

%!test                                   # what_was_scanned_is_still_what_it_was
%! x = gpuArray (rand (300, 4));
%! y = x .^ 2;
%! a = cumsum (y);
%! [b, i] = cummax (y);
%! x(1) = 7;
%! h = gather (y);
%! assert (same_bits (gather (a), gather (cumsum (gpuArray (h)))));
%! [c, k] = cummax (h);
%! assert (gather (b), c);
%! assert (gather (i), k);
%! assert (h(1) < 1);

%!test                                   # an_error_of_it_is_that_of_a_computed_array
%! x = gpuArray (rand (5, 4));
%! for scan = {@(e) cumsum (e, 0), @(e) cumsum (e, "other"), @(e) cummax (e, 3, 1), @(e) cumprod (e, 1.5)}
%!   err = cell (1, 2);
%!   for k = 1:2
%!     g = x + 1;
%!     if (k == 2)
%!       gather (g);
%!     endif
%!     try
%!       err{k} = gather (scan{1} (g));
%!     catch e
%!       err{k} = {e.message, e.identifier};
%!     end_try_catch
%!   endfor
%!   assert (err{1}, err{2});
%! endfor
