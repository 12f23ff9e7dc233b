## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function y = mad (varargin)
  y = gpu_mad (varargin{:});
endfunction
