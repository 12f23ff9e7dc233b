## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Histograms of expressions so large that they are compiled have the counts, and the bins, of the same histograms of computed arrays, whichever way bins are
## found and wherever counters are.  COUNTED_SEED changes the run; SANITIZED: few of them, for the sanitizers.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));
warning ("off", "all");
seed_from ("COUNTED_SEED");

function y = pick (list)
  y = list{randi (numel (list))};
endfunction

function e = random_edges (bins)
  e = pick ({linspace(-4, 4, bins + 1), sort(4 * randn (1, bins + 1)), [-Inf, sort(randn (1, bins)), Inf], single(linspace (-3, 3, bins + 1)), (0:bins) * (4 / bins), ...
             sort(round (64 * randn (1, bins + 1)) / 16)});
endfunction

## a gpuArray that is computed, as the operations of f leave it
function e = computed (f, x, y, c, m)
  gpu_config ("lazy", "off");
  unwind_protect
    e = f (x, y, c, m);
  unwind_protect_cleanup
    gpu_config ("lazy", "on");
  end_unwind_protect
endfunction

function yes = same (is, want)
  yes = all (cellfun (@(a, b) same_bits (gather (a), gather (b)) && isgpuarray (a) == isgpuarray (b), is, want));
endfunction

shapes = {[1 1000003], [1000003 1], [1200 1203], [7 150001], [150001 7], [33 40 900], [4300001 2], [4194304 3], [1 70001], [100 12000]};
expressions = {@(x, y, c, m) x - m, @(x, y, c, m) abs (x - y), @(x, y, c, m) x .* c + y, @(x, y, c, m) exp (x - m), @(x, y, c, m) (x - y) .^ 2, @(x, y, c, m) x ./ y, ...
               @(x, y, c, m) x(:) - y(:), @(x, y, c, m) sqrt (abs (y)) .* single (x), @(x, y, c, m) int16 (100 * x) + 1, @(x, y, c, m) int32 (1e5 * x) - 3, ...
               @(x, y, c, m) uint16 (1000 * abs (x)) .* 2, @(x, y, c, m) x > y, @(x, y, c, m) uint8 (50 * y), @(x, y, c, m) x .* 2 + 1, @(x, y, c, m) x - mean (x)};
calls = {@(e, a) histc (e(:), a), @(e, a) histc (e, a), @(e, a) histcounts (e, a), @(e, a) hist (e(:), numel (a)), @(e, a) hist (e(:), unique ([-9, double(a(isfinite (a))), 9])), ...
         @(e, a) histcounts (e, numel (a) - 1), @(e, a) histcounts (e, "BinWidth", 0.25), @(e, a) histcounts (e, numel (a), "BinLimits", [-1 1]), @(e, a) histcounts (e), ...
         @(e, a) histcounts (e, 20, "Normalization", "cdf"), @(e, a) gpu_hist(e(:), numel (a), 1), @(e, a) gpu_histc(e(:), a, "device", "cpu")};
tries = 200;
if (! isempty (getenv ("SANITIZED")))
  tries = 12;
  calls(9) = [];                # racecheck knows barriers alone, not what a merge warp is handed (check-gpu.sh)
endif
gpu_histcounts (gpuArray (rand (1, 1e6)), 10);  # slots and mail are there now
before = __gpureduce__ ("diagnose").memory;
fused = 0;
for k = 1:tries
  s = shapes{1 + mod (k, numel (shapes))};
  type = pick ({"double", "single"});
  x = randn (s, type);
  odd = randi (numel (x), 1, 20);
  switch (randi (4))
    case 1
      x(odd) = [NaN, NA, Inf, -Inf](randi (4, 1, 20));
    case 2
      x(odd) = [NaN, -0, 0](randi (3, 1, 20));
    case 3
      x = round (16 * x) / 16;          # on the edges
  endswitch
  x = gpuArray (x);
  y = gpuArray (randn (s, type));
  c = gpuArray (rand (s(1), 1, type));
  m = sum (x(1:1000)) / 1000;
  f = pick (expressions);
  call = pick (calls);
  a = random_edges (pick ({1, 2, 10, 100, 256, 1000, 4000, 30000, 100000}));
  if (numel (a) * prod (s(2:end)) > 1e7)        # of each column
    a = a(1:min (end, 11));
  endif
  is = want = at_first = cell (1, 2);
  [want{:}] = call (computed (f, x, y, c, m), a);
  for kernel = 1:2                      # of bounds, then of counts
    [at_first{:}] = call (f (x, y, c, m), a);
    tally (same (at_first, want), "at first: %s of %s of %s %s, %d edges", func2str (call), func2str (f), type, mat2str (s), numel (a));
    gpu_config ("compiled", "wait");
  endfor
  e = f (x, y, c, m);
  waited = gpu_explain (e).waits;
  [is{:}] = call (e, a);
  fused += waited && gpu_explain (e).waits;
  tally (same (is, want), "%s of %s of %s %s, %d edges", func2str (call), func2str (f), type, mat2str (s), numel (a));
  e = [];
endfor
now = gpu_config ("compiled");
tally (now.failed == 0 && now.compiled + now.read > tries / 5, "%d compiled, %d read, %d failed: %s", now.compiled, now.read, now.failed, now.failure);
tally (fused > tries / 5, "%d of %d were counted without being computed", fused, tries);

## Few elements: the thirtieth time they are compiled.
x = gpuArray (rand (1, 70000));
for k = 1:40
  e = x .* 3 - 1;
  n = gather (histc (e, -1:0.1:2));
  gpu_config ("compiled", "wait");
endfor
tally (gpu_explain (e).waits, "few elements that are counted often");
tally (isequal (n, gather (histc (computed (@(x, y, c, m) x .* 3 - 1, x, 0, 0, 0), -1:0.1:2))), "few elements");

clear x y c m e is want at_first
after = __gpureduce__ ("diagnose").memory;
tally (after.in_use <= before.in_use, "%d bytes more in use", after.in_use - before.in_use);
tally ();
