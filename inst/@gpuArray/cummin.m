## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function [a, b] = cummin (varargin)
  if (nargout < 2)
    a = gpu_cummin (varargin{:});
  else
    [a, b] = gpu_cummin (varargin{:});
  endif
endfunction
