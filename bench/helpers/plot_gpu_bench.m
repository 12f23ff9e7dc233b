## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## plot_gpu_bench (png, t, notes): a table of `make bench-gpu' as a picture: the
## fraction of the ceiling over the size, a panel for an operation and a class; below,
## a row for every shape and histogram; host arrays and short calls.

function plot_gpu_bench (png, t, notes)

  looks = {"engine", "#7a3fb0", 7, 2.5; "CUB", "#3d8f5f", 5, 1.5; "CuPy", "#d9892b", 9, 1.5; "PyTorch", "#c8434a", 11, 1.5
           "cuBLAS", "#3b7fb8", 13, 1.5; "Thrust", "#8a8a8a", 4, 1};
  s = {"set multiplot"
       sprintf("set label 1 \"Time of the GPU: the ceiling's by theirs (1: as fast as reading and writing alone)\\n{/*0.7 %s}\" at screen 0.5, 0.985 center font ',17'",
               strrep (device_of (notes), "\"", ""))};
  for k = 1:rows (looks)
    s{end+1} = sprintf ("set label %d '%s' at screen %g, 0.935 left point pointtype %d pointsize 1.6 linecolor rgb '%s' offset 1,0",
                        1 + k, looks{k,1}, 0.23 + 0.1 * (k - 1), looks{k,3}, looks{k,2});
  endfor
  s = [s; {"set border 3 linecolor rgb '#505050'"; "set xtics nomirror out; set ytics nomirror out"; "unset key"
           "set grid linecolor rgb '#dddddd' linetype 1"}];

  ops = {"sum", "max", "argmax"};
  classes = {"double", "single", "int32", "uint8"};
  for i = 1:numel (ops)
    for j = 1:numel (classes)
      s = [s; frame(0.05 + 0.24 * (j - 1), 0.215, 0.735 - 0.17 * (i - 1), 0.15)];
      s{end+1} = sprintf ("set title '%s, %s' offset 0,-0.8", ops{i}, classes{j});
      tics = "'1Ki' 10, '32Ki' 15, '1Mi' 20, '32Mi' 25, '1Gi' 30";
      if (i < numel (ops))
        tics = regexprep (tics, "'[^']*'", "''");
      endif
      s{end+1} = ["set xrange [9.5:30.5]; set yrange [0:1.08]; set ytics 0.25; set xtics (" tics ")"];
      plots = {};
      for k = rows (looks):-1:1
        [x, y] = curve (t, ops{i}, classes{j}, looks{k,1});
        if (! isempty (x))
          s{end+1} = block (k, [log2(x), y]);
          plots{end+1} = sprintf ("$d%d using 1:2 with linespoints linewidth %g linecolor rgb '%s' pointtype %d pointsize %g", k,
                                  looks{k,4}, looks{k,2}, looks{k,3}, merge (k == 1, 1, 0.8));
        endif
      endfor
      s{end+1} = draw (plots);
      s{end+1} = "unset label 1";       # once
      for k = 1:rows (looks)
        s{end+1} = sprintf ("unset label %d", 1 + k);
      endfor
    endfor
  endfor

  s = [s; dots(t, looks, {"dims"}, "Sums and maxima over a dimension, double", 0.17, 0.2, 0.04, 0.295)];
  s = [s; dots(t, looks, {"histogram", "stats", "dot"}, "Histograms, var, stats, dot, 1 GiB", 0.49, 0.17, 0.04, 0.295)];
  s = [s; bars(t, "host", @(k) t.bytes(k) ./ t.call(k) * 1e-3, "A sum of 1 GiB in host memory, GB/s", 0.81, 0.15, 0.19, 0.145)];
  s = [s; bars(t, "latency", @(k) t.call(k), "A sum of 1024 resident doubles, us", 0.81, 0.15, 0.04, 0.095)];
  s{end+1} = "unset multiplot";
  run_gnuplot (png, 1700, 1700, strjoin (s.', "\n"));

endfunction

function text = device_of (notes)
  text = "";
  for name = {"gpu", "gpureduce", "commit", "date"}
    if (isfield (notes, name{1}))
      text = [text, merge(isempty (text), "", "; "), merge(strcmp (name{1}, "commit"), "commit ", ""), notes.(name{1})];
    endif
  endfor
endfunction

function s = frame (left, width, bottom, height)
  s = {sprintf("set lmargin at screen %g; set rmargin at screen %g; set bmargin at screen %g; set tmargin at screen %g",
               left, left + width, bottom, bottom + height)};
endfunction

function text = block (k, numbers)
  text = sprintf ("$d%d << END\n%sEND", k, sprintf ([strjoin(repmat ({"%g"}, 1, columns (numbers)), " ") "\n"], numbers.'));
endfunction

function text = draw (plots)
  if (isempty (plots))
    plots = {"NaN notitle"};
  endif
  text = ["plot " strjoin(plots, ", ")];
endfunction

## Times of the ceiling by those of rows k.
function f = fractions (t, k)
  f = NaN (size (k));
  for i = 1:numel (k)
    c = strcmp (t.group, t.group{k(i)}) & strcmp (t.line, t.line{k(i)}) & strcmp (t.class, t.class{k(i)}) ...
        & t.elements == t.elements(k(i)) & strcmp (t.who, "ceiling");
    f(i) = min ([t.device(c); NaN]) / t.device(k(i));
  endfor
endfunction

function [x, y] = curve (t, op, class, who)
  k = find (strcmp (t.group, "reduce") & strcmp (t.line, op) & strcmp (t.class, class) & strcmp (t.who, who));
  [x, order] = sort (t.elements(k));
  y = fractions (t, k(order));
  x = x(! isnan (y));
  y = y(! isnan (y));
endfunction

## A row for every line of the groups, a mark for everyone who ran it.
function s = dots (t, looks, groups, heading, left, width, bottom, height)
  in = find (ismember (t.group, groups) & strcmp (t.who, "engine"));
  if (isempty (in))
    s = cell (0, 1);
    return;
  endif
  for i = 1:numel (in)
    names{i} = [t.line{in(i)} merge(strcmp (t.group{in(i)}, "dims"), "", [", " t.class{in(i)}])];
    place.(key (t, in(i))) = i;
  endfor
  labels = strjoin (cellfun (@(name, i) sprintf ("'%s' %d", name, i), names, num2cell (1:numel (in)), "UniformOutput", false), ", ");
  s = [frame(left, width, bottom, height)
       {sprintf("set title '%s' offset 0,-0.8", heading)
        sprintf("set xrange [0:1.08]; set yrange [%g:0.4]; set xtics 0.25; set ytics (%s) scale 0 font ',%g'",
               numel (in) + 0.6, labels, merge (numel (in) > 24, 8, 12))}];
  plots = {};
  for k = rows (looks):-1:1
    mine = find (ismember (t.group, groups) & strcmp (t.who, looks{k,1}));
    y = fractions (t, mine);
    at = zeros (0, 2);
    for i = 1:numel (mine)
      if (! isnan (y(i)) && isfield (place, key (t, mine(i))))
        at(end+1,:) = [y(i), place.(key (t, mine(i)))];
      endif
    endfor
    if (! isempty (at))
      s{end+1} = block (k, at);
      plots{end+1} = sprintf ("$d%d using 1:2 with points linewidth 1.5 linecolor rgb '%s' pointtype %d pointsize %g", k,
                              looks{k,2}, looks{k,3}, merge (k == 1, 1.8, 1.2));
    endif
  endfor
  s{end+1} = draw (plots);
  s{end+1} = "set ytics scale 1 font ''";
endfunction

function name = key (t, k)
  name = ["k" regexprep([t.group{k} t.line{k} t.class{k}], '\W', '_')];
endfunction

## One bar for everyone who ran a line, ours in another colour, the value beside it.
function s = bars (t, group, value_of, heading, left, width, bottom, height)
  k = find (strcmp (t.group, group) & ! isnan (t.call));
  if (isempty (k))
    s = cell (0, 1);
    return;
  endif
  v = value_of (k);
  labels = strjoin (cellfun (@(name, i) sprintf ("'%s' %d", name, i), t.who(k).', num2cell (1:numel (k)), "UniformOutput", false), ", ");
  s = [frame(left, width, bottom, height)
       {sprintf("set title '%s' offset 0,-0.8", heading)
        sprintf("set xrange [0:%g]; set yrange [%g:0.3]; set xtics auto; set ytics (%s) scale 0", 1.3 * max (v), numel (k) + 0.7, labels)
        "set style fill solid noborder"
        block(1, [(1:numel (k)).', v, strncmp(t.who(k), "engine", 6) | strncmp(t.who(k), "Octave", 6)])
        ["plot $d1 using ($2 / 2):1:($2 / 2):(0.36):($3 > 0 ? 0x7a3fb0 : 0x9a9a9a) with boxxyerror linecolor rgb variable" ...
         ", $d1 using 2:1:(sprintf ('%.3g', $2)) with labels left offset 0.6,0"]
        "set ytics scale 1"}];
endfunction
