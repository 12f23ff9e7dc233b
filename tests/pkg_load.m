## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## pkg load says nothing, takes a moment, and leaves what is asked for the first time to the
## first time.

pkg unload gpureduce
said = evalc ("tic; pkg load gpureduce; seconds = toc;");
printf ("pkg load: %.0f ms\n", 1000 * seconds);
if (isempty (said) && gpu_sum (1:10) == 55)
  printf ("1 passed, 0 failed\n");
else
  printf ("pkg load said: %s\n0 passed, 1 failed\n", said);
  exit (1);
endif
