## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function varargout = horzcat (varargin)
  [varargout{1:1}] = __gpr_octave__ ("join", "horzcat", 2, varargin{:});
endfunction
