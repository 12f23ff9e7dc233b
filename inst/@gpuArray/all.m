## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function y = all (varargin)
  y = gpu_all (varargin{:});
endfunction
