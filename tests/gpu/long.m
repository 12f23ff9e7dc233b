## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## More than 2^31 and 2^32 elements on the GPU, from the host and resident.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function check (x, last, how)
  ## x holds ones, 7 at last and the element before the end
  n = numel (x);
  what = sprintf ("%.0f elements, %s", n, how);
  tally (gpu_sum (x, "device", "gpu") == n + 12, "%s: sum", what);
  tally (gpu_sum (x, "native", "device", "gpu") == 255, "%s: native sum", what);
  tally (gpu_sumsq (x, "device", "gpu") == n + 96, "%s: sumsq", what);
  [m, i] = gpu_max (x, [], 2, "device", "gpu");
  tally (m == 7 && i == last, "%s: max at %.0f, not %.0f", what, i, last);
  [m, i] = gpu_min (x, [], 2, "device", "gpu");
  tally (m == 1 && i == 1, "%s: min at %.0f", what, i);
  tally (gpu_all (x, 2, "device", "gpu"), "%s: all", what);
  tally (isequal (gather (gpu_histc (x, [0 1 2 7], 2, "device", "gpu"))(:), [0; n - 2; 0; 2]), "%s: histc", what);
endfunction

for n = [2^31 + 12345, 2^32 + 77]
  x = ones (1, n, "uint8");
  last = n - 5000;
  x([last, n - 1]) = 7;
  check (x, last, "from the host");
  old = gpu_config ("memory_limit", 2 ^ 28);
  check (x, last, "streamed");
  gpu_config ("memory_limit", old);
  g = gpuArray (x);
  check (g, last, "resident");
  clear g
endfor

## two rows, two columns, two thousand: places beyond 2^30 in each
x = zeros (2, 2 ^ 31 + 3, "uint8");
x(2, end) = 9;
[m, i] = gpu_max (x, [], 2, "device", "gpu");
tally (isequal (m, uint8 ([0; 9])) && isequal (i, [1; 2 ^ 31 + 3]), "two rows: max");
tally (isequal (gpu_any (x, 2, "device", "gpu"), [false; true]), "two rows: any");
[m, i] = gpu_max (x, [], "all", "device", "gpu");
tally (m == 9 && i == numel (x), "all: max at %.0f", i);
x = reshape (x, [], 2);
tally (isequal (gpu_sum (x, 1, "device", "gpu"), [0 9]), "two columns: sum");
x = [];
x = ones (2 ^ 31 + 100, 1, "uint8");
tally (gpu_sum (gpu_sum (reshape (x, 4, []), 1, "device", "gpu")) == 2 ^ 31 + 100, "many outputs: sum");

tally ();
