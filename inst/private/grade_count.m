## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{names} =} grade_count ()
## @deftypefnx {} {@var{v} =} grade_count (@var{t}, @var{count}, @var{launch}, @var{step})
## The counts that rules and questions may ask for; one of them, of the trace @var{t}: of all of it, or where
## they are not empty, of a launch (from 1), or of a step (from 0) of its block 0.
## @end deftypefn

function v = grade_count (t, count, launch, step)

  if (nargin == 0)
    v = {"active_lanes", "warps_issued", "warps_skipped", "divergent_warps", "branch_places", "shared_reads", "shared_writes", "bank_conflicts", ...
         "worst_way", "sectors", "sectors_needed", "sectors_written", "barriers", "shuffles", "atomics", "contention", "launches", ...
         "sector_percent", "issued_percent", "active_percent", "global_loads", "global_atomics"};
    return;
  endif

  if (isempty (launch) && (! isempty (step) || any (strcmp (count, {"global_loads", "global_atomics"}))))
    launch = 1;
  endif
  steps = [];
  if (! isempty (launch))
    if (launch > numel (t.launches))
      error ("gpureduce:invalid-input", "gpu_grade: %s has no launch %d", t.variant, launch);
    endif
    steps = t.launches(launch).steps;
    if (! isempty (step))
      steps = steps([steps.block] == 0 & [steps.step] == step);
      if (isempty (steps))
        error ("gpureduce:invalid-input", "gpu_grade: launch %d of %s has no step %d", launch, t.variant, step);
      endif
    endif
  endif

  switch (count)
    case "global_loads"
      v = accesses (steps, "read");
    case "global_atomics"
      v = accesses (steps, "atomic");
    case "launches"
      v = numel (t.launches);
    case "sector_percent"
      v = 100 * summed (t, steps, "sectors_needed") / max (summed (t, steps, "sectors"), 1);
    case "issued_percent"
      run = summed (t, steps, "warps_issued");
      v = 100 * run / max (run + summed (t, steps, "warps_skipped"), 1);
    case "active_percent"
      v = 100 * summed (t, steps, "active_lanes") / max (t.block * numel (steps), 1);
    otherwise
      v = summed (t, steps, count);
  endswitch

endfunction

function v = summed (t, steps, count)
  if (isempty (steps))
    v = t.totals.(count);
  elseif (any (strcmp (count, {"worst_way", "contention"})))
    v = max ([steps.(count)]);
  else
    v = sum ([steps.(count)]);
  endif
endfunction

## One access of a lane counts once, however wide it is; of the blocks that are reported.
function v = accesses (steps, kind)
  all = [steps.accesses];
  v = sum (strcmp ({all.kind}, kind) & strcmp ({all.space}, "global"));
endfunction
