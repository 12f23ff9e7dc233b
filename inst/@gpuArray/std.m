## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function [a, b] = std (varargin)
  if (nargout < 2)
    a = gpu_std (varargin{:});
  else
    [a, b] = gpu_std (varargin{:});
  endif
endfunction
