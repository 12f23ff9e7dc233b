## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The class is that of the data, and any will do where a gpuArray is asked for.
function validateattributes (g, classes, varargin)
  if (any (strcmp (classes, "gpuArray")) && isgpuarray (g))
    classes = {};
  endif
  __gpr_octave__ ("through_host", "validateattributes", g, classes, varargin{:});
endfunction
