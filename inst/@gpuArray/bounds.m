## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function [a, b] = bounds (varargin)
  if (nargout < 2)
    a = gpu_bounds (varargin{:});
  else
    [a, b] = gpu_bounds (varargin{:});
  endif
endfunction
