## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## p = divided_problem (): a random problem of an array that is divided: function, array, dimension that is divided, arguments after X, outputs,
## whether the divided dimension is reduced, second array.  longer: by how much the last dimension of some is longer, up to two million elements.
## composed: also functions that m-code makes of several reductions (composed_problem.m).
function p = divided_problem (longer = 1, composed = false)
  shapes = {@() [1, randi(300000)], @() [randi(9), randi(30000)], @() [randi(300), randi(300)], @() [randi(40), randi(9), randi(300)], ...
            @() [1, 1, randi(9000)], @() [2000 + randi(3000), randi(40)], @() [randi(5), randi(5), randi(5), randi(200)], @() [randi(200), 1], ...
            @() [1, randi(2000)], @() [1, randi(8)], @() [3000 + randi(3000), randi(3)], @() [randi(4)-1, randi(9)-1]};
  classes = {"double", "double", "double", "single", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical", "char"};
  p.dims = shapes{randi(numel (shapes))} ();
  p.class = classes{randi(numel (classes))};
  p.complex = rand () < 0.15 && any (strcmp (p.class, {"double", "single"}));
  p.dim = numel (p.dims);
  p.divided = {};
  if (longer > 1 && prod (p.dims) > 0 && rand () < 0.4)
    p.dims(end) = round (min (longer * p.dims(end), max (2e6 / prod (p.dims(1:end-1)), p.dims(end))));
  elseif (rand () < 0.3)
    p.dim = randi (p.dim);
    p.divided = {"divided", p.dim};
  elseif (rand () < 0.1)
    p.dim += randi (2);
    p.divided = {"divided", p.dim};
    p.dims(end+1:p.dim) = 1;
    p.dims(p.dim) = randi (6);
  endif
  p.x = random_values (p.class, p.complex, p.dims);
  rank = max (p.dim, numel (p.dims));
  if (composed && rand () < 0.4)
    p = composed_problem (p);
    return;
  elseif (rand () < 0.5)
    p = other_problem (p, rank);
    return;
  endif
  names = {"sum", "sum", "prod", "max", "min", "argmax", "argmin", "mean", "var", "std", "any", "all", "nnz", "norm", "sumsq", "range", "bounds", ...
           "dot", "rms", "stats", "reduce"};
  p.name = names{randi(numel (names))};
  p.args = {};
  p.outputs = 1;
  switch (randi (4))
    case 1
      dim = [];
    case 2
      dim = p.dim;
    case 3
      dim = randi (rank);
    case 4
      dim = find (rand (1, rank) < 0.5);
      if (numel (dim) == rank)
        dim = "all";
      endif
  endswitch
  flags = {{}, {}, {}, {"omitnan"}, {"includenan"}};
  flag = flags{randi(numel (flags))};
  with_dim = num2cell (dim, 2);
  if (isempty (dim))
    with_dim = {};
  endif
  switch (p.name)
    case "sum"
      types = {{}, {}, {"native"}, {"double"}, {"extra"}, {"exact"}, {"exact"}};
      p.args = [with_dim, types{randi(7)}, flag];
    case "prod"
      types = {{}, {}, {"native"}, {"double"}};
      p.args = [with_dim, types{randi(4)}, flag];
    case "mean"
      kinds = {{}, {}, {"a"}, {"g"}, {"h"}};
      types = {{}, {}, {"native"}, {"double"}};
      p.args = [with_dim, kinds{randi(5)}, types{randi(4)}, flag];
      if (strcmp (p.class, "double") && any (strcmp (p.args, "g")) && rand () < 0.7)
        p.x = abs (p.x);
      endif
    case {"max", "min", "argmax", "argmin"}
      p.outputs = randi (2);
      if (! isempty (with_dim) && ischar (dim))
        p.args = [with_dim, flag];
      elseif (! isempty (with_dim))
        p.args = [{[]}, with_dim, flag];
      else
        p.args = flag;
      endif
    case {"var", "std"}
      p.args = [{randi(2) - 1}, with_dim, flag];
    case {"sumsq", "rms"}
      p.args = [with_dim, flag];
    case {"any", "all"}
      p.args = with_dim;
    case "range"
      p.args = [with_dim, flag];
    case "bounds"
      p.args = [with_dim, flag];
      p.outputs = 2;
    case "nnz"
      dim = "all";
    case "norm"
      kinds = {{}, {1}, {2}, {Inf}, {"fro"}, {1, "rows"}, {2, "columns"}, {"inf", "cols"}, {0}};
      p.args = kinds{randi(numel (kinds))};
    case "dot"
      p.y = random_values (p.class, rand () < 0.3 && p.complex, p.dims);
      if (isempty (dim) || ischar (dim) || numel (dim) > 1)
        with_dim = {};
      endif
      p.args = with_dim;
      if (rand () < 0.4)
        p.args{end+1} = "exact";
      endif
    case "stats"
      p.args = with_dim;
    case "reduce"
      ops = {"sum", "max", "mean", "any", "std", "prod"};
      p.args = ops(randi(6));
      if (! isempty (with_dim))
        p.args = [p.args, {"dim"}, with_dim];
      endif
  endswitch
  p.reduced = dim;
endfunction

## Of the functions that are no reductions; stays: which outputs are divided as the array is, where its divided dimension is longer than 1.
function p = other_problem (p, rank)
  names = {"histc", "hist", "histcounts", "histcounts2", "cumsum", "cumprod", "cummax", "cummin", ...
           "median", "median", "mode", "quantile", "prctile", "mad", "iqr", "maxk", "mink", "accumarray", "accumarray"};
  p.name = names{randi(numel (names))};
  p.args = {};
  p.outputs = 1;
  if (p.complex && ! any (strcmp (p.name, {"cumsum", "cumprod", "cummax", "cummin", "median", "mode", "quantile", "prctile", "mad", "iqr"})))
    p.x = real (p.x);
    p.complex = false;
  endif
  sizes = size (p.x);
  (first = find (sizes > 1, 1)) || (first = 1);
  switch (p.name)
    case "histc"
      edges = unique (double (p.x(randi (max (numel (p.x), 1), 1, min (numel (p.x), randi (60))))));
      if (isempty (edges) || rand () < 0.3)
        edges = sort (10 * randn (1, randi (40)));
      endif
      dim = {[], p.dim, randi(ndims (p.x))}{randi(3)};
      p.args = [{edges}, num2cell(dim)];
      p.outputs = randi (2);
      along = [dim, first](1);
      p.stays = [along != p.dim, true];
    case "hist"
      if (p.dim > 1 && p.dim < ndims (p.x))
        p.x = p.x(:,:);                 # its pages are refused
        p.dims = size (p.x);
        p.dim = 2;
        p.divided = {};
        sizes = size (p.x);
      endif
      kinds = {{}, {randi(40)}, {sort(randn (1, 2 + randi (30)))}, {randi(9), 1}, {linspace(-3, 3, 12), 100}};
      p.args = kinds{randi(5)};
      columns = numel (p.x) / max (sizes(1), 1);
      vector = ndims (p.x) == 2 && any (sizes == 1);
      if (numel (p.args) > 1 && rand () < 0.5 && ! vector && columns > 0)
        p.args{2} = 1:columns;
      endif
      p.outputs = randi (2);
      counts = sizes(1) != 1 && columns != 1;
      p.stays = [counts && p.dim > 1, false];
    case {"cumsum", "cumprod", "cummax", "cummin"}
      p.args = {{}, {p.dim}, {p.dim}, {randi(rank)}}{randi(4)};
      if (any (strcmp (p.name, {"cumsum", "cumprod"})) && any (sizes(p.dim+1:end) > 256))
        p.args = {p.dim};               # others are refused
      endif
      if (strcmp (p.name, "cumprod") && isfloat (p.x) && rand () < 0.7)
        p.x = cast (1 + 0.01 * randn (size (p.x)), p.class);
      endif
      p.outputs = 1;
      if (! strcmp (p.name(1:4), "cums") && ! strcmp (p.name, "cumprod"))
        p.outputs = randi (2);
      endif
      if (rand () < 0.4 && ! isempty (p.args))
        p.args{end+1} = {"omitnan", "includenan"}{randi(2)};
      endif
      p.stays = [true, true];
    case "accumarray"
      p = table_problem (p);
    case {"median", "mode"}
      dim = {[], p.dim, randi(rank), find(rand (1, rank) < 0.5)}{randi(4)};
      p.args = {{}, {dim}}{1 + ! isempty (dim)};
      if (rand () < 0.15)
        dim = 1:rank;
        p.args = {"all"};
      endif
      if (strcmp (p.name, "median") && rand () < 0.4)
        p.args{end+1} = {"omitnan", "includenan"}{randi(2)};
      elseif (strcmp (p.name, "mode"))
        p.outputs = randi (2);
      endif
      (first = find (sizes != 1, 1)) || (first = 1);
      p.stays = repmat (! any ([dim, first](1:max (numel (dim), 1)) == p.dim), 1, 2);
    case {"quantile", "prctile", "mad", "iqr", "maxk", "mink"}
      dim = {[], p.dim, randi(rank)}{randi(3)};
      scale = 1 + 99 * strcmp (p.name, "prctile");
      if (strcmp (p.name, "mad"))
        p.args = [{1}, num2cell(dim)];
      elseif (strcmp (p.name, "iqr"))
        p.args = num2cell (dim);
      elseif (strcmp (p.name(2:end), "axk") || strcmp (p.name(2:end), "ink"))
        p.args = [{round(10^(3*rand()))}, num2cell(dim)];
        p.outputs = randi (2);
        (first = find (sizes != 1, 1)) || (first = 1);
      else
        p.args = [{scale * {0.5, [0 .25 .5 .75 1], rand(1, 20), rand(3, 1)}{randi(4)}}, num2cell(dim)];
        if (! isempty (dim) && scale == 1 && rand () < 0.5)
          p.args{end+1} = randi (9);
        endif
      endif
      p.stays = repmat ([dim, first](1) != p.dim, 1, 2);
    case {"histcounts", "histcounts2"}
      if (ischar (p.x))
        p.x = uint8 (p.x);
        p.class = "uint8";
      endif
      kinds = {{}, {randi(40)}, {sort(randn (1, 2 + randi (30)))}, {"BinWidth", 0.5 + rand()}, {"BinMethod", {"auto", "scott", "fd", "integers"}{randi(4)}}, ...
               {"BinMethod", {"sturges", "sqrt"}{randi(2)}}, {"BinLimits", [-1, 2]}, {"BinLimits", [-2, 5], "BinMethod", "fd"}};
      p.args = kinds{randi(8 - (numel (p.name) > 10))};
      if (numel (p.name) > 10)
        p.y = random_values (p.class, false, p.dims);
        if (rand () < 0.7)
          p.y = random_values ("double", false, p.dims);
        endif
        p.args = {{}, {randi(9)}, {[-1 0 1], [0, sort(rand (1, 3))]}, {"BinMethod", {"auto", "scott", "fd", "integers"}{randi(4)}}, {"NumBins", [3 7]}}{randi(5)};
        p.outputs = randi (5);
        p.stays = [false, false, false, true, true];
      else
        p.outputs = randi (3);
        p.stays = [false, false, true];
      endif
      if (rand () < 0.4)
        p.args = [p.args, {"Normalization", {"pdf", "cdf", "probability", "cumcount"}{randi(4)}}];
      endif
  endswitch
endfunction

## Rows of subscripts and values, whose sums are exact.
function p = table_problem (p)
  rows = round (10 ^ (5 * rand ()));
  columns = randi (3);
  p.dims = [rows, columns];
  p.dim = 1;
  p.divided = {};
  p.x = cast (randi ({3, 20, 60}{randi(3)}, p.dims), {"double", "single", "int32", "uint8"}{randi(4)});
  p.class = {"double", "single", "int8", "uint16", "int32", "logical"}{randi(6)};
  f = {[], @sum, @max, @min, @numel, @mean}{randi(6)};
  given = randi (3) > 1;
  p.y = random_values (p.class, false, [rows, 1]);
  if (! given || isempty (f) || ! any (strcmp (func2str (f), {"max", "min", "numel"})))
    p.y = cast (round (20 * randn (rows, 1)), p.class);
  endif
  if (rand () < 0.2)
    p.y = cast (randi (9), p.class);
  elseif (isfloat (p.y) && rand () < 0.15 && ! isempty (f) && strcmp (func2str (f), "max"))
    p.y = abs (p.y);
  endif
  sizes = {[], [70 60 61](1:columns)}{randi(2)};
  if (numel (sizes) == 1)
    sizes = [70 1];
  endif
  p.args = {};
  if (given && isa (p.y, "single") && isequal (f, @mean))
    p.args = {sizes, f};                # with a value of gaps it is the built-in's, which is refused
  elseif (given)
    p.args = {{sizes, f}, {sizes, f, {0, -1, 7.5}{randi(3)}}}{randi(2)};
  endif
  p.outputs = 1;
  p.stays = false;
endfunction
