## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## same_on_ranks (p, c, place): whether what comes of the pieces of a problem (divided_problem.m), each rank's as place (piece) has it, is on this
## rank what one process makes of the whole array on the CPU, to the last bit.
function ok = same_on_ranks (p, c, place)
  ## Octave makes parts of such an array real, so nobody knows that it is complex
  for field = {"x", "y"}(1:1+isfield (p, "y"))
    if (iscomplex (p.(field{1})) && ! any (imag (p.(field{1}))(:)))
      p.(field{1}) = real (p.(field{1}));
    endif
  endfor
  f = str2func (["gpu_" p.name]);
  if (isfield (p, "f"))
    f = p.f;
  endif
  at = divide (p.dims(p.dim), c.size);
  if (all (diff (at) <= 1))             # a page each: pieces do not show that there are pages
    p.divided = {"divided", p.dim};
  endif
  own = at(c.rank+1)+1:at(c.rank+2);
  x = along (p.x, p.dim, own);
  second = cell (1, isfield (p, "y"));
  pieces = second;
  if (isfield (p, "y"))
    second = {p.y};
    pieces = {p.y};
    if (isfield (p, "cut"))
      pieces = {p.cut(p.y, own)};
    elseif (! isscalar (p.y) || p.dims(p.dim) == 1)
      pieces = {along(p.y, p.dim, own)};
    endif
  endif
  if (rand () < 0.5 && isempty (x) && ! isempty (p.x))
    x = [];
    pieces(! cellfun (@isscalar, pieces) & ! isfield (p, "cut")) = {[]};
  endif
  want = f;
  if (isfield (p, "want"))
    want = @(varargin) p.want (varargin{1:end-2});
  endif
  [error_wanted, wanted] = result_of (want, p.outputs, p.x, second{:}, p.args{:}, "device", "cpu");
  x = place (x);
  pieces = cellfun (place, pieces, "UniformOutput", false);
  [error_found, found] = result_of (f, p.outputs, x, pieces{:}, p.args{:}, "comm", c, p.divided{:});
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
    whole = isempty (p.x) && (any (strcmp (p.name, {"hist", "quantile", "prctile", "maxk", "mink"})) || (strcmp (p.name, "histc") && k == 1));
    if (! whole && (isfield (p, "stays") && p.stays(k) || ! isfield (p, "stays") && is_divided (p)))
      take = @(y) part (y, p.dim, own, total);
      if (isstruct (want))
        want = structfun (take, want, "UniformOutput", false);
      else
        want = take (want);
      endif
    endif
    ## of one index along it the built-in's answer is on each rank
    one = total == 1 && agrees (wanted{k}, found{k}, isgpuarray (x));
    if (! agrees (want, found{k}, isgpuarray (x)) && ! one)
      ok = false;
      fputs (stdout, sprintf ("rank %d, output %d: %s, not %s\n", c.rank, k, brief (on_host (found{k})), brief (want)));
    endif
  endfor
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

## total: the length of what is divided; of no elements the built-in's results may have another
function y = part (x, dim, range, total)
  y = x;
  if (size (x, dim) == total)
    y = along (x, dim, range);
  endif
endfunction

function y = along (x, dim, range)
  index = repmat ({":"}, 1, max (ndims (x), dim));
  index{dim} = range;
  y = x(index{:});
endfunction

## Of a GPU's results NaN are one, whatever their bits.
function yes = agrees (want, found, on_device)
  if (on_device)
    yes = same_results (want, found);
  else
    yes = isequaln (bits (want), bits (on_host (found)));
  endif
endfunction

function x = on_host (x)
  if (isstruct (x))
    x = structfun (@gather, x, "UniformOutput", false);
  else
    x = gather (x);
  endif
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
    text = [class(x) " " mat2str(size (x)) " " mat2str(x(1:min (end, 6))(:).', 17)];
  endif
endfunction

function yes = is_divided (p)
  d = p.reduced;
  sizes = size (p.x);
  switch (p.name)
    case "norm"
      side = p.args(cellfun (@ischar, p.args));
      yes = any (ismember (side, {"rows", "columns", "cols"})) && p.dim != 1 + any (strcmp (side, "rows"));
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
