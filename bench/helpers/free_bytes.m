## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bytes = free_bytes (): memory that is free, Inf where the system does not say.

function bytes = free_bytes ()
  bytes = Inf;
  [status, kib] = system ("sed -n 's/^MemAvailable: *\\([0-9]*\\) .*/\\1/p' /proc/meminfo 2> /dev/null");
  if (status == 0 && str2double (kib) > 0)
    bytes = 1024 * str2double (kib);
  endif
endfunction
