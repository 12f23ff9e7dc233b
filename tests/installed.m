## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The %! tests of every function of the installed package, or of those that
## TEST_NAMES names.  A public function that is not in INDEX, has no help or has no
## tests is a failure, and so is a help text that makeinfo refuses.

addpath (fileparts (mfilename ("fullpath")));

function names = m_files (dir_name)
  names = {};
  for entry = dir (dir_name)'
    if (entry.isdir && any (entry.name(1) == "@+"))
      inner = m_files (fullfile (dir_name, entry.name));
      names = [names, fullfile(entry.name, inner)];
    elseif (! isempty (regexp (entry.name, '^[A-Za-z]\w*\.m$')))
      names{end+1} = entry.name;
    endif
  endfor
endfunction

function require (name, condition, complaint)
  if (condition)
    printf ("1 passed, 0 failed\n");
  else
    printf ("%s: %s\n0 passed, 1 failed\n", name, complaint);
  endif
endfunction

folder = pkg ("list", "gpureduce"){1}.dir;
files = m_files (folder);
public = regexprep (files(cellfun ("isempty", strfind (files, filesep))), '\.m$', "");
index = regexp (fileread (fullfile (folder, "packinfo", "INDEX")), '^ (\w+)$', ...
                "tokens", "lineanchors");
index = [index{:}];

for name = union (public, index)
  require (name{1}, any (strcmp (name{1}, public)), "is in INDEX but not installed");
  require (name{1}, any (strcmp (name{1}, index)), "is installed but not in INDEX");
  require (name{1}, ! isempty (get_help_text (name{1})), "has no help");
endfor

## What is internal has help too.
addpath (fullfile (fileparts (mfilename ("fullpath")), "..", "tools", "first"), "-end");
names = __list_functions__ (folder);
[texts, formats] = cellfun (@get_help_text, names, "UniformOutput", false);
made = strcmp (formats, "texinfo");
[plain, refused] = plain_texts (texts(made));
if (isempty (plain) && ! any (refused))
  printf ("skipped: help texts, without makeinfo\n0 passed, 0 failed, 1 skipped\n");
else
  require ("help", ! any (refused), ["makeinfo refuses that of" sprintf(" %s", names(made){refused})]);
endif

chosen = strsplit (getenv ("TEST_NAMES"), " ");
for file = files
  if (! isempty (chosen{1}) && ! any (strcmp (regexprep (file{1}, '\.m$', ""), chosen)))
    continue;
  endif
  tests = run_tests (fullfile (folder, file{1}));
  if (! any (file{1} == filesep))
    require (file{1}, tests > 0, "has no tests");
  endif
endfor
