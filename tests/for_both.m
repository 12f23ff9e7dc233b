## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## for_both (TWINS, RULE, ...): calls RULE (OURS, THEIRS, ...) with the two handles of
## each row of TWINS: a function of this package and its built-in.  The message of a
## test that fails names the function.
function for_both (twins, rule, varargin)

  for f = twins'
    try
      rule (f{:}, varargin{:});
    catch err
      error ("%s: %s", func2str (f{1}), err.message);
    end_try_catch
  endfor

endfunction
