## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## What does not fit is streamed or refused with sizes, and the next call works.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function err = error_of (f, varargin)
  err = struct ("identifier", "", "message", "");
  try
    f (varargin{:});
  catch err
  end_try_catch
endfunction

function n = in_use ()
  n = __gpureduce__ ("diagnose").memory.in_use;
endfunction

gpu_sum (1:10, "device", "gpu");
began = in_use ();

## ---- streaming under a memory limit ---------------------------------------

x = randn (4000, 8000);
edges = -4:0.1:4;
want = {gpu_sum(x, 1, "device", "gpu"), gpu_sum(x, 2, "device", "gpu"), gpu_sum(x, "all", "device", "gpu"), ...
        gpu_histc(x(:), edges, "device", "gpu")};
[wm, wi] = gpu_max (x, [], "all", "device", "gpu");
for limit = [1e6, 16e6, 100e6]
  old = gpu_config ("memory_limit", limit);
  got = {gpu_sum(x, 1, "device", "gpu"), gpu_sum(x, 2, "device", "gpu"), gpu_sum(x, "all", "device", "gpu"), ...
         gpu_histc(x(:), edges, "device", "gpu")};
  [m, i] = gpu_max (x, [], "all", "device", "gpu");
  gpu_config ("memory_limit", old);
  for k = 1:4
    tally (same_bits (got{k}, want{k}), "streamed within %g bytes: result %d differs", limit, k);
  endfor
  tally (m == wm && i == wi, "streamed within %g bytes: max", limit);
  tally (in_use () == began, "streamed within %g bytes: %.0f bytes left behind", limit, in_use () - began);
endfor

## ---- a full device -----------------------------------------------------------

big = ones (1, 2 ^ 32, "uint8");
held = {};
refused = [];
while (isempty (refused) && numel (held) < 200)
  err = error_of (@() gpuArray (big));
  if (isempty (err.identifier))
    held{end+1} = gpuArray (big);
  else
    refused = err;
  endif
endwhile
if (isempty (refused))
  tally (false, "%d uploads of 4 GiB and no error", numel (held));
else
  tally (strcmp (refused.identifier, "gpureduce:out-of-memory"), "full device: %s: %s", refused.identifier, refused.message);
  tally (! isempty (regexp (refused.message, '\d')), "full device: no sizes: %s", refused.message);
  tally (strncmp (refused.message, "gpuArray: ", 10), "full device: %s", refused.message);
endif
y = randn (1, 1e7);
err = error_of (@() gpu_sum (y, "device", "gpu"));
tally (any (strcmp (err.identifier, {"", "gpureduce:out-of-memory"})), "on a full device: %s: %s", err.identifier, err.message);
if (! isempty (held))
  tally (gpu_sum (held{1}) == 2 ^ 32, "what is resident on a full device");
endif
clear held
tally (same_bits (gpu_sum (y, "device", "gpu"), gpu_sum (y, "device", "cpu")), "the next call after a full device");
tally (in_use () == began, "%.0f bytes left behind", in_use () - began);
clear big

## ---- handles ---------------------------------------------------------------------

g = gpuArray (1:1000);
h = g;
delete (g);
tally (strcmp (error_of (@() gather (h)).identifier, "gpureduce:invalid-input"), "a deleted handle");
tally (strcmp (error_of (@() gpu_sum (h)).identifier, "gpureduce:invalid-input"), "a reduction of a deleted handle");
tally (strcmp (error_of (@() gpu_sum (1:3, "device", 1000)).identifier, "gpureduce:no-device"), "device 1000");

g = gpuArray (1:1000);
err = error_of (@() gpu_sum (g, -1));
tally (! isempty (err.message), "a wrong dimension");
tally (gpu_sum (g) == 500500, "a handle after an error");
clear g
tally (in_use () == began, "errors left %.0f bytes", in_use () - began);

## ---- a reset device ----------------------------------------------------------------

g = gpuArray (1:1000);
reset (gpuDevice ());
tally (! existsOnGPU (g), "a handle lives after reset");
tally (strcmp (error_of (@() gather (g)).identifier, "gpureduce:invalid-input"), "gather after reset");
tally (gpu_sum (1:10, "device", "gpu") == 55, "a call after reset");
clear g
tally (gpu_sum (gpuArray (1:10)) == 55, "an upload after reset");

tally ();
