## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{t} =} trace_report (@var{report})
## The simulator's report, JSON text or the struct of it, with every field in
## place, launches and steps as rows of structs, and the percentages.
## @end deftypefn

function t = trace_report (report)

  if (ischar (report))
    try
      report = jsondecode (report);
    catch err
      error ("gpureduce:unsupported", "gpu_trace: cannot read the simulator's report: %s", err.message);
    end_try_catch
  endif
  counts = count_names ();
  zero = num2cell (zeros (1, numel (counts)));
  t = with_fields (report, {"variant", "op", "class", "n", "block", "grid", "finish", "scale", "bias", "sampled", "launches", ...
                            "totals", "result", "fault"}, ...
                   {"", "", "", 0, 0, 0, "", 1, 0, false, [], struct(), [], []});
  t.block = prod (t.block);
  t.grid = prod (t.grid);
  t.sampled = logical (t.sampled);
  t.totals = with_fields (t.totals, counts, zero);
  t.result = number_of (t.result);
  pairs = any (strcmp (t.op, {"argmax", "argmin"}));
  launches = row_of (t.launches, {"kernel", "grid", "block", "shared_bytes", "totals", "steps"}, {"", t.grid, t.block, 0, struct(), []});
  for l = 1:numel (launches)
    launches(l).grid = prod (launches(l).grid);
    launches(l).block = prod (launches(l).block);
    launches(l).totals = with_fields (launches(l).totals, counts, zero);
    steps = row_of (launches(l).steps, ["block", "step", "file", "line", "active", counts, "shared", "accesses"], ...
                    [{0, 0, "", 0, ""}, zero, {[], []}]);
    [steps.active_percent] = deal (0);
    [steps.issued_percent] = deal (NaN);
    [steps.sector_percent] = deal (NaN);
    for k = 1:numel (steps)
      s = steps(k);
      s.active = char (s.active);
      s.file = kernel_file (s.file);
      s.shared = shared_of (s.shared, pairs);
      s.accesses = row_of (s.accesses, {"thread", "kind", "space", "array", "index", "bytes", "value", "file", "line", "from", ...
                                         "slot", "passes"}, {0, "", "", "", [], [], [], s.file, s.line, [], [], []});
      [names, ~, which] = unique ({s.accesses.file});
      if (! isempty (which))
        names = cellfun (@kernel_file, names, "UniformOutput", false);
        [s.accesses.file] = names(which){:};
      endif
      texts = cellfun (@ischar, {s.accesses.value});
      if (any (texts))
        [s.accesses(texts).value] = num2cell (str2double ({s.accesses(texts).value})){:};
      endif
      s.active_percent = 100 * s.active_lanes / max (launches(l).block, 1);
      if (s.warps_issued + s.warps_skipped > 0)
        s.issued_percent = 100 * s.warps_issued / (s.warps_issued + s.warps_skipped);
      endif
      if (s.sectors > 0)
        s.sector_percent = 100 * s.sectors_needed / s.sectors;
      endif
      steps(k) = s;
    endfor
    launches(l).steps = steps;
  endfor
  t.launches = launches;
  if (! isempty (t.fault))
    t.fault = fault_of (t.fault);
    if (! isempty (t.fault.other))
      t.fault.other = fault_of (t.fault.other);
    endif
    t.fault.waiting = row_of (t.fault.waiting, {"file", "line", "thread", "block", "threads", "what"}, {"", 0, [], [], 1, ""});
    for k = 1:numel (t.fault.waiting)
      t.fault.waiting(k).file = kernel_file (t.fault.waiting(k).file);
    endfor
  endif

endfunction

function names = count_names ()
  names = {"active_lanes", "warps_issued", "warps_skipped", "divergent_warps", "shared_reads", "shared_writes", ...
           "bank_conflicts", "worst_way", "sectors", "sectors_needed", "sectors_written", "barriers", "shuffles", "atomics", "contention"};
endfunction

function f = fault_of (f)
  f = with_fields (f, {"kind", "kernel", "file", "line", "thread", "block", "what", "cause", "other", "waiting"}, ...
                   {"", "", "", 0, [], [], "", "", [], []});
  f.file = kernel_file (f.file);
  f.thread = reshape (f.thread, 1, []);
  f.block = reshape (f.block, 1, []);
endfunction

## The values of shared memory as a row, NA where nothing has been written; pairs
## of a value and an index as a cell, [] there.
function row = shared_of (list, pairs)

  if (isempty (list))
    row = [];
  elseif (pairs)
    row = list;
    if (isnumeric (list))
      row = num2cell (list, 2);
    endif
    row = cellfun (@(v) reshape (number_of (v), 1, []), reshape (row, 1, []), "UniformOutput", false);
    row(cellfun (@(v) isscalar (v) && isnan (v), row)) = {[]};
  elseif (isnumeric (list))
    row = reshape (list, 1, []);
    row(isnan (row)) = NA;
  else
    list(cellfun (@isempty, list)) = {NA};
    row = cellfun (@number_of, reshape (list, 1, []));
  endif

endfunction

## JSON has no NaN and Inf: they come as text, alone or in a list.
function v = number_of (v)
  if (ischar (v))
    v = str2double (v);
  elseif (iscell (v))
    v(cellfun (@isempty, v)) = {NaN};
    v = cellfun (@number_of, v);
  endif
endfunction

## S with the fields, in that order; then those it has besides.
function r = with_fields (s, names, defaults)
  for i = 1:numel (names)
    if (! isfield (s, names{i}))
      s.(names{i}) = defaults{i};
    endif
  endfor
  r = orderfields (s, [names(:); setdiff(fieldnames (s), names, "stable")(:)]);
endfunction

## A row of structs with these fields only, of what jsondecode makes of a list:
## structs alike, or a cell of structs that differ.
function r = row_of (list, names, defaults)
  if (isempty (list))
    r = repmat (cell2struct (defaults(:), names(:), 1), 1, 0);
    return;
  endif
  if (iscell (list))
    has = cellfun (@(s) isfield (s, names) & true (size (names)), list(:), "UniformOutput", false);    # also of a null: false alone
    has = vertcat (has{:});
    values = cell (numel (names), numel (list));
    for i = 1:numel (names)
      values(i,:) = defaults(i);
      there = has(:,i);
      values(i,there) = cellfun (@(s) s.(names{i}), list(there), "UniformOutput", false);
    endfor
    r = reshape (cell2struct (values, names(:), 1), 1, []);
    return;
  endif
  values = cell (numel (names), numel (list));
  for i = 1:numel (names)
    if (isfield (list, names{i}))
      values(i,:) = {list.(names{i})};
    else
      values(i,:) = defaults(i);
    endif
  endfor
  r = reshape (cell2struct (values, names(:), 1), 1, []);
endfunction
