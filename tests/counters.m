## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The simulator's counts of shared memory against the GPU's own counters, which ncu
## reads (tests/check-gpu.sh starts it), for every rung that keeps its values there: accesses by lane and by warp
## (lanes a warp: divergence), and bank conflicts.  They agree exactly.  (Not of the
## rungs with a loop over the grid: the simulator takes smaller grids.)

addpath (fileparts (mfilename ("fullpath")));

## Of a trace: accesses to shared memory by lane and by warp.  A warp's lanes access
## together what they access from the same line for the same time in a step.
function c = simulated (name, n, block)
  c = struct ("load_lanes", 0, "load_warps", 0, "store_lanes", 0, "store_warps", 0, "conflicts", 0);
  t = gpu_trace (name, n, block, "finish", "atomic", "steps", 1000);
  c.conflicts = t.totals.bank_conflicts;
  for step = t.launches(1).steps
    a = step.accesses(strcmp ({step.accesses.space}, "shared"));
    if (isempty (a))
      continue;
    endif
    reads = strcmp ({a.kind}, "read")';
    [~, ~, file] = unique ({a.file});
    place = [file(:), [a.line]', reads];
    mine = [[a.thread]', place];
    [~, ~, who] = unique (mine, "rows");
    time = zeros (numel (a), 1);        # the how manieth of this thread at this place
    for k = 1:max (who)
      time(who == k) = 1:sum (who == k);
    endfor
    groups = unique ([floor([a.thread]' / 32), place, time], "rows");
    c.load_lanes += sum (reads);
    c.store_lanes += sum (! reads);
    c.load_warps += sum (groups(:,4) == 1);
    c.store_warps += sum (groups(:,4) == 0);
  endfor
endfunction

## The cells of the lines of comma-separated values in what ncu prints, of those
## that have one of some cells.
function rows = cells_of (file, wanted)
  lines = strsplit (fileread (fullfile ("build", "check", file)), "\n");
  lines = lines(! cellfun (@isempty, regexp (lines, ['^"' wanted], "once")));
  rows = cellfun (@(line) strsplit (line(2:end-1), '","', "collapsedelimiters", false), lines, "uniformoutput", false);
endfunction

function counts = measured (names)
  metrics = {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", ...
             "smsp__sass_inst_executed_op_shared_ld.sum", "smsp__sass_inst_executed_op_shared_st.sum"};
  number = @(cell) str2double (strrep (cell, ",", ""));
  rows = cells_of ("counters-kernels.csv", "");
  head = rows{1};
  at = cellfun (@(m) find (strcmp (head, m)), metrics);
  kernel = find (strcmp (head, "Kernel Name"));
  counts = struct ();
  for k = 2:numel (rows)
    name = regexp (rows{k}{kernel}, '^void (\w+)<', "tokens", "once");
    if (numel (rows{k}) == numel (head) && ! isempty (name) && any (strcmp (name{1}, names)))
      v = cellfun (number, rows{k}(at));
      counts.(name{1}) = struct ("load_lanes", 0, "load_warps", v(3), "store_lanes", 0, "store_warps", v(4), "conflicts", v(1) + v(2));
    endif
  endfor
  name = "";
  for row = cells_of ("counters-instructions.csv", '(Kernel Name|Address|.*"Shared",)')
    row = row{1};
    if (strcmp (row{1}, "Kernel Name"))
      name = regexprep (row{2}, '^void (\w+)<.*', '$1');
      if (isfield (counts, name))       # some versions of ncu print the same page twice
        [counts.(name).load_lanes, counts.(name).store_lanes] = deal (0);
      endif
    elseif (strcmp (row{1}, "Address"))
      columns = cellfun (@(c) find (strcmp (row, c), 1), {"Address Space", "Access Operation", "Predicated-On Thread Instructions Executed"});
    elseif (isfield (counts, name) && strcmp (row{columns(1)}, "Shared"))
      counts.(name).([tolower(row{columns(2)}) "_lanes"]) += number (row{columns(3)});
    endif
  endfor
endfunction

names = {"shared_modulo", "shared_bitmask", "shared_strided", "sequential", "first_add", "unroll_last_warp", ...
         "unrolled", "warp_shuffle", "full_shuffle"};
n = 2048;
block = 256;
if (getenv ("COUNTERS"))         # under ncu
  for name = names
    gpu_reduce (int32 (1:n), "sum", "variant", name{1}, "finish", "atomic", "block", block, "device", "gpu");
  endfor
  return;
endif
hardware = measured (names);
printf ("int32 sum of %d, block %d, finish atomic; GPU / simulator\n%-18s %15s %15s %15s %15s %13s %13s\n", n, block, "variant", ...
        "loads by lane", "by warp", "stores by lane", "by warp", "lanes active", "conflicts");
for name = names
  name = name{1};
  s = simulated (name, n, block);
  if (! isfield (hardware, name))
    tally (false, "ncu says nothing of %s", name);
    continue;
  endif
  h = hardware.(name);
  share = @(c) 100 * (c.load_lanes + c.store_lanes) / (32 * (c.load_warps + c.store_warps));
  printf ("%-18s %7d /%6d %7d /%6d %7d /%6d %7d /%6d %5.1f /%4.1f %% %5d /%6d\n", name, h.load_lanes, s.load_lanes, ...
          h.load_warps, s.load_warps, h.store_lanes, s.store_lanes, h.store_warps, s.store_warps, share (h), share (s), ...
          h.conflicts, s.conflicts);
  for field = fieldnames (s)'
    tally (h.(field{1}) == s.(field{1}), "%s %s: %d, simulator %d", name, field{1}, h.(field{1}), s.(field{1}));
  endfor
endfor
tally (hardware.shared_strided.conflicts > 0, "no conflicts anywhere");
tally ();
