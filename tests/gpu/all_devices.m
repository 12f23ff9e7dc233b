## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Host arrays over several GPUs at once: the bits of one GPU and of the CPU on 1, 2, ... of them; what each took adds up
## to the array; an error of one names it, ends the call on all, and leaves nothing; Ctrl-C ends it.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function n = in_use ()
  n = __gpureduce__ ("diagnose").memory.in_use;
endfunction

## Every operator that is divided, of several classes and shapes, of an x that is not in order.
function r = results (x, y, k, where)
  on = {"device", where};
  [m, i] = gpu_max (y, [], 2, on{:});
  [n, j] = gpu_min (x, on{:});
  r = {gpu_sum(x, on{:}), gpu_sum(y, 1, on{:}), gpu_sum(y, "all", on{:}), gpu_mean(y, 2, on{:}), gpu_std(x, on{:}), gpu_var(y, on{:}), ...
       gpu_prod(1 + x / 1e9, on{:}), gpu_sumsq(single (y), on{:}), gpu_norm(x, on{:}), gpu_stats(x, on{:}), gpu_dot(x, x, on{:}), ...
       m, i, n, j, gpu_sum(k, on{:}), gpu_max(k, on{:}), gpu_sum(complex (x, -x), on{:}), gpu_bounds(x, on{:}), gpu_argmax(k, on{:}), ...
       gpu_histc(x, -9:9, on{:}), gpu_hist(single (y), 50, on{:}), gpu_histc(k, -1e4:100:1e4, on{:})};
endfunction

function same_on_any_number (count)
  x = randn (1, 9e6) .* 10 .^ (5 * randn (1, 9e6));
  y = randn (3e5, 30);
  k = int16 (1e4 * randn (1, 2e7));
  z = [x, NA];
  began = in_use ();
  want = results (x, y, k, "cpu");
  for memory_limit = [0, 16e6]
    old = gpu_config ("memory_limit", memory_limit);
    for round = 1:3
      for n = 1:count
        got = results (x, y, k, randperm (count)(1:n));
        for r = 1:numel (want)
          tally (same_bits (got{r}, want{r}), "%d GPUs: result %d", n, r);
        endfor
        tally (isna (gpu_sum (z, "device", 1:n)), "%d GPUs: NA", n);
      endfor
    endfor
    gpu_config ("memory_limit", old);
  endfor
  tally (same_bits (gpu_sum (x, "device", "all"), want{1}), "all GPUs");
  last = gpu_config ("last");
  gpus = last.devices > 0;
  tally (isequal (last.devices(gpus), 1:count) && sum (last.taken(gpus) > 0) > 1 && abs (sum (last.taken) - 8 * numel (x)) < 1,
         "taken: %s by %s", mat2str (last.taken), mat2str (last.devices));
  tally (in_use () == began, "%.0f bytes left", in_use () - began);
endfunction

## The last GPU is full.
function one_without_memory (count)
  x = randn (1, 9e6);
  want = gpu_sum (x, "device", "cpu");
  gpu_sum (x, "device", "all");
  gpu_config ("trim");
  gpuDevice (1);
  kept = gpuArray (1:1000);
  full = fill_gpu (count);
  began = in_use ();
  try
    gpu_sum (x, "device", "all");
    tally (false, "a full GPU: no error");
  catch err
    tally (strcmp (err.identifier, "gpureduce:out-of-memory") && ! isempty (strfind (err.message, sprintf ("GPU %d", count))),
           "a full GPU: %s: %s", err.identifier, err.message);
  end_try_catch
  tally (in_use () == began, "a full GPU: %.0f bytes left", in_use () - began);
  tally (same_bits (gather (kept), 1:1000), "a full GPU: another's array");
  clear full
  gpu_config ("trim");
  tally (same_bits (gpu_sum (x, "device", "all"), want), "after a full GPU");
  gpuDevice (1);
endfunction

function ctrl_c_ends_it ()
  [status, said] = in_octave (["x = ones (1, 1e9, 'single'); gpu_sum (x, 'device', 'all');" ...
                               "system (sprintf ('(sleep 1; kill -INT %d) &', getpid ()));" ...
                               "t = tic (); while (toc (t) < 30), gpu_sum (x, 'device', 'all'); endwhile, disp ('went on')"], "", 60);
  tally (status != 124 && isempty (strfind (said, "went on")), "Ctrl-C: status %d, %s", status, said);
endfunction

count = gpuDeviceCount ();
if (count > 1)
  same_on_any_number (count);
  one_without_memory (count);
  ctrl_c_ends_it ();
  tally ();
else
  printf ("skipped: several GPUs: there is one\n0 passed, 0 failed, 1 skipped\n");
endif
