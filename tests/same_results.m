## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## same_results (want, found): arrays, found perhaps on a GPU, or structures of such, whose bits are the same; of a GPU's results NaN are one.
function yes = same_results (want, found)
  if (isstruct (want))
    yes = isstruct (found) && isequal (fieldnames (want), fieldnames (found)) ...
          && all (cellfun (@same_results, struct2cell (want), struct2cell (found)));
  else
    yes = same_bits (want, gather (found));
  endif
endfunction
