## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## raises (EXPECTED, F, ...): F (...) must raise the error with the identifier EXPECTED
## (written with a colon and no space), or with a message that matches the regular
## expression EXPECTED, in which GPU_F stands for the name of F.
function raises (expected, f, varargin)

  try
    f (varargin{:});
  catch err
    if (isempty (regexp (expected, '^\w+:[\w-]+$', "once")))
      matches = ! isempty (regexp (err.message, strrep (expected, "GPU_F", func2str (f)), "once", "emptymatch"));
    else
      matches = strcmp (err.identifier, expected);
    endif
    if (! matches)
      error ("wanted the error '%s', not '%s' (%s)", expected, err.message, err.identifier);
    endif
    return;
  end_try_catch
  error ("no error, but wanted '%s'", expected);

endfunction
