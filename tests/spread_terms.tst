## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Reductions of expressions of gpuArrays over several GPUs, on three that lie in host memory (three_gpus.c).

%!function said = on_three (code, environment = "")
%!  tests = fileparts (which ("with_three"));
%!  tools = ["addpath ('" tests "'); held = @() __gpureduce__ ('diagnose').memory.allocations; warning ('off', 'all');\n" ...
%!           "spread = @(x, d = 'all') gpuArray (x, 'devices', d);\n"];
%!  said = with_three ([tools code], environment);
%!endfunction

%!test                                   # a_reduction_of_an_expression_has_the_bits_of_the_hosts
%! rounds = 12 + 68 * strcmp (getenv ("CHECK_LONG"), "yes");
%! code = sprintf ("[count, failed, fused] = terms_on_devices (%d, 1, 9); printf ('%%d %%d %%d\\n', failed, fused > %d, held ());", rounds, rounds / 20);   # some; randi of Octave 11 gives other numbers
%! assert (on_three (code), "0 1 0\n");
%! assert (on_three (code, "THREE_NEAR=yes"), "0 1 0\n");
%! assert (on_three (code, "THREE_GPUS='2 declines'"), "0 1 0\n");

## Functions of GPUs' arrays and the host's, each without room for a piece of what the expression makes, on a GPU or the host.
%!function code = without_room (setup, bytes, functions)
%!  code = strjoin ({
%!    [setup " before = held (); f = {" strjoin(functions, ", ") "};"]
%!    "for k = 1:numel (f)"
%!    ["  setenv ('THREE_LARGEST', '" num2str(bytes) "'); setenv ('THREE_DOWNLOADS', '" num2str(bytes) "');"]
%!    "  try, z = gather (f{k} (there{:}, {})); catch err, z = err.message; end_try_catch, unsetenv ('THREE_LARGEST'); unsetenv ('THREE_DOWNLOADS');"
%!    "  printf ('%d', same_bits (z, f{k} (host{:}, {'device', 'cpu'}))); clear z; printf (repmat (' ', 1, held () != before));"
%!    "endfor"}, "\n");
%!endfunction
%!function setup = arrays (sizes, others)
%!  setup = sprintf ("host = {randn(%s), randn(%s)}; there = {spread(host{1}), spread(host{2})};", mat2str (sizes), mat2str (others));
%!endfunction
%!test                                   # the_expression_is_not_computed
%! f = {"@(x, y, d) gpu_sum (2 * x + 1, 2, d{:})", "@(x, y, d) gpu_sum (2 * x + 1, d{:})", "@(x, y, d) gpu_std (x .* y, 0, 2, d{:})", "@(x, y, d) gpu_max (x - y, [], 2, d{:})", ...
%!      "@(x, y, d) gpu_any (x > 4 + y, 2, d{:})", "@(x, y, d) gpu_sum (x .* y, 'all', d{:})", "@(x, y, d) gpu_mean (x(:) - 1, d{:})"};
%! for near = {"", "THREE_NEAR=yes"}
%!   assert (on_three (without_room (arrays ([300, 3001], [300, 3001]), 1100000, f), near{1}), "1111111");
%!   assert (on_three (without_room (arrays ([300, 3001], [300, 1]), 1100000, f), near{1}), "1111111");
%!   assert (on_three (without_room (arrays ([300, 3001], [1, 3001]), 1100000, f), near{1}), "1111111");
%!   assert (on_three (without_room (arrays ([40, 30, 801], [1, 30, 801]), 1100000, strrep (f, "2, d{:}", "3, d{:}")), near{1}), "1111111");
%!   assert (on_three (without_room (arrays ([1, 900001], [1, 900001]), 1100000, f), near{1}), "1111111");
%! endfor
%!test                                   # of_many_outputs_only_the_edges_of_pieces_are_computed
%! f = {"@(x, y, d) gpu_sum (2 * x + 1, 2, d{:})", "@(x, y, d) gpu_max (x - y, [], 2, d{:})", "@(x, y, d) gpu_std (x .* y, 0, 2, d{:})"};
%! assert (on_three (without_room (arrays ([1500, 900], [1500, 900]), 3500000, f), "THREE_NEAR=yes"), "111");
%! assert (on_three (without_room (arrays ([1500, 900], [1500, 1]), 3500000, f), "THREE_NEAR=yes"), "111");

%!test                                   # a_histogram_counts_an_expression_as_it_is_made
%! f = {"@(x, y, d) gpu_histc (2 * x(:) - 1, -3:3, d{:})", "@(x, y, d) gpu_histcounts (x - y, -4:4, d{:})", "@(x, y, d) gpu_histc (x .* y, -3:3, 1, d{:})"};
%! for others = {[30000, 30], [30000, 1], [1, 30]}
%!   assert (on_three (without_room (arrays ([30000, 30], others{1}), 1100000, f)), "111");
%! endfor
%!test                                   # a_histogram_with_places_computes_its_expression
%! code = strjoin ({
%!   "x = randn (1, 300001); g = spread (x); e = 2 * g + 1; [n, p] = gpu_histc (e, -3:3); [m, q] = gpu_histc (2 * x + 1, -3:3, 'device', 'cpu');"
%!   "printf ('%d', gpu_explain (e).waits, same_bits (gather (n), m), same_bits (gather (p), q));"}, "\n");
%! assert (on_three (code), "011");

%!test                                   # a_cumulative_function_along_what_is_whole_reads_an_expression
%! code = strjoin ({
%!   "x = randn (300, 3001); y = randn (300, 1); g = spread (x); h = spread (y); before = held (); f = {@(e, d) gpu_cumsum(e, 1, d{:}), @(e, d) gpu_cumprod(1 + e / 999, 1, d{:}), @(e, d) gpu_cummax(e, 1, d{:}), @(e, d) gpu_cumsum(e, 2, d{:})};"
%!   "for k = 1:4, e = 2 * g + h; z = f{k} (e, {}); printf ('%d%d ', gpu_explain (e).waits > 0, same_bits (gather (z), f{k} (2 * x + y, {'device', 'cpu'}))); clear e z; endfor, printf ('%d', held () == before);"}, "\n");
%! assert (on_three (code), "11 11 11 01 1");
%!test                                   # one_that_leaves_a_doubt_is_computed_and_scanned_again
%! code = strjoin ({
%!   "x = randn (300, 3001); x(2:3, 2000) = 8e307; g = spread (x); e = 2 * g + 1; z = gpu_cumsum (e, 1);"
%!   "printf ('%d %d', gpu_explain (e).waits, same_bits (gather (z), gpu_cumsum (2 * x + 1, 1, 'device', 'cpu')));"}, "\n");
%! assert (on_three (code), "0 1");

%!test                                   # one_that_has_a_name_waits_on_and_is_computed_for_its_third_reader_or_its_second_where_it_reads_more_than_it_is
%! for more = {"1", "spread (randn (300, 3001))"}
%!   code = strcat ("g = spread (randn (300, 3001)); e = 2 * g + ", more{1}, "; for k = 1:3, gpu_sum (e, 2); printf ('%d', gpu_explain (e).waits); end");
%!   assert (on_three (code), merge (numel (more{1}) == 1, "110", "100"));
%! endfor
%!test                                   # while_one_gpu_has_no_kernel_it_is_computed_first
%! code = strjoin ({
%!   "x = randn (300, 3001); g = spread (x); setenv ('THREE_GPUS', '%d compiles'); e = 2 * g + 1; s = gpu_sum (e, 2);"
%!   "printf ('%%d %%d', gpu_explain (e).waits, same_bits (gather (s), gpu_sum (2 * x + 1, 2, 'device', 'cpu')));"}, "\n");
%! for gpu = 1:3
%!   assert (on_three (sprintf (code, gpu)), "0 1");
%! endfor
%!test                                   # a_small_one_is_computed_first
%! code = "g = spread (randn (3, 301)); e = 2 * g + 1; gpu_sum (e, 2); printf ('%d', gpu_explain (e).waits);";
%! assert (on_three (code), "0");
%!test                                   # one_that_gives_a_result_in_doubt_is_computed
%! code = strjoin ({
%!   "x = randn (300, 3001); x(2, 5) = NaN; x(3, 7) = Inf; x(3, 9) = -Inf; g = spread (x); e = 2 * g + 1; s = gpu_sum (e, 2);"
%!   "printf ('%d %d', gpu_explain (e).waits, same_bits (gather (s), gpu_sum (2 * x + 1, 2, 'device', 'cpu')));"}, "\n");
%! assert (on_three (code), "0 1");
%!test                                   # an_error_of_one_gpu_names_it_and_leaves_nothing
%! code = strjoin ({
%!   "x = randn (300, 3001); g = spread (x); before = held (); setenv ('THREE_GPUS', '2 lost');"
%!   "try, gpu_sum (2 * g + 1, 2); catch err, printf ('%s %d ', err.identifier, ! isempty (strfind (err.message, 'GPU 2'))); end_try_catch"
%!   "setenv ('THREE_GPUS', ''); printf ('%d %d', held () == before, same_bits (gather (g), x));"}, "\n");
%! assert (on_three (code), "gpureduce:device-lost 1 1 1");
%!test                                   # any_allocation_may_fail_once
%! code = strjoin ({
%!   "x = randn (300, 3001); y = randn (1, 3001); g = spread (x); h = spread (y); w = gpu_sum (x .* y + 1, 2, 'device', 'cpu'); before = held (); named = 0;"
%!   "for n = 1:100"
%!   "  __gpureduce__ ('fault', n, 'memory');"
%!   "  try, z = gather (gpu_sum (g .* h + 1, 2)); assert (same_bits (z, w)); catch err, named += strcmp (err.identifier, 'gpureduce:out-of-memory'); end_try_catch"
%!   "  hit = __gpureduce__ ('fault', 0) >= n; clear z; assert (held (), before); if (! hit), break; endif"
%!   "endfor"
%!   "printf ('%d ', n > 3, n < 100, named > 0);"}, "\n");
%! assert (on_three (code), "1 1 1 ");
