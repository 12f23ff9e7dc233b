## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Run by all ranks of a job (tests/ranks/mpis.sh): which world each finds, or why none.
try
  c = gpu_comm ();
  said = sprintf ("rank %d of %d: the sum is %d", c.rank, c.size, gpu_sum (c.rank + 1, 2, "comm", c));
catch err
  said = err.message;
end_try_catch
fputs (stdout, [said "\n"]);            # at once: another rank prints too
