## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{why} =} bench_plot (@var{r}, @var{about}, @var{file})
## Draw what @code{gpu_bench} measured by gnuplot: where the number of elements
## varies, GB/s against it, a line a variant; else a bar a row, GB/s, with the share
## of the read ceiling and the speed-up written on it.  Steps of the simulator are
## a panel a variant: threads active, warps issued, bank conflicts in red.  @var{why}
## says why it could not be drawn, else it is empty.
## @end deftypefn

function why = bench_plot (r, about, file)

  if (isfield (r, "active_percent"))
    height = 420;
    lines = step_panels (r, about);
  elseif (! isfield (r, "gbs"))
    height = 80 + 34 * numel (r);
    lines = bars ([r.issued], arrayfun (@(s) sprintf ("%.4g", s.issued), r, "uniformoutput", false), r, about, ...
                  "warps issued, in the simulator", NaN);
  elseif (strcmp (about.across, "n"))
    height = 620;
    lines = size_lines (r, about);
  else
    height = 110 + 34 * numel (r);
    texts = arrayfun (@(s) sprintf ("%s GB/s, %s %%, %sx", short (s.gbs), short (s.percent), short (s.speedup)), r, "uniformoutput", false);
    lines = bars ([r.gbs], texts, r, about, "GB/s of the kernels alone", about.ceiling);
  endif

  why = __gpr_gnuplot__ (file, 1100, height, "noenhanced font 'sans,11'", sprintf ("%s\n", lines{:}));

endfunction

function s = quoted (s)
  s = ["'" strrep(s, "'", "''") "'"];
endfunction

function s = double_quoted (s)
  s = ["\"" strrep(s, "\"", "\\\"") "\""];
endfunction

function lines = header (about)
  lines = {["set title " quoted(about.title)], "set border 3 lc rgb '#888888'", "set tics nomirror textcolor rgb '#222222'", ...
           "set grid lc rgb '#dddddd'"};
endfunction

## A name for each row of R that tells it from the others, with what differs among them; of lines
## against n without that.
function names = labels (r, also)
  names = {r.variant};
  for k = 1:numel (r)
    if (! any (strcmp (r(k).finish, {"", "two_pass"})))
      names{k} = [names{k} " " r(k).finish];
    endif
    for what = also
      if (numel (unique ([r.(what{1})])) > 1)
        names{k} = sprintf ("%s, %s %d", names{k}, what{1}, r(k).(what{1}));
      endif
    endfor
  endfor
endfunction

## Horizontal bars, the first row on top.
function lines = bars (values, texts, r, about, axis, ceiling)

  count = numel (r);
  most = 1.45 * max ([values ceiling 1]);
  names = strtrim (strcat (labels (r, {"n", "block"}), {"  "}, {r.tag}));
  lines = [header(about), {sprintf("set xrange [0:%g]", most), sprintf("set yrange [%g:-0.7]", count - 0.3), ...
           ["set xlabel " quoted(axis)], "unset key", ...
           sprintf("set lmargin %d", 3 + max (cellfun (@numel, names))), "set style fill solid 0.85"}];
  tics = arrayfun (@(k) sprintf ("%s %d", quoted (names{k}), k - 1), 1:count, "uniformoutput", false);
  lines{end+1} = ["set ytics (" strjoin(tics, ", ") ")"];
  if (! isnan (ceiling))
    lines{end+1} = sprintf ("set arrow from %g, graph 0 to %g, graph 1 nohead lc rgb '#d1495b' dt 2", ceiling, ceiling);
    lines{end+1} = sprintf ("set label 'read ceiling %.0f' at %g, graph 1.02 center tc rgb '#d1495b'", ceiling, ceiling);
    lines{1} = [lines{1} " offset 0,1"];
  endif
  for k = 1:count
    lines{end+1} = sprintf ("set label %s at %g, %d", quoted (texts{k}), values(k) + most / 100, k - 1);
  endfor
  lines{end+1} = "plot '-' using (0.5*$1):2:(0.5*$1):(0.35) with boxxyerror lc rgb '#1668b8'";
  data = [values; 0:count-1];
  lines = [lines, {sprintf("%g %d\n", data), "e"}];

endfunction

function lines = size_lines (r, about)

  lines_of = labels (r, {"block"});
  names = unique (lines_of, "stable");
  lines = [header(about), {"set logscale xy", "set key outside right", "set xlabel 'elements'", ...
                           "set ylabel 'GB/s of the kernels alone'", "set format x '%.0f'", "set format y '%g'", ...
                           "set xtics (1, '1K' 1024, '32K' 32768, '1M' 1048576, '32M' 33554432, '1G' 1073741824)"}];
  plots = cell (1, numel (names));
  data = {};
  for k = 1:numel (names)
    mine = strcmp (lines_of, names{k});
    plots{k} = sprintf ("'-' with linespoints pt 7 ps 0.5 lw 1.5 title %s", quoted (names{k}));
    data{end+1} = sprintf ("%g %g\n", [[r(mine).n]; [r(mine).gbs]]);
    data{end+1} = "e";
  endfor
  plots{end+1} = sprintf ("%g with lines dt 2 lc rgb '#d1495b' title 'read ceiling'", about.ceiling);
  lines = [lines, {["plot " strjoin(plots, ", ")]}, data];

endfunction

## A panel a variant.
function lines = step_panels (r, about)

  names = unique ({r.variant}, "stable");
  lines = [header(about), {"unset title", sprintf("set multiplot layout 1,%d title %s", numel (names), double_quoted ([about.title "\\nbars: threads active, %; line: warps issued, %; red: threads that wait for one bank"])), ...
                           "set yrange [0:118]", "set ytics 25", "set xtics 2", "set style fill solid 0.85", "set boxwidth 0.7", ...
                           "set xlabel 'step'", "unset key"}];
  for k = 1:numel (names)
    mine = r(strcmp ({r.variant}, names{k}));
    warps = 100 * [mine.warps_issued] ./ max (1, [mine.warps_issued] + [mine.warps_skipped]);
    lines{end+1} = ["set title " quoted(names{k})];
    lines{end+1} = "unset label";
    for s = mine([mine.worst_way] > 1)
      lines{end+1} = sprintf ("set label '%d' at %d, 109 center tc rgb '#d1495b' font 'sans,9'", s.worst_way, s.step);
    endfor
    lines{end+1} = ["plot '-' with boxes lc rgb '#1668b8', " ...
                    "'-' with linespoints pt 7 lw 1.5 lc rgb '#e09f3e'"];
    lines = [lines, {sprintf("%g %g\n", [[mine.step]; [mine.active_percent]]), "e", sprintf("%g %g\n", [[mine.step]; warps]), "e"}];
  endfor
  lines{end+1} = "unset multiplot";

endfunction

## Two digits at least, without an exponent.
function s = short (x)
  s = sprintf ("%.*f", max (0, 1 - floor (log10 (x))), x);
endfunction
