## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} trace_page (@var{t}, @var{limit}, @var{file})
## @deftypefnx {} {} trace_page (@var{traces}, @var{limit}, @var{file}, @var{both})
## Write the first @var{limit} steps as a page of HTML that needs nothing else:
## gpu_trace.html with the trace in it.  Of several traces, a cell array, @var{both} has
## title, sentence, facts (structs with name, values, differs) and order: a row for each
## step of the page, the number of each trace's step or 0.
## @end deftypefn

function trace_page (t, limit, file, both)

  if (nargin < 4)
    order = (1:sum (arrayfun (@(l) numel (l.steps), t.launches)))';
    page = struct ("title", t.variant, "subtitle", t.title(numel (t.variant)+3:end), "differences", "", "facts", {{}});
    title = ["gpu_trace: " t.title];
    t = {t};
  else
    order = both.order;
    page = struct ("title", both.title, "subtitle", both.subtitle, "differences", both.sentence, "facts", {num2cell(both.facts)});
    title = ["gpu_compare: " both.title];
  endif
  ## Steps up to the limit, by number from 0.
  order = order(1:min (end, limit),:);
  page.order = arrayfun (@(k) num2cell (order(k,:) - 1), 1:rows (order), "UniformOutput", false);
  for k = 1:numel (page.order)
    page.order{k}(order(k,:) == 0) = {NaN};
  endfor
  traces = cell (1, numel (t));
  for k = 1:numel (t)
    traces{k} = one_trace (t{k}, max ([0; order(:,k)]));
  endfor
  json = jsonencode (page);
  json = [json(1:end-1) ',"traces":[' strjoin(traces, ",") "]}"];

  ## Within a script element nothing may look like a tag; in JSON < is in strings only.
  json = strrep (json, "<", '\u003c');
  json = strrep (json, ">", '\u003e');
  json = strrep (json, "&", '\u0026');

  title = strrep (strrep (strrep (title, "&", "&amp;"), "<", "&lt;"), ">", "&gt;");
  template = fileread (fullfile (fileparts (fileparts (mfilename ("fullpath"))), "gpu_trace.html"));
  parts = strsplit (template, {"@TITLE@", "@TRACE@"});
  fid = writable (file, "gpu_trace: html");
  fputs (fid, [parts{1} title parts{2} json parts{3}]);
  fclose (fid);

endfunction

## A trace as JSON: its first LIMIT steps.
function json = one_trace (t, limit)

  arrays = {};
  files = {};
  steps = {};
  pairs = any (strcmp (t.op, {"argmax", "argmin"}));
  hidden = 0;
  for l = 1:numel (t.launches)
    for s = t.launches(l).steps
      if (numel (steps) == limit)
        hidden++;
        continue;
      endif
      [packed, arrays, files] = pack (s.accesses, arrays, files, pairs);
      files = unique ([files, {s.file}], "stable");
      counts = rmfield (s, {"block", "step", "file", "line", "active", "shared", "accesses", "active_percent", ...
                            "issued_percent", "sector_percent", "text", "parts"});
      steps{end+1} = struct ("l", l - 1, "b", s.block, "k", s.step, "file", base_name (s.file), "line", s.line, "active", s.active, ...
                             "percent", s.active_percent, "c", counts, "text", s.text, "parts", {{s.parts.text}}, ...
                             "shared", {as_list(s.shared, pairs)}, "a", packed);
    endfor
  endfor
  launches = num2cell (rmfield (t.launches, "steps"));
  c = t.totals;
  totals = sprintf (["In all: warps %g run, %g skipped, %g divergent; %g bank conflicts; sectors %g, needed %g, written %g; " ...
                     "%g barriers, %g shuffles, %g atomics."], c.warps_issued, c.warps_skipped, c.divergent_warps, ...
                    c.bank_conflicts, c.sectors, c.sectors_needed, c.sectors_written, c.barriers, c.shuffles, c.atomics);
  [size, xsize] = bytes (t);
  page = struct ("variant", t.variant, "title", t.title, "about", t.about, "op", t.op, "n", t.n, "size", size, "xsize", xsize, "x", {{}}, ...
                 "verdict", t.verdict, "agrees", t.agrees, "fault", t.fault_text, "totals", totals, "hidden", hidden, ...
                 "arg", pairs, "tree", ! strcmp (t.op, "histogram"), "model", model_text (t), "arrays", {arrays}, ...
                 "files", {cellfun(@base_name, files, "UniformOutput", false)}, "launches", {launches}, "steps", {steps});
  page.x = as_list (t.data(1:min (end, 65536)), false);
  if (! isempty (t.fault))
    page.fault_at = fault_at (t.fault, steps);
  endif
  json = jsonencode (page);

  ## File names are no names of fields, so jsonencode cannot write this part.
  parts = {};
  for k = 1:numel (files)
    lines = source_lines (files{k});
    if (! isempty (lines))
      parts{end+1} = [jsonencode(base_name (files{k})) ":" jsonencode(lines)];
    endif
  endfor
  json = [json(1:end-1) ',"sources":{' strjoin(parts, ",") "}}"];

endfunction

## The sentence of a predicted time, where the trace has one.
function text = model_text (t)
  text = "";
  if (isfield (t, "model") && isfield (t.model, "text"))
    text = t.model.text;
  endif
endfunction

## Where a fault is to be marked: the step, from 0 (NaN: on none), the cell, and the threads of its block.
function f = fault_at (fault, steps)

  f = struct ("file", base_name (fault.file), "kind", fault.kind, "line", fault.line, "thread", [fault.thread, 0](1), "threads", {{}}, "l", NaN, "b", NaN, "step", NaN, ...
              "array", "", "index", NaN, "short", "");
  f.short = [fault.kind ", " fault.what "."];
  if (isempty (steps))
    return;
  endif
  steps = [steps{:}];
  f.l = max ([steps.l]);
  f.b = [fault.block, 0](1);
  at = find ([steps.l] == f.l & [steps.b] == f.b, 1, "last");
  if (! isempty (at) && ! isempty (fault.thread) && fault.line > 0)
    f.step = at - 1;
  endif
  f.threads = num2cell (f.thread);
  for other = {fault.other, num2cell(fault.waiting){:}}
    if (! isempty (other{1}) && ! isempty (other{1}.thread) && [other{1}.block, 0](1) == f.b)
      f.threads = num2cell (unique ([f.threads{:}, other{1}.thread(1)], "stable"));
    endif
  endfor
  ## The simulator names the cell in words: x[101] of 100, dynamic shared memory + 4 bytes (index 1 of 64).
  cell = regexp (fault.what, '(dynamic shared memory) [-+] \d+ bytes \(index (-?\d+)', "tokens", "once");
  if (isempty (cell))
    cell = regexp (fault.what, '(\w+)\[(-?\d+)\]', "tokens", "once");
  endif
  if (! isempty (cell))
    f.array = cell{1};
    f.index = str2double (cell{2});
  endif

endfunction

## The accesses as columns; arrays and files by number in common lists.
function [a, arrays, files] = pack (list, arrays, files, pairs)

  a = struct ("t", {{}}, "k", "", "s", "", "n", {{}}, "i", {{}}, "b", {{}}, "v", {{}}, "d", {{}}, "l", {{}}, "f", {{}}, "o", {{}});
  if (isempty (list))
    return;
  endif
  kinds = {list.kind};
  spaces = {list.space};
  names = {list.array};
  names(cellfun (@isempty, names)) = {""};
  arrays = unique ([arrays, names], "stable");
  [~, at] = ismember (names, arrays);
  a.t = num2cell ([list.thread]);
  ## As numbers: cellfun takes strings in double and in single quotes for different types.
  a.k = char (cellfun (@(s) double (s(1)), kinds));
  a.s = char (cellfun (@(s) double (s(1)), spaces));
  a.n = num2cell (at - 1);
  a.i = as_list ({list.index}, false);
  a.b = as_list ({list.bytes}, false);
  a.v = as_list ({list.value}, pairs);
  names = {list.file};
  files = unique ([files, names], "stable");
  [~, at] = ismember (names, files);
  a.d = num2cell (at - 1);
  a.l = as_list ({list.line}, false);
  a.f = as_list ({list.from}, false);
  a.o = as_list ({list.slot}, false);

endfunction

## Values for jsonencode, which keeps a cell a list: numbers, null where there is
## none, text for what JSON has no number for; lists of values of wide accesses.
function c = as_list (v, pairs)

  if (! iscell (v))
    v = double (v(:)');
    c = num2cell (v);
    c(isnan (v) & ! isna (v)) = {"NaN"};
    c(v == Inf) = {"Inf"};
    c(v == -Inf) = {"-Inf"};
    return;
  endif
  c = v(:)';
  for k = find (! cellfun (@(e) isnumeric (e) && isscalar (e) && isfinite (e), c))
    e = c{k};
    if (isempty (e))
      c{k} = NaN;
    elseif (isnumeric (e) && isscalar (e))
      c(k) = as_list (e, false);
    elseif (isnumeric (e) && pairs && numel (e) == 2)
      c{k} = "-";
      if (! isnan (e(2)))
        c{k} = sprintf ("%.4g@%d", e);          # a value and its index
      endif
    elseif (isnumeric (e))
      c{k} = as_list (e, false);
    elseif (! ischar (e))
      c{k} = strtrim (regexprep (disp (e), '\s+', " "));
    endif
  endfor

endfunction

## Bytes of a value in shared memory, and of an element of the input.
function [shared, input] = bytes (t)

  switch (t.class)
    case {"double", "int64", "uint64"}
      input = 8;
    case {"uint8", "int8"}
      input = 1;
    otherwise
      input = 4;
  endswitch
  shared = input;
  if (strcmp (t.op, "histogram"))
    shared = 4;
  elseif (any (strcmp (t.op, {"argmax", "argmin"})))
    shared = 16;
  endif

endfunction

function name = base_name (file)
  [~, name, ext] = fileparts (file);
  name = [name ext];
endfunction

## The lines of a kernel's file, where it can be found: {} else.
function lines = source_lines (file)

  lines = {};
  if (exist (file, "file") == 2)
    ## Blank lines are lines too: the page counts them.
    lines = strsplit (strrep (fileread (file), "\r", ""), "\n", "CollapseDelimiters", false);
  endif

endfunction
