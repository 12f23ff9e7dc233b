## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## tools/octave bench/loads.m: 64M floats by the variants of loads.cu, on a GPU; GB/s, the
## fastest first, and % of the read ceiling of the same run.

gpu_variant_add (fullfile (fileparts (mfilename ("fullpath")), "loads.cu"));
names = {"vectorized", "loads_1", "loads_4", "loads_4_streaming", "loads_8", "loads_8_streaming", "loads_4_streaming_tiles", ...
         "loads_8_tiles", "cub"};
n = 2 ^ 26;
x = gpuArray (single (randn (n, 1)));
ceiling = median (arrayfun (@(k) __gpureduce__ ("read_ceiling"), 1:5));
printf ("read ceiling %.0f GB/s\n", ceiling);
found = {};
for name = names
  library = strcmp (name{1}, "cub");
  for finish = merge (library, {""}, {"two_pass", "last_block", "atomic"})
    for block = merge (library, 256, [256 512 1024])
      t = __gpureduce__ ("time_variant", name{1}, "sum", x, finish{1}, block, 21);
      found(end+1,:) = {4 * n / median(t.kernel_ms) * 1e-6, name{1}, finish{1}, block};
    endfor
  endfor
endfor
[~, order] = sort (-[found{:,1}]);
for k = order
  printf ("%7.0f  %5.1f %%  %s %s %d\n", found{k,1}, 100 * found{k,1} / ceiling, found{k,2:4});
endfor
