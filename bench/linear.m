## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Times of linear algebra and Fourier transforms of gpuArrays, medians in milliseconds, and what went through the host: tools/octave bench/linear.m

1;
function y = several (n, f, x)
  y = cell (1, n);
  [y{:}] = f (x);
endfunction

function line (name, f, rounds)
  before = gpu_config ("through_host", "count");
  f ();
  f ();
  went = gpu_config ("through_host", "count") > before;
  t = zeros (1, rounds);
  for k = 1:rounds
    start = tic ();
    y = f ();
    t(k) = toc (start);
    clear y
  endfor
  printf ("%-34s %10.4f%s\n", name, 1e3 * median (t), {"", "  through the host"}{1 + went});
endfunction

for type = {"double", "single"}
  t = type{1};
  g = gpuArray (randn (64, t)); h = gpuArray (randn (64, t));
  line (["64 x 64 * 64 x 64 " t], @() g * h, 1000);
  line (["64 x 64 * 64 x 1 " t], @() g * h(:,1), 1000);
  a = gpuArray (randn (4096, t)); b = gpuArray (randn (4096, t));
  line (["4096 x 4096 * 4096 x 4096 " t], @() a * b, 10);
  x = b(:,1);
  line (["4096 x 4096 * 4096 x 1 " t], @() a * x, 100);
  line (["fft2 4096 x 4096 " t], @() fft2 (a), 10);
  line (["fft of columns 4096 x 4096 " t], @() fft (a), 10);
  line (["fft of rows 4096 x 4096 " t], @() fft (a, [], 2), 10);
  x = gpuArray (randn (2^20, 1, t));
  line (["fft 2^20 " t], @() fft (x), 50);
  z = fft (x);
  line (["ifft 2^20 " t], @() ifft (z), 50);
  a = gpuArray (randn (1000, t) + 50 * eye (1000, t)); b = gpuArray (randn (1000, 1, t)); s = a' * a;
  line (["A \\ b 1000 " t], @() a \ b, 10);
  line (["A \\ B 1000 " t], @() a \ a, 10);
  line (["inv 1000 " t], @() inv (a), 10);
  line (["det 1000 " t], @() det (a), 10);
  line (["chol 1000 " t], @() chol (s), 10);
  line (["lu 1000 " t], @() several (3, @lu, a), 5);
  line (["qr 1000 " t], @() several (2, @qr, a), 5);
  line (["svd 1000, values " t], @() svd (a), 3);
  line (["svd 1000 " t], @() several (3, @svd, a), 2);
  line (["eig 1000, symmetric " t], @() eig (s), 3);
  line (["eig 1000, vectors " t], @() several (2, @eig, s), 3);
endfor

## From which size on the device's libraries are worth it: the host's time, then theirs (src/octave/linear.cc).
for n = [16, 64, 128, 256]
  a = gpuArray (randn (n) + 50 * eye (n)); b = gpuArray (randn (n, 1)); s = a' * a; x = gpuArray (randn (n^2, 1));
  for few = [Inf, 0]
    old = __gpr_octave__ ("few", min (few, 1e9));
    who = {"host", "library"}{1 + (few == 0)};
    line (sprintf ("A \\ b %d, %s", n, who), @() a \ b, 50);
    line (sprintf ("inv %d, %s", n, who), @() inv (a), 50);
    line (sprintf ("eig %d, %s", n, who), @() eig (s), 20);
    line (sprintf ("svd %d, %s", n, who), @() svd (a), 20);
    line (sprintf ("fft %d, %s", n^2, who), @() fft (x), 50);
    __gpr_octave__ ("few", old);
  endfor
endfor
