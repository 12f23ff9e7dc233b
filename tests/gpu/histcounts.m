## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpu_histcounts and gpu_histcounts2 on the GPU and on the CPU: same edges, counts
## and bins, from the host and resident, of random arrays with every option; memory.
## HISTCOUNTS_SEED changes the run.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function y = pick (list)
  y = list{randi (numel (list))};
endfunction

function s = random_size ()
  n = floor (10 ^ (rand () * 6));
  rows = max (1, floor (n ^ rand ()));
  s = pick ({[n, 1], [1, n], [rows, ceil(n / rows)], [2, rows, ceil(n / rows / 2)], [0, 3]});
endfunction

function x = random_array (kind, s)
  switch (kind)
    case {"double", "single"}
      x = pick ({randn(s), exp(3 * randn (s)), 1e6 + rand(s), randi([-9 9], s), 1e-5 * randn(s)});
      if (rand () < 0.5 && ! isempty (x))
        x(randi (numel (x), 1, 5)) = pick ({NaN, NA, Inf, -Inf, -0});
      endif
      x = cast (x, kind);
    case "logical"
      x = rand (s) < 0.3;
    otherwise
      x = cast ((2 * rand (s) - 1) * double (intmax (kind)) * pick ({1, 1e-3, 1e-6}), kind);
  endswitch
endfunction

function compare (f, nout, data, args)
  what = sprintf ("%s of %s %s, %s", func2str (f), class (data{1}), mat2str (size (data{1})), ...
                  strjoin (cellfun (@(a) disp (a)(1:end-1), args, "uniformoutput", false), ","));
  want = got = cell (1, nout);
  [want{:}] = f (data{:}, args{:}, "device", "cpu");
  [got{:}] = f (data{:}, args{:}, "device", "gpu");
  tally (all (cellfun (@same_bits, got, want)), "%s from the host", what);
  data = cellfun (@gpuArray, data, "uniformoutput", false);
  [got{:}] = f (data{:}, args{:});
  tally (isgpuarray (got{1}) == (numel (want{1}) != 1), "%s: resident counts", what);
  tally (all (cellfun (@(a, b) same_bits (gather (a), b), got, want)), "%s resident", what);
endfunction

seed_from ("HISTCOUNTS_SEED");
kinds = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"};
normalizations = {"count", "probability", "percentage", "countdensity", "pdf", "cumcount", "cdf"};
gpu_sum (1, "device", "gpu");
gpu_histcounts (gpuArray (rand (1, 1e6)));      # slots and mail are there now
before = __gpureduce__ ("diagnose").memory;

for k = 1:150
  x = random_array (pick (kinds), random_size ());
  top = max (1, double (max (abs (x(isfinite (x))(:)))));
  if (isempty (top))
    top = 1;
  endif
  args = pick ({{}, {randi(3000)}, {sort(top * randn (1, randi ([2 2000])))}, {linspace(-top, top, randi ([2 300]))}, ...
                {"BinWidth", top / randi(100)}, {"BinLimits", [-top / 3, top / 2]}, {"BinLimits", [-top, top], "NumBins", 64}, ...
                {"BinMethod", pick({"auto", "scott", "fd", "integers", "sturges", "sqrt"})}});
  compare (@gpu_histcounts, 3, {x}, [args, {"Normalization", pick(normalizations)}]);
endfor

for k = 1:50
  s = random_size ();
  data = {random_array(pick (kinds), s), random_array(pick (kinds), s)};
  args = pick ({{}, {randi(100)}, {[randi(30), randi(300)]}, {sort(randn (1, 20)), sort(randn (1, 30))}, {"XBinLimits", [0 1]}, ...
                {"BinMethod", pick({"auto", "scott", "fd", "integers"})}, {"YBinEdges", -3:3}});
  compare (@gpu_histcounts2, 5, data, [args, {"Normalization", pick(normalizations)}]);
endfor

## a long one
x = randn (1, 2e7);
compare (@gpu_histcounts, 2, {x}, {});
compare (@gpu_histcounts, 2, {x}, {1000});

clear x data
after = __gpureduce__ ("diagnose").memory;
tally (after.in_use == before.in_use, "%d bytes in use", after.in_use - before.in_use);

tally ();
