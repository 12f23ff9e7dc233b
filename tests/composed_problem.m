## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## p = composed_problem (p): of the array of a problem (divided_problem.m), and of the functions that m-code makes of several reductions, or of weights.  stays:
## which outputs are divided as the array is; f: the function, where it is not gpu_NAME of the array.
function p = composed_problem (p)
  if (strcmp (p.class, "char") || p.complex)
    p.class = "double";
    p.complex = false;
    p.x = double (real (p.x));
  endif
  if (rand () < 0.5 && isfloat (p.x))
    p.x = cast (3 * randn (size (p.x)), p.class);
  endif
  rank = max (p.dim, numel (p.dims));
  dim = {[], p.dim, randi(rank), find(rand (1, rank) < 0.5), "all"}{randi(5)};
  names = {"logsumexp", "softmax", "normalize"};
  p.name = names{randi(numel (names))};
  p.outputs = 1;
  (first = find (size (p.x) != 1, 1)) || (first = 1);
  switch (p.name)
    case {"logsumexp", "softmax"}
      p.args = {{}, {dim}}{1 + ! isempty (dim)};
      p.stays = strcmp (p.name, "softmax") || ! is_over (p, dim, first);
    case "normalize"
      if (! isfloat (p.x))
        p.class = "single";
        p.x = single (p.x);
      endif
      dim = {[], p.dim, randi(rank)}{randi(3)};
      kinds = {{}, {"zscore", "robust"}, {"norm", 1}, {"norm"}, {"norm", 3}, {"norm", Inf}, {"range"}, {"range", [-1 2]}, {"center"}, {"center", "median"}, ...
               {"center", 3, "scale", "mad"}, {"scale", "iqr"}, {"scale", "first"}, {"center", "mean", "scale", "first"}, {"medianiqr"}};
      p.args = [num2cell(dim), kinds{randi(numel (kinds))}];
      p.outputs = randi (3);
      (first = find (size (p.x) > 1, 1)) || (first = 1);
      stays = ! is_over (p, dim, first);
      p.stays = [true, stays, stays];
  endswitch
endfunction

## Whether the divided dimension is reduced.
function yes = is_over (p, dim, first)
  if (isempty (dim))
    dim = first;
  endif
  yes = ischar (dim) || any (dim == p.dim);
endfunction
