## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Rule: a_script_gives_on_gpuArrays_what_it_gives_on_the_host.
##
## tests/scripts/NAME.m is a program as users write them, function results = NAME (on): it makes
## its inputs by on (X) and returns a cell of results.  It runs with on = @(x) x and with
## @gpuArray.  tests/scripts/calls.m is a table of single expressions, evaluated with its inputs
## on the host and with the same as gpuArrays.  Of both are the same: whether there is an error,
## class, size, whether complex, and values.
##
## Values are equal, or differ by 4 ulp.  Where a script says "% within N ulp" these are ulps of the
## largest element of a result, and N = 0 says that it calls nothing but what rounds exactly.

here = fileparts (mfilename ("fullpath"));
addpath (here, fullfile (here, "scripts"));

function run_all (folder)
  names = regexprep ({dir(fullfile (folder, "*.m")).name}, '\.m$', "");
  names = setdiff (names, "calls");
  failed = 0;
  for name = names
    failed += ! script_holds (name{1}, fileread (fullfile (folder, [name{1} ".m"])));
  endfor
  printf ("scripts: %d passed, %d failed\n", numel (names) - failed, failed);
  [passed, missed] = run_calls ();
  printf ("calls: %d passed, %d failed\n", passed, missed);
  ## Known not to be as on the host (doc/value.md): containers.Map takes no value types of packages.
  still = {"containers.Map ('a', n)('a')", "m = containers.Map (T, 5) -> m(T)", "containers.Map ({'a'}, {n}).isKey ('a')"};
  [~, inputs] = calls ();
  for call = still
    if (isempty (outcome (@() evaluated (call{1}, inputs, @gpuArray)).error))
      printf ("%s: works now: put it into the table\n", call{1});
      missed++;
    endif
  endfor
  if (failed + missed > 0 || numel (names) < 60 || passed + missed < 600)
    exit (1);
  endif
endfunction

function holds = script_holds (name, text)
  limit.ulps = 4;
  limit.of_largest = false;
  said = regexp (text, '% within (\d+) ulp', "tokens", "once");
  if (! isempty (said))
    limit.ulps = str2double (said{1});
    limit.of_largest = limit.ulps > 0;
  endif
  want = outcome (@() feval (name, @(x) x));
  have = outcome (@() feval (name, @gpuArray));
  if (isempty (want.error))
    why = judge (have, want, limit);
  else
    why = sprintf ("fails on the host: %s", want.error);
  endif
  holds = isempty (why);
  if (! holds)
    printf ("failed: tests/scripts/%s.m: %s\n", name, why);
  endif
endfunction

function [passed, failed] = run_calls ()
  [table, inputs] = calls ();
  limits = struct ("equal", {{0, false}}, "each", {{4, false}}, "largest", {{4, true}}, "errors", {{0, false}}, "releases", {{4, false}});
  passed = failed = 0;
  for kind = fieldnames (table)'
    limit = struct ("ulps", limits.(kind{1}){1}, "of_largest", limits.(kind{1}){2});
    for call = table.(kind{1})(:)'
      want = outcome (@() evaluated (call{1}, inputs, @(x) x));
      have = outcome (@() evaluated (call{1}, inputs, @gpuArray));
      if (! strcmp (kind{1}, "releases") && isempty (want.error) == strcmp (kind{1}, "errors"))
        why = sprintf ("on the host: '%s', which is not what the table says", want.error);
      else
        why = judge (have, want, limit);
      endif
      passed += isempty (why);
      failed += ! isempty (why);
      if (! isempty (why))
        printf ("failed: %s: %s\n", call{1}, why);
      endif
    endfor
  endfor
endfunction

## A call is an expression, or statements, "->" and an expression.
function y__ = evaluated (call__, inputs__, on__)
  for name__ = fieldnames (inputs__)'
    if (name__{1} == "H")
      H = inputs__.H;
    else
      eval ([name__{1} " = on__ (inputs__.(name__{1}));"]);
    endif
  endfor
  at__ = strfind (call__, "->");
  if (isempty (at__))
    y__ = eval (call__);
  else
    eval ([call__(1:at__ - 1) ";"]);
    y__ = eval (call__(at__ + 2:end));
  endif
endfunction

function o = outcome (f)
  o = struct ("results", {{}}, "error", "");
  try
    o.results = {f()};
  catch err
    o.error = regexprep (err.message, '\s*\n\s*', " ");
    if (isempty (o.error))
      o.error = "(an error without a message)";
    endif
  end_try_catch
endfunction

## What differs, in words; "" where nothing does.
function why = judge (have, want, limit)
  why = "";
  if (! isempty (want.error))
    if (isempty (have.error))
      why = sprintf ("no error; the host: %s; gpuArray: %s", want.error, shown (have.results));
    endif
  elseif (! isempty (have.error))
    why = sprintf ("error: %s; the host: %s", have.error, shown (want.results));
  else
    why = difference (have.results, want.results, limit, "");
  endif
  internal = regexp (have.error, '__gpr\w*|__gpureduce__|octave_base_value\S*|through_host|gpr_\w+', "match", "once");
  if (isempty (why) && ! isempty (internal) && isempty (strfind (want.error, internal)))
    why = sprintf ("the message names internals: %s; the host: %s", have.error, want.error);
  endif
endfunction

function why = difference (have, want, limit, place)
  why = "";
  if (iscell (want) && iscell (have))
    if (! isequal (size (want), size (have)))
      why = sprintf ("%s a cell of size [%s], on the host [%s]", place, num2str (size (have)), num2str (size (want)));
    endif
    for k = 1:numel (want) * isempty (why)
      why = difference (have{k}, want{k}, limit, sprintf ("%s{%d}", place, k));
      if (! isempty (why))
        return;
      endif
    endfor
  elseif (isstruct (want) && isstruct (have))
    if (! isequal (fieldnames (want), fieldnames (have)))
      why = sprintf ("%s other fields", place);
    else
      why = difference (struct2cell (have), struct2cell (want), limit, [place "."]);
    endif
  else
    have = gather (have);
    if (! is_same (have, want, limit))
      why = sprintf ("%s gpuArray: %s; the host: %s", regexprep (place, '^\{1\}', ""), shown (have), shown (want));
      if (isfloat (have) && isfloat (want) && isequal (size (have), size (want)))
        why = sprintf ("%s; differ by up to %g", why, max (abs (double (have(:)) - double (want(:)))));
      endif
    endif
  endif
endfunction

function t = is_same (y, x, limit)
  t = strcmp (class (y), class (x)) && isequal (size (y), size (x));
  if (t && ! isequal (y, x) && ! is_function_handle (x))
    t = iscomplex (y) == iscomplex (x) && is_near (y(:), x(:), limit);
  elseif (t && isnumeric (x))
    t = iscomplex (y) == iscomplex (x);
  endif
endfunction

function t = is_near (y, x, limit)
  t = false;
  if (! isfloat (x) || ! isequal (isnan (x), isnan (y)))
    return;
  endif
  rest = ! isnan (x) & x != y;
  [y, x] = deal (y(rest), x(rest));
  size_of = abs (x);
  if (limit.of_largest)
    size_of(:) = max ([size_of; abs(y); 0]);
  endif
  t = all (isfinite (x)) && all (isfinite (y)) && all (abs (y - x) <= limit.ulps * eps (size_of));
endfunction

function text = shown (x)
  if (iscell (x) && numel (x) == 1)
    x = x{1};
  endif
  text = regexprep (strtrim (evalc ("disp (x)")), '\s*\n\s*', "; ");
  if (numel (text) > 160)
    text = [text(1:160) "..."];
  endif
  if (! iscell (x))
    text = sprintf ("%s %s %s", strjoin (cellfun (@num2str, num2cell (size (x)), "UniformOutput", false), "x"), class (x), text);
  endif
endfunction

warning ("off", "all");
run_all (fullfile (here, "scripts"));
