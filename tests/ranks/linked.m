## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Run by all ranks of a job (tests/ranks.sh), whose GPUs are in host memory (linked_gpus.c) and linked by fake_nccl.c: reductions with many outputs give
## the bits of the whole array on one CPU.  Rank 0 prints how many did, and how many ranks were linked at the end.  RANKS_ROUNDS, RANKS_SEED; RANKS_TIMEOUT:
## "comm_timeout".

addpath (fileparts (fileparts (mfilename ("fullpath"))));
warning ("off", "all");
c = gpu_comm ();
place = own_gpu (c);
first = str2double (getenv ("RANKS_SEED"));
rounds = min (str2double (getenv ("RANKS_ROUNDS")), 200);
failed = 0;
if (! isempty (getenv ("RANKS_TIMEOUT")))
  gpu_config ("comm_timeout", str2double (getenv ("RANKS_TIMEOUT")));
endif
place (1);
diagnosis = @() __gpureduce__ ("diagnose");
began = diagnosis ().memory.in_use;
for k = first + (1:rounds)
  rand ("twister", k);
  randn ("twister", k);
  p = wide_problem (600, 400);
  good = same_on_ranks (p, c, place);
  if (! good)
    printf ("rank %d of %d, problem %d: gpu_%s of %s %s\n", c.rank, c.size, k, p.name, mat2str (p.dims), p.class);
  endif
  failed += gpu_any (! good, 2, "comm", c);
endfor
left = gpu_sum (diagnosis ().memory.in_use - began, 2, "comm", c);
if (c.rank == 0)
  printf ("%d passed, %d failed; %d bytes left; linked: %d\n", rounds - failed, failed, left, diagnosis ().linked);
endif
