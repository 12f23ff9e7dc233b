## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## as_builtin (OURS, THEIRS, ...), a rule for for_both: OURS (...) does what the running
## built-in does, errors included.
function as_builtin (ours, theirs, varargin)
  __gpr_same__ (func2str (theirs), varargin{:});
endfunction
