## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{names} =} bench_own_kernels ()
## Variants of @code{gpu_bench} that choose finish and block themselves: the libraries and the
## package's own kernels.
## @end deftypefn

function names = bench_own_kernels ()
  names = {"cub", "thrust", "cublas", "engine"};
endfunction
