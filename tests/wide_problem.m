## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## p = wide_problem (columns, longest): as divided_problem.m, a reduction over the divided dimension with many outputs, whose accumulators go from GPU to GPU;
## now and then a long one with few, where rows of shared parts do.
function p = wide_problem (columns, longest)

  names = {"sum", "mean", "std", "var", "max", "min", "dot", "sum"};
  p.name = names{randi(numel (names))};
  p.dims = [columns + randi(columns), randi(longest)];
  if (rand () < 0.3)
    p.dims = [randi(3), randi(500 * longest)];
  endif
  p.dim = p.reduced = 2;
  p.class = {"double", "single", "int8"}{randi(1 + 2 * strcmp (p.name, "sum"))};
  p.complex = false;
  p.divided = {};
  p.x = random_values (p.class, false, p.dims);
  p.outputs = 1;
  switch (p.name)
    case {"sum", "mean"}
      p.args = {2};
    case {"std", "var"}
      p.args = {0, 2};
    case {"max", "min"}
      p.args = {[], 2};
      p.outputs = 2;
    case "dot"
      p.args = {2};
      p.y = random_values (p.class, false, p.dims);
  endswitch

endfunction
