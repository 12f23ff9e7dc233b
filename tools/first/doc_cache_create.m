## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## In place of Octave's while the package is installed from this tree: the same table for lookfor,
## but by one run of makeinfo for all functions of a folder, not by two a function, which take longer than all
## else of an installation.

function doc_cache_create (out_file, directory)

  addpath (directory);
  names = __list_functions__ (directory);
  names = names(! strncmp (names, "__", 2))(:).';
  [texts, formats] = cellfun (@get_help_text, names, "UniformOutput", false);
  rmpath (directory);
  made = strcmp (formats, "texinfo");
  names = names(made);
  [texts, refused] = plain_texts (texts(made));
  if (any (refused))
    warning ("gpureduce:help-text", "makeinfo refuses the help of%s", sprintf (" %s", names{refused}));
  endif
  if (isempty (texts))
    return;                     # lookfor then reads the files
  endif
  cache = [names; texts; cellfun(@first_sentence, texts, "UniformOutput", false)];
  save_header_format_string (["# doc-cache created by Octave " OCTAVE_VERSION], "local");
  save ("-text", out_file, "cache");

endfunction

## What stands after the lines of the calls, which are not so far to the right or begin with a dash.
function sentence = first_sentence (text)
  text = regexprep (text, '^ -- .*\n( {6,}\S.*\n)*', "", "lineanchors", "dotexceptnewline");
  sentence = regexprep (strtrim (text), '\s+', " ");
  stop = regexp (sentence, '\.( |$)', "once");
  if (! isempty (stop))
    sentence = sentence(1:stop);
  endif
endfunction
