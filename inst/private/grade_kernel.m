## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{r} =} grade_kernel (@var{r}, @var{text}, @var{e}, @var{o})
## Grade the text of a kernel by the exercise @var{e}: fills in points, right, rules, messages and printed of @var{r}.
## It is compiled and run in a folder of its own, confined to it (kernels/sim/confine.cpp); what is right is
## computed here.  @var{o}: seed, seconds and unconfined.
## @end deftypefn

function r = grade_kernel (r, text, e, o)

  old = umask (77);
  work = tempname ("", "gpureduce-");
  [done, why] = mkdir (work);
  umask (old);
  if (! done)
    error ("gpureduce:cannot-write", "gpu_grade: no folder can be made in %s (%s): set TMPDIR to one that can be written", fileparts (work), why);
  endif
  unwind_protect
    r.right = false (size (e.variants));
    why = compiled (work, text, e, o);
    if (! isempty (why))
      r.messages{end+1} = why;
    else
      r = tried (r, fullfile (work, "submission.so"), e, o);
    endif
  unwind_protect_cleanup
    [~, ~] = system (["rm -rf " shell_quoted(work)]);
  end_unwind_protect

endfunction

## "" or what is wrong.
function why = compiled (work, text, e, o)

  why = "";
  file = fullfile (work, e.file);
  fid = fopen (file, "w");
  fwrite (fid, text);
  fclose (fid);
  kit = ladder_kit ();
  words = {fullfile(kit, "build-variant"), "graded", file, fullfile(work, "submission.so"), grade_simulator()};
  if (o.unconfined)
    words{end+1} = "--anyway";
  endif
  said = fullfile (work, "said");
  words = cellfun (@shell_quoted, words, "UniformOutput", false);
  status = system (sprintf ("timeout -k 1 120 sh %s > %s 2>&1 < /dev/null", strjoin (words), shell_quoted (said)));
  if (status != 0)
    fid = fopen (said, "r");
    why = grade_plain (fread (fid, 3000, "uint8=>char")');
    fclose (fid);
    why = strtrim (strrep (strrep (why, [work filesep], ""), kit, "gpureduce"));
    lines = strsplit (why, "\n");
    ## The first error and where it is; what led there is the compiler's business.
    at = find (! cellfun (@isempty, regexp (lines, 'error: ')), 1);
    if (! isempty (at))
      lines = lines(at:min (end, at + 2));
    endif
    if (any (status == [124, 137]))
      lines = {"the compiler was not done in time"};
    elseif (isempty (strtrim (why)))
      lines = {sprintf("the compiler ended with status %d", status)};
    endif
    why = ["It does not compile: " strjoin(lines, "\n")];
  endif

endfunction

function r = tried (r, module, e, o)

  deadline = time () + o.seconds;
  share = e.points - sum (cellfun (@(rule) rule.points, e.rules));
  for k = 1:numel (e.variants)
    [why, printed] = runs_wrong (module, e, e.variants{k}, o, deadline);
    r.printed = [r.printed printed];
    r.right(k) = isempty (why);
    if (isempty (why))
      r.points += share / numel (e.variants);
    else
      r.messages{end+1} = why;
    endif
  endfor
  for k = 1:numel (e.rules)
    rule = e.rules{k};
    row = struct ("count", rule.count, "variant", rule.variant, "value", NaN, "wanted", wanted_text (rule), "points", 0, "possible", rule.points);
    if (r.right(strcmp (rule.variant, e.variants)))
      [row.value, why] = counted (module, e, rule, o);
      met = isempty (why) && row.value <= rule.at_most && row.value >= rule.at_least && (isempty (rule.exactly) || row.value == rule.exactly);
      if (met)
        row.points = rule.points;
        r.points += rule.points;
      elseif (isempty (why))
        found = sprintf ("%.10g", row.value);
        if (strcmp (rule.count, "predicted_ms"))
          found = sprintf ("%.4g on the card %s", row.value, rule.card);
        endif
        r.messages{end+1} = sprintf ("%s of %s: %s, of %d elements in blocks of %d, wanted: %s.  Hint: %s", rule.count, rule.variant, found, ...
                                     rule.n, rule.block, row.wanted, sentence (rule.hint));
      else
        r.messages{end+1} = sprintf ("%s of %s: %s.", rule.count, rule.variant, why);
      endif
    endif
    r.rules(end+1) = row;
  endfor

endfunction

## With its full stop, where it has none.
function text = sentence (text)
  if (! any (text(end) == ".?!"))
    text(end+1) = ".";
  endif
endfunction

function text = wanted_text (rule)
  parts = {};
  if (! isempty (rule.exactly))
    parts{end+1} = sprintf ("exactly %g", rule.exactly);
  endif
  if (isfinite (rule.at_least))
    parts{end+1} = sprintf ("at least %g", rule.at_least);
  endif
  if (isfinite (rule.at_most))
    parts{end+1} = sprintf ("at most %g", rule.at_most);
  endif
  text = strjoin (parts, " and ");
endfunction

## ---- right results ------------------------------------------------------------------

## "" where every length, block and class comes out right and without a fault; else the first that does not.
function [why, printed] = runs_wrong (module, e, variant, o, deadline)

  why = printed = "";
  lengths = e.lengths;
  if (isempty (lengths))
    lengths = [1, 31:33, 255:257, 1000, 4097, randi([2, 3000], 1, 2)];
  endif
  ## Whole plans first, by length: what is wrong is told of the shortest that shows it.
  schedule = 0;
  for n = lengths
    for block = e.blocks
      for c = 1:numel (e.classes)
        class = e.classes{c};
        schedule++;
        left = deadline - time ();
        if (left <= 0)
          why = sprintf ("%s takes too long: its runs were not done in %g seconds.", variant, o.seconds);
          return;
        endif
        [x, edges] = numbers (n, class, e, schedule);
        [t, said] = one_run (module, variant, e.op, x, e.finish, block, edges, false, randi (2^31 - 1), min (5, left), o);
        where = sprintf ("%s, %d %s element%s in blocks of %d: ", variant, n, class, "s"(n > 1), block);
        if (isempty (t))
          why = [where said "."];
        else
          printed = said;
          why = wrong_of (t, x, edges, e);
          if (! isempty (why))
            why = [where why];
          endif
        endif
        if (! isempty (why))
          return;
        endif
      endfor
    endfor
  endfor

endfunction

## The trace, or [] and why there is none; else what the kernel printed.
function [t, said] = one_run (module, variant, op, x, finish, block, edges, frames, seed, seconds, o)
  if (! isempty (edges))
    edges = {edges};
  endif
  [report, said] = __gpureduce__ ("grade", variant, op, x, finish, block, edges{:}, frames, module, seed, seconds, o.unconfined);
  t = [];
  if (! isempty (report))
    try
      t = trace_report (report);
    catch
      said = "the run left no report that can be read";
    end_try_catch
  endif
endfunction

## Small whole numbers, so that floats add up exactly in any order; in turn of both signs, below and above zero, so that
## a wrong beginning of a maximum or minimum shows; with many ties.  Edges: of a histogram.
function [x, edges] = numbers (n, class, e, turn)

  edges = {};
  switch (e.op)
    case "prod"
      x = 2 * randi ([0, 1], 1, n) - 1;
      x(randi (n, 1, min (n, 12))) *= 2;
    case "histogram"
      width = 4;
      if (strcmp (class, "uint8"))
        width = 255 / e.bins;
      endif
      edges = width * (0:e.bins);
      x = randi ([0, floor(edges(end))], 1, n);
    otherwise
      x = randi ({[-9, 9], [-20, -1], [1, 20]}{1 + mod (turn, 3)}, 1, n);
  endswitch
  x = cast (x, class);

endfunction

function y = right_result (op, x, edges)
  x = double (x(:));
  switch (op)
    case {"argmax", "argmin"}
      [y, k] = feval (op(4:6), x);
      y = [y; k - 1];
    case "histogram"
      y = histc (x, edges(:));
      y(end-1) += y(end);
      y(end) = [];
    otherwise
      y = feval (op, x);
  endswitch
endfunction

function why = wrong_of (t, x, edges, e)

  why = "";
  f = t.fault;
  if (isempty (f))
    right = right_result (e.op, x, edges);
    if (isnumeric (t.result) && numel (t.result) == numel (right) && all (double (t.result(:)) == right))
      return;
    endif
    f = struct ("kind", "wrong result", "file", "", "line", 0, "thread", [], "block", [], ...
                "what", "the result is not that of the elements", "cause", "");
  endif
  why = f.kind;
  if (! isempty (f.file) && f.line > 0)
    [~, name, ext] = fileparts (f.file);
    why = sprintf ("%s in line %d of %s", why, f.line, [name ext]);
  endif
  if (! isempty (f.thread) && f.line > 0)
    why = sprintf ("%s: thread %d of block %d %s", why, f.thread(1), [f.block(:); 0](1), f.what);
  else
    why = [why ": " f.what];
  endif
  hint = f.cause;
  for k = 1:numel (e.hints)
    if (strcmp (e.hints{k}.fault, f.kind))
      hint = e.hints{k}.hint;
      break;
    endif
  endfor
  why(end+1) = ".";
  if (! isempty (hint))
    why = [why "  Hint: " sentence(hint)];
  endif

endfunction

## ---- rules ---------------------------------------------------------------------------

## What the rule asks for of the kernel; why: it cannot be told.
function [value, why] = counted (module, e, rule, o)

  value = NaN;
  n = rule.n;
  if (strcmp (rule.count, "predicted_ms"))
    [value, why] = predicted_ms (module, e, rule, o);
    return;
  endif
  [x, edges] = numbers (n, rule.class, e, 0);
  frames = any (strcmp (rule.count, {"global_loads", "global_atomics"}));
  [t, why] = one_run (module, rule.variant, e.op, x, rule.finish, rule.block, edges, frames, 1, 20, o);
  if (isempty (t))
    return;
  endif
  why = "";
  if (! isempty (t.fault))
    why = wrong_of (t, x, edges, e);
  else
    try
      value = grade_count (t, rule.count, rule.launch, rule.step);
    catch err
      why = regexprep (err.message, '^gpu_grade: ', "");
    end_try_catch
  endif

endfunction

## The model must not run the kernel by its name, outside of its folder or a namesake: it gets the descriptor, and how to run it.
function [ms, why] = predicted_ms (module, e, rule, o)

  ms = NaN;
  why = "";
  if (! exist ("__gpr_predict__"))
    why = "this version of gpureduce cannot predict times";
    return;
  endif
  options = ["--seconds 10 --memory 2048 --file 16 --write " shell_quoted(fileparts (module)) {"", " --anyway"}{1 + o.unconfined}];
  [v, why] = read_variants (module, options);
  if (! isempty (v))
    v = v(strcmp ({v.name}, rule.variant));
  endif
  if (isempty (v))
    why = ["its time cannot be predicted: " why];
    return;
  endif
  run = struct ("variant", ["submission " rule.variant], "op", e.op, "class", rule.class, "block", rule.block, ...
                "finish", rule.finish, "bins", e.bins, "described", v(1), "simulate", @(x, finish, edges) report_of (module, rule, e, x, finish, edges, o));
  m = __gpr_predict__ (run, rule.n, rule.card);
  if (isempty (m))
    why = "its time cannot be predicted";
  else
    ms = m.ms;
  endif

endfunction

function report = report_of (module, rule, e, x, finish, edges, o)
  edges = num2cell (edges, [1, 2])(! isempty (edges));         # {} or {edges}
  [report, said] = __gpureduce__ ("grade", rule.variant, e.op, x, finish, rule.block, edges{:}, false, module, 1, 10, o.unconfined);
  if (isempty (report))
    error ("gpureduce:invalid-input", "gpu_grade: %s", said);
  endif
endfunction
