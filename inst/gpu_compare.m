## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpu_compare (@var{variant1}, @var{variant2}, @dots{})
## @deftypefnx {} {} gpu_compare (@dots{}, @var{n}, @var{block})
## @deftypefnx {} {} gpu_compare (@dots{}, @var{name}, @var{value}, @dots{})
## @deftypefnx {} {} gpu_compare (@dots{}, "open")
## @deftypefnx {} {@var{c} =} gpu_compare (@dots{})
## Show two, three or four kernels side by side and in step, and say what differs.
##
## Each is run as by @code{gpu_trace}, in the simulator, over the same @var{n} elements and in
## blocks of the same @var{block} threads.  Without an output argument a sentence says
## in which counts they differ, a table has the counts of each over all blocks, those that
## differ marked by @samp{*}, and a second table has a row for each step: launches, blocks and steps of the
## same number stand beside each other, and where a kernel has no such step there is a dash.
##
## The options are those of @code{gpu_trace}, @qcode{"op"}, @qcode{"class"}, @qcode{"finish"},
## @qcode{"bins"}, @qcode{"data"}, @qcode{"seconds"}, and
##
## @table @asis
## @item "png", @var{file}
## Draw the kernels side by side, a row a step, into this file.  Needs gnuplot.
##
## @item "html", @var{file}
## Write a page with all of them, which one set of buttons and keys moves in step.  For
## more than 4096 elements it has no values in memory.
##
## @item "open"
## Open that page, or a temporary one, in the browser.  Takes no value.
##
## @item "steps", @var{k}
## Print, draw and write the first @var{k} rows of steps only (default 200).
## @end table
##
## What is not given is chosen as by @code{gpu_trace}, but so that all have it: the class, and the block.
##
## @var{c} is a struct with the fields traces, a row of the structs of @code{gpu_trace};
## differences, a column of structs with name, label, values (a row with the count of
## each kernel) and differs; steps, a column of structs with launch, block, step and at (a row with the number of
## each kernel's step, counted over its launches from 1; 0 where it has none); and sentence.
##
## @example
## @group
## c = gpu_compare ("shared_strided", "sequential", 256, 256);
## d = c.differences;
## d(strcmp (@{d.name@}, "bank_conflicts")).values(2)
##     @result{} 0
## d(strcmp (@{d.name@}, "barriers")).differs
##     @result{} 0
## gpu_compare ("shared_strided", "sequential", 256, 256, "html", "both.html")
## @c doctest: +SKIP
## @end group
## @end example
##
## Errors: those of @code{gpu_trace}; @code{gpureduce:invalid-input} also for fewer than two
## kernels or more than four, and for kernels that have no block size or class in common.
##
## The counts are explained in the help of @code{gpu_trace}, with their source.
## @seealso{gpu_trace, gpu_variants, gpu_bench}
## @end deftypefn

function c = gpu_compare (varargin)

  if (nargin < 2)
    print_usage ();
  endif
  no_char_pages ("gpu_compare", varargin);
  [names, sizes, o, passed, reports] = arguments_of (varargin);
  if (! isempty (o.png))
    why = __gpr_gnuplot__ ();           # before minutes of simulation
    if (! isempty (why))
      error ("gpureduce:unsupported", "gpu_compare: png: %s", why);
    endif
  endif

  traces = cell (1, numel (names));
  for k = 1:numel (names)
    report = {};
    if (! isempty (reports))
      report = {"report", reports{k}};
    endif
    try
      traces{k} = gpu_trace (names{k}, sizes{:}, passed{:}, "steps", o.steps, report{:});
    catch err
      error (err.identifier, "%s", regexprep (err.message, '^gpu_trace:', "gpu_compare:"));
    end_try_catch
  endfor
  [order, steps] = in_step (traces);
  facts = counts_of (traces);
  sentence = what_differs (traces, facts, order, steps);

  both = struct ("title", strjoin (cellfun (@(t) t.variant, traces, "UniformOutput", false), " beside "), ...
                 "subtitle", subtitle (traces), "sentence", sentence, "facts", [], "order", order);
  if (! isempty (o.png))
    trace_plot (traces, o.steps, o.png, order);
  endif
  if (! isempty (o.html))
    both.facts = struct ("name", {facts.label}, "values", cellfun (@num2cell, {facts.values}, "UniformOutput", false), ...
                         "differs", {facts.differs});
    trace_page (traces, o.steps, o.html, both);
  endif
  if (nargout > 0)
    c = struct ("traces", {[traces{:}]}, "differences", {facts}, "steps", {steps}, "sentence", sentence);
  else
    show (traces, both, facts, order, steps, o.steps);
    if (! isempty (o.png))
      printf ("Plot: %s\n", o.png);
    endif
    if (! isempty (o.html))
      printf ("Page: %s\n", o.html);
    endif
  endif
  if (o.open)
    open_page (o.html);
  endif

endfunction

## The kernels, the sizes, our own options, those that gpu_trace takes, and for tests the reports.
function [names, sizes, o, passed, reports] = arguments_of (args)

  options = {"op", "class", "finish", "bins", "data", "seconds", "png", "html", "steps", "open", "report"};
  names = {};
  while (! isempty (args) && ischar (args{1}) && ! any (strcmpi (args{1}, options)))
    names{end+1} = args{1};
    args(1) = [];
  endwhile
  if (numel (names) < 2 || numel (names) > 4)
    error ("gpureduce:invalid-input", "gpu_compare: the names of two, three or four kernels come first; gpu_variants lists them");
  endif
  sizes = {[], []};
  for k = 1:2
    if (! isempty (args) && ! ischar (args{1}))
      sizes{k} = args{1};
      args(1) = [];
    endif
  endfor

  o = struct ("png", "", "html", "", "steps", 200);
  [o.open, args] = open_flag (args);
  reports = {};
  passed = {};
  for k = 1:2:numel (args)
    name = args{k};
    if (k == numel (args) || ! ischar (name))
      error ("gpureduce:invalid-input", "gpu_compare: options must come as pairs of a name and a value");
    endif
    name = lower (name);
    value = args{k+1};
    switch (name)
      case "report"
        reports = value;
      case {"png", "html"}
        if (! (ischar (value) && isrow (value)))
          error ("gpureduce:invalid-input", "gpu_compare: %s must be the name of a file", name);
        endif
        writable (value, ["gpu_compare: " name]);
        o.(name) = value;
      case "steps"
        if (! (isnumeric (value) && isreal (value) && isscalar (value) && value >= 1 && value == fix (value)))
          error ("gpureduce:invalid-input", "gpu_compare: steps must be a positive integer");
        endif
        o.steps = double (value);
      otherwise
        passed(end+1:end+2) = {name, value};
    endswitch
  endfor
  if (o.open && isempty (o.html))
    o.html = [tempname() ".html"];
  endif
  if (isempty (reports))
    [sizes, passed] = in_common (names, sizes, passed);
  endif

endfunction

## What is not said: a length that shows all faults, a block and a class that all kernels have.
function [sizes, passed] = in_common (names, sizes, passed)

  found = cell (1, numel (names));
  all = listed_variants ();
  for k = 1:numel (names)
    v = named_variants (all, names{k});
    if (isempty (v))
      return;                           # gpu_trace says so
    endif
    found{k} = v(1);
  endfor
  if (isempty (sizes{1}))
    sizes{1} = max ([cellfun(@(v) v.n, found), 64 * ! all_positive(found)]);
  endif
  if (isempty (sizes{2}))
    blocks = shared (cellfun (@(v) v.blocks, found, "UniformOutput", false));
    if (isempty (blocks))
      error ("gpureduce:invalid-input", "gpu_compare: %s have no block size in common", strjoin (names, " and "));
    endif
    sizes{2} = [64(any (blocks == 64)), blocks](1);
  endif
  given = passed(1:2:end);
  if (! any (strcmp (given, "class")))
    classes = shared (cellfun (@(v) v.classes, found, "UniformOutput", false));
    if (isempty (classes))
      error ("gpureduce:invalid-input", "gpu_compare: %s take no class in common", strjoin (names, " and "));
    endif
    passed(end+1:end+2) = {"class", taken_or_first("int32", classes)};
  endif
  if (! any (strcmp (given, "op")) && ! strcmp (found{1}.family, "reduce"))
    passed(end+1:end+2) = {"op", found{1}.family};
  endif

endfunction

function yes = all_positive (found)
  yes = all (cellfun (@(v) v.n > 0, found));
endfunction

function s = shared (sets)
  s = sets{1};
  for k = 2:numel (sets)
    s = intersect (s, sets{k}, "stable");
  endfor
endfunction

## Launches, blocks and steps of the same number beside each other: a row for each, with the
## number of each trace's step or 0.
function [order, steps] = in_step (traces)

  keys = zeros (0, 5);                  # launch, block, step, trace, number
  for k = 1:numel (traces)
    number = 0;
    for l = 1:numel (traces{k}.launches)
      for s = traces{k}.launches(l).steps
        keys(end+1,:) = [l, s.block, s.step, k, ++number];
      endfor
    endfor
  endfor
  [places, ~, row] = unique (keys(:,1:3), "rows");
  order = zeros (rows (places), numel (traces));
  order(sub2ind (size (order), row, keys(:,4))) = keys(:,5);
  steps = struct ("launch", num2cell (places(:,1)), "block", num2cell (places(:,2)), "step", num2cell (places(:,3)), ...
                  "at", cellfun (@(r) r, num2cell (order, 2), "UniformOutput", false));

endfunction

## The counts over all blocks.
function facts = counts_of (traces)

  names = {"launches", "launches"; "grid", "blocks"; "active_lanes", "active lanes"; "warps_issued", "warps run"; ...
           "warps_skipped", "warps skipped"; "divergent_warps", "divergent warps"; "shared_reads", "reads of shared memory"; ...
           "shared_writes", "writes of shared memory"; "bank_conflicts", "bank conflicts"; "worst_way", "most words of one bank"; ...
           "sectors", "sectors"; "sectors_needed", "sectors needed"; "sectors_written", "sectors written"; ...
           "barriers", "barriers"; "shuffles", "shuffles"; "atomics", "atomics"; "contention", "most atomics on one address"};
  values = cell (rows (names), 1);
  for k = 1:rows (names)
    switch (names{k,1})
      case "launches"
        values{k} = cellfun (@(t) numel (t.launches), traces);
      case "grid"
        values{k} = cellfun (@(t) t.grid, traces);
      otherwise
        values{k} = cellfun (@(t) t.totals.(names{k,1}), traces);
    endswitch
  endfor
  facts = struct ("name", names(:,1), "label", names(:,2), "values", values, ...
                  "differs", cellfun (@(v) any (v != v(1)), values, "UniformOutput", false));

endfunction

## A sentence from the counts.
function text = what_differs (traces, facts, order, steps)

  said = {};
  for k = 1:numel (traces)
    if (! isempty (traces{k}.fault))
      said{end+1} = sprintf ("%s fails: %s", traces{k}.variant, traces{k}.fault.kind);
    endif
  endfor
  told = {"bank_conflicts", "bank conflict"; "divergent_warps", "divergent warp"; "sectors", "sector"; "barriers", "barrier"; ...
          "warps_issued", "warp run"; "shuffles", "shuffle"; "atomics", "atomic"; "launches", "launch"; "grid", "block"};
  same = {};
  for k = 1:rows (told)
    f = facts(strcmp ({facts.name}, told{k,1}));
    if (f.differs)
      said{end+1} = one_difference (traces, f.values, told{k,2}, worst_step (traces, f, order, steps));
    elseif (f.values(1) > 0 && ! any (strcmp (f.name, {"launches", "grid"})))
      same{end+1} = f.label;
    endif
  endfor
  if (isempty (said))
    text = "No count differs.";
    return;
  endif
  if (! isempty (same))
    said{end+1} = ["the same " and_list(same)];
  endif
  text = [strjoin(said, "; ") "."];

endfunction

## "shared_strided has 49 bank conflicts, most in step 4, sequential none"
function text = one_difference (traces, values, noun, where)

  parts = cell (1, numel (values));
  [~, first] = max (values);
  turn = [first, setdiff(1:numel (values), first)];
  for k = 1:numel (turn)
    v = values(turn(k));
    number = sprintf ("%g", v);
    if (v == 0)
      number = "none";
    endif
    parts{k} = [traces{turn(k)}.variant " " number];
    if (k == 1)
      parts{k} = [traces{turn(k)}.variant " has " counted(v, noun) where];
    endif
  endfor
  text = strjoin (parts, ", ");

endfunction

## Where the kernel with the most bank conflicts has them: " (24 of them in step 4 of block 0, 8-way)"
function text = worst_step (traces, f, order, steps)

  text = "";
  [~, most] = max (f.values);
  if (! strcmp (f.name, "bank_conflicts"))
    return;
  endif
  all = [traces{most}.launches.steps];
  counts = [all.(f.name)];
  per_row = zeros (rows (order), 1);
  per_row(order(:,most) > 0) = counts(order(order(:,most) > 0, most));
  [worst, row] = max (per_row);
  if (worst > 0 && rows (order) > 1)
    text = sprintf (" (%d of them in step %d of block %d, %d-way)", worst, steps(row).step, steps(row).block, ...
                    all(order(row,most)).worst_way);
  endif

endfunction

function text = counted (n, noun)
  plural = regexprep ([noun "s"], '(^warp)( run)s$', '$1s$2');
  plural = strrep (plural, "launchs", "launches");
  text = sprintf ("%g %s", n, {noun, plural}{1 + (n != 1)});
endfunction

## What is common to the titles, else each kernel's own.
function text = subtitle (traces)

  tails = cellfun (@(t) t.title(numel (t.variant)+3:end), traces, "UniformOutput", false);
  if (numel (unique (tails)) == 1)
    text = tails{1};
  else
    text = strjoin (cellfun (@(t) t.title, traces, "UniformOutput", false), "; ");
  endif

endfunction

## The tables.
function show (traces, both, facts, order, steps, limit)

  names = cellfun (@(t) t.variant, traces, "UniformOutput", false);
  printf ("%s: %s.\n%s\n", both.title, both.subtitle, regexprep (both.sentence, '(.{1,110})(?:\s+|$)', "$1\n"));
  width = max ([cellfun(@numel, names), 12]) + 2;
  printf ("%-28s%s\n", "in all", sprintf (sprintf ("%%%ds", width), names{:}));
  for f = facts'
    if (any (f.values))
      printf ("%-28s%s%s\n", f.label, sprintf (sprintf ("%%%dg", width), f.values), {"", "  *"}{1 + f.differs});
    endif
  endfor
  printf ("\n");

  column = 38;
  lines = {[blanks(17), sprintf(sprintf (" %%-%ds ", column), names{:})]
           ["launch block step", repmat(sprintf (" %-*s ", column, "active divergent  conflicts  sectors"), 1, numel (traces))]};
  flat = cellfun (@(t) [t.launches.steps], traces, "UniformOutput", false);
  for k = 1:min (limit, rows (order))
    line = sprintf ("%6d %5d %4d", steps(k).launch, steps(k).block, steps(k).step);
    for j = 1:numel (traces)
      text = "     -";
      if (order(k,j) > 0)
        text = step_text (flat{j}(order(k,j)));
      endif
      line = [line, sprintf(" %-*s ", column, text)];
    endfor
    lines{end+1,1} = line;
  endfor
  printf ("%s\n", deblank (lines){:});
  if (rows (order) > limit)
    printf ("... and %d more (\"steps\", %d shows all)\n", rows (order) - limit, rows (order));
  endif
  printf ("\n");
  for t = traces
    printf ("%s: %s\n", t{1}.variant, strtrim ([t{1}.fault_text "  " t{1}.verdict]));
    if (isfield (t{1}, "model") && isfield (t{1}.model, "text"))
      printf ("%s: %s\n", t{1}.variant, t{1}.model.text);
    endif
  endfor

endfunction

function text = step_text (s)
  conflicts = sprintf ("%g", s.bank_conflicts);
  if (s.bank_conflicts > 0)
    conflicts = sprintf ("%g %g-way", s.bank_conflicts, s.worst_way);
  endif
  sectors = "0";
  if (s.sectors > 0)
    sectors = sprintf ("%g (%g)", s.sectors, s.sectors_needed);
  endif
  text = sprintf ("%5.3g%% %9g %10s  %s", s.active_percent, s.divergent_warps, conflicts, sectors);
endfunction

## Reports as the simulator writes them: one launch, a row of counts a step.
%!function json = report (name, steps, fault)
%!  counts = ['"warps_issued":1,"warps_skipped":0,"divergent_warps":%d,"shared_reads":0,"shared_writes":0,' ...
%!            '"bank_conflicts":%d,"worst_way":%d,"sectors":%d,"sectors_needed":4,"barriers":1,"shuffles":0,"atomics":0,"contention":0'];
%!  list = {};
%!  for k = 1:rows (steps)
%!    list{k} = sprintf (['{"block":%d,"step":%d,"file":"k.cu","line":7,"active":"%s","active_lanes":32,' counts '}'], ...
%!                       steps(k,1:2), repmat("#", 1, 32), steps(k,3:6));
%!  endfor
%!  outcome = '"result":32,"fault":null';
%!  if (nargin > 2)
%!    outcome = '"result":null,"fault":{"kind":"race","kernel":"k","file":"k.cu","line":9,"thread":[3,0,0],"block":[0,0,0],"what":"reads s[5]"}';
%!  endif
%!  json = sprintf (['{"variant":"%s","op":"sum","class":"int32","n":32,"block":32,"grid":1,"finish":"two_pass",' ...
%!                   '"sampled":false,"launches":[{"kernel":"k","grid":1,"block":32,"steps":[%s]}],' ...
%!                   '"totals":{"active_lanes":%d,' counts '},%s}'], name, strjoin (list, ","), 32 * rows (steps), ...
%!                  sum (steps(:,3:4), 1), max (steps(:,5)), sum (steps(:,6)), outcome);
%!endfunction
%!shared one, two
%! one = [0 0 0 0 1 4; 0 1 0 7 8 0; 0 2 1 3 4 0; 1 0 0 0 1 4];
%! two = [0 0 0 0 1 4; 0 1 0 0 1 0; 1 0 0 0 1 4; 1 1 0 0 1 0];

%!testif HAVE_RAPIDJSON                  # steps_of_the_same_number_stand_beside_each_other
%! c = gpu_compare ("k", "m", "data", ones (1, 32), "report", {report("k", one), report("m", two)});
%! assert (size (c.traces), [1 2]);
%! assert ({c.traces.variant}, {"k", "m"});
%! assert ([c.steps.launch; c.steps.block; c.steps.step]', [1 0 0; 1 0 1; 1 0 2; 1 1 0; 1 1 1]);
%! assert (cat (1, c.steps.at), [1 1; 2 2; 3 0; 4 3; 0 4]);
%!testif HAVE_RAPIDJSON                  # what_differs_is_said_from_the_counts: by no name
%! c = gpu_compare ("k", "m", "data", ones (1, 32), "report", {report("k", one), report("m", two)});
%! d = c.differences;
%! assert (size (d), [17 1]);
%! values = @(name) d(strcmp ({d.name}, name)).values;
%! assert (values ("bank_conflicts"), [10 0]);
%! assert (values ("worst_way"), [8 1]);
%! assert (values ("sectors"), [8 8]);
%! assert ({d([d.differs]).name}, {"divergent_warps", "bank_conflicts", "worst_way"});
%! assert (c.sentence, ["k has 10 bank conflicts (7 of them in step 1 of block 0, 8-way), m none; k has 1 divergent warp, m none; " ...
%!                      "the same sectors, barriers and warps run."]);
%! c = gpu_compare ("m", "k", "data", ones (1, 32), "report", {report("m", two), report("k", one)});
%! assert (strncmp (c.sentence, "k has 10 bank conflicts", 23));
%! c = gpu_compare ("k", "k", "data", ones (1, 32), "report", {report("k", one), report("k", one)});
%! assert (c.sentence, "No count differs.");
%! c = gpu_compare ("k", "m", "data", ones (1, 32), "report", {report("k", one), report("m", one, true)});
%! assert (c.sentence, "m fails: race; the same bank conflicts, divergent warps, sectors, barriers and warps run.");
%!testif HAVE_RAPIDJSON                  # as_text_a_row_a_step, a_dash_where_there_is_none
%! text = evalc ('gpu_compare ("k", "m", "data", ones (1, 32), "report", {report("k", one), report("m", two)})');
%! lines = strsplit (text, "\n");
%! assert (lines{1}, "k beside m: sum of 32 int32 values, blocks of 32 threads, finish two_pass.");
%! find_line = @(start) strsplit (strtrim (lines{strncmp (lines, start, numel (start))}), " ");
%! assert (find_line ("bank conflicts"), {"bank", "conflicts", "10", "0", "*"});
%! assert (find_line ("sectors  "), {"sectors", "8", "8"});
%! assert (find_line ("     1     0    1 "), {"1", "0", "1", "100%", "0", "7", "8-way", "0", "100%", "0", "0", "0"});
%! assert (find_line ("     1     0    2 "), {"1", "0", "2", "100%", "1", "3", "4-way", "0", "-"});
%! assert (find_line ("     1     1    1 "), {"1", "1", "1", "-", "100%", "0", "0", "0"});
%! assert (any (strcmp (lines, "k: Result 32, the same as the built-in's.")));
%! assert (all (cellfun (@numel, lines) < 120));
%! text = evalc ('gpu_compare ("k", "m", "data", ones (1, 32), "steps", 2, "report", {report("k", one), report("m", two)})');
%! assert (! isempty (strfind (text, '... and 3 more ("steps", 5 shows all)')));
%!testif HAVE_RAPIDJSON                  # the_page_has_all_traces_in_step
%! file = [tempname() ".html"];
%! unwind_protect
%!   c = gpu_compare ("k", "m", "data", ones (1, 32), "html", file, "report", {report("k", one), report("m", two)});
%!   data = jsondecode (regexp (fileread (file), '(?<=id="trace">)[^<]*', "match"){1});
%!   assert (data.order, [0 0; 1 1; 2 NaN; 3 2; NaN 3]);
%!   assert ({data.traces.variant}, {"k", "m"});
%!   assert (data.differences, c.sentence);
%!   assert (numel (data.facts), 17);
%!   c = gpu_compare ("k", "m", "data", ones (1, 32), "html", file, "steps", 2, "report", {report("k", one), report("m", two)});
%!   data = jsondecode (regexp (fileread (file), '(?<=id="trace">)[^<]*', "match"){1});
%!   assert (data.order, [0 0; 1 1]);
%!   assert ([data.traces.hidden], [2 2]);
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%!testif HAVE_RAPIDJSON; system ("gnuplot --version > /dev/null 2>&1") == 0    # drawn_side_by_side
%! file = [tempname() ".png"];
%! unwind_protect
%!   c = gpu_compare ("k", "m", "data", ones (1, 32), "png", file, "report", {report("k", one), report("m", two)});
%!   head = fileread (file)(1:24);
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%! assert (head(2:4), "PNG");
%! assert (double (head(17:20)) * 256 .^ (3:-1:0)', 2 * 1280);

## the simulator's own, where it is
%!function yes = simulates ()
%!  try
%!    t = gpu_trace ("sequential", 32, 32);
%!    yes = true;
%!  catch err
%!    yes = false;
%!  end_try_catch
%!endfunction
%!testif ; simulates ()                  # each_is_traced_as_gpu_trace_does
%! c = gpu_compare ("K1", "sequential", "first_add", 256, 64, "op", "max", "class", "single", "finish", "atomic");
%! for k = 1:3
%!   t = gpu_trace ({"K1", "sequential", "first_add"}{k}, 256, 64, "op", "max", "class", "single", "finish", "atomic");
%!   assert (c.traces(k).totals, t.totals);
%!   assert (c.traces(k).result, t.result);
%! endfor
%! c = gpu_compare ("shared_strided", "sequential", 256, 256);
%! d = c.differences;
%! assert (d(strcmp ({d.name}, "bank_conflicts")).values, [105 0]);
%! assert (strncmp (c.sentence, "shared_strided has 105 bank conflicts (21 of them in step 3 of block 0, 8-way), sequential none;", 95));
%!testif ; simulates ()                  # what_is_not_said_all_kernels_have
%! c = gpu_compare ("bug_no_syncwarp", "sequential");
%! assert ([c.traces.n; c.traces.block], [128 128; 64 64]);
%! assert (strncmp (c.sentence, "bug_no_syncwarp fails: race; ", 29));
%! c = gpu_compare ("bug_block_1024", "sequential");
%! assert ([c.traces.block], [1024 1024]);
%! c = gpu_compare ("global_atomic", "block_shared", 100);
%! assert ({c.traces.op}, {"histogram", "histogram"});
%! fail ('gpu_compare ("bug_block_1024", "bug_shuffle_mask")', "gpu_compare: bug_block_1024 and bug_shuffle_mask have no block size in common");
%! fail ('gpu_compare ("sequential", "no_such")', "gpu_compare: .*no_such");
%! fail ('gpu_compare ("sequential", "K1", 64, 31)', "gpu_compare: BLOCK must be 32");

%!error <Invalid call to gpu_compare> gpu_compare ("sequential")
%!error <gpu_compare: the names of two, three or four kernels come first> gpu_compare ("sequential", 64)
%!error id=gpureduce:invalid-input gpu_compare (1, 2)
%!error <two, three or four> gpu_compare ("a", "b", "c", "d", "e")
%!error <gpu_compare: options must come as pairs> gpu_compare ("sequential", "K1", 64, 64, "html")
%!error <gpu_compare: png must be the name of a file> gpu_compare ("sequential", "K1", "png", 1)
%!error <gpu_compare: html: cannot write .*: it is a folder> gpu_compare ("sequential", "K1", "html", tempdir ())
%!error <gpu_compare: steps must be> gpu_compare ("sequential", "K1", "steps", 0)
