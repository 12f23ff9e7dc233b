## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Indices first to last of the last dimension of x that is longer than 1, as a function for gpu_reduce brings them.
function piece = last_dimension (x, first, last)
  at = repmat ({":"}, 1, ndims (x));
  dim = find (size (x) != 1, 1, "last");
  if (isempty (dim))
    dim = 1;
  endif
  at{dim} = first:last;
  piece = x(at{:});
endfunction
