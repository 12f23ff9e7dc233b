## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## What a student is told of a kernel: every run in the simulator ends, prints are seen, faults have causes.

## The kernel NAME, whose body is BODY, as a variant; MORE: of its descriptor.
%!function added (name, body, more = "")
%!  file = [tempname() ".cu"];
%!  fid = fopen (file, "w");
%!  fprintf (fid, ["#include \"ladder.h\"\ntemplate <class Op> __global__ void %s (reduce_args<Op> a)\n{\n" ...
%!                 "  typedef typename Op::T T;\n  T *s = shared<T> ();\n  int t = threadIdx.x;\n" ...
%!                 "  int64_t i = (int64_t) blockIdx.x * blockDim.x + t;\n%s\n}\n" ...
%!                 "LADDER_VARIANT (%s) { v.shared_per_thread = 1; %s LADDER_SET (v, LADDER_SUM, LADDER_DOUBLE, %s<Sum<double>>);" ...
%!                 " LADDER_SET (v, LADDER_SUM, LADDER_INT32, %s<Sum<int>>); }\n"], name, body, name, more, name, name);
%!  fclose (fid);
%!  unwind_protect
%!    gpu_variant_add (file);
%!  unwind_protect_cleanup
%!    unlink (file);
%!  end_unwind_protect
%!endfunction
%!function said = refused (varargin)
%!  said = "";
%!  try
%!    gpu_reduce (varargin{:}, "device", "sim");
%!  catch err
%!    assert (err.identifier, "gpureduce:invalid-input");
%!    said = err.message;
%!  end_try_catch
%!endfunction
%!function has (text, pattern)
%!  assert (! isempty (regexp (text, pattern)), "%s", text);
%!endfunction
## processes that this Octave has started and that run still
%!function n = children ()
%!  assert (system ("ps -p 1 > /dev/null 2>&1"), 0);             # else nothing would be found
%!  [status, said] = system (sprintf ("ps -o comm= --ppid %d", getpid ()));
%!  n = sum (strncmp (strsplit (said, "\n"), "gpureduce_sim", 13));
%!endfunction
%!function yes = simulates ()
%!  yes = true;
%!  try
%!    t = gpu_trace ("sequential", 32, 32);
%!  catch
%!    yes = false;
%!  end_try_catch
%!endfunction

%!testif ; simulates ()          # a_kernel_without_end_is_stopped_at_its_line
%! added ("endless", "  s[t] = 1;\n  while (s[t] > 0) __syncthreads ();\n  finish (a, s[t]);");
%! begun = tic ();
%! has (refused (1:1000, "sum", "variant", "endless", "seconds", 0.5), ...
%!      '^gpu_reduce: time limit in endless at [^ ]*\.cu:9: thread \(.* is still at work after 0.5 seconds. Likely cause: a loop that does not end');
%! t = gpu_trace ("endless", 100, 64, "seconds", 0.5);
%! assert ({t.fault.kind, t.fault.line}, {"time limit", 9});
%! assert (toc (begun) < 60);
%! assert (children (), 0);
%! x = ones (10, 3);
%! has (refused (x, "sum", "dim", 1, "variant", "endless", "seconds", 0.3), "after 0.3 seconds");
%!testif ; simulates ()          # seconds_are_positive_and_go_with_a_variant
%! for bad = {0, -1, NaN, "a", [1 2], 1i}
%!   has (refused (1:3, "sum", "variant", "sequential", "seconds", bad{1}), "seconds must be a positive number");
%!   has (refused (1:3, "histogram", 3, "variant", "global_atomic", "seconds", bad{1}), "seconds must be a positive number");
%!   fail ('gpu_trace ("sequential", "seconds", bad{1})', "gpu_trace: seconds must be a positive number");
%! endfor
%! for good = {Inf, 5, single(7), int8(9)}
%!   assert (gpu_reduce (1:3, "sum", "variant", "sequential", "device", "sim", "seconds", good{1}), 6);
%!   assert (gpu_reduce ([1 2 2], "histogram", 2, "variant", "global_atomic", "device", "sim", "seconds", good{1}), [1 2]);
%! endfor
%! fail ('gpu_reduce (1:3, "sum", "seconds", 5)', "finish, block, seconds and force go with variant");
%!testif ; simulates ()          # seconds_hold_for_histograms_too
%! has (refused (mod (1:2e6, 7), "histogram", 7, "variant", "warp_private", "seconds", 0.05), "time limit");
%!testif ; simulates ()          # what_a_kernel_prints_is_shown_with_its_thread
%! added ("talks", "  if (i == 70) printf (\"s is %d, x %.1f\\n\", 7, 0.5 + (double) a.x[i]);\n  finish (a, i < a.n ? a.x[i] : Op::identity ());", ...
%!        "v.finishes = 1u << LADDER_ATOMIC; v.default_finish = LADDER_ATOMIC;");
%! said = evalc ('refused (1:100, "sum", "variant", "talks", "block", 64);');
%! has (said, '^thread \(6,0,0\) of block \(1,0,0\): s is 7, x 71.5\n');
%! said = evalc ('gpu_trace ("talks", "data", 1:100);');
%! has (said, '^thread \(6,0,0\) of block \(1,0,0\): s is 7, x 71.5\n.*Fault');
%!testif ; simulates ()          # of_what_is_printed_100_lines_are_shown
%! added ("talks_much", "  printf (\"%d\\n\", t);\n  finish (a, t == 0 ? (T) 64 : Op::identity ());");
%! said = strsplit (strtrim (evalc ('y = gpu_reduce (ones (128, 2), "sum", "variant", "talks_much", "block", 64, "device", "sim");')), "\n");
%! assert (y, [128 128]);
%! assert (numel (said), 101);
%! assert (said{end}, "... and 156 more lines");
%! assert (isempty (evalc ('gpu_reduce (1:9, "sum", "variant", "sequential", "device", "sim");')));
## the package's own, whatever other tests have added
%!function v = own (field)
%!  v = gpu_variants ();
%!  v = v(! cellfun (@isempty, {v.(field)}) & ! cellfun (@isempty, strfind ({v.file}, fullfile ("kernels", "ladder"))))';
%!  assert (numel (v) > 10);
%!endfunction
%!testif ; simulates ()          # bugs_on_show_are_seen_without_a_word: by gpu_trace's defaults
%! some = merge (strcmp (getenv ("CHECK_LONG"), "yes"), 1, 3);
%! for v = own ("fault")(:,randi (some):some:end)
%!   t = gpu_trace (v.name);
%!   assert (! isempty (t.fault), "%s looks healthy", v.name);
%!   assert (t.fault.kind, v.fault);
%!   assert (t.n, v.n);
%! endfor
%!testif ; simulates ()          # blocks_that_a_kernel_lacks_are_refused: the default is one that it has
%! for v = own ("classes")(:,randi (6):6:end)
%!   [~] = evalc ('t = gpu_trace (v.name, 100, [], "class", v.classes{1});');          # some of those above print
%!   assert (any (t.block == v.blocks));
%! endfor
%! fail ('gpu_trace ("bug_block_1024", 100, 64)', "gpu_trace: variant bug_block_1024 has no blocks of 64 threads; it has 1024");
%! fail ('gpu_trace ("bug_no_syncwarp", 100, 32)', "has no blocks of 32 threads; it has 64, 128");
%! has (refused (1:9, "sum", "variant", "bug_shared_overrun", "block", 64), "has no blocks of 64 threads; it has 32");
%!testif ; simulates ()          # the_likely_cause_is_told: by gpu_reduce and gpu_trace
%! added ("no_barrier", ["  s[t] = i < a.n ? a.x[i] : Op::identity ();\n  for (int k = blockDim.x / 2; k > 0; k /= 2)\n    {\n" ...
%!                       "      if (t < k)\n        s[t] += s[t + k];\n      __syncthreads ();\n    }\n  finish (a, s[0]);"]);
%! has (refused (1:1000, "sum", "variant", "no_barrier"), 'race in no_barrier at .*\. Likely cause: a __syncthreads \(\) is missing between line 8 and line 12');
%! text = evalc ('gpu_trace ("no_barrier")');
%! has (text, 'Fault: race\..*  Likely cause: a __syncthreads \(\) is missing between line 8 and line 12.*\.\n');
%! added ("in_branch", ["  s[t] = i < a.n ? a.x[i] : Op::identity ();\n  __syncthreads ();\n  for (int k = blockDim.x / 2; k > 0; k /= 2)\n" ...
%!                      "    if (t < k)\n      {\n        s[t] += s[t + k];\n        __syncthreads ();\n      }\n  finish (a, s[0]);"]);
%! has (refused (1:1000, "sum", "variant", "in_branch"), 'barrier divergence in in_branch at .*:14: .* the barrier is in a branch or a loop that not all threads take');
%!testif ; simulates ()          # a_wrong_result_is_not_laid_to_the_second_pass
%! added ("too_few", "  finish (a, i < a.n ? a.x[i] : Op::identity ());");
%! has (refused (1:1000, "sum", "variant", "too_few"), "^gpu_reduce: wrong result in too_few: the sum is ");
%! assert (gpu_trace ("too_few").fault.kernel, "too_few");
%! assert (isempty (strfind (evalc ('gpu_trace ("too_few")'), "kernel second_pass,")));
%! added ("lost_block", "  if (blockIdx.x == 1) return;\n  finish (a, i < a.n ? a.x[i] : Op::identity ());");
%! has (refused (1:1000, "sum", "variant", "lost_block", "block", 128), ...
%!      'wrong result in lost_block: block \(1,0,0\) leaves no result: it never writes partial\[1\] of 8\. Likely cause: its thread 0 returns before it stores the block''s result');
