## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## A random problem of gpu_reduce: an array, operator and options, outputs, and what says to a file or function what the array is.
function p = streamed_problem ()
  shapes = {@() [1, randi(300000)], @() [randi(300000), 1], @() [randi(9), randi(30000)], @() [randi(300), randi(300)], @() [randi(40), randi(9), randi(300)], ...
            @() [1, 1, randi(9000)], @() [2000 + randi(30000), randi(9)], @() [randi(5), randi(5), randi(5), randi(200)], @() [100000 + randi(50000), 2, 2], ...
            @() [1, randi(8)], @() [3, 100000 + randi(50000)], @() [randi(4)-1, randi(9)-1], @() [2, 70000, 2]};
  classes = {"double", "double", "double", "single", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical", "char"};
  dims = shapes{randi(numel (shapes))} ();
  class = classes{randi(numel (classes))};
  is_complex = rand () < 0.15 && any (strcmp (class, {"double", "single"}));
  p.x = random_values (class, is_complex, dims);
  p.describes = {"class", class, "dims", dims};
  if (is_complex)
    p.describes(end+1:end+2) = {"complex", true};
  endif
  ops = {"sum", "sum", "prod", "prod", "sumsq", "mean", "max", "min", "any", "all", "argmax", "argmin", "rms", "nnz", "var", "std", "range", "bounds"};
  p.op = ops{randi(numel (ops))};
  p.options = {};
  which = randi (4);
  if (which == 1)
    p.options = {"dim", randi(numel (dims))};
  elseif (which == 2 && ! strcmp (p.op, "nnz"))
    p.options = {"dim", "all"};
  elseif (which == 3 && numel (dims) > 2)
    p.options = {"dim", [1 2] + randi(numel (dims) - 1) - 1};
  endif
  outtypes = struct ("sum", {{"native", "double", "extra"}}, "prod", {{"native", "double"}}, "mean", {{"native", "double"}});
  if (isfield (outtypes, p.op) && rand () < 0.3)
    types = outtypes.(p.op);
    p.options(end+1:end+2) = {"outtype", types{randi(numel (types))}};
  endif
  if (! any (strcmp (p.op, {"any", "all", "nnz"})) && rand () < 0.4)
    p.options(end+1:end+2) = {"nanflag", merge(rand () < 0.6, "omitnan", "includenan")};
  endif
  if (strcmp (p.op, "mean") && rand () < 0.3)
    p.options(end+1:end+2) = {"meantype", "agh"(randi (3))};
  endif
  p.outputs = 1 + (any (strcmp (p.op, {"max", "min", "argmax", "argmin", "bounds"})) && rand () < 0.6);
endfunction
