## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{path} =} package_file (@var{name})
## A file that was built with the package: beside the module, or among the m-files,
## which pkg may put into another tree; "" where there is none.
## @end deftypefn

function path = package_file (name)

  path = "";
  for place = {__gpureduce__("diagnose").folder, fileparts(fileparts (mfilename ("fullpath")))}
    if (isempty (path) && exist (fullfile (place{1}, name), "file"))
      path = fullfile (place{1}, name);
    endif
  endfor

endfunction
