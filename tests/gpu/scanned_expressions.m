## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Cumulative functions of expressions so large that they are compiled have the bits of the same functions of computed arrays, by all kernels: the expression is
## not computed for them, but where a result is in doubt.
## SANITIZED: few of them, for the sanitizers.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));
warning ("off", "all");
seed_from ("SCANNED_SEED");

shapes = {[1 1000003], [1000003 1], [1200 1203], [1001 700], [100 12000], [12000 100], [7 150001], [150001 7], [5 20000 11], [33 40 900], [250 6000], [6000 250], [2 800000], [2000000 3], ...
          [70 9001], [31 40 900], [256 257 20]};
near = @(x) 1 + (x - 0.25) / 2000;    # products that stay in the range
expressions = {@(x, y, c, m) (x - 0.25) .^ 2, @(x, y, c, m) abs (x - y), @(x, y, c, m) x .* c - y, @(x, y, c, m) exp (x - m), @(x, y, c, m) x > y, @(x, y, c, m) near(x), ...
               @(x, y, c, m) near(y) .* near(c), @(x, y, c, m) (x - m) .* y + c, @(x, y, c, m) int16 (100 * x) + 1, @(x, y, c, m) x(:) - y(:), @(x, y, c, m) sqrt (y) .* single (x), ...
               @(x, y, c, m) sqrt (abs (x)) .* y, @(x, y, c, m) max (x, y) ./ x};
functions = {@cumsum, @cumprod, @cummax, @cummin};
tries = 220;
if (! isempty (getenv ("SANITIZED")))
  tries = 17;
endif
used = 0;
for k = 1:tries
  s = shapes{1 + mod(k, numel (shapes))};
  class = {"double", "single"}{randi (2)};
  x = rand (s, class) - 0.5;
  switch (randi (6))
    case 1
      x(randi (numel (x), 1, 3)) = {NaN, NA, Inf, -Inf, -0, 1e308}{randi (6)};
    case 2
      x(1:randi (numel (x))) = {NaN, NA, -0}{randi (3)};
    case 3
      x(rand (s) < 0.3) = 0;
  endswitch
  x = gpuArray (x);
  y = gpuArray (rand (s, class));
  c = gpuArray (rand (s(1), 1, class));
  m = sum (y) / 3;
  f = expressions{randi (numel (expressions))};
  scan = functions{randi (4)};
  d = randi (3);
  before = scan (f (x, y, c, m), d);
  gpu_config ("compiled", "wait");
  e = f (x, y, c, m);
  scanned = scan (e, d);
  used += gpu_explain (e).waits;
  e = f (x, y, c, m);
  gather (e(1));
  plain = gather (scan (e, d));
  tally (same_bits (gather (before), plain) && same_bits (gather (scanned), plain), "%s of %s of %s %s along %d", func2str (scan), func2str (f), class, mat2str (s), d);
endfor
tally (used > tries / 2, "%d of %d were not computed", used, tries);

## Of few elements what comes often is compiled.
x = gpuArray (rand (2000, 3));
for k = 1:40
  e = 3 * x - 1;
  scanned = cumsum (e);
  gpu_config ("compiled", "wait");
endfor
tally (gpu_explain (e).waits && same_bits (gather (scanned), gpu_cumsum (3 * gather (x) - 1, "device", "cpu")), "a small expression that comes often");

now = gpu_config ("compiled");
tally (now.failed == 0 && now.compiled + now.read > tries / 4, "%d compiled, %d read, %d failed: %s", now.compiled, now.read, now.failed, now.failure);
tally ();
