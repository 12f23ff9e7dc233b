## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/kernel_times.m: kernels of 1e8 elements in rows, columns and pages, milliseconds as gpu_config ("last") has
## them, medians of 9 warm calls of gpuArrays; no peers:
##
##     tools/octave bench/kernel_times.m
##
## BENCH_CLASSES=double,... BENCH_FUNCTIONS=sum,max2,...: some.  max2 is [m, i] = max.

1;

function ms = kernel_ms (code, g, dim)
  eval (code);
  eval (code);
  taken = zeros (1, 9);
  for k = 1:9
    eval (code);
    taken(k) = gpu_config ("last").kernel_ms;
  endfor
  ms = median (taken);
endfunction

function list = chosen (variable, all)
  list = strsplit (getenv (variable), ",");
  if (isempty (list{1}))
    list = all;
  endif
endfunction

codes = struct ("sum", "y = sum (g, dim);", "max", "y = max (g, [], dim);", "max2", "[y, i] = max (g, [], dim);", ...
                "any", "y = any (g, dim);", "var", "y = var (g, 0, dim);", "bounds", "[y, i] = bounds (g, dim);");
names = chosen ("BENCH_FUNCTIONS", fieldnames (codes).');
shapes = {[1e8, 1], [7, floor(1e8/7)], [floor(1e8/7), 7], [40, 2.5e6], [333, 1001, 300], [12345, 8100], [1000, 1e5], [1001, 99900]};
gpu_config ("device", "gpu");
randn ("twister", 42);
block = 1 + randn (1e6, 1);
printf ("class,shape,dim%s\n", sprintf (",%s", names{:}));
for class = chosen ("BENCH_CLASSES", {"double", "single", "int16", "uint8"})
  x = repmat (block, 100, 1);
  if (! isfloat (cast (0, class{1})))
    x *= 30;
  endif
  x = cast (x, class{1});
  for shape = shapes
    sz = shape{1};
    g = gpuArray (reshape (x(1:prod (sz)), sz));
    for dim = 1:max (1, numel (sz) - (sz(end) == 1))
      printf ("%s,%s,%d%s\n", class{1}, sprintf ("%dx", sz)(1:end-1), dim,
              sprintf (",%.4f", cellfun (@(name) kernel_ms (codes.(name), g, dim), names)));
    endfor
    clear g
  endfor
endfor
