## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## rows = model_rows (): what bench/results/ladder-*.csv say of kernels of the ladder, a struct array with the columns of the
## files, card, table (the preset, "" of the H100's) and source_ms; rows (k).run numbers the kernel with its class, block and finish.
## [rows, profiles] = model_rows (): with the simulator's counts of these runs, as bench/results/model-counts.csv has them.
## model_rows (profiles): writes that file.

function [rows, profiles] = model_rows (profiles)

  results = fullfile (fileparts (fileparts (mfilename ("fullpath"))), "results");
  counts_file = fullfile (results, "model-counts.csv");
  if (nargin > 0)
    write_counts (counts_file, profiles);
    return;
  endif
  rows = [];
  for table = {"guide", "shmoo", "bandwidth", "harris", "histogram", ""}
    card = merge (isempty (table{1}), "H100", "H200");
    file = ["ladder-" lower(card) merge(isempty (table{1}), "", "-") table{1} ".csv"];
    for r = table_of (fullfile (results, file))
      s = struct ("card", card, "table", table{1});
      for name = {"variant", "op", "class", "finish"}
        s.(name{1}) = r.(name{1});
      endfor
      for name = {"n", "block", "bins", "kernel_ms"}
        s.(name{1}) = str2double (r.(name{1}));
      endfor
      s.source_ms = NaN;
      if (isfield (r, "source"))
        s.source_ms = str2double (r.source);
        if (any (strcmp (s.table, {"bandwidth", "histogram"})))         # in GB/s
          s.source_ms = s.n * sizeof (cast (0, s.class)) / s.source_ms * 1e-6;
        endif
      endif
      if (! any (strcmp (s.variant, {"cub", "cublas", "thrust", "engine"})))
        rows = [rows, s];
      endif
    endfor
  endfor
  keys = arrayfun (@(r) sprintf ("%s %s %s %d %d %s", r.variant, r.op, r.class, r.block, r.bins * strcmp (r.op, "histogram"), r.finish), ...
                   rows, "UniformOutput", false);
  [~, ~, run] = unique (keys);
  [rows.run] = num2cell (run){:};
  if (nargout > 1)
    profiles = read_counts (counts_file);
  endif

endfunction

## A row of structs of texts.
function t = table_of (file)
  lines = strsplit (strtrim (fileread (file)), "\n");
  lines = lines(! strncmp (lines, "#", 1));
  cells = cellfun (@(line) strsplit (regexprep (line, '"[^"]*"', ""), ",", "CollapseDelimiters", false), lines, "UniformOutput", false);
  cells = vertcat (cells{:});
  t = cell2struct (cells(2:end,:), cells(1,:), 2)';
endfunction

## A line for each launch and what its counts grow with.
function write_counts (file, profiles)

  names = __gpr_predict__ ("counts", "all");
  fid = fopen (file, "w");
  fprintf (fid, "# the simulator's counts that the model reads, of a launch, a block and a tile (doc/model.md); tools/octave bench/model.m writes them\n");
  fprintf (fid, "run,variant,op,class,block,finish,bins,tile,one_thread,grid_stride,kernel,threads,shared,of%s\n", sprintf (",%s", names{:}));
  for k = 1:numel (profiles)
    p = profiles{k};
    for l = p.launches
      for of = 1:3
        fprintf (fid, "%d,%s,%s,%s,%d,%s,%d,%d,%d,%d,%s,%d,%d,%d%s\n", k, p.variant, p.op, p.class, p.block, p.finish, p.bins, p.tile, ...
                 p.one_thread, p.grid_stride, l.kernel, l.threads, l.shared, of, sprintf (",%.6g", l.counts(:,of)));
      endfor
    endfor
  endfor
  fclose (fid);

endfunction

function profiles = read_counts (file)

  names = __gpr_predict__ ("counts", "all");
  profiles = {};
  launch = 0;
  for r = table_of (file)
    k = str2double (r.run);
    of = str2double (r.of);
    if (k > numel (profiles))
      profiles{k} = struct ("variant", r.variant, "op", r.op, "class", r.class, "block", str2double (r.block), "finish", r.finish, ...
                            "bins", str2double (r.bins), "tile", str2double (r.tile), "one_thread", str2double (r.one_thread), ...
                            "grid_stride", str2double (r.grid_stride), "launches", []);
      launch = 0;
    endif
    launch += of == 1;
    profiles{k}.launches(launch).kernel = r.kernel;
    profiles{k}.launches(launch).threads = str2double (r.threads);
    profiles{k}.launches(launch).shared = str2double (r.shared);
    profiles{k}.launches(launch).counts(:,of) = cellfun (@(name) str2double (r.(name)), names)(:);
  endfor

endfunction
