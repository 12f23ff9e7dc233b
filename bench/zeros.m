## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/zeros.m: cumprod of host arrays on the CPU with some zeros among factors near 1, beside the built-in (tools/octave bench/zeros.m [PREFIX]).
## Prints our time by the built-in's, for each share of zeros.

1;

addpath (fullfile (fileparts (mfilename ("fullpath")), "helpers"));
gpu_config ("device", "cpu");
shares = [0, 1e-5, 1e-4, 1e-3, 0.1, 0.5];
printf ("%s\n", sprintf ("  %g", shares));
for class = {"double", "single"}
  for shape = {[1e6, 1], [1000, 1000], [7, 142857], [142857, 7], [40, 25000], [3e6, 1]}
    for dim = find (shape{1} > 1)
      printf ("%s %s along %d:", class{1}, strjoin (cellfun (@num2str, num2cell (shape{1}), "UniformOutput", false), " x "), dim);
      for share = shares
        x = cast (1 + 0.01 * randn (shape{1}), class{1});
        x(rand (shape{1}) < share) = 0;
        ms = interleaved_ms (@() cumprod (x, dim), @() gpu_cumprod (x, dim));
        printf ("  %.2f", ms(2) / ms(1));
      endfor
      printf ("\n");
    endfor
  endfor
endfor
