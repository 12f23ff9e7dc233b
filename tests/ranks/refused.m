## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Run by three ranks (tests/ranks.sh): calls that are not the same on all, and arguments that are wrong on one, are the same error on each
## rank, and the next call works.

1;
addpath (fileparts (fileparts (mfilename ("fullpath"))));

function y = pick (c, varargin)         # an argument for each rank
  y = varargin{c.rank+1};
endfunction

function yes = same (a, b)
  yes = strcmp (class (a), class (b)) && isequal (a, b);
endfunction

function modes = all_modes (x, c)
  [~, ~, modes] = gpu_mode (x, 2, "comm", c);
endfunction

function out = with_outputs (n, f)
  [out{1:n}] = f ();
endfunction

function y = bounded (text, f)
  setenv ("GPUREDUCE_NCCL_BYTES", text);
  unwind_protect
    y = f ();
  unwind_protect_cleanup
    unsetenv ("GPUREDUCE_NCCL_BYTES");
  end_unwind_protect
endfunction

raises = @raises_on_ranks;
check = @(c, what, good) tally_ranks (c, good, "%s", what);
c = gpu_comm ();
bad = "gpureduce:invalid-input";
not_yet = "gpureduce:unsupported";
x = ones (3, 4 + c.rank);

raises (c, @() feval (pick (c, @gpu_sum, @gpu_sum, @gpu_max), x, 2, "comm", c), bad, ...
        [pick(c, "gpu_sum", "gpu_sum", "gpu_max") ": rank 2 calls gpu_max, rank 0 gpu_sum"]);
raises (c, @() gpu_sum (pick (c, x, single (x), x), 2, "comm", c), bad, "gpu_sum: rank 1 has an array of class single, rank 0 double");
raises (c, @() gpu_sum (ones (pick (c, 3, 3, 5), 2), 2, "comm", c), bad, ...
        "gpu_sum: rank 2 has an array of 5x2 elements, rank 0 one of 3x2: only dimension 2 may differ");
raises (c, @() gpu_sum (x, pick (c, 1, 2, 2), "comm", c), bad, "gpu_sum: rank 1 gives other options than rank 0");
raises (c, @() gpu_sum (x, {2, 2, [2, 1]}{c.rank+1}, "comm", c), bad, "gpu_sum: rank 2 gives other options than rank 0");
more = pick (c, {}, {}, {"omitnan"});
raises (c, @() gpu_sum (x, 2, more{:}, "comm", c), bad, "gpu_sum: rank 2 gives 3 arguments, rank 0 2");
raises (c, @() gpu_sum (pick (c, x, {1}, x), 2, "comm", c), bad, ...
        "gpu_sum: rank 1: X must be a full array, of class double, single, an integer class, logical or char");
raises (c, @() gpu_sum (pick (c, x, x, sparse (x)), 2, "comm", c), bad, ...
        "gpu_sum: rank 2: X must be a full array, of class double, single, an integer class, logical or char");
raises (c, @() gpu_sum (x, 2, "comm", c, "result", 3), bad, "gpu_sum: result must be \"all\" or a rank from 0 to 2");
raises (c, @() gpu_sum (x, 2, "comm", c, "result", pick (c, 0, 1, 1)), bad, "gpu_sum: rank 1 gives other options than rank 0");
raises (c, @() gpu_sum (x, 2, "comm", pick (c, c, 5, c)), bad, "gpu_sum: rank 1: comm must be what gpu_comm () returned in this session");
raises (c, @() gpu_sum (x, 2, "comm", c, "divided", 1), bad, ...
        "gpu_sum: rank 1 has an array of 3x5 elements, rank 0 one of 3x4: only dimension 1 may differ");
not_last = "an array divided along dimension %d is not taken yet %s: permute it so that the divided dimension is the last";
raises (c, @() gpu_cumsum (ones (c.rank, 257), 2, "comm", c, "divided", 1), not_yet, ...
        ["gpu_cumsum: " sprintf(not_last, 1, "along a later one of more than 256 elements")]);
if (__gpureduce__ ("rules", "hist_pages"))
  raises (c, @() gpu_hist (ones (4, c.rank, 2), 3, "comm", c, "divided", 2), not_yet, ...
          ["gpu_hist: " sprintf(not_last, 2, "where its pages are columns too")]);
endif
raises (c, @() gpu_sum (x, 2, "comm", c, "divided", "last"), bad, "gpu_sum: divided must be a dimension");
raises (c, @() gpu_sum (x, 2, "comm", c, "device", "gpu"), not_yet, "gpu_sum: \"comm\" goes with the device \"cpu\" and with no other: gpuArrays are reduced where they lie");
raises (c, @() gpu_dot (x, pick (c, x, x', x), "comm", c), bad, "gpu_dot: rank 1: X and Y must have the same sizes on each rank");
## the built-in's own errors come on each rank
try
  gpu_sum (x, 0);
catch own
end_try_catch
raises (c, @() gpu_sum (x, 0, "comm", c), own.identifier, own.message);
raises (c, @() gpu_cumsum (pick (c, x, x, single (x)), 2, "comm", c), bad, "gpu_cumsum: rank 2 has an array of class single, rank 0 double");
raises (c, @() gpu_histc (x, pick (c, 1:3, 1:4, 1:3), "comm", c), bad, "gpu_histc: rank 1 gives other options than rank 0");
raises (c, @() gpu_quantile (x, 0.5, pick (c, 1, 2, 1), "comm", c), bad, "gpu_quantile: rank 1 gives other options than rank 0");
raises (c, @() gpu_accumarray ([1; 2], ones (pick (c, 2, 2, 3), 1), "comm", c), bad, ...
        "gpu_accumarray: rank 2: VALS must have an element for each row of SUBS, or one");
raises (c, @() gpu_accumarray (ones (2, pick (c, 2, 1, 2)), 1, "comm", c), bad, ...
        "gpu_accumarray: rank 1 has an array of 2x1 elements, rank 0 one of 2x2: only dimension 1 may differ");
raises (c, @() gpu_accumarray ([1; 2], 1, "comm", c, "divided", 2), bad, "gpu_accumarray: rows are divided along dimension 1, not 2");
raises (c, @() gpu_accumarray ([1; pick(c, 2, 0, 2)], 1, "comm", c), bad, "gpu_accumarray: SUBS must be positive integers");
raises (c, @() gpu_accumarray ([1; pick(c, 2, 4, 2)], 1, [3 1], "comm", c), bad, "gpu_accumarray: SUBS must be positive integers within SZ");
raises (c, @() gpu_accumarray ({[1; 2], [1; 2]}, 1, "comm", c), not_yet, ...
        "gpu_accumarray: SUBS must be a full array, with \"comm\": not a cell");
raises (c, @() gpu_accumarray ([1; 2], [0.5; 1], "comm", c), not_yet, ["gpu_accumarray: sums that are not exact in any order do not take " ...
        "\"comm\" yet: VALS must be whole numbers, and the sum of their sizes at most 4.5036e+15"]);
raises (c, @() gpu_accumarray ([1; 2], [1; 1], [], @prod, "comm", c), not_yet, "gpu_accumarray: products do not take \"comm\" yet");
raises (c, @() gpu_accumarray ([1; 2], [1; 1], [], @(v) v(1), "comm", c), not_yet, ...
        "gpu_accumarray: a call that is left to the built-in does not take \"comm\" yet");
raises (c, @() gpu_mode (zeros (1, 6e6, "int8"), "comm", c), not_yet, ...
        "gpu_mode: modes of more than 16777216 elements over the divided dimension do not take \"comm\" yet");
raises (c, @() all_modes (x, c), not_yet, ...
        "gpu_mode: the list of all modes over the divided dimension does not take \"comm\" yet");
## what is not done yet says so
raises (c, @() gpu_map (@sqrt, x, "comm", c), not_yet, "gpu_map: this function does not take \"comm\" yet");
raises (c, @() gpu_max (x, 2, "comm", c), not_yet, "gpu_max: two arrays do not take \"comm\" yet");
raises (c, @() gpu_var (zeros (0, c.rank), ones (1, c.rank), 2, "comm", c), not_yet, "gpu_var: weights of an array without elements do not take \"comm\" yet");
raises (c, @() gpu_reduce (x, "sum", "variant", "tree", "comm", c), not_yet, "gpu_reduce: variants do not take \"comm\" yet");
raises (c, @() gpu_reduce (x, "histogram", 5, "variant", "private", "comm", c), not_yet, "gpu_reduce: variants do not take \"comm\" yet");
raises (c, @() gpu_reduce (pick (c, x, [], []), "histogram", 5, "variant", "nosuch", "comm", c), not_yet, "gpu_reduce: variants do not take \"comm\" yet");
## functions that m-code makes of several reductions compare before the first
other = "rank 1 gives other options than rank 0";
for f = {"softmax", "logsumexp", "normalize"}
  raises (c, @() feval (["gpu_" f{1}], x, pick (c, 1, 2, 1), "comm", c), bad, ["gpu_" f{1} ": " other]);
  raises (c, @() feval (["gpu_" f{1}], pick (c, x, single (x), x), 2, "comm", c), bad, ["gpu_" f{1} ": rank 1 has an array of class single, rank 0 double"]);
  raises (c, @() feval (["gpu_" f{1}], x, 0, "comm", c), bad, ["gpu_" f{1} ": DIM must be a dimension" {", a vector of different dimensions or \"all\"", ""}{1 + strcmp(f{1}, "normalize")}]);
endfor
raises (c, @() gpu_softmax (complex (x, c.rank == 1), "comm", c), bad, "gpu_softmax: X must be a real numeric or logical array");
raises (c, @() gpu_normalize (x, 2, pick (c, "range", "norm", "range"), "comm", c), bad, ["gpu_normalize: " other]);
raises (c, @() gpu_reduce (x, "histogram", pick (c, 5, 6, 5), "comm", c), bad, ["gpu_reduce: " other]);
raises (c, @() gpu_reduce (x, "histogram", 5, "limits", [0 1+c.rank], "comm", c), bad, ["gpu_reduce: " other]);
raises (c, @() gpu_reduce (x, "histogram", "comm", c), bad, "gpu_reduce: NBINS must be a positive integer");
warning ("off", "gpureduce:cpu-fallback");
raises (c, @() gpu_mapreduce (@sqrt, pick (c, "sum", "max", "sum"), x, "comm", c), bad, ["gpu_mapreduce: " other]);
raises (c, @() gpu_mapreduce (@(y) y + ones (pick (c, 3, 2, 3), 1), "sum", x, "comm", c), bad, ...
        "gpu_mapreduce: rank 1: operator +: nonconformant arguments (op1 is 3x5, op2 is 2x1)");
raises (c, @() gpu_mapreduce (pick (c, @sqrt, @sqrt, 5), "sum", x, "comm", c), bad, "gpu_mapreduce: rank 2: gpu_mapreduce: F must be a function handle");
raises (c, @() gpu_var (x, pick (c, 0, 1, 0), 2, "comm", c), bad, ["gpu_var: " other]);
raises (c, @() gpu_var (x, ones (1, 4 + (c.rank == 1)), 2, "comm", c), bad, ["gpu_var: W must be a vector of class double or single with a weight " ...
        "for each element of this rank's piece along the divided dimension"]);
raises (c, @() gpu_std (x, cast (ones (1, 4 + c.rank), pick (c, "double", "single", "double")), 2, "comm", c), bad, "gpu_std: W must be of one class on all ranks");
raises (c, @() gpu_std (x, [1 2 c.rank], 1, "comm", c), bad, ...
        "gpu_std: W must be the same on all ranks, but for weights along the divided dimension");
raises (c, @() gpu_cov (x, pick (c, 0, 1, 0), "comm", c), bad, "gpu_cov: OPT must be the same on all ranks");
raises (c, @() gpu_cov (x, 0, pick (c, "omitrows", "omitrows", "includenan"), "comm", c), bad, "gpu_cov: rank 2 gives other options than rank 0");
more = pick (c, {}, {1}, {});
raises (c, @() gpu_cov (x, more{:}, "comm", c), bad, "gpu_cov: rank 1 gives 2 arguments, rank 0 3");
more = pick (c, {}, {}, {x});
raises (c, @() gpu_corr (x, more{:}, "comm", c), bad, "gpu_corr: rank 2 gives other options than rank 0");
raises (c, @() with_outputs (1 + (c.rank == 1), @() gpu_normalize (x, "comm", c)), bad, ["gpu_normalize: " other]);
raises (c, @() gpu_cov (x, 2, "comm", c), bad, "gpu_cov: X and Y must be divided along their rows, or along their columns");
raises (c, @() gpu_cov (x, x, 7, "comm", c), bad, ...
        "gpu_cov: with \"comm\" OPT must be 0 or 1, NANFLAG \"includenan\", \"omitrows\" or \"partialrows\"");
raises (c, @() gpu_corr (x', ones (4 + 2 * c.rank, 1), "comm", c, "divided", 1), bad, "gpu_corr: X and Y must have as many rows");
raises (c, @() gpu_corr (x', ones (pick (c, 5, 4, 6), 1), "comm", c, "divided", 1), bad, "gpu_corr: X and Y must have as many rows on each rank");
raises (c, @() gpu_corr (ones (2, 2, 1 + c.rank), "comm", c), bad, ...
        "gpu_corr: X and Y must be numeric or logical matrices divided along a dimension that they have");
## a bound of messages that is no number of bytes, or that others do not have, even as the one without it
f = @(text) bounded (text, @() gpu_sum (x, 2, "comm", c));
for text = {"4M", "-1", "0", "many", "4096 ", "99999999999999999999"}
  said = ["environment variable GPUREDUCE_NCCL_BYTES is \"" text{1} "\"; it must be a number of bytes, from 1"];
  raises (c, @() f (text{1}), bad, ["gpu_sum: " said]);
  raises (c, @() f (pick (c, "", "", text{1})), bad, ["gpu_sum: rank 2: " said]);
endfor
raises (c, @() f (pick (c, "", "4194304", "")), bad, "gpu_sum: GPUREDUCE_NCCL_BYTES is 4194304 on rank 1, not set on rank 0");
check (c, "an empty bound is none", isequal (f (""), 15 * ones (3, 1)));
## results, for all or one
wanted = 15 * ones (3, 1);
check (c, "result on all", isequal (gpu_sum (x, 2, "comm", c), wanted));
only = {[], wanted}{1 + (c.rank == 1)};
check (c, "result on one", isequal (gpu_sum (x, 2, "comm", c, "result", 1), only));
check (c, "divided results stay", isequal (gpu_sum (x, 1, "comm", c, "result", 1), 3 * ones (1, 4 + c.rank)));
[n, place] = gpu_histc (x, [0 1], 2, "comm", c, "result", 1);
check (c, "counts on one, bins of elements divided", isequal (n, {[], [0 1] .* wanted}{1 + (c.rank == 1)}) && isequal (place, 2 * x));
check (c, "a median on one", isequal (gpu_median (x, 2, "comm", c, "result", 1), {[], wanted / 15}{1 + (c.rank == 1)}));
check (c, "cumulative results stay", isequal (gpu_cumsum (x, 2, "comm", c, "result", 1), [0 4 9](c.rank+1) + cumsum (x, 2)));
check (c, "an operator by its name", isequal (gpu_reduce (x, "median", "dim", 2, "comm", c), wanted / 15));
one = @(y) {[], y}{1 + (c.rank == 1)};
check (c, "weights divided, and not", isequal (gpu_var (x, 1:4+c.rank, 2, "comm", c, "result", 1), one (zeros (3, 1))) ...
       && isequal (gpu_var (x, 1:3, "comm", c, "result", 1), zeros (1, 4 + c.rank)));
check (c, "log-sum-exp on one", isequal (gpu_logsumexp (0 * x, 2, "comm", c, "result", 1), one (log (wanted))));
check (c, "divided log-sum-exp stays", isequal (gpu_logsumexp (0 * x, 1, "comm", c, "result", 1), log (3) * ones (1, 4 + c.rank)));
check (c, "softmax stays", isequal (gpu_softmax (x, "all", "comm", c, "result", 1), x / 45));
[z, m, s] = gpu_normalize (x, 2, "center", "comm", c, "result", 1);
check (c, "normalize stays, its mean on one", isequal (z, 0 * x) && isequal (m, one (wanted / 15)) && isequal (s, one (1)));
[z, m] = gpu_normalize (x, 1, "center", "comm", c, "result", 1);
check (c, "divided means stay", isequal (m, x(1,:)));
[n, edges] = gpu_reduce (x, "histogram", 2, "limits", [0 2], "comm", c, "result", 1);
check (c, "a histogram on one", isequal (n, one ([0 45])) && isequal (edges, one (0:2)));
n = gpu_reduce (x, "histogram", 2, "limits", [0 2], "dim", 1, "comm", c, "result", 1);
check (c, "divided histograms stay", isequal (n, [0; 3] .* ones (1, 4 + c.rank)));
check (c, "a mapped sum on one", isequal (gpu_mapreduce (@(y) 2 * y, "sum", x, "dim", 2, "comm", c, "result", 1), one (2 * wanted)));
check (c, "covariances on one", isequal (gpu_cov (x', "comm", c, "divided", 1, "result", 1), one (zeros (3))) ...
       && isequaln (gpu_corr (x', "comm", c, "divided", 1, "result", 1), one (NaN (3))));
[m, i] = gpu_max ({1:3, [9 4], [9 9]}{c.rank+1}, "comm", c);
check (c, "the first index of the whole array", m == 9 && i == 4);
own = c.rank + 1;
for f = {@gpu_cumsum, @gpu_cumprod, @gpu_cummax, @gpu_cummin}
  check (c, ["results of no elements are divided: " func2str(f{1})], ...
         isequal (f{1} (zeros (0, own), 2, "comm", c), zeros (0, own)) && isequal (f{1} (zeros (own, 0), 1, "comm", c, "divided", 1, "result", 2), zeros (own, 0)));
endfor
check (c, "results of no elements are divided: gpu_sum", isequal (gpu_sum (zeros (0, own), 1, "comm", c), zeros (1, own)));
check (c, "results of no elements are divided: gpu_stats", isequal (gpu_stats (zeros (0, own), 1, "comm", c).count, zeros (1, own)));
[n, place] = gpu_histc (zeros (0, own), 1:6, 1, "comm", c, "result", 1);
check (c, "bins of no elements are divided", isequal (place, zeros (0, own)) && isequal (n, {[], zeros(6, 6)}{1 + (c.rank == 1)}));
check (c, "histograms of no elements are divided", isequal (gpu_reduce (zeros (0, own), "histogram", 3, "dim", 1, "comm", c), zeros (3, own)) ...
       && isequal (gpu_reduce (zeros (0, own), "histogram", 6, "comm", c), zeros (1, 6)));
check (c, "an array without elements", isequal (gpu_sum (zeros (0, c.rank), 2, "comm", c), zeros (0, 1)) && isequal (gpu_sum ([], "comm", c), 0));
check (c, "0x0 is an empty piece", isequal (gpu_sum ({[], x, x}{c.rank+1}, 2, "comm", c), 11 * ones (3, 1)));
for y = {single(x), int8(x), x > 0, complex(x, 1), single(complex(x, 1))}
  f = @(z) gpu_max (z, [], 2, "comm", c);
  check (c, ["[] is of the class of the others: " class(y{1})], same (f (pick (c, y{1}, [], y{1})), f (pick (c, y{1}, y{1}(:,[]), y{1}))));
  check (c, ["[] first, " class(y{1})], same (f (pick (c, [], y{1}, y{1})), f (pick (c, y{1}(:,[]), y{1}, y{1}))));
endfor
check (c, "[] of VALS", same (gpu_accumarray (pick (c, [], 1, 2), pick (c, [], single (5), single (6)), "comm", c), single ([5; 6])));
check (c, "[] of all is double", isa (gpu_sum ([], "comm", c), "double"));
raises (c, @() gpu_sum (pick (c, [], single (x), int8 (x)), 2, "comm", c), bad, "gpu_sum: rank 2 has an array of class int8, rank 1 single");
gpu_sum (x, 2, "comm", c);
last = gpu_config ("last");
check (c, "gpu_config (\"last\")", strcmp (last.backend, "ranks") && strcmp (last.function, "gpu_sum"));
check (c, "columns divided along the first dimension", gpu_sum (ones (c.rank, 1), "comm", c, "divided", 1) == 3);
check (c, "gpu_comm is the same again", isequal (gpu_comm (), c) && c.size == 3 && c.local_rank == c.rank);
## a child of a rank is none
child = fork ();
if (child == 0)
  said = "no error";
  try
    gpu_sum (x, 2, "comm", c);
  catch err
    said = err.message;
  end_try_catch
  kill (getpid (), {15, 9}{1 + strcmp(said, "gpu_sum: a forked child process is no rank")});
endif
[~, status] = waitpid (child);
check (c, "a forked child is no rank", WTERMSIG (status) == 9);
tally_ranks (c);
