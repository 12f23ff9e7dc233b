## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Run by all ranks of a job (tests/ranks.sh): problems of pieces in the host's memory (problems_on_ranks.m).

addpath (fileparts (fileparts (mfilename ("fullpath"))));
warning ("off", "all");
c = gpu_comm ();
[count, failed] = problems_on_ranks (c, 15, @(x) x, 1, true);
if (c.rank == 0)
  printf ("%d passed, %d failed\n", count - failed, failed);
endif
