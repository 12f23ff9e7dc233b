## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## run_gnuplot (png, width, height, script): draws PNG by a script of gnuplot; no
## display is needed.  Says so where it cannot.

function run_gnuplot (png, width, height, script)

  why = __gpr_gnuplot__ (png, width, height, "font 'sans,12'", script);
  if (isempty (why))
    printf ("\nPlot: %s\n", png);
  else
    printf ("\nNo plot: %s.\n", why);
  endif

endfunction
