## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/medians.m: medians, and three quantiles, of 1e8 normal random numbers along dimension 1, of many numbers of rows, for ncu to time:
##   ncu --clock-control none --metrics gpu__time_duration.sum --csv --log-file times.csv -k 'regex:held_k|networks_k|parts_k' tools/octave bench/medians.m
## Each median is done three times.

1;

gpu_config ("device", "gpu");
for class = {"double", "single"}
  for rows = [7, 40, 100, 333, 1001, 3000, 12345]
    g = gpuArray (randn (rows, floor (1e8 / rows), class{1}));
    for k = 1:3
      y = median (g);
      __gpr_octave__ ("wait");
    endfor
    y = gpu_quantile (g, [0.1, 0.5, 0.9]);
    __gpr_octave__ ("wait");
    clear g y
  endfor
endfor
