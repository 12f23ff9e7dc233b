## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Histograms of long vectors on the GPU and on the CPU: same counts, from the host and
## resident, of every class, with even edges and any others, few bins and a million,
## random numbers, one number, numbers that lie on the edges, beside them, outside.
## COUNT_SEED changes the run.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function y = pick (list)
  y = list{randi (numel (list))};
endfunction

function x = random_array (kind, n, edges)
  switch (kind)
    case {"double", "single"}
      low = edges(1);
      width = max (edges(end) - low, realmin ());
      x = pick ({low + width * rand(n, 1), low + width * (1.5 * rand (n, 1) - 0.25), low + width * 0.37 * ones(n, 1), ...
                 low + width * (0.5 + 0.1 * randn (n, 1)), edges(randi (numel (edges), n, 1))(:), round(low + width * rand (n, 1))});
      if (rand () < 0.3)
        x(rand (n, 1) < 0.9) = low + width / 3;
      endif
      x(randi (n, 1, 50)) = [-0, NaN, Inf, -Inf, NA](randi (5, 1, 50));
      x = cast (x, kind);
      beside = rand (n, 1) < 0.1;
      x(beside) += eps (x(beside));
    case "logical"
      x = rand (n, 1) < 0.3;
    otherwise
      x = cast ((2 * rand (n, 1) - 1) * double (intmax (kind)) * pick ({1, 1e-2, 1e-4}), kind);
  endswitch
endfunction

function edges = random_edges (kind, bins)
  top = pick ({1, 7, 100, 3e5});
  if (! any (strcmp (kind, {"double", "single", "logical"})))
    top = double (intmax (kind)) * pick ({1, 1e-2});
  endif
  edges = pick ({linspace(0, top, bins + 1), linspace(-top, top, bins + 1), (0:bins) * (top / bins), 0:bins, ...
                 sort(top * rand (1, bins + 1)), top * logspace(-6, 0, bins + 1), [-Inf, linspace(0, top, bins), Inf]});
endfunction

function compare (f, x, args, what)
  want = f (x, args{:}, "device", "cpu");
  tally (same_bits (f (x, args{:}, "device", "gpu"), want), "%s from the host", what);
  tally (same_bits (gather (f (gpuArray (x), args{:})), want), "%s resident", what);
endfunction

seed_from ("COUNT_SEED");
kinds = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"};
gpu_sum (1, "device", "gpu");
gpu_histc (gpuArray (rand (1e6, 1)), 0:0.1:1);
gpu_histc (rand (1e6, 1), 0:0.1:1, "device", "gpu");      # slots and mail are there now
before = __gpureduce__ ("diagnose").memory;

for k = 1:200
  kind = pick (kinds);
  bins = pick ({1, 2, 10, 255, 256, 1000, 4096, 30000, 65536, 200000, 1000000});
  n = floor (10 ^ (5 + 1.5 * rand ())) + randi (40);
  edges = random_edges (kind, bins);
  if (strcmp (kind, "single") && rand () < 0.7)
    edges = sort (single (edges));
  endif
  x = random_array (kind, n, double (edges(isfinite (edges))));
  what = sprintf ("%d of %s in %d bins", n, kind, bins);
  compare (@gpu_histc, x, {edges}, ["histc: " what]);
  compare (@gpu_hist, x(isfinite (x)), {min(bins, 3000)}, ["hist: " what]);
  centers = edges(isfinite (edges) & [true, diff(edges) > 0]);
  if (numel (centers) > 1)      # one would be a number of bins
    compare (@gpu_hist, x, {centers}, ["hist at centres: " what]);
  endif
  compare (@gpu_histcounts, x, {unique(double (edges(! isnan (edges))))}, ["histcounts: " what]);
endfor

## Columns of a matrix, one after the other and side by side.
x = rand (5e6, 3);
compare (@gpu_histc, x, {0:0.001:1}, "columns");
compare (@gpu_histc, x', {0:0.001:1, 2}, "rows");

clear x
after = __gpureduce__ ("diagnose").memory;
tally (after.in_use == before.in_use, "%d bytes in use", after.in_use - before.in_use);

tally ();
