## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/called.m: the first step of the group "called" of bench-gpu.sh: every function as a script
## calls it, of arrays that are on the GPU, timed by the clock of Octave.  Writes build/bench-gpu/called.csv;
## called.py then times the same works by CuPy and PyTorch, and called_report.m puts them side by side.
## BENCH_COMPILE=off: expressions are computed before what takes them.
## BENCH_CLASSES=double,... BENCH_FUNCTIONS=sum,std,...: some.  BENCH_ELEMENTS=2e8: of the long arrays.  BENCH_SHAPES=1000x100000,...: others.

1;

## Milliseconds of a call, the statement CODE of g, dim and subs, as a script has it: the median of runs of 1 ms and more, as
## many as fit in 40 ms, of 3 at least.  Each call ends when its result is there.  CODE may name means, deviations and weights
## along dim, which are computed before.
function [ms, results] = call_ms (code, g, dim, subs)
  edges = linspace (-4, 4, 101);
  if (numel (g) == 1e5)
    h = reshape (g(1:64^2), 64, 64);
  endif
  if (any (strfind (code, "means")))
    means = mean (g, dim);
    deviations = std (g, 0, dim);
    weights = ones (circshift ([size(g, dim), 1, 1], dim - 1), "like", g);
    if (numel (means) > 1)
      [means(1), deviations(1)];        # they wait no longer
    endif
  endif
  once = [code "; __gpr_octave__ (\"wait\"); "];
  for k = 1:merge (numel (g) < 1e6, 30, 1)      # an expression of few elements is compiled if it comes so often
    eval (once);
  endfor
  for k = 1:3                   # with a kernel that has come, another may be asked for
    gpu_config ("compiled", "wait");
    eval (once);
  endfor
  id = tic ();
  eval (once);
  in_run = max (1, ceil (1e-3 / toc (id)));
  run = sprintf ("id = tic (); for k = 1:%d, %s endfor; taken(end+1) = 1e3 * toc (id) / %d;", in_run, once, in_run);
  taken = [];
  while (isempty (taken) || (numel (taken) < 3 && in_run * sum (taken) < 300) || (in_run * sum (taken) < 40 && numel (taken) < 200))
    eval (run);
  endwhile
  ms = median (taken);
  results = numel (y);
endfunction

## Name, statement, outputs; of what kind: "dim": along each dimension, "array": of each array, "vector": of vectors, "small": of h, 64 x 64 of
## the array of 1e5, "complex": of g + ig.
function table = works ()
  table = {
    "sum", "y = sum (g, dim)", 1, "dim"
    "prod", "y = prod (g, dim)", 1, "dim"
    "sumsq", "y = sumsq (g, dim)", 1, "dim"
    "mean", "y = mean (g, dim)", 1, "dim"
    "max", "y = max (g, [], dim)", 1, "dim"
    "max", "[y, i] = max (g, [], dim)", 2, "dim"
    "min", "y = min (g, [], dim)", 1, "dim"
    "any", "y = any (g, dim)", 1, "dim"
    "all", "y = all (g, dim)", 1, "dim"
    "nnz", "y = nnz (g)", 1, "vector"
    "var", "y = var (g, 0, dim)", 1, "dim"
    "std", "y = std (g, 0, dim)", 1, "dim"
    "rms", "y = gpu_rms (g, dim)", 1, "dim"
    "range", "y = range (g, dim)", 1, "dim"
    "bounds", "[y, i] = bounds (g, dim)", 2, "dim"
    "norm", "y = norm (g)", 1, "vector"
    "dot", "y = dot (g, g)", 1, "vector"
    "median", "y = median (g, dim)", 1, "dim"
    "quantile", "y = gpu_quantile (g, [0.1, 0.5, 0.9], dim)", 1, "dim"
    "maxk", "[y, i] = gpu_maxk (g, 10, dim)", 2, "dim"
    "mode", "y = mode (g, dim)", 1, "dim"
    "cumsum", "y = cumsum (g, dim)", 1, "dim"
    "cumprod", "y = cumprod (g, dim)", 1, "dim"
    "cummax", "y = cummax (g, dim)", 1, "dim"
    "cummax", "[y, i] = cummax (g, dim)", 2, "dim"
    "cumsum of squares", "y = cumsum ((g - 0.5) .^ 2, dim)", 1, "dim"
    "cumsum above", "y = cumsum (g > 0.5, dim)", 1, "dim"
    "cummax of abs", "y = cummax (abs (g - 0.5), dim)", 1, "dim"
    "cumprod of growth", "y = cumprod (1 + g / 1e9, dim)", 1, "dim"
    "hist", "y = hist (g, 100)", 1, "vector"
    "histcounts", "y = gpu_histcounts (g, edges)", 1, "vector"
    "histcounts of difference", "y = gpu_histcounts (g - 0.25, edges)", 1, "vector"
    "histcounts of exp", "y = gpu_histcounts (exp (g), edges)", 1, "vector"
    "any above", "y = any (g > 10, dim)", 1, "dim"
    "accumarray", "y = accumarray (subs, g, [1000, 1])", 1, "vector"
    "plus", "y = g + 1", 1, "array"
    "product", "y = g .* g", 1, "vector"
    "chain", "y = sqrt (abs (g * 3 - 1) + g .* g)", 1, "vector"
    "exp", "y = exp (g)", 1, "vector"
    "greater", "y = g > 0.5", 1, "vector"
    "to int16", "y = int16 (g)", 1, "vector"
    "sum of squares", "y = sum ((g - 0.5) .^ 2, dim)", 1, "dim"
    "max of abs", "y = max (abs (g - 0.5), [], dim)", 1, "dim"
    "sum of exp", "y = sum (exp (g - 2), dim)", 1, "dim"
    "mean above", "y = mean (g > 0.5, dim)", 1, "dim"
    "squares about means", "y = sum ((g - means) .^ 2, dim)", 1, "dim"
    "weighted sum of means", "y = sum ((g - means) .* weights, dim)", 1, "dim"
    "divided by deviations", "y = (g - means) ./ deviations", 1, "dim"
    "softmax", "y = exp (g - max (g, [], dim)); y = y ./ sum (y, dim)", 1, "dim"
    "gpu_softmax", "y = gpu_softmax (g, dim)", 1, "dim"
    "logsumexp", "y = gpu_logsumexp (g, dim)", 1, "dim"
    "layer norm", "y = g - mean (g, dim); y = y ./ sqrt (mean (y .^ 2, dim) + 1e-5)", 1, "dim"
    "zscore", "y = (g - mean (g, dim)) ./ std (g, 0, dim)", 1, "dim"
    "gpu_normalize", "y = gpu_normalize (g, dim)", 1, "dim"
    "element", "y = g(3)", 1, "vector"
    "mtimes", "y = h * h", 1, "small"
    "complex product", "y = g .* g", 1, "complex"
    "complex square", "y = g .^ 2 + 1", 1, "complex"
    "complex abs", "y = abs (g)", 1, "complex"
  };
  only = strsplit (getenv ("BENCH_FUNCTIONS"), ",");
  if (! isempty (only{1}))
    table = table(ismember (table(:,1), only),:);
  endif
endfunction

function yes = takes (name, class)
  floating = {"std", "var", "rms", "norm", "quantile", "cumprod", "mean", "exp", "chain", "sum of squares", "max of abs", "sum of exp", "mean above", "squares about means", "weighted sum of means", "divided by deviations", "cumsum of squares", "cumsum above", "cummax of abs", "cumprod of growth", "histcounts of difference", "histcounts of exp", "any above", "softmax", "gpu_softmax", "logsumexp", "layer norm", "zscore", "gpu_normalize", "mtimes", "complex product", "complex square", "complex abs", "to int16"};
  yes = ! strcmp (class, "int16") || ! ismember (name, floating);
endfunction

top = fileparts (fileparts (mfilename ("fullpath")));
gpu_config ("device", "gpu");
if (strcmp (getenv ("BENCH_COMPILE"), "off"))
  gpu_config ("compile", "off");
endif
classes = strsplit (getenv ("BENCH_CLASSES"), ",");
if (isempty (classes{1}))
  classes = {"double", "single", "int16"};
endif
n = str2double (getenv ("BENCH_ELEMENTS"));
if (isnan (n))
  n = 2e8;
endif
m = n / 2;
shapes = {[1e3, 1], [1e5, 1], [n / 20, 1], [n, 1], [7, floor(m/7)], [floor(m/7), 7], [40, floor(m/40)], [333, 1001, floor(m/333333)], [12345, floor(m/12345)]};
if (! isempty (getenv ("BENCH_SHAPES")))
  shapes = cellfun (@(s) str2double (strsplit (s, "x")), strsplit (getenv ("BENCH_SHAPES"), ","), "UniformOutput", false);
  n = max (n, max (cellfun (@prod, shapes)));
endif
file = fopen (fullfile (top, "build", "bench-gpu", "called.csv"), "w");
fprintf (file, "function,class,shape,dim,outputs,elements,results,ms,single_ms\n");
randn ("twister", 42);
block = 1 + randn (1e6, 1);
for class = classes
  x = repmat (block, ceil (n / 1e6), 1);
  if (strcmp (class{1}, "int16"))
    x = 1000 * x;
  endif
  x = cast (x, class{1});
  for shape = shapes
    sz = shape{1};
    g = gpuArray (reshape (x(1:prod (sz)), sz));
    one = gpuArray (x(1));
    if (numel (sz) == 2 && sz(2) == 1)
      subs = gpuArray (randi (1000, sz(1), 1));
      dims = 1;
    else
      subs = [];
      dims = 1:numel (sz);
    endif
    for work = works ().'
      [name, code, outputs, kind] = work{:};
      if (! takes (name, class{1}) || (any (strcmp (kind, {"vector", "complex"})) && numel (dims) > 1)
          || (strcmp (kind, "small") && prod (sz) != 1e5))
        continue;
      endif
      array = g;
      first = one;
      if (strcmp (kind, "complex"))
        array = gpuArray (complex (x(1:prod (sz)), x(1:prod (sz))));
        first = gpuArray (complex (x(1), x(1)));
      endif
      if (strcmp (kind, "array"))
        along = 1;
      else
        along = dims;
      endif
      for dim = along
        try
          [ms, results] = call_ms (code, array, dim, subs);
          of_one = NaN;
          if (! any (strcmp (name, {"accumarray", "mtimes"})))
            of_one = call_ms (code, first, dim, []);
          endif
          fprintf (file, "%s,%s,%s,%d,%d,%d,%d,%.6g,%.6g\n", name, class{1}, sprintf ("%dx", sz)(1:end-1), dim, outputs, prod (sz), results, ms, of_one);
        catch err
          fprintf (stderr, "%s of %s %s along %d: %s\n", name, class{1}, mat2str (sz), dim, err.message);
        end_try_catch
      endfor
    endfor
    clear g array first subs
  endfor
endfor
fclose (file);
