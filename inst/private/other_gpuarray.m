## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The folder of a gpuArray that is not ours (the package ocl has one), or "".

function folder = other_gpuarray ()
  ours = fileparts (fileparts (mfilename ("fullpath")));
  folder = "";
  found = file_in_loadpath ("gpuArray.m", "all");
  for i = 1:numel (found)
    if (! strcmp (fileparts (found{i}), ours))
      folder = fileparts (found{i});
      return;
    endif
  endfor
endfunction
