## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} trace_plot (@var{t}, @var{limit}, @var{file})
## @deftypefnx {} {} trace_plot (@var{traces}, @var{limit}, @var{file}, @var{order})
## Draw the first @var{limit} steps by gnuplot: threads against steps, and counts
## beside them.  Several traces, a cell array, stand side by side; @var{order} has a row for
## each row of the plot, the number of each trace's step or 0.
## @end deftypefn

function trace_plot (t, limit, file, order)

  if (nargin < 4)
    order = (1:sum (arrayfun (@(l) numel (l.steps), t.launches)))';
    t = {t};
  endif
  all_steps = rows (order);
  order = order(1:min (end, limit),:);
  steps = rows (order);
  if (steps == 0)
    error ("gpureduce:unsupported", "gpu_trace: png: the trace has no steps");
  endif
  part = "";
  if (steps < all_steps)
    part = sprintf ("; the first %d of %d steps", steps, all_steps);
  endif
  height = round (190 + min (max (steps * 22, 200), 1400));

  [maps, labels, counts] = cellfun (@rows_of, t, num2cell (order, 1), "UniformOutput", false);
  most = max (cat (1, counts{:}), [], 1);       # one scale for all
  data = tempname ();
  unwind_protect
    script = {"set multiplot"};
    text = "";
    for k = 1:numel (t)
      text = [text, sprintf("%d %g %g %d\n", runs_of (maps{k})'), "\n\n", ...
              sprintf([repmat(" %g", 1, columns (counts{k})) "\n"], counts{k}'), "\n\n"];
      across = @(x) (k - 1 + x) / numel (t);
      script = [script; one_trace(t{k}, maps{k}, labels{k}, counts{k}, most, part, height, across, quoted (data), 2 * k - 2)];
    endfor
    write (data, text);
    why = __gpr_gnuplot__ (file, 1280 * numel (t), height, "enhanced font 'sans,10'", strjoin ([script; {"unset multiplot"}]', "\n"));
  unwind_protect_cleanup
    unlink (data);
  end_unwind_protect
  if (! isempty (why))
    error ("gpureduce:unsupported", "gpu_trace: png: %s", why);
  endif

endfunction

## The commands for one trace, whose data are indices FIRST and FIRST + 1 of the file; ACROSS gives
## the place on the screen of one within its part.
function lines = one_trace (t, map, labels, counts, most, part, height, across, data, first)

  [steps, threads] = size (map);
  top = 92 / height;
  bottom = 62 / height;
  lines = {
    "set tics out nomirror"
    "set border lw 0.5 lc rgb '#888888'"
    sprintf("set tmargin at screen %g", 1 - top)
    sprintf("set bmargin at screen %g", bottom)
    sprintf("set yrange [%g:-0.5]", steps - 0.5)
    "unset key"
    "unset colorbox"
    "set cbrange [0:2]"
    "set palette maxcolors 3 defined (0 '#eceff3', 1 '#a9c8e8', 2 '#1668b8')"
    sprintf("set lmargin at screen %g", across (0.115))
    sprintf("set rmargin at screen %g", across (0.505))
    sprintf("set xrange [-0.5:%g]", threads - 0.5)
    sprintf("set xtics %d autofreq", max (16, ceil (threads / 8 / 16) * 16))
    ["set xlabel 'thread of the block; white lines between warps" part "'"]
    sprintf("set label 9 %s at screen %g,%g center font ',14'", quoted (escaped (t.title)), across (0.5), 1 - 16 / height)
    sprintf("set label 10 '%s' at screen %g,%g right", axis_name (t), across (0.105), 1 - top + 16 / height)
    sprintf("set label 11 '{/:Bold ■} makes an access' at screen %g,%g tc rgb '#1668b8'", across (0.115), 1 - top + 18 / height)
    sprintf("set label 12 '{/:Bold ■} runs without' at screen %g,%g tc rgb '#7ba6d0'", across (0.265), 1 - top + 18 / height)
    sprintf("set label 13 '{/:Bold ■} idle' at screen %g,%g tc rgb '#b4bcc6'", across (0.395), 1 - top + 18 / height)
    sprintf("set label 14 %s at screen %g,%g right tc rgb '%s'", ...
            quoted (escaped (shortened ([t.fault_text "  " t.verdict]))), across (0.985), 1 - 44 / height, colour (t))
    ["set ytics (" strjoin(labels, ", ") ")"]
    strjoin(warp_lines (threads, steps), "\n")
    sprintf(["plot %s index %d using 2:1:2:3:($1-0.5):($1+0.5):4 with boxxyerror fs solid noborder lc palette"], data, first)
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
    from = left + (p - 1) * width;
    lines = [lines; panel(panels(p,:), captions{p}, counts, most, sprintf ("%s index %d", data, first + 1), ...
                          across (from), across (from + width - 0.014), 1 - top, height)];
  endfor

endfunction

## A row a step: 2 where a thread makes an access, 1 where it runs; what stands at
## the axis; the counts.  Of a step 0, which the trace has not, nothing.
function [map, labels, counts] = rows_of (t, order)

  all = {};
  names = {};
  for l = 1:numel (t.launches)
    for s = t.launches(l).steps
      name = sprintf ("%d, %d", s.block, s.step);
      if (numel (t.launches) > 1)
        name = sprintf ("%d: %s", l, name);
      endif
      names{end+1} = name;
      all{end+1} = s;
    endfor
  endfor
  threads = max ([cellfun(@(s) numel (s.active), all(order(order > 0))), 1]);
  map = zeros (numel (order), threads);
  counts = zeros (numel (order), 8);
  counts(:,1) = (0:numel (order) - 1)';
  for k = find (order(:)' > 0)
    s = all{order(k)};
    map(k,1:numel (s.active)) = (s.active == "#") * 2 + (s.active == ".");
    counts(k,2:end) = [s.active_percent, s.warps_issued, s.warps_issued+s.warps_skipped, s.bank_conflicts, s.sectors, ...
                       s.sectors_needed, s.divergent_warps];
  endfor
  every = max (1, ceil (numel (order) / 60));
  labels = {};
  for k = 1:every:numel (order)
    if (order(k) > 0)
      labels{end+1} = sprintf ("'%s' %d", names{order(k)}, k - 1);
    endif
  endfor

endfunction

## A column of bars; where it has a second count this lies behind or before it.
function lines = panel (p, caption, counts, most_of, data, left, right, top, height)

  [name, column, fill, second, other] = p{:};
  most = most_of(1+column);
  if (second)
    most = max (most, most_of(1+second));
  endif
  if (column == 1)
    most = 100;
  endif
  bar = @(c, colour, half) sprintf ("%s using (0):0:(0):%d:($0-%g):($0+%g) with boxxyerror fs solid noborder lc rgb '%s'", ...
                                    data, c + 1, half, half, colour);
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
    bars{end+1} = sprintf ("%s using %s:0:($%d > 0 ? sprintf('%%.3g', $%d) : '') with labels left offset 0.2,0 font ',8' tc rgb '#333333'", ...
                           data, ends, column + 1, column + 1);
  endif
  lines = {
    sprintf("set lmargin at screen %g", left)
    sprintf("set rmargin at screen %g", right)
    sprintf("set xrange [0:%g]", max (most, 1) * 1.32)
    sprintf("set xtics 0,%g", max (most, 1))
    "unset ytics"
    "unset xlabel"
    sprintf("set label 1 '%s' at screen %g,%g left font ',11'", name, left, top + 18 / height)
    sprintf("set label 2 '%s' at screen %g,%g left font ',9' tc rgb '#555555'", caption, left, 22 / height)
    ["plot " strjoin(bars, ", ")]
    "unset label"
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
