## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function varargout = randp (varargin)
  [varargout{1:max (! (nargin > 1 && ischar (varargin{1})), nargout)}] = __gpr_octave__ ("create", "randp", varargin{:});
endfunction
