## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## [plain, refused] = plain_texts (texts): help texts in Texinfo as help shows them, by one run of makeinfo.
## plain is empty where there is no makeinfo, and where it finds an error; refused then says in which texts.
function [plain, refused] = plain_texts (texts)

  plain = {};
  refused = false (size (texts));
  if (isempty (texts))
    return;
  endif
  ## What Octave does to a text it does to each alone: from release 9 on it takes all from the first @seealso
  ## to the last brace for one list.
  macros = numel (fileread (texi_macros_file ()));
  texts = cellfun (@(text) __makeinfo__ (text, "texinfo")(macros+1:end), texts, "UniformOutput", false);
  next = "NEXT-HELP-TEXT";
  [text, status] = __makeinfo__ (strjoin (texts, ["\n\n" next "\n\n"]), "plain text");
  if (status == 0)
    plain = strsplit (text, next);
  elseif (system ([makeinfo_program() " --version > /dev/null 2>&1"]) == 0)
    [~, status] = cellfun (@(text) __makeinfo__ (text, "plain text"), texts, "UniformOutput", false);
    refused(:) = [status{:}] != 0;
    refused |= ! any (refused);         # none alone: all together
  endif

endfunction
