## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Many uploads, reductions and errors leave the device's memory where it began.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function m = memory ()
  m = __gpureduce__ ("diagnose").memory;
endfunction

function one_round (k)
  x = ones (1, 1 + mod (k * 7919, 50000));
  g = gpuArray (x);
  switch (mod (k, 6))
    case 0
      gpu_sum (g);
    case 1
      h = gpu_max (gpuArray (ones (20, 30)));
    case 2
      gpu_histc (g, 0:3);
    case 3
      gpu_sum (x, "device", "gpu");
    case 4
      try
        gpu_sum (g, -1);
      catch
      end_try_catch
    case 5
      delete (g);
      try
        gpu_sum (g);
      catch
      end_try_catch
  endswitch
endfunction

function many_rounds (rounds, what)
  for k = 1:500
    one_round (k);
  endfor
  gpu_config ("trim");
  before = memory ();
  free = gpuDevice ().AvailableMemory;
  handles = __gpureduce__ ("diagnose").handles;
  for k = 1:rounds
    one_round (k);
  endfor
  after = memory ();
  tally (after.in_use == before.in_use, "%s: %.0f bytes in use", what, after.in_use - before.in_use);
  tally (after.idle <= gpuDevice ().TotalMemory / 4, "%s: %.0f bytes idle", what, after.idle);
  tally (__gpureduce__ ("diagnose").handles == handles, "%s: handles", what);
  gpu_config ("trim");
  tally (memory ().idle == 0, "%s: %.0f bytes idle after trim", what, memory ().idle);
  ## the driver takes and gives whole pages, and others may use the device
  tally (free - gpuDevice ().AvailableMemory < 64e6, "%s: %.0f bytes gone from the device", what, ...
         free - gpuDevice ().AvailableMemory);
endfunction

gpu_sum (1:10, "device", "gpu");
many_rounds (30000, "small");

## large ones, of which the cache may keep little
x = ones (1, 4e7);
gpu_config ("cache_limit", 2 ^ 28);
gpu_config ("trim");
free = gpuDevice ().AvailableMemory;
before = memory ();
for k = 1:100
  g = gpuArray (x);
  gpu_sum (x, "device", "gpu");
  clear g
  tally (memory ().idle <= 2 ^ 28, "large: %.0f bytes idle", memory ().idle);
endfor
tally (memory ().in_use == before.in_use, "large: %.0f bytes in use", memory ().in_use - before.in_use);
gpu_config ("trim");
tally (free - gpuDevice ().AvailableMemory < 64e6, "large: %.0f bytes gone from the device", free - gpuDevice ().AvailableMemory);

tally ();
