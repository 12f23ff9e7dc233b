## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The model of a kernel's time (doc/model.md): its counts from the simulator, its numbers fitted to half of the H100's
## table, its error on all: tools/octave bench/model.m.  MODEL="counts fit report" chooses among the three, in that order.  Writes
## bench/results/model-counts.csv, inst/private/model_fitted.m, and bench/results/model-h100.md and .csv.

1;
top = fileparts (fileparts (mfilename ("fullpath")));
addpath (fullfile (top, "bench", "helpers"));
stages = strsplit (getenv ("MODEL"), " ");
if (isempty (stages{1}))
  stages = {"counts", "fit", "report"};
endif

## ---- counts ---------------------------------------------------------------------------------

if (any (strcmp (stages, "counts")))
  rows = model_rows ();
  [~, first] = unique ([rows.run]);
  model_rows (arrayfun (@(r) __gpr_predict__ ("profile", r), rows(first), "UniformOutput", false));
endif

[rows, profiles] = model_rows ();

## ---- fit ------------------------------------------------------------------------------------

## Where the search begins, and towards which it is held a little: sizes that are known of these cards.
start = {
  "page_us",         2,    "us more for the first look at the pages of memory, from 2 MiB on"
  "block_cycles",    600,  "cycles until a block is at work, and until its place is free again"
  "code_cycles",     4,    "that a warp waits for a basic block"
  "code_slots",      3,    "instructions of a basic block that are no access"
  "division_cycles", 60,   "that a warp waits for a division of whole numbers"
  "division_slots",  30,   "instructions of one"
  "memory_cycles",   500,  "of a read from memory"
  "cache_cycles",    270,  "of a read from the second cache"
  "hit_cycles",      33,   "of one from the first"
  "shared_cycles",   25,   "of an access to shared memory"
  "conflict_cycles", 2,    "of a pass more by a bank conflict"
  "line_cycles",     0.5,  "of a line of 128 bytes in the first cache"
  "shuffle_cycles",  25,   "of a shuffle"
  "barrier_cycles",  25,   "of a barrier"
  "atomic_cycles",   0.4,  "of a turn of atomics in the second cache, for the whole card"
  "grid_sync_us",    3,    "us of a grid sync, with what a cooperative launch takes more"
  "overlap",         3,    "p: terms x, y, ... take (x^p + y^p + ...)^(1/p) together"};

## Read off the H200's shmoo: one launch takes 3.5 us, two 5.7, of up to 64K elements; a block's life is 0.4.
fixed = {
  "start_us",        1.3,  "us that a run takes before its first kernel works"
  "launch_us",       1.8,  "us of a launch more"};

## A card with these numbers in place of those of inst/private/model_fitted.m.
function card = card_with (name, numbers)
  card = __gpr_predict__ ("card", name);
  for name = fieldnames (numbers)'
    card.(name{1}) = numbers.(name{1});
  endfor
endfunction

function e = errors (rows, profiles, numbers)
  cards.H100 = card_with ("H100", numbers);
  cards.H200 = card_with ("H200", numbers);
  e = zeros (1, numel (rows));
  for k = 1:numel (rows)
    e(k) = log (__gpr_predict__ ("time", profiles{rows(k).run}, rows(k).n, cards.(rows(k).card)).ms / rows(k).kernel_ms);
  endfor
endfunction

## Large errors of a few kernels shall not bend the rest.
function y = miss (sample, profiles, numbers, start)
  e = errors (sample, profiles, numbers);
  y = mean (min (abs (e), 1) + e .^ 2 / 2) + 0.002 * sum (log (cellfun (@(name) numbers.(name), start(:,1)) ./ [start{:,2}]') .^ 2);
endfunction

names = unique ({rows(strcmp ({rows.card}, "H100")).variant});          # in the order of the alphabet
fitted_on = names(1:2:end);
of_half = ismember ({rows.variant}, fitted_on);
h100 = strcmp ({rows.card}, "H100");
fit_sizes = ismember ([rows.n], 2 .^ [22 26]);

numbers = __gpr_predict__ ("fitted");
if (any (strcmp (stages, "fit")))
  sample = rows(h100 & of_half & fit_sizes);
  numbers = cell2struct ([fixed(:,2); start(:,2)], [fixed(:,1); start(:,1)]);
  best = miss (sample, profiles, numbers, start);
  factor = 1.3;
  while (factor > 1.004)
    before = best;
    for name = start(:,1)'
      for f = [factor, 1 / factor]
        trial = numbers;
        trial.(name{1}) *= f;
        y = miss (sample, profiles, trial, start);
        while (y < best)
          best = y;
          numbers = trial;
          trial.(name{1}) *= f;
          y = miss (sample, profiles, trial, start);
        endwhile
      endfor
    endfor
    printf ("%.4f by steps of %.3g\n", best, factor);
    fflush (stdout);
    if (before - best < 1e-4)
      factor = sqrt (factor);
    endif
  endwhile

  file = fullfile (top, "inst", "private", "model_fitted.m");
  text = fileread (file);
  fid = fopen (file, "w");
  fprintf (fid, "%s", text(1:strfind (text, "function c =")(1) - 1));
  fprintf (fid, "function c = model_fitted ()\n\n  ## Fitted on %s to bench/results/ladder-h100.csv: 2^22 and 2^26 elements of\n", datestr (now (), "yyyy-mm-dd"));
  list = strjoin (fitted_on, ", ");
  fprintf (fid, "  ## %s\n", strsplit (regexprep (list, '(.{1,100}),( |$)', "$1,\n"), "\n"){:});
  fprintf (fid, "  c = struct ();\n");
  for k = 1:numel (fixed(:,1))
    fprintf (fid, "  %-28s # %s; not fitted\n", sprintf ("c.%s = %.4g;", fixed{k,1:2}), fixed{k,3});
  endfor
  for k = 1:numel (start(:,1))
    fprintf (fid, "  %-28s # %s\n", sprintf ("c.%s = %.4g;", start{k,1}, numbers.(start{k,1})), start{k,3});
  endfor
  fprintf (fid, "\nendfunction\n");
  fclose (fid);
endif

## ---- report ---------------------------------------------------------------------------------

function y = ranks (x)
  [~, ~, j] = unique (x);
  s = sort (j);
  y = arrayfun (@(k) mean (find (s == k)), j(:));
endfunction

function r = rank_correlation (x, y)
  r = corr (ranks (x), ranks (y));
endfunction

## A line of the table of sets.
function text = line_of (title, e, ms)
  relative = 100 * abs (exp (e) - 1);
  text = sprintf ("| %s | %d | %.3f | %.1f | %.0f |", title, numel (e), rank_correlation (ms, ms .* exp (e)), median (relative), ...
                  quantile (relative(:), 0.9));
endfunction

## Why the model has these the wrong way round.
function text = cause_of (fast, slow)
  text = "not known";
  if (any (strcmp ("cooperative", {fast, slow})))
    text = "the loop over the grid of `cooperative` is slower than that of `grid_stride`, which has the same counts";
  elseif (strcmp (fast, "vectorized"))
    text = "both wait for memory, which wide loads fill sooner; the model counts bytes alone and has them within 2 %";
  elseif (strcmp (slow, "interleaved"))
    text = "what `interleaved` writes goes through to the second cache; the model counts it as a hit in the first";
  elseif (strcmp (fast, "unrolled"))
    text = "at 1M and 2M elements launches are most of the time, and 1 us is 10 % of it";
  endif
endfunction

## What a source's table says beside the model for its card.
function text = beside_source (title, rows, profiles, card)
  card = __gpr_predict__ ("card", card);
  ms = arrayfun (@(r) __gpr_predict__ ("time", profiles{r.run}, r.n, card).ms, rows);
  ratio = [rows.source_ms] ./ ms;
  text = sprintf ("| %s | %d | %.3f | %.2f | %.2f to %.2f |", title, numel (rows), rank_correlation (ms, [rows.source_ms]), median (ratio), quantile (ratio(:), [0.1 0.9]));
endfunction

if (any (strcmp (stages, "report")))
  e = errors (rows, profiles, numbers);
  ms = [rows.kernel_ms];
  results = fullfile (top, "bench", "results");

  ## Every row.
  fid = fopen (fullfile (results, "model-h100.csv"), "w");
  fprintf (fid, "card,table,variant,op,class,n,finish,block,measured_ms,model_ms,error_percent,fitted,longest\n");
  for k = 1:numel (rows)
    r = rows(k);
    t = __gpr_predict__ ("time", profiles{r.run}, r.n, card_with (r.card, numbers));
    terms = fieldnames (t.terms);
    [~, longest] = max (cellfun (@(name) t.terms.(name), terms));
    fprintf (fid, "%s,%s,%s,%s,%s,%d,%s,%d,%.6g,%.4g,%.1f,%d,%s\n", r.card, r.table, r.variant, r.op, r.class, r.n, r.finish, r.block, ...
             r.kernel_ms, t.ms, 100 * (exp (e(k)) - 1), h100(k) && of_half(k) && fit_sizes(k), terms{longest});
  endfor
  fclose (fid);

  ## In which order pairs come.
  [~, ~, group] = unique (arrayfun (@(r) sprintf ("%s %s %d %d %s %s %s", r.card, r.table, r.n, r.block, r.class, r.op, r.finish), rows, ...
                                    "UniformOutput", false));
  apart = 0;
  wrong = {};
  for g = unique (group(:)')
    in = find (group == g)(:)';
    for i = in
      for j = in(ms(in) > 1.1 * ms(i))
        apart++;
        if (ms(j) * exp (e(j)) <= ms(i) * exp (e(i)))
          wrong(end+1,:) = {sprintf("`%s` before `%s`", rows(i).variant, rows(j).variant), cause_of(rows(i).variant, rows(j).variant)};
        endif
      endfor
    endfor
  endfor

  big = [rows.n] >= 2^20;
  h200 = strcmp ({rows.card}, "H200");
  sets = {"H100, 4M and 64M, half of the kernels: fitted", h100 & of_half & fit_sizes
          "H100, 4M and 64M, the other half", h100 & ! of_half & fit_sizes
          "H100, 1M and 16M, all", h100 & ! fit_sizes
          "H200, 1M to 256M", h200 & big
          "H200, 1 to 512K", h200 & ! big};
  fid = fopen (fullfile (results, "model-h100.md"), "w");
  fprintf (fid, "# The model of a kernel's time, beside an H100 and an H200\n\n");
  fprintf (fid, "Written by `tools/octave bench/model.m` on %s. [doc/model.md](../../doc/model.md) says what the model is. ", datestr (now (), "yyyy-mm-dd"));
  fprintf (fid, "Measured: [ladder-h100.csv](ladder-h100.csv)\n(H100 80GB HBM3, 2026-11-26) and `ladder-h200-PRESET.csv` (2026-11-21); each row beside the model: [model-h100.csv](model-h100.csv).\n\n");
  fprintf (fid, "| set | rows | rank correlation | median error, %% | 90 %% are below |\n|---|---|---|---|---|\n");
  for k = 1:numel (sets(:,1))
    fprintf (fid, "%s\n", line_of (sets{k,1}, e(sets{k,2}), ms(sets{k,2})));
  endfor
  fprintf (fid, "\nOn the H100, median error over blocks of 128, 256 and 512 in %%, by elements; * fitted at 4M and 64M:\n\n");
  fprintf (fid, "%s|\n%s|\n", repmat ("| kernel | 1M | 4M | 16M | 64M ", 1, 4), repmat ("|---|---|---|---|---", 1, 4));
  cells = {};
  for k = 1:numel (names)
    by_size = "";
    for n = 2 .^ [20 22 24 26]
      of = strcmp ({rows.variant}, names{k}) & h100 & [rows.n] == n;
      by_size = [by_size " | " merge(any (of), sprintf ("%+.0f", median ([100 * (exp (e(of)) - 1), zeros(1, ! any (of))])), "–")];
    endfor
    cells{k} = sprintf ("| %s%s%s", names{k}, merge (any (strcmp (names{k}, fitted_on)), " *", ""), by_size);
  endfor
  cells(end+1:4*ceil (end / 4)) = {"| | | | |"};
  fprintf (fid, "%s %s %s %s |\n", reshape (cells, [], 4)'{:});
  fprintf (fid, "\nOf %d pairs of kernels that a GPU has more than 10 %% apart (same card, elements, block, class, finish) the model has %d the wrong way round:\n\n", ...
           apart, numel (wrong(:,1)));
  for cause = unique (wrong(:,2), "stable")'
    of = wrong(strcmp (wrong(:,2), cause{1}), 1);
    fprintf (fid, "- %s: %s.\n", strjoin (cellfun (@(u) sprintf ("%s (%d)", u, sum (strcmp (of, u))), unique (of)', "UniformOutput", false), ", "), cause{1});
  endfor
  fprintf (fid, "\nCards without a measurement of ours, beside the sources' tables. The shmoo's and the guide's times have copies, launches and the host in\n");
  fprintf (fid, "them; the source's histograms search no bin (doc/ladder-measured.md).\n\n");
  fprintf (fid, "| source | rows | rank correlation | its time / the model's, median | of 80 %% |\n|---|---|---|---|---|\n");
  source = ! isnan ([rows.source_ms]);
  held = ismember ({rows.variant}, {"cascade", "warp_reduce_hw"});       # 64 blocks in the source's program
  fprintf (fid, "%s\n", beside_source ("A100: shmoo, K0 to K5, 128K to 8M", rows(source & ! held & strcmp ({rows.table}, "shmoo")), profiles, "A100"), ...
           beside_source ("A100: bandwidth, V0 to V5, 64M", rows(source & strcmp ({rows.table}, "bandwidth")), profiles, "A100"), ...
           beside_source ("A100: histogram, 256M", rows(source & strcmp ({rows.table}, "histogram")), profiles, "A100"), ...
           beside_source ("RTX 3080: the guide, 16M", rows(source & strcmp ({rows.table}, "guide")), profiles, "RTX 3080"));
  fclose (fid);
  type (fullfile (results, "model-h100.md"));
endif
