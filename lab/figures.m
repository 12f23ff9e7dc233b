## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The figures of the slides, drawn from what gpu_trace counts and from bench/results, as SVG
## files in the folder LAB_FIGURES (build/lab/figures).

1;                                      # a script

function file = figure_file (name, width, height)
  folder = getenv ("LAB_FIGURES");
  if (isempty (folder))
    folder = fullfile ("build", "lab", "figures");
  endif
  [~, ~] = mkdir (folder);
  file = fopen (fullfile (folder, [name ".svg"]), "w");
  fprintf (file, ["<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" ", ...
                  "font-size=\"14\" text-anchor=\"middle\">\n"], width, height);
endfunction
function done (file)
  fputs (file, "</svg>\n");
  fclose (file);
endfunction
function box (file, x, y, w, h, colour)
  fprintf (file, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" ", x, y, w, h);
  fprintf (file, "fill=\"%s\" stroke=\"#888\" stroke-width=\"0.5\"/>\n", colour);
endfunction
function text (file, x, y, said, more = "")
  fprintf (file, "<text x=\"%g\" y=\"%g\" %s>%s</text>\n", x, y, more, said);
endfunction
function line_to (file, x1, y1, x2, y2)
  fprintf (file, "<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\" stroke=\"#555\"/>\n", x1, y1, x2, y2);
endfunction

## Eight numbers become one, second half onto first.
function tree ()
  file = figure_file ("tree", 640, 240);
  x = [3 1 4 1 5 9 2 6];
  for level = 0:3
    n = numel (x);
    for k = 1:n
      at = [40 + 75 * (k - 1), 10 + 62 * level];
      box (file, at(1) - 22, at(2), 44, 30, {"#cfe2f3", "#f6b26b"}{1 + (level > 0)});
      text (file, at(1), at(2) + 20, sprintf ("%d", x(k)));
      if (n > 1 && k <= n / 2)
        line_to (file, at(1), at(2) + 30, at(1), at(2) + 62);
        line_to (file, at(1) + 75 * n / 2, at(2) + 30, at(1) + 22, at(2) + 70);
      endif
    endfor
    x = x(1:max (1, n / 2)) + [x(n / 2 + 1:end), zeros(1, n == 1)];
    if (level < 3)
      text (file, 625, 57 + 62 * level, sprintf ("step %d", level + 1), "text-anchor=\"end\" fill=\"#555\"");
    endif
  endfor
  done (file);
endfunction

## Two blocks of 64 threads.
function warps ()
  file = figure_file ("warps", 720, 170);
  for block = 0:1
    x = 20 + 350 * block;
    box (file, x, 10, 330, 150, "#f3f3f3");
    text (file, x + 165, 30, sprintf ("block %d", block), "font-weight=\"bold\"");
    for warp = 0:1
      for lane = 0:31
        box (file, x + 5 + 10 * lane, 62 + 55 * warp, 10, 28, {"#cfe2f3", "#d9ead3"}{1 + warp});
      endfor
      text (file, x + 165, 57 + 55 * warp, sprintf ("warp %d: threads %d to %d", warp, 32 * warp, 32 * warp + 31), ...
              "font-size=\"12\"");
    endfor
  endfor
  done (file);
endfunction

## A row a step, a cell a thread: at work, idle in a warp that runs, in a warp that rests.
function threads (name)
  t = gpu_trace (name, 64, 64);
  steps = t.launches(1).steps(2:7);
  file = figure_file (name, 760, 40 + 30 * numel (steps) + 26);
  for warp = 0:1
    text (file, 90 + 5 * 64 / 2 + 335 * warp, 22, sprintf ("warp %d", warp));
  endfor
  for k = 1:numel (steps)
    y = 30 + 30 * (k - 1);
    text (file, 40, y + 18, sprintf ("step %d", steps(k).step));
    for warp = 0:1
      row = steps(k).active(32 * warp + (1:32));
      for lane = 0:31
        colour = "#fce5cd";
        if (row(lane + 1) == "#")
          colour = "#e69138";
        elseif (! any (row == "#"))
          colour = "#ffffff";
        endif
        box (file, 80 + 335 * warp + 10 * lane, y, 10, 24, colour);
      endfor
    endfor
  endfor
  y = 30 + 30 * numel (steps) + 8;
  for k = 1:3
    box (file, 120 + 200 * (k - 1), y, 14, 14, {"#e69138", "#fce5cd", "#ffffff"}{k});
    text (file, 140 + 200 * (k - 1), y + 12, {"works", "waits in a warp that runs", "warp rests"}{k}, ...
            "text-anchor=\"start\" font-size=\"12\"");
  endfor
  done (file);
endfunction

## The words that warp 0 reads first in a step, stacked on their banks.
function banks (name, as, step)
  t = gpu_trace (name, 256, 256);
  a = t.launches(1).steps(step + 1).accesses;
  a = a(strcmp ({a.kind}, "read") & strcmp ({a.space}, "shared") & [a.thread] < 32);
  own = [];
  for lane = 0:31
    its = [a([a.thread] == lane).index];
    if (! isempty (its))
      own(end+1) = min (its);
    endif
  endfor
  high = zeros (1, 32);
  file = figure_file (as, 760, 250);
  for k = 1:numel (own)
    bank = mod (own(k), 32);
    box (file, 50 + 21 * bank, 200 - 22 * high(bank + 1), 19, 20, "#e69138");
    text (file, 59.5 + 21 * bank, 214 - 22 * high(bank + 1), sprintf ("%d", own(k)), "font-size=\"10\"");
    high(bank + 1)++;
  endfor
  for bank = 0:31
    text (file, 59.5 + 21 * bank, 238, sprintf ("%d", bank), "font-size=\"11\" fill=\"#555\"");
  endfor
  text (file, 24, 238, "bank", "font-size=\"11\" fill=\"#555\"");
  text (file, 24, 214, "word", "font-size=\"11\" fill=\"#555\"");
  done (file);
endfunction

## Which thread reads which element: 128 of them, by the 32 threads of a block, four for each.
function grid_stride ()
  t = gpu_trace ("grid_stride", 128, 32);
  a = t.launches(1).steps(1).accesses;
  a = a(strcmp ({a.array}, "x"));
  file = figure_file ("grid_stride", 760, 60 + 34 * 4);
  for k = 1:numel (a)
    turn = floor (a(k).index / 32);
    box (file, 80 + 21 * mod (a(k).index, 32), 40 + 34 * turn, 20, 26, sprintf ("hsl(%d,60%%,%d%%)", 10 * a(k).thread, 75));
  endfor
  text (file, 416, 26, "thread 0 &#8230; 31", "font-size=\"13\"");
  for turn = 0:3
    text (file, 40, 58 + 34 * turn, sprintf ("turn %d", turn + 1));
  endfor
  done (file);
endfunction

## Tables of blocks above the counters of all.
function histogram ()
  file = figure_file ("histogram", 700, 230);
  for block = 0:2
    x = 30 + 230 * block;
    text (file, x + 96, 24, sprintf ("block %d: its table, shared memory", block), "font-size=\"12\"");
    for k = 0:7
      box (file, x + 24 * k, 34, 24, 34, "#d9ead3");
    endfor
    line_to (file, x + 96, 72, 350, 150);
    text (file, (x + 96 + 350) / 2 + 14, 118, {"one atomic a bin", "", ""}{block + 1}, "font-size=\"12\" fill=\"#555\"");
  endfor
  for k = 0:7
    box (file, 230 + 30 * k, 154, 30, 36, "#cfe2f3");
  endfor
  text (file, 350, 212, "counters of all, global memory");
  done (file);
endfunction

## Recorded times of a card, in GB/s, and what can be read at all.
function times ()
  rows = strsplit (fileread (fullfile (fileparts (fileparts (mfilename ("fullpath"))), "bench", "results", ...
          "ladder-h200-bandwidth.csv")), "\n");
  ceiling = sscanf (rows{find (strncmp (rows, "# read ceiling", 14), 1)}, "# read ceiling: %f");
  names = {"shared_modulo", "sequential", "first_add", "warp_shuffle", "grid_stride", "vectorized"};
  file = figure_file ("times", 760, 60 + 38 * numel (names));
  for k = 1:numel (names)
    cells = strsplit (rows{find (strncmp (rows, [names{k} ","], numel (names{k}) + 1), 1)}, ",");
    rate = str2double (cells{12});
    y = 10 + 38 * (k - 1);
    text (file, 130, y + 19, names{k}, "text-anchor=\"end\"");
    box (file, 140, y, 480 * rate / ceiling, 28, "#e69138");
    inside = rate > ceiling / 2;
    text (file, 148 + 480 * rate / ceiling - 16 * inside, y + 19, sprintf ("%.0f GB/s", rate), ...
          {"text-anchor=\"start\"", "text-anchor=\"end\""}{1 + inside});
  endfor
  line_to (file, 620, 4, 620, 16 + 38 * numel (names));
  text (file, 620, 36 + 38 * numel (names), sprintf ("what can be read: %.0f GB/s", ceiling), "font-size=\"12\"");
  done (file);
endfunction

tree ();
warps ();
threads ("shared_modulo");
threads ("shared_strided");
banks ("shared_strided", "banks_strided", 3);
banks ("sequential", "banks_sequential", 1);
grid_stride ();
histogram ();
times ();
