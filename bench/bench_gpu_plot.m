## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## BENCH_CSV=FILE.csv tools/octave bench/bench_gpu_plot.m: targets and plot of a table
## that `make bench-gpu' wrote, anywhere; FILE.png beside it.  Without BENCH_CSV:
## build/bench-gpu.csv.

addpath (fullfile (fileparts (mfilename ("fullpath")), "helpers"));
csv = getenv ("BENCH_CSV");
if (isempty (csv))
  csv = fullfile (fileparts (fileparts (mfilename ("fullpath"))), "build", "bench-gpu.csv");
endif
report_gpu (csv);
