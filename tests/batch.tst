## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Jobs on shared nodes: the GPU of a local rank and calls among several GPUs (three
## of tests/three_gpus.c), the CPUs of an affinity, what a process takes before it
## computes, many processes at once, and that the help has every variable.

%!function said = says (code, environment)
%!  [status, said] = in_octave (["warning ('off', 'gpureduce:cpu-fallback');\n" code], environment);
%!  assert (status == 0, "%s", said);
%!endfunction

%!shared no_rank, none, cpus, first_cpu
%! no_rank = "SLURM_LOCALID= OMPI_COMM_WORLD_LOCAL_RANK= MPI_LOCALRANKID= PMI_LOCAL_RANK= ";
%! none = [no_rank "CUDA_VISIBLE_DEVICES= GPUREDUCE_DEVICE="];
%! cpus = first_cpu = 0;
%! if (exist ("/proc/self/status", "file") && system ("command -v taskset > /dev/null") == 0)
%!   [~, said] = system ("env -u OMP_NUM_THREADS nproc");       # nproc () of Octave heeds it
%!   cpus = str2double (said);
%!   first_cpu = str2double (regexp (fileread ("/proc/self/status"), 'Cpus_allowed_list:\s*(\d+)', "tokens"){1}{1});
%! endif

## ---- the local rank -------------------------------------------------------------

%!test                                   # local_takes_the_rank_modulo_the_gpus
%! said = with_three ("disp (gpu_sum (1:4)); disp ([last(), opened()]); disp (gpu_config ('device')); disp (gpuDevice ().Index);", ...
%!                    [no_rank "GPUREDUCE_DEVICE=LOCAL SLURM_LOCALID=4"]);
%! assert (said, "10\n   2   2\nlocal\n2\n");
%! assert (with_three ("disp (on (gpuArray (1:3)))", [no_rank "GPUREDUCE_DEVICE=local OMPI_COMM_WORLD_LOCAL_RANK=2"]), "3\n");
%!test                                   # every_launcher_has_its_variable
%! cases = {0, "", "", "", 1; 1, "", "", "", 2; 2, "", "", "", 3; 3, "", "", "", 1; "", 1, "", "", 2; "", "", 1, "", 2;
%!          "", "", "", 2, 3; 0, 2, "", "", 3; 1, 2, "", "", 2; 1, 0, "", "", 2; 0, 0, 0, 0, 1};
%! code = "gpu_config ('device', 'cpu');\n";
%! for k = 1:rows (cases)
%!   values = cellfun (@num2str, cases(k,1:4), "uniformoutput", false);
%!   code = [code, sprintf("setenv ('%s', '%s');\n", {"SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK", ...
%!                 "MPI_LOCALRANKID", "PMI_LOCAL_RANK"; values{:}}{:}), ...
%!           "gpu_config ('device', 'local'); gpuDevice ([]); gpu_sum (1:3); printf ('%d ', last ());\n"];
%! endfor
%! assert (with_three (code, no_rank), sprintf ("%d ", cases{:,5}));
%!test                                   # local_without_a_gpu_is_the_default
%! [status, said] = in_octave ("gpu_sum (1:3); disp (gpu_sum (1:4)); disp (gpu_config ('last').backend);", ...
%!                             [none "local SLURM_LOCALID=1"]);
%! assert (status, 0);
%! assert (! isempty (regexp (said, 'running on the CPU', "once")), true);
%! assert (numel (strfind (said, "running on the CPU")), 1);
%! assert (! isempty (regexp (said, '10\ncpu\n$', "once")), true);
%!test                                   # local_without_a_rank_is_an_error_that_names_the_variables
%! code = strjoin ({
%!   "disp (gpu_sum (1:3, 'device', 'cpu'));"
%!   "for f = {@() gpu_sum(1:3), @() gpuArray(1:3), @() gpu_max(1:3), @() gpu_config('device')}"
%!   "  try, f{1} (); catch err, disp (err.identifier); end_try_catch"
%!   "endfor"
%!   "disp (err.message);"
%!   "r = gpu_doctor (); r = r(strcmp ({r.layer}, 'setting')); disp (r.state); disp (r.found);"
%!   "try, gpu_config ('device', 'local'); catch err, disp (err.identifier); end_try_catch"
%!   "gpu_config ('device', 'cpu'); disp (gpu_sum (1:3));"}, "\n");
%! said = says (code, [none "local"]);
%! lines = strsplit (strtrim (said), "\n");
%! assert (lines([1:5, 7, 9:10]), [{"6"}, repmat({"gpureduce:invalid-input"}, 1, 4), {"FAILED", "gpureduce:invalid-input", "6"}]);
%! for name = {"SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK"}
%!   assert (! isempty (strfind (lines{6}, name{1})), true);
%!   assert (! isempty (strfind (lines{8}, name{1})), true);
%! endfor
%!test                                   # a_wrong_rank_is_an_error_that_names_its_variable
%! code = "try, gpu_sum (1:3); catch err, disp (err.identifier); disp (err.message); end_try_catch";
%! for wrong = {"-1", "first", "1x", "1.5"}
%!   said = says (code, [none "local MPI_LOCALRANKID=" wrong{1}]);
%!   assert (! isempty (regexp (said, '^gpureduce:invalid-input\n.*MPI_LOCALRANKID', "once")), true);
%!   assert (! isempty (strfind (said, ["\"" wrong{1} "\""])), true);
%! endfor

## ---- several GPUs ---------------------------------------------------------------

%!test                                   # looking_opens_no_gpu
%! said = with_three (["gpuDeviceCount (); t = gpuDeviceTable (); canUseGPU (); gpu_config ('trim'); s = gpu_config ();" ...
%!                     " gpu_sum (1:3, 'device', 'cpu'); wait_for = __gpureduce__ ('device', 0); disp (isempty (opened ()));"], ...
%!                    [no_rank "GPUREDUCE_DEVICE="]);
%! assert (said, "1\n");
%!test                                   # a_call_or_array_elsewhere_selects_nothing
%! code = strjoin ({
%!   "gpu_sum (1:3); printf ('%d ', last ());"
%!   "gpu_sum (1:3, 'device', 2); printf ('%d ', last ());"
%!   "gpu_sum (1:3); printf ('%d ', last ());"
%!   "gpuDevice (3); g = gpuArray (magic (4)); printf ('%d ', on (g), on (gpu_sum (g)), on (gpu_sum (g, 'device', 2)));"
%!   "gpuDevice (1); h = gpu_sum (g); printf ('%d ', on (h), last ());"
%!   "gpu_sum (1:3); printf ('%d ', last (), on (gpuArray (1:2)), gpuDevice ().Index);"
%!   "printf ('%d', gather (h) == [34 34 34 34]);"}, "\n");
%! assert (with_three (code, [no_rank "GPUREDUCE_DEVICE="]), "1 2 1 3 3 2 3 3 1 1 1 1111");
%!test                                   # auto_takes_what_the_rates_say_is_fastest
%! code = strjoin ({
%!   "x = 1:2e6; gpu_config ('threads', 2); r = gpu_config ('rates'); r.measured = true;"
%!   "for rates = [50 10 5 NaN; 5 50 1 NaN; 5 1 50 1; 5 6 7 1000]'"
%!   "  [r.cpu, r.staged, r.in_place, r.both] = num2cell (rates'){:}; gpu_config ('rates', r);"
%!   "  assert (gpu_sum (x, 'device', 'auto'), 2e6 * (2e6 + 1) / 2);"
%!   "  s = gpu_config ('last'); printf ('%s %d, ', s.backend, s.device);"
%!   "  assert (! isempty (regexp (s.reason, '^auto: .*GB/s measured', 'once')));"
%!   "endfor"
%!   "gpu_sum (1:3, 'device', 'auto'); disp (gpu_config ('last').backend);"
%!   "gpu_config ('device', 'auto'); disp (on (gpuArray (x))); gpu_cumsum (1:3); disp (gpu_config ('last').backend);"}, "\n");
%! assert (with_three (code, [no_rank "GPUREDUCE_DEVICE="]), "cpu 0, cuda 1, cuda 1, cuda+cpu 1, cpu\n1\ncpu\n");
%!test                                   # auto_measures_on_the_first_large_array_and_again_for_another_operation
%! code = strjoin ({
%!   "x = ones (1, 17e6); gpu_config ('threads', 2); disp (gpu_config ('rates').measured);"
%!   "assert (gpu_sum (x(1:1000), 'device', 'auto'), 1000); disp (gpu_config ('rates').measured);"
%!   "assert (gpu_sum (x, 'device', 'auto'), 17e6); r = gpu_config ('rates'); disp (r.measured && r.device == 1 && r.staged > 0);"
%!   "assert (gpu_sum (x, 'device', 'auto'), 17e6); assert (gpu_config ('rates'), r);"
%!   "gpu_config ('threads', 1); disp (gpu_config ('rates').measured);"}, "\n");
%! assert (with_three (code, [no_rank "GPUREDUCE_DEVICE="]), "0\n0\n1\n0\n");
%!test                                   # arrays_of_two_gpus_meet_on_the_first_ones
%! code = strjoin ({
%!   "gpuDevice (2); a = gpuArray ([1 5 3]); gpuDevice (3); b = gpuArray ([4 2 6]); gpuDevice (1);"
%!   "c = gpu_max (a, b); d = gpu_max (b, a); e = gpu_max (a, b, 'device', 1);"
%!   "printf ('%d ', on (c), on (d), on (e), gather (c), gather (d), gather (e), gather (a), gather (b));"}, "\n");
%! assert (with_three (code, [no_rank "GPUREDUCE_DEVICE="]), "2 3 1 4 5 6 4 5 6 4 5 6 1 5 3 4 2 6 ");
%!test                                   # a_number_by_setting_is_the_gpu_in_use
%! code = strjoin ({
%!   "printf ('%d ', __gpureduce__ ('device', 0).index, gpuDevice ().Index, gpu_sum (1:3, 'device', 'gpu'), last (), opened ());"
%!   "d = gpuDevice (2); gpu_sum (1:3); printf ('%d ', last (), d.DeviceSelected, gpu_config ('device'));"
%!   "old = gpu_config ('device', 1); printf ('%d ', gpuDeviceTable ().DeviceSelected);"
%!   "gpu_config ('device', old); gpu_sum (1:3); printf ('%d ', last ());"}, "\n");
%! assert (with_three (code, [no_rank "GPUREDUCE_DEVICE=3"]), "3 3 6 3 3 2 1 2 1 0 0 2 ");
%!test                                   # a_number_too_high_is_an_error
%! code = "for f = {@() gpu_sum(1:3), @() gpuDevice(), @() gpuDevice(4)}, try, f{1} (); catch err, disp (err.identifier); end_try_catch, endfor";
%! assert (with_three (code, [no_rank "GPUREDUCE_DEVICE=4"]), repmat ("gpureduce:no-device\n", 1, 3));
%!test                                   # a_reset_is_of_the_selected_gpu_alone
%! code = strjoin ({
%!   "gpuDevice (2); a = gpuArray (1:3); d = gpuDevice (1); b = gpuArray (1:4); gpu_sum (a);"
%!   "reset (d); printf ('%d ', existsOnGPU (a), existsOnGPU (b), gather (gpu_sum (a)), opened (), d.DeviceSelected);"
%!   "gpuDevice ([]); printf ('%d ', existsOnGPU (a), opened (), d.DeviceSelected);"
%!   "clear a; m = @() __gpureduce__ ('diagnose').memory; idle = m ().idle > 0; gpu_config ('trim'); printf ('%d ', idle, m ().idle);"}, "\n");
%! assert (with_three (code, [no_rank "GPUREDUCE_DEVICE="]), "1 0 6 1 2 1 1 2 0 1 0 ");
%!test                                   # the_doctor_opens_the_gpu_in_use_alone
%! said = with_three ("gpu_doctor (); disp (opened ());", [no_rank "GPUREDUCE_DEVICE=local SLURM_LOCALID=2"]);
%! assert (! isempty (regexp (said, 'run on: local, which is GPU 3 of 3\n.*kernel, copy *GPU 3\n3\n$', "once")), true);

## ---- CPUs ------------------------------------------------------------------------

## Threads there are beside those before the first computation, and whether each
## may run where the process may.
%!function [more, same] = threads_started (threads, prefix = "")
%!  code = strjoin ({
%!    "tasks = @() glob ('/proc/self/task/*');"
%!    "before = numel (tasks ());"
%!    "x = mod (1:2e6, 1000); y = reshape (x, 2000, []);"
%!    "gpu_sum (x); gpu_sum (y, 2); gpu_sum (y); [m, i] = gpu_max (x); gpu_histc (x, 0:100:1000); gpu_histc (y, 0:9, 2);"
%!    "gpu_max (x, fliplr (x)); gpu_reduce (single (x), 'mean', 'meantype', 'g'); gpu_any (y); h = gpu_hist (x); gather (sum (gpuArray (y)));"
%!    "masks = cellfun (@(t) regexp (fileread (fullfile (t, 'status')), 'Cpus_allowed:\\s*(\\S+)', 'tokens'){1}{1}, tasks (), 'uniformoutput', false);"
%!    "printf ('%d %d\\n', numel (tasks ()) - before, numel (unique (masks)) == 1);"}, "\n");
%!  [status, said] = in_octave (code, [threads " GPUREDUCE_DEVICE=cpu " prefix]);
%!  assert (status == 0, "%s", said);
%!  numbers = sscanf (said, "%d %d");
%!  assert (size (numbers), [2, 1]);
%!  more = numbers(1);
%!  same = numbers(2);
%!endfunction

%!testif ; cpus > 0                      # no_thread_beyond_the_affinity
%! for threads = {"-u OMP_NUM_THREADS", "OMP_NUM_THREADS=4"}
%!   [more, same] = threads_started (threads{1}, sprintf ("taskset -c %d", first_cpu));
%!   assert ([more, same], [0, 1]);
%! endfor
%!testif ; cpus > 1                      # as_many_threads_as_omp_num_threads_says
%! [more, same] = threads_started ("OMP_NUM_THREADS=2");
%! assert ([more, same], [1, 1]);
%! assert (threads_started ("OMP_NUM_THREADS=1"), 0);
%! more = threads_started ("-u OMP_NUM_THREADS");
%! assert (more > 0 && more < cpus);
%!testif ; cpus > 0                      # diagnose_counts_the_threads_there_will_be
%! said = says ("disp (__gpureduce__ ('diagnose').threads)", sprintf ("OMP_NUM_THREADS=64 taskset -c %d", first_cpu));
%! assert (said, "1\n");
%!test                                   # every_parallel_region_names_its_threads
%! sources = glob (fullfile (fileparts (which ("run_tests")), "..", "src", "*", "*.c"));
%! regions = 0;
%! for file = sources'
%!   text = regexprep (fileread (file{1}), '\\\n', " ");
%!   for pragma = regexp (text, '^[ \t]*#pragma omp parallel[^\n]*', "match", "lineanchors")
%!     regions++;
%!     assert (! isempty (regexp (pragma{1}, 'num_threads \(')), "%s: %s", file{1}, pragma{1});
%!   endfor
%! endfor
%! assert (regions > 5);

## ---- a process -------------------------------------------------------------------

%!testif ; exist ("/proc/self/maps", "file")       # no_cuda_before_the_first_gpu_call
%! code = strjoin ({
%!   "t0 = numel (glob ('/proc/self/task/*')); f0 = numel (glob ('/proc/self/fd/*'));"
%!   "s = gpu_config (); gpu_config ('last'); gpu_config ('device', 'cpu'); gpu_sum (1:10); gather (gpu_max (gpuArray (magic (4))));"
%!   "printf ('%d ', isempty (regexp (fileread ('/proc/self/maps'), 'gpureduce_(cuda|ladder)|libcuda')), ..."
%!   "        numel (glob ('/proc/self/fd/*')) - f0, numel (glob ('/proc/self/task/*')) - t0);"}, "\n");
%! assert (says (code, [no_rank "GPUREDUCE_DEVICE="]), "1 0 0 ");

## Ten that begin to compute together; what a wrong one has wrong, and what is left.
%!test                                   # ten_processes_at_once
%! folder = tempname ();
%! mkdir (folder);
%! mkdir (fullfile (folder, "started"));
%! mkdir (fullfile (folder, "tmp"));
%! code = strjoin ({
%!   "k = str2double (getenv ('PROCESS')); n = 3e5; x = k:k + n - 1; y = reshape (x, 600, []); total = n * k + n * (n - 1) / 2;"
%!   "fclose (fopen (fullfile ('STARTED', num2str (k)), 'w')); t = tic ();"
%!   "while (numel (glob (fullfile ('STARTED', '*'))) < 10 && toc (t) < 30) pause (0.02); endwhile"
%!   "for round = 1:3"
%!   "  [m, i] = gpu_max (x); g = gpuArray (y); s = gather (gpu_sum (g));"
%!   "  right = [gpu_sum(x) == total, gpu_sum(x, 'native') == total, m == k + n - 1, i == n, gpu_min(x) == k, ..."
%!   "           gpu_mean(x) == total / n, gpu_any(y, 'all'), gpu_all(y, 'all'), gpu_prod(2 * ones (1, 20 + k)) == 2 ^ (20 + k), ..."
%!   "           isequal(s, 600 * (k + 600 * (0:499)) + 179700), isequal(gpu_sum (y, 2)', 500 * (k:k + 599) + 74850000), ..."
%!   "           isequal(gpu_histc (x, [0, k, k + 1000, Inf]), [0, 1000, n - 1000, 0]), gpu_argmax(-x) == 1, ..."
%!   "           gpu_sum(int8 (100 * ones (1, 1000)), 'native') == 127, gpu_sumsq(1:k) == k * (k + 1) * (2 * k + 1) / 6];"
%!   "  if (! all (right)) printf ('%d: wrong: %s\\n', k, num2str (find (! right))); endif"
%!   "endfor"
%!   "printf ('%d done\\n', k);"}, "\n");
%! unwind_protect
%!   [status, said] = in_octave (strrep (code, "STARTED", fullfile (folder, "started")), ...
%!                               ["GPUREDUCE_DEVICE=cpu TMPDIR=" fullfile(folder, "tmp")], 60, 10);
%!   left = glob (fullfile (folder, "tmp", "{*,.[!.]*}"));
%!   together = numel (glob (fullfile (folder, "started", "*")));
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
%! assert (status == 0, "%s", said);
%! assert (sort (strsplit (strtrim (said), "\n")), sort (arrayfun (@(k) sprintf ("%d done", k), 1:10, "uniformoutput", false)));
%! assert (together, 10);
%! assert (left, cell (0, 0));

## ---- TMPDIR ----------------------------------------------------------------------

%!function said = with_tmpdir (name, code)
%!  top = tempname ();
%!  folder = fullfile (top, name);
%!  mkdir (top);
%!  unwind_protect
%!    mkdir (folder);
%!    code = ["cd ('" top "'); setenv ('TOUCHED', [pwd() '/touched']); setenv ('TMPDIR', '" strrep(folder, "'", "''") "');\n" code "\nprintf ('left:%s', sprintf (' %s', glob ('*'){:}));"];
%!    [status, said] = in_octave (["warning ('off', 'gpureduce:cpu-fallback');\n" code], "");
%!    assert (status == 0, "%s", said);
%!  unwind_protect_cleanup
%!    confirm_recursive_rmdir (false, "local");
%!    rmdir (top, "s");
%!  end_unwind_protect
%!endfunction

%!testif HAVE_RAPIDJSON                  # blanks_and_commands_in_it_reach_no_shell
%! name = "a 'b $(touch $TOUCHED) \"c;";
%! said = with_tmpdir (name, ["f = gpu_variant_add ('template', pwd ()); names = gpu_variant_add (f);\n" ...
%!                            "disp (gpu_reduce (1:100, 'sum', 'variant', names{1}, 'device', 'sim'));"]);
%! assert (! isempty (regexp (said, '^\s*5050\s')), "%s", said);
%! assert (isempty (regexp (said, 'left:.* touched( |$)', "once")), "%s", said);
%!testif HAVE_RAPIDJSON                  # a_missing_one_is_named
%! said = with_tmpdir ("here", ["setenv ('TMPDIR', '/no/such/folder');\n" ...
%!                              "try; gpu_trace ('interleaved', 64, 64); catch e; disp (e.identifier); disp (e.message); end_try_catch"]);
%! assert (! isempty (regexp (said, '^gpureduce:cannot-write\ngpu_trace: .*/no/such/folder.*set TMPDIR')), "%s", said);

## ---- the help --------------------------------------------------------------------

%!test                                   # every_variable_is_in_the_help_of_gpu_config
%! top = fullfile (fileparts (which ("run_tests")), "..");
%! sources = [glob(fullfile (top, "src", "*", "*.[ch]")); glob(fullfile (top, "inst", "*.m")); glob(fullfile (top, "inst", "private", "*.m"));
%!            glob(fullfile (top, "src", "{configure,build-*}"))];
%! help_text = get_help_text ("gpu_config");
%! found = {};
%! for file = sources'
%!   text = regexprep (fileread (file{1}), '^%!.*$', "", "lineanchors", "dotexceptnewline");       # tests may set any
%!   for pattern = {'getenv \("(\w+)"\)', '"((?:SLURM|OMPI|MPI|PMI)_\w+)"', '\W(GPUREDUCE_[A-Z_]*[A-Z])\>'}
%!     names = regexp (text, pattern{1}, "tokens");
%!     found = [found, names{:}];
%!   endfor
%! endfor
%! found = setdiff (found, {"PATH", "DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "WSL_DISTRO_NAME"});  # what the system tells every program
%! assert (all (ismember ({"GPUREDUCE_DEVICE", "GPUREDUCE_SIM", "GPUREDUCE_CUDA_ARCHS", "PMI_LOCAL_RANK", "TMPDIR"}, found)));
%! for name = found
%!   assert (! isempty (regexp (help_text, ['@itemx? ' name{1} '\n'], "once")), "no %s", name{1});
%! endfor
