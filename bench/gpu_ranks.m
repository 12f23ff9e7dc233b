## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/gpu_ranks.m: run by a rank for each GPU of one host (bench/gpu_ranks.sh), each with a random array of its own there: sum, std and a histogram of all
## ranks' arrays together, and of rank 0's alone; other shapes and functions; a sum of 1,000 elements a rank.  By the clock of the script, from a barrier to the
## numbers on every rank, the last one counts; medians after two calls that are not timed.  Prints lines as gpu_ranks.sh says.
## BENCH_BYTES=2^30: of an array, in place of 8 GiB.

1;

## Of the last rank, each time.
function s = seconds (c, alone, repeats, call)
  s = zeros (repeats + 2, 1);
  for k = 1:numel (s)
    gpu_any (true, 2, "comm", c);
    if (! alone || c.rank == 0)
      id = tic ();
      call ();
      s(k) = toc (id);
    endif
  endfor
  s = median (gpu_max (s(3:end), [], 2, "comm", c, "divided", 2));
endfunction

function line (c, class, operation, bytes, one, all)
  if (c.rank == 0)
    printf ("gpureduce,%s,%s,%d,%d,%.5g,%.5g\n", class, operation, c.size, bytes, 1e6 * one, 1e6 * all);
    fflush (stdout);
  endif
endfunction

function check (what, found, wanted, most)
  if (! (all (abs (found - wanted) <= most)))
    error ("bench/gpu_ranks.m: %s is %.17g, not %.17g", what, found(1), wanted(1));
  endif
endfunction

warning ("off", "gpureduce:cpu-fallback");
c = gpu_comm ();
devices = gpuDeviceCount ();
if (devices > 0)
  gpuDevice (mod (c.local_rank, devices) + 1);
endif
bytes = str2num (getenv ("BENCH_BYTES"));
if (isempty (bytes))
  bytes = 2^33;
endif
gpurng (c.rank + 1);
edges = (0:256) / 256;
all = {"comm", c};
for class = {"double", "single"}
  n = bytes / sizeof (cast (0, class{1}));
  clear x                                       # one such array at a time
  x = rand (1, n, class{1}, "gpuArray");
  sum_of = @(varargin) gpu_sum (x, 2, varargin{:});
  std_of = @(varargin) gpu_std (x, 0, 2, varargin{:});
  counts_of = @(varargin) gather (gpu_histcounts (x, edges, varargin{:}));
  works = {"sum", sum_of; "std", std_of; "histogram", counts_of}(1:2+strcmp (class{1}, "single"),:);
  whole = n * c.size;
  check ("the mean", sum_of (all{:}) / whole, 0.5, 5 / sqrt (whole));
  check ("the standard deviation", std_of (all{:}), sqrt (1 / 12), 5 / sqrt (whole));
  check ("the number of elements counted", sum (counts_of (all{:})), whole, 0);
  for k = 1:rows (works)
    call = works{k,2};
    line (c, class{1}, works{k,1}, bytes, seconds (c, true, 11, call), seconds (c, false, 11, @() call (all{:})));
  endfor
endfor
clear x sum_of std_of counts_of works call

## ---- pieces that end within a part of the order of elements, many columns, and order statistics ----
others = {"sum of 1e9 elements", [1, 1e9], @gpu_sum; "sum of 2^20 x 1000", [2^20, 1000], @gpu_sum; "sum of 2^20 x 1024", [2^20, 1024], @gpu_sum; ...
          "std of 2^20 x 1000", [2^20, 1000], @(x, varargin) gpu_std(x, 0, varargin{:}); "max of 2^20 x 1000", [2^20, 1000], @(x, varargin) gpu_max(x, [], varargin{:}); ...
          "cumsum of 2^27", [1, 2^27], @gpu_cumsum; "median of 2^27", [1, 2^27], @gpu_median};
for k = 1:rows (others) * (bytes == 2^33)
  [name, sizes, f] = others{k,:};
  x = rand (sizes, "gpuArray");
  call = @(varargin) gather (f (x, 2, varargin{:})(1));         # computed, and not copied
  line (c, "double", name, 8 * prod (sizes), seconds (c, true, 3, call), seconds (c, false, 3, @() call (all{:})));
  clear x call
endfor

## ---- a short call ----
function sums (x, varargin)
  for k = 1:500
    y = gpu_sum (x, 2, varargin{:});
  endfor
endfunction

x = rand (1, 1000, "gpuArray");
check ("a short sum", gpu_sum (x, 2, all{:}), gpu_sum (gpu_sum (gather (x)), 2, all{:}), 1e-9);
line (c, "double", "short sum", 8000, seconds (c, true, 15, @() sums (x)) / 500, seconds (c, false, 15, @() sums (x, all{:})) / 500);
