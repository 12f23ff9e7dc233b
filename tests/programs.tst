## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Whole programs, in tests/sim/programs: right ones run and give what their text says, of wrong ones the
## fault is named with its line, on the host and in kernels.

%!function file = program (name)
%!  file = fullfile (fileparts (which ("in_octave")), "sim", "programs", [name ".cu"]);
%!endfunction
%!function has (text, varargin)
%!  for part = varargin
%!    assert (! isempty (strfind (text, part{1})), "%s", text);
%!  endfor
%!endfunction

%!test                                   # right_programs_run_and_print_what_they_should
%! wanted = {"two_launches", "sum right, on the host right, time told\n", 2; "histogram", "16 bins of 1024, 8192 odd, 13 14\n", 1; ...
%!           "dot_managed", "45000 45000\nno memory\n", 1; ...
%!           "cooperative", "1 3: 4500, cudaSuccess\ncudaErrorCooperativeLaunchTooLarge\n60\n", 5; "grids", "0 wrong\n", 5}';
%! for w = wanted
%!   r = gpu_program (program (w{1}));
%!   assert (isempty (r.fault), "%s: %s", w{1}, r.output);
%!   assert ({r.output, r.exit_status, numel(r.launches)}, {w{2}, 0, w{3}});
%! endfor
%!test                                   # launches_are_listed_with_their_lines_sizes_and_counts
%! file = program ("vector_add");
%! r = gpu_program (file, "arguments", {", it's \"told\"", "3"});
%! assert (r.output, "0 of 1000 are wrong, it's \"told\"\n");
%! assert (r.exit_status, 3);
%! assert (isempty (r.notes) && iscellstr (r.notes));
%! l = r.launches;
%! line = find (! cellfun (@isempty, strfind (strsplit (fileread (file), "\n", "collapsedelimiters", false), "<<<")));
%! assert ({l.kernel, l.file, l.line, l.grid, l.block, l.shared, l.error}, {"add", file, line, [4 1 1], [256 1 1], 0, ""});
%! assert ([l.counts.sectors, l.counts.sectors_needed, l.counts.sectors_written, l.counts.barriers], [375 375 125 0]);
%! l = gpu_program (program ("two_launches")).launches;
%! assert ({l.kernel}, {"reduce<int, 256u>", "reduce<int, 128u>"});
%! assert ({l.grid}, {[16 1 1], [1 1 1]});
%! assert (arrayfun (@(l) l.counts.barriers, l), [16 * 9, 8]);
%! l = gpu_program (program ("cooperative")).launches;
%! assert ({l.kernel}, {"sum_all", "sum_all", "scale", "scale", "scale"});
%! has (l(2).error, "cudaErrorCooperativeLaunchTooLarge (too many blocks");

## the fault and the exit of each case that the program lists, with its line
%!function told = cases_of (file, least)
%!  lines = strsplit (fileread (file), "\n", "collapsedelimiters", false);
%!  cases = regexp (gpu_program (file).output, '(\w+):([^\n]*)', "tokens");
%!  assert (numel (cases) >= least);
%!  for k = 1:numel (cases)
%!    [name, kind] = cases{k}{:};
%!    ends = ! strcmp (kind, "time limit");
%!    line = find (! cellfun (@isempty, strfind (lines, ["/* HERE " name " */"])));
%!    r = gpu_program (file, "arguments", name, "seconds", merge (ends, 20, 1.5));
%!    if (! ends && (isempty (r.fault) || r.fault.line != line))     # a busy machine had not come there
%!      r = gpu_program (file, "arguments", name, "seconds", 10);
%!    endif
%!    if (isempty (kind))
%!      assert (isempty (r.fault) && r.exit_status == 0, "%s", name);
%!    else
%!      assert (! isempty (r.fault), "%s: no fault", name);
%!      assert (isequal ({r.fault.kind, r.fault.file, r.fault.line}, {kind, file, line}), "%s: %s", name, r.fault.message);
%!      assert (isempty (r.exit_status), ! strcmp (kind, "failed launch"));    # that one is told at the end
%!    endif
%!    told.(name) = r;
%!  endfor
%!endfunction
%!test                                   # a_time_limit_names_its_line_wherever_the_host_is_just_then
%! for k = 1:5
%!   r = gpu_program (program ("wrong"), "arguments", "host_without_end", "seconds", 0.3 + k / 30);
%!   assert (r.fault.kind, "time limit");
%!   assert (r.fault.line > 0, "after %g seconds: %s", 0.3 + k / 30, r.fault.message);
%! endfor
%!test                                   # each_fault_of_a_program_is_named_with_its_line
%! told = cases_of (program ("wrong"), 36);
%! message = @(name) told.(name).fault.message;
%! has (message ("not_copied"), "uninitialised read in twice at wrong.cu:", "reads d[", "of 1000, which nothing wrote", "nothing was copied to d, allocated in line");
%! has (message ("half_copied"), "only the first 1000 bytes of d_in, allocated in line ", "it has 4000 bytes");
%! has (message ("host_pointer"), "reads h[", "which is memory of the host", "cudaMalloc");
%! has (message ("host_array"), "reads own[");
%! has (message ("read_on_host"), "the host reads d[3] of 1000, which is memory of the GPU", "cudaMemcpyDeviceToHost");
%! has (message ("variable_on_host"), "the host writes *counter", "cudaMemcpyToSymbol");
%! has (message ("wrong_direction"), "cudaMemcpyHostToDevice is meant");
%! has (message ("two_of_host"), "a.data (), which is memory of the host");
%! has (message ("copy_too_large"), "copies 4000 bytes to d, where there are 400");
%! has (message ("sizeof_forgotten"), "sizeof is missing in line ");
%! has (message ("host_too_small"), "copies 4000 bytes to h, where there are 40");
%! has (message ("too_few_bytes"), "writes d[250] of 250", "has 1000 bytes, which are 250 elements of 4");
%! has (message ("freed_twice"), "cudaFree frees d again, which line ");
%! has (message ("too_many_threads"), "the launch of all failed with cudaErrorInvalidConfiguration (invalid configuration argument), and nobody asked", "2048 threads");
%! has (message ("not_waited"), "the host reads *sum, which total, launched in line ", "cudaDeviceSynchronize () is missing between line ");
%! has (message ("never_set"), "through a null pointer");
%! has (message ("race_on_variable"), "*counter");
%! assert (told.race_on_variable.fault.kernel, "add_plainly");
%! assert (size (told.race_on_variable.fault.other.thread), [3 1]);
%! assert ({told.not_waited.fault.kernel, told.not_waited.fault.thread}, {"", zeros(1, 0)});
%! has (told.never_freed.notes{1}, "d (line ", ") was never freed: 4000 bytes");
%! has (told.asked_for_the_error.notes{1}, "failed with cudaErrorInvalidConfiguration");
%! has (told.copies_nothing.notes{1}, "copies d, to which nothing has been written");
%! assert (told.asked_for_the_error.output, "invalid configuration argument\n");
%! assert (told.too_many_threads.launches.counts.sectors, 0);

%!test                                   # kernels_in_common_styles_run_or_are_named_with_their_fault
%! told = cases_of (program ("styles"), 16);
%! assert ({told.fence.output, told.groups.output, told.cas.output, told.heap.output}, {"8\n", "160\n", "65280\n", "38\n"});
%! message = @(name) told.(name).fault.message;
%! has (message ("grid_waits"), "<<<...>>> launches no kernel that waits for the whole grid: cudaLaunchCooperativeKernel does (launched in line ");
%! has (message ("elements_for_bytes"), "the launch gives 256 bytes of dynamic shared memory");
%! has (message ("deep_pointer"), "writes memory of the host");
%! has (message ("host_stack"), "reads h[0], which is memory of the host");
%! has (message ("owner_by_value"), "cudaFree frees p again");
%! has (message ("assertion"), "fails an assertion");
%!test                                   # homework_runs_or_is_named_with_its_fault_and_likely_cause
%! file = program ("homework");
%! told = cases_of (file, 13);
%! at = @(mark) num2str (find (! cellfun (@isempty, strfind (strsplit (fileread (file), "\n", "collapsedelimiters", false), mark))));
%! message = @(name) told.(name).fault.message;
%! has (message ("argmax_without_barrier"), ["a __syncthreads () is missing at line " at("HERE argmax_without")], "at the end of each round of its loop");
%! has (message ("variance_without_barrier"), "before it is written", ["is missing between line " at("/* LOAD */") " and line " at("HERE variance_without")]);
%! has (message ("bins_unset"), "which nothing wrote", "it must be set (to 0 for a sum or a count), with a __syncthreads () after it, before the first atomic");
%! has (message ("greatest_unset"), "reads most, which nothing wrote", "shared memory holds nothing at first");
%! for name = {"total_without_atomic", "all_to_one_place"}
%!   has (message (name{1}), ["several threads change one element at line " num2str(told.(name{1}).fault.line) ": it takes an atomic"]);
%! endfor
%! has (message ("scan_in_place"), ["a __syncthreads () is missing at line " at("HERE scan_in_place")]);
%! assert (isempty (strfind (message ("scan_in_place"), "atomic")));
%! has (message ("elements_for_bytes"), "dynamic shared memory + 128 bytes (index 32 of 32)", "the launch gives 128 bytes");
%! has (message ("shuffle_in_branch"), "shuffles with lane 1", "the shuffle is in a branch or a loop that not all lanes of its mask take");
%! has (message ("no_fence"), "a __threadfence () is missing between that write and the atomic that counts the blocks");
%! has (message ("constant_by_name"), "factors, a __device__ or __constant__ variable", "cudaMemcpyToSymbol");
%! assert (told.argmax_right.output, sprintf ("%d %d\n", typecast (single (100), "int32"), 30));
%! assert (told.kept_right.output, sprintf ("%d 0\n", sum (mod ((0:127) * 37, 101) > 50)));
%!test                                   # what_is_printed_comes_in_its_order_and_is_bounded
%! r = gpu_program (program ("prints"));
%! assert (sort (strsplit (strtrim (r.output), "\n")), sort ({"before", "after", "hello from thread 0 of block 0", ...
%!         "hello from thread 0 of block 1", "hello from thread 1 of block 0", "hello from thread 1 of block 1"}));
%! assert (r.output([1:7, end-5:end]), "before\nafter\n");
%! assert (r.exit_status, 7);
%! r = gpu_program (program ("prints"), "arguments", "1234");
%! assert (sum (r.output == "\n"), 1001);
%! has (r.output(end-40:end), "\n... and 240 more lines\n");
%! shown = evalc ("gpu_program (program (\"prints\"))");
%! has (shown, "before\nhello", "after\nNo fault was found: 1 launch, 1 of hello. The program ended with exit status 7.\n");
%! fail ("evalc ('gpu_program (program (\"wrong\"), \"arguments\", \"freed_twice\")')", "gpu_program: wrong free at wrong.cu:[0-9]+: cudaFree frees d again");

%!function r = run (code, varargin)
%!  file = [tempname() ".cu"];
%!  fid = fopen (file, "w");
%!  fputs (fid, code);
%!  fclose (fid);
%!  unwind_protect
%!    r = gpu_program (file, varargin{:});
%!  unwind_protect_cleanup
%!    unlink (file);
%!  end_unwind_protect
%!endfunction
%!test                                   # a_launch_is_found_wherever_it_stands_and_nowhere_else
%! r = run (['#include <cstdio>' "\n" '#include <map>' "\n" '#define GO(k) k<<<1, 1>>>' "\n" ...
%!   'template <class T, int N> __global__ void put (T *x) { *x = N; }' "\n" ...
%!   'struct holder { void (*kernel) (int *); int *d; void go (); }; void holder::go () { (this->kernel)<<<1, 1>>> (d); kernel <<< 1 , 1 >>> ( d ) ; }' "\n" ...
%!   'template <int N> void both (int *d) { if (N > 1 >> 1) ::put<int, (N > 2 ? 1 : 0)><<<dim3 (1), 1>>>(d); else put<int, N><<<1,1>>>(d); }' "\n" ...
%!   'int main () { // k<<<1, 1>>> (0)' "\n" ...
%!   '  int *d; cudaMalloc (&d, 4); std::map<int, std::map<int, std::map<int,int>>> m;' "\n" ...
%!   '  const char *s = "a<<<b, c>>> (d)", *raw = R"x(k<<<1,")>>>(x))x"; char quote = ''"''; int big = 1''000 << 1;' "\n" ...
%!   '  GO ((put<int, 4>)) (d); both<1> (d); both<3> (d); holder h = { put<int, 9>, d }; h.go ();' "\n" ...
%!   '  int v; cudaMemcpy (&v, d, 4, cudaMemcpyDeviceToHost); printf ("%s %s %c %d %d\n", s, raw, quote, big, v); cudaFree (d); }' "\n"]);
%! assert (isempty (r.fault));
%! assert (r.output, "a<<<b, c>>> (d) k<<<1,\")>>>(x) \" 2000 9\n");
%! assert ([r.launches.line], [10 6 6 5 5]);
%!test                                   # what_does_not_compile_is_an_error_with_its_line
%! code = "int main ()\n{\n  int x = ;\n}\n";
%! fail ("run (code)", "does not compile for the simulator:.*\\.cu:3:");
%! fail ("run (\"#include <cub/cub.cuh>\\nint main () {}\\n\")", "CUB, Thrust and other libraries are not in the simulator");
%! fail ("run (\"#include <curand_kernel.h>\\nint main () {}\\n\")", "cuRAND is not in the simulator");
%! fail ("run (\"#include <cuda_fp16.h>\\nhalf2 x;\\nint main () {}\\n\")", "no __half2");
%! fail ("run (\"int main () { cudaResourceDesc d; }\\n\")", "Textures and surfaces are not in the simulator");
%! fail ("run (\"int main () { float *x = 0; cudaBindTexture (0, 1, x, 4); }\\n\")", "texture references were removed from CUDA");
%! fail ("run (\"int f () { return 1; }\\n\")", "there is no main");
%! code = "__global__ void k (int &x) { x = 1; }\nint main ()\n{\n  int x = 0;\n  k<<<1, 1>>> (x);\n}\n";
%! fail ("run (code)", "\\.cu:5:.*A kernel takes no references");
%! fail ("run (\"int main () { cudaNoSuchThing (); }\\n\")", "README.md says what the simulator has of CUDA");
%!test                                   # a_program_that_ends_by_itself_says_how
%! r = run ("#include <unistd.h>\nint main () { _exit (5); }\n");
%! assert ({r.exit_status, isempty(r.fault)}, {5, true});
%! r = run ("#include <signal.h>\nint main () { raise (SIGKILL); }\n");
%! assert ({r.exit_status, r.fault.kind}, {[], "crash"});
%! has (r.fault.message, "ended by signal 9");
%! r = run ("#include <stdexcept>\nint main () { throw std::runtime_error (\"so it is\"); }\n");
%! has (r.output, "so it is");
%! assert ({r.fault.kind, r.fault.line}, {"crash", 2});
