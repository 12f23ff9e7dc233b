## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Written by bench/model.m.

## -*- texinfo -*-
## @deftypefn {} {@var{c} =} model_fitted ()
## The model's fitted numbers, which it takes for every card.
## @end deftypefn

function c = model_fitted ()

  ## Fitted on 2026-11-26 to bench/results/ladder-h100.csv: 2^22 and 2^26 elements of
  ## block_shared, cooperative, full_shuffle, grid_stride, map_reduce, neighbored, packed_atomic,
  ## shared_bitmask, shared_strided, single_thread, unrolled, warp_private,
  ## warp_shuffle
  c = struct ();
  c.start_us = 1.3;            # us that a run takes before its first kernel works; not fitted
  c.launch_us = 1.8;           # us of a launch more; not fitted
  c.page_us = 2.225;           # us more for the first look at the pages of memory, from 2 MiB on
  c.block_cycles = 467.2;      # cycles until a block is at work, and until its place is free again
  c.code_cycles = 3.052;       # that a warp waits for a basic block
  c.code_slots = 2.61;         # instructions of a basic block that are no access
  c.division_cycles = 60.74;   # that a warp waits for a division of whole numbers
  c.division_slots = 34.21;    # instructions of one
  c.memory_cycles = 500;       # of a read from memory
  c.cache_cycles = 318.1;      # of a read from the second cache
  c.hit_cycles = 23.48;        # of one from the first
  c.shared_cycles = 23.41;     # of an access to shared memory
  c.conflict_cycles = 2.485;   # of a pass more by a bank conflict
  c.line_cycles = 0.4244;      # of a line of 128 bytes in the first cache
  c.shuffle_cycles = 28.5;     # of a shuffle
  c.barrier_cycles = 28.86;    # of a barrier
  c.atomic_cycles = 0.4271;    # of a turn of atomics in the second cache, for the whole card
  c.grid_sync_us = 3.9;        # us of a grid sync, with what a cooperative launch takes more
  c.overlap = 2.631;           # p: terms x, y, ... take (x^p + y^p + ...)^(1/p) together

endfunction
