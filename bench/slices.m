## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/slices.m: softmax, layer norm and z-scores along dimension 1 and softmax and layer norm along 2 of 1e8 elements, of slices of many lengths, for ncu to time:
##   ncu --clock-control none --metrics gpu__time_duration.sum --csv --log-file times.csv -k regex:compiled tools/octave bench/slices.m
## Each is done three times once its kernel has come, and before; a line after it says what it was of.

1;

gpu_config ("device", "gpu");
works = {"y = gpu_softmax (g, d);", "y = g - mean (g, d); y = y ./ sqrt (mean (y .^ 2, d) + 1e-5);", "y = (g - mean (g, d)) ./ std (g, 0, d);"};
lengths = {[7, 20, 33, 50, 100, 200, 333, 500, 1000, 1001, 2000, 5000, 12345, 16000, 20000], floor(1e8 ./ [200000, 100000, 50000, 20000, 12346, 12345, 10000])};
for class = {"double", "single"}
  for d = 1:2
    for length = lengths{d}
      shape = [floor(1e8 / length), floor(1e8 / length)];
      shape(d) = length;
      g = gpuArray (1 + randn (shape, class{1}));
      for work = works(1:4-d)
        once = [work{1} " __gpr_octave__ (\"wait\");"];
        for k = 1:2
          eval (once);
        endfor
        for k = 1:3
          gpu_config ("compiled", "wait");
          eval (once);
        endfor
        printf ("%s %d x %d along %d: %s\n", class{1}, shape, d, work{1});
      endfor
      clear g y
    endfor
  endfor
endfor
