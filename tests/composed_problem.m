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
  names = {"logsumexp", "softmax", "normalize", "histogram", "mapreduce", "var", "std", "cov", "corr"};
  p.name = names{randi(numel (names))};
  p.outputs = 1;
  (first = find (size (p.x) != 1, 1)) || (first = 1);
  switch (p.name)
    case {"logsumexp", "softmax"}
      p.args = {{}, {dim}}{1 + ! isempty (dim)};
      p.stays = strcmp (p.name, "softmax") || ! is_over (p, dim, first);
    case "histogram"
      if (rand () < 0.1)
        p.class = "char";
        p.x = char (randi (100, p.dims));
      endif
      limits = {{}, {}, {"limits", [-2, 5]}}{randi(3)};
      dim = {[], p.dim, randi(rank), "all"}{randi(4)};
      if (isnumeric (dim) && dim > ndims (p.x))
        dim = [];
      endif
      p.args = [{"histogram", randi(30)}, limits, {"dim", dim}(1:2*! isempty (dim))];
      p.f = @gpu_reduce;
      p.outputs = randi (2);
      p.stays = [! is_over(p, dim, p.dim), false];
    case "mapreduce"
      [f, p] = handle_of (p);
      op = {"sum", "sum", "max", "mean", "std", "any"}{randi(6)};
      dim = {[], p.dim, randi(rank), find(rand (1, rank) < 0.5), "all"}{randi(5)};
      p.args = {"dim", dim}(1:2*! isempty (dim));
      p.outputs = 1 + (strcmp (op, "max") && rand () < 0.5);
      p.f = @(varargin) gpu_mapreduce (f, op, varargin{:});
      p.stays = repmat (! is_over(p, dim, first), 1, 2);
    case {"cov", "corr"}
      p = columns_problem (p);
    case {"var", "std"}
      dim = {[], p.dim, p.dim, randi(rank)}{randi(4)};
      along = [dim, first](1);
      p.y = cast (round (10 * rand (1, size (p.x, along))) / 8, {"double", "single"}{randi(2)});
      if (rand () < 0.1 && ! isempty (p.y))
        p.y(randi (numel (p.y))) = {NaN, -1, Inf}{randi(3)};
      endif
      if (isfloat (p.x) && rand () < 0.3)
        p.x = 1 + cast (1e-3 * randn (size (p.x)), p.class);
        p.x(rand (size (p.x)) < 0.1) = NaN;
      endif
      if (numel (p.y) > 1 && all (p.y == p.y(1)))
        p.y(1) += 1 / 8;                # one weight each, and the same, are a number W
      endif
      if (isempty (p.x))
        p.y = 1;                        # each rank's own are refused
      endif
      p.args = [num2cell(dim), {{}, {}, {"omitnan"}}{randi(3)}];
      p.cut = @(w, own) cut_weights (w, own, along == p.dim && ! isempty (p.x));
      p.stays = along != p.dim;
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

## A function of the array, or of that and another one.
function [f, p] = handle_of (p)
  if (rand () < 0.3)
    p.y = random_values (p.class, false, p.dims);
    f = {@(x, y) x - y, @(x, y) x .* y, @(x, y) min(x, y)}{randi(3)};
  else
    f = {@abs, @(x) 2 * double(x) - 1, @(x) x > 1, @(x) exp(x / 9), @(x) x .^ 2}{randi(5)};
  endif
endfunction

## Columns of one or two matrices.  What one process makes by a matrix product has other bits: want is what the manual says of ranks.
function p = columns_problem (p)
  p.dims = {[randi(3000), randi(5)], [randi(9), randi(9)], [1, randi(900)], [20000, 2], [randi(4) - 1, randi(3)]}{randi(5)};
  pairs = rand () < 0.4;
  if (pairs && strcmp (p.name, "cov") && __gpr_rule__ ("cov_pairs"))
    p.dims(randi (2)) = 1;      # matrices are refused there
  endif
  if (prod (p.dims) < 2)
    p.class = "double";         # the built-in's, which may refuse others
  endif
  p.dim = randi (2);
  p.divided = {"divided", p.dim};
  p.complex = rand () < 0.2 && any (strcmp (p.class, {"double", "single"}));
  p.x = random_values (p.class, p.complex, p.dims);
  p.args = {};
  if (pairs)
    p.y = random_values (p.class, false, p.dims);
  endif
  flag = "includenan";
  opt = 0;
  if (strcmp (p.name, "cov") && rand () < 0.5)
    flag = {"includenan", "omitrows", "partialrows"}{randi(3)};
    opt = randi (2) - 1;
    p.args = {opt, flag};
  endif
  p.want = @(varargin) by_columns (p.name, opt, flag, varargin{1:1+isfield (p, "y")});
  if (any (p.dims == 0))
    p = rmfield (p, "want");
  endif
  p.stays = false;
endfunction

## Covariances or correlations by dot products of centred columns.
function c = by_columns (name, opt, flag, varargin)
  if (strcmp (name, "corr") && isscalar (varargin{1}))
    c = feval (["gpu_" name], varargin{:});
    return;
  endif
  x = cellfun (@(x) as_columns (x, strcmp (name, "cov") || isscalar (corr ([1 2 4]))), varargin, "UniformOutput", false);
  if (strcmp (name, "cov") && numel (x) == 2 && __gpr_rule__ ("cov_pairs"))
    x = {[x{:}]};
  endif
  missing = ! strcmp (flag, "includenan") && any (cellfun (@(x) any (isnan (x)(:)), x));
  if (missing && strcmp (flag, "omitrows"))
    known = ! any (isnan (x{1}), 2) & ! any (isnan (x{end}), 2);
    x = cellfun (@(x) x(known,:), x, "UniformOutput", false);
  endif
  n = rows (x{1});
  if (missing && strcmp (flag, "partialrows"))
    in = cellfun (@(x) double (! isnan (x)), x, "UniformOutput", false);
    x = cellfun (@(x) centred (x, "omitnan"), x, "UniformOutput", false);
    n = dots (in{1}, in{end});
    c = dots (x{1}, x{end}) - dots (x{1}, in{end}) .* dots (in{1}, x{end}) ./ n;
  else
    x = cellfun (@(x) centred (x, "includenan"), x, "UniformOutput", false);
    c = dots (x{1}, x{end});
  endif
  if (strcmp (name, "cov"))
    c = c ./ (n - 1 + max (opt, n < 2));
    return;
  endif
  lengths = cellfun (@(x) gpu_norm (x, "columns", "device", "cpu"), x, "UniformOutput", false);
  if (numel (x) == 1)
    lengths = {sqrt(real (c(1:columns (c)+1:end)))};
  endif
  c = c ./ (lengths{1}(:) .* lengths{end});
endfunction

function x = as_columns (x, turns)
  if (! isfloat (x))
    x = double (x);
  endif
  if (turns && isrow (x))
    x = x.';
  endif
endfunction

function x = centred (x, flag)
  m = gpu_mean (x, 1, flag, "device", "cpu");
  [least, most] = gpu_bounds (x, 1, "device", "cpu");
  if (size_equal (m, least))
    m(least == most) = least(least == most);
  endif
  absent = isnan (x) & strcmp (flag, "omitnan");
  x -= m;
  x(absent) = 0;
endfunction

function p = dots (x, y)
  p = cellfun (@(k) gpu_dot (repmat (x(:,k), 1, columns (y)), y, 1, "device", "cpu"), num2cell (1:columns (x))', "UniformOutput", false);
  p = vertcat (p{:});
endfunction

## Of weights along the divided dimension a rank has those of its piece.
function w = cut_weights (w, own, divided)
  if (divided)
    w = w(own);
  endif
endfunction

## Whether the divided dimension is reduced.
function yes = is_over (p, dim, first)
  if (isempty (dim))
    dim = first;
  endif
  yes = ischar (dim) || any (dim == p.dim);
endfunction
