## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function [a, b] = mink (varargin)
  if (nargout < 2)
    a = gpu_mink (varargin{:});
  else
    [a, b] = gpu_mink (varargin{:});
  endif
endfunction
