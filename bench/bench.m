## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench: the package's times beside those of the built-in functions, as ratios, all
## in one run.  BENCH_SCALE=0.01 takes arrays of a hundredth of the size, to try.
## Writes build/bench.csv and build/bench.png.  Ends with an error when a result is
## not what the built-in's says it must be; times are only reported.

1;

## What is timed: name, function of the package, built-in, array (or a function that
## makes one for each call, before the clock starts), the ratio aimed at, and the
## bound of the difference relative to the result (0: equal).  x is a
## column of numbers in (0, 1); a sum of numbers of one sign, added in any order, is
## right to n u.
function lines = lines_of (x)

  n = numel (x);
  u = eps / 2;
  lines = {sprintf("sum, %g", n),  @gpu_sum,  @sum,  x, 0.35, n * u
           sprintf("mean, %g", n), @gpu_mean, @mean, x, 0.35, n * u
           sprintf("max, %g", n),  @gpu_max,  @max,  x, 0.45, 0
           sprintf("min, %g", n),  @gpu_min,  @min,  x, 0.45, 0};

  y = x(1:ceil (n / 10));
  even = linspace (0, 1, 101);
  uneven = even .^ 2;
  lines = [lines
           timed(sprintf ("histc, %g, even edges", numel (y)), @gpu_histc, @histc, y, {even}, 0.05, 0)
           timed(sprintf ("histc, %g, other edges", numel (y)), @gpu_histc, @histc, y, {uneven}, 0.1, 0)
           timed(sprintf ("hist, %g, even centres", numel (y)), @gpu_hist, @hist, y, {even}, 0.05, 0)
           timed(sprintf ("hist, %g, other centres", numel (y)), @gpu_hist, @hist, y, {uneven}, 0.1, 0)];

  s = 1 + floor (1000 * y);
  t = 1 + floor (numel (y) / 10 * y);
  lines = [lines
           {sprintf("var, %g", numel (y)),    @gpu_var,    @var,    y, 0.1, 1e-10
            sprintf("std, %g", numel (y)),    @gpu_std,    @std,    y, 0.1, 1e-10
            sprintf("norm, %g", numel (y)),   @gpu_norm,   @norm,   y, 0.5, 1e-10
            sprintf("median, %g", numel (y)), @gpu_median, @median, y, 0.5, 0
            sprintf("mode, %g", numel (y)),   @gpu_mode,   @mode,   y, 1,   0
            sprintf("nnz, %g", numel (y)),    @gpu_nnz,    @nnz,    y, 1,   0
            sprintf("dot, %g", numel (y)),    @(x) gpu_dot(x, x), @(x) dot (x, x), y, 1, 1e-10
            sprintf("stats, %g, by 5 functions", numel (y)), @stats_of, @(x) [sum(x), mean(x), var(x), min(x), max(x)], y, 1, 1e-10
            sprintf("cumsum, %g", numel (y)), @gpu_cumsum, @cumsum, y, 1,   numel(y) * u
            ## new subscripts each time, and the same ones, where the built-in has kept what it made of them
            sprintf("accumarray, %g into 1000", numel (y)), @(a) gpu_accumarray(a{:}), @(a) accumarray(a{:}), @() {s + 0, y}, 0.5, 0
            sprintf("accumarray, %g into %g", numel (y), numel (y) / 10), @(a) gpu_accumarray(a{:}), @(a) accumarray(a{:}), @() {t + 0, y}, 0.5, 0
            sprintf("accumarray, %g into 1000, again", numel (y)), @(x) gpu_accumarray(s, x), @(x) accumarray(s, x), y, 1, 0
            sprintf("accumarray, %g into %g, again", numel (y), numel (y) / 10), @(x) gpu_accumarray(t, x), @(x) accumarray(t, x), y, 1, 0
            sprintf("histcounts, %g, by histc", numel (y)), @(x) gpu_histcounts(x, even), @(x) histc(x, even)(1:end-1).', y, 0.05, 0}];

  side = floor (sqrt (n));
  for shape = {[4, floor(n/4)], [32, floor(n/32)], [side, side], [floor(n/4), 4], [floor(n/32), 32]}
    m = reshape (x(1:prod (shape{1})), shape{1});
    for dim = 1:2
      where = sprintf ("%d x %d, dim %d", shape{1}, dim);
      lines = [lines
               timed(["sum, " where], @gpu_sum, @sum, m, {dim}, 0.6, size (m, dim) * u)
               timed(["max, " where], @gpu_max, @max, m, {[], dim}, 0.6, 0)];
    endfor
  endfor

endfunction

function v = stats_of (x)
  s = gpu_stats (x);
  v = [s.sum, s.mean, s.var, s.min, s.max];
endfunction

function row = timed (name, ours, builtin, x, rest, target, bound)
  row = {name, @(x) ours(x, rest{:}), @(x) builtin(x, rest{:}), x, target, bound};
endfunction

## Milliseconds of `pkg load' in a fresh Octave: the median of several.
function ms = load_ms ()
  top = fileparts (fileparts (mfilename ("fullpath")));
  code = sprintf ("source ('%s'); id = tic (); pkg load gpureduce; printf ('%%g', toc (id))",
                  fullfile (top, "tools", "use_build.m"));
  for i = 1:9
    [status, s] = system (["octave-cli --quiet --norc --no-history --eval \"" code "\""]);
    taken(i) = 1e3 * str2double (s);
  endfor
  ms = median (taken);
endfunction

## The ratios as bars, the targets as ticks on them.
function plot_ratios (png, names, ratio, target, gpu, m)
  rows = sprintf ("%g %g %g %g %g\n", [1:numel(ratio); ratio; target; gpu.']);
  labels = strjoin (cellfun (@(name, k) sprintf ("'%s' %d", name, k), names.', num2cell (1:numel (ratio)),
                             "UniformOutput", false), ", ");
  right = max (1.4, min (2, 1.1 * max (ratio)));
  on_gpu = "";
  if (! all (isnan (gpu(:))))
    on_gpu = [", $d using 4:1 with points pointtype 6 pointsize 1.3 linewidth 2 linecolor rgb '#7a3fb0' title 'GPU, end-to-end'" ...
              ", $d using 5:1 with points pointtype 7 pointsize 1.1 linecolor rgb '#7a3fb0' title 'GPU, resident'"];
  endif
  run_gnuplot (png, 1000, 150 + 23 * numel (ratio), strjoin ({
    sprintf("set title \"Time as a fraction of the built-in function's\\n{/*0.75 %s}\" font ',16'", strrep (m.cpu, "\"", ""))
    "set xlabel 'ratio of times, written beside each bar (1: as fast as the built-in; less is better)'"
    sprintf("set xrange [0:%g]; set yrange [%g:0.3]; set ytics (%s) scale 0", right, numel (ratio) + 0.7, labels)
    "set xtics nomirror out; set grid x linecolor rgb '#dddddd' linetype 1"
    "set border 3 linecolor rgb '#505050'; set key inside bottom right opaque; set style fill solid noborder"
    "set arrow from 1, graph 0 to 1, graph 1 nohead linewidth 1.5 linecolor rgb '#505050'"
    ["$d << END\n" rows "END"]
    ["plot $d using ($2 <= $3 ? $2 / 2 : NaN):1:($2 / 2):(0.36) with boxxyerror linecolor rgb '#3d8f5f' title 'CPU, within the target'" ...
     ", $d using ($2 > $3 ? $2 / 2 : NaN):1:($2 / 2):(0.36) with boxxyerror linecolor rgb '#d9892b' title 'CPU, not within'" ...
     ", $d using 3:($1 - 0.42):(0):(0.84) with vectors nohead linewidth 3 linecolor rgb 'black' title 'target'" ...
     sprintf(", $d using (($2 < $3 ? $3 : $2) < %g ? ($2 < $3 ? $3 : $2) : 0)", right - 0.1) ...
     ":1:(sprintf ('%.2f', $2)) with labels left offset 0.8,0 notitle" ...
     on_gpu]
    }, "\n"));
endfunction

addpath (fullfile (fileparts (mfilename ("fullpath")), "helpers"));
build = fullfile (fileparts (fileparts (mfilename ("fullpath"))), "build");

scale = str2double (getenv ("BENCH_SCALE"));
if (isnan (scale))
  scale = 1;
endif
n = 1e8 * scale;
if (8 * n > free_bytes () / 4)
  n = floor (free_bytes () / 4 / 8);
  printf ("There is too little memory for %g elements.\n", 1e8 * scale);
endif
m = machine ();
on_gpu = gpuDeviceCount () > 0;
for field = fieldnames (m).'
  printf ("%s: %s\n", field{1}, m.(field{1}));
endfor
printf ("Times are medians; ratio: CPU backend to built-in, in this run.\n\n");
printf ("%-34s %12s %12s %8s %8s%s\n", "line", "built-in ms", "CPU ms", "ratio", "target",
        merge (on_gpu, "       GPU ms  resident ms", ""));

rand ("twister", 42);
lines = lines_of (rand (n, 1));
count = rows (lines);
ms = NaN (count, 4);                 # built-in; ours: CPU, GPU end-to-end, resident
wrong = 0;
for i = 1:count
  [name, ours, builtin, x, target, bound] = lines{i,:};
  anew = is_function_handle (x);
  if (anew)
    [make, x] = deal (x, x ());
  else
    make = @() x;
  endif
  expected = builtin (x);
  gpu_config ("device", "cpu");
  ok = agrees (ours (x), expected, bound * expected);
  ms(i,1:2) = interleaved_ms ({builtin, make}, {ours, make});
  if (on_gpu && ! anew)
    gpu_config ("device", "gpu");
    g = gpuArray (x);
    ok = ok && agrees (ours (x), expected, bound * expected) && agrees (gather (ours (g)), expected, bound * expected);
    ms(i,3:4) = interleaved_ms (@() ours (x), @() ours (g));
    clear g;
  endif
  wrong += ! ok;
  printf ("%-34s %12.4g %12.4g %8.3f %8.2f%s%s\n", name, ms(i,1:2), ms(i,2) / ms(i,1), target,
          merge (on_gpu, sprintf (" %12.4g %12.4g", ms(i,3:4)), ""), merge (ok, "", "  WRONG"));
endfor

gpu_config ("device", "cpu");
x = 5;
scalar = interleaved_ms (@() sum (x), @() gpu_sum (x));
loading = load_ms ();
printf ("\npkg load gpureduce in a fresh Octave: %.1f ms (target 50)\n", loading);
printf ("gpu_sum (5) on the CPU: %.1f us (target 30); sum (5): %.1f us\n", 1e3 * scalar(2), 1e3 * scalar(1));

ratio = (ms(:,2) ./ ms(:,1)).';
target = [lines{:,5}];
file = fopen (fullfile (build, "bench.csv"), "w");
for field = fieldnames (m).'
  fprintf (file, "# %s: %s\n", field{1}, m.(field{1}));
endfor
fprintf (file, "line,builtin_ms,cpu_ms,ratio,target_ratio,target_ms,gpu_ms,gpu_resident_ms\n");
for i = 1:count
  fprintf (file, "\"%s\",%.6g,%.6g,%.4g,%g,,%s\n", lines{i,1}, ms(i,1:2), ratio(i), target(i),
           merge (on_gpu, sprintf ("%.6g,%.6g", ms(i,3:4)), ","));
endfor
fprintf (file, "\"pkg load\",,%.6g,,,50,,\n", loading);
fprintf (file, "\"gpu_sum (5)\",%.6g,%.6g,%.4g,,0.03,,\n", scalar, scalar(2) / scalar(1));
fclose (file);
printf ("\nTable: %s\n", fullfile (build, "bench.csv"));

names = lines(:,1);
plot_ratios (fullfile (build, "bench.png"), names, ratio, target, ms(:,3:4) ./ ms(:,1), m);

if (wrong > 0)
  error ("bench: %d results are not what they must be", wrong);
endif
