## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## cast (x, TYPE) and cast (x, "like", Y); of a gpuArray Y the result is one, of another array none.
function y = cast (x, varargin)
  if (nargin == 3 && ! isgpuarray (varargin{2}))
    y = cast (gather (x), gather (varargin{1}), varargin{2});
    return;
  endif
  ## The built-in's errors, and the class, of no elements.
  names = cellfun (@gather, varargin(1:min (end, 1)), "UniformOutput", false);
  none = cast (without_elements (x), names{:}, cellfun (@without_elements, varargin(2:end), "UniformOutput", false){:});
  y = feval (class (none), x);
  if (nargin == 3)
    y = gpuArray (y);
    if (iscomplex (varargin{2}) && ! iscomplex (y))
      y = complex (y, 0);
    endif
  endif
endfunction

function x = without_elements (x)
  if (isnumeric (x) || islogical (x) || ischar (x))
    x = feval (underlyingType (x), []);
  endif
endfunction
