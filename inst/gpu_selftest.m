## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpu_selftest ()
## @deftypefnx {} {@var{ok} =} gpu_selftest (@dots{})
## @deftypefnx {} {[@var{ok}, @var{table}] =} gpu_selftest (@dots{})
## @deftypefnx {} {} gpu_selftest ("quick")
## @deftypefnx {} {} gpu_selftest (@dots{}, "seed", @var{s})
## @deftypefnx {} {} gpu_selftest (@dots{}, "device", @var{d})
## Compare every function of this package with the built-in on random arrays.
##
## The arrays are of all classes, real and complex, of many sizes (empty ones, N-d
## ones, long ones), with NaN, NA, Inf and -0 among their elements; they are reduced
## over every kind of dimension with all options, some of them as gpuArrays.
## Printed is a table with a line for each function: how many calls were compared,
## how many gave the built-in's very values, how many differed in a way that is
## explained, and how many differed otherwise (the first few of these are shown).
##
## More lines are of gpuArrays: operators, elementwise functions, indexing, assignment, copies (after
## @code{b = a}, @code{a(1) = 5} must leave @code{b} as it is), conditions and loops, concatenation, files, and reductions as methods.
## What is written with them is compared with the same of host arrays: classes, sizes, values, errors.
## They are left out where gpuArrays could not be compiled (@code{gpu_doctor} says so).
##
## Explained are
##
## @itemize
## @item
## differences of rounding, since numbers are added and multiplied in another
## order: up to @math{n} times the unit roundoff of the sum of the absolute values
## of the @math{n} elements (of the product, for products);
## @item
## an overflow of the built-in on the way, where the order here has none;
## @item
## NA where an NA and a NaN meet: the built-in has the one that came first;
## @item
## the larger of two complex numbers whose absolute values differ by rounding only;
## @item
## elementwise functions of gpuArrays: 8 units in the last place;
## @item
## errors of Octave 7 that are not repeated here: @code{prod} of singles with
## "double" along the second dimension; the size of @code{max} and @code{min} of
## empty logical arrays; @code{all} of NaN, which is true, but false for short rows.
## @end itemize
##
## @var{ok} is true if nothing else differed, and @var{table} a structure array
## with the fields @code{name}, @code{compared}, @code{same}, @code{explained} and
## @code{different}.  Without output arguments a difference is the error
## @code{gpureduce:selftest}, so that @code{octave-cli --eval
## "pkg load gpureduce; gpu_selftest"} ends with a non-zero status.
##
## "quick" makes a tenth of the comparisons.  The seed @var{s}, a number, is
## printed, and the same seed makes the same arrays.  @var{d} is the device as for
## all functions.
##
## @example
## @group
## ok = gpu_selftest ("quick", "seed", 1);
## @c doctest: +SKIP
##     @print{} gpu_selftest: seed 1, device default
##     @print{} function                        compared      same  explained  different
##     @print{} gpu_sum                               60        48         12          0
##     @dots{}
## @end group
## @end example
## @seealso{gpu_doctor, gpu_config}
## @end deftypefn

function [ok, table] = gpu_selftest (varargin)
  [rounds, seed, device] = take_options (varargin);
  printf ("gpu_selftest: seed %d, device %s\n", seed, device_text (device));
  names = functions_compared ();
  kinds = {};
  if (has_values ())
    kinds = __gpr_values__ ();
  endif
  states = {rand("twister"), randn("twister")};
  warnings = warning ("off", "all");
  rand ("twister", seed);
  randn ("twister", seed);
  through_host = gpu_config ("through_host", "quiet");
  place = gpu_config ("device");
  unwind_protect
    printf ("%-30s %9s %9s %10s %10s\n", "function", "compared", "same", "explained", "different");
    for k = 1:numel (names)
      table(k,1) = compare (["gpu_" names{k}], @() random_call (names{k}), rounds, device);
    endfor
    if (! isempty (device))
      gpu_config ("device", device{2});         # of gpuArrays
    endif
    for k = 1:numel (kinds)
      table(end+1,1) = compare (["gpuArray, " kinds{k}], @() __gpr_values__ (kinds{k}), rounds, device);
    endfor
  unwind_protect_cleanup
    gpu_config ("through_host", through_host);
    gpu_config ("device", place);
    warning (warnings);
    rand ("twister", states{1});
    randn ("twister", states{2});
  end_unwind_protect
  different = sum ([table.different]);
  ok = different == 0;
  if (nargout == 0)
    clear ok table
    if (different > 0)
      error ("gpureduce:selftest", "gpu_selftest: %d unexplained differences (seed %d)", different, seed);
    endif
  endif
endfunction

## The functions, without "gpu_": the operators that have something to be compared with, and
## what is no operator.
function names = functions_compared ()
  names = {__gpureduce__("operators").name};
  without_builtin = {"argmax", "argmin", "rms"};        # max, min and a formula, as softmax and logsumexp
  compared = cellfun (@(name) exist (name) != 0, names) | ismember (names, without_builtin);
  names = [names(compared), {"histc", "hist", "reduce", "dot", "accumarray", "softmax", "logsumexp", "cov"}];
endfunction

function [rounds, seed, device] = take_options (args)
  rounds = 600;
  seed = floor (mod (now () * 86400, 1e6));
  device = {};
  k = 1;
  while (k <= numel (args))
    if (ischar (args{k}) && strcmpi (args{k}, "quick"))
      rounds = 60;
      k += 1;
    elseif (ischar (args{k}) && strcmpi (args{k}, "seed") && k < numel (args))
      seed = args{k+1};
      if (ischar (seed))
        seed = str2double (seed);      # gpu_selftest seed 1
      endif
      if (! (isnumeric (seed) && isreal (seed) && isscalar (seed) && seed >= 0 && seed == fix (seed)))
        error ("gpureduce:invalid-input", "gpu_selftest: SEED must be a whole number, 0 or more");
      endif
      k += 2;
    elseif (ischar (args{k}) && strcmpi (args{k}, "device") && k < numel (args))
      device = {"device", args{k+1}};
      gpu_sum (1, device{:});          # the error of a device that is none, now
      k += 2;
    else
      error ("gpureduce:invalid-input", "gpu_selftest: options are \"quick\", \"seed\" with a number, \"device\" with a device");
    endif
  endwhile
endfunction

function text = device_text (device)
  text = "default";
  if (! isempty (device))
    text = num2str (device{2});
  endif
endfunction

## Whether gpuArrays can be made: else gpu_doctor says why not.
function t = has_values ()
  t = true;
  try
    gpuArray (1);
  catch err
    t = ! strcmp (err.identifier, "gpureduce:no-value-type");
  end_try_catch
endfunction

## ---- comparisons, a line ----

function r = compare (name, random_case, rounds, device)
  r = struct ("name", name, "compared", 0, "same", 0, "explained", 0, "different", 0);
  values = has_values () && strncmp (name, "gpu_", 4);
  for k = 1:rounds
    c = random_case ();
    ours = attempt (@() c.ours (c.x, device));
    theirs = attempt (@() c.theirs (c.x));
    if (values && isempty (theirs.error) && isempty (ours.error) && rand () < 0.3 && ! issparse (c.x))
      ## A gpuArray must give the bits the array gave, but of exp and matrix products.
      resident = attempt (@() gather_all (c.ours, gpuArray (c.x), device));
      if (! isempty (resident.error)
          || (c.bits && ! identical (resident.values, ours.values))
          || (! c.bits && strcmp (verdict (resident, theirs, c), "different")))
        ours = resident;
        c.text = [c.text " of a gpuArray"];
        c.bound = 0;
      endif
    endif
    r.compared += 1;
    switch (verdict (ours, theirs, c))
      case "same"
        r.same += 1;
      case "explained"
        r.explained += 1;
      otherwise
        r.different += 1;
        if (r.different <= 3)
          report_difference (c, ours, theirs);
        endif
    endswitch
  endfor
  printf ("%-30s %9d %9d %10d %10d\n", r.name, r.compared, r.same, r.explained, r.different);
endfunction

## values of both outputs, or the error's identifier
function out = attempt (f)
  out = struct ("values", {{}}, "error", "");
  try
    [a, b] = f ();
    out.values = {a, b};
  catch err
    out.error = err.identifier;
    if (isempty (out.error))
      out.error = "error";
    endif
  end_try_catch
endfunction

function [a, b] = gather_all (f, x, device)
  [a, b] = f (x, device);
  [a, b] = gather (a, b);
endfunction

function t = identical (a, b)
  t = numel (a) == numel (b);
  for k = 1:numel (a) * t
    t = t && strcmp (class (a{k}), class (b{k})) && size_equal (a{k}, b{k}) && iscomplex (a{k}) == iscomplex (b{k}) ...
        && issparse (a{k}) == issparse (b{k}) && isequaln (a{k}, b{k}) && (ischar (a{k}) || isequal (isna (a{k}), isna (b{k}))) ...
        && (isinteger (a{k}) || isequaln (1 ./ real (double (a{k})), 1 ./ real (double (b{k}))));
  endfor
endfunction

function v = verdict (ours, theirs, c)
  v = "different";
  if (! isempty (ours.error) || ! isempty (theirs.error))
    if (strcmp (ours.error, theirs.error))
      v = "same";
    endif
  elseif (identical (ours.values, theirs.values))
    v = "same";
  elseif ((isequaln (ours.values{2}, theirs.values{2}) || ! isempty (c.tie))
          && (explained (ours.values{1}, theirs.values{1}, c)
              || (! isempty (c.instead) && explained (ours.values{1}, c.instead (c.x), c))))
    v = "explained";
  endif
endfunction

function t = explained (a, b, c)
  t = false;
  ## a wrong result may have any sizes, and those of the other answer, not of the bound
  if (! (strcmp (class (a), class (b)) && size_equal (a, b) && (isempty (c.bound) || isscalar (c.bound) || size_equal (c.bound, a))))
    return;
  endif
  if (! isempty (c.bound))
    bound = (c.bound + zeros (size (a)))(:);
  endif
  a = a(:);
  b = b(:);
  x = [c.x(:); c.other(:)];
  mixed = c.na_is_nan || (isfloat (x) && any (isna (x)) && any (! isfinite (x) & ! isna (x)));
  same = (isnan (a) & isnan (b) & (isna (a) == isna (b) | mixed)) | a == b;
  if (! isempty (c.tie))
    t = all (same | abs (double (c.tie (a)) - double (c.tie (b))) <= 4 * double (eps (abs (b))));
  elseif (! isempty (c.bound))
    near = abs (double (a) - double (b)) <= bound;
    overflow = ! isfinite (b) & isfinite (a) & all (isfinite (x));
    t = all (near | same | overflow);
  else
    t = ! isempty (c.instead) && all (same);
  endif
endfunction

function report_difference (c, ours, theirs)
  printf ("  different: %s\n    x: %s %s%s\n    here:     %s\n    built-in: %s\n", c.text,
          sprintf ("%dx", size (c.x))(1:end-1), merge (isreal (c.x), "", "complex "), class (c.x),
          show (ours), show (theirs));
endfunction

function text = show (out)
  if (isempty (out.error))
    text = [class(out.values{1}) " " disp(out.values{1})];
    text = strtrim (regexprep (text(1:min (end, 300)), '\s+', " "));
  else
    text = ["error " out.error];
  endif
endfunction

## ---- random calls: ours (x, device), theirs (x), both with two outputs ----

function c = random_call (name)
  c = struct ("x", [], "text", name, "ours", [], "theirs", [], "bound", [], "tie", [], "instead", [], "other", [], "na_is_nan", false, "bits", true);
  switch (name)
    case {"sum", "prod", "sumsq", "mean"}
      c = call_sum (c, name);
    case {"max", "min", "argmax", "argmin"}
      c = call_extreme (c, name);
    case {"any", "all"}
      c.x = random_array (pick (classes (true)));
      [args, text, f] = random_dim (c.x, str2func (name), false);
      c.text = [name text];
      c.ours = @(x, device) only (@() feval (["gpu_" name], x, args{:}, device{:}));
      c.theirs = @(x) only (@() f (x));
      if (strcmp (name, "all") && isfloat (c.x))
        c.instead = @(x) f (without_nan (x, 1));
      endif
    case {"histc", "hist"}
      c = call_histogram (c, name);
    case "reduce"
      c = call_reduce (c);
    case {"softmax", "logsumexp", "cov"}
      c = call_formula (c, name);
    otherwise
      c = call_statistic (c, name);
  endswitch
endfunction

function c = call_statistic (c, name)
  x = random_array (pick ({"double", "double", "single", "int8", "uint16", "int32", "logical"}));
  if (isfloat (x))
    x = full (x);
    x(isna (x)) = NaN;                  # here a NaN is a NaN
  endif
  if (! any (strcmp (name, {"var", "norm", "dot"})))
    x = real (x);
  endif
  if (islogical (x) && isempty (x))
    x = double (x);                     # the built-in leaves empty logicals as they are
  endif
  dim = randi (3);
  rest = {dim};
  scale = sum (abs (double (x(isfinite (x))))(:));
  u = (numel (x) + 10) * eps (merge (isa (x, "single"), "single", "double"));
  c.bound = 0;
  f = str2func (name);
  switch (name)
    case {"var", "std"}
      rest = {randi([0 1]), dim};
      c.bound = merge (strcmp (name, "var"), 8 * u * scale ^ 2, sqrt (8 * u) * scale);
      if (isinteger (x) && __gpr_rule__ ("var_saturates"))
        f = @(x, varargin) feval (name, double (x), varargin{:});
      endif
    case "median"
      c.bound = merge (isfloat (x), 2 * u * scale, 0);
      f = @__gpr_median__;
    case "norm"
      x = x(:);
      rest = {pick({1, 2, Inf, "fro"})};
      c.bound = 8 * u * scale;
    case "dot"
      x = x(:);
      y = flipud (x);
      z = abs (double (x) .* double (y));
      rest = {y};
      c.bound = 8 * u * (sum (z(isfinite (z))) + 1);
    case "nnz"
      rest = {};
    case {"cumsum", "rms"}
      c.bound = 8 * u * scale;
    case "cumprod"
      x(isfinite (x)) = sign (x(isfinite (x)));
    case "accumarray"
      x = x(:);
      c.bound = merge (isfloat (x), 8 * u * scale, 0);
      rest = {};
  endswitch
  c.x = x;
  c.text = strjoin ([name, cellfun(@(a) disp (a)(1:end-1), rest(cellfun (@isscalar, rest)), "uniformoutput", false)], ", ");
  if (strcmp (name, "accumarray"))
    subs = 1 + mod (7 * (1:numel (x))', 13);
    c.ours = @(x, device) only (@() gpu_accumarray (subs, x, device{:}));
    c.theirs = @(x) only (@() accumarray (subs, x));
  else
    c.ours = @(x, device) only (@() feval (["gpu_" name], x, rest{:}, device{:}));
    c.theirs = @(x) only (@() f (x, rest{:}));
    if (strcmp (name, "rms"))
      c.theirs = @(x) only (@() root_mean_square (x, dim));
    endif
  endif
endfunction

function c = call_formula (c, name)
  x = real (full (random_array (pick ({"double", "double", "single"}))));
  x(isna (x)) = NaN;
  dim = randi (3);
  rest = {dim};
  u = (numel (x) + 10) * eps (class (x));
  scale = max ([1; abs(x(isfinite (x))(:))]);
  switch (name)
    case "softmax"
      c.bound = 8 * u * scale;
      formula = @(x) softmax_of (x, dim);
    case "logsumexp"
      c.bound = 8 * u * scale;
      formula = @(x) logsumexp_of (x, dim);
    case "cov"
      x = x(:,:);
      rest = {};
      c.bound = 8 * u * double (sum (abs (double (x(isfinite (x))))(:))) ^ 2;
      formula = @cov;
  endswitch
  c.x = x;
  c.bits = false;
  c.text = strjoin ([name, cellfun(@num2str, rest, "uniformoutput", false)], ", ");
  c.ours = @(x, device) only (@() feval (["gpu_" name], x, rest{:}, device{:}));
  c.theirs = @(x) only (@() formula (x));
endfunction

function y = softmax_of (x, dim)
  y = exp (x - max (x, [], dim));
  y = y ./ sum (y, dim);
endfunction

function y = logsumexp_of (x, dim)
  m = 0;
  if (! isempty (x))
    m = max (x, [], dim);
    m(! isfinite (m)) = 0;
  endif
  y = m + log (sum (exp (x - m), dim));
endfunction

function y = root_mean_square (x, dim)
  y = sqrt (sumsq (double (full (x)), dim) ./ size (x, dim));
  if (isa (x, "single"))
    y = single (y);
  endif
endfunction

function c = call_sum (c, name)
  x = random_array (pick (classes (true)), strcmp (name, "prod"));
  type = "";
  if (rand () < 0.4 && ! strcmp (name, "sumsq"))
    type = pick ({"native", "double", "extra"}(1:2+strcmp (name, "sum")));
    if (strcmp (name, "mean") && ! (isnumeric (x) || islogical (x)))
      type = "";
    endif
  endif
  types = {type}(! isempty (type));
  if (strcmp (name, "mean") && islogical (x) && __gpr_rule__ ("mean_of_nothing"))
    x = double (x);
  elseif (strcmp (name, "mean") && iscomplex (x) && __gpr_rule__ ("mean_not_finite"))
    x(! isfinite (x)) = 1;
  endif
  omit = isempty (type) && isfloat (x) && ! issparse (x) && rand () < 0.2;
  [args, text, f] = random_dim (x, @(varargin) feval (name, varargin{:}, types{:}), strcmp (name, "mean"));
  c.x = x;
  c.text = strjoin ({[name text], types{:}}, ", ");
  c.na_is_nan = (strcmp (name, "mean") || strcmp (type, "extra")) && __gpr_rule__ ("extra_infinite");      # the built-in's compensated sums
  theirs = f;
  if (omit)
    c.text = [c.text ", omitnan"];
    neutral = strcmp (name, "prod");
    theirs = @(x) f (without_nan (x, neutral));
    if (strcmp (name, "mean"))
      [~, ~, g] = random_dim_of (args, @sum, x);
      theirs = @(x) g (without_nan (x, 0)) ./ g (double (! isnan (x)));
      if (isempty (x))
        theirs = f;
      endif
    endif
    types = {"omitnan"};
  endif
  c.ours = @(x, device) only (@() feval (["gpu_" name], x, args{:}, types{:}, device{:}));
  c.theirs = @(x) only (@() theirs (x));
  if (strcmp (type, "native") && (isinteger (x) || islogical (x)) && ! strcmp (name, "mean"))
    return;           # exact
  endif

  ## How far rounding may take the result.
  u = eps (merge (isa (x, "single"), "single", "double"));
  [~, ~, total] = random_dim_of (args, @sum, x);
  [~, ~, product] = random_dim_of (args, @prod, x);
  y = abs (double (full (x)));
  y(! isfinite (y)) = strcmp (name, "prod");
  n = max (numel (x), 1);
  if (strcmp (name, "sum"))
    bound = @() total (y);
  elseif (strcmp (name, "sumsq"))
    bound = @() total (y .^ 2);
  elseif (strcmp (name, "mean"))
    bound = @() total (y) + (isinteger (x) && strcmp (type, "native"));
  else
    bound = @() 4 * product (y) + realmin ("single");
  endif
  c.bound = n * u * bound ();
  if (strcmp (name, "prod") && strcmp (type, "double"))
    c.instead = @(x) theirs (double (x));
  endif
endfunction

function c = call_extreme (c, name)
  builtin_name = name(end-2:end);
  swap = strncmp (name, "arg", 3);
  c.x = random_array (pick (classes (true)));
  if (iscomplex (c.x) && ! issparse (c.x) && __gpr_rule__ ("minus_pi"))
    c.x(arg (c.x) == -pi) = 1;
  endif
  pair = ! swap && rand () < 0.15 && ! ischar (c.x);
  if (pair)
    y = random_array (class (c.x));
    if (rand () < 0.5)
      y = y(1:min (1, end));
    endif
    c.text = [name " (x, y)"];
    c.ours = @(x, device) only (@() feval (["gpu_" name], x, y, device{:}));
    c.theirs = @(x) only (@() feval (builtin_name, x, y));
    if (isreal (c.x) && isreal (y) && isfloat (c.x))
      c.other = full (y);
      c.instead = @(x) feval (builtin_name, x, y);     # of 0 and -0, NaN and NA either will do
    endif
  else
    [args, text] = random_dim (c.x, str2func (builtin_name), false, true);
    if (! isempty (args))
      args = [{[]}, args];
    endif
    linear = ! isempty (args) && ischar (args{2});
    c.text = [name text];
    both = rand () < 0.7;
    c.ours = @(x, device) extreme (["gpu_" name], x, [args device], both, false);
    if (linear && isempty (c.x) && __gpr_rule__ ("sum_options"))
      c.theirs = @(x) extreme (builtin_name, x, args, both, swap);
    elseif (linear && isempty (c.x))
      c.theirs = @(x) extreme (builtin_name, x(zeros (0, 0)), {}, both, swap);
    elseif (linear)
      c.theirs = @(x) extreme (builtin_name, x(:), {}, both, swap);
    else
      c.theirs = @(x) extreme (builtin_name, x, args, both, swap);
    endif
  endif
  if (islogical (c.x) && ! pair && ! swap)
    c.instead = @(x) logical (c.theirs (double (x)));
  endif
  if (iscomplex (c.x) && ! swap)
    c.tie = @abs;
  endif
  if (ischar (c.x) && __gpr_rule__ ("char_index"))
    c.x = double (c.x);
  endif
endfunction

function [a, b] = extreme (name, x, args, both, swap)
  [a, b] = feval (name, x, args{:});
  if (swap)
    [a, b] = deal (b, a);
  endif
  if (! both)
    b = [];
    if (! swap)
      a = feval (name, x, args{:});
    endif
  endif
endfunction

function c = call_histogram (c, name)
  c.x = full (random_array (pick (classes (false))));   # of sparse ones the built-in's results may be sparse
  if (ischar (c.x) || islogical (c.x) || iscomplex (c.x) || isempty (c.x) || ndims (c.x) > 2)
    c.x = round (10 * randn (randi (40), randi (5))) / 4;
  endif
  if (any (strcmp (class (c.x), {"int64", "uint64"})))
    c.x = bitshift (c.x, -11);          # bins are compared in double precision
  endif
  span = double (c.x(isfinite (c.x)));
  if (isempty (span))
    c.x = span = (1:7)';
  endif
  span = [min(span(:)), max(span(:))];
  n = pick ({1, 2, 5, 10, 11, 12, 40, 300});
  switch (pick ({1, 2, 3}))
    case 1
      at = span(1) + (0:n) * (diff (span) / n);
    case 2
      at = sort (span(1) + rand (1, n) * (diff (span) + 1));
    case 3
      at = unique (round (linspace (span(1) - 2, span(2) + 2, n)));
  endswitch
  if (strcmp (name, "histc"))
    c.text = sprintf ("histc, %d edges", numel (at));
    c.ours = @(x, device) gpu_histc (x, at, device{:});
    c.theirs = @(x) histc (x, at);
  else
    if (rand () < 0.5 || numel (at) < 2)
      at = n;
    endif
    c.text = sprintf ("hist, %s", merge (isscalar (at), sprintf ("%d bins", n), sprintf ("%d centres", numel (at))));
    c.ours = @(x, device) gpu_hist (x, at, device{:});
    c.theirs = @(x) hist (x, at);
  endif
endfunction

## gpu_reduce: the same values as the function, and the histogram against histc.
function c = call_reduce (c)
  op = pick ({"sum", "prod", "sumsq", "mean", "any", "all", "max", "min", "argmax", "argmin", "histogram"});
  c.x = random_array (pick (classes (false)));
  c.text = ["reduce, " op];
  if (strcmp (op, "histogram"))
    if (! isreal (c.x) || ischar (c.x))
      c.x = real (double (c.x));
    endif
    n = randi (50);
    c.ours = @(x, device) gpu_reduce (x, op, n, device{:});
    c.theirs = @(x) histogram_by_histc (x, n);
  else
    f = ["gpu_" op];
    dim = pick ({[], 1, 2, 3, "all"});
    args = {dim}(! isempty (dim));
    if (any (strcmp (op(end-2:end), {"max", "min"})) && ! isempty (dim))
      args = {[], dim};
    endif
    named = {"dim", dim}(1:2*! isempty (dim));
    c.ours = @(x, device) only (@() gpu_reduce (x, op, named{:}, device{:}));
    c.theirs = @(x) only (@() feval (f, x, args{:}));
  endif
endfunction

function [counts, edges] = histogram_by_histc (x, n)
  x = double (x(:));
  kept = x(isfinite (x));
  [lo, hi] = deal (0, 1);
  if (! isempty (kept))
    [lo, hi] = deal (min (kept), max (kept));
    if (lo == hi)
      [lo, hi] = deal (lo - 0.5, hi + 0.5);
    endif
  endif
  edges = min (lo + (0:n) * (hi - lo) / n, hi);
  edges(end) = hi;
  counts = zeros (1, n);
  for v = kept'
    k = min (find (edges <= v, 1, "last"), n);
    counts(k) += 1;
  endfor
endfunction

function [a, b] = only (f)
  a = f ();
  b = [];
endfunction

function x = without_nan (x, value)
  x(isnan (x)) = value;
endfunction

## ---- random arrays and dimensions ----

function x = pick (list)
  x = __gpr_random__ ("pick", list);
endfunction

function list = classes (with_complex)
  list = __gpr_random__ ("classes");
  if (with_complex)
    list = [list, {"complex double", "complex single"}];
  endif
endfunction

## Complex arrays are finite: what NaN and Inf in one part give, built-ins do not agree on.
function x = random_array (type, near_one = false)
  shape = __gpr_random__ ("size", 1000);
  if (rand () < 0.05)
    shape = pick ({[1 30000], [300 7], [7 300]});
  endif
  if (strncmp (type, "complex ", 8))
    x = complex (randn (shape), randn (shape));
    x = feval (type(9:end), x);
  elseif (strcmp (type, "double") && ! near_one && rand () < 0.05)
    x = __gpr_random__ ("stored");
  else
    x = __gpr_random__ ("numbers", type, shape);
  endif
  if (near_one && isfloat (x) && numel (x) > 8)
    k = isfinite (x);
    x(k) = sign (x(k)) .* exp (randn (size (x(k))) / 50);
  endif
endfunction

## args: for gpu_NAME; f: the built-in on x in the same way.
function [args, text, f] = random_dim (x, builtin_function, mean_rule, extreme = false)
  nd = ndims (x);
  args = {};
  kind = rand ();
  if (kind < 0.6)
    args = {randi(nd + 1)};
  elseif (kind < 0.75 && ! issparse (x))
    args = {"all"};
  elseif (kind < 0.85 && ! issparse (x) && ! isempty (x) && ! extreme)
    args = {[1 2]};
  endif
  [~, text, f] = random_dim_of (args, builtin_function, x);
endfunction

function [args, text, f] = random_dim_of (args, builtin_function, x)
  text = "";
  if (isempty (args))
    f = @(x) builtin_function (x);
  elseif (ischar (args{1}))
    text = ", \"all\"";
    f = @(x) builtin_function (x(:), 1);
  elseif (numel (args{1}) == 2)
    text = ", [1 2]";
    f = @(x) builtin_function (reshape (x, [rows(x)*columns(x), 1, size(x)(3:end)]), 1);
  else
    text = sprintf (", dim %d", args{1});
    f = @(x) builtin_function (x, args{1});
  endif
endfunction

%!test
%! before = {rand("twister"), randn("twister"), gpu_config("device")};
%! old = gpu_config ("through_host", "warn");
%! text = evalc ("[ok, table] = gpu_selftest (\"quick\", \"seed\", 1, \"device\", \"cpu\");");
%! assert (rand ("twister"), before{1});
%! assert (randn ("twister"), before{2});
%! assert (gpu_config ("device"), before{3});
%! assert (gpu_config ("through_host", old), "warn");
%! assert (! isempty (strfind (text, "seed 1, device cpu")));
%! for name = [{"gpu_sum", "gpu_max", "gpu_histc", "gpu_hist", "gpu_argmin", "gpu_reduce"}, cellfun(@(kind) ["gpuArray, " kind], __gpr_values__ (), "UniformOutput", false)]
%!   assert (! isempty (regexp (text, [name{1} ' +\d+ +\d+ +\d+ +0\n'])));
%! endfor
%! assert (ok);
%! assert (fieldnames (table), {"name"; "compared"; "same"; "explained"; "different"});
%! assert (all ([table.compared] >= 60));
%! assert ([table.same] + [table.explained] + [table.different], [table.compared]);
%! assert (sum ([table.different]), 0);
%! assert (sum ([table.same]) > 0.5 * sum ([table.compared]));
%!error <options are> gpu_selftest ("slow")
%!error <SEED must be> gpu_selftest ("seed", -1)
%!error id=gpureduce:invalid-input gpu_selftest ("seed", "one")
%!error id=gpureduce:invalid-input gpu_selftest ("seed")
%!error id=gpureduce:invalid-input gpu_selftest ("device", "toaster")
%!error id=gpureduce:invalid-input gpu_selftest (5)
