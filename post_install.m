## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## What the installation built, in one line.
function post_install (desc)
  printf ("gpureduce %s: %s\n", desc.version,
          strtrim (fileread (fullfile (desc.dir, "gpureduce_build.txt"))));
endfunction
