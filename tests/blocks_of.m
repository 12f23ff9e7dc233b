## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The %! blocks of a file, each one string.
function blocks = blocks_of (file)
  lines = regexp (fileread (file), '^%!.*$', "match", "lineanchors", "dotexceptnewline");
  blocks = {};
  for i = 1:numel (lines)
    if (! isempty (regexp (lines{i}, '^%![a-z]', "once")))
      blocks{end+1} = lines{i};
    elseif (! isempty (blocks))
      blocks{end} = [blocks{end} "\n" lines{i}];
    endif
  endfor
endfunction
