## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## What reads the results of reductions of the same slices, compiled, has the bits of the same operations computed one by one.
## SANITIZED: few of them, for the sanitizers.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));
warning ("off", "all");
seed_from ("SLICES_SEED");

function y = softmax (x, d, r, c)
  e = exp (x - max (x, [], d));
  y = e ./ sum (e, d);
endfunction
function y = layer (x, d, r, c)
  x -= mean (x, d);
  y = x ./ sqrt (mean (x .^ 2, d) + 1e-5) .* c + r;
endfunction
function y = scaled (x, d, r, c)
  low = min (x, [], d);
  y = (x - low) ./ (max (x, [], d) - low);
endfunction
function y = both (x, d, r, c)         # two results of slices, and one of results
  s = std (x, 0, d);
  y = mean (x .* r, d) ./ s + log (sum (abs (x - r), d));
endfunction
function y = weighted (x, d, r, c)
  w = single (abs (x)) + 1;
  y = sum (w .* x, d) ./ sum (w, d);
endfunction

sizes = {[1000 900], [900 1000], [7 150001], [150001 7], [40 30000], [333 101 30], [30 333 101], [12345 90], [90 12345], [129 7001], [2100 500], [8 140000], [31000 60], [3 250000], [70001 40], [100000 36], [100 20000], [64 5000 3], ...
         [8200 1000], [4101 1001], [4096 2000], ...     # along 2 by clusters of 2 to 8 blocks, the rows of the second begin between sectors of the memory
         [1000 1], [100 1000], [31 20 70], [100000 2]}; # so few that they are compiled when asked for the thirtieth time
programs = {@softmax, @layer, @scaled, @both, @weighted, @(x, d, r, c) (x - mean (x, d)) ./ std (x, 0, d), @(x, d, r, c) x ./ sqrt (sumsq (x, d)), ...
            @(x, d, r, c) x > mean (x, d), @(x, d, r, c) max (x, [], d) + log (sum (exp (x - max (x, [], d)), d)), ...
            @(x, d, r, c) int8 (x) - mean (int8 (x), d), @(x, d, r, c) (x - r) .* (sum (x - r, d) > 0), @(x, d, r, c) min (max (x, 0), max (x, [], d) / 2), ...
            @(x, d, r, c) x .* any (x > 1, d), @(x, d, r, c) int8 (x) - max (int8 (x), [], d), @(x, d, r, c) (r + c) ./ sum (abs (r + c), d)};   # the last: nothing is kept
tries = 260;
if (! isempty (getenv ("SANITIZED")))
  tries = 20;
  programs = programs([1:3 5 7:end]);            # without deviations: racecheck knows barriers alone, not what a merge warp is handed (check-gpu.sh)
endif
for k = 1:tries
  s = sizes{1 + mod(k, numel (sizes))};
  class = {"double", "single"}{randi (2)};
  d = randi (numel (s));
  results = s;
  results(d) = 1;
  x = randn (s, class);
  switch (randi (6))
    case 1
      x(rand (s) < 0.4) = 0;
    case 2
      x(randi (numel (x), 1, 3)) = {NaN, Inf, -Inf, -0}{randi (4)};
    case 3
      x = -abs (x) .* (rand (s) > 0.5);
  endswitch
  x = gpuArray (x);
  r = gpuArray (rand (results, class));
  column = ones (1, numel (s));
  column(d) = s(d);
  c = gpuArray (rand (column, class));
  f = programs{randi (numel (programs))};
  old = gpu_config ("lazy", "off");
  plain = gather (f (x, d, r, c));
  gpu_config ("lazy", old);
  for asked = 1:merge (numel (x) < 540e3, 30, 1)
    before = gather (f (x, d, r, c));
  endfor
  gpu_config ("compiled", "wait");
  compiled = gather (f (x, d, r, c));
  good = [same_bits(before, plain), same_bits(compiled, plain)];
  if (! all (good))             # whose the wrong elements are
    wrong = find (! (before == plain | isnan (plain)) | ! (compiled == plain | isnan (plain)))(:);
    old = gpu_config ("lazy", "off");
    again = same_bits (gather (f (x, d, r, c)), plain);
    gpu_config ("lazy", old);
    printf ("computed before, compiled: %d %d; compiled again %d, plain again %d; %d wrong, %s\n", good, same_bits (gather (f (x, d, r, c)), compiled), again, numel (wrong), mat2str (wrong([1:min(end, 5), end*ones(1, ! isempty (wrong))]).'));
  endif
  tally (good, "%d: %s of %s %s along %d", k, func2str (f), class, mat2str (s), d);
endfor
now = gpu_config ("compiled");
tally (now.failed == 0 && now.compiled + now.read > tries / 4, "%d compiled, %d read, %d failed: %s", now.compiled, now.read, now.failed, now.failure);
tally ();
