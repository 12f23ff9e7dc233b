## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/divided_arrays.m: arrays over 1, 2, ... GPUs of one process (tools/octave bench/divided_arrays.m, with several), 8 GiB on each: GB/s of input by the
## clock of the script, medians of eleven calls (of fewer, where these take two seconds) after half a second of calls that are not timed, since GPUs that
## have rested are slower at first, and in brackets the share of as many times one GPU's rate.
## BENCH_BYTES=2^30: of another size.  Prints a Markdown table.

1;
addpath (fullfile (fileparts (mfilename ("fullpath")), "helpers"));

function gbs = rate (call, bytes)
  id = tic ();
  do
    call ();
  until (toc (id) > 0.5)
  s = [];
  do
    id = tic ();
    call ();
    s(end+1) = toc (id);
  until (numel (s) == 11 || sum (s) > 2)
  gbs = bytes / median (s) / 1e9;
endfunction

## Of n GPUs, from values that repeat.
function g = divided (block, times, n)
  x = repmat (block, 1, times * n);
  if (n > 1)
    g = gpuArray (x, "devices", 1:n);
  else
    g = gpuArray (x);
  endif
endfunction

count = gpuDeviceCount ();
if (count < 2)
  error ("bench/divided_arrays.m needs several GPUs; there are %d", count);
endif
bytes = str2num (getenv ("BENCH_BYTES"));
if (isempty (bytes))
  bytes = 2^33;
endif
gpuDevice (1);
printf ("%s\n\n", gpuDevice (1).Name);
numbers = unique ([1, 2, count]);
printf ("| class | operation |%s\n|---|---|%s\n", sprintf (" %d GPUs |", numbers), repmat ("---|", 1, numel (numbers)));
for class = {"double", "single"}
  width = sizeof (cast (0, class{1}));
  block = rand (1, 2^22, class{1});
  times = bytes / width / numel (block);
  works = {"sum", @(g) gpu_sum(g); "std", @(g) gpu_std(g); "max", @(g) gpu_max(g); "histogram, 256 bins", @(g) gpu_histcounts(g, (0:256) / 256);
           "sum of 2 * x + 1", @(g) gpu_sum(2 * g + 1); "std of 2 * x + 1", @(g) gpu_std(2 * g + 1); "cumsum", @(g) any (isnan (size (cumsum (g, 2))))};
  r = zeros (rows (works), numel (numbers));
  for i = 1:numel (numbers)
    clear g
    g = divided (block, times, numbers(i));
    want = sum (double (block)) * times * numbers(i);
    found = gpu_sum (g);
    if (abs (found - want) > 1e-5 * want)
      error ("bench/divided_arrays.m: a sum is %.17g, not %.17g", found, want);
    endif
    for k = 1:rows (works)
      works{k,2} (g);                   # has the kernels of an expression compiled
      gpu_config ("compiled", "wait");
      r(k,i) = rate (@() works{k,2} (g), bytes * numbers(i));
    endfor
  endfor
  for k = 1:rows (works)
    printf ("| %s | %s |%s\n", class{1}, works{k,1}, sprintf (" %.0f (%.2f) |", [r(k,:); r(k,:) ./ r(k,1) ./ numbers]));
  endfor
endfor
