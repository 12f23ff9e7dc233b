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

## Long ones, which are settled behind their tree, and many columns, of which a thread each does both orders.
shapes = {[3e6 1], [7 3e5], [3e5 7], [40 5e4], [3000 700], [333 7000], [700 150 100], [33 190 2100], [70000 137], [90 129 800]};
if (! isempty (getenv ("SANITIZED")))
  shapes = {[12e5 1], [3 4e5], [700 150 100]};
endif
for k = 1:numel (shapes)
  for kind = {"single", "double"}
    x = factors (kind{1}, shapes{k});
    g = gpuArray (x);
    for dim = 1:2
      for f = {@gpu_prod, @(varargin) gpu_prod (varargin{1:2}, "omitnan", varargin{3:end}), @(varargin) gpu_prod (varargin{1:2}, "double", varargin{3:end})}
        want = f{1} (x, dim, "device", "cpu");
        tally (same_bits (gather (f{1} (g, dim, "device", "gpu")), want), "%s of %s %s, dim %d", func2str (f{1}), kind{1}, mat2str (size (x)), dim);
      endfor
      tally (same_bits (gather (gpu_prod (g, dim, "device", "gpu")), gather (gpu_prod (g, dim, "device", "gpu"))), "a second time: %s %s, dim %d", kind{1}, mat2str (size (x)), dim);
    endfor
  endfor
endfor
if (isempty (getenv ("SANITIZED")))
  for scale = [1, 1e-4]                      # doubles: longer ones alone are taken so
    x = 1 + scale * randn (70, 1100, 910);
    x(randi (numel (x), 1, 50)) = pick ({0, NaN, NA, Inf, 1e-300});
    tally (same_bits (gather (gpu_prod (gpuArray (x), 2)), gpu_prod (x, 2, "device", "cpu")), "many columns of doubles");
  endfor
endif
tally ();
