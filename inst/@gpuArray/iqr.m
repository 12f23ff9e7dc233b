## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function y = iqr (varargin)
  y = gpu_iqr (varargin{:});
endfunction
