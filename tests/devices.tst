## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Where a call runs, and what it says where there is no GPU.

%!shared none
%! none = __gpureduce__ ("diagnose").devices == 0;

%!function said = says (code, environment)
%!  [status, said] = in_octave (code, environment);
%!  assert (status == 0, "%s", said);
%!endfunction

## an explicit GPU that is not there
%!testif ; none                          # gpu_by_name
%! for f = {@gpu_sum, @gpu_max, @gpu_mean, @gpu_any, @gpu_argmin}
%!   raises ("gpureduce:no-device", @() f{1} (1:3, "device", "gpu"));
%! endfor
%!testif ; none                          # gpu_by_number
%! raises ("gpureduce:no-device", @() gpu_sum (1:3, "device", 1));
%!test                                   # a_number_beyond_the_last
%! raises ("gpureduce:no-device", @() gpu_sum (1:3, "device", 1000));
%!testif ; none                          # gpu_by_setting
%! old = gpu_config ("device");
%! unwind_protect
%!   gpu_config ("device", "gpu");
%!   raises ("gpureduce:no-device", @() gpu_sum (1:3));
%!   raises ("gpureduce:no-device", @() gpuArray (1:3));
%!   assert (gpu_sum (1:3, "device", "cpu"), 6);
%! unwind_protect_cleanup
%!   gpu_config ("device", old);
%! end_unwind_protect
%!testif ; none                          # gpu_by_environment
%! said = says ("try, gpu_sum (1:3); catch err, disp (err.identifier); end_try_catch", "GPUREDUCE_DEVICE=gpu");
%! assert (said, "gpureduce:no-device\n");
%!testif ; none                          # number_by_environment
%! said = says ("try, gpu_sum (1:3); catch err, disp (err.identifier); end_try_catch", "GPUREDUCE_DEVICE=1");
%! assert (said, "gpureduce:no-device\n");

## the default falls back, and says so once
%!testif ; none                          # fallback_warns_once
%! said = says (["gpu_sum (1:3); [~, id] = lastwarn (); disp (id);" ...
%!               " lastwarn ('', ''); gpu_max (1:3); gpuArray (1); [~, id] = lastwarn (); disp (! strcmp (id, 'gpureduce:cpu-fallback'));"], "GPUREDUCE_DEVICE=");
%! assert (numel (strfind (said, "running on the CPU")), 1);
%! assert (! isempty (regexp (said, 'gpureduce:cpu-fallback\n1\n', "once")));
%!testif ; none                          # fallback_warning_can_be_turned_off
%! said = says ("warning ('off', 'gpureduce:cpu-fallback'); disp (gpu_sum (1:3));", "GPUREDUCE_DEVICE=");
%! assert (said, "6\n");
%!test                                   # cpu_and_auto_say_nothing
%! assert (says ("disp (gpu_sum (1:3, 'device', 'cpu')); disp (gpu_sum (1:3, 'device', 'auto'));", "GPUREDUCE_DEVICE="), "6\n6\n");
%! assert (says ("disp (gpu_sum (1:3));", "GPUREDUCE_DEVICE=cpu"), "6\n");
%! assert (says ("disp (gpu_sum (1:3));", "GPUREDUCE_DEVICE=auto"), "6\n");

%!test                                   # no_visible_device
%! said = says (["disp (gpuDeviceCount ()); disp (canUseGPU ()); disp (gpu_sum (1:3));" ...
%!               " try, gpu_sum (1:3, 'device', 'gpu'); catch err, disp (err.identifier); end_try_catch"], ...
%!              "GPUREDUCE_DEVICE= CUDA_VISIBLE_DEVICES=");
%! assert (! isempty (regexp (said, '^0\n0\n(warning: .*)?6\ngpureduce:no-device\n$', "once")), true);
%!test                                   # a_wrong_environment_is_an_error
%! said = says ("try, gpu_sum (1:3); catch err, disp (err.identifier); end_try_catch", "GPUREDUCE_DEVICE=toaster");
%! assert (said, "gpureduce:invalid-input\n");
%! said = says ("disp (gpu_sum (1:3, 'device', 'cpu')); gpu_config ('device', 'cpu'); disp (gpu_sum (1:3))", "GPUREDUCE_DEVICE=toaster");
%! assert (said, "6\n6\n");

%!test                                   # last_tells_where
%! gpu_sum (1:3, "device", "cpu");
%! last = gpu_config ("last");
%! assert (last.backend, "cpu");
%! assert (last.device, 0);
%! assert (! isempty (last.reason));

## ---- host arrays over several GPUs (three of tests/three_gpus.c) -----------------

%!function code = alone (code)           # GPUs without the CPU beside, whatever its rates would be
%!  code = ["r = gpu_config ('rates'); r.measured = true; r.both = NaN; gpu_config ('rates', r);\n" code];
%!endfunction

%!test                                   # the_same_bits_on_one_gpu_several_and_the_cpu
%! code = strjoin ({
%!   "randn ('twister', 5); x = randn (1, 3e6) .* 10 .^ (6 * randn (1, 3e6)); x(7) = NA; y = randn (3e4, 100); z = randn (7, 4e5);"
%!   "for device = {'all', [1 2], [3 1 2], '2,3', 'set', [2 1]}"
%!   "  d = device{1}; if (strcmp (d, 'set')), gpu_config ('device', [1 2 3]); rest = {}; else, rest = {'device', d}; endif"
%!   "  same = [isequaln(gpu_sum (x(8:end), rest{:}), gpu_sum (x(8:end), 'device', 'cpu')), isna(gpu_sum (x, rest{:}))];"
%!   "  same = [same, isequal(gpu_sum (y, rest{:}), gpu_sum (y, 'device', 'cpu')), isequal(gpu_mean (z, 2, rest{:}), gpu_mean (z, 2, 'device', 'cpu'))];"
%!   "  l = gpu_config ('last'); printf ('%d', same);"
%!   "  gpu_sum (x(8:end), rest{:}); l = gpu_config ('last'); printf (\"%d %s %d: %s\\n\", round (sum (l.taken)) == 24e6 - 56, l.backend, l.device, mat2str (l.devices));"
%!   "endfor"}, "\n");
%! assert (with_three (alone (code)), ["11111 cuda 1: [1 2 3]\n11111 cuda 1: [1 2]\n11111 cuda 3: [3 1 2]\n" ...
%!                                     "11111 cuda 2: [2 3]\n11111 cuda 1: [1 2 3]\n11111 cuda 2: [2 1]\n"]);
%!test                                   # the_cpu_helps_where_rates_say_so_and_with_what_no_gpu_takes
%! code = strjoin ({
%!   "x = randn (1, 3e6); w = gpu_sum (x, 'device', 'cpu'); gpu_config ('threads', 4);"
%!   "for both = [1000 NaN]"
%!   "  r = gpu_config ('rates'); r.measured = true; r.both = both; gpu_config ('rates', r);"
%!   "  s = gpu_sum (x, 'device', [1 3]); l = gpu_config ('last'); printf ('%d %s %d %d %d, ', s == w, l.backend, round (sum (l.taken)), l.devices(1:2));"
%!   "endfor"
%!   "m = gpu_sumsq (x, 'device', 'all'); l = gpu_config ('last'); disp (m == gpu_sumsq (x, 'device', 'cpu')); disp (l.devices(l.taken > 0));"}, "\n");
%! if (nproc () > 1)
%!   assert (with_three (code), "1 cuda+cpu 24000000 1 3, 1 cuda 24000000 1 3, 1\n0\n");
%! endif
%!test                                   # one_that_is_slow_or_takes_none_leaves_it_to_the_others
%! code = strjoin ({
%!   "x = randn (1, 3e6); s = gpu_sum (x, 'device', 'all'); l = gpu_config ('last');"
%!   "disp ([s == gpu_sum(x, 'device', 'cpu'), round(sum(l.taken)) == 24e6, l.taken(2) < max(l.taken([1 3]))]);"}, "\n");
%! assert (with_three (alone (code), "'THREE_GPUS=2 slow'"), "  1  1  1\n");
%! assert (with_three (alone (code), "'THREE_GPUS=2 leaves'"), "  1  1  1\n");
%!test                                   # an_error_names_its_gpu_and_leaves_nothing_on_any
%! code = strjoin ({
%!   "gpuDevice (1); g = gpuArray (1:3); gpuDevice (3); h = gpuArray (1:4); held = @() __gpureduce__ ('diagnose').memory.allocations;"
%!   "x = randn (1, 3e6); before = held ();"
%!   "try, gpu_sum (x, 'device', 'all'); catch err, disp (err.identifier); disp (err.message); end_try_catch"
%!   "printf ('%d ', held () == before, existsOnGPU (g), gather (h), last ());"
%!   "setenv ('THREE_GPUS', ''); disp (gpu_sum (x, 'device', [1 3]) == gpu_sum (x, 'device', 'cpu'));"}, "\n");
%! assert (with_three (alone (code), "'THREE_GPUS=2 memory'"),
%!         "gpureduce:out-of-memory\ngpu_sum: out of memory: GPU 2: out of GPU memory: 1.0 MiB needed\n1 1 1 2 3 4 1 1\n");
%! assert (with_three (alone (code), "'THREE_GPUS=2 lost'"),
%!         "gpureduce:device-lost\ngpu_sum: GPU 2 was lost while computing\n1 1 1 2 3 4 1 1\n");
%!test                                   # ctrl_c_ends_a_call_on_all_gpus_and_leaves_nothing
%! code = strjoin ({
%!   "x = randn (1, 3e6);"
%!   "try, gpu_sum (x, 'device', 'all'); catch err, disp (err.identifier); end_try_catch"
%!   "disp (__gpureduce__ ('diagnose').memory.allocations); setenv ('THREE_GPUS', '');"}, "\n");
%! assert (with_three (alone (code), "'THREE_GPUS=2 interrupt'"), "gpureduce:interrupted\n0\n");
%!test                                   # histograms_are_divided_and_add_up
%! code = strjoin ({
%!   "x = randn (1, 3e6); y = randn (3e4, 90); e = -3:0.25:3;"
%!   "for device = {'all', [1 2], [3 2]}"
%!   "  of = @(x, e) isequal (gpu_histc (x, e, 'device', device{1}), histc (x, e)); same = [of(x, single (e)), of(x, e), of(y, e)];"
%!   "  l = gpu_config ('last'); printf ('%d', same, round (sum (l.taken)) == 8 * numel (y), isequal (l.devices, sort (l.devices)));"
%!   "endfor"
%!   "setenv ('THREE_GPUS', '2 memory'); try, gpu_histc (x, e, 'device', 'all'); catch err, printf (' %s\\n', err.message); end_try_catch"}, "\n");
%! assert (with_three (alone (code)), "111111111111110 gpu_histc: out of memory: GPU 2: out of GPU memory: 1.0 MiB needed\n");
%!test                                   # any_allocation_on_any_gpu_may_fail_once
%! code = strjoin ({
%!   "x = randn (1, 3e6); w = gpu_sum (x, 'device', 'cpu'); m = @() __gpureduce__ ('diagnose').memory.in_use; named = {};"
%!   "for n = 1:99"
%!   "  __gpureduce__ ('fault', n, 'memory');"
%!   "  try, s = gpu_sum (x, 'device', 'all'); assert (s, w); catch err, s = []; named{end+1} = err.message; end_try_catch"
%!   "  hit = __gpureduce__ ('fault', 0) >= n; assert (m (), 0); assert (gpu_sum (x, 'device', 'all'), w); if (! hit), break; endif"
%!   "endfor"
%!   "printf ('%d ', n > 3, numel (named) == n - 1, ! cellfun (@isempty, regexp (named(end-2:end), 'GPU [123]: ', 'once')));"}, "\n");
%! assert (with_three (alone (code)), "1 1 1 1 1 ");
%!test                                   # what_is_not_divided_is_the_first_ones
%! code = strjoin ({
%!   "gpu_config ('device', [2 3]); gpu_sum (1:3); printf ('%d ', last (), isempty (gpu_config ('last').devices), on (gpuArray (1:3)));"
%!   "gpu_sum (ones (2, 2e6)); printf ('%d ', last (), isempty (gpu_config ('last').devices));"
%!   "gpuDevice (3); printf ('%d ', on (gpuArray (1:3)), gpu_config ('device')); gpu_sum (1:3); printf ('%d ', last ());"
%!   "gpu_config ('device', 'all'); gpu_sum (1:3, 'device', [3]); printf ('%d ', last ());"
%!   "gpuDevice (2); g = gpuArray (1:3); gpu_config ('device', [1 3]); gpu_sum (g); printf ('%d ', last ());"}, "\n");
%! assert (with_three (code), "2 1 2 2 1 3 2 3 3 3 2 ");
%!test                                   # several_by_the_environment
%! code = "disp (gpu_config ('device')); gpu_sum (ones (1, 3e6)); disp (gpu_config ('last').devices);";
%! assert (with_three (alone (code), "GPUREDUCE_DEVICE=3,1"), "   3   1\n   3   1\n");
%! assert (with_three (alone (code), "GPUREDUCE_DEVICE=ALL"), "all\n   1   2   3\n");
%!test                                   # numbers_that_repeat_or_are_none_are_errors_and_so_are_gpus_that_are_not_there
%! for wrong = {[1 1], [0 1], [1 1.5], [1 NaN], zeros(1, 0), "1,1", "1,", "1,,2", ",1", "1,x", {1}, [1 2; 3 4], true(1, 2), 1:65, [1 1025]}
%!   raises ("gpureduce:invalid-input", @() gpu_sum (1:3, "device", wrong{1}));
%!   raises ("gpureduce:invalid-input", @() gpu_config ("device", wrong{1}));
%! endfor
%! raises ("gpureduce:no-device", @() gpu_sum (1:3, "device", [1 1000]));
%! code = "for f = {@() gpu_sum(1:3), @() gpu_median(1:3)}, try, f{1} (); catch err, disp (err.message); end_try_catch, endfor";
%! assert (with_three (code, "GPUREDUCE_DEVICE=1,4"), "gpu_sum: no GPU number 4: there are 3\ngpu_median: no GPU number 4: there are 3\n");
%! for wrong = {"1,1", "1,,2", "all,1"}
%!   said = says ("try, gpu_sum (1:3); catch err, disp (err.identifier); end_try_catch", ["GPUREDUCE_DEVICE=" wrong{1}]);
%!   assert (said, "gpureduce:invalid-input\n");
%! endfor
%!testif ; none                          # all_without_a_gpu_is_an_error
%! raises ("gpureduce:no-device", @() gpu_sum (1:3, "device", "all"));
