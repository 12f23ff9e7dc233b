## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## A forked child (parcellfun) answers or raises; it never hangs.

## The parent does first, then the child, which then dies by a signal so that no
## exit handler of the parent's runs twice.  What they print.
%!function said = in_child (first, child)
%!  code = {"warning ('off', 'all');", "x = ones (1, 3e6);", "gpu_config ('threads', 2);", first, ...
%!          "fflush (stdout);", "pid = fork ();", "if (pid == 0)", "try", child, ...
%!          "catch err", "disp (['raised ' err.identifier]);", "end_try_catch", "fflush (stdout);", ...
%!          "kill (getpid (), SIG.KILL);", "endif", "waitpid (pid);", "disp (gpu_sum (x));"};
%!  [status, said] = in_octave (strjoin (code, "\n"), "GPUREDUCE_DEVICE=", 60);
%!  if (status != 0)
%!    error ("status %d (124: it hung), said '%s'", status, said);
%!  endif
%!endfunction

%!shared device
%! device = __gpureduce__ ("diagnose").devices > 0;
%!testif ; exist ("fork")                 # after_the_threads_were_used
%! assert (in_child ("gpu_sum (x);", "disp (gpu_sum (x) + 1);"), "3000001\n3000000\n");
%!testif ; exist ("fork")                 # before_the_first_call
%! assert (in_child ("", "disp (gpu_sum (x) + 1);"), "3000001\n3000000\n");
%!testif ; exist ("fork")                 # every_kind_of_work
%! said = in_child ("gpu_sum (x); gpu_histc (x, 0:5);", "printf ('%d %d %d\\n', gpu_max (x), gpu_histc (x, 0:5)(2), gpu_max (x, 2)(9));");
%! assert (said, "1 3000000 2\n3000000\n");
%!testif ; exist ("fork")                 # a_child_of_a_child
%! said = in_child ("gpu_sum (x);", "disp (gpu_sum (x) + 1); fflush (stdout); p = fork (); if (p == 0) disp (gpu_sum (x) + 2); fflush (stdout); kill (getpid (), SIG.KILL); endif; waitpid (p);");
%! assert (said, "3000001\n3000002\n3000000\n");
%!testif ; exist ("fork")                 # resident_data_of_the_parent
%! said = in_child ("g = gpuArray (x);", "disp (gpu_sum (g) + 1);");
%! assert (! isempty (regexp (said, '^(3000001|raised gpureduce:[\w-]+)\n3000000\n$', "once")));
%!testif ; exist ("fork") && device       # the_gpu_is_refused_in_a_child
%! said = in_child ("gpu_sum (x, 'device', 'gpu');", "disp (gpu_sum (x, 'device', 'gpu'));");
%! assert (! isempty (regexp (said, '^raised gpureduce:[\w-]+\n3000000\n$', "once")));
