## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} trace_plot (@var{t}, @var{limit}, @var{file})
## Draw the first @var{limit} steps by gnuplot: threads against steps, and counts
## beside them.
## @end deftypefn

function trace_plot (t, limit, file)

  [map, labels, counts] = rows_of (t, limit);
  [steps, threads] = size (map);
  if (steps == 0)
    error ("gpureduce:unsupported", "gpu_trace: png: the trace has no steps");
  endif
  all_steps = sum (arrayfun (@(l) numel (l.steps), t.launches));
  part = "";
  if (steps < all_steps)
    part = sprintf ("; the first %d of %d steps", steps, all_steps);
  endif
  height = round (190 + min (max (steps * 22, 200), 1400));

  data = tempname ();
  unwind_protect
    write (data, [sprintf("%d %g %g %d\n", runs_of (map)'), "\n\n", ...
                  sprintf([repmat(" %g", 1, columns (counts)) "\n"], counts')]);
    top = 92 / height;
    bottom = 62 / height;
    shared = {
      sprintf("set multiplot title %s font ',14' offset 0,-0.3", quoted (escaped (t.title)))
      "set tics out nomirror"
      "set border lw 0.5 lc rgb '#888888'"
      sprintf("set tmargin at screen %g", 1 - top)
      sprintf("set bmargin at screen %g", bottom)
      sprintf("set yrange [%g:-0.5]", steps - 0.5)
      "unset key"
      "unset colorbox"
      "set cbrange [0:2]"
      "set palette maxcolors 3 defined (0 '#eceff3', 1 '#a9c8e8', 2 '#1668b8')"
      "set lmargin at screen 0.115"
      "set rmargin at screen 0.505"
      sprintf("set xrange [-0.5:%g]", threads - 0.5)
      sprintf("set xtics %d", max (16, ceil (threads / 8 / 16) * 16))
      ["set xlabel 'thread of the block; white lines between warps" part "'"]
      sprintf("set label 10 '%s' at screen 0.105,%g right", axis_name (t), 1 - top + 16 / height)
      sprintf("set label 11 '{/:Bold ■} makes an access' at screen 0.115,%g tc rgb '#1668b8'", 1 - top + 18 / height)
      sprintf("set label 12 '{/:Bold ■} runs without' at screen 0.265,%g tc rgb '#7ba6d0'", 1 - top + 18 / height)
      sprintf("set label 13 '{/:Bold ■} idle' at screen 0.395,%g tc rgb '#b4bcc6'", 1 - top + 18 / height)
      sprintf("set label 14 %s at screen 0.985,%g right tc rgb '%s'", ...
              quoted (escaped (shortened ([t.fault_text "  " t.verdict]))), 1 - 44 / height, colour (t))
      ["set ytics (" strjoin(labels, ", ") ")"]
      strjoin(warp_lines (threads, steps), "\n")
      sprintf(["plot %s index 0 using 2:1:2:3:($1-0.5):($1+0.5):4 with boxxyerror fs solid noborder lc palette"], quoted (data))
      "unset arrow"
      "unset label"
      };
    panels = {
      "active, %",     1, "#1668b8", 0, ""
      "warps run",           2, "#1668b8", 3, "#c9d3de"
      "bank conflicts",      4, "#d1495b", 0, ""
      "sectors",             5, "#e09f3e", 6, "#a8742a"
      "divergent warps",     7, "#8a5fbf", 0, ""
      };
    captions = {"", "grey: skipped", "", "dark: needed", ""};
    left = 0.525;
    width = (0.985 - left) / rows (panels);
    for p = 1:rows (panels)
      shared = [shared; panel(panels(p,:), captions{p}, counts, data, left + (p - 1) * width, width - 0.014, 1 - top, height)];
    endfor
    why = __gpr_gnuplot__ (file, 1280, height, "enhanced font 'sans,10'", strjoin ([shared; {"unset multiplot"}]', "\n"));
  unwind_protect_cleanup
    unlink (data);
  end_unwind_protect
  if (! isempty (why))
    error ("gpureduce:unsupported", "gpu_trace: png: %s", why);
  endif

endfunction

## A row a step: 2 where a thread makes an access, 1 where it runs; what stands at
## the axis; the counts.
function [map, labels, counts] = rows_of (t, limit)

  steps = {};
  counts = [];
  names = {};
  for l = 1:numel (t.launches)
    for s = t.launches(l).steps
      if (numel (steps) == limit)
        break;
      endif
      steps{end+1} = (s.active == "#") * 2 + (s.active == ".");
      name = sprintf ("%d, %d", s.block, s.step);
      if (numel (t.launches) > 1)
        name = sprintf ("%d: %s", l, name);
      endif
      names{end+1} = name;
      counts(end+1,:) = [numel(steps)-1, s.active_percent, s.warps_issued, s.warps_issued+s.warps_skipped, ...
                         s.bank_conflicts, s.sectors, s.sectors_needed, s.divergent_warps];
    endfor
  endfor
  threads = max ([cellfun(@numel, steps), 1]);
  map = zeros (numel (steps), threads);
  for k = 1:numel (steps)
    map(k,1:numel (steps{k})) = steps{k};
  endfor
  every = max (1, ceil (numel (names) / 60));
  labels = {};
  for k = 1:every:numel (names)
    labels{end+1} = sprintf ("'%s' %d", names{k}, k - 1);
  endfor

endfunction

## A column of bars; where it has a second count this lies behind or before it.
function lines = panel (p, caption, counts, data, left, width, top, height)

  [name, column, fill, second, other] = p{:};
  most = max (counts(:,1+column));
  if (second)
    most = max (most, max (counts(:,1+second)));
  endif
  if (column == 1)
    most = 100;
  endif
  bar = @(c, colour, half) sprintf ("%s index 1 using (0):0:(0):%d:($0-%g):($0+%g) with boxxyerror fs solid noborder lc rgb '%s'", ...
                                    quoted (data), c + 1, half, half, colour);
  bars = {bar(column, fill, 0.36)};
  ends = sprintf ("%d", column + 1);
  if (second)
    ends = sprintf ("($%d>$%d?$%d:$%d)", column + 1, second + 1, column + 1, second + 1);
  endif
  if (second && column == 2)
    bars = [{bar(second, other, 0.36)}, bars];
  elseif (second)
    bars{end+1} = bar (second, other, 0.14);
  endif
  if (rows (counts) <= 60)
    bars{end+1} = sprintf ("%s index 1 using %s:0:($%d > 0 ? sprintf('%%.3g', $%d) : '') with labels left offset 0.2,0 font ',8' tc rgb '#333333'", ...
                           quoted (data), ends, column + 1, column + 1);
  endif
  lines = {
    sprintf("set lmargin at screen %g", left)
    sprintf("set rmargin at screen %g", left + width)
    sprintf("set xrange [0:%g]", max (most, 1) * 1.32)
    sprintf("set xtics 0,%g", max (most, 1))
    "unset ytics"
    "unset xlabel"
    sprintf("set label 1 '%s' at screen %g,%g left font ',11'", name, left, top + 18 / height)
    sprintf("set label 2 '%s' at screen %g,%g left font ',9' tc rgb '#555555'", caption, left, 22 / height)
    ["plot " strjoin(bars, ", ")]
    };

endfunction

## Equal neighbours of a row together: row, first, last edge, state.
function r = runs_of (map)
  r = zeros (0, 4);
  for k = 1:rows (map)
    ends = [find(diff (map(k,:)) != 0), columns(map)];
    starts = [1, ends(1:end-1) + 1];
    r = [r; (k - 1) * ones(numel (ends), 1), starts' - 1.5, ends' - 0.5, map(k,ends)'];
  endfor
endfunction

function name = axis_name (t)
  name = "block, step";
  if (numel (t.launches) > 1)
    name = "launch: block, step";
  endif
endfunction

function lines = warp_lines (threads, steps)
  lines = {};
  for x = 32:32:threads - 1
    lines{end+1} = sprintf ("set arrow from %g,-0.5 to %g,%g nohead front lw 1.5 lc rgb 'white'", x - 0.5, x - 0.5, steps - 0.5);
  endfor
  if (steps <= 60)
    for y = 1:steps - 1
      lines{end+1} = sprintf ("set arrow from -0.5,%g to %g,%g nohead front lw 1.5 lc rgb 'white'", y - 0.5, threads - 0.5, y - 0.5);
    endfor
  endif
endfunction

function c = colour (t)
  c = "#2f7d4f";
  if (! t.agrees)
    c = "#b3202e";
  endif
endfunction

function text = shortened (text)
  text = strtrim (text);
  if (numel (text) > 170)
    text = [text(1:165) " ..."];
  endif
endfunction

function text = escaped (text)
  text = regexprep (text, '([_^{}@&~\\])', '\\$1');
  text = regexprep (text, '[\r\n]', " ");
endfunction

function text = quoted (text)
  text = ["'" strrep(text, "'", "''") "'"];
endfunction

function write (file, text)
  fid = fopen (file, "w");
  fputs (fid, text);
  fclose (fid);
endfunction
