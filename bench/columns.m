## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/columns.m: reductions of some 1e8 elements along dimension 2, of many numbers of columns and rows, for ncu to time:
##   ncu --clock-control none --metrics gpu__time_duration.sum --csv --log-file times.csv -k regex:reduce_ tools/octave bench/columns.m
## Each is done twice.  A second kernel of the same reduction, if there is one, merges parts.

1;

shapes = {[33 1000 3000], [40 2500000 1], [40 1000 2500], [64 1000 1500], [80 1000 1200], [100 100 10000], [128 1000 800], [256 1000 400], ...
          [332 1001 300], [333 1001 300], [512 1000 200], [640 1000 160], [1000 1000 100], [1024 1000 96], [1030 1000 96], [2000 1000 50], ...
          [12345 8100 1], [333333 300 1], [1000 100000 1], [100 1000000 1], [3 33 1000000], [7 50 285000], [8 16 781250], [20 40 125000], ...
          [33 20 150000], [100 30 33000], [333 20 15000], [333 50 6000], [333 64 4690], [400 100 2500], [200 12 40000], [64 16 100000], ...
          [64 60 26000], [50000 16 120], [3000000 33 1], [3000 64 520]};
done = @() __gpr_octave__ ("wait");      # results are computed when they are wanted
for class = {"double", "single", "int16"}
  randn ("seed", 1);
  many = gpuArray (repmat (cast (100 * randn (1e6, 1), class{1}), 104, 1));
  for shape = shapes
    g = reshape (many(1:prod (shape{1})), shape{1});
    done ();
    for k = 1:2
      y = sum (g, 2);
      done ();
      if (isfloat (g))
        y = max (g, [], 2);
        done ();
        [least, most] = bounds (g, 2);
        done ();
        y = var (g, 0, 2);
        done ();
      endif
      clear y least most;
    endfor
    clear g;
  endfor
  clear many;
endfor
