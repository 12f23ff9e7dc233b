## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Several GPUs in one process, by number, in turn: same bits on each, results where
## their arrays are, calls that name none on the selected one, nothing left behind.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function n = place (g)
  n = __gpureduce__ ("describe", g).device;
endfunction

function n = last ()
  n = gpu_config ("last").device;
endfunction

function n = in_use ()
  n = __gpureduce__ ("diagnose").memory.in_use;
endfunction

## What of x is computed in many ways, on a device.
function r = results (x, y, where)
  [m, i] = gpu_max (y, [], 1, "device", where);
  r = {gpu_sum(x, "device", where), gpu_sum(y, 2, "device", where), gpu_mean(y, "device", where), ...
       gpu_prod(1 + y / 1e3, "device", where), m, i, gpu_histc(x, -3:0.5:3, "device", where), ...
       gpu_max(y, y', "device", where), gpu_any(y > 2, 2, "device", where)};
endfunction

function compare (got, want, varargin)
  for k = 1:numel (want)
    tally (same_bits (got{k}, want{k}), [sprintf(varargin{:}) ": result %d"], k);
  endfor
endfunction

function in_turn (count)
  gpuDevice (1);
  began = in_use ();
  x = randn (1, 5e6);
  y = single (randn (700));
  want = results (x, y, "cpu");
  for round = 1:3
    for k = [1:count, count:-1:1]
      compare (results (x, y, k), want, "GPU %d", k);
      tally (last () == k, "GPU %d: ran on %d", k, last ());
      tally (same_bits (gpu_sum (x), want{1}) && last () == 1, "after GPU %d: the next call on %d", k, last ());
    endfor
  endfor
  old = gpu_config ("memory_limit", 4e6);
  for k = [1:count, 1]
    compare (results (x, y, k), want, "GPU %d, in pieces", k);
  endfor
  gpu_config ("memory_limit", old);
  tally (in_use () == began, "by number: %.0f bytes left", in_use () - began);

  ## arrays on each
  g = cell (1, count);
  for k = 1:count
    d = gpuDevice (k);
    tally (d.Index == k && d.DeviceSelected, "gpuDevice (%d)", k);
    g{k} = gpuArray (y);
    tally (place (g{k}) == k, "an array for GPU %d lies on %d", k, place (g{k}));
    tally (gpu_sum (1:10) == 55 && last () == k, "with GPU %d selected a call runs on %d", k, last ());
  endfor
  gpuDevice (1);
  for round = 1:2
    for k = [1:count, count:-1:1]
      s = gpu_sum (g{k}, 2);
      tally (place (s) == k && same_bits (gather (s), want{2}), "the sum of an array on GPU %d, on %d", k, place (s));
      s = gpu_sum (g{k}, 2, "device", 1 + mod (k, count));
      tally (place (s) == 1 + mod (k, count) && same_bits (gather (s), want{2}), "GPU %d from %d", 1 + mod (k, count), k);
      tally (place (gpuArray (1:3)) == 1, "after GPU %d: an upload", k);
    endfor
  endfor
  h = gpuArray (y');
  m = gpu_max (g{2}, h);
  tally (place (m) == 2 && same_bits (gather (m), want{8}), "arrays of two GPUs: on GPU %d", place (m));
  m = gpu_max (h, g{2});
  tally (place (m) == 1 && same_bits (gather (m), gpu_max (y', y, "device", "cpu")), "arrays of two GPUs: on GPU %d", place (m));

  ## one reset, the other not
  d = gpuDevice (2);
  reset (d);
  tally (existsOnGPU (g{1}) && ! existsOnGPU (g{2}), "a reset of GPU 2");
  tally (same_bits (gather (g{1}), y), "GPU 1 after the reset of GPU 2");
  compare (results (x, y, 2), want, "GPU 2 after its reset");
  compare (results (x, y, 1), want, "GPU 1 after the reset of GPU 2");
  gpuDevice (1);
  clear g h m s
  tally (in_use () == began, "arrays: %.0f bytes left", in_use () - began);
  gpu_config ("trim");
  tally (__gpureduce__ ("diagnose").memory.idle == 0, "idle after trim");
endfunction

count = gpuDeviceCount ();
if (count > 1)
  in_turn (min (count, 4));
  tally ();
else
  printf ("skipped: several GPUs: there is one\n0 passed, 0 failed, 1 skipped\n");
endif
