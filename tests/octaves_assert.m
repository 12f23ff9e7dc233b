## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## f = octaves_assert (): Octave's own assert.  From the first call on, assert is the one in tests/shadow.
function f = octaves_assert ()

  persistent own;
  if (isempty (own))
    mlock ();                   # clear all would forget whose assert it was
    own = @assert;
    warning ("off", "Octave:shadowed-function", "local");
    addpath (fullfile (fileparts (mfilename ("fullpath")), "shadow"));
  endif
  f = own;

endfunction
