## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/slices.m: softmax and layer norm along dimension 2 of 1e8 elements, of slices of many lengths, for ncu to time:
##   ncu --clock-control none --metrics gpu__time_duration.sum --csv --log-file times.csv -k regex:compiled tools/octave bench/slices.m
## Each is done three times once its kernel has come, and before; a line after it says what it was of.

1;

gpu_config ("device", "gpu");
works = {"y = gpu_softmax (g, 2);", "y = g - mean (g, 2); y = y ./ sqrt (mean (y .^ 2, 2) + 1e-5);"};
for class = {"double", "single"}
  for rows = [200000, 100000, 50000, 20000, 12346, 12345, 10000]
    g = gpuArray (1 + randn (rows, floor (1e8 / rows), class{1}));
    for work = works
      once = [work{1} " __gpr_octave__ (\"wait\");"];
      for k = 1:2
        eval (once);
      endfor
      for k = 1:3
        gpu_config ("compiled", "wait");
        eval (once);
      endfor
      printf ("%s %d x %d: %s\n", class{1}, size (g), work{1});
    endfor
    clear g y
  endfor
endfor
