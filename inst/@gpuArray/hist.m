## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function [a, b] = hist (varargin)
  if (nargout < 2)
    a = gpu_hist (varargin{:});
  else
    [a, b] = gpu_hist (varargin{:});
  endif
endfunction
