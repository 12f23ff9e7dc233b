## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## place = own_gpu (C): selects this rank's GPU of its host, and returns what makes a piece a gpuArray there; char arrays stay where they are.  Without
## a GPU gpuArrays lie in the host's memory.
function [place, device] = own_gpu (c)

  device = 0;
  if (gpuDeviceCount () > 0)
    device = mod (c.local_rank, gpuDeviceCount ()) + 1;
    gpuDevice (device);
  endif
  place = @resident;

endfunction

function x = resident (x)
  if (! ischar (x))
    x = gpuArray (x);
  endif
endfunction
