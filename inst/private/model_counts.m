## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{names} =} model_counts (@var{kind})
## The simulator's counts that the model reads, as kernels/sim/README.md defines them: "totals" of a
## launch, "work" of its warps, or "all": a column of a profile.
## @end deftypefn

function names = model_counts (kind)

  totals = {"bank_conflicts", "sectors_first", "sectors_written", "barriers", "shared_atomic_passes", "global_atomic_passes"};
  work = {"blocks", "divisions", "reads", "writes", "waits", "hits", "lines", "shared", "shuffles", "atomics"};
  switch (kind)
    case "totals"
      names = totals;
    case "work"
      names = work;
    otherwise
      names = [totals, strcat("issued_", work), strcat("path_", work)];
  endswitch

endfunction
