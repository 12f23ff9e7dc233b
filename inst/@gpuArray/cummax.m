## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function [a, b] = cummax (varargin)
  if (nargout < 2)
    a = gpu_cummax (varargin{:});
  else
    [a, b] = gpu_cummax (varargin{:});
  endif
endfunction
