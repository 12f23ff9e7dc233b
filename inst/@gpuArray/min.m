## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function [a, b] = min (varargin)
  if (nargout < 2)
    a = gpu_min (varargin{:});
  else
    [a, b] = gpu_min (varargin{:});
  endif
endfunction
