## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## some_devices (): "all", or numbers of some of the GPUs, at least two, in any order.
function devices = some_devices ()
  count = gpuDeviceCount ();
  devices = randperm (count)(1:min (1 + randi (count), count));
  if (rand () < 0.4)
    devices = "all";
  endif
endfunction
