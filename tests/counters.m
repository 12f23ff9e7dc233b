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
  seen = containers.Map ();
  for step = t.launches(1).steps
    a = step.accesses;
    a = a(strcmp ({a.space}, "shared"));
    done = containers.Map ();
    for k = 1:numel (a)
      place = sprintf ("%s %s:%d", a(k).kind, a(k).file, a(k).line);
      mine = sprintf ("%d %s", a(k).thread, place);
      if (! isKey (done, mine))
        done(mine) = 0;
      endif
      done(mine) += 1;
      group = sprintf ("%d %d %d %s %d", step.block, step.step, floor (a(k).thread / 32), place, done(mine));
      field = merge (strcmp (a(k).kind, "read"), "load", "store");
      c.([field "_lanes"]) += 1;
      if (! isKey (seen, group))
        seen(group) = true;
        c.([field "_warps"]) += 1;
      endif
    endfor
  endfor
endfunction

## The cells of the lines of comma-separated values in what ncu prints.
function rows = cells_of (text)
  rows = {};
  for line = strsplit (text, "\n")
    if (! isempty (line{1}) && line{1}(1) == '"')
      rows{end+1} = strsplit (line{1}(2:end-1), '","', "collapsedelimiters", false);
    endif
  endfor
endfunction

function counts = measured (names)
  folder = fullfile ("build", "check");
  metrics = {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", ...
             "smsp__sass_inst_executed_op_shared_ld.sum", "smsp__sass_inst_executed_op_shared_st.sum"};
  number = @(cell) str2double (strrep (cell, ",", ""));
  rows = cells_of (fileread (fullfile (folder, "counters-kernels.csv")));
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
  for row = cells_of (fileread (fullfile (folder, "counters-instructions.csv")))
    row = row{1};
    if (strcmp (row{1}, "Kernel Name"))
      name = regexprep (row{2}, '^void (\w+)<.*', '$1');
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
