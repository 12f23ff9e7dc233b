## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function t = ischar (g)
  t = strcmp (underlyingType (g), "char");
endfunction
