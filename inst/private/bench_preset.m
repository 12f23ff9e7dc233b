## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{p} =} bench_preset (@var{name})
## A preset of @code{gpu_bench}: a struct of what is to be said of the source's figures, their
## unit ("ms" or "GB/s"), the variable of the plot ("n" or "variant") and what is
## timed: a struct array with the fields variant, op, class, n, finish, block, bins,
## source, note, scale, bias.  The names alone without an argument.
## @end deftypefn

function p = bench_preset (name)

  if (nargin == 0)
    p = {"guide", "shmoo", "bandwidth", "harris", "histogram", "divergence"};
    return;
  endif
  switch (name)
    case "guide"
      p = preset ("the guide's figures are of an RTX 3080", "ms", "variant", "sum", "int32", 2^24, 256, {
        "neighbored",       "two_pass",    12.45, "original, corrected"
        "interleaved",      "two_pass",    9.23,  "interleaved"
        "sequential",       "two_pass",    4.87,  "basic shared memory"
        "first_add",        "two_pass",    3.41,  "optimised shared memory"
        "unroll_last_warp", "two_pass",    2.78,  "warp unrolling"
        "full_shuffle",     "two_pass",    2.15,  "shuffle"
        "full_shuffle",     "multi_level", 1.67,  "complete"
        "grid_stride",      "two_pass",    NaN,   ""
        "thrust",           "",            NaN,   ""
        "cublas",           "",            1.23,  "asum of single"
        "engine",           "",            NaN,   "gpu_sum"});
      p.rows(strcmp ({p.rows.variant}, "cublas")).class = "single";
    case "shmoo"
      p = shmoo ();
    case "bandwidth"
      p = preset ("the source's figures are of an A100, with a peak of 1,935 GB/s", "GB/s", "variant", ...
                  "sum", "single", 2^26, 256, {
        "single_thread", "multi_level", 10,   "V0"
        "shared_modulo", "multi_level", 210,  "V1"
        "sequential",    "multi_level", 380,  "V2"
        "first_add",     "multi_level", 620,  "V3"
        "warp_shuffle",  "multi_level", 1180, "V4"
        "grid_stride",   "two_pass",    1720, "V5"
        "vectorized",    "two_pass",    NaN,  "float4"
        "vectorized",    "atomic",      NaN,  "float4, one launch"
        "cub",           "",            1810, "CUB"
        "engine",        "",            NaN,  "gpu_sum"});
    case "harris"
      p = preset ("Harris's figures are of a G80", "ms", "variant", "sum", "int32", 2^22, 128, {
        "shared_modulo",    "multi_level", 8.054, "step 1"
        "shared_strided",   "multi_level", 3.456, "step 2"
        "sequential",       "multi_level", 1.722, "step 3"
        "first_add",        "multi_level", 0.965, "step 4"
        "unroll_last_warp", "multi_level", 0.606, "step 5"
        "unrolled",         "multi_level", 0.381, "step 6"
        "cascade",          "multi_level", 0.268, "step 7"});
    case "histogram"
      p = preset ("the source's figures are of an A100", "GB/s", "variant", ...
                  "histogram", "uint8", 2^28, 256, {
        "global_atomic", "", 42,  "naive"
        "block_shared",  "", 380, "a table a block"
        "warp_private",  "", 520, "a table a warp"
        "cub",           "", 580, "CUB"
        "engine",        "", NaN, "gpu_reduce"});
    case "divergence"
      p = preset ("the guide: 50, 25, 12.5 % of the lanes active", "%", "step", ...
                  "sum", "int32", 256, 256, {
        "neighbored",      "two_pass", NaN, "modulo test in global memory"
        "neighbored_less", "two_pass", NaN, "the active threads in whole warps"
        "shared_modulo",   "two_pass", NaN, "modulo test in shared memory"
        "shared_strided",  "two_pass", NaN, "whole warps, but bank conflicts"
        "sequential",      "two_pass", NaN, "neither"});
  endswitch
  p.name = name;

endfunction

function p = preset (figures, unit, across, op, class, n, block, list)

  p = struct ("figures", figures, "unit", unit, "across", across);
  p.rows = struct ("variant", list(:,1), "op", op, "class", class, "n", n, "finish", list(:,2), "block", block, ...
                   "bins", 256, "source", list(:,3), "note", list(:,4), "scale", 1, "bias", 0)';

endfunction

## NVIDIA's program times its kernels K0 to K7 from 1 to 32M elements; the figures
## are those of the text.
function p = shmoo ()

  names = {"shared_modulo", "shared_strided", "sequential", "first_add", "warp_shuffle", "unrolled", "cascade", "warp_reduce_hw"};
  known = 2 .^ (17:23);
  figures = [0.029 0.028 0.026 0.020 0.016 0.020 0.017 0.017
             0.032 0.028 0.028 0.020 0.019 0.016 0.018 0.018
             0.037 0.032 0.030 0.027 0.023 0.023 0.019 0.019
             0.048 0.038 0.035 0.030 0.024 0.023 0.022 0.022
             0.070 0.051 0.045 0.034 0.026 0.026 0.028 0.029
             0.112 0.077 0.063 0.096 0.031 0.031 0.041 0.041
             0.199 0.130 0.109 0.065 0.046 0.045 0.141 0.139];
  rows = [];
  for n = 2 .^ (0:25)
    list = [names', repmat({"multi_level", NaN, ""}, numel (names), 1)];
    list(:,4) = arrayfun (@(k) sprintf ("K%d", k), 0:7, "uniformoutput", false);
    if (any (known == n))
      list(:,3) = num2cell (figures(known == n, :));
    endif
    p = preset ("the source's figures are of an A100", "ms", "n", "sum", "int32", n, 256, list);
    rows = [rows, p.rows];
  endfor
  p.rows = rows;

endfunction
