## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## tally_ranks (C, HOLDS, FORMAT, ...) counts a test of all ranks of a job, which must hold on each of them;
## tally_ranks (C) prints "N passed, N failed" on rank 0.
function tally_ranks (c, holds, varargin)

  persistent passed = 0;
  persistent failed = 0;

  if (nargin > 1)
    if (! holds)
      fputs (stdout, sprintf ("rank %d: failed: %s\n", c.rank, sprintf (varargin{:})));     # at once: another rank prints too
    endif
    bad = gpu_any (! holds, 2, "comm", c);
    passed += ! bad;
    failed += bad;
  elseif (c.rank == 0)
    printf ("%d passed, %d failed\n", passed, failed);
  endif

endfunction
