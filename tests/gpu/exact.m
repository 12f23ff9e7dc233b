## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Exact sums and dot products: the GPU's are the CPU's, from the host and resident; and what is known
## in another way.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function y = pick (list)
  y = list{randi (numel (list))};
endfunction

## Of one size, of the whole range, cancelling, near the limits, with special values.
function x = numbers (kind, s, most)
  switch (kind)
    case "normal"
      x = randn (s);
    case "range"
      x = randn (s) .* 2 .^ (2 * most * (rand (s) - 0.5));
    case "cancelling"
      x = randn (s) .* 2 .^ (most * (rand (s) - 0.5));
      n = floor (numel (x) / 2);
      x(1:n) = -x(end-n+1:end)(randperm (n));
    case "large"
      x = randn (s) * 2 ^ (most - 3);
    case "small"
      x = randn (s) * 2 ^ (-most - 10);
    case "special"
      x = randn (s);
      x(rand (s) < 0.01) = pick ({NaN, NA, Inf, -Inf, 0});
  endswitch
endfunction

kinds = {"normal", "range", "cancelling", "large", "small", "special"};
gpu_sum (1:10, "exact", "device", "gpu");
before = __gpureduce__ ("diagnose").memory.in_use;
for k = 1:300
  single_ones = rand () < 0.5;
  most = merge (single_ones, 120, 1000);
  n = floor (10 ^ (rand () * 6.3));
  rows = max (1, floor (n ^ rand ()));
  s = pick ({[n 1], [1 n], [rows, ceil(n / rows)], [7, ceil(n / 7)], [40, ceil(n / 40)], [3, max(1, floor (n / 12)), 4], [2, max(1, floor (n / 2))]});
  kind = pick (kinds);
  x = numbers (kind, s, most);
  y = numbers (pick ({"normal", kind}), s, most);
  if (rand () < 0.3)
    x = complex (x, numbers (kind, s, most));
    y = complex (y, numbers ("normal", s, most));
  endif
  if (single_ones)
    x = single (x);
    y = single (y);
  endif
  dim = randi (3);
  flags = pick ({{}, {"omitnan"}, {"double"}});
  about = sprintf ("%s %s %s, dim %d", class (x), kind, mat2str (s), dim);
  want = gpu_sum (x, dim, "exact", flags{:}, "device", "cpu");
  tally (same_bits (gpu_sum (x, dim, "exact", flags{:}, "device", "gpu"), want), "sum of %s", about);
  tally (same_bits (gather (gpu_sum (gpuArray (x), dim, "exact", flags{:})), want), "sum of resident %s", about);
  want = gpu_dot (x, y, dim, "exact", "device", "cpu");
  tally (same_bits (gpu_dot (x, y, dim, "exact", "device", "gpu"), want), "dot of %s", about);
  tally (same_bits (gather (gpu_dot (gpuArray (x), gpuArray (y), dim, "exact")), want), "dot of resident %s", about);
endfor
## Chunks of host arrays, long runs, many rows and columns.
for s = {[4e7 1], [7 4e6], [4e6 7], [2 2e7], [12345 3000], [3000 12345], [70000 300]}
  x = randn (s{1});
  for dim = 1:2
    want = gpu_sum (x, dim, "exact", "device", "cpu");
    tally (same_bits (gpu_sum (x, dim, "exact", "device", "gpu"), want), "%s, dim %d", mat2str (s{1}), dim);
    tally (same_bits (gather (gpu_sum (gpuArray (x), dim, "exact")), want), "resident %s, dim %d", mat2str (s{1}), dim);
    tally (max (abs (want(:) - sum (x, dim)(:))) < 1e-6, "%s, dim %d: near the built-in's", mat2str (s{1}), dim);
  endfor
endfor
## In any order.
x = randn (2e6, 1) .* 2 .^ (1900 * (rand (2e6, 1) - 0.5));
want = gpu_sum (x, "exact", "device", "gpu");
for k = 1:5
  tally (gpu_sum (x(randperm (end)), "exact", "device", "gpu") == want, "another order");
endfor
clear x y want
left = __gpureduce__ ("diagnose").memory.in_use - before;
tally (left == 0, "%d bytes left behind", left);
tally ();
