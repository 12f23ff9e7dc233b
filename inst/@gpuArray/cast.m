## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## cast (x, TYPE) and cast (x, "like", Y); of a gpuArray Y the result is one.
function y = cast (x, type, like)
  if (nargin == 3 && strcmpi (type, "like"))
    y = feval (underlyingType (like), x);
    if (isgpuarray (like))
      y = gpuArray (y);
    else
      y = gather (y);
    endif
    if (iscomplex (like) && ! iscomplex (y))
      y = complex (y, 0);
    endif
  elseif (nargin == 2)
    y = feval (gather (type), x);
  else
    print_usage ();
  endif
endfunction
