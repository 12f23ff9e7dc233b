## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Run by the ranks of a job (tests/ranks.sh; mpirun -n 2 tools/octave tests/gpu/ranks.m): each rank's piece is a gpuArray on its own GPU, and what
## comes of them has the bits of the whole array on the CPU; what one rank does wrong is the same error on all, and the next call works; nothing is left
## on the GPUs.  Reductions of many outputs go by NCCL, where it is found.  RANKS_ROUNDS (500), RANKS_SEED, RANKS_ONLY: problems (problems_on_ranks.m).  Without a GPU gpuArrays lie in the host's memory.

1;
addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

## A rank's piece stays in the host's memory now and then; all draw the same numbers.
function x = mostly (c, place, x)
  if (mod (randi (8) + c.rank, 8) > 0)
    x = place (x);
  endif
endfunction

## Where all have gpuArrays: calls that differ.
function calls_that_differ (c, place)
  raises = @(f, message) raises_on_ranks (c, f, "gpureduce:invalid-input", message);
  x = place (ones (3, 4 + c.rank));
  one = @(usual, odd) {usual, odd}{1 + (c.rank == 1)};
  raises (@() feval (one (@gpu_sum, @gpu_max), x, 2, "comm", c), [one("gpu_sum", "gpu_max") ": rank 1 calls gpu_max, rank 0 gpu_sum"]);
  raises (@() gpu_sum (place (one (ones (3, 2), ones (3, 2, "single"))), 2, "comm", c), "gpu_sum: rank 1 has an array of class single, rank 0 double");
  raises (@() gpu_sum (place (ones (one (3, 5), 2)), 2, "comm", c), ...
          "gpu_sum: rank 1 has an array of 5x2 elements, rank 0 one of 3x2: only dimension 2 may differ");
  raises (@() gpu_std (x, one (0, 1), 2, "comm", c), "gpu_std: rank 1 gives other options than rank 0");
  raises (@() gpu_histc (x, one (1:3, 1:4), 2, "comm", c), "gpu_histc: rank 1 gives other options than rank 0");
  raises (@() gpu_dot (x, place (one (ones (3, 4 + c.rank), ones (2))), "comm", c), "gpu_dot: rank 1: X and Y must have the same sizes on each rank");
  tally_ranks (c, isequal (gather (gpu_sum (x, 2, "comm", c)), (4 * c.size + sum (0:c.size-1)) * ones (3, 1)), "the next call works");
endfunction

## Many outputs: by NCCL where it is, from GPU to GPU.
function many_outputs (c, place)
  before = getenv ("GPUREDUCE_NCCL_BYTES");
  setenv ("GPUREDUCE_NCCL_BYTES", "4096");
  now = @() __gpureduce__ ("diagnose");
  gpus = gpuDeviceCount ();
  wrong = "";
  for k = 1:3+37*(gpus > 0)
    rand ("twister", k);
    randn ("twister", k);
    p = wide_problem ([600, 30000](1 + (mod (k, 4) == 0 && gpus > 0)), 400);
    if (! same_on_ranks (p, c, place))
      wrong = [wrong, sprintf("problem %d of many outputs, gpu_%s of %s %s; ", k, p.name, mat2str (p.dims), p.class)];
    endif
  endfor
  tally_ranks (c, isempty (wrong), "%s", wrong);
  has = gpus >= c.size && strncmp (now ().links, "NCCL", 4);
  all_have = gpu_all (has, 2, "comm", c);
  tally_ranks (c, now ().linked == c.size * all_have || c.size == 1, "%d of %d ranks are linked: %s", now ().linked, c.size, now ().links);
  if (isempty (before))
    unsetenv ("GPUREDUCE_NCCL_BYTES");
  else
    setenv ("GPUREDUCE_NCCL_BYTES", before);
  endif
endfunction

## What m-code makes of several reductions of gpuArrays, whose elementwise functions are the GPU's own.
function composed (c, place)
  rand ("twister", 3);
  x = rand (4, 100 * c.size) + 0.01;
  of = 100 * c.rank + (1:100);
  p = place (x(:,of));
  w = mod (1:columns (x), 3);
  right = @(f, want) isgpuarray (f) && max (abs (gather (f) - want)(:)) < 1e-12;
  rest = {2, "comm", c};
  good = [right(gpu_logsumexp (p, rest{:}), gpu_logsumexp (x, 2)), right(gpu_softmax (p, rest{:}), gpu_softmax (x, 2)(:,of)), ...
          right(gpu_normalize (p, rest{:}), gpu_normalize (x, 2)(:,of)), right(gpu_var (p, w(of), rest{:}), gpu_var (x, w, 2)), ...
          right(gpu_var (p, place (w(of)), 2, "omitnan", "comm", c), gpu_var (x, w, 2)), ...
          right(gpu_reduce (p, "histogram", 5, "dim", 2, "comm", c), gpu_reduce (x, "histogram", 5, "dim", 2)), ...
          right(gpu_mapreduce (@exp, "sum", p, "dim", 2, "comm", c), sum (exp (x), 2)), right(gpu_cov (p', "comm", c, "divided", 1), cov (x')), ...
          right(gpu_cov (p, "comm", c), cov (x)), right(gpu_corr (p', "comm", c, "divided", 1), corr (x'))];
  tally_ranks (c, all (good), "of several reductions: %s", mat2str (good));
endfunction

warning ("off", "all");
c = gpu_comm ();
[place, device] = own_gpu (c);
g = place (1:3);
tally_ranks (c, __gpureduce__ ("describe", g).device == device, "rank %d has GPU %d", c.local_rank, __gpureduce__ ("describe", g).device);
gpu_sum (g, 2, "comm", c);
clear g
in_use = @() __gpureduce__ ("diagnose").memory.in_use;
began = in_use ();
[count, failed] = problems_on_ranks (c, 500, @(x) mostly (c, place, x), 50);         # small pieces go to the host
if (c.size > 1)
  many_outputs (c, place);
endif
composed (c, place);
tally_ranks (c, in_use () == began, "%.0f bytes are left on GPU %d", in_use () - began, device);
if (c.size > 1)
  calls_that_differ (c, place);
endif
tally_ranks (c);
if (c.rank == 0)
  printf ("%d passed, %d failed\n", count - failed, failed);
endif
