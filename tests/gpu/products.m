## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Products that overflow, underflow or meet zeros and special values, which the device settles: the GPU's bits are the CPU's.
## SANITIZED: few of them, for the sanitizers.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function y = pick (list)
  y = list{randi (numel (list))};
endfunction

## Factors whose products leave the range soon, late or never, and in some columns what decides them.
function x = factors (kind, s)
  x = pick ({1, 0.01, 100, 1e-30}) * randn (s);
  if (rand () < 0.4)
    x = pick ({0.5, 0.9, 1, 1 - 1e-9}) + pick ({1, 0.1, 1e-3}) * pick ({@rand, @randn}) (s);
  endif
  if (any (strcmp (kind, {"double", "single"})))
    x = feval (kind, x);
    special = {0, -0, Inf, -Inf, NaN, NA};
  else
    x = cast (sign (x) .* (1 + abs (x)), kind);
    special = {0, -1, intmax(kind)};
  endif
  if (rand () < 0.7)
    x(rand (s) < pick ({1e-4, 0.01, 0.3})) = pick (special);
    x(randi (numel (x), 1, 2)) = pick (special);
  endif
endfunction

rounds = 200;
if (! isempty (getenv ("SANITIZED")))
  rounds = 12;
endif
for k = 1:rounds
  kind = pick ({"double", "double", "single", "single", "int8", "int32", "uint16", "int64"});
  n = floor (10 ^ (1 + 4.5 * rand ()));
  rows = max (1, floor (n ^ rand ()));
  s = pick ({[n 1], [rows, ceil(n / rows)], [3, max(1, floor (n / 12)), 4], [1 n]});
  x = factors (kind, s);
  dim = randi (2);
  for f = {@gpu_prod, @gpu_cumprod}
    want = f{1} (x, dim, "device", "cpu");
    for y = {x, gpuArray(x)}
      tally (same_bits (gather (f{1} (y{1}, dim, "device", "gpu")), want), "%s of %s %s, dim %d", func2str (f{1}), kind, mat2str (size (x)), dim);
    endfor
  endfor
endfor
tally ();
