## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## A number from the environment.
function n = setting (name, default)
  n = str2double (getenv (name));
  if (isnan (n))
    n = default;
  endif
endfunction
