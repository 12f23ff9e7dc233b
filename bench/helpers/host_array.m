## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## x = host_array (CLASS, SIZES): random numbers about 1, of integers about 20, repeated after 1e6.

function x = host_array (class, sizes)
  n = prod (sizes);
  x = repmat (1 + randn (min (n, 1e6), 1), ceil (n / 1e6), 1);
  if (! any (strcmp (class, {"double", "single"})))
    x = max (20 * x, 0);
  endif
  if (strcmp (class, "logical"))
    x = x > 10;
  endif
  x = reshape (cast (x, class)(1:n), sizes);
endfunction
