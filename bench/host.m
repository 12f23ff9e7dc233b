## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/host.m: every function of host arrays on the CPU, beside the built-in, in turns (tools/octave bench/host.m).
## Writes build/bench-host.csv, and prints what takes more than 1.05 of the built-in's time (arrays of 1e4: and
## 20 us more).  BENCH_ELEMENTS=1e6,3e7: of these sizes; BENCH_CLASSES=double,...  BENCH_FUNCTIONS=sum,std,...: some.

1;

## The built-in's time and ours; nothing where there is no such built-in.
function ms = beside_builtin (name, call, x, dim)
  plain = strrep (name, "2", "");
  ours = str2func (["gpu_" plain]);
  theirs = str2func (plain);
  ms = [];
  try
    call (theirs, x(1:min (end, 3)), dim);
    call (ours, x(1:min (end, 3)), dim);
  catch
    return;
  end_try_catch
  ms = interleaved_ms (@() call (theirs, x, dim), @() call (ours, x, dim));
endfunction

addpath (fullfile (fileparts (mfilename ("fullpath")), "helpers"));
gpu_config ("device", "cpu");
host_lines ("bench-host.csv", {"builtin_ms", "ours_ms"}, @(n) {[n, 1], [1000, n/1000], [7, floor(n/7)], [floor(n/7), 7], [10, n/1000, 100]}, ...
            @beside_builtin, "built-in's", @(n, builtin) 1.05 * builtin + merge (n <= 1e4, 0.02, 0));
