## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} writable (@var{file}, @var{what})
## @deftypefnx {} {@var{fid} =} writable (@var{file}, @var{what})
## An error, which begins with @var{what}, where @var{file} cannot be written; the
## file stays as it is.  With an output it is opened anew.
## @end deftypefn

function fid = writable (file, what)

  why = "";
  if (isfolder (file))
    why = "it is a folder";
  elseif (any (file < " "))
    why = "its name has control characters";
  else
    [~, missing] = stat (file);
    [fid, said] = fopen (file, {"w", "a"}{1 + (nargout == 0)});
    if (fid < 0)
      why = said;
    elseif (nargout == 0)
      fclose (fid);
      if (missing)
        unlink (file);
      endif
    endif
  endif
  if (! isempty (why))
    error ("gpureduce:invalid-input", "%s: cannot write %s: %s", what, file, why);
  endif

endfunction
