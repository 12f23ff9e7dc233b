## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Random numbers from the seed in this environment variable, or from the clock; it is printed.
function seed_from (name)
  seed = setting (name, mod (floor (now () * 86400), 2 ^ 31));
  printf ("seed %d (%s sets it)\n", seed, name);
  rand ("twister", seed);
  randn ("twister", seed);
endfunction
