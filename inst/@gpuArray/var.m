## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function [a, b] = var (varargin)
  if (nargout < 2)
    a = gpu_var (varargin{:});
  else
    [a, b] = gpu_var (varargin{:});
  endif
endfunction
