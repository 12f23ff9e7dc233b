## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/short_calls.m: microseconds of a call with 1,000 doubles, in a loop of 300 such calls: of a gpuArray g, and of the host's array h for
## comparison.  GPUREDUCE_DEVICE chooses where g is.

1;

function us = call_us (code, g, h)
  loop = sprintf ("for k = 1:300, %s; endfor;", code);
  eval (loop);
  taken = zeros (1, 15);
  for r = 1:numel (taken)
    eval (sprintf ("id = tic (); %s taken(r) = toc (id);", loop));
  endfor
  us = median (taken) / 300 * 1e6;
endfunction

h = randn (1000, 1);
g = gpuArray (h);
now = "; __gpr_octave__ (\"wait\")";            # the result is there
for code = {"__gpr_octave__ (\"wait\")", "y = g + 1", ["y = g + 1" now], ["y = exp (g)" now], "y = g(3)", "y = sum (g)", "y = max (g)", "y = mean (g)", ...
            "y = any (g)", "y = var (g)", "y = norm (g)", ["y = cumsum (g)" now], "n = size (g)", "n = size (h)", "n = numel (g)", "n = numel (h)", "n = class (g)", "n = class (h)"}
  printf ("%-36s %6.2f us\n", code{1}, call_us (code{1}, g, h));
endfor
