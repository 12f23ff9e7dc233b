## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## tally (HOLDS, FORMAT, ...) counts a test, and prints what failed (30 of them);
## tally () prints "N passed, N failed" and leaves Octave with status 1 where one failed.
function tally (holds, varargin)

  persistent passed = 0;
  persistent failed = 0;

  if (nargin > 0)
    holds = all (holds(:));
    passed += holds;
    failed += ! holds;
    if (! holds && failed <= 30)
      printf ("failed: %s\n", sprintf (varargin{:}));
    endif
  else
    printf ("%d passed, %d failed\n", passed, failed);
    if (failed > 0)
      exit (1);
    endif
  endif

endfunction
