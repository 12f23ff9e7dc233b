## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/host.m: every function of host arrays on the CPU, beside the built-in, in turns (tools/octave bench/host.m).
## Writes build/bench-host.csv, and prints what takes more than 1.05 of the built-in's time (arrays of 1e4: and
## 20 us more).  BENCH_ELEMENTS=1e6,3e7: of these sizes; BENCH_CLASSES=double,...  BENCH_FUNCTIONS=sum,std,...: some.

1;

function list = chosen (name, list)
  said = getenv (name);
  if (! isempty (said))
    list = strsplit (said, ",");
  endif
endfunction

## Name, call of FUNCTION (its name in f), outputs; of what kind: "dim", "vector", or "pair" (subscripts).
function table = works ()
  table = {
    "sum", @(f, x, d) f (x, d), "dim"
    "prod", @(f, x, d) f (x, d), "dim"
    "sumsq", @(f, x, d) f (x, d), "dim"
    "mean", @(f, x, d) f (x, d), "dim"
    "max", @(f, x, d) f (x, [], d), "dim"
    "max2", @(f, x, d) second (f, x, [], d), "dim"
    "min", @(f, x, d) f (x, [], d), "dim"
    "any", @(f, x, d) f (x, d), "dim"
    "all", @(f, x, d) f (x, d), "dim"
    "nnz", @(f, x, d) f (x), "vector"
    "var", @(f, x, d) f (x, 0, d), "dim"
    "std", @(f, x, d) f (x, 0, d), "dim"
    "range", @(f, x, d) f (x, d), "dim"
    "bounds", @(f, x, d) second (f, x, d), "dim"
    "norm", @(f, x, d) f (x), "vector"
    "dot", @(f, x, d) f (x, x, d), "dim"
    "median", @(f, x, d) f (x, d), "dim"
    "quantile", @(f, x, d) f (x, [0.1, 0.5, 0.9], d), "dim"
    "mode", @(f, x, d) f (x, d), "dim"
    "mad", @(f, x, d) f (x, 1, d), "dim"
    "cumsum", @(f, x, d) f (x, d), "dim"
    "cumprod", @(f, x, d) f (x, d), "dim"
    "cummax", @(f, x, d) f (x, d), "dim"
    "cummax2", @(f, x, d) second (f, x, d), "dim"
    "histc", @(f, x, d) f (x, linspace (-4, 4, 101)), "vector"
    "hist", @(f, x, d) f (x, 100), "vector"
    "accumarray", @(f, x, d) f (evalin ("base", "subs") + 0, x, [1000, 1]), "vector"
  };
  table = table(ismember (table(:,1), chosen ("BENCH_FUNCTIONS", table(:,1))),:);
endfunction

function varargout = second (f, varargin)
  [~, varargout{1}] = f (varargin{:});
endfunction

addpath (fullfile (fileparts (mfilename ("fullpath")), "helpers"));
gpu_config ("device", "cpu");
file = fopen (fullfile (fileparts (fileparts (mfilename ("fullpath"))), "build", "bench-host.csv"), "w");
fprintf (file, "function,class,shape,dim,elements,builtin_ms,ours_ms\n");
randn ("twister", 42);
ratios = [];
for class = chosen ("BENCH_CLASSES", {"double", "single", "int32", "uint8", "logical"})
  for n = cellfun (@str2double, chosen ("BENCH_ELEMENTS", {"1e4", "1e6", "3e7"}))
    for shape = {[n, 1], [1000, n/1000], [7, floor(n/7)], [floor(n/7), 7], [10, n/1000, 100]}
      sz = shape{1};
      x = repmat (1 + randn (min (n, 1e6), 1), ceil (n / 1e6), 1);
      if (! any (strcmp (class{1}, {"double", "single"})))
        x = max (20 * x, 0);
      endif
      if (strcmp (class{1}, "logical"))
        x = x > 10;
      endif
      x = reshape (cast (x, class{1})(1:prod (sz)), sz);
      subs = randi (1000, sz(1), 1);
      for work = works ().'
        [name, call, kind] = work{:};
        if (strcmp (kind, "vector") && sz(2) > 1)
          continue;
        endif
        plain = strrep (name, "2", "");
        ours = str2func (["gpu_" plain]);
        theirs = str2func (plain);
        for dim = 1:merge (sz(2) == 1, 1, numel (sz))
          try
            call (theirs, x(1:min (end, 3)), dim);              # has the built-in such a function?
            call (ours, x(1:min (end, 3)), dim);
          catch
            continue;
          end_try_catch
          ms = interleaved_ms (@() call (theirs, x, dim), @() call (ours, x, dim));
          fprintf (file, "%s,%s,%s,%d,%d,%.6g,%.6g\n", name, class{1}, sprintf ("%dx", sz)(1:end-1), dim, prod (sz), ms);
          ratios(end+1) = ms(2) / ms(1);
          if (ms(2) > 1.05 * ms(1) + merge (n <= 1e4, 0.02, 0))
            printf ("%.2f of the built-in's time: %s (%s %s, %d), %.4g and %.4g ms\n", ratios(end), name, class{1}, ...
                    sprintf ("%dx", sz)(1:end-1), dim, ms);
          endif
        endfor
      endfor
    endfor
  endfor
endfor
fclose (file);
printf ("%d calls; of the built-in's time: median %.2f, the slowest tenth from %.2f on\n", numel (ratios), median (ratios), quantile (ratios, 0.9));
