## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## full = fill_gpu (number): arrays that take the memory of that GPU, but less than 1 MiB; it is the selected one afterwards.
function full = fill_gpu (number)

  gpuDevice (number);
  full = {};
  bytes = gpuDevice ().AvailableMemory;
  while (bytes > 2^20)
    try
      full{end+1} = zeros (1, floor (bytes), "uint8", "gpuArray");
    catch
      bytes /= 2;
    end_try_catch
  endwhile

endfunction
