## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The model of a kernel's time (doc/model.md), and the counts that it reads.

%!function [rows, profiles, ms] = recorded ()
%!  persistent kept;
%!  if (isempty (kept))
%!    folder = fullfile (fileparts (which ("in_octave")), "..", "bench", "helpers");
%!    addpath (folder);
%!    [kept.rows, kept.profiles] = model_rows ();
%!    rmpath (folder);
%!    cards = struct ("H100", __gpr_predict__ ("card", "H100"), "H200", __gpr_predict__ ("card", "H200"));
%!    kept.ms = arrayfun (@(r) __gpr_predict__ ("time", kept.profiles{r.run}, r.n, cards.(r.card)).ms, kept.rows);
%!  endif
%!  rows = kept.rows;
%!  profiles = kept.profiles;
%!  ms = kept.ms;                # the model's
%!endfunction
%!function run = run_of (variant, varargin)
%!  run = struct ("variant", variant, "op", "sum", "class", "int32", "block", 256, "finish", "", varargin{:});
%!endfunction
## A kernel whose every count is 0 but these, of a block; and a card of round numbers.
%!function p = profile (varargin)
%!  names = __gpr_predict__ ("counts", "all");
%!  counts = zeros (numel (names), 3);
%!  for k = 1:2:numel (varargin)
%!    assert (any (strcmp (names, varargin{k})));
%!    counts(strcmp (names, varargin{k}),2) = varargin{k+1};
%!  endfor
%!  p = struct ("variant", "k", "op", "sum", "class", "int32", "block", 256, "finish", "", "bins", 256, "tile", 256, "one_thread", false, ...
%!              "grid_stride", false, "launches", struct ("kernel", "k", "threads", 256, "shared", 1024, "counts", counts));
%!endfunction
%!function card = round_card ()
%!  card = __gpr_predict__ ("card", "H200");
%!  for name = fieldnames (__gpr_predict__ ("fitted"))'
%!    card.(name{1}) = 0;
%!  endfor
%!  card.ghz = 1;
%!  card.gbs = 1000;
%!  card.multiprocessors = 100;
%!  card.overlap = 1;
%!endfunction
%!function terms = terms_of (p, n, card)
%!  terms = __gpr_predict__ ("time", p, n, card).terms;
%!endfunction
%!function ms = time_of (p, n, card)
%!  ms = __gpr_predict__ ("time", p, n, card).ms;
%!endfunction
%!function yes = simulates ()
%!  yes = true;
%!  try
%!    t = gpu_trace ("sequential", 32, 32);
%!  catch
%!    yes = false;
%!  end_try_catch
%!endfunction

%!test                          # terms_are_what_one_calculates_by_hand
%! n = 256 * 4000;              # 4000 blocks, 40 a multiprocessor, 8 of them at once
%! card = round_card ();
%! ## 32 sectors a block are 4000 * 1024 bytes, at 1000 GB/s
%! assert (terms_of (profile ("sectors_first", 24, "sectors_written", 8), n, card).memory, 4000 * 1024 / 1e12 * 1e3, 1e-12);
%! ## 5 waves of blocks that live 1000 cycles of 1 ns
%! card.block_cycles = 400;
%! card.memory_cycles = 600;
%! assert (terms_of (profile ("path_waits", 1), n, card).latency, 5 * 1000e-6, 1e-12);
%! card.barrier_cycles = 10;
%! card.shared_cycles = 20;
%! assert (terms_of (profile ("path_waits", 1, "barriers", 8, "path_shared", 24), n, card).latency, 5 * 1560e-6, 1e-12);
%! ## 40 blocks of 800 + 200 * 3 instructions, four a cycle
%! card.code_slots = 3;
%! assert (terms_of (profile ("issued_blocks", 200, "issued_shared", 800), n, card).instructions, 40 * 1400 / 4 * 1e-6, 1e-12);
%! ## a pass a cycle; of conflicts two
%! card.conflict_cycles = 2;
%! assert (terms_of (profile ("issued_shared", 100, "bank_conflicts", 700), n, card).shared, 40 * 1500e-6, 1e-12);
%! card.atomic_cycles = 0.5;
%! assert (terms_of (profile ("global_atomic_passes", 3), n, card).atomics, 4000 * 1.5e-6, 1e-12);
%! ## by overlap 1 all add up
%! card.launch_us = 2;
%! card.start_us = 1;
%! t = __gpr_predict__ ("time", profile ("issued_shared", 100, "path_waits", 1), n, card);
%! assert (t.terms.launches, 3e-3, 1e-12);
%! assert (t.ms, sum (cellfun (@(name) t.terms.(name), fieldnames (t.terms))), 1e-12);
%! card.overlap = 2;
%! assert (time_of (profile ("issued_shared", 100, "path_waits", 1), n, card), 3e-3 + norm ([t.terms.latency, t.terms.shared, t.terms.instructions]), 1e-12);
%!test                          # fewer_blocks_than_places_take_as_long_as_one: and shared memory takes places
%! card = round_card ();
%! card.block_cycles = 1000;
%! latency = @(p, blocks) terms_of (p, 256 * blocks, card).latency;
%! assert (arrayfun (@(blocks) latency (profile (), blocks), [1 100 800 1600]), [1 1 1 2] * 1e-3, 1e-12);
%! p = profile ();
%! p.launches.shared = 100 * 1024;                      # of 228 KiB: two blocks
%! assert (latency (p, 800), 4e-3, 1e-12);
%! p.launches.threads = 1024;                           # of 2048 threads: two blocks
%! p.launches.shared = 0;
%! assert (latency (p, 800), 4e-3, 1e-12);
%!test                          # finishes_are_what_one_calculates_by_hand
%! card = round_card ();
%! card.launch_us = 2;
%! card.cache_cycles = 300;
%! card.grid_sync_us = 5;
%! finish = @(p, name, n) terms_of (setfield (p, "finish", name), n, card).finish;
%! ## 4096 values by 1024 threads: four turns, twice
%! assert (finish (profile (), "two_pass", 256 * 4096), (2 + 2 * 4 * 0.3) * 1e-3, 1e-12);
%! assert (finish (profile (), "two_pass", 256 * 16), (2 + 2 * 0.3) * 1e-3, 1e-12);
%! ## 65536 blocks, then 256, then 1: two launches more
%! assert (finish (profile (), "multi_level", 2^24), 4e-3, 1e-12);
%! assert (finish (profile (), "multi_level", 100), 0);
%! ## a thread of the last block takes 4096 / 256 values
%! assert (finish (profile (), "last_block", 256 * 4096), (2 + 16) * 0.3e-3, 1e-12);
%! assert (finish (profile (), "grid_sync", 256 * 512), 5e-3 + 2 * 0.3e-3, 1e-12);
%! ## atomics on one address may last longer than all else
%! card.atomic_cycles = 1;
%! assert (time_of (setfield (profile (), "finish", "atomic"), 256 * 10000, card), (2 + 10 + 0.3) * 1e-3, 1e-12);
%!test                          # a_grid_of_a_loop_is_what_the_card_holds
%! card = round_card ();
%! p = profile ();
%! p.grid_stride = true;
%! assert (__gpr_predict__ ("time", p, 256 * 10, card).grid, 10);
%! assert (__gpr_predict__ ("time", p, 2^26, card).grid, 800);
%! p.launches.counts(:,3) = 2;
%! t = __gpr_predict__ ("time", p, 256 * 8000, card);   # ten tiles a block
%! assert (t.counts.issued_shared, 20);
%!test                          # more_of_anything_never_takes_less_time: conflicts above all
%! [~, profiles] = recorded ();
%! names = __gpr_predict__ ("counts", "all");
%! for p = profiles(1:19:end)
%!   for card = {"H200", "RTX 3080"}
%!     card = __gpr_predict__ ("card", card{1});
%!     for n = [1000 2^22]
%!       before = time_of (p{1}, n, card);
%!       for k = 1:numel (names)
%!         more = p{1};
%!         more.launches(end).counts(k,2:3) = 2 * more.launches(end).counts(k,2:3) + 10;
%!         assert (time_of (more, n, card) >= before, "%s of %s", names{k}, more.variant);
%!       endfor
%!       more = p{1};
%!       more.launches(end).counts(strcmp (names, "bank_conflicts"),2) += 1000;
%!       assert (time_of (more, 2^22, card) > time_of (p{1}, 2^22, card));
%!     endfor
%!   endfor
%! endfor
%!test                          # recorded_tables_are_met: of the H100 and the H200, fitted to or not
%! [rows, profiles, ms] = recorded ();
%! measured = [rows.kernel_ms];
%! names = unique ({rows(strcmp ({rows.card}, "H100")).variant});
%! half = ismember ({rows.variant}, names(1:2:end));
%! h100 = strcmp ({rows.card}, "H100");
%! size = ismember ([rows.n], 2 .^ [22 26]);
%! big = [rows.n] >= 2^20;
%! for set = {h100 & size & half, h100 & size & ! half, h100 & ! size, ! h100 & big}
%!   x = ms(set{1});
%!   y = measured(set{1});
%!   assert (numel (x) > 70);
%!   assert (spearman (x', y') >= 0.98, "%g", spearman (x', y'));
%!   assert (median (abs (x ./ y - 1)) <= 0.08, "%g", median (abs (x ./ y - 1)));
%!   assert (quantile (abs (x ./ y - 1)(:), 0.9) <= 0.2, "%g", quantile (abs (x ./ y - 1)(:), 0.9));
%! endfor
%! small = ! h100 & ! big;
%! assert (median (abs (ms(small) ./ measured(small) - 1)) <= 0.1);
%! ## a kernel by itself, over all sizes
%! for name = names
%!   of = strcmp ({rows.variant}, name{1}) & big;
%!   assert (median (abs (ms(of) ./ measured(of) - 1)) <= 0.2, "%s: %g", name{1}, median (abs (ms(of) ./ measured(of) - 1)));
%! endfor
%! ## what the record says of it
%! table = strsplit (fileread (fullfile (fileparts (which ("in_octave")), "..", "bench", "results", "model-h100.csv")), "\n")(2:end-1);
%! told = cellfun (@(line) str2double (strsplit (line, ",", "CollapseDelimiters", false){10}), table);
%! assert (told, ms, 1e-3 * ms + 1e-9);
%!test                          # pairs_come_in_their_order: of those that a GPU has more than a tenth apart, all but 1 in 50
%! [rows, profiles, ms] = recorded ();
%! measured = [rows.kernel_ms];
%! alike = arrayfun (@(r) sprintf ("%s %s %d %d %s %s %s", r.card, r.table, r.n, r.block, r.class, r.op, r.finish), rows, "UniformOutput", false);
%! [~, ~, group] = unique (alike);
%! apart = right = 0;
%! for i = 1:numel (rows)
%!   slower = group(:)' == group(i) & measured > 1.1 * measured(i);
%!   apart += sum (slower);
%!   right += sum (ms(slower) > ms(i));
%! endfor
%! assert (apart > 2000);
%! assert (right / apart > 0.98);
%!testif ; simulates ()         # recorded_counts_are_the_simulators
%! [rows, profiles] = recorded ();
%! for name = {"shared_strided", "cascade", "map_then_reduce", "shuffle_pairs", "single_thread", "neighbored"}
%!   k = find (strcmp ({rows.variant}, name{1}) & [rows.block] == 256 & strcmp ({rows.card}, "H100"), 1);
%!   p = __gpr_predict__ ("profile", rows(k));
%!   q = profiles{rows(k).run};
%!   assert ({p.finish, p.tile, p.grid_stride, numel(p.launches)}, {q.finish, q.tile, logical(q.grid_stride), numel(q.launches)});
%!   for l = 1:numel (p.launches)
%!     near = 1e-4 * q.launches(l).counts + 1e-4;
%!     near([7 17],:) = 0.02 * q.launches(l).counts([7 17],:) + 1;    # basic blocks, of all warps and the busiest, are the compiler's
%!     assert (p.launches(l).counts, q.launches(l).counts, near);
%!   endfor
%! endfor

## counts
%!testif ; simulates ()         # totals_of_launches_add_up: the finish apart from the kernel
%! t = gpu_trace ("sequential", 5000, 128);
%! assert ({t.launches.kernel}, {"sequential", "second_pass"});
%! for name = {"warps_issued", "bank_conflicts", "sectors", "barriers", "divergent_warps", "sectors_first"}
%!   assert (sum (arrayfun (@(l) l.totals.(name{1}), t.launches)), t.totals.(name{1}));
%! endfor
%! for name = fieldnames (t.totals.issued)'
%!   assert (sum (arrayfun (@(l) l.totals.issued.(name{1}), t.launches)), t.totals.issued.(name{1}));
%! endfor
%! assert ([t.launches.shared_bytes], [512 512]);
%! ## 40 blocks of 4 warps: a load each, a store a block; 8 steps in shared memory
%! c = t.launches(1).totals;
%! assert ([c.issued.reads, c.path.reads, c.path.waits, c.path.writes, c.issued.writes, c.sectors_first], [157 40 40 40 40 625]);
%! assert (c.path.shared, 40 * (1 + 7 * 3 + 1));
%!testif ; simulates ()         # what_is_read_again_waits_for_a_cache
%! t = gpu_trace ("single_thread", 2048, 32).launches(1).totals;
%! assert ([t.sectors, t.sectors_first, t.issued.reads], [2049 256 2048]);
%! assert ([t.issued.waits, t.issued.hits], [256 256]); # four loads at once, eight of a sector
%! t = gpu_trace ("interleaved", 64, 64).launches(1).totals;
%! assert ([t.sectors_first, t.path.waits, t.path.hits], [8 1 6]);
%!testif ; simulates ()         # divisions_are_counted
%! t = gpu_trace ("shared_modulo", 512, 256).launches(1).totals;
%! assert ([t.issued.divisions, t.path.divisions], [2 * 8 * 8, 2 * 8]);
%! assert (gpu_trace ("sequential", 512, 256).totals.issued.divisions, 0);
## adds two kernels, one of which parts the lanes of its warps, with so many barriers
%!function add_branches (file, barriers)
%!  fid = fopen (file, "w");
%!  fprintf (fid, "#include \"ladder.h\"\n");
%!  for k = {"apart", "together"; "t & 1", "t & 32"}
%!    fprintf (fid, ["template <class Op> __global__ void %s (reduce_args<Op> a)\n{\n  int *s = shared<int> ();\n  int t = threadIdx.x;\n" ...
%!                   "  if (%s)\n    for (int k = 0; k < 10; k++)\n      s[t] = k;\n  else\n    for (int k = 0; k < 10; k++)\n      s[t] = -k;\n" ...
%!                   "  for (int k = 0; k < %d; k++)\n    __syncthreads ();\n  int64_t i = (int64_t) blockIdx.x * blockDim.x;\n  int v = 0;\n" ...
%!                   "  for (int k = 0; t == 0 && k < blockDim.x && i + k < a.n; k++)\n    v += a.x[i + k];\n  finish (a, v);\n}\n" ...
%!                   "LADDER_VARIANT (%s) { v.shared_per_thread = 1; LADDER_SET (v, LADDER_SUM, LADDER_INT32, %s<Sum<int>>) }\n"], ...
%!             k{:}, barriers, k{1}, k{1});
%!  endfor
%!  fclose (fid);
%!  gpu_variant_add (file);
%!endfunction
%!testif ; simulates ()         # both_sides_of_a_branch_count_where_lanes_part: and an edited kernel has another time
%! file = [tempname() ".cu"];
%! unwind_protect
%!   add_branches (file, 1);
%!   apart = gpu_trace ("apart", 1, 64, "data", int32 (0)).launches(1).totals.issued;
%!   together = gpu_trace ("together", 1, 64, "data", int32 (0)).launches(1).totals.issued;
%!   assert (apart.shared, 2 * together.shared);
%!   assert (apart.blocks > 1.4 * together.blocks && apart.blocks < 2 * together.blocks);
%!   once = __gpr_predict__ (run_of ("together"), 2^22).ms;
%!   assert (__gpr_predict__ (run_of ("apart"), 2^22).ms > once);
%!   add_branches (file, 200);
%!   system (sprintf ("touch -d 2030-01-01 '%s'", file));       # a second later would do
%!   assert (__gpr_predict__ (run_of ("together"), 2^22).ms > 1.2 * once);
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%!testif ; simulates ()         # atomics_are_counted_by_kind
%! t = gpu_trace ("block_shared", 64, 64, "data", ones (1, 64), "bins", 5, "class", "int32").totals;
%! assert ([t.shared_atomics, t.shared_atomic_passes, t.global_atomics, t.atomics], [64 64 1 65]);      # 32 lanes on one counter, twice
%! t = gpu_trace ("global_atomic", 64, 64, "data", ones (1, 64), "bins", 5, "class", "int32").totals;
%! assert ([t.shared_atomics, t.global_atomics, t.global_atomic_passes], [0 64 64]);
%! t = gpu_trace ("global_atomic", 32, 64, "data", 0:31, "bins", 32, "class", "int32").totals;
%! assert ([t.global_atomics, t.global_atomic_passes], [32 8]);         # 32 counters of 8 bytes are 8 sectors

## where it is shown
%!testif ; simulates ()         # the_model_says_what_bounds: conflicts, divisions, memory, one thread
%! assert ({__gpr_predict__(run_of ("shared_strided"), 2^22).bound, __gpr_predict__(run_of ("shared_modulo"), 2^26).bound}, {"bank conflicts", "instructions"});
%! assert (! isempty (regexp (__gpr_predict__ (run_of ("shared_modulo"), 2^26).why, '^instructions, divisions above all: 8 a warp$')));
%! assert (__gpr_predict__ (run_of ("grid_stride"), 2^26).bound, "memory");
%! assert (__gpr_predict__ (run_of ("single_thread"), 2^20).why, "latency, in one block");
%! assert (__gpr_predict__ (run_of ("global_atomic", "op", "histogram"), 2^22).bound, "atomics");
%! assert (__gpr_predict__ (run_of ("sequential"), 1000).bound, "launches");
%! m = __gpr_predict__ (run_of ("shared_strided"), 2 .^ [20 22 26], "h 100");
%! assert (size (m), [1 3]);
%! assert (issorted ([m.ms]) && all (strcmp ({m.card}, "H100")) && all ([m.tested]));
%! assert (! isempty (regexp (m(2).text, '^On an H100 a model says 0\.0\d+ ms for 4M elements, bound by: bank conflicts, 2 of 3 passes\.$')));
%!testif ; simulates ()         # cards_without_a_measurement_are_marked
%! for card = {"A100", "RTX 3080"}
%!   m = __gpr_predict__ (run_of ("sequential"), 2^22, card{1});
%!   assert (m.tested, false);
%!   assert (! isempty (regexp (m.text, 'It is untested on this card\.$')));
%! endfor
%!testif ; simulates ()         # what_cannot_be_modelled_has_no_time
%! assert (isempty (__gpr_predict__ (run_of ("cub"), 2^22)));
%! assert (isempty (__gpr_predict__ (run_of ("bug_off_by_one"), 2^22)));
%! assert (isempty (__gpr_predict__ (run_of ("no_such_kernel"), 2^22)));
%! assert (isempty (gpu_trace ("bug_off_by_one").model));
%! assert (isempty (strfind (evalc ('gpu_trace ("bug_off_by_one")'), "model says")));
%!testif ; simulates ()         # a_trace_ends_with_the_models_line
%! said = evalc ('gpu_trace ("shared_strided", 256, 256, "card", "h100")');
%! assert (! isempty (regexp (said, 'the same as the built-in''s\.\nOn an H100 a model says .* passes\.\n$')));
%! t = gpu_trace ("shared_strided", 256, 256, "card", "h100");
%! assert (t.model, __gpr_predict__ (t, 2^22, "H100"));
%!testif ; simulates () && gpuDeviceCount () == 0       # the_table_of_counts_has_the_models_time: of as many elements as were asked for
%! r = gpu_bench ("variants", {"sequential", "grid_stride"}, "n", [2^20 2^24], "card", "H100");
%! assert (size (r), [1 2]);
%! assert ([r.n; r.model_n], [2^16 2^16; 2^24 2^24]);
%! assert (r(1).model_ms, __gpr_predict__ (run_of ("sequential"), 2^24, "H100").ms);
%! said = evalc ('gpu_bench ("variants", "sequential", "n", 1000)');
%! assert (! isempty (regexp (said, 'model ms +of\nsequential .* 0\.00\d+ +1000\n.*model of the H200')));
%!error <gpu_trace: card must be one of H200, H100, A100, RTX 3080, here> gpu_trace ("sequential", "card", "G80")
%!error <gpu_bench: card must be one of H200> gpu_bench ("harris", "card", 5)
%!testif ; gpuDeviceCount () == 0
%! fail ('gpu_trace ("sequential", "card", "here")', '^gpu_trace: card "here": there is no GPU');
