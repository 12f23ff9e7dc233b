## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/host.m: every function of host arrays on the CPU, beside the built-in, in turns (tools/octave bench/host.m).
## Writes build/bench-host.csv, and prints what takes more than 1.05 of the built-in's time (arrays of 1e4: and
## 20 us more).  BENCH_ELEMENTS=1e6,3e7: of these sizes; BENCH_CLASSES=double,...  BENCH_FUNCTIONS=sum,std,...: some.

1;

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
      x = host_array (class{1}, sz);
      subs = randi (1000, sz(1), 1);
      for work = host_works ().'
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
