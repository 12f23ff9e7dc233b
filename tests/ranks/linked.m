## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Run by all ranks of a job (tests/ranks.sh), whose GPUs are in host memory (linked_gpus.c) and linked by fake_nccl.c: reductions with many outputs give
## the bits of the whole array on one CPU.  Rank 0 prints how many did, and how many ranks were linked at the end, and how many
## messages calls without a link take to find that out; all, what gpu_doctor says of it.  RANKS_ROUNDS, RANKS_SEED; RANKS_TIMEOUT:
## "comm_timeout"; RANKS_LIMIT: "memory_limit".

1;
function n = sent_by (f)                # messages
  before = __gpureduce__ ("diagnose").messages;
  y = f ();
  n = __gpureduce__ ("diagnose").messages - before;
endfunction

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
clear ans
diagnosis = @() __gpureduce__ ("diagnose");
began = diagnosis ().memory.in_use;
if (! isempty (getenv ("RANKS_LIMIT")))
  gpu_config ("memory_limit", str2double (getenv ("RANKS_LIMIT")));
endif
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
## Where there is no link nobody asks for one again.
bound = getenv ("GPUREDUCE_NCCL_BYTES");
more = 0;
x = ones (600, 333);
for piece = {x, place(x)}(1:2 - (diagnosis ().linked > 0))
  f = @() gpu_sum (piece{1}, 2, "comm", c);
  y = f ();
  more += sent_by (f);
  unsetenv ("GPUREDUCE_NCCL_BYTES");
  more -= sent_by (f);
  setenv ("GPUREDUCE_NCCL_BYTES", bound);
endfor
more = gpu_sum (more, 2, "comm", c);
clear x y piece f
left = gpu_sum (diagnosis ().memory.in_use - began, 2, "comm", c);
if (c.rank == 0)
  fputs (stdout, sprintf ("%d passed, %d failed; %d bytes left; linked: %d; asks in vain: %d\n", rounds - failed, failed, left, diagnosis ().linked, more));
endif
report = gpu_doctor ();
fputs (stdout, sprintf ("rank %d, doctor: %s\n", c.rank, report(strcmp ({report.layer}, "ranks")).found));
