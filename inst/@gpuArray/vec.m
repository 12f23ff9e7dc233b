## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function varargout = vec (varargin)
  [varargout{1:max (1, nargout)}] = __gpr_octave__ ("rearrange", "vec", varargin{:});
endfunction
