## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Octave's own takes gpuArrays, but for empty ones, of which it asks the class.
function varargout = unique (x, varargin)
  if (isempty (x))
    [varargout{1:max (1, nargout)}] = __gpr_octave__ ("through_host", "unique", x, varargin{:});
  else
    [varargout{1:max (1, nargout)}] = builtin ("unique", x, varargin{:});
  endif
endfunction
