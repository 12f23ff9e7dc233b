## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/called.m: the first step of the group "called" of bench-gpu.sh: every function as a script
## calls it, of arrays that are on the GPU, timed by the clock of Octave.  Writes build/bench-gpu/called.csv;
## called.py then times the same works by CuPy and PyTorch, and called_report.m puts them side by side.
## BENCH_CLASSES=double,... BENCH_FUNCTIONS=sum,std,...: some.  BENCH_ELEMENTS=2e8: of the long arrays.

1;

## Milliseconds of a call: the median of as many as fit in 40 ms, of 3 at least.  A call ends when its
## result is there.
function ms = call_ms (f, outputs)
  taken = [];
  repeat (f, outputs);
  while (isempty (taken) || (numel (taken) < 3 && sum (taken) < 300) || (sum (taken) < 40 && numel (taken) < 200))
    id = tic ();
    repeat (f, outputs);
    taken(end+1) = 1e3 * toc (id);
  endwhile
  ms = median (taken);
endfunction

function repeat (f, outputs)
  if (outputs == 2)
    [a, b] = f ();
  else
    a = f ();
  endif
endfunction

## Name, call, outputs; of what kind: "dim": along each dimension, "vector": of vectors.
function table = works ()
  along = @(name) @(x, dim) feval (name, x, dim);
  table = {
    "sum", along("sum"), 1, "dim"
    "prod", along("prod"), 1, "dim"
    "sumsq", along("sumsq"), 1, "dim"
    "mean", along("mean"), 1, "dim"
    "max", @(x, dim) max (x, [], dim), 1, "dim"
    "max", @(x, dim) max (x, [], dim), 2, "dim"
    "min", @(x, dim) min (x, [], dim), 1, "dim"
    "any", along("any"), 1, "dim"
    "all", along("all"), 1, "dim"
    "nnz", @(x, dim) nnz (x), 1, "vector"
    "var", @(x, dim) var (x, 0, dim), 1, "dim"
    "std", @(x, dim) std (x, 0, dim), 1, "dim"
    "rms", @(x, dim) gpu_rms (x, dim), 1, "dim"
    "range", along("range"), 1, "dim"
    "bounds", @(x, dim) bounds (x, dim), 2, "dim"
    "norm", @(x, dim) norm (x), 1, "vector"
    "dot", @(x, dim) dot (x, x), 1, "vector"
    "median", along("median"), 1, "dim"
    "quantile", @(x, dim) gpu_quantile (x, [0.1, 0.5, 0.9], dim), 1, "dim"
    "maxk", @(x, dim) gpu_maxk (x, 10, dim), 2, "dim"
    "mode", along("mode"), 1, "dim"
    "cumsum", along("cumsum"), 1, "dim"
    "cumprod", along("cumprod"), 1, "dim"
    "cummax", along("cummax"), 1, "dim"
    "cummax", along("cummax"), 2, "dim"
    "hist", @(x, dim) hist (x, 100), 1, "vector"
    "histcounts", @(x, dim) gpu_histcounts (x, linspace (-4, 4, 101)), 1, "vector"
    "accumarray", @(x, dim) accumarray (evalin ("base", "subs"), x, [1000, 1]), 1, "vector"
  };
  only = strsplit (getenv ("BENCH_FUNCTIONS"), ",");
  if (! isempty (only{1}))
    table = table(ismember (table(:,1), only),:);
  endif
endfunction

function yes = takes (name, class)
  floating = {"std", "var", "rms", "norm", "quantile", "cumprod", "mean"};
  yes = ! strcmp (class, "int16") || ! ismember (name, floating);
endfunction

top = fileparts (fileparts (mfilename ("fullpath")));
gpu_config ("device", "gpu");
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
      dims = 1:numel (sz);
    endif
    for work = works ().'
      [name, f, outputs, kind] = work{:};
      if (! takes (name, class{1}) || (strcmp (kind, "vector") && numel (dims) > 1))
        continue;
      endif
      for dim = dims
        try
          y = f (g, dim);
          of_one = NaN;
          if (! strcmp (name, "accumarray"))
            of_one = call_ms (@() f (one, dim), outputs);
          endif
          ms = call_ms (@() f (g, dim), outputs);
          fprintf (file, "%s,%s,%s,%d,%d,%d,%d,%.6g,%.6g\n", name, class{1}, sprintf ("%dx", sz)(1:end-1), dim, outputs, prod (sz), numel (y), ms, of_one);
        catch err
          fprintf (stderr, "%s of %s %s along %d: %s\n", name, class{1}, mat2str (sz), dim, err.message);
        end_try_catch
        y = [];
      endfor
    endfor
    clear g subs
  endfor
endfor
fclose (file);
