## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## tools/octave tools/ladder_chapter.m: writes doc/ladder.md, the chapter on the kernel ladder, from the
## descriptors, the comments at the head of the kernels' files and the recorded
## tables.  GPUREDUCE_CHAPTER in the environment names another file.

1;

## The comment at the head of a source file, as paragraphs.  A sentence that begins with a word begins with a
## capital; what the code calls so keeps its letters.
function text = head_of (file)
  s = fileread (file);
  text = regexp (s, '^/\*(.*?)\*/', 'tokens', 'once'){1};
  text = regexprep (strtrim (text), '\n +', "\n");
  text = regexprep (text, '^[a-z_0-9]+( \([a-z]+\))?: *', "");     # the name is the title
  if (! isempty (regexp (text, '^[a-z]+,?\s[A-Za-z0-9]', "once")))
    text(1) = toupper (text(1));
  endif
endfunction

## What a variant takes and how it ends.  A library's kernels are listed without classes, since the simulator has
## none of them, and choose their blocks themselves.
function text = run_by (v)
  if (! isempty (v.classes))
    text = sprintf ("Classes: %s. Finishes: %s.", strjoin (v.classes, ", "), strjoin (v.finishes, ", "));
  elseif (strcmp (v.name, "engine"))
    text = "On a GPU or the CPU, not in the simulator; it chooses blocks and finish itself.";
  elseif (any (strcmp (v.name, {"cub", "thrust", "cublas"})))
    text = "On a GPU only; it chooses blocks and finish itself.";
  else
    text = sprintf ("On a GPU only. Finishes: %s.", strjoin (v.finishes, ", "));
  endif
endfunction

## A family's kernels, and apart from them what is not the ladder's own.
function text = title_of (v)
  if (isempty (v.classes))
    text = "Libraries and the package's own kernels";
  else
    text = struct ("reduce", "Reductions", "argmax", "Argmax and argmin", "histogram", "Histograms").(v.family);
  endif
endfunction

function s = listed (names, word)
  s = merge (isempty (names), "", [word strjoin(names, ", ")]);
endfunction

## The cells of a recorded table of gpu_bench: its title row first; and what is said
## about it.
function [rows, about] = recorded (file)
  lines = strsplit (strtrim (fileread (file)), "\n");
  comments = strncmp (lines, "#", 1);
  about = cellfun (@(s) strtrim (s(2:end)), lines(comments), "UniformOutput", false);
  rows = {};
  for line = lines(! comments)
    quoted = regexprep (line{1}, '"([^",]*),([^"]*)"', "$1\x01$2");     # one comma at most
    rows(end+1,:) = strrep (strrep (strsplit (quoted, ",", "CollapseDelimiters", false), "\x01", ","), "\"", "");
  endfor
endfunction

function write_rows (out, cells)
  cells(cellfun (@isempty, cells)) = {"–"};
  for k = 1:rows (cells)
    fprintf (out, "| %s |\n", strjoin (cells(k,:), " | "));
    if (k == 1)
      fprintf (out, "|%s\n", repmat ("---|", 1, columns (cells)));
    endif
  endfor
  fprintf (out, "\n");
endfunction

## With sizes: a line a size and a column a variant, milliseconds.
function rows = by_size (rows)
  n = str2double (rows(2:end,4));
  names = unique (rows(2:end,1), "stable")';
  sizes = unique (n)';
  table = [{"n"}, names];
  for k = sizes
    line = {sprintf("%d", k)};
    for name = names
      at = 1 + find (n == k & strcmp (rows(2:end,1), name{1}));
      source = merge (isempty (rows{at,15}), "", [" (" rows{at,15} ")"]);
      line{end+1} = [sprintf("%.4f", str2double (rows{at,9})), source];
    endfor
    table(end+1,:) = line;
  endfor
  rows = table;
endfunction

## Four digits; nothing of nothing.
function text = number (x)
  text = "";
  if (! isempty (x))
    text = sprintf ("%.4g", str2double (x));
  endif
endfunction

function write_table (out, file, preset, why)
  [rows, about] = recorded (file);
  fprintf (out, "### %s\n\n%s\n\n", preset, strjoin (about, "  \n"));
  if (numel (unique (rows(2:end,4))) > 1)
    fprintf (out, "Milliseconds of the kernels alone; in brackets the source's.\n\n");
    write_rows (out, by_size (rows));
  else
    for c = [9 11 12 13 14]
      rows(2:end,c) = cellfun (@(x) number (x), rows(2:end,c), "UniformOutput", false);
    endfor
    write_rows (out, rows(:, [1 8 3 4 5 6 9 11 12 13 14 15]));
  endif
  fprintf (out, "%s\n\n", why);
endfunction

top = fileparts (fileparts (mfilename ("fullpath")));
file = getenv ("GPUREDUCE_CHAPTER");
if (isempty (file))
  file = fullfile (top, "doc", "ladder.md");
endif
out = fopen (file, "w");
fprintf (out, "# The kernel ladder\n\nMade by tools/ladder_chapter.m from the descriptors and the sources; do not edit.\n\n%s\n", ...
         fileread (fullfile (top, "doc", "ladder-intro.md")));
variants = gpu_variants ();
title = "";
for v = variants(cellfun (@isempty, {variants.fault})).'
  if (! strcmp (title_of (v), title))
    title = title_of (v);
    fprintf (out, "## %s\n\n", title);
  endif
  fprintf (out, "### `%s`%s\n\n**%s.** %s.\n\n%s\n\n", v.name, listed (v.aliases, ": "), v.idea, v.lesson, head_of (v.file));
  fprintf (out, "%s Source: %s.\n\n", run_by (v), v.source);
endfor
fprintf (out, "## Bugs on show\n\nThese run in the simulator only, which names the fault.\n\n");
for v = variants(! cellfun (@isempty, {variants.fault})).'
  fprintf (out, "### `%s`\n\n**%s.** %s\n\nThe simulator says: %s.\n\n", v.name, v.idea, ...
           head_of (v.file), v.fault);
endfor
fprintf (out, "## Measured\n\n");
explained = regexp (fileread (fullfile (top, "doc", "ladder-measured.md")), '## (\w+)\n+(.*?)\n*(?=\n## |$)', "tokens");
for part = explained
  preset = part{1}{1};
  write_table (out, fullfile (top, "bench", "results", ["ladder-h200-" preset ".csv"]), preset, strtrim (part{1}{2}));
endfor
fclose (out);
