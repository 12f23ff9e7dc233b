## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## list = chosen (NAME, LIST): what the environment's variable NAME lists, between commas, else LIST.

function list = chosen (name, list)
  said = getenv (name);
  if (! isempty (said))
    list = strsplit (said, ",");
  endif
endfunction
