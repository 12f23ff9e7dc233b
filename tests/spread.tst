## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpuArrays over several GPUs, on three that lie in host memory (three_gpus.c).

%!function said = on_three (code, environment = "")
%!  tests = fileparts (which ("with_three"));
%!  tools = ["addpath ('" tests "'); held = @() __gpureduce__ ('diagnose').memory.allocations; warning ('off', 'all');\n" ...
%!           "spread = @(x, d = 'all') gpuArray (x, 'devices', d);\n" ...
%!           "function show (g), printf ('%s ', mat2str (__gpureduce__ ('describe', g).devices)); end\n"];
%!  said = with_three ([tools code], environment);
%!endfunction

%!test                                   # problems_have_the_bits_of_one_array
%! code = "[count, failed] = problems_on_devices (40, 1, 10); printf ('%d %d %d\\n', count > 90, failed, held ());";
%! assert (on_three (code), "1 0 0\n");
%! assert (on_three (code, "THREE_NEAR=yes"), "1 0 0\n");

%!test                                   # random_programs_are_the_same_on_several_gpus
%! tests = fileparts (which ("with_three"));
%! said = on_three (["source ('" fullfile(tests, "expressions.m") "');"], "EXPRESSION_SEVERAL=yes EXPRESSION_STEPS=800");
%! assert (regexp (said, ' 0 failed\n$'), regexp (said, ' \d+ failed\n$'));

%!test                                   # a_gpuarray_over_several_gpus_looks_as_any_other
%! code = strjoin ({
%!   "for x = {magic(4), int8(-3:3), single(rand (5, 1, 4)), (1:9)' > 4, 'some text', 1:2, complex(1:5, -2), ones(2, 3, 4, 5), 1:100, eye(3)}"
%!   "  x = x{1}; g = spread (x); h = gpuArray (x);"
%!   "  same = [isequal(size(g), size(x)), strcmp(underlyingType(g), class(x)), same_bits(gather(g), full(x)), isequal(g, x), isequal(x, g), numel(g) == numel(x)];"
%!   "  same(end+1) = strcmp (evalc ('disp (g)'), evalc ('disp (h)'));"
%!   "  file = [tempname() '.oct']; save ('-binary', file, 'g'); s = load (file); delete (file); same(end+1) = same_bits (gather (s.g), full (x));"
%!   "  printf ('%d', same, isreal (g) == isreal (x)); printf (' ');"
%!   "endfor"}, "\n");
%! assert (on_three (code), repmat ("111111111 ", 1, 10));

%!test                                   # devices_are_all_or_a_list_and_one_of_them_is_an_ordinary_array
%! code = strjoin ({
%!   "x = rand (7, 60); show (spread (x)); show (spread (x, [3 1])); show (spread (x, 2)); show (spread (x, '2,3')); show (gpuArray (x, 'DEVICES', 'All'));"
%!   "show (spread (5)); show (spread (zeros (0, 3), [2 3])); show (spread ([], [2 3])); show (spread (spread (x, [1 2]), [3 2])); show (spread (gpuArray (x), [1 3]));"
%!   "show (spread (1:2, [1 2 3])); show (spread ((1:2)')); disp (gather (sum (spread (1:2))));"}, "\n");
%! assert (on_three (code), "[1 2 3] [3 1] 2 [2 3] [1 2 3] 1 2 2 [3 2] [1 3] [1 2 3] [1 2 3] 3\n");

%!test                                   # wrong_devices_are_errors_that_say_so
%! code = strjoin ({
%!   "for d = {[1 1], [0 1], 1.5, 'gpu', 'cpu', {}, [], [1 NaN], 'x', [1 2; 3 4], struct(), 1:65}"
%!   "  try, spread (1:9, d{1}); disp (d{1}); catch err, printf ('%d', strcmp (err.identifier, 'gpureduce:invalid-input')); end_try_catch"
%!   "endfor"
%!   "try, spread (1:9, [1 4]); catch err, printf (' %s %s', err.identifier, err.message); end_try_catch"
%!   "try, spread ({}); catch err, printf (' %s', err.message); end_try_catch"
%!   "try, gpuArray (1, 'device', 1); catch err, printf (' %s', err.message(1:24)); end_try_catch"}, "\n");
%! assert (on_three (code), ["111111111111 gpureduce:no-device gpuArray: no GPU number 4: there are 3" ...
%!                           " gpuArray: X must be a full numeric, logical or char array Invalid call to gpuArray"]);

%!test                                   # elementwise_results_are_divided_as_their_operands
%! code = strjoin ({
%!   "x = randn (50, 90); y = randn (50, 90); g = spread (x, [2 1]); h = spread (y, [2 1]);"
%!   "z = 2 * g + h .^ 2 - abs (g) ./ 3; show (z); show (-g); show (g > 0); show (single (g)); show (g + gpuArray (y)); show (g .* (1:90)); show (g - (1:50)');"
%!   "show (g + spread (y, [3 1])); show (spread ((1:50)') + spread (1:90)); show (cumsum (g, 2)); show (cummax (g)); show (sum (g));"
%!   "t = {z, 2*x + y.^2 - abs(x)./3; -g, -x; g>0, x>0; single(g), single(x); g+gpuArray(y), x+y; g.*(1:90), x.*(1:90); g-(1:50)', x-(1:50)'; ..."
%!   "     g+spread(y, [3 1]), x+y; spread((1:50)')+spread(1:90), (1:50)'+(1:90); g*3+5, x*3+5; mod(g, 2), mod(x, 2)};"
%!   "for k = 1:rows (t), printf ('%d', same_bits (gather (t{k,1}), t{k,2})); endfor, clear -x held; printf (' %d', held ());"}, "\n");
%! assert (on_three (code), [repmat("[2 1] ", 1, 8) "[1 2 3] [2 1] [2 1] 2 11111111111 0"]);

%!test                                   # large_arrays_go_by_a_thread_for_each_gpu
%! code = strjoin ({
%!   "x = randn (3, 600000); g = spread (x); z = sqrt (abs (g)) + g; s = int16 (g);"
%!   "printf ('%d', same_bits (gather (z), sqrt (abs (x)) + x), same_bits (gather (s), int16 (x)), same_bits (gather (sum (z, 2)), gpu_sum (sqrt (abs (x)) + x, 2, 'device', 'cpu')));"
%!   "clear g z s; printf (' %d', held ());"}, "\n");
%! assert (on_three (code), "111 0");

%!test                                   # products_of_many_rows_that_leave_the_range_have_the_builtins_bits
%! code = strjoin ({
%!   "x = rand (3000, 400, 'single'); x(5,7) = 0; x(6,9) = NaN; x(8,3) = Inf; g = spread (x);"
%!   "printf ('%d', same_bits (gather (prod (g, 2)), gpu_prod (x, 2, 'device', 'cpu')), same_bits (gather (gpu_prod (g, 2, 'omitnan')), gpu_prod (x, 2, 'omitnan', 'device', 'cpu')));"
%!   "clear g; printf (' %d', held ());"}, "\n");
%! assert (on_three (code), "11 0");

## Of functions of g, which is x over three GPUs: whether they have the CPU's bits, while at most so many bytes come to the host at once.
%!function code = kept_there (x, bytes, functions, what = "")
%!  code = strjoin ({
%!    ["x = " x "; g = spread (x); before = held (); f = {" strjoin(functions, ", ") "};"]
%!    "for k = 1:numel (f)"
%!    ["  setenv ('THREE_DOWNLOADS', '" num2str(bytes) "'); setenv ('THREE_GPUS', '" what "');"]
%!    "  z = f{k} (g, {}); unsetenv ('THREE_DOWNLOADS'); setenv ('THREE_GPUS', '');"
%!    "  printf ('%d', same_bits (gather (z), f{k} (x, {'device', 'cpu'}))); clear z; printf (repmat (' ', 1, held () != before));"
%!    "endfor"}, "\n");
%!endfunction
%!test                                   # a_tile_that_gpus_share_does_not_come_to_the_host
%! f = {"@(x, d) gpu_cumsum (x, 2, d{:})", "@(x, d) gpu_cumprod (1 + x / 999, 2, d{:})"};
%! assert (on_three (kept_there ("randn (60, 4000)", 500, f)), "11");
%! assert (on_three (kept_there ("randn (3, 100000, 'single')", 500, f)), "11");
%! assert (on_three (kept_there ("randn (2, 3000)", 500, f)), "11");       # one tile is all
%!test                                   # a_gpu_that_leaves_its_tiles_to_the_host_has_the_same_bits
%! for gpu = 1:3
%!   f = {"@(x, d) gpu_cumsum (x, 2, d{:})", "@(x, d) gpu_cumprod (x, 2, d{:})", "@(x, d) gpu_cummax (x, 2, d{:})", "@(x, d) nthargout (2, @gpu_cummin, x, 2, d{:})"};
%!   assert (on_three (kept_there ("randn (60, 4000)", 1e9, f, sprintf ("%d declines", gpu))), "1111");
%!   assert (on_three (kept_there ("randn (2, 3000)", 1e9, f, sprintf ("%d declines", gpu))), "1111");
%!   assert (on_three (kept_there ("[NA(900, 1), randn(900, 40) + 0 ./ ((1:40) > 40 * rand (900, 1))]", 1e9, f(3:4), sprintf ("%d declines", gpu))), "11");
%! endfor
%!test                                   # cumulative_products_of_many_columns_that_leave_the_range_stay_where_they_are
%! assert (on_three (kept_there ("randn (5000, 300)", 100, {"@(x, d) gpu_cumprod (x, 2, d{:})"})), "1");
%!test                                   # cumulative_extremes_stay_where_they_are
%! f = {"@(x, d) gpu_cummax (x, 2, d{:})", "@(x, d) nthargout (2, @gpu_cummin, x, 2, d{:})"};
%! for x = {"randn (5000, 30)", "randn (60, 4000)", "[NA(700, 1), round(5 * randn (700, 49)) + 0 ./ ((1:49) > 49 * rand (700, 1))]", "randn (50, 2, 'single')"}
%!   assert (on_three (kept_there (x{1}, 50, f)), "11");
%! endfor
%! assert (on_three (kept_there ("randn (50, 2)", 1e9, f), "THREE_LARGEST=500"), "11");         # by messages
%!test                                   # cumulative_products_of_few_columns_that_leave_the_range_one_gpu_does
%! f = {"@(x, d) gpu_cumprod (x, 2, d{:})", "@(x, d) gpu_cumsum (1e308 * x, 2, d{:})"};
%! assert (on_three (kept_there ("randn (60, 4000)", 500, f)), "11");
%! assert (on_three (kept_there ("randn (3, 100000, 'single')", 500, f(1))), "1");
%! assert (on_three (kept_there ("randn (60, 4000)", 1e9, f), "THREE_LARGEST=1000000"), "11");         # by way of the host

%!test                                   # what_ranks_deal_out_on_the_host_one_gpu_does_on_a_copy
%! f = {"@(x, d) gpu_sum (x, 2, 'exact', d{:})", "@(x, d) gpu_median (x, 2, d{:})", "@(x, d) gpu_mode (x, 2, d{:})", "@(x, d) gpu_quantile (x, 0.3, 2, d{:})", ...
%!      "@(x, d) gpu_dot (x, x, 2, 'exact', d{:})", "@(x, d) gpu_mad (x, 1, 2, d{:})"};
%! assert (on_three (kept_there ("round (30 * randn (70, 900)) + 0.5", 70 * 8, f)), "111111");
%!test                                   # gpus_that_reach_each_other_deal_columns_out
%! f = {"@(x, d) gpu_sum (x, 2, 'exact', d{:})", "@(x, d) gpu_median (x, 2, d{:})", "@(x, d) gpu_mode (x, 2, d{:})", "@(x, d) gpu_quantile (x, 0.3, 2, d{:})", ...
%!      "@(x, d) nthargout (2, @gpu_mode, x, 2, d{:})", "@(x, d) gpu_dot (x, x, 2, 'exact', d{:})"};
%! x = "round (30 * randn (200, 90)) + 0.5";      # too large for one, but not a third of it
%! assert (on_three (kept_there (x, 200 * 8, f), "THREE_LARGEST=100000 THREE_NEAR=yes"), "111111");
%! assert (on_three (kept_there (x, 1e9, f), "THREE_LARGEST=100000"), "111111");        # by way of the host
%! assert (on_three (kept_there ("round (30 * randn (200, 2)) + 0.5", 200 * 8, f), "THREE_NEAR=yes"), "111111");        # one has no rows

%!test                                   # many_results_stay_on_the_gpu_that_makes_them
%! f = {"@(x, d) nthargout (2, @gpu_max, x, [], 2, d{:})", "@(x, d) gpu_argmax (x, [], 2, d{:})", "@(x, d) gpu_prod (1 + x / 999, 2, d{:})"};
%! assert (on_three (kept_there ("randn (1500, 300)", 100, f), "THREE_NEAR=yes"), "111");
%! f = {"@(x, d) gpu_prod (99 * x, 2, d{:})", "@(x, d) gpu_prod (x / 99, 2, d{:})"};   # these leave the range
%! assert (on_three (kept_there ("randn (1500, 300)", 1e9, f), "THREE_NEAR=yes"), "11");

%!test                                   # an_array_that_is_divided_anyhow_comes_to_one_gpu
%! f = {"@(x, d) gpu_sum (reshape (x, 80, 630), 2, d{:})", "@(x, d) gpu_median (reshape (x, 63, 800), 1, d{:})", "@(x, d) gpu_max (reshape (x, 45, 16, 70), [], 2, d{:})", ...
%!      "@(x, d) gpu_cumsum (reshape (x, 80, 630), 2, d{:})", "@(x, d) gpu_cummin (reshape (x, 80, 630), 1, d{:})"};
%! assert (on_three (kept_there ("randn (56, 900)", 45 * 70 * 8, f)), "11111");

%!test                                   # places_that_the_host_gets_take_no_memory_of_a_gpu
%! f = {"@(x, d) nthargout (2, @gpu_histc, reshape (x, 80, 630), -90:20:90, d{:})"};
%! assert (on_three (kept_there ("int8 (30 * randn (56, 900))", 10000, f), "THREE_LARGEST=200000"), "1");

%!test                                   # what_has_no_way_of_its_own_is_right_too
%! code = strjoin ({
%!   "x = round (5 * randn (6, 40)); x(3,:) = 2; g = spread (x); c = complex (x, x'(1:6, mod (0:39, 6) + 1)); d = spread (c);"
%!   "i = g; i(2, 3) = 7; j = x; j(2, 3) = 7; k = g; k(g < 0) = 1; l = x; l(x < 0) = 1; m = g; m(:, 41) = 1; n = x; n(:, 41) = 1; o = g; o(:, 2) = []; q = x; q(:, 2) = [];"
%!   "t = {g(2, :), x(2, :); g(:), x(:); g([1 9 4]), x([1 9 4]); g(g > 1), x(x > 1); reshape(g, 40, 6), reshape(x, 40, 6); g', x'; permute(g, [2 3 1]), permute(x, [2 3 1]);"
%!   "     sort(g, 2), sort(x, 2); [g; g], [x; x]; [g, x], [x, x]; g * g', x * x'; find(g == 2), find(x == 2); i, j; k, l; m, n; o, q; d + 1, c + 1; abs(d), abs(c); d .* g, c .* x;"
%!   "     sum(d, 2), gpu_sum(c, 2, 'device', 'cpu'); reshape(g + 1, 80, 3) .* 2, reshape(x + 1, 80, 3) * 2; sum(reshape(g, 80, 3)), sum(reshape(x, 80, 3));"
%!   "     accumarray(spread((1:40)'), 1), ones(40, 1); int64(g) + int64(1), int64(x) + int64(1); repmat(g, 2, 2), repmat(x, 2, 2); max(g, 1), max(x, 1); max(g, g'(1:6, mod(0:39, 6) + 1)), max(x, x'(1:6, mod(0:39, 6) + 1));"
%!   "     circshift(g, 1), circshift(x, 1); double(int8(g)), double(int8(x)); sqrt(g), sqrt(x); any(g(:) > 3), any(x(:) > 3); cat(3, g, g), cat(3, x, x); norm(g(1, :)), gpu_norm(x(1, :), 'device', 'cpu')};"
%!   "for k = 1:rows (t), if (! same_bits (gather (t{k,1}), t{k,2})), printf ('%d differs\\n', k); endif, endfor"
%!   "clear g d i k m o t; printf ('%d', held ());"}, "\n");
%! assert (on_three (code), "0");

%!test                                   # gpu_explain_and_gpu_config_tell_the_devices
%! code = strjoin ({
%!   "g = spread (rand (20, 50), [3 1]); y = 2 * g + 1; s = gpu_explain (y); printf ('%s %d ', mat2str (s.device), s.waits); gather (y); s = gpu_explain (y); printf ('%s %d\\n', mat2str (s.device), s.waits);"
%!   "gpu_explain (g + 1); sum (g); l = gpu_config ('last'); printf ('%s %s', mat2str (l.devices), mat2str (l.taken));"}, "\n");
%! said = strsplit (on_three (code), "\n");
%! assert (said{1}, "[3 1] 1 [3 1] 0");
%! assert (! isempty (strfind (said{2}, "waits on GPU 3, 1 for 1 pass")), said{2});
%! assert (said{end}, "[3 1] [4160 3840]");

%!test                                   # ranges_of_indices_take_elements_and_assignments_by_them_stay_divided
%! code = strjoin ({
%!   "x = randn (6, 40); g = spread (x, [3 2]); y = x; g(2, 3) = 7; y(2, 3) = 7; g(:, 10:30) = repmat (1:21, 6, 1);"
%!   "y(:, 10:30) = repmat (1:21, 6, 1); g(end:-2:1, 5) = gpuArray ([1; 2; 3]); y(end:-2:1, 5) = [1; 2; 3]; g(3, :) = g(1, :); y(3, :) = y(1, :); g(:, 1) = spread ((1:6)') .* 2; y(:, 1) = 2 * (1:6)'; show (g);"
%!   "h = g; h(1) = -1; z = y; z(1) = -1; t = {g, y; h, z; g(3), y(3); g(:, 7), y(:, 7); g(end:-1:2, 4:3:40), y(end:-1:2, 4:3:40); g(2:3, :), y(2:3, :); g(:, 3:2), y(:, 3:2); g(zeros(1, 0)), y(zeros(1, 0)); g(3:2, :), y(3:2, :)};"
%!   "printf ('%d', cellfun (@(a, b) same_bits (gather (a), b), t(:, 1), t(:, 2))); clear g h t; printf (' %d', held ());"}, "\n");
%! assert (on_three (code), "[3 2] 111111111 0");

## ---- errors of one GPU ------------------------------------------------------------------

%!function code = failing (what)         # prints errors of a call each, and what is left of each on the GPUs
%!  code = strjoin ({
%!    "x = randn (1, 60000); y = randn (40, 900); g = spread (x); h = spread (y); before = held ();"
%!    ["setenv ('THREE_GPUS', '" what "');"]
%!    "calls = {@() sum(g), @() max(h, [], 2), @() cumsum(g), @() median(g), @() gather(g), @() histc(g, -3:3), @() gather(g + 1), @() spread(x), @() sum(h), @() quantile(h, 0.3, 2), @() mode(g), @() gpu_maxk(g, 5), @() gpu_sum(g, 'exact')};"
%!    "for k = 1:numel (calls)"
%!    "  try, z = calls{k} (); clear z; catch err, ids{k} = err.identifier; said{k} = err.message; __gpureduce__ ('fault', 0); end_try_catch"
%!    "  if (held () != before), printf ('call %d left %d\\n', k, held () - before); endif"
%!    "endfor"
%!    "setenv ('THREE_GPUS', ''); ids = ids(! cellfun (@isempty, ids)); said = said(! cellfun (@isempty, said)); printf ('%s %d\\n', strjoin (unique (ids), ','), numel (ids));"
%!    "printf ('%d\\n', all (cellfun (@(s) ! isempty (strfind (s, 'GPU 2')) && isempty (strfind (s, 'rank')), said)), same_bits (gather (g), x), same_bits (gather (h), y));"
%!    "clear g h calls; printf ('%d\\n', held ());"}, "\n");
%!endfunction
%!test                                   # a_gpu_that_is_lost_ends_the_call_on_all_with_its_number
%! assert (on_three (failing ("2 lost")), "gpureduce:device-lost 10\n1\n1\n1\n0\n");
%!test                                   # a_gpu_without_memory_ends_the_call_with_its_number
%! assert (on_three (failing ("2 memory")), "gpureduce:out-of-memory 3\n1\n1\n1\n0\n");
%!test                                   # ctrl_c_ends_a_call_on_all
%! code = strjoin ({
%!   "g = spread (randn (1, 60000)); before = held (); setenv ('THREE_GPUS', '2 interrupt');"
%!   "for f = {@() sum(g), @() cumsum(g), @() median(g)}"
%!   "  try, f{1} (); disp ('no error'); catch err, printf ('%s ', err.identifier); end_try_catch, printf ('%d\\n', held () - before);"
%!   "endfor"}, "\n");
%! assert (on_three (code), repmat ("gpureduce:interrupted 0\n", 1, 3));
%!test                                   # any_allocation_on_any_gpu_may_fail_once
%! code = strjoin ({
%!   "x = randn (20, 300); y = randn (20, 300); w = {2 * x + y, gpu_sum(x, 2, 'device', 'cpu'), gpu_cumsum(x, 2, 'device', 'cpu'), x + y}; named = {};"
%!   "for n = 1:400"
%!   "  __gpureduce__ ('fault', n, 'memory');"
%!   "  try, g = spread (x); h = spread (y, [3 2]); p = gpuArray (y); z = {gather(2 * g + p), gather(sum (g, 2)), gather(cumsum (g, 2)), gather(g + h)}; assert (isequal (z, w)); catch err, named{end+1} = err.message; end_try_catch"
%!   "  hit = __gpureduce__ ('fault', 0) >= n; clear g h p z; assert (held (), 0); if (! hit), break; endif"
%!   "endfor"
%!   "printf ('%d ', n > 10, n < 400, numel (named) > 5);"}, "\n");
%! assert (on_three (code), "1 1 1 ");

## ---- the end ------------------------------------------------------------------------------

%!test                                   # delete_gives_back_what_lies_on_all
%! code = strjoin ({
%!   "g = spread (1:100); h = g + 1; k = g; printf ('%d ', held ()); delete (g); printf ('%d ', existsOnGPU (k), existsOnGPU (h)); gather (h); delete (h); printf ('%d ', held ());"
%!   "try, sum (k); catch err, printf ('%s', err.identifier); end_try_catch"}, "\n");
%! assert (on_three (code), "3 0 1 0 gpureduce:invalid-input");
%!test                                   # a_reset_of_one_gpu_ends_arrays_that_it_has_some_of_and_leaves_nothing_on_others
%! code = strjoin ({
%!   "g = spread (1:100); h = spread (1:50, [1 3]); w = spread (1:70, [1 2]) + spread (1:70, [3 2]); x = spread (1:80, [1 3]) * 2; p = gpuArray (1:5);"
%!   "gpuDevice (2); reset (gpuDevice ()); printf ('%d ', existsOnGPU (g), existsOnGPU (h), existsOnGPU (w), existsOnGPU (x)); printf ('%d ', sum (h), sum (x));"
%!   "try, gather (w); catch err, printf ('%s ', err.identifier); end_try_catch"
%!   "clear g h w x p; printf ('%d', held ());"}, "\n");
%! assert (on_three (code), "0 1 0 1 1275 6480 gpureduce:invalid-input 0");

%!test                                   # without_a_gpu_it_is_an_ordinary_array
%! none = __gpureduce__ ("diagnose").devices == 0;
%! old = gpu_config ("device", "cpu");
%! unwind_protect
%!   for devices = {"all", [1 2], 1, "1,2"}
%!     g = gpuArray (magic (4), "devices", devices{1});
%!     assert (__gpureduce__ ("describe", g).device, 0);
%!     assert (gather (sum (g)), sum (magic (4)));
%!   endfor
%! unwind_protect_cleanup
%!   gpu_config ("device", old);
%! end_unwind_protect
%! if (none)
%!   assert (gather (gpuArray (1:3, "devices", "all") + 1), 2:4);
%! endif
