## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function [a, b] = maxk (varargin)
  if (nargout < 2)
    a = gpu_maxk (varargin{:});
  else
    [a, b] = gpu_maxk (varargin{:});
  endif
endfunction
