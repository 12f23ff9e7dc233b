## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Reductions of expressions so large that they are compiled have the bits of the same reductions of computed arrays, in all algorithms.
## SANITIZED: few of them, for the sanitizers.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));
warning ("off", "all");

shapes = {[1 1000003], [1000003 1], [1200 1203], [1001 700], [100 12000], [7 150001], [150001 7], [5 20000 11], [33 40 900], [3000 400], [1030 2000], [2 800000]};
expressions = {@(x, y, c, m) (x - 0.25) .^ 2, @(x, y, c, m) abs (x - y), @(x, y, c, m) x .* c - y, @(x, y, c, m) exp (x - m), @(x, y, c, m) x > y, ...
               @(x, y, c, m) (x - m) .* y + c, @(x, y, c, m) int16 (100 * x) + 1, @(x, y, c, m) x(:) - y(:), @(x, y, c, m) sqrt (y) .* single (x)};
reductions = {@(e) sum (e), @(e) sum (e, 2), @(e) sum (e(:)), @(e) max (e), @(e) min (e, [], 2), @(e) mean (e, ndims (e)), @(e) sumsq (e), @(e) var (double (e)), ...
              @(e) norm (double (e(:))), @(e) nnz (e), ...
              @(e) any (e > 0.4999), @(e) all (e(:) > -1e-6)};
tries = 150;
if (! isempty (getenv ("SANITIZED")))
  tries = 12;
  reductions = reductions([1:7 10]);            # racecheck knows barriers alone, not what a merge warp is handed (check-gpu.sh)
endif
for k = 1:tries
  s = shapes{1 + mod(k, numel (shapes))};
  class = {"double", "single"}{randi (2)};
  x = gpuArray (rand (s, class) - 0.5);
  y = gpuArray (rand (s, class));
  c = gpuArray (rand (s(1), 1, class));
  m = sum (x) / 3;
  f = expressions{randi (numel (expressions))};
  reduce = reductions{randi (numel (reductions))};
  before = reduce (f (x, y, c, m));
  gpu_config ("compiled", "wait");
  fused = reduce (f (x, y, c, m));
  e = f (x, y, c, m);
  gather (e(1));
  plain = reduce (e);
  tally (same_bits (gather (fused), gather (plain)) && same_bits (gather (before), gather (plain)), "%s of %s of %s %s", func2str (reduce), func2str (f), class, mat2str (s));
endfor
now = gpu_config ("compiled");
tally (now.failed == 0 && now.compiled + now.read > tries / 4, "%d compiled, %d read, %d failed: %s", now.compiled, now.read, now.failed, now.failure);
tally ();
