## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## [t, notes] = read_gpu_bench (csv): a table of `make bench-gpu' as a struct of
## columns, and its lines `# name: value' as a struct of strings.

function [t, notes] = read_gpu_bench (csv)

  all = strsplit (strtrim (fileread (csv)), "\n");
  notes = struct ();
  for note = all(strncmp (all, "#", 1))
    parts = regexp (note{1}, '^# (\w+): (.*)$', "tokens", "once");
    if (! isempty (parts))
      notes.(parts{1}) = parts{2};
    endif
  endfor
  cells = cellfun (@(s) strsplit (s, ",", "CollapseDelimiters", false),
                   all(! strncmp (all, "#", 1) & ! strncmp (all, "group,", 6)), "UniformOutput", false);
  cells = vertcat (cells{cellfun("numel", cells) == 8}, cell (0, 8));
  t = struct ("group", {cells(:,1)}, "line", {cells(:,2)}, "class", {cells(:,3)}, "elements", str2double (cells(:,4)),
              "bytes", str2double (cells(:,5)), "who", {cells(:,6)}, "device", str2double (cells(:,7)),
              "call", str2double (cells(:,8)));

endfunction
