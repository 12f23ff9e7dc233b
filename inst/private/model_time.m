## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{t} =} model_time (@var{p}, @var{n}, @var{card})
## A model's time of the kernel with the profile @var{p} (@code{model_profile}), of @var{n} elements on
## @var{card} (@code{model_card}): @var{t}.ms, @var{t}.terms in ms, which doc/model.md explains, and what
## the words of @code{__gpr_predict__} need.
## @end deftypefn

function t = model_time (p, n, card)

  cycle = 1e-3 / card.ghz;      # us
  terms = zeros (1, 5);
  launches = card.start_us + card.page_us * min (1, n * sizeof (cast (0, p.class)) / 2^21);       # pages of 2 MiB are looked up
  us = 0;
  for l = p.launches
    [one, grid, c, at_once] = launch_terms (p, l, n, card, card.memory_cycles);
    terms += one;
    us += together (one, card);
    launches += card.launch_us;
  endfor

  ## From a value a block to one result.  One block takes the values of all.
  finish = 0;
  step = card.shared_cycles + card.barrier_cycles;
  alone = @(threads) cycle * (ceil (grid / threads) * card.cache_cycles + log2 (max (threads, 2)) * step);
  switch (p.finish)
    case "two_pass"
      threads = min (1024, max (32, 2 ^ ceil (log2 (grid))));
      ## It goes over them twice.
      finish = card.launch_us + cycle * (card.block_cycles + ceil (grid / threads) * card.cache_cycles) + alone (threads);
    case "multi_level"
      m = grid;
      while (m > 1)
        [one, m] = launch_terms (p, l, m, card, card.cache_cycles);
        finish += card.launch_us + together (one, card);
      endwhile
    case "grid_sync"
      finish = card.grid_sync_us + alone (l.threads);
    case "last_block"
      finish = cycle * 2 * card.cache_cycles + alone (l.threads);
      us = max (us, grid * card.atomic_cycles * cycle);
    case "atomic"
      finish = cycle * card.cache_cycles;
      us = max (us, grid * card.atomic_cycles * cycle);
  endswitch

  names = {"memory", "latency", "instructions", "shared", "atomics", "launches", "finish"};
  t = struct ("ms", 1e-3 * (launches + us + finish), "grid", grid, "at_once", at_once, "counts", c, ...
              "terms", cell2struct (num2cell (1e-3 * [terms, launches, finish]), names, 2));

endfunction

## Terms of one launch: they overlap, but not wholly.
function us = together (terms, card)
  us = sum (terms .^ card.overlap) ^ (1 / card.overlap);
endfunction

## Of the launch l over n elements, a read of which waits so many cycles: the time that each of memory, latency,
## instructions, shared memory and atomics would take alone, in us; the grid, the counts of an average block, and how many
## blocks a multiprocessor holds at once.
function [us, grid, c, at_once] = launch_terms (p, l, n, card, wait)

  at_once = max (1, min ([floor(card.threads / max (32, l.threads)), card.blocks, floor(card.shared_bytes / (l.shared + 1024))]));
  tiles = n / p.tile;
  if (p.one_thread)
    grid = 1;
  else
    grid = ceil (tiles);
    if (p.grid_stride)
      grid = min (grid, card.multiprocessors * at_once);
      tiles = max (tiles, grid);
    else
      tiles = grid;
    endif
  endif
  c = cell2struct (num2cell (l.counts * [1 / grid; 1; tiles / grid]), model_counts ("all"), 1);

  cycle = 1e-3 / card.ghz;
  blocks = max (1, grid / card.multiprocessors);        # one after the other or at once, of a multiprocessor
  life = card.block_cycles + c.path_blocks * card.code_cycles + c.path_divisions * card.division_cycles + c.path_waits * wait ...
         + (c.path_hits + c.path_writes + c.path_atomics) * card.hit_cycles + c.path_shared * card.shared_cycles ...
         + c.path_shuffles * card.shuffle_cycles + c.barriers * card.barrier_cycles;
  slots = c.issued_blocks * card.code_slots + c.issued_divisions * card.division_slots ...
          + c.issued_reads + c.issued_writes + c.issued_shared + c.issued_shuffles + c.issued_atomics;
  passes = c.issued_shared + (c.bank_conflicts + c.shared_atomic_passes) * card.conflict_cycles + c.issued_shuffles ...
           + c.issued_lines * card.line_cycles;
  us = [grid * 32 * (c.sectors_first + c.sectors_written) / card.gbs * 1e-3, ...
        max(1, blocks / at_once) * life * cycle, ...
        blocks * slots / card.schedulers * cycle, ...
        blocks * passes * cycle, ...
        grid * c.global_atomic_passes * card.atomic_cycles * cycle];

endfunction
