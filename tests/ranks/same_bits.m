## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Run by all ranks of a job (tests/ranks.sh): random problems, the same on each rank, of which each has a piece.  What comes of the
## pieces must be what one process makes of the whole array, to the last bit.
## RANKS_ROUNDS: how many; RANKS_SEED: of the first; RANKS_ONLY: one of them.

1;
addpath (fileparts (fileparts (mfilename ("fullpath"))));

## A random problem: function, array, dimension that is divided, arguments after X, outputs, whether the divided dimension is reduced, second array.
function p = problem ()
  shapes = {@() [1, randi(300000)], @() [randi(9), randi(30000)], @() [randi(300), randi(300)], @() [randi(40), randi(9), randi(300)], ...
            @() [1, 1, randi(9000)], @() [2000 + randi(3000), randi(40)], @() [randi(5), randi(5), randi(5), randi(200)], @() [randi(200), 1], ...
            @() [1, randi(2000)], @() [1, randi(8)], @() [3000 + randi(3000), randi(3)], @() [randi(4)-1, randi(9)-1]};
  classes = {"double", "double", "double", "single", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical", "char"};
  p.dims = shapes{randi(numel (shapes))} ();
  p.class = classes{randi(numel (classes))};
  p.complex = rand () < 0.15 && any (strcmp (p.class, {"double", "single"}));
  p.dim = numel (p.dims);
  p.divided = {};
  if (rand () < 0.1)
    p.dim += randi (2);
    p.divided = {"divided", p.dim};
    p.dims(end+1:p.dim) = 1;
    p.dims(p.dim) = randi (6);
  endif
  p.x = random_values (p.class, p.complex, p.dims);
  if (rand () < 0.5)
    p = other_problem (p);
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
      dim = randi (p.dim);
    case 4
      dim = find (rand (1, p.dim) < 0.5);
      if (numel (dim) == p.dim)
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
function p = other_problem (p)
  names = {"histc", "hist", "histcounts", "histcounts2", "cumsum", "cumprod", "cummax", "cummin", ...
           "median", "median", "mode", "quantile", "prctile", "mad", "iqr", "maxk", "mink", "accumarray", "accumarray"};
  p.name = names{randi(numel (names))};
  p.args = {};
  p.outputs = 1;
  if (p.complex && ! strncmp (p.name, "cum", 3))
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
      p.x(:,:) = p.x(:,:);
      kinds = {{}, {randi(40)}, {sort(randn (1, 2 + randi (30)))}, {randi(9), 1}, {linspace(-3, 3, 12), 100}};
      p.args = kinds{randi(5)};
      columns = numel (p.x) / max (sizes(1), 1);
      vector = ndims (p.x) == 2 && any (sizes == 1);
      if (numel (p.args) > 1 && rand () < 0.5 && ! vector && columns > 0)
        p.args{2} = 1:columns;
      endif
      p.outputs = randi (2);
      counts = sizes(1) != 1 && columns != 1;
      p.stays = [counts, false];
    case {"cumsum", "cumprod", "cummax", "cummin"}
      p.args = {{}, {p.dim}, {p.dim}, {randi(p.dim)}}{randi(4)};
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
      dim = {[], p.dim, randi(p.dim), find(rand (1, p.dim) < 0.5)}{randi(4)};
      p.args = {{}, {dim}}{1 + ! isempty (dim)};
      if (rand () < 0.15)
        dim = 1:p.dim;
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
      dim = {[], p.dim, randi(p.dim)}{randi(3)};
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
  if (given)
    p.args = {{sizes, f}, {sizes, f, {0, -1, 7.5}{randi(3)}}}{randi(2)};
  endif
  p.outputs = 1;
  p.stays = false;
endfunction

## Problems that random ones are too seldom: several tiles a rank, overflow in one of them, elements that are left out, long columns, equal elements.
function all = chosen_problems ()
  overflows = randn (1, 30000);
  overflows([100, 25000]) = realmax;
  late = randn (2, 5000);
  late(:,1:2000) = NaN;
  odd = [randn(1, 500), Inf, -Inf, NaN, 3];
  long = randn (1, 200000);
  long(randi (200000, 1, 50)) = NaN;
  ## function, array, arguments, outputs, which of them are divided
  table = {
    "cumsum", randn(1, 60000), {}, 1, true
    "cumsum", randn(3, 20000), {2}, 1, true
    "cumsum", randn(1, 100000, "single"), {2}, 1, true
    "cumsum", complex(randn(40, 3000), randn(40, 3000)), {2}, 1, true
    "cumsum", randn(5, 200), {2}, 1, true
    "cumsum", overflows, {}, 1, true
    "cumsum", odd, {2, "omitnan"}, 1, true
    "cumprod", 1+0.01*randn(2, 40000), {2}, 1, true
    "cummax", late, {2}, 2, [true, true]
    "cummin", round(3*randn(3, 9000)), {2}, 2, [true, true]
    "cummin", late, {2, "includenan"}, 2, [true, true]
    "cummax", odd, {2, "includenan"}, 2, [true, true]
    "hist", odd, {20}, 2, [false, false]
    "hist", randn(40, 30), {15}, 2, [true, false]
    "histcounts", odd, {"BinMethod", "fd"}, 3, [false, false, true]
    "histcounts", odd, {"BinMethod", "scott"}, 3, [false, false, true]
    "histc", randn(4, 3000), {-3:0.1:3, 2}, 2, [false, true]
    "median", long, {"omitnan"}, 1, false
    "quantile", long, {[0.1, 0.5, 0.99], 2, 8}, 1, false
    "quantile", round(long), {[0.1, 0.5, 0.99], 2}, 1, false
    "quantile", 1+2^-20*((1:200000)>100000), {[0.1, 0.9], 2}, 1, false
    "median", [zeros(1, 100000), 1+rand(1, 100000)], {}, 1, false
    "mad", single(long), {1}, 1, false
    "median", randn(30, 2000), {2}, 1, false
    "mode", round(10*randn(20, 400)), {2}, 2, [false, false]
    "maxk", round(randn(3, 3000)), {50, 2}, 2, [false, false]
    "mink", odd, {600}, 2, [false, false]
    "sum", randn(1, 5000).*10.^(30*randn(1, 5000)), {2, "exact"}, 1, false
    "sum", randn(50, 300).*10.^(30*randn(50, 300)), {2, "exact"}, 1, false
  };
  all = cell (1, rows (table));
  for k = 1:rows (table)
    [name, x, args, outputs, stays] = table{k,:};
    all{k} = struct ("name", name, "dims", size (x), "dim", ndims (x), "x", x, "class", class (x), "args", {args}, "outputs", outputs, ...
                     "divided", {{}}, "stays", stays);
  endfor
  ## subscripts of neighbours, which only some ranks have; function and value of those that none has
  subs = ceil ((1:400).' / 40);
  for f = {{@max, 7}, {@min, 0}, {@sum, -1}, {@mean, 2}}
    all{end+1} = struct ("name", "accumarray", "dims", [400, 1], "dim", 1, "x", subs, "y", int32 (subs - 50), "class", "double", ...
                         "args", {{[12, 1], f{1}{:}}}, "outputs", 1, "divided", {{"divided", 1}}, "stays", false);
  endfor
  all{end+1} = setfield (setfield (all{end}, "y", [-1; rand(399, 1)]), "args", {[12, 1], @max, 0});
  all{end+1} = setfield (all{end}, "y", rand (400, 1));
endfunction

## Where each rank's piece begins: random, many empty, all in one, even.
function at = divide (total, ranks)
  switch (randi (4))
    case 1
      at = [0, sort(randi (total + 1, 1, ranks - 1) - 1), total];
    case 2
      at = [0, sort(randi (2, 1, ranks - 1) - 1) * total, total];
    case 3
      at = round (linspace (0, total, ranks + 1));
    case 4
      at = [0, sort(round (total * rand (1, ranks - 1) .^ 4)), total];
  endswitch
endfunction

function y = along (x, dim, range)
  index = repmat ({":"}, 1, max (ndims (x), dim));
  index{dim} = range;
  y = x(index{:});
endfunction

function b = bits (x)
  if (isstruct (x))
    b = cellfun (@bits, struct2cell (x), "UniformOutput", false);
  elseif (isfloat (x))
    b = {class(x), size(x), typecast(real (x)(:), "uint8"), typecast(imag (x)(:), "uint8")};
  else
    b = {class(x), size(x), x};
  endif
endfunction

function text = brief (x)
  if (isstruct (x))
    text = strjoin (cellfun (@brief, struct2cell (x).', "UniformOutput", false), ", ");
  else
    text = [class(x) " " mat2str(size (x)) " " mat2str(x(1:min (end, 6)), 17)];
  endif
endfunction

function [said, out] = result (f, outputs, varargin)
  out = cell (1, outputs);
  said = "";
  try
    [out{:}] = f (varargin{:});
  catch err
    said = err.message;
  end_try_catch
endfunction

## True: this rank finds the same.
function ok = same (p, c)
  f = str2func (["gpu_" p.name]);
  at = divide (p.dims(p.dim), c.size);
  if (all (diff (at) == 1))             # a page each: pieces do not show that there are pages
    p.divided = {"divided", p.dim};
  endif
  own = at(c.rank+1)+1:at(c.rank+2);
  x = along (p.x, p.dim, own);
  second = cell (1, isfield (p, "y"));
  pieces = second;
  if (isfield (p, "y"))
    second = {p.y};
    pieces = {p.y};
    if (! isscalar (p.y) || p.dims(p.dim) == 1)
      pieces = {along(p.y, p.dim, own)};
    endif
  endif
  [error_wanted, wanted] = result (f, p.outputs, p.x, second{:}, p.args{:}, "device", "cpu");
  [error_found, found] = result (f, p.outputs, x, pieces{:}, p.args{:}, "comm", c, p.divided{:});
  ok = strcmp (error_wanted, error_found);
  if (! isempty (error_wanted) || ! ok)
    if (! ok)
      printf ("rank %d: error <%s>, not <%s>\n", c.rank, error_found, error_wanted);
    endif
    return;
  endif
  ## A result is divided where its length along that dimension is the whole.
  total = p.dims(p.dim);
  for k = 1:p.outputs
    want = wanted{k};
    if (! isempty (p.x) && (isfield (p, "stays") && p.stays(k) || ! isfield (p, "stays") && is_divided (p)))
      take = @(y) along (y, p.dim, own);
      if (isstruct (want))
        want = structfun (take, want, "UniformOutput", false);
      else
        want = take (want);
      endif
    endif
    ## of one index along it the built-in's answer is on each rank
    if (! isequaln (bits (want), bits (found{k})) && ! (total == 1 && isequaln (bits (wanted{k}), bits (found{k}))))
      ok = false;
      fputs (stdout, sprintf ("rank %d, output %d: %s, not %s\n", c.rank, k, brief (found{k}), brief (want)));
    endif
  endfor
endfunction

function yes = is_divided (p)
  d = p.reduced;
  sizes = size (p.x);
  switch (p.name)
    case "norm"
      side = p.args(cellfun (@ischar, p.args));
      yes = any (ismember (side, {"rows", "columns", "cols"})) && ((any (strcmp (side, "rows")) && p.dim > 2) || (! any (strcmp (side, "rows")) && p.dim != 1));
      return;
    case "dot"
      if (isempty (p.args) || ischar (p.args{1}))
        d = [];
        if (isvector (p.x) && ndims (p.x) == 2)
          d = "all";
        endif
      endif
  endswitch
  if (ischar (d))
    yes = false;
  elseif (isempty (d))
    long = any (strcmp (p.name, {"mean", "bounds"})) || (strcmp (p.name, "reduce") && strcmp (p.args{1}, "mean"));
    d = find (sizes != 1, 1);
    if (isempty (d))
      d = 1;
    endif
    yes = d != p.dim;
  else
    yes = ! any (d == p.dim);
  endif
endfunction

c = gpu_comm ();
rounds = str2double (getenv ("RANKS_ROUNDS"));
first = str2double (getenv ("RANKS_SEED"));
only = str2double (getenv ("RANKS_ONLY"));
if (isnan (first))
  first = 1;
endif
failed = 0;
warning ("off", "all");
chosen = {};
if (isnan (only))
  rand ("twister", first);
  randn ("twister", first);
  chosen = chosen_problems ();
endif
for k = first:first + rounds + numel (chosen) - 1
  if (! isnan (only) && k != only)
    continue;
  endif
  rand ("twister", k);
  randn ("twister", k);
  if (k < first + rounds)
    p = problem ();
  else
    p = chosen{k+1-first-rounds};
  endif
  good = same (p, c);
  if (! good)
    printf ("rank %d of %d, problem %d: gpu_%s of %s %s, divided along %d, arguments %s\n", c.rank, c.size, k, p.name, mat2str (p.dims), class (p.x), p.dim, ...
            strjoin (cellfun (@(a) regexprep (disp (a), "\\n", ""), p.args, "UniformOutput", false), "; "));
  endif
  failed += ! good;
endfor
rounds += numel (chosen);
failed = gpu_max (failed, [], 2, "comm", c);   # problems, of the rank that had most
if (c.rank == 0)
  printf ("%d passed, %d failed\n", rounds - failed, failed);
endif
