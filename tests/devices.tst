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
