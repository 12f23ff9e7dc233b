## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function t = isUnderlyingType (g, type)
  t = strcmp (underlyingType (g), type);
endfunction
