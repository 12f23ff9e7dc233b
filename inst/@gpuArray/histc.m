## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function [a, b] = histc (varargin)
  if (nargout < 2)
    a = gpu_histc (varargin{:});
  else
    [a, b] = gpu_histc (varargin{:});
  endif
endfunction
