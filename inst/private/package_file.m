## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{path} =} package_file (@var{name})
## A file that was built with the package: beside the module or a folder above, as
## pkg sorts them; "" where there is none.
## @end deftypefn

function path = package_file (name)

  folder = __gpureduce__ ("diagnose").folder;
  path = "";
  for place = {folder, fileparts(folder)}
    if (isempty (path) && exist (fullfile (place{1}, name), "file"))
      path = fullfile (place{1}, name);
    endif
  endfor

endfunction
