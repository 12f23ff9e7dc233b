## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Gives the memory back at once: this value and its copies are no longer valid.
function delete (g)
  __gpr_octave__ ("free", g);
endfunction
