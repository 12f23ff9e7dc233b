## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{text} =} trace_text (@var{t}, @var{limit})
## The trace as lines of text: the first @var{limit} steps, the totals, the result.
## @end deftypefn

function text = trace_text (t, limit)

  lines = {[t.title "."]; "A character a thread: # makes an access, . runs without, blank is idle or has left."; ""};
  left = limit;
  hidden = 0;
  sampled = "";
  if (t.sampled)
    sampled = "; not all of it is shown";
  endif
  for l = 1:numel (t.launches)
    launch = t.launches(l);
    lines{end+1} = sprintf ("Launch %d: %s, %s%s", l, launch.kernel, blocks_of (launch.grid, launch.block), sampled);
    shown = launch.steps(1:min (left, numel (launch.steps)));
    hidden += numel (launch.steps) - numel (shown);
    left -= numel (shown);
    if (! isempty (shown))
      lines{end+1} = ["block step  0       8       16      24        active warps run  diver- bank       sectors " ...
                      "bar- shuf- ato-  line"];
      lines{end+1} = ["                                                lanes  +skipped  gent  conflicts  (needed)" ...
                      " rier fles  mics"];
    endif
    for s = shown
      lines = [lines; step_lines(s, t.variant)];
    endfor
    lines = [lines; work_line(launch.totals); {""}];
  endfor
  if (hidden > 0)
    s = "s";
    if (hidden == 1)
      s = "";
    endif
    lines{end+1} = sprintf ("... and %d more step%s (\"steps\", %d shows all)", hidden, s, limit + hidden);
    lines{end+1} = "";
  endif

  c = t.totals;
  lines{end+1} = sprintf ("In all: warps %g run, %g skipped, %g divergent; shared memory %g reads, %g writes, %g bank conflicts%s;", ...
                          c.warps_issued, c.warps_skipped, c.divergent_warps, c.shared_reads, c.shared_writes, ...
                          c.bank_conflicts, ways (c));
  lines{end+1} = sprintf ("sectors %g, needed %g, written %g; %g barriers, %g shuffles, %g atomics%s.", c.sectors, c.sectors_needed, c.sectors_written, ...
                          c.barriers, c.shuffles, c.atomics, contention (c));
  if (! isempty (t.fault_text))
    lines{end+1} = t.fault_text;
  endif
  lines{end+1} = t.verdict;
  if (! isempty (t.model))
    lines{end+1} = t.model.text;
  endif
  text = strjoin (lines(:)', "\n");

endfunction

## What whole warps did in a launch; none of a report without these counts.
function lines = work_line (c)

  lines = {};
  if (isfield (c, "issued"))
    w = c.issued;
    taking_part = "";
    if (isfield (w, "lanes") && w.accesses > 0)
      taking_part = sprintf ("; %.3g of 32 lanes take part in one", w.lanes / w.accesses);
    endif
    lines = {sprintf(["Warps in all: %g basic blocks, %g divisions; accesses: global memory %g, shared %g in %g passes; " ...
                      "%g shuffles, %g atomics%s."], w.blocks, w.divisions, w.reads + w.writes, w.shared, w.shared + c.bank_conflicts, ...
                      w.shuffles, w.atomics, taking_part)};
  endif

endfunction

## The row of a step, and a line for each further warp.
function lines = step_lines (s, variant)

  lanes = s.active;
  warps = max (1, ceil (numel (lanes) / 32));
  lanes(end+1:32*warps) = " ";
  lanes = reshape (lanes, 32, warps)';
  percent = sprintf ("%.3g%%", s.active_percent);
  conflicts = sprintf ("%g", s.bank_conflicts);
  sectors = sprintf ("%g", s.sectors);
  if (s.bank_conflicts > 0 && s.worst_way > 1)
    conflicts = sprintf ("%g %g-way", s.bank_conflicts, s.worst_way);
  endif
  [~, name, ext] = fileparts (s.file);
  where = sprintf ("%d", s.line);
  if (! isempty (name) && ! strcmp (name, variant))
    where = sprintf ("%s%s:%d", name, ext, s.line);
  endif
  if (s.sectors > 0)
    sectors = sprintf ("%g (%g)", s.sectors, s.sectors_needed);
  endif
  lines = {sprintf("%5d %4d |%s| %8s %9s %6g %10s %9s %4g %5g %5s  %s", s.block, s.step, lanes(1,:), percent, ...
                   sprintf ("%g+%g", s.warps_issued, s.warps_skipped), s.divergent_warps, conflicts, sectors, ...
                   s.barriers, s.shuffles, sprintf ("%g", s.atomics), where)};
  for w = 2:min (warps, 4)
    lines{end+1,1} = sprintf ("           |%s|", lanes(w,:));
  endfor
  if (warps > 4)
    lines{end+1,1} = sprintf ("            %d more warps: %d threads make an access, %d run without", warps - 4, ...
                              sum (lanes(5:end,:)(:) == "#"), sum (lanes(5:end,:)(:) == "."));
  endif
  lines = [lines; substep_lines(s)];

endfunction

## What a single warp does in a step by fewer and fewer lanes, as the last steps of a reduction without its loop: a row
## for the instructions one after the other that the same lanes carry out.
function lines = substep_lines (s)

  lines = {};
  if (! isfield (s, "accesses") || isempty (s.accesses) || ! isfield (s.accesses, "slot"))
    return;
  endif
  thread = [s.accesses.thread];
  slot = [s.accesses.slot];
  warp = floor (thread(1) / 32);
  if (numel (slot) != numel (thread) || any (floor (thread / 32) != warp))
    return;
  endif
  takes_part = false (max (slot) - min (slot) + 1, 32);
  takes_part(sub2ind (size (takes_part), slot - min (slot) + 1, thread - 32 * warp + 1)) = true;
  takes_part(! any (takes_part, 2),:) = [];
  first = [true; any(diff (takes_part), 2)];
  begins = find (first);
  if (numel (begins) < 2)
    return;
  endif
  counts = diff ([begins; rows(takes_part) + 1]);
  for k = 1:numel (begins)
    lanes = repmat (".", 1, 32);
    lanes(takes_part(begins(k),:)) = "#";
    plural = "s"(counts(k) > 1);
    lines{end+1,1} = sprintf ("%10s |%s| %8.3g%%  warp %d, %d instruction%s", sprintf ("%d.%d", s.step, k), lanes, ...
                              100 * mean (takes_part(begins(k),:)), warp, counts(k), plural);
  endfor

endfunction

function text = ways (c)
  text = "";
  if (c.bank_conflicts > 0 && c.worst_way > 1)
    text = sprintf (" (up to %g-way)", c.worst_way);
  endif
endfunction

function text = contention (c)
  text = "";
  if (c.contention > 1)
    text = sprintf (" (up to %g on one address)", c.contention);
  endif
endfunction

function text = blocks_of (grid, block)
  text = sprintf ("%d blocks of %d threads", grid, block);
  if (grid == 1)
    text = sprintf ("1 block of %d threads", block);
  endif
endfunction
