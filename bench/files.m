## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## tools/octave bench/files.m [PREFIX]: a reduction of a cached raw file beside that of the same array in memory, on the CPU; the best of 15.

name = tempname ();
n = 6e7;
x = randn (1, n);
f = fopen (name, "wb");
fwrite (f, x, "double");
fclose (f);
printf ("%s of %g doubles, %d threads: seconds\n", version (), n, __gpureduce__ ("diagnose").threads);
for op = {"sum", "max", "mean", "var"}
  memory = file = Inf;
  for k = 1:15
    tic;
    a = gpu_reduce (x, op{1}, "device", "cpu");
    memory = min (memory, toc);
    tic;
    b = gpu_reduce ("file", name, op{1}, "class", "double", "dims", [1 n]);
    file = min (file, toc);
  endfor
  assert (a, b);
  printf ("%-5s in memory %.4f, from the file %.4f, %.2f times\n", op{1}, memory, file, file / memory);
endfor
delete (name);
