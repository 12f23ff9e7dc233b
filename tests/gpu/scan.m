## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Cumulative functions: the GPU's bits are the CPU's, from the host and resident.
## SANITIZED: few of them, for the sanitizers.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function y = pick (list)
  y = list{randi (numel (list))};
endfunction

function x = numbers (kind, s)
  switch (kind)
    case {"double", "single"}
      x = feval (kind, randn (s));
      if (rand () < 0.4)
        x(rand (s) < 0.1) = pick ({NaN, NA, Inf, -0, 0});
      endif
    case "complex"
      x = complex (randn (s), randn (s));
    case "logical"
      x = rand (s) < 0.5;
    otherwise
      x = cast (randi ([-100 100], s), kind);
  endswitch
endfunction

gpu_sum (1:10, "device", "gpu");
before = __gpureduce__ ("diagnose").memory.in_use;
rounds = 150;
if (! isempty (getenv ("SANITIZED")))
  rounds = 8;
endif
for k = 1:rounds
  kind = pick ({"double", "double", "single", "complex", "int8", "uint16", "int32", "uint64", "logical"});
  n = floor (10 ^ (rand () * 6));
  rows = max (1, floor (n ^ rand ()));
  x = numbers (kind, pick ({[n 1], [1 n], [rows, ceil(n / rows)], [3, max(1, floor (n / 12)), 4]}));
  dim = randi (3);
  for name = {"cumsum", "cumprod", "cummax", "cummin"}
    f = str2func (["gpu_" name{1}]);
    nout = 1 + (name{1}(4) == "m");
    want = got = cell (1, nout);
    [want{:}] = f (x, dim, "device", "cpu");
    for y = {x, gpuArray(x)}
      [got{:}] = f (y{1}, dim, "device", "gpu");
      tally (all (cellfun (@(a, b) same_bits (gather (a), b), got, want)), "%s of %s %s, dim %d", name{1}, kind, mat2str (size (x)), dim);
      tally (isa (got{1}, "gpuArray") == (isa (y{1}, "gpuArray") && numel (x) > 1), "%s of %s: where", name{1}, kind);
    endfor
    [got{:}] = feval (name{1}, gpuArray (x), dim);      # by the method, which does without the C interface
    tally (all (cellfun (@(a, b) same_bits (gather (a), b), got, want)), "%s of a gpuArray of %s %s, dim %d", name{1}, kind, mat2str (size (x)), dim);
  endfor
endfor
for k = 1:ceil (rounds / 12)            # so many columns that each has a thread; products that stay in the range, leave it, or do in some columns
  s = pick ({[333, 260, 200], [70001, 257], [65001, 40], [66000, 300]});
  kind = pick ({"double", "single", "int16"});
  x = numbers (kind, s);
  if (! strcmp (kind, "int16"))
    x = 1 + x .* pick ({1, 0.01, cast(rand ([1, s(2)]) < 0.5, kind)});
  endif
  g = gpuArray (x);
  for dim = 2:numel (s)
    for name = {"cumsum", "cumprod", "cummax", "cummin"}
      f = str2func (["gpu_" name{1}]);
      nout = 1 + (name{1}(4) == "m" && rand () < 0.5);
      want = got = cell (1, nout);
      [want{:}] = f (x, dim, "device", "cpu");
      [got{:}] = f (g, dim, "device", "gpu");
      tally (all (cellfun (@(a, b) same_bits (gather (a), b), got, want)), "%s of %s %s, dim %d, %d outputs", name{1}, kind, mat2str (s), dim, nout);
    endfor
  endfor
endfor
clear g
x = randn (rounds * 133333, 1); # blocks of 512 rows
tally (same_bits (gpu_cumsum (x, "device", "gpu"), gpu_cumsum (x, "device", "cpu")), "cumsum of %d", numel (x));
clear x y got want
left = __gpureduce__ ("diagnose").memory.in_use - before;
tally (left == 0, "%d bytes left behind", left);
tally ();
