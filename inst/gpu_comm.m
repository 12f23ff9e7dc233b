## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

function c = gpu_comm ()
  c = __gpureduce__ ("comm");
endfunction
