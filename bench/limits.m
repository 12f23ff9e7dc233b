## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## tools/octave bench/limits.m: what the memory of a machine gives (bench/results/bench.md): the rate
## at which the CPU backend reads with 1 and with all threads, and what a large result
## costs, of which Octave's own zeros () is the most.  4 GB; GLIBC_TUNABLES=glibc.malloc.hugetlb=1
## shows what large pages would change.

addpath (fullfile (fileparts (mfilename ("fullpath")), "helpers"));
gpu_config ("device", "cpu");
m = machine ();
printf ("%s\n", m.cpu);
x = rand (1e8, 1);
g = gpuArray (x);               # in the CPU's memory
old = gpu_config ("threads");
for threads = [1, old]
  gpu_config ("threads", threads);
  printf ("read by gpu_sum, %s: %.1f GB/s\n", merge (threads == 1, "1 thread", "all threads"), 0.8e6 / interleaved_ms (@() gpu_sum (g)));
endfor
gpu_config ("threads", old);
printf ("read by sum: %.1f GB/s\n", 0.8e6 / interleaved_ms (@() sum (x)));
x = reshape (x, 4, 25e6);
h = gpuArray (x);
ms = interleaved_ms (@() zeros (1, 25e6), @() gpu_sum (x, 1), @() gpu_sum (h, 1), @() sum (x, 1));
printf ("a result of 25e6 doubles: zeros %.0f ms; gpu_sum %.0f, of a gpuArray on the CPU %.0f; sum %.0f\n", ms);
