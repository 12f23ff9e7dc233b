## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpu_selftest at its full length.
if (gpu_selftest ())
  printf ("1 passed, 0 failed\n");
else
  printf ("0 passed, 1 failed\n");
endif
