## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Octave takes the oct-file's method of this name where there is one (src/octave/methods.cc).
function varargout = gpu_normalize (varargin)
  [varargout{1:max (1, nargout)}] = builtin ("gpu_normalize", varargin{:});
endfunction
