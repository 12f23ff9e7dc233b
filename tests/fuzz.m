## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The public functions against the built-ins on random input, errors included.
## FUZZ_SEED repeats a run, FUZZ_ROUNDS makes it longer.

1;

function y = pick (list)
  y = __gpr_random__ ("pick", list);
endfunction

function t = chance (p)
  t = rand () < p;
endfunction

## ---- random input ----------------------------------------------------------

function x = cast_to (class_name, x)
  na = isna (x);
  if (! strcmp (class (x), class_name))
    x = feval (class_name, x);
  endif
  if (strcmp (class_name, "single"))
    x(na) = single (NA);
  endif
endfunction

function x = random_array (numbers_only = false)
  class_name = pick (__gpr_random__ ("classes"));
  if (any (strcmp (class_name, {"double", "single"})) && chance (0.25))
    x = __gpr_random__ ("complex", class_name, __gpr_random__ ("size"));
  elseif (strcmp (class_name, "double") && chance (0.15) && ! numbers_only)
    x = __gpr_random__ ("stored");
  else
    x = __gpr_random__ ("numbers", class_name, __gpr_random__ ("size"));
  endif
endfunction

## ---- comparing --------------------------------------------------------------

function t = same_form (a, b)
  t = strcmp (class (a), class (b)) && isequal (size (a), size (b)) && issparse (a) == issparse (b) ...
      && iscomplex (a) == iscomplex (b);
endfunction

## Every NaN and NA the same NaN: of several the built-in keeps the first.
function x = plain_nan (x)
  if (iscomplex (x))
    x = complex (plain_nan (real (x)), plain_nan (imag (x)));
  elseif (isfloat (x))
    x(isnan (x)) = NaN;
  endif
endfunction

## Not finite where, and as, the other is; elsewhere nearer than bound to reference.
function t = near (got, want, reference, bound)
  if (iscomplex (got) || iscomplex (want) || iscomplex (reference))
    other = imag (bound);
    if (! iscomplex (bound))
      other = bound;
    endif
    t = near (real (got), real (want), real (reference), real (bound)) ...
        && near (imag (got), imag (want), imag (reference), other);
    return;
  endif
  got = double (full (got))(:);
  want = double (full (want))(:);
  reference = double (full (reference))(:);
  odd = ! isfinite (want);
  t = isequaln_ (got(odd), want(odd)) && all (isfinite (got(! odd))) ...
      && all (abs (got(! odd) - reference(! odd)) <= bound(:)(! odd));
endfunction

function t = isequaln_ (a, b)
  t = isequal (isnan (a), isnan (b)) && isequal (a(! isnan (a)), b(! isnan (b)));
endfunction

## What a call answers: its outputs, or the identifier and message of its error.
function r = answer (f, nout, args)
  r.out = cell (1, nout);
  r.id = r.message = "";
  try
    [r.out{:}] = f (args{:});
    r.failed = false;
  catch err
    r.failed = true;
    r.id = err.identifier;
    r.message = err.message;
  end_try_catch
endfunction

function t = same_error (got, want, name)
  message = want.message;
  ## Words of the built-in's own insides are not passed on.
  if (strcmp (got.id, "gpureduce:invalid-input") && ! isempty (regexp (got.message, 'cannot be used(:|$)', "once")))
    t = isempty (strfind (message, name));
    return;
  endif
  if (strncmp (message, ["Invalid call to " name], 16 + numel (name)))
    t = strncmp (got.message, ["Invalid call to gpu_" name], 20 + numel (name));
  else
    prefix = [name ": "];
    if (strncmp (message, prefix, numel (prefix)))
      message = message(numel (prefix)+1:end);
    endif
    t = strcmp (regexprep (got.message, '^gpu_\w+: ', ""), message);
  endif
  t = t && strcmp (got.id, want.id);
endfunction

## ---- what is printed -------------------------------------------------------

function s = shown (value)
  if (isa (value, "gpuArray"))
    s = ["gpuArray " shown(gather (value))];
  elseif (isnumeric (value) || ischar (value) || islogical (value))
    if (ndims (value) == 2 && numel (value) <= 12)
      s = sprintf ("%s %s", class (value), disp (value)(1:end-1));
      if (ischar (value) && rows (value) == 1)
        s = ["\"" value "\""];
      endif
      s = strrep (s, "\n", "; ");
    else
      kinds = {"", "complex ", "sparse "};
      s = sprintf ("%s%s %s", kinds{1 + iscomplex (value) + 2 * issparse (value)}, class (value), ...
                   sprintf ("%dx", size (value))(1:end-1));
    endif
  else
    s = class (value);
  endif
endfunction

function s = call_text (round, name, args)
  s = sprintf ("round %d: gpu_%s (%s)", round, name, strjoin (cellfun (@shown, args, "uniformoutput", false), ", "));
endfunction

## ---- reductions along one dimension ---------------------------------------------

function d = default_dimension (name, x)
  if (strcmp (name, "mean"))
    d = find (size (x) > 1, 1);
  else
    d = find (size (x) != 1, 1);
  endif
  if (isempty (d))
    d = 1;
  endif
endfunction

## Is every partial sum of x (or of its squares) exact?
function t = sums_exactly (x, squares, result_class)
  limit = 2 ^ 53;
  if (strcmp (result_class, "single"))
    limit = 2 ^ 24;
  endif
  x = double (abs ([real(x(:)); imag(x(:))]));     # parts are added apart, whatever the other is
  x = x(isfinite (x));
  if (squares)
    x = x .^ 2;
  endif
  t = all (x(:) == fix (x(:))) && sum (x(:)) < limit;
endfunction

## Reference and bound of a sum, a mean or a sum of squares of floats.
function [reference, bound] = good_sum (name, x, d, want, extra)
  if (iscomplex (x) && ! strcmp (name, "sumsq"))
    [re, bound] = good_sum (name, real (x), d, want, extra);
    [im, b] = good_sum (name, imag (x), d, want, extra);
    reference = complex (re, im);
    bound = complex (bound, b);
    return;
  endif
  wide = double (x);
  if (strcmp (name, "sumsq"))
    wide = real (wide) .^ 2 + imag (wide) .^ 2;
  endif
  n = size (x, d);
  reference = sum (wide, d, "extra");
  bound = sum (abs (wide), d);
  depth = min (n, 64 + ceil (log2 (n + 1)) + 2);
  precision = class (want);
  if (strcmp (name, "mean"))
    reference /= n;
    bound /= n;
    precision = class (x);      # mean's "double" converts what was summed in single
  endif
  if (extra)
    depth = 1;
  endif
  bound *= (depth + 1) * eps (merge (strcmp (precision, "single"), "single", "double"));
endfunction

## A random call: its arguments, the dimension it reduces (d), what "mean" means (kind), the
## option that is a word, and the number of outputs.
function c = one_dimension_call ()
  name = pick ({"sum", "sum", "prod", "sumsq", "mean", "max", "min", "any", "all"});
  extreme = any (strcmp (name, {"max", "min"}));
  x = random_array ();
  if (strcmp (name, "prod"))
    x = for_products (x);
  endif
  x = where_right (name, x);
  d = default_dimension (name, x);
  args = {x};
  if (extreme && chance (0.6))
    args{2} = [];
  endif
  if (numel (args) == 2 || (! extreme && chance (0.6)))
    d = randi (5);
    args{end+1} = cast (d, pick ({"double", "double", "double", "int8", "single"}));
  endif
  option = "";
  kind = "a";
  if (any (strcmp (name, {"sum", "prod", "mean"})))
    if (strcmp (name, "mean") && chance (0.3))
      kind = pick ({"a", "g", "h"});
      if (strcmp (kind, "h") && isfloat (x) && ! issparse (x))
        x = x .* cast_to (class (x), (2 * (real (x) >= 0) - 1));      # reciprocals do not cancel
      endif
      if (iscomplex (x))
        ## the built-in divides by zeros and infinities as it happens
        x(! isfinite (x) | x == 0) = 1;
      endif
      args{1} = x;
      args{end+1} = kind;
    endif
    if (chance (0.4))
      option = pick ({"native", "double", "extra"}(1:2+strcmp (name, "sum")));
      args{end+1} = option;
      if (strcmp (option, "extra") && iscomplex (x) && __gpr_rule__ ("extra_not_finite"))
        x(! isfinite (x)) = 1;
        args{1} = x;
      endif
    endif
  endif
  nout = 1;
  if (extreme)
    ## with one output the built-in leaves empty logicals as they are
    nout = randi ([1 + (islogical (x) && isempty (x)), 2]);
  endif
  c = struct ("name", name, "args", {args}, "d", d, "kind", kind, "option", option, "nout", nout);
endfunction

## Near 1, or the order of the factors decides between 0 and Inf.
function x = for_products (x)
  if (isfloat (x) && ! issparse (x) && ! isempty (x))
    zero = x == 0;
    x = cast_to (class (x), sign (real (x)) .* (1 + abs (x) / 1e3 / max ([1; abs(x(isfinite (x)))(:)])));
    x(zero) = 0;
  elseif ((isinteger (x) || ischar (x)) && numel (x) > 8)
    x = cast_to (class (x), sign (double (x)));
  endif
endfunction

## Without what the built-in is wrong about.
function x = where_right (name, x)
  if (strcmp (name, "mean") && iscomplex (x) && __gpr_rule__ ("mean_not_finite"))
    x(! isfinite (x)) = 1;
  elseif (any (strcmp (name, {"max", "min"})) && iscomplex (x) && ! issparse (x) && __gpr_rule__ ("minus_pi"))
    x(arg (x) == -pi) = 1;
  endif
endfunction

## Of a dimension that is not there the built-in's mean of logical numbers stays logical.
function want = mean_is_double (want, name, x)
  if (strcmp (name, "mean") && islogical (x) && ! issparse (x) && ! isempty (x) && __gpr_rule__ ("mean_of_nothing") && ! want.failed)
    want.out{1} = double (want.out{1});
  endif
endfunction

## The built-in's answer, where it is right.
function want = builtin_answer (c)
  x = c.args{1};
  if (strcmp (c.name, "all") && isfloat (x) && ! issparse (x))
    ## NaN is true; the built-in takes it as false in short strided dimensions only
    c.args{1}(isnan (x)) = 1;
  elseif (strcmp (c.name, "prod") && isa (x, "single") && strcmp (c.option, "double"))
    c.args{1} = double (x);     # prod (single, 2, "double") is 0 in the built-in
  endif
  want = mean_is_double (answer (str2func (c.name), c.nout, c.args), c.name, x);
  if (strcmp (c.name, "mean") && isfloat (x) && c.d > ndims (x) && __gpr_rule__ ("mean_options") && ! want.failed)
    want.out{1} += 0;           # of a dimension that is not there the built-in keeps -0
  endif
endfunction

function reduce_along_one_dimension (round)
  c = one_dimension_call ();
  x = c.args{1};
  want = builtin_answer (c);
  mine = c.args;
  resident = ! issparse (x) && chance (0.15);
  if (resident)
    mine{1} = gpuArray (x);
  endif
  if (chance (0.2))
    mine(end+1:end+2) = {pick({"device", "Device", "DEVICE"}), pick({"cpu", "CPU", "auto"})};
  endif
  got = answer (str2func (["gpu_" c.name]), c.nout, mine);
  text = @() call_text (round, c.name, mine);
  if (got.failed || want.failed)
    tally (got.failed && want.failed && same_error (got, want, c.name), "%s: '%s' (%s), not '%s' (%s)", text (), ...
           got.message, got.id, want.message, want.id);
    return;
  endif
  for k = 1:c.nout
    if (isa (got.out{k}, "gpuArray"))
      tally (resident && numel (got.out{k}) != 1, "%s: left on the device", text ());
      got.out{k} = gather (got.out{k});
    else
      tally (! resident || numel (got.out{k}) == 1 , "%s: not on the device", text ());
    endif
  endfor

  [got1, want1] = deal (got.out{1}, want.out{1});
  n = size (x, c.d);
  if (isreal (got1) != isreal (want1) && isequal (size (got1), size (want1)) && strcmp (class (got1), class (want1)))
    ## rounding decides whether imaginary parts cancel
    tally ((n > 8 || n == 0) && any (strcmp (c.name, {"sum", "mean", "prod"})), "%s: complex or not", text ());
    return;
  endif
  if (! same_form (got1, want1))
    tally (false, "%s: %s, not %s", text (), shown (got1), shown (want1));
    return;
  endif
  if (c.nout == 2)
    tally (same_form (got.out{2}, want.out{2}) && (isequal (got.out{2}, want.out{2}) || (ischar (x) && __gpr_rule__ ("char_index"))), ...
           "%s: indices", text ());
  endif
  compare_values (c, got1, want1, text);
endfunction

## The same bits where every order gives them, else as near as rounding allows.
function compare_values (c, got1, want1, text)
  [name, d, kind] = deal (c.name, c.d, c.kind);
  x = c.args{1};
  n = size (x, d);

  ## Any NA gives NA here, while the built-in keeps the first NaN.
  na_rule = isfloat (want1) && ! any (strcmp (name, {"max", "min", "any", "all"})) && isfloat (x) && ! issparse (x) ...
            && ! isempty (x);
  if (na_rule)
    if (iscomplex (x) || kind != "a")
      seen = true;          # parts mix
    else
      seen = isequal (isna (got1), any (isna (x), d) & isnan (want1));
    endif
    tally (seen, "%s: NA", text ());
    got1 = plain_nan (got1);
    want1 = plain_nan (want1);
  endif

  if (strcmp (name, "prod") && isa (x, "single") && isempty (x) && isa (want1, "double"))
    want1(:) = 1;               # the built-in's are whatever the memory had
  endif
  wide = any (strcmp (class (x), {"int64", "uint64"})) && strcmp (name, "mean");      # the built-in's is in double
  exact = any (strcmp (name, {"max", "min", "any", "all"})) || (! isfloat (want1) && ! wide) || issparse (x) ...
          || (n <= 8 && kind == "a" && ! isinteger (x) && ! (strcmp (name, "mean") && __gpr_rule__ ("mean_scales"))) || isempty (want1);
  if (strcmp (name, "mean"))
    want1(want1 == 0) = 0;      # -0 over a dimension that x has not
  endif
  if (! exact && kind == "a" && any (strcmp (name, {"sum", "sumsq", "mean"})))
    exact = sums_exactly (x, strcmp (name, "sumsq"), class (want1));
  endif
  if (exact)
    tally (same_bits (got1, want1), "%s: other bits: %s, not %s", text (), shown (got1), shown (want1));
  elseif (kind != "a")
    scale = (100 + 10 * n) * eps (merge (isa (x, "single") || isa (want1, "single"), "single", "double"));
    tally (near (got1, want1, want1, scale * (1 + abs (double (want1)))), "%s: %s, not %s", text (), shown (got1), shown (want1));
  elseif (strcmp (name, "prod"))
    tally (near (got1, want1, want1, 4 * n * eps (class (want1)) * abs (double (want1))), "%s: %s, not %s", ...
           text (), shown (got1), shown (want1));
  else
    [reference, bound] = good_sum (name, x, d, want1, strcmp (c.option, "extra"));
    if (isinteger (x))
      reference = want1;            # exact here, and rounded at every step in the built-in
      bound = n * eps * sum (abs (double (x)) .^ merge (strcmp (name, "sumsq"), 2, 1), d);
    endif
    tally (near (got1, want1, reference, bound), "%s: %s, not %s", text (), shown (got1), shown (want1));
  endif
endfunction

## ---- "all" and several dimensions -------------------------------------------------

## y has the reduced dimensions first, as one.
function [y, sizes] = together (x, dims)
  dims = unique (dims(dims <= ndims (x)));
  rest = setdiff (1:ndims (x), dims);
  sizes = size (x);
  y = reshape (permute (x, [dims rest]), [prod(sizes(dims)), prod(sizes(rest))]);
  sizes(dims) = 1;
endfunction

function reduce_several_dimensions (round)
  name = pick ({"sum", "prod", "sumsq", "mean", "max", "min", "any", "all"});
  x = random_array (true);
  while (isempty (x))
    x = random_array (true);
  endwhile
  if (strcmp (name, "prod") && ! islogical (x))
    x = sign (double (x));          # or the order decides between Inf and NaN
  endif
  x = where_right (name, x);
  if (chance (0.3))
    dims = 1:ndims (x);
    how = pick ({"all", "ALL"});
  else
    dims = randperm (5, randi ([2 4]));
    how = dims;
  endif
  args = {x, how};
  if (any (strcmp (name, {"max", "min"})))
    args = {x, [], how};
  endif
  if (any (strcmp (name, {"sum", "prod"})) && chance (0.3))
    args{end+1} = "native";
  endif
  [y, sizes] = together (x, dims);
  plain = {y, 1};
  if (any (strcmp (name, {"max", "min"})))
    plain = {y, [], 1};
  endif
  want = answer (str2func (name), 1, [plain, args(numel(plain)+1:end)]);
  got = answer (str2func (["gpu_" name]), 1, args);
  text = @() call_text (round, name, args);
  if (got.failed || want.failed)
    tally (got.failed && want.failed, "%s: '%s', not '%s'", text (), got.message, want.message);
    return;
  endif
  want1 = reshape (want.out{1}, sizes);
  got1 = got.out{1};
  if (same_form (got1, want1))
    n = rows (y);
    got1 = plain_nan (got1);
    want1 = plain_nan (want1);
    if (any (strcmp (name, {"sum", "sumsq", "mean"})) && isfloat (x) && ! sums_exactly (x, strcmp (name, "sumsq"), class (x)))
      [reference, bound] = good_sum (name, y, 1, want1, false);
      tally (near (got1, want1, reference, bound), "%s", text ());
    elseif (isinteger (x) && isfloat (want1) && any (strcmp (name, {"sum", "sumsq", "mean"})))
      ## exact here, and rounded at every step in the built-in
      bound = n * eps * sum (abs (double (y)) .^ merge (strcmp (name, "sumsq"), 2, 1), 1);
      tally (near (got1, want1, want1, bound), "%s", text ());
    elseif (strcmp (name, "prod"))
      tally (near (got1, want1, want1, 4 * n * eps (merge (isa (want1, "single"), "single", "double")) * abs (double (want1))), "%s", text ());
    else
      tally (same_bits (got1, want1), "%s: other bits", text ());
    endif
  else
    tally (false, "%s: %s, not %s", text (), shown (got1), shown (want1));
  endif
  if (any (strcmp (name, {"max", "min"})))
    ## they are linear
    [m, i] = feval (["gpu_" name], args{:});
    tally (same_bits (cast (x(i), class (m)), m) || all (isnan (x(:))) || any (isnan (m(:))), "%s: index", text ());
    [i2, m2] = feval (["gpu_arg" name], args{:});
    tally (isequal (i, i2) && same_bits (m, m2), "%s: arg", text ());
  endif
endfunction

## ---- NaN options --------------------------------------------------------------------

function leave_out_nan (round)
  name = pick ({"sum", "prod", "sumsq", "mean", "max", "min"});
  x = __gpr_random__ ("numbers", pick ({"double", "single"}), __gpr_random__ ("size"));
  d = randi (3);
  flag = pick ({"omitnan", "OmitNaN", "includenan"});
  omit = strcmpi (flag, "omitnan");
  args = {x, d, flag};
  if (any (strcmp (name, {"max", "min"})))
    args = {x, [], d, flag};
  endif
  clean = x;
  switch (name)
    case {"sum", "sumsq"}
      clean(isnan (x) & omit) = 0;
      want = feval (name, clean, d);
    case "mean"
      clean(isnan (x) & omit) = 0;
      count = size (x, d);
      if (omit)
        count = sum (! isnan (x), d);
      endif
      want = sum (clean, d) ./ count;
    case "prod"
      x(isfinite (x)) = sign (x(isfinite (x)));
      args{1} = clean = x;
      clean(isnan (x) & omit) = 1;
      want = prod (clean, d);
    otherwise
      want = feval (name, x, [], d);
      if (! omit && ! isempty (want))
        want(any (isnan (x), d)) = NaN;
      endif
  endswitch
  got = answer (str2func (["gpu_" name]), 1, args);
  if (got.failed)
    tally (false, "%s: %s", call_text (round, name, args), got.message);
    return;
  endif
  got = got.out{1};
  t = strcmp (class (got), class (want)) && isequal (size (got), size (want));
  if (t && any (strcmp (name, {"sum", "sumsq", "mean"})))
    [reference, bound] = good_sum (merge (strcmp (name, "sumsq"), "sumsq", "sum"), clean, d, want, false);
    if (strcmp (name, "mean"))
      reference ./= count;
      bound ./= max (count, 1);
    endif
    t = near (got, want, reference, bound + 2 * eps (class (want)) * abs (reference));
  elseif (t)
    t = isequaln_ (got, want);
  endif
  tally (t, "%s", call_text (round, name, args));
endfunction

## ---- two arrays ----------------------------------------------------------------------

function two_arrays (round)
  name = pick ({"max", "min"});
  x = random_array (true);
  y = random_array (true);
  if (chance (0.8))
    s = size (x);
    s(rand (size (s)) < 0.3) = 1;
    y = __gpr_random__ ("numbers", pick ({"double", "single", class(x), "int8", "uint16", "logical", "char"}), s);
    if (isfloat (y) && chance (0.15))
      y = complex (y, __gpr_random__ ("numbers", class (y), s));
    endif
  endif
  if (chance (0.5))
    [x, y] = deal (y, x);
  endif
  if (numel (x) * numel (y) > 1e7 && ! isequal (size (x), size (y)))
    return;               # they may broadcast to more than there is memory
  endif
  args = {x, y};
  resident = chance (0.15);
  k = randi (2);
  if (resident && iscomplex (args{k}) && ! any (imag (args{k})(:)))
    args{k} = real (args{k});     # gather narrows it
  endif
  want = answer (str2func (name), 1, args);
  if (resident)
    args{k} = gpuArray (args{k});
  endif
  got = answer (str2func (["gpu_" name]), 1, args);
  text = @() call_text (round, name, args);
  if (got.failed || want.failed)
    tally (got.failed && want.failed && (resident || same_error (got, want, name)), "%s: '%s' (%s), not '%s' (%s)", text (), ...
           got.message, got.id, want.message, want.id);
    return;
  endif
  got = got.out{1};
  if (isa (got, "gpuArray"))
    got = gather (got);
  endif
  ## of 0 and -0, NaN and NA the built-in takes one or the other
  want = plain_nan (want.out{1});
  got = plain_nan (got);
  got(got == 0) = 0;
  want(want == 0) = 0;
  tally (same_bits (got, want), "%s: %s, not %s", text (), shown (got), shown (want));
endfunction

## histc and hist fail inside themselves on some input: with logical or char x,
## 3-D x, no finite values.
function t = trips_over_itself (want, name)
  t = any (strcmp (name, {"histc", "hist"})) && want.failed && ! strncmp (want.message, [name ":"], numel (name) + 1) ...
      && ! strncmp (want.message, ["Invalid call to " name], 16 + numel (name));
endfunction

## ---- histograms ------------------------------------------------------------------------

function histograms (round)
  name = pick ({"histc", "hist"});
  y = __gpr_random__ ("numbers", pick ({"double", "double", "single", "int8", "uint8", "int32", "uint16", "logical"}), __gpr_random__ ("size"));
  if (strcmp (name, "hist") && ndims (y) > 2)
    y = y(:,:);
  endif
  args = {y};
  if (strcmp (name, "histc"))
    edges = sort (unique (round_or_not (randn (1, randi (20)) * pick ([1 5 100]))));
    if (chance (0.3))
      edges = linspace (-3, pick ([3 100]), randi ([2 30]));
    elseif (chance (0.2))
      edges = [-Inf edges Inf];
    elseif (chance (0.1))
      edges = sort ([edges edges]);
    elseif (chance (0.1))
      edges = edges';
    endif
    args{2} = edges;
    if (chance (0.4))
      args{3} = randi (3);
    endif
    if ((numel (args) == 3 && isvector (y) && size (y, args{3}) == 1) || (ndims (y) > 2 && numel (edges) <= 3))
      return;       # the built-in is wrong there
    endif
  else
    if (! any (isfinite (y(:))))
      return;       # the built-in falls over its own centres, or not
    endif
    switch (randi (4))
      case 1
        args{2} = pick ([1 2 3 10 11 12 25 200]);
      case 2
        args{2} = sort (randn (1, randi ([2 30])));
      case 3
        args{2} = linspace (-2, pick ([2 3 50]), randi ([2 40]));
    endswitch
    if (numel (args) == 2 && chance (0.3))
      args{3} = pick ({1, 100, 0.5});
    endif
  endif
  nout = randi ([1 2]);
  want = answer (str2func (name), nout, args);
  got = answer (str2func (["gpu_" name]), nout, args);
  text = @() call_text (round, name, args);
  if (got.failed || want.failed)
    tally (trips_over_itself (want, name) || (got.failed && want.failed && strcmp (got.id, want.id)), "%s: '%s' (%s), not '%s' (%s)", ...
           text (), got.message, got.id, want.message, want.id);
    return;
  endif
  for k = 1:nout
    tally (same_form (got.out{k}, want.out{k}) && same_bits (got.out{k}, want.out{k}), "%s: output %d: %s, not %s", ...
           text (), k, shown (got.out{k}), shown (want.out{k}));
  endfor
endfunction

function x = round_or_not (x)
  if (chance (0.5))
    x = round (x);
  endif
endfunction

## ---- bad input ---------------------------------------------------------------------------

function bad_input (round)
  name = pick ({"sum", "prod", "sumsq", "mean", "max", "min", "any", "all", "histc", "hist"});
  things = {{}, {1, 2}, struct(), struct("a", {1, 2}), @sin, "foo", "", "native", 0, -1, 1.5, Inf, -Inf, [], ...
            zeros(0, 3), 1i, [1; 2; 3], int8(2), int8(-1), true, single(2), [1 2 3], ...
            magic(3), "abc", ones(2, 2, 2), {{}}, 7};
  if (! any (strcmp (name, {"histc", "hist"})))
    things = [things, {containers.Map(), 1e10, 2 ^ 31, NaN, sparse(1), sparse([0 1; 2 0])}];
  endif
  ## What means more here than to the built-in.
  args = things(randi (numel (things), 1, pick ([0 1 1 1 2 2 2 2 3 3 4 5])));
  if (chance (0.7) && ! isempty (args))
    args{1} = pick ({magic(3), [1 2 3 4 5], single(ones(2, 3)), int8([1 2; 3 4]), true, "abc"});
  endif
  if (strcmp (name, "hist") && ! isempty (args)
      && (ndims (args{1}) > 2 || (isnumeric (args{1}) && ! any (isfinite (args{1}(:))))))
    return;             # the built-in falls over it, later or sooner
  endif
  if (strcmp (name, "histc") && numel (args) > 1 && ndims (args{1}) > 2 && numel (args{2}) <= 3)
    return;             # the built-in is wrong there, or falls over itself
  endif
  at = 2 + any (strcmp (name, {"max", "min"}));
  if (numel (args) >= at && isnumeric (args{at}) && numel (args{at}) > 1 && ! any (strcmp (name, {"histc", "hist"})))
    return;
  endif
  nout = pick ([1 1 1 2 3]);
  want = mean_is_double (answer (str2func (name), nout, args), name, [args, {[]}]{1});
  got = answer (str2func (["gpu_" name]), nout, args);
  text = @() call_text (round, name, args);
  if (nout > 1 + any (strcmp (name, {"max", "min", "hist", "histc"})))
    ## too many outputs: each has its own words
    tally (want.failed && got.failed, "%s, %d outputs: no error", text (), nout);
  elseif (want.failed && got.failed)
    tally (same_error (got, want, name) || trips_over_itself (want, name), "%s, %d outputs: '%s' (%s), not '%s' (%s)", text (), nout, got.message, got.id, ...
           want.message, want.id);
  elseif (want.failed || got.failed)
    tally (trips_over_itself (want, name), "%s, %d outputs: '%s' (%s), not '%s' (%s)", text (), nout, got.message, got.id, want.message, want.id);
  else
    t = true;
    for k = 1:nout
      t = t && same_form (got.out{k}, want.out{k}) && (! isnumeric (want.out{k}) || isequaln_ (got.out{k}, want.out{k}));
    endfor
    tally (t, "%s, %d outputs: %s, not %s", text (), nout, shown (got.out{1}), shown (want.out{1}));
  endif
endfunction

## ---- variances, norms, medians, cumulative sums ---------------------------------------------

## Arguments of the function, and how far from the built-in's its answer may be: [] for
## the same value.
function [args, bound] = other_call (name)
  x = random_array (true);
  d = randi (4);
  args = {x};
  bound = [];
  scale = max ([0; abs(double (x(isfinite (x))))(:)]);
  precision = eps (merge (isa (x, "single"), "single", "double"));
  switch (name)
    case {"var", "std"}
      w = pick ({0, 1, []});
      args = pick ({{x}, {x, w}, {x, w, d}, {x, 0, "all"}, {x, 1, [1 2]}});
      if (strcmp (name, "var") && chance (0.3))
        weights = pick ({@() rand(1, size (x, d)), @() randi([0 3], size (x, d), 1), @() single(rand (1, size (x, d)))});
        args = {x, weights(), d};
        precision = eps (merge (isa (x, "single") || isa (args{2}, "single"), "single", "double"));
      endif
      bound = 4 * (numel (x) + 10) * precision * scale ^ 2;
    case {"range", "bounds", "median", "mode", "cummax", "cummin"}
      if (iscomplex (x) || (islogical (x) && isempty (x)))        # the built-in leaves empty logicals as they are
        args = {double(real (x))};
      endif
      if (chance (0.6))
        args{2} = d;
      endif
      if (strcmp (name, "median") && isfloat (args{1}))
        bound = 2 * precision * scale;
      elseif (strcmp (name, "median") && any (strcmp (class (x), {"int64", "uint64"})))
        args{1} = bitshift (x, -12);    # exact as doubles
      endif
    case {"quantile", "prctile", "iqr", "mad"}
      x = real (x);
      args = {x};
      if (strcmp (name, "mad"))
        args = pick ({{x, 1}, {x, 1, d}, {x, 0}});
        bound = merge (isfloat (x), 4 * (numel (x) + 10) * precision * scale, []);
      elseif (strcmp (name, "iqr"))
        args = pick ({{x}, {x, d}});
      else
        p = merge (strcmp (name, "prctile"), 100, 1) * pick ({0.5, rand(1, 4), rand(3, 1), [0 1], []});
        args = pick ({{x, p}, {x, p, d}});
        if (strcmp (name, "quantile") && chance (0.6))
          args = {x, p, d, randi(9)};
        endif
      endif
    case {"cumsum", "cumprod"}
      if (strcmp (name, "cumprod") && isfloat (x))
        args{1} = x = sign (real (x)) .* cast_to (class (x), 1 + 1e-3 * rand (size (x)));
        scale = 2 ^ (numel (x) / 500);
      elseif (strcmp (name, "cumprod") && isinteger (x))
        args{1} = x = max (min (x, 2), -2);     # powers of 2: exact in any order
      endif
      if (chance (0.6))
        args{2} = d;
      endif
      if (isfloat (x))
        bound = 4 * (numel (x) + 10) * precision * merge (strcmp (name, "cumsum"), numel (x), 1) * scale;
      elseif (strcmp (name, "cumsum") && any (strcmp (class (x), {"int64", "uint64"})))
        bound = numel (x) * eps * sum (abs (double (x(:))));    # doubles, joined at every 256 rows
      endif
    case "nnz"
    case "norm"
      if (! isfloat (x))
        args = {x = single(x)};
        precision = eps ("single");
      endif
      args{1} = x = x(:,:)(:,1:min (end, 1 + floor (400 / (1 + rows (x)))));
      args = [args, pick({{}, {1}, {2}, {Inf}, {"fro"}, {0}, {"rows"}, {1, "cols"}, {Inf, "rows"}, {"fro", "columns"}, {3}})];
      bound = 20 * (numel (x) + 10) * precision * sum (abs (double (x(isfinite (x)))(:)));
    case "dot"
      y = __gpr_random__ ("numbers", pick ({class(x), "double"}), size (x));
      if (! (isnumeric (x) && isnumeric (y)))
        x = double (x);
        y = double (y);
      endif
      args = {x, y};
      if (chance (0.5))
        args{3} = d;
      endif
      z = double (x(:)) .* double (y(:));
      bound = 4 * (numel (x) + 10) * eps (merge (isa (x, "single") || isa (y, "single"), "single", "double")) ...
              * (sum (abs (z(isfinite (z)))) + 1);
      if (isinteger (x))
        bound += eps * numel (x) * double (intmax (class (x)));        # saturated
      endif
    case "accumarray"
      n = randi (60);
      columns = randi (3);
      vals = __gpr_random__ ("numbers", pick ({"double", "single", "int8", "uint16", "int32"}), [n, 1]);
      if (isinteger (vals))
        vals = cast (mod (double (vals), 50), class (vals));
      endif
      args = {randi(7, n, columns), vals};
      if (chance (0.6))
        args{3} = merge (columns == 1, [9 1], 8 * ones (1, columns));
        args{4} = pick ({[], @sum, @max, @min, @prod, @mean, @numel});
        if (chance (0.5))
          args{5} = pick ([0 -1 5]);
        endif
      endif
      if (numel (args) > 3 && isequal (args{4}, @prod) && isfloat (vals))
        args{2} = sign (vals);
      endif
      if (isfloat (vals) && numel (args) > 3 && isequal (args{4}, @mean)
          && (__gpr_rule__ ("mean_scales") || (isa (vals, "single") && __gpr_rule__ ("mean_wide"))))
        bound = 4 * numel (vals) * eps (class (vals)) * max (abs (double (vals(isfinite (vals)))), [], 1);
      endif
  endswitch
endfunction

## The built-in's answer, where it is wrong in the running release by another call of it.
function want = right_answer (name, nout, args)
  x = args{1};
  f = str2func (name);
  if (any (strcmp (name, {"var", "std"})) && isinteger (x) && __gpr_rule__ ("var_saturates"))
    args{1} = double (x);
  elseif (strcmp (name, "var") && isinteger (x) && numel (args) > 1 && numel (args{2}) > 1 && __gpr_rule__ ("var_weighs_integers"))
    args(1:2) = {double(x), double(args{2})};
  elseif (strcmp (name, "median"))
    f = @__gpr_median__;
  endif
  want = answer (f, nout, args);
endfunction

function other_function (round)
  name = pick ({"var", "std", "range", "bounds", "nnz", "norm", "dot", "median", "mode", "cumsum", "cumprod", "cummax", ...
                "cummin", "accumarray", "quantile", "prctile", "iqr", "mad"});
  [args, bound] = other_call (name);
  nout = 1 + (strcmp (name, "bounds") || (any (strcmp (name, {"cummax", "cummin", "mode"})) && chance (0.5)));
  want = right_answer (name, nout, args);
  mine = args;
  if (chance (0.2))
    mine{1} = gpuArray (mine{1});
  endif
  got = answer (str2func (["gpu_" name]), nout, mine);
  text = @() call_text (round, name, mine);
  if (got.failed || want.failed)
    several = any (strcmp (name, {"bounds"})) && numel (args) > 1;
    tally (got.failed && want.failed && (several || strcmp (got.id, want.id)), "%s: '%s' (%s), not '%s' (%s)", text (), ...
           got.message, got.id, want.message, want.id);
    return;
  endif
  for k = 1:nout
    a = got.out{k};
    if (isa (a, "gpuArray"))
      a = gather (a);
    endif
    a = plain_nan (a);
    b = plain_nan (want.out{k});
    if (strcmp (name, "dot") && iscomplex (a) && iscomplex (b) && isequal (size (a), size (b)))
      endless = ! isfinite (a) & ! isfinite (b);        # the built-in's library decides which part is what
      a(endless) = feval (class (a), 1 + 1i);           # Octave has no assignment of doubles to a single complex number
      b(endless) = feval (class (b), 1 + 1i);
    endif
    if (isempty (bound))
      t = same_form (a, b) && isequaln_ (a(:), b(:));
    elseif (isreal (a) != isreal (b))
      t = isequal (size (a), size (b));         # rounding decides whether imaginary parts cancel
    elseif (strcmp (name, "std"))
      t = same_form (a, b) && near (double (a) .^ 2, double (b) .^ 2, double (b) .^ 2, bound * ones (size (b)));
    else
      t = same_form (a, b) && near (a, b, b, bound * ones (size (b)));
    endif
    tally (t, "%s, output %d: %s, not %s", text (), k, shown (a), shown (b));
  endfor
endfunction

## ---- the general entry ---------------------------------------------------------------------

function general_entry (round)
  name = pick ({"sum", "prod", "sumsq", "mean", "max", "min", "any", "all"});
  x = random_array ();
  d = pick ({1, 2, 3, "all", [1 2], [2 3]});
  args = {x, d};
  if (any (strcmp (name, {"max", "min"})))
    args = {x, [], d};
  endif
  want = answer (str2func (["gpu_" name]), 1, args);
  got = answer (@gpu_reduce, 1, {x, name, "dim", d});
  tally (got.failed == want.failed && (got.failed || (same_form (got.out{1}, want.out{1}) && same_bits (got.out{1}, want.out{1}))), ...
         "%s by gpu_reduce: '%s', not '%s'", call_text (round, name, args), got.message, want.message);
endfunction

## ------------------------------------------------------------------------------------------------

function run_fuzz ()
  rounds = setting ("FUZZ_ROUNDS", 3000);
  printf ("%d rounds (FUZZ_ROUNDS sets them)\n", rounds);
  seed_from ("FUZZ_SEED");
  kinds = {@reduce_along_one_dimension, @reduce_along_one_dimension, @reduce_along_one_dimension, ...
           @reduce_several_dimensions, @leave_out_nan, @two_arrays, @histograms, @bad_input, @bad_input, @general_entry, @other_function, @other_function, @other_function};
  warning ("off", "all");
  for round = 1:rounds
    pick (kinds) (round);
  endfor
  tally ();
endfunction

addpath (fileparts (mfilename ("fullpath")));
run_fuzz ();
