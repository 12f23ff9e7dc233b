## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Every allocation of every function on the CPU fails once: see inject_faults.

addpath (fileparts (mfilename ("fullpath")));
warning ("off", "gpureduce:cpu-fallback");
printf ("%d faults\n", inject_faults ("cpu"));
tally ();
