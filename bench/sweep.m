## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/sweep.m: functions of gpuArrays of random shapes, each call's time beside what reading and writing alone take: what is far behind
## that is to be looked at.  tools/octave bench/sweep.m writes build/bench-gpu/sweep.csv and prints the worst call of each function.
##
## SWEEP_SEED=1; SWEEP_SECONDS=60; SWEEP_CLASSES=double,int32,complex,...; SWEEP_FUNCTIONS=max,mode,...: some.  SWEEP_RATE=3e12: bytes a second of
## the device's memory.

1;

## Milliseconds: the least of some calls, each to its end, after the first kernels have been compiled.
function ms = call_ms (f)
  for k = 1:2
    f ();
    __gpr_octave__ ("wait");
    gpu_config ("compiled", "wait");
  endfor
  taken = Inf;
  for k = 1:4
    id = tic ();
    f ();
    __gpr_octave__ ("wait");
    taken = min (taken, toc (id));
  endfor
  ms = 1e3 * taken;
endfunction

function x = setting (name, default)
  x = getenv (name);
  if (isempty (x))
    x = default;
  endif
endfunction

function bytes = bytes_of (x)
  bytes = 0;
  if (isstruct (x))
    bytes = sum (structfun (@bytes_of, x));
  elseif (isgpuarray (x))
    width = struct ("double", 8, "single", 4, "int32", 4, "int16", 2);
    kind = underlyingType (x);
    bytes = numel (x) * (1 + iscomplex (x));
    if (isfield (width, kind))
      bytes *= width.(kind);
    endif
  endif
endfunction

function i = second (f, g, d)
  [~, i] = f (g, [], d);
endfunction

function y = softmax (g, d)
  y = exp (g - max (g, [], d));
  y = y ./ sum (y, d);
endfunction

function y = layer_norm (g, d)
  y = g - mean (g, d);
  y = y ./ sqrt (mean (y .^ 2, d) + 1e-5);
endfunction

## What expressions read beside g: an array of its size, and what broadcasts, along dimension D and across it.
function o = others (g, d)
  o.other = 1 - g;
  o.means = mean (g, d);
  o.spreads = 1 + abs (o.means);
  across = repmat ({1}, 1, ndims (g));
  across{d} = ":";
  o.weights = gpuArray (gather (g(across{:})));
endfunction

## A random shape of 1e6 to most elements: few or many rows, or three dimensions.
function sz = random_shape (most)
  n = round (10 ^ (6 + rand () * log10 (most / 1e6)));
  few = randi (40);
  a = round (10 ^ (3 * rand ()));
  b = round (10 ^ (3 * rand ()));
  sz = {[few, ceil(n / few)], [ceil(n / few), few], [10 * a, ceil(n / a / 10)], [a, b, ceil(n / a / b)]}{randi (4)};
endfunction

table = {
  "sum", @(g, d) sum (g, d)
  "prod", @(g, d) prod (g, d)
  "mean", @(g, d) mean (g, d)
  "max", @(g, d) max (g, [], d)
  "any", @(g, d) any (g, d)
  "argmax", @(g, d) gpu_argmax (g, [], d)
  "var", @(g, d) var (g, 0, d)
  "sumsq", @(g, d) sumsq (g, d)
  "rms", @(g, d) gpu_rms (g, d)
  "range", @(g, d) gpu_range (g, d)
  "bounds", @(g, d) gpu_bounds (g, d)
  "dot", @(g, d) dot (g, g, d)
  "median", @(g, d) median (g, d)
  "quantile", @(g, d) gpu_quantile (g, [0.25 0.5 0.75], d)
  "iqr", @(g, d) gpu_iqr (g, d)
  "mad", @(g, d) gpu_mad (g, 0, d)
  "maxk", @(g, d) gpu_maxk (g, 5, d)
  "mode", @(g, d) mode (g, d)
  "cumsum", @(g, d) cumsum (g, d)
  "cumprod", @(g, d) cumprod (g, d)
  "cummax", @(g, d) cummax (g, d)
  "softmax", @(g, d) gpu_softmax (g, d)
  "logsumexp", @(g, d) gpu_logsumexp (g, d)
  "normalize", @(g, d) gpu_normalize (g, d)
  "histc", @(g, d) gpu_histc (g, -3:0.5:4, d)
  "mean omitnan", @(g, d) gpu_mean (g, d, "omitnan")
  "max includenan", @(g, d) gpu_max (g, [], d, "includenan")
  "stats", @(g, d) gpu_stats (g, d)
  "sum exact", @(g, d) gpu_sum (g, d, "exact")
  "minus mean", @(g, d) g - mean (g, d)
  "sum of squares", @(g, d) sum ((g - 0.5) .^ 2, d)
  "mapreduce", @(g, d) gpu_mapreduce (@(x) abs (x - 2), "max", g, "dim", d)
  "mean above", @(g, d) mean (g > 0.5, d)
  "sum of exp", @(g, d) sum (exp (g - 2), d)
  "argmax of abs", @(g, d) second (@max, abs (g), d)
  "squares about means", @(g, d, o) sum ((g - o.means) .^ 2, d)
  "max of difference", @(g, d, o) max (abs (g - o.other), [], d)
  "weighted sum", @(g, d, o) sum (g .* o.weights, d)
  "chi-square", @(g, d, o) sum ((g - o.other) .^ 2 ./ (1 + o.other .^ 2), d)
  "log-likelihood", @(g, d, o) sum (-0.5 * ((g - o.means) ./ o.spreads) .^ 2 - log (o.spreads), d)
  "std of difference", @(g, d, o) std (g - o.other, 0, d)
  "cumsum of product", @(g, d, o) cumsum (g .* o.other, d)
  "histcounts of difference", @(g, d, o) gpu_histcounts (g - o.other, linspace (-4, 4, 101))
  "mean and std", @(g, d) struct ("m", mean (g, d), "s", std (g, 0, d))
  "softmax written out", @(g, d) softmax (g, d)
  "layer norm", @(g, d) layer_norm (g, d)
  "z-scores", @(g, d) (g - mean (g, d)) ./ std (g, 0, d)
  "share", @(g, d) g ./ sum (g, d)
  "share of the range", @(g, d) (g - min (g, [], d)) ./ (max (g, [], d) - min (g, [], d))
};
only = strsplit (getenv ("SWEEP_FUNCTIONS"), ",");
if (! isempty (only{1}))
  table = table(ismember (table(:,1), only),:);
endif
classes = strsplit (setting ("SWEEP_CLASSES", "double,single"), ",");
seconds = str2double (setting ("SWEEP_SECONDS", "60"));
rate = str2double (setting ("SWEEP_RATE", "3e12"));
seed = str2double (setting ("SWEEP_SEED", "1"));
rand ("twister", seed);
randn ("twister", seed);
most = 3e7;
x = repmat (1 + randn (1e6, 1), 31, 1);
folder = fullfile (fileparts (fileparts (mfilename ("fullpath"))), "build", "bench-gpu");
[~, ~] = mkdir (folder);
file = fopen (fullfile (folder, "sweep.csv"), "w");
fprintf (file, "function,class,shape,dim,ms,least_ms\n");
worst = cell (rows (table), 1);
start = tic ();
while (toc (start) < seconds)
  sz = random_shape (most);
  kind = classes{randi (numel (classes))};
  if (prod (sz) > numel (x))
    continue;
  endif
  y = x(1:prod (sz));
  switch (kind)
    case "complex"
      y = complex (y, flipud (y));
    case "logical"
      y = y > 1;
    case {"double", "single"}
      y = cast (y, kind);
    otherwise
      y = cast (1000 * y, kind);
  endswitch
  g = gpuArray (reshape (y, sz));
  for k = 1:rows (table)
    for d = find (sz > 1)
      f = table{k,2};
      two = ! isempty (strfind (func2str (f), "o.other"));
      try
        if (nargin (f) == 3)
          o = others (g, d);
          __gpr_octave__ ("wait");
          f = @(g, d) f (g, d, o);
        endif
        ms = call_ms (@() f (g, d));
      catch                     # not of that class
        clear o;
        continue;
      end_try_catch
      least = 1e3 * ((1 + two) * bytes_of (g) + bytes_of (f (g, d))) / rate;
      fprintf (file, "%s,%s,%s,%d,%.4f,%.4f\n", table{k,1}, kind, sprintf ("%dx", sz)(1:end-1), d, ms, least);
      times = ms / (least + 0.05);      # a call's own time
      if (isempty (worst{k}) || times > worst{k}{1})
        worst{k} = {times, sprintf("%s of %s %s along %d: %.3f ms, by its bytes %.3f", table{k,1}, kind, mat2str (sz), d, ms, least)};
      endif
      clear o;
      if (toc (start) > seconds)
        break;
      endif
    endfor
  endfor
  clear g;
endwhile
fclose (file);
worst(cellfun (@isempty, worst)) = [];
[~, order] = sort (cellfun (@(w) w{1}, worst), "descend");
cellfun (@(w) printf ("%6.1f times: %s\n", w{:}), worst(order));
