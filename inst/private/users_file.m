## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{path} =} users_file (@var{caller}, @var{file})
## The whole path of the file that a user names; an error where there is none.
## @end deftypefn

function path = users_file (caller, file)

  if (! (ischar (file) && isrow (file)))
    error ("gpureduce:invalid-input", "%s: FILE must be the name of a file", caller);
  endif
  path = canonicalize_file_name (file);
  if (isempty (path))
    error ("gpureduce:invalid-input", "%s: there is no file %s", caller, file);
  elseif (isfolder (path))
    error ("gpureduce:invalid-input", "%s: FILE must be a file; %s is a folder", caller, file);
  endif

endfunction
