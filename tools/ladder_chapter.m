## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## tools/octave tools/ladder_chapter.m: writes doc/ladder.md, the chapter on the kernel ladder, from the
## descriptors, the comments at the head of the kernels' files and the recorded
## tables.

1;

## The comment at the head of a source file, as paragraphs.
function text = head_of (file)
  s = fileread (file);
  text = regexp (s, '^/\*(.*?)\*/', 'tokens', 'once'){1};
  text = regexprep (strtrim (text), '\n +', "\n");
  text = regexprep (text, '^[a-z_0-9]+: *', "");        # the name is the title
  text(1) = upper (text(1));
endfunction

function s = listed (names, word)
  s = merge (isempty (names), "", [word strjoin(names, ", ")]);
endfunction

## A recorded table of gpu_bench, as Markdown.
function write_table (out, file, preset)
  lines = strsplit (strtrim (fileread (file)), "\n");
  about = lines(strncmp (lines, "#", 1));
  lines = lines(! strncmp (lines, "#", 1));
  fprintf (out, "### %s\n\n", preset);
  for k = 1:numel (about)
    fprintf (out, "%s  \n", strtrim (about{k}(2:end)));
  endfor
  fprintf (out, "\n");
  for k = 1:numel (lines)
    cells = regexp (lines{k}, '("[^"]*"|[^,]*)(?:,|$)', 'tokens');
    cells = cellfun (@(c) strrep (c{1}, "\"", ""), cells, "UniformOutput", false);
    if (isempty (cells{end}) && numel (cells) > 1)
      cells(end) = [];
    endif
    fprintf (out, "| %s |\n", strjoin (cells, " | "));
    if (k == 1)
      fprintf (out, "|%s\n", repmat ("---|", 1, numel (cells)));
    endif
  endfor
  fprintf (out, "\n");
endfunction

top = fileparts (fileparts (mfilename ("fullpath")));
out = fopen (fullfile (top, "doc", "ladder.md"), "w");
fprintf (out, "# The kernel ladder\n\nMade by tools/ladder_chapter.m from the descriptors and the sources; do not edit.\n\n%s\n", ...
         fileread (fullfile (top, "doc", "ladder-intro.md")));
titles = struct ("reduce", "Reductions", "argmax", "Argmax and argmin", "histogram", "Histograms");
variants = gpu_variants ();
family = "";
for v = variants(cellfun (@isempty, {variants.fault})).'
  if (! strcmp (v.family, family) && isfield (titles, v.family))
    family = v.family;
    fprintf (out, "## %s\n\n", titles.(family));
  endif
  fprintf (out, "### `%s`%s\n\n**%s.** %s.\n\n%s\n\n", v.name, listed (v.aliases, ": "), v.idea, v.lesson, ...
           head_of (fullfile (top, "kernels", "ladder", [merge(strcmp (v.family, "reduce") || ! strcmp (v.name, "cub"), v.name, ["cub_" v.family]) ".cu"])));
  fprintf (out, "Classes: %s. Finishes: %s. Source: %s.\n\n", strjoin (v.classes, ", "), strjoin (v.finishes, ", "), v.source);
endfor
fprintf (out, "## Bugs on show\n\nThese run in the simulator only, which names the fault.\n\n");
for v = variants(! cellfun (@isempty, {variants.fault})).'
  fprintf (out, "### `%s`\n\n**%s.** %s\n\nThe simulator says: %s.\n\n", v.name, v.idea, ...
           head_of (fullfile (top, "kernels", "ladder", [v.name ".cu"])), v.fault);
endfor
fprintf (out, "## Measured\n\n");
for file = glob (fullfile (top, "bench", "results", "ladder-*.csv")).'
  [~, name] = fileparts (file{1});
  write_table (out, file{1}, name(8:end));
endfor
fclose (out);
