## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## problems_on_ranks (c, rounds, place): random problems (divided_problem.m) and chosen ones, the same on each rank, of which each has a piece,
## as place (piece) has it: what comes of the pieces must be what one process makes of the whole array.
## longer: of some, composed: which (divided_problem.m).  Returns how many there were, and failed on some rank.
## RANKS_ROUNDS: other rounds; RANKS_SEED: of the first; RANKS_ONLY: one of them.
function [count, failed] = problems_on_ranks (c, rounds, place, longer = 1, composed = false)
  number = @(name, default) [str2double(getenv (name)), default](1 + isempty (getenv (name)));
  rounds = number ("RANKS_ROUNDS", rounds);
  first = number ("RANKS_SEED", 1);
  only = number ("RANKS_ONLY", NaN);
  chosen = {};
  if (isnan (only))
    seed (first);
    chosen = chosen_divided_problems ();
  endif
  count = rounds + numel (chosen);
  numbers = first:first + count - 1;
  if (! isnan (only))
    numbers = only;
  endif
  failed = 0;
  for k = numbers
    seed (k);
    if (k < first + rounds || ! isnan (only))
      p = divided_problem (longer, composed);
    else
      p = chosen{k+1-first-rounds};
    endif
    good = same_on_ranks (p, c, place);
    if (! good)
      printf ("rank %d of %d, problem %d: gpu_%s of %s %s, divided along %d, arguments %s\n", c.rank, c.size, k, p.name, mat2str (p.dims), class (p.x), p.dim, ...
              strjoin (cellfun (@(a) regexprep (disp (a), "\n", ""), p.args, "UniformOutput", false), "; "));
    endif
    failed += gpu_any (! good, 2, "comm", c);
  endfor
  count = numel (numbers);
endfunction

function seed (k)
  rand ("twister", k);
  randn ("twister", k);
endfunction
