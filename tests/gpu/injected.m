## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Every allocation and CUDA call of every function fails once: see inject_faults.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));
printf ("%d faults\n", inject_faults ("gpu"));
tally ();
