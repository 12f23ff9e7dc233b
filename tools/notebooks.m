## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Writes the notebooks of lab/notebooks, NAME.ipynb, from the scripts beside them, NAME.m, or
## into the folder MADE_IN of the environment.  octave-cli tools/notebooks.m
##
## A script is marked up as publish takes it: %% begins a cell, with a title or without one; the
## lines "% text" after it are Markdown; what follows is code.  A line "%html ..." is a cell of its own: in
## Jupyter it shows what is said, in a script it is a comment.

1;

## The cells, a struct array with the fields code (true or false) and text.
function cells = cells_of (script)
  cells = struct ("code", {}, "text", {});
  parts = regexp (["\n" script], '\n%%(?=[ \n])', "split")(2:end);
  for part = parts
    lines = strsplit (part{1}, "\n", "CollapseDelimiters", false);
    title = strtrim (lines{1});
    lines(1) = [];
    prose = find (cellfun (@isempty, regexp (lines, '^%( |$)', "once")), 1) - 1;
    text = regexprep (lines(1:prose), '^% ?', "");
    if (! isempty (title))
      text = [{[merge(isempty (cells), "# ", "## "), title]}, text];
    endif
    cells = [cells, cell_of(false, text)];
    code = lines(prose+1:end);
    shown = strncmp (code, "%html ", 6);
    if (any (shown))
      cells = [cells, cell_of(true, code(! shown)), cell_of(true, code(shown))];
    else
      cells = [cells, cell_of(true, code)];
    endif
  endfor
endfunction

function c = cell_of (code, lines)
  c = struct ("code", code, "text", strtrim (strjoin (lines, "\n")));
  if (isempty (c.text))
    c(1) = [];
  endif
endfunction

function text = notebook_of (cells)
  texts = {};
  for c = cells
    lines = strsplit (c.text, "\n", "CollapseDelimiters", false);
    lines(1:end-1) = strcat (lines(1:end-1), {"\n"});
    quoted = strjoin (cellfun (@(l) ["    " jsonencode(l)], lines, "UniformOutput", false), ",\n");
    if (c.code)
      texts{end+1} = sprintf ("  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n   \"metadata\": {},\n   \"outputs\": [],\n   \"source\": [\n%s\n   ]\n  }", quoted);
    else
      texts{end+1} = sprintf ("  {\n   \"cell_type\": \"markdown\",\n   \"metadata\": {},\n   \"source\": [\n%s\n   ]\n  }", quoted);
    endif
  endfor
  text = sprintf (["{\n \"cells\": [\n%s\n ],\n \"metadata\": {\n  \"kernelspec\": {\n   \"display_name\": \"Octave\",\n" ...
                   "   \"language\": \"octave\",\n   \"name\": \"octave\"\n  },\n  \"language_info\": {\n   \"name\": \"octave\"\n  }\n },\n" ...
                   " \"nbformat\": 4,\n \"nbformat_minor\": 4\n}\n"], strjoin (texts, ",\n"));
endfunction

from = fullfile (fileparts (fileparts (mfilename ("fullpath"))), "lab", "notebooks");
to = getenv ("MADE_IN");
if (isempty (to))
  to = from;
endif
for script = glob (fullfile (from, "*.m"))'
  [~, name] = fileparts (script{1});
  fid = fopen (fullfile (to, [name ".ipynb"]), "w");
  fputs (fid, notebook_of (cells_of (fileread (script{1}))));
  fclose (fid);
endfor
