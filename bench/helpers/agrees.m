## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## [ok, difference] = agrees (ours, other, bound): whether two results have one
## class and size and differ by at most BOUND in every element, and the largest
## difference.  BOUND 0: equal, NaN to NaN.

function [ok, difference] = agrees (ours, other, bound = 0)

  ok = strcmp (class (ours), class (other)) && isequal (size (ours), size (other));
  difference = NaN;
  if (ok)
    apart = abs (double (ours) - double (other));
    apart(isnan (ours) & isnan (other) | ours == other) = 0;
    difference = max ([0; apart(:)]);
    ok = all (apart(:) <= bound(:));
  endif

endfunction
