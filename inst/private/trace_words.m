## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{t} =} trace_words (@var{t}, @var{limit})
## The trace with what each of its first @var{limit} steps does, in sentences: its field text, and parts, a row
## of structs with slot and text, one for each instruction that warps make in it.
## @end deftypefn

function t = trace_words (t, limit)

  for l = 1:numel (t.launches)
    steps = t.launches(l).steps;
    [steps.text] = deal ("");
    [steps.parts] = deal ([]);
    for k = 1:min (limit, numel (steps))
      [steps(k).text, steps(k).parts] = step_words (steps(k), t.launches(l).block, t.op);
    endfor
    limit -= min (limit, numel (steps));
    t.launches(l).steps = steps;
  endfor

endfunction

function [text, parts] = step_words (s, block, op)

  parts = repmat (struct ("slot", 0, "text", ""), 1, 0);
  list = instructions (s.accesses);
  if (isempty (list))
    sentences = {counts_only(s, block)};
  else
    most = 64;
    for g = list(1:min (end, most))
      parts(end+1) = struct ("slot", g.slot, "text", one_instruction (g, block));
    endfor
    sentences = work_of (list, block, op);
    if (s.bank_conflicts > 0)
      [~, worst] = max (cellfun (@max, {list.passes}) .* ([list.space] == "s"));
      g = list(worst);
      sentences{end+1} = sprintf ("%s, %s (%s in all).", counted (numel (unique (mod (g.thread, 32))), "lane"), bank_words (g), ...
                                  counted (s.bank_conflicts, "bank conflict"));
    elseif (any ([list.space] == "s"))
      sentences{end+1} = "No bank conflicts.";
    endif
    if (s.sectors > s.sectors_needed)
      sentences{end+1} = sprintf ("%s of global memory, where %d would do.", counted (s.sectors, "sector"), s.sectors_needed);
    endif
  endif
  if (s.warps_skipped > 0)
    all_warps = s.warps_issued + s.warps_skipped;
    if (2 * s.warps_skipped == all_warps && all_warps > 2)
      sentences{end+1} = "Half of the warps have nothing to do.";
    else
      sentences{end+1} = sprintf ("%d of %d warps %s nothing to do.", s.warps_skipped, all_warps, {"has", "have"}{1 + (s.warps_skipped > 1)});
    endif
  endif
  if (s.divergent_warps > 0)
    sentences{end+1} = sprintf ("In %s threads take different ways.", counted (s.divergent_warps, "warp"));
  endif
  if (s.barriers > 0)
    sentences{end+1} = "A barrier ends the step.";
  endif
  text = strjoin (sentences, "  ");

endfunction

## Where the trace has no accesses.
function text = counts_only (s, block)

  if (s.active_lanes == 0)
    text = "No thread makes an access.";
    return;
  endif
  did = {};
  for c = {"shared_reads", "read"; "shared_writes", "write"}'
    if (s.(c{1}) > 0)
      did{end+1} = sprintf ("%s of shared memory", counted (s.(c{1}), c{2}));
    endif
  endfor
  for c = {"sectors", "sector"; "shuffles", "shuffle"; "atomics", "atomic"}'
    if (s.(c{1}) > 0)
      did{end+1} = counted (s.(c{1}), c{2});
    endif
  endfor
  text = sprintf ("%d of %s %s at work", s.active_lanes, counted (block, "thread"), {"is", "are"}{1 + (block > 1)});
  if (! isempty (did))
    text = [text ": " and_list(did)];
  endif
  if (s.bank_conflicts > 0)
    text = sprintf ("%s, with %s, up to %d-way", text, counted (s.bank_conflicts, "bank conflict"), s.worst_way);
  endif
  text(end+1) = ".";

endfunction

## The accesses by slot: columns for each.
function list = instructions (a)

  list = [];
  if (isempty (a) || any (cellfun (@isempty, {a.slot})))
    return;
  endif
  [keys, order] = sortrows ([[a.slot](:), [a.thread](:)]);
  a = a(order);
  slot = keys(:,1)';
  thread = keys(:,2)';
  index = numbers ({a.index});
  from = numbers ({a.from});
  value = numbers ({a.value});
  bytes = numbers ({a.bytes});
  passes = numbers ({a.passes});
  wide = max (cellfun (@numel, {a.value}) .* cellfun (@isnumeric, {a.value}), 1);     # accesses of several elements
  simple = wide == 1 & cellfun (@isnumeric, {a.value}) & ! cellfun (@isempty, {a.value});
  starts = [find(diff ([-1, slot]) != 0), numel(a) + 1];
  found = cell (1, numel (starts) - 1);
  for k = 1:numel (found)
    at = starts(k):starts(k+1) - 1;
    first = a(at(1));
    name = first.array;
    if (isempty (name))
      name = "";
    endif
    values = [];
    if (all (simple(at)))
      values = value(at);
    endif
    found{k} = struct ("slot", first.slot, "kind", first.kind, "space", first.space(1), "array", strrep (name, "dynamic shared memory", "shared"), ...
                       "bytes", [bytes(at(1))(isfinite (bytes(at(1)))), 4](1), "wide", wide(at(1)), "thread", thread(at), ...
                       "index", index(at), "from", from(at), "passes", passes(at), "value", values);
  endfor
  list = [found{:}];

endfunction

## The numbers of a cell, NaN where there is none or more than one.
function v = numbers (c)
  v = NaN (1, numel (c));
  one = cellfun (@isnumeric, c) & cellfun (@numel, c) == 1;
  v(one) = double ([c{one}]);
endfunction

## What the threads do, a sentence for each run of instructions of the same threads.
function sentences = work_of (list, block, op)

  sentences = {};
  k = 1;
  while (k <= numel (list))
    last = k;
    while (last < numel (list) && isequal (list(last+1).thread, list(k).thread))
      last++;
    endwhile
    if (numel (sentences) == 4 && last < numel (list))
      sentences{end+1} = sprintf ("%s more.", capital (counted (numel (list) - k + 1, "instruction")));
      return;
    endif
    sentences{end+1} = [who(list(k).thread, block) " " deeds(list(k:last), op) "."];
    k = last + 1;
  endwhile

endfunction

## "read 64 words of shared memory, add them and write 32 words of shared memory"
function text = deeds (list, op)

  one = numel (list(1).thread) == 1;
  did = {};
  k = 1;
  reads = [];
  while (k <= numel (list))
    g = list(k);
    last = k;
    while (last < numel (list) && strcmp (list(last+1).kind, g.kind) && strcmp (list(last+1).array, g.array))
      last++;
    endwhile
    same = list(k:last);
    verb = g.kind;
    switch (g.kind)
      case "shuffle"
        verb = "shuffle";
        far = arrayfun (@distance, same, "UniformOutput", false);
        what = counted (numel (same), "time");
        if (! any (cellfun (@isempty, far)))
          what = sprintf ("%s (from the lane %s)", what, strjoin (unique (far, "stable"), ", "));
        endif
        if (! one)
          did{end+1} = ["shuffle " what];
          verb = "combine";
          what = "what comes with their own";
        endif
      case "atomic"
        verb = "change";
        what = [places_of(same) " by atomics"];
      otherwise
        what = places_of (same);
        if (strcmp (g.kind, "write"))
          did = [did, combination(reads, same, op, one)];
        endif
    endswitch
    if (strcmp (g.kind, "read"))
      reads = [reads, same];
    else
      reads = [];
    endif
    did{end+1} = [verb, {"", "s"}{1 + one}, " ", what];
    k = last + 1;
  endwhile
  if (numel (did) > 9)
    did = [did(1:8), {sprintf("so on, %s in all", counted (numel (list), "instruction"))}];
  endif
  text = and_list (did);

endfunction

## What was done with what was read before it was written, as far as the values tell.
function did = combination (reads, writes, op, one)

  did = {};
  if (isempty (reads) || numel (writes) > 1 || any (cellfun (@isempty, {reads.value, writes.value})))
    return;
  endif
  wrote = writes.value;
  read = reshape ([reads.value], numel (wrote), [])';
  by = {"sum", @(v) sum (v, 1), "add%s them", "add%s it to"
        "prod", @(v) prod (v, 1), "multipl%s them", "multipl%s it by"
        "max", @(v) max (v, [], 1), "take%s the greatest", "take%s the greater of it and"
        "min", @(v) min (v, [], 1), "take%s the least", "take%s the lesser of it and"};
  row = find (strcmp (by(:,1), op));
  if (isempty (row))
    return;
  endif
  ending = {"", "s"; "y", "ies"}{1 + strcmp(op, "prod"), 1 + one};
  close = @(v) all (abs (v - wrote) <= 1e-5 * abs (wrote) + 1e-30 | v == wrote);
  if (rows (read) > 1 && close (by{row,2} (read)))
    did = {sprintf(by{row,3}, ending)};
  elseif (rows (read) == 1 && ! isequal (read, wrote))
    did = {sprintf([by{row,4} " %s own"], ending, {"their", "its"}{1 + one})};
  endif

endfunction

## "64 words of shared memory", "64 elements of x", "result[0]"
function text = places_of (list)

  g = list(1);
  index = unique ([list.index]);
  if (numel (index) == 1 && isfinite (index) && g.wide == 1)
    text = sprintf ("%s[%d]", g.array, index);
  elseif (g.space == "s")
    noun = "word";
    if (g.bytes != 4)
      noun = "value";
    endif
    text = [counted(numel (index) * g.wide, noun) " of shared memory"];
  else
    text = sprintf ("%s of %s", counted (numel (index) * g.wide, "element"), g.array);
  endif

endfunction

## "Lanes 0 to 15 of warp 0 read shared[0, 4, ... 60]: stride 4, 2 words a bank, 2 passes."
function text = one_instruction (g, block)

  one = numel (g.thread) == 1;
  s = {"", "s"}{1 + one};
  switch (g.kind)
    case "shuffle"
      text = sprintf ("take%s a value by shuffle", s);
      far = distance (g);
      if (! isempty (far))
        text = sprintf ("%s, from the lane %s", text, far);
      endif
    case "atomic"
      text = sprintf ("change%s %s by an atomic%s", s, place_text (g), contention (max (g.passes)));
    otherwise
      text = sprintf ("%s%s %s: %s", g.kind, s, place_text (g), cost (g));
  endswitch
  text = sprintf ("%s %s.", who (g.thread, block), text);

endfunction

function text = contention (most)
  text = "";
  if (most > 1)
    text = sprintf (": %d on one address, one after the other", most);
  endif
endfunction

function text = cost (g)
  if (g.space == "s")
    text = bank_words (g);
    return;
  endif
  ## passes are a warp's sectors, told by each of its lanes.
  [~, first] = unique (floor (g.thread / 32), "first");
  sectors = sum (g.passes(first));
  [~, kept] = unique (floor (g.thread / 32) + 1i * g.index);
  warp = floor (g.thread(kept) / 32);
  needed = sum (ceil (accumarray (warp(:) + 1, g.bytes) / 32));
  text = [counted(sectors, "sector") " of 32 bytes"];
  if (sectors > needed)
    text = sprintf ("%s, where %d would do", text, needed);
  endif
endfunction

## "stride 4: 4 words a bank, 4 passes"
function text = bank_words (g)
  passes = max (g.passes);
  step = diff (g.index);
  if (numel (g.thread) == 1 || all (step == 0))
    lanes = "one word";
  elseif (all (step == step(1)))
    lanes = sprintf ("stride %d", step(1) * g.bytes / 4);
  else
    lanes = "scattered";
  endif
  text = sprintf ("%s: 1 pass", lanes);
  if (passes > 1)
    text = sprintf ("%s: %d words a bank, %d passes", lanes, passes, passes);
  endif
endfunction

## Where the lanes of a shuffle take their values from: "16 above"; "" where that differs.
function text = distance (g)
  lane = mod (g.thread, 32);
  from = mod (g.from, 32);
  d = from - lane;
  other = d != 0;                       # at the end of the warp each keeps its own
  text = "";
  x = bitxor (lane(isfinite (from)), from(isfinite (from)));
  if (! any (other) || any (isnan (d)))
    return;
  endif
  if (all (d(other) == d(other)(1)))
    text = sprintf ("%d %s", abs (d(other)(1)), {"below", "above"}{1 + (d(other)(1) > 0)});
  elseif (all (x == x(1)))
    text = sprintf ("%d across", x(1));
  elseif (all (from == from(1)))
    text = sprintf ("of number %d", from(1));
  endif
endfunction

## "shared[0, 2, ... 62]", "x[0...63]"
function text = place_text (g)
  index = unique (g.index(isfinite (g.index)));
  if (isempty (index))
    text = g.array;
  else
    text = sprintf ("%s[%s]", g.array, range_text (index));
  endif
  if (g.wide > 1)
    text = sprintf ("%s, %d elements each", text, g.wide);
  endif
endfunction

## "0", "0 to 31", "0, 2, ... 62", "7 places"
function text = range_text (v)
  step = diff (v);
  if (numel (v) == 1)
    text = sprintf ("%d", v);
  elseif (numel (v) == 2)
    text = sprintf ("%d, %d", v);
  elseif (all (step == 1))
    text = sprintf ("%d to %d", v(1), v(end));
  elseif (all (step == step(1)))
    text = sprintf ("%d, %d, ... %d", v(1), v(2), v(end));
  else
    text = sprintf ("%d places from %d to %d", numel (v), v(1), v(end));
  endif
endfunction

## "All 64 threads", "Lanes 0 to 15 of warp 0", "Warps 0 to 1", "16 threads (0, 4, ... 60)"
function text = who (thread, block)

  thread = unique (thread);
  n = numel (thread);
  warps = unique (floor (thread / 32));
  if (n == 1)
    text = sprintf ("Thread %d", thread);
  elseif (n == block)
    text = sprintf ("All %d threads", n);
  elseif (n == 32 * numel (warps) && all (diff (warps) == 1))
    text = sprintf ("The 32 lanes of warp %d", warps(1));
    if (numel (warps) > 1)
      text = sprintf ("Warps %s (%d threads)", range_text (warps), n);
    endif
  elseif (numel (warps) == 1)
    text = sprintf ("Lanes %d and %d of warp %d", mod (thread(1), 32), mod (thread(end), 32), warps);
    if (n > 2)
      text = sprintf ("Lanes %s of warp %d", range_text (mod (thread, 32)), warps);
      if (any (diff (thread, 2)))
        text = sprintf ("%d lanes of warp %d", n, warps);
      endif
    endif
  else
    text = sprintf ("%d threads (%s)", n, range_text (thread));
    if (any (diff (thread, 2)))
      text = sprintf ("%d threads of %s", n, counted (numel (warps), "warp"));
    endif
  endif

endfunction

function text = counted (n, noun)
  text = sprintf ("%g %s%s", n, noun, {"", "s"}{1 + (n != 1)});
  if (n == 1 && strcmp (noun, "time"))
    text = "once";
  endif
endfunction

function text = capital (text)
  text(1) = toupper (text(1));
endfunction
