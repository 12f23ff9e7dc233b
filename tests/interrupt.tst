## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Ctrl-C stops a long reduction within a second and leaves nothing behind.

## An Octave that gets SIGINT half a second into the work, and again until it has
## seen one (Octave misses one at the very end of deleting an object): seconds from the
## first to the end of the call, how far the work got, handles left.
%!function [late, finished, handles, said] = interrupted (prepare, work)
%!  stamp = tempname ();
%!  code = strjoin ({
%!    "warning ('off', 'gpureduce:cpu-fallback');"
%!    prepare
%!    "finished = 0;"
%!    "system (sprintf (['(sleep 0.5; date +%%s.%%N > STAMP; for i in 1 2 3; do [ -e STAMP ] && kill -INT %d; sleep 0.4; done)' ..."
%!    "                  ' > /dev/null 2>&1 &'], getpid ()));"
%!    "unwind_protect"
%!    work
%!    "finished = 1;"
%!    "unwind_protect_cleanup"
%!    "late = time () - str2double (fileread ('STAMP'));"
%!    "unlink ('STAMP');"
%!    "printf ('late %.3f finished %d handles %d\\n', late, finished, __gpureduce__ ('diagnose').handles);"
%!    "end_unwind_protect"}, "\n");
%!  code = strrep (code, "STAMP", stamp);
%!  unwind_protect
%!    [status, said] = in_octave (code, "", 120);
%!  unwind_protect_cleanup
%!    [~] = unlink (stamp);
%!  end_unwind_protect
%!  numbers = sscanf (said(max ([1, strfind(said, "late ")]):end), "late %f finished %d handles %d");
%!  if (numel (numbers) != 3)
%!    error ("status %d, said '%s'", status, said);
%!  endif
%!  late = numbers(1);
%!  finished = numbers(2);
%!  handles = numbers(3);
%!endfunction

%!test # one_long_reduction
%! ## saturating at every step: some seconds on one thread
%! [late, finished, handles] = interrupted ("gpu_config ('threads', 1); x = ones (1, 8e8, 'uint8');", ...
%!                                          "gpu_prod (x, 'native', 'device', 'cpu');");
%! assert (finished, 0);
%! assert (late < 1.5);
%! assert (handles, 0);
%!test # many_calls
%! [late, finished, handles] = interrupted ("g = gpuArray (ones (1000)); ", ...
%!                                          "while (true) h = gpu_max (g); endwhile");
%! assert (finished, 0);
%! assert (late < 1.5);
%! assert (handles <= 2);
%!test # operations_that_wait
%! [late, finished, handles] = interrupted ("g = gpuArray (rand (1000)); ", ...
%!                                          "while (true) h = gather ((g - mean (g)) ./ std (g)); endwhile");
%! assert (finished, 0);
%! assert (late < 1.5);
%! assert (handles <= 5);
%!test # what_a_script_catches_is_no_interrupt
%! for call = {"s = std (g);", "s = sum (g);", "h = exp (g); __gpr_octave__ ('wait', h);"}
%!   [late, finished] = interrupted ("g = gpuArray (rand (4e6, 1));", ["t = tic (); while (toc (t) < 8) try, " call{1} " catch, end_try_catch, endwhile"]);
%!   assert (finished, 0);
%!   assert (late < 1.5);
%! endfor
%!test # a_kernel_in_the_simulator
%! ## it is over with the call, and its process with it
%! add = ["f = gpu_variant_add ('template', tempdir ()); code = strrep (fileread (f), 'finish (a, v);', " ...
%!        "'while (a.n > 0) __syncthreads (); finish (a, v);'); unlink (f); f = [tempname() '.cu']; " ...
%!        "fid = fopen (f, 'w'); fputs (fid, code); fclose (fid); gpu_variant_add (f); unlink (f);"];
%! run = ["unwind_protect\n gpu_reduce (1:1000, 'sum', 'variant', 'my_reduce', 'device', 'sim');\n" ...
%!        "unwind_protect_cleanup\n [~, left] = system (sprintf ('ps -o comm= --ppid %d', getpid ()));\n" ...
%!        "printf ('<%s>\\n', left);\nend_unwind_protect"];
%! [late, finished, handles, said] = interrupted (add, run);
%! assert (finished, 0);
%! assert (late < 1.5);
%! assert (isempty (strfind (said, "gpureduce_sim")));
%! assert (isempty (strfind (said, "time limit")));
%! assert (! isempty (regexp (said, "<[^>]*>")));
%!test # the_next_call_works
%! [status, said] = in_octave (["x = ones (1, 8e8, 'uint8'); gpu_config ('threads', 1);\n" ...
%!   "system (sprintf ('(sleep 0.5; kill -INT %d) > /dev/null 2>&1 &', getpid ()));\n" ...
%!   "unwind_protect\n gpu_prod (x, 'native', 'device', 'cpu');\n" ...
%!   "unwind_protect_cleanup\n printf ('sum %g\\n', gpu_sum (1:4, 'device', 'cpu'));\n end_unwind_protect"], "", 120);
%! assert (! isempty (strfind (said, "sum 10")));
