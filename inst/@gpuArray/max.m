## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function [a, b] = max (varargin)
  if (nargout < 2)
    a = gpu_max (varargin{:});
  else
    [a, b] = gpu_max (varargin{:});
  endif
endfunction
