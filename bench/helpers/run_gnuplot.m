## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## run_gnuplot (png, width, height, script): draws PNG by a script of gnuplot; no
## display is needed.  Says so where it cannot.

function run_gnuplot (png, width, height, script)

  if (system ("gnuplot --version > /dev/null 2>&1") != 0)
    printf ("\nNo plot: gnuplot is not installed.\n");
    return;
  endif
  file = tempname ();
  unwind_protect
    fid = fopen (file, "w");
    fprintf (fid, "if (strstrt (GPVAL_TERMINALS, 'pngcairo')) {\n");
    fprintf (fid, "  set terminal pngcairo size %d,%d background 'white' font 'sans,12'\n", width, height);
    fprintf (fid, "} else { set terminal png size %d,%d }\n", width, height);
    fprintf (fid, "set encoding utf8\nset output '%s'\n%s\n", strrep (png, "'", "''"), script);
    fclose (fid);
    [status, said] = system (sprintf ("gnuplot '%s' 2>&1", file));
  unwind_protect_cleanup
    unlink (file);
  end_unwind_protect
  if (status == 0)
    printf ("\nPlot: %s\n", png);
  else
    printf ("\nNo plot: gnuplot failed: %s\n", strtrim (said));
  endif

endfunction
