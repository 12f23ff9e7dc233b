## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## [said, out] = result_of (f, outputs, ...): so many outputs of f (...), or the error's message.
function [said, out] = result_of (f, outputs, varargin)
  out = cell (1, outputs);
  said = "";
  try
    [out{:}] = f (varargin{:});
  catch err
    said = err.message;
  end_try_catch
endfunction
