## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/auto.m: which device "auto" takes for host arrays: every function on the CPU, on the GPU and by "auto", in turns
## (tools/octave bench/auto.m, with a GPU).  Writes build/bench-auto.csv, and prints where "auto" takes more than 1.15 of the
## better one's time and 20 us more.  BENCH_ELEMENTS=1e6,3e7: of these sizes; BENCH_CLASSES, BENCH_FUNCTIONS: some.

1;

## Milliseconds of a call of each function: after 10 ms of calls that are not timed, since threads and pages have been another's before, the
## median of 10 ms of calls and more; three such blocks of each in turns, of which the middle one counts.
function ms = in_blocks_ms (varargin)
  taken = zeros (3, nargin);
  for r = 1:3
    for k = 1:nargin
      for warm = [true, false]
        each = [];
        while (sum (each) < 0.01)
          id = tic ();
          result = varargin{k}();
          each(end+1) = toc (id);
        endwhile
      endfor
      taken(r,k) = 1e3 * median (each);
    endfor
  endfor
  ms = median (taken, 1);
endfunction

function ms = by_device (name, call, x, dim)
  f = str2func (["gpu_" strrep(name, "2", "")]);
  on = @(device) @() call (@(varargin) f (varargin{:}, "device", device), x, dim);
  ms = [];
  try
    call (f, x(1:min (end, 3)), 1);
  catch
    return;                     # not of this class
  end_try_catch
  ms = in_blocks_ms (on ("gpu"), on ("cpu"), on ("auto"));
endfunction

addpath (fullfile (fileparts (mfilename ("fullpath")), "helpers"));
gpu_config ("device", "gpu");           # an error where there is none
host_lines ("bench-auto.csv", {"gpu_ms", "cpu_ms", "auto_ms"}, @(n) {[n, 1], [1000, n/1000]}, @by_device, "better one's", @(n, better) 1.15 * better + 0.02);
