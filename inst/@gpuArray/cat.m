## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Octave's cellfun ("cat", ...) comes here without DIM.
function g = cat (dim, varargin)
  if (! isscalar (dim) || (isgpuarray (dim) && nargin < 3))
    error ("gpureduce:invalid-input", "gpuArray: cat: DIM must be a number; cellfun (\"cat\", ...) has no gpuArrays: use gather (X)");
  endif
  g = __gpr_octave__ ("join", "cat", dim, varargin{:});
endfunction
