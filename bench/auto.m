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

addpath (fullfile (fileparts (mfilename ("fullpath")), "helpers"));
gpu_config ("device", "gpu");           # an error where there is none
file = fopen (fullfile (fileparts (fileparts (mfilename ("fullpath"))), "build", "bench-auto.csv"), "w");
fprintf (file, "function,class,shape,dim,elements,cpu_ms,gpu_ms,auto_ms\n");
randn ("twister", 42);
ratios = [];
slow = 0;
for class = chosen ("BENCH_CLASSES", {"double", "single", "int32", "uint8", "logical"})
  for n = cellfun (@str2double, chosen ("BENCH_ELEMENTS", {"1e4", "1e6", "3e7"}))
    for shape = {[n, 1], [1000, n/1000]}
      sz = shape{1};
      x = host_array (class{1}, sz);
      subs = randi (1000, sz(1), 1);
      for work = host_works ().'
        [name, call, kind] = work{:};
        if (strcmp (kind, "vector") && sz(2) > 1)
          continue;
        endif
        f = str2func (["gpu_" strrep(name, "2", "")]);
        try
          call (f, x(1:min (end, 3)), 1);
        catch
          continue;
        end_try_catch
        for dim = 1:merge (sz(2) == 1, 1, 2)
          on = @(device) @() call (@(varargin) f (varargin{:}, "device", device), x, dim);
          ms = in_blocks_ms (on ("gpu"), on ("cpu"), on ("auto"))([2, 1, 3]);
          fprintf (file, "%s,%s,%s,%d,%d,%.6g,%.6g,%.6g\n", name, class{1}, sprintf ("%dx", sz)(1:end-1), dim, prod (sz), ms);
          ratios(end+1) = ms(3) / min (ms(1:2));
          if (ms(3) > 1.15 * min (ms(1:2)) + 0.02)
            slow++;
            printf ("%.2f of the better one's time: %s (%s %s, %d), CPU %.4g, GPU %.4g, auto %.4g ms\n", ratios(end), name, class{1}, ...
                    sprintf ("%dx", sz)(1:end-1), dim, ms);
          endif
        endfor
      endfor
    endfor
  endfor
endfor
fclose (file);
printf ("%d calls, %d slower; of the better one's time: median %.2f, the slowest tenth from %.2f on\n", numel (ratios), slow, median (ratios), quantile (ratios, 0.9));
