## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Nothing is left behind: uploads and clears, results and errors leave the process's
## memory, the device's, and the table of handles where they began.  CHECK_LONG=yes makes
## ten times as many.

%!function kb = resident_set ()
%!  kb = NaN;
%!  if (exist ("/proc/self/status", "file"))
%!    kb = str2double (regexp (fileread ("/proc/self/status"), 'VmRSS:\s*(\d+)', "tokens"){1}{1});
%!  endif
%!endfunction

%!function must_fail (f, varargin)
%!  failed = false;
%!  try
%!    f (varargin{:});
%!  catch
%!    failed = true;
%!  end_try_catch
%!  assert (failed);
%!endfunction

## Runs work so often; what it leaves behind in handles, bytes on the device and bytes of the
## process a call.
## What leaks does so every time, and what else makes the process grow does not: the
## least growth of three times counts, where the first is more than a few bytes a call.
%!function left = leftover (work, times)
%!  if (strcmp (getenv ("CHECK_LONG"), "yes"))
%!    times *= 10;
%!  endif
%!  for k = 1:min (times, 2000)
%!    work (k);
%!  endfor
%!  before = __gpureduce__ ("diagnose");
%!  growth = Inf;
%!  for attempt = 1:3
%!    rss = resident_set ();
%!    for k = 1:times
%!      work (k);
%!    endfor
%!    growth = min (growth, (resident_set () - rss) * 1024 / times);
%!    if (! (growth > 200))
%!      break;
%!    endif
%!  endfor
%!  after = __gpureduce__ ("diagnose");
%!  left = [after.handles - before.handles, after.memory.in_use - before.memory.in_use, growth];
%!endfunction

%!function upload_and_clear (k)
%!  g = gpuArray (ones (1, 100 + mod (k, 1000)));
%!  if (mod (k, 10) == 0)
%!    h = g;
%!    delete (g);
%!    must_fail (@gather, h);
%!  elseif (mod (k, 10) == 1)
%!    must_fail (@gpu_sum, g, -1);
%!  endif
%!endfunction

%!function reduce_and_clear (k)
%!  s = gpu_max (gpuArray ([k, 1; 2, 3 + mod(k, 500)]));
%!  assert (isgpuarray (s));
%!endfunction

%!function raise_errors (k)
%!  x = ones (1, 1000);
%!  must_fail (@gpu_sum, x, {});
%!  must_fail (@gpu_mean, x, 1.5);
%!  must_fail (@gpu_max, {x});
%!  must_fail (@gpuArray, {x});
%!  must_fail (@gpu_sum, x, "device", "toaster");
%!endfunction

%!function reduce_arrays (k)
%!  x = rand (50, 40);
%!  gpu_sum (x);
%!  [m, i] = gpu_max (x, [], 2);
%!  gpu_histc (x(:), 0:0.1:1);
%!endfunction

%!assert (leftover (@upload_and_clear, 10000), [0 0 0], [0.5 0.5 200])   # uploads_and_clears
%!assert (leftover (@reduce_and_clear, 4000), [0 0 0], [0.5 0.5 200])    # resident_results
%!assert (leftover (@raise_errors, 2000), [0 0 0], [0.5 0.5 1000])       # errors
%!assert (leftover (@reduce_arrays, 4000), [0 0 0], [0.5 0.5 1000])      # plain_calls

%!test # cleared_in_any_order
%! before = __gpureduce__ ("diagnose").handles;
%! c = cell (1, 3000);
%! for k = 1:3000
%!   c{k} = gpuArray (k);
%! endfor
%! assert (__gpureduce__ ("diagnose").handles, before + 3000);
%! order = randperm (3000);
%! for k = order(1:2000)
%!   c{k} = [];
%! endfor
%! for k = order(2001:3000)
%!   assert (gather (c{k}), k);
%! endfor
%! clear c
%! assert (__gpureduce__ ("diagnose").handles, before);
