## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpu_bench (@var{preset})
## @deftypefnx {} {} gpu_bench (@var{preset}, @var{name}, @var{value}, @dots{})
## @deftypefnx {} {} gpu_bench ("variants", @var{names}, @var{name}, @var{value}, @dots{})
## @deftypefnx {} {@var{r} =} gpu_bench (@dots{})
## Time kernels of the ladder beside each other, each checked first.
##
## @var{preset} names a table of one of the texts that the ladder is from; the
## source's own figures stand in the last column.
##
## @table @asis
## @item "guide"
## The guide's road: 16M (2^24) int32, speed-up over @code{neighbored}.
## @item "shmoo"
## NVIDIA's kernels K0 to K7: int32, 1 to 32M elements.
## @item "bandwidth"
## 64M (2^26) single, GB/s and the share of what can be read, with CUB.
## @item "harris"
## The seven steps of Harris: 4M (2^22) int32.
## @item "histogram"
## 256M (2^28) uint8, 256 bins.
## @item "divergence"
## Active lanes, warps issued and skipped, and bank conflicts of every step of one
## block.  This comes from the simulator; no GPU is needed.
## @end table
##
## Without a preset, "variants" gives names or aliases of variants (@code{gpu_variants}
## lists them; "engine" is what @code{gpu_sum} and the others run), and every
## combination with the following is timed.  With a preset they take the place of
## its own values.
##
## @table @asis
## @item "n", @var{n}
## Numbers of elements; 2^22.
## @item "op", @var{op}
## "sum", "prod", "max", "min", "argmax", "argmin" or "histogram"; "sum", or what the
## variant is for.
## @item "class", @var{class}
## "double", "single", "int32", or for histograms also "uint8"; "int32".
## @item "finish", @var{finish}
## A name or a cell array of names: "two_pass", "multi_level", "atomic",
## "last_block", "grid_sync".
## @item "block", @var{block}
## Threads a block, one or several of 32, 64, @dots{} 1024; 256.
## @item "bins", @var{bins}
## Of histograms; 256.
## @item "repeats", @var{k}
## How often each is timed, after warming up; 20.  What takes long is timed less
## often, at least 3 times.
## @item "csv", @var{file}
## Write the table there as comma-separated values.
## @item "card", @var{name}
## Of which card a model tells the time: "H200", "H100", "A100", "RTX 3080" or "here"; this machine's GPU, without one
## "H200".
## @item "png", @var{file}
## Draw it there: GB/s against the number of elements, or a bar a variant.  Where there
## is no gnuplot, a warning says so before anything is timed, and the table is all.
## @end table
##
## Without an output the table is printed.  Its title, which the file and the picture have
## too, says what was run.  @var{r} is a struct array, one element a
## row, with the fields
##
## @table @code
## @item variant, op, class, n, finish, block, bins, tag
## What was run; @code{finish} "" is the variant's default; @code{tag} is its name in
## the source.
## @item kernel_ms
## The kernels alone, milliseconds, median: of variants by CUDA events, of @qcode{"engine"} by
## the host's clock, with its launch.  The data is on the GPU
## and, if there is memory for it, not in its cache.
## @item spread
## Of these: the distance of the quartiles, in % of the median.
## @item total_ms
## From an array of Octave to the result, copying included, median.
## @item gbs
## n * bytes / kernel_ms in GB/s (10^9).
## @item percent
## That in % of the read ceiling, which a plain reading of 1 GiB of memory reaches in
## the same run.
## @item speedup
## Over the first variant, of the same number of elements.
## @item source
## The source's figure, in ms or GB/s (NaN: none).
## @item model_ms
## What a model says from the simulator's counts that kernel_ms would be (NaN: it has no counts of that); see @code{gpu_trace}.
## @end table
##
## Data are whole numbers whose sums are exact in every order, so that any wrong
## result is seen; only cublas's sum of absolute values is compared with a bound.
## @code{map_reduce} and @code{map_then_reduce} reduce 2 * x + 1.
##
## Without a GPU no times are given: the table has the simulator's counts, for fewer
## elements (2^16 at most, of data as @code{gpu_trace} takes them), without the source's
## figures, in the fields
## @code{launches}, @code{issued} and @code{skipped} (warps),
## @code{divergent}, @code{conflicts}, @code{sectors}, @code{needed}, @code{written}, @code{barriers},
## @code{shuffles} and @code{atomics}; and a model's milliseconds, @code{model_ms}, for @code{model_n} elements, as many as
## were asked for.  "divergence" has the fields @code{step},
## @code{file}, @code{line}, @code{active_percent}, @code{warps_issued}, @code{warps_skipped},
## @code{divergent_warps}, @code{bank_conflicts} and @code{worst_way}.
##
## @example
## @group
## gpu_bench ("harris")
## gpu_bench ("bandwidth", "csv", "bandwidth.csv", "png", "bandwidth.png")
## r = gpu_bench ("variants", @{"sequential", "grid_stride"@}, "n", 2 .^ (10:26), ...
##                "class", "double", "block", [128 256]);
## gpu_bench ("variants", @{"grid_stride", "map_then_reduce", "map_reduce"@})
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} for unknown presets, options and values, and
## for files that cannot be written; @code{gpureduce:wrong-result} when a variant gives
## a wrong result, which is then not timed, or when the simulator finds a fault in it;
## others as @code{gpu_reduce}.  Warning: @code{gpureduce:no-plot} where the picture
## cannot be drawn.
##
## Sources: "CUDA Reduction Optimization Complete Guide" (guide); "Reduction: from
## naive to warp shuffle" (shmoo); "Summing 100 million floats" (bandwidth,
## histogram); M. Harris, @cite{Optimizing Parallel Reduction in CUDA} (NVIDIA, 2007).
## @seealso{gpu_variants, gpu_trace, gpu_reduce, gputimeit}
## @end deftypefn

function result = gpu_bench (varargin)

  if (nargin == 0)
    print_usage ();
  endif
  no_char_pages ("gpu_bench", varargin);
  [p, o] = bench_arguments (varargin);
  if (! isempty (o.png))
    no_plot (__gpr_gnuplot__ (), o.png);
  endif
  about = struct ("title", "", "unit", p.unit, "across", p.across, "ceiling", NaN);
  [devices, reason] = __gpureduce__ ("device_count");

  if (strcmp (p.name, "divergence"))
    about.where = "simulator";
    r = trace_steps (p.rows);
    table = "steps";
  elseif (devices == 0)
    about.where = sprintf ("no GPU (%s): no times are given, these are the simulator's counts", reason);
    card = model_card (merge (isempty (o.card), "H200", o.card), "gpu_bench");
    r = count_rows (p.rows, card);
    about.card = card.name;
    if (max ([p.rows.n]) > max ([r.n]))
      about.where = sprintf ("%s, of %d elements at most", about.where, max ([r.n]));
    endif
    table = "counts";
  else
    about.where = __gpureduce__ ("device", 0).name;
    card = model_card (merge (isempty (o.card), "here", o.card), "gpu_bench");
    [r, about.ceiling] = time_rows (p.rows, o.repeats, card);
    about.card = card.name;
    table = "times";
  endif

  about.title = bench_title (table, r, p.figures);

  ## The table first: it is there whatever becomes of the files.
  if (nargout > 0)
    result = r;
  else
    bench_table (table, r, about);
  endif
  if (! isempty (o.csv))
    bench_csv (r, about, o.csv);
  endif
  if (! isempty (o.png) && isempty (__gpr_gnuplot__ ()))
    no_plot (bench_plot (r, about, o.png), o.png);
  endif

endfunction

## What was measured is worth more than its picture.
function no_plot (why, file)
  if (! isempty (why))
    warning ("gpureduce:no-plot", "gpu_bench: png: %s is not drawn, there will be the table alone: %s", file, why);
  endif
endfunction

## ---- data and their results --------------------------------------------------------

## Whole numbers from -100 to 100 of which, mapped as the variant maps them, every 2^20
## add up to 0, so that sums in any order are exact even in single; of products, 1 and -1.
function x = data_of (row)

  state = rand ("state");
  unwind_protect
    rand ("state", 42);
    half = 2^19;
    if (strcmp (row.class, "uint8"))
      tile = randi ([0 255], 2 * half, 1);
    elseif (strcmp (row.op, "prod"))
      tile = 2 * randi ([0 1], 2 * half, 1) - 1;
    else
      tile = randi ([-100 100], half, 1);
      tile = [tile; (-tile(end:-1:1) - round (2 * row.bias / row.scale))];
    endif
  unwind_protect_cleanup
    rand ("state", state);
  end_unwind_protect
  tile = cast (tile, row.class);
  whole = floor (row.n / numel (tile));
  x = [repmat(tile, whole, 1); tile(1:row.n - whole * numel (tile))];

endfunction

function e = edges_of (row)
  if (strcmp (row.class, "uint8"))
    e = linspace (0, 256, row.bins + 1);
  else
    e = linspace (-100, 100, row.bins + 1);
  endif
endfunction

## The right result: value, index and counts as a variant gives them.
function e = expected_of (row, x)

  e = struct ("value", [], "index", [], "counts", []);
  if (row.scale != 1 || row.bias != 0)
    x = row.scale * double (x) + row.bias;
  endif
  switch (row.op)
    case "sum"
      if (strcmp (row.variant, "cublas"))
        x = abs (x);
      endif
      e.value = sum (x, "double");
    case "prod"
      e.value = prod (double (x));
    case {"max", "min"}
      e.value = feval (row.op, x);
    case {"argmax", "argmin"}
      [e.value, e.index] = feval (row.op(4:end), x);
    case "histogram"
      e.counts = gpu_reduce (x, "histogram", row.bins, "limits", edges_of (row)([1 end]), "device", "cpu");
  endswitch

endfunction

function check (row, got, e)

  switch (row.op)
    case "histogram"
      right = isequal (double (got.counts(:)), e.counts(:));
    case {"argmax", "argmin"}
      right = double (got.value) == double (e.value) && double (got.index) == e.index;
    otherwise
      bound = 0;
      if (strcmp (row.variant, "cublas"))
        bound = row.n * eps (row.class) * abs (e.value);
      endif
      right = abs (double (got.value) - double (e.value)) <= bound;
  endswitch
  if (! right)
    wrong (row, "is wrong and was not timed");
  endif

endfunction

function wrong (row, what)
  finish = "";
  if (! isempty (row.finish))
    finish = [", finish " row.finish];
  endif
  error ("gpureduce:wrong-result", "gpu_bench: %s of %d %s by %s (block %d%s) %s", row.op, row.n, row.class, row.variant, ...
         row.block, finish, what);
endfunction

## ---- times ---------------------------------------------------------------------------

function [r, ceiling] = time_rows (rows, repeats, card)

  ceiling = __gpureduce__ ("read_ceiling");
  r = [];
  made = [];
  count = numel (rows);
  for k = 1:count
    row = rows(k);
    progress (k, count, row);
    wanted = struct ("op", row.op, "class", row.class, "n", row.n, "bins", row.bins, "absolute", strcmp (row.variant, "cublas"), ...
                     "scale", row.scale, "bias", row.bias);
    if (! isequal (made, wanted))
      x = [];
      x = data_of (row);
      expected = expected_of (row, x);
      made = wanted;
    endif
    t = time_row (row, x, expected, repeats);
    s = described (row);
    s.kernel_ms = median (t.kernel_ms);
    s.spread = 100 * diff (quantile (t.kernel_ms(:), [0.25 0.75])) / s.kernel_ms;
    s.total_ms = median (t.total_ms);
    s.gbs = row.n * numel (typecast (cast (0, row.class), "uint8")) / s.kernel_ms * 1e-6;
    s.percent = 100 * s.gbs / ceiling;
    s.speedup = NaN;
    s.source = row.source;
    s.model_ms = modelled (row, row.n, card);
    r = [r, s];
  endfor
  progress ();
  for k = 1:numel (r)
    base = find ([r.n] == r(k).n, 1);
    r(k).speedup = r(base).kernel_ms / r(k).kernel_ms;
  endfor

endfunction

function s = described (row)
  s = struct ("variant", row.variant, "op", row.op, "class", row.class, "n", row.n, "finish", row.finish, ...
              "block", row.block, "bins", row.bins, "tag", row.note);
endfunction

## Once for the result, and to see how often there is time for.
function t = time_row (row, x, expected, repeats)

  if (strcmp (row.variant, "engine"))
    t = time_engine (row, x, expected, repeats);
    return;
  endif
  arguments = {row.variant, row.op, x, row.finish, row.block};
  edges = {};
  if (strcmp (row.op, "histogram"))
    edges = {edges_of(row)};
  endif
  t = __gpureduce__ ("time_variant", arguments{:}, 1, edges{:});
  check (row, t, expected);
  t = __gpureduce__ ("time_variant", arguments{:}, affordable (t.kernel_ms + t.total_ms, repeats), edges{:});

endfunction

function repeats = affordable (ms, repeats)
  most = 4000;          # ms a row
  repeats = max (min (3, repeats), min (repeats, floor (most / ms)));
endfunction

## The package's own kernels, as gpu_sum and the others call them: the kernel's time
## is what gpu_config ("last") tells.  The copies of x together are more than a GPU's
## cache holds.
function t = time_engine (row, x, expected, repeats)

  beyond_cache = 256e6;
  copies = max (1, min (repeats, ceil (beyond_cache / (numel (x) * numel (typecast (x(1), "uint8"))))));
  resident = cell (1, copies);
  for k = 1:copies
    resident{k} = gpuArray (x);
  endfor
  start = tic ();
  check (row, run_engine (row, resident{1}), expected);
  repeats = affordable (1e3 * toc (start), repeats);
  t = struct ("kernel_ms", zeros (1, repeats), "total_ms", zeros (1, repeats));
  for k = 1:repeats
    run_engine (row, resident{mod (k, copies) + 1});
    t.kernel_ms(k) = gpu_config ("last").kernel_ms;
  endfor
  for k = 1:repeats
    start = tic ();
    run_engine (row, x);
    t.total_ms(k) = 1e3 * toc (start);
  endfor

endfunction

function got = run_engine (row, x)

  got = struct ("value", [], "index", [], "counts", []);
  switch (row.op)
    case "histogram"
      got.counts = gather (gpu_reduce (x, "histogram", row.bins, "limits", edges_of (row)([1 end])));
    case {"argmax", "argmin"}
      [index, value] = gpu_reduce (x, row.op);
      got.index = gather (index);
      got.value = gather (value);
    case "sum"
      got.value = gather (gpu_reduce (x, "sum", "outtype", merge (strcmp (row.class, "int32"), "double", "default")));
    otherwise
      got.value = gather (gpu_reduce (x, row.op));
  endswitch

endfunction

## A line on stderr while it lasts; none where it is short.
function progress (k, count, row)

  persistent start = tic ();
  persistent shown = false;
  if (nargin == 0)
    if (shown)
      fprintf (stderr, "\r%70s\r", "");
    endif
    shown = false;
  elseif (k == 1)
    start = tic ();
    shown = false;
  endif
  if (nargin > 0 && toc (start) > 1)
    fprintf (stderr, "\r%-70s", sprintf ("gpu_bench: %d of %d, %s, n = %d", k, count, row.variant, row.n));
    shown = true;
  endif
  fflush (stderr);

endfunction

## ---- counts ----------------------------------------------------------------------------

## Libraries' kernels and the engine's are not the ladder's: no source to simulate.
function rows = simulated (rows)
  rows = rows(! ismember ({rows.variant}, [bench_own_kernels(), {"cub_block", "cub_warp"}]));
  if (isempty (rows))
    error ("gpureduce:no-device", "gpu_bench: none of these variants runs in the simulator, and there is no GPU");
  endif
endfunction

function r = count_rows (rows, card)

  most = 2^16;
  rows = simulated (rows);
  asked = [rows.n];
  [rows.n] = deal (num2cell (min ([rows.n], most)){:});
  same = false (1, numel (rows));
  for k = 2:numel (rows)
    before = find (arrayfun (@(s) isequal (rmfield (s, {"source", "note"}), rmfield (rows(k), {"source", "note"})), rows(1:k-1)), 1);
    same(k) = ! isempty (before);
    asked(before) = max (asked(before), asked(k));
  endfor
  rows(same) = [];
  asked(same) = [];
  r = [];
  for k = 1:numel (rows)
    row = rows(k);
    progress (k, numel (rows), row);
    t = traced (row);
    s = described (row);
    c = t.totals;
    s.launches = numel (t.launches);
    s.issued = c.warps_issued;
    s.skipped = c.warps_skipped;
    s.divergent = c.divergent_warps;
    s.conflicts = c.bank_conflicts;
    s.sectors = c.sectors;
    s.needed = c.sectors_needed;
    s.written = c.sectors_written;
    s.barriers = c.barriers;
    s.shuffles = c.shuffles;
    s.atomics = c.atomics;
    s.model_n = asked(k);
    s.model_ms = modelled (row, asked(k), card);
    r = [r, s];
  endfor
  progress ();

endfunction

## What the model says, in ms.
function ms = modelled (row, n, card)
  ms = NaN;
  m = __gpr_predict__ (row, n, card);
  if (! isempty (m))
    ms = m.ms;
  endif
endfunction

## A trace whose result is right.
function t = traced (row)

  options = {"op", row.op, "class", row.class, "steps", 0};
  if (! isempty (row.finish))
    options = [options, {"finish", row.finish}];
  endif
  if (strcmp (row.op, "histogram"))
    options = [options, {"bins", row.bins}];
  endif
  try
    t = gpu_trace (row.variant, row.n, row.block, options{:});
  catch err
    error (err.identifier, "%s", regexprep (err.message, '^gpu_trace:', "gpu_bench:"));
  end_try_catch
  if (! isempty (t.fault))
    wrong (row, ["has a fault: " t.fault.message]);
  elseif (! isequal (double (t.result(:)), double (t.builtin(:))))
    wrong (row, "is wrong");
  endif

endfunction

function r = trace_steps (rows)

  r = [];
  for row = rows
    t = traced (row);
    steps = t.launches(1).steps;
    for k = find ([steps.block] == steps(1).block)
      s = described (row);
      for name = {"step", "file", "line", "active_percent", "warps_issued", "warps_skipped", "divergent_warps", "bank_conflicts", "worst_way"}
        s.(name{1}) = steps(k).(name{1});
      endfor
      r = [r, s];
    endfor
  endfor

endfunction

## errors
%!error <Invalid call> gpu_bench ()
%!error <PRESET must be "guide", "shmoo", "bandwidth", "harris", "histogram", "divergence"> gpu_bench ("speed")
%!error id=gpureduce:invalid-input gpu_bench (5)
%!error <unknown option "size"; options are variants, n> gpu_bench ("guide", "size", 5)
%!error <a preset has its own variants> gpu_bench ("guide", "variants", "sequential")
%!error <a preset or "variants" must be given> gpu_bench ("n", 1000)
%!error <there is no variant "quick"; gpu_variants> gpu_bench ("variants", "quick")
%!error <variants must be a name> gpu_bench ("variants", 5)
%!error <n must be positive integers> gpu_bench ("variants", "sequential", "n", 0)
%!error <n must be positive integers> gpu_bench ("variants", "sequential", "n", [1 2.5])
%!error <block must be 32, 64> gpu_bench ("variants", "sequential", "block", 96)
%!error <finish must be two_pass, multi_level> gpu_bench ("variants", "sequential", "finish", "none")
%!error <class must be double> gpu_bench ("variants", "sequential", "class", "int8")
%!error <class uint8 is for histograms> gpu_bench ("variants", "sequential", "class", "uint8")
%!error <op must be sum, prod> gpu_bench ("variants", "sequential", "op", "mean")
%!error <repeats must be one number> gpu_bench ("guide", "repeats", [1 2])
%!error <csv must be the name of a file> gpu_bench ("guide", "csv", 5)
%!error <gpu_bench: csv: cannot write .*: it is a folder> gpu_bench ("guide", "csv", tempdir ())
%!error id=gpureduce:invalid-input gpu_bench ("divergence", "png", "/nowhere/at/all.png")
%!error <gpu_bench: png: cannot write /nowhere/at/all.png: [A-Z]> gpu_bench ("divergence", "png", "/nowhere/at/all.png")
%!error <there is no variant "SEQUENTIAL"> gpu_bench ("variants", "SEQUENTIAL")
%!error <n must be positive integers below 2.48> gpu_bench ("variants", "sequential", "n", 2^60)
%!error <one value each> gpu_bench ("guide", "n", [1 2])
%!error <does not go with this preset> gpu_bench ("histogram", "op", "sum")

## the simulator's tables
%!function yes = there_is_a_simulator ()
%!  persistent found;
%!  if (isempty (found))
%!    try
%!      t = gpu_trace ("sequential", 64, 64);
%!      found = true;
%!    catch
%!      found = false;
%!    end_try_catch
%!  endif
%!  yes = found;
%!endfunction
%!testif ; there_is_a_simulator ()
%! r = gpu_bench ("divergence");
%! assert (unique ({r.variant}), sort ({"neighbored", "neighbored_less", "shared_modulo", "shared_strided", "sequential"}));
%! for name = {"neighbored", "shared_modulo"}
%!   p = [r(strcmp ({r.variant}, name{1})).active_percent];
%!   assert (all (ismember ([50 25 12.5], p)));
%! endfor
%! assert (max ([r(strcmp ({r.variant}, "shared_strided")).worst_way]) >= 8);
%! assert (all ([r(strcmp ({r.variant}, "sequential")).bank_conflicts] == 0));
%!testif ; there_is_a_simulator () && gpuDeviceCount () == 0
%! r = gpu_bench ("variants", {"sequential", "full_shuffle"}, "n", 5000, "finish", {"two_pass", "last_block"});
%! assert (size (r), [1 4]);
%! assert (! isfield (r, "kernel_ms"));
%! assert (all ([r.issued] > 0));
%! assert (all ([r(3:4).barriers] < [r(1:2).barriers]));
%!testif ; there_is_a_simulator () && gpuDeviceCount () == 0    # what fusion saves
%! r = gpu_bench ("variants", {"grid_stride", "map_then_reduce", "map_reduce"}, "n", 8000, "finish", "atomic");
%! assert ([r.launches], [1 2 1]);
%! assert ([r.sectors], [1000 3000 1000]);
%! assert ([r.written], [0 1000 0]);
%! assert (! isempty (regexp (evalc ('gpu_bench ("variants", "map_then_reduce", "n", 8000, "finish", "atomic")'), ...
%!                            'written.*\nmap_then_reduce atomic .* 3000 +3000 +1000 ')));
%!testif ; there_is_a_simulator () && gpuDeviceCount () == 0
%! r = gpu_bench ("variants", {"k2", "V naive"}, "n", 500);      # by aliases, each for what it is for
%! assert ({r.variant}, {"sequential", "global_atomic"});
%! assert ({r.op}, {"sum", "histogram"});
%!testif ; there_is_a_simulator () && gpuDeviceCount () == 0    # more bins are more work
%! r = gpu_bench ("variants", "block_shared", "n", 500, "bins", 100);
%! more = gpu_bench ("variants", "block_shared", "n", 500, "bins", 5000);
%! assert (more.issued > r.issued);
%! caught.message = caught.identifier = "";
%! try
%!   gpu_bench ("variants", "block_shared", "n", 500, "bins", 65536);
%! catch caught
%! end_try_catch
%! assert (caught.identifier, "gpureduce:invalid-input");
%! assert (! isempty (regexp (caught.message, '^gpu_bench: block_shared needs .* shared memory')));
%!testif ; there_is_a_simulator () && gpuDeviceCount () == 0    # what is faulty gives no row
%! caught.message = caught.identifier = "";
%! try
%!   gpu_bench ("variants", "bug_off_by_one", "n", 1000);
%! catch caught
%! end_try_catch
%! assert (caught.identifier, "gpureduce:wrong-result");
%! assert (! isempty (regexp (caught.message, '^gpu_bench: sum of 1000 int32 by bug_off_by_one .* out of bounds in bug_off_by_one at ')));
%!testif ; there_is_a_simulator () && gpuDeviceCount () == 0
%! fail ('gpu_bench ("variants", "cooperative", "n", 100, "finish", "atomic")', "^gpu_bench: variant cooperative cannot finish");
%!testif ; there_is_a_simulator () && gpuDeviceCount () == 0
%! file = [tempname() ".csv"];
%! unwind_protect
%!   said = evalc ("gpu_bench (\"harris\", \"n\", 1000, \"csv\", file)");
%!   text = fileread (file);
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%! assert (! isempty (strfind (said, "no times are given")));
%! assert (! isempty (regexp (text, "\nsequential,sum,int32,1000,", "once")));

%!testif ; there_is_a_simulator ()     # a_line_of_another_file_is_told_with_its_name
%! r = gpu_bench ("divergence");
%! rows = regexp (evalc ('gpu_bench ("divergence")'), '\n +\d+ +(\S+) ', "tokens");
%! [~, base, ext] = cellfun (@fileparts, {r.file}, "UniformOutput", false);
%! places = arrayfun (@(s) sprintf ("%d", s.line), r, "UniformOutput", false);
%! others = ! strcmp (base, {r.variant});
%! assert (any (others) && ! all (others));                     # else this shows nothing
%! assert (all (cellfun (@(file) exist (file, "file") == 2, {r.file})));
%! places(others) = strcat (base(others), ext(others), ":", places(others));
%! assert ([rows{:}], places);

## titles and pictures
%!function title = title_of (varargin)
%!  title = regexp (evalc ("gpu_bench (varargin{:})"), '[^\r\n]*(?=\n)', "match", "once");     # after the progress
%!endfunction
%!testif ; there_is_a_simulator () && gpuDeviceCount () == 0    # title_says_what_was_run: in the table and the file
%! assert (title_of ("harris", "n", 1000), "sum of 1000 int32");
%! said = evalc ('gpu_bench ("variants", "full_shuffle", "n", 2^17)');
%! assert (! isempty (regexp (said, 'sum of 2\^16 int32\n.* of 65536 elements at most\n')));     # the simulator's most
%! assert (isempty (strfind (evalc ('gpu_bench ("variants", "single_thread", "n", 64)'), "elements at most")));
%! assert (title_of ("variants", {"sequential", "first_add"}, "n", [100 2048], "op", "max", "class", "single"), ...
%!         "max of 100 to 2^11 single");
%! assert (title_of ("variants", {"sequential", "block_shared"}, "n", 500, "bins", 7), ...
%!         "sum, histogram of 500 int32, uint8, 7 bins");
%! file = [tempname() ".csv"];
%! unwind_protect
%!   evalc ('r = gpu_bench ("guide", "n", 300, "op", "min", "csv", file);');      # says how far it is
%!   text = fileread (file);
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%! assert (! isempty (strfind (text, "\n# table: min of 300 int32\n")));
%! assert (all ([r.n] == 300) && all (strcmp ({r.op}, "min")));
%!testif ; there_is_a_simulator ()                 # title_says_what_was_run: of the steps
%! assert (title_of ("divergence"), ["sum of 256 int32, the first block of 256 threads, from the simulator; " ...
%!                                   "the guide: 50, 25, 12.5 % of the lanes active"]);
%! assert (title_of ("divergence", "n", 100, "block", 64), "sum of 100 int32, the first block of 64 threads, from the simulator");
%!testif ; there_is_a_simulator ()                 # the_table_is_kept_without_gnuplot, and said before anything is run
%! program = gnuplot_binary ();
%! quiet = warning ("query", "quiet").state;        # on under pkg test, which prints no warnings
%! file = [tempname() ".png"];
%! unwind_protect
%!   gnuplot_binary ("no-such-gnuplot");
%!   warning ("off", "quiet");
%!   text = ["warning: gpu_bench: png: " file " is not drawn, there will be the table alone: gnuplot is not installed\n"];
%!   said = evalc ('gpu_bench ("divergence", "png", file)');
%!   assert (! isempty (strfind (said, "\nsequential: neither\n")));
%!   assert (! isempty (strfind (said, text)));
%!   warning ("off", "gpureduce:no-plot", "local");
%!   said = evalc ('r = gpu_bench ("divergence", "png", file);');
%!   assert (isempty (strfind (said, text)));
%!   warning ("on", "gpureduce:no-plot", "local");
%!   assert (r, gpu_bench ("divergence"));
%!   assert (! exist (file, "file"));
%!   if (gpuDeviceCount () == 0)        # where the simulator sees the bug
%!     said = evalc ('try, gpu_bench ("variants", "bug_off_by_one", "n", 100, "png", file), catch err, disp (err.identifier), end_try_catch');
%!     assert (! isempty (regexp (said, 'gnuplot is not installed\n(.*\n)?gpureduce:wrong-result\n')));
%!   endif
%! unwind_protect_cleanup
%!   warning (quiet, "quiet");
%!   gnuplot_binary (program);
%! end_unwind_protect
%!testif ; there_is_a_simulator () && system ("gnuplot --version > /dev/null 2>&1") == 0      # pictures of steps and counts
%! file = [tempname() ".png"];
%! unwind_protect
%!   r = gpu_bench ("divergence", "png", file);
%!   assert (fileread (file)(2:4), "PNG");
%!   unlink (file);
%!   r = gpu_bench ("variants", {"sequential", "first_add"}, "n", [100 200], "png", file);
%!   assert (fileread (file)(2:4), "PNG");
%! unwind_protect_cleanup
%!   [~, ~] = unlink (file);
%! end_unwind_protect

## times
%!testif ; gpuDeviceCount () > 0       # title_says_what_was_run: with the source's figures where they hold
%! assert (title_of ("harris", "repeats", 1), "sum of 2^22 int32; Harris's figures are of a G80");
%! assert (title_of ("harris", "repeats", 1, "n", 1000), "sum of 1000 int32");
%!testif ; gpuDeviceCount () > 0
%! r = gpu_bench ("variants", {"sequential", "grid_stride", "engine"}, "n", [1000 100000], "class", "single", "repeats", 3);
%! assert (size (r), [1 6]);
%! assert (all ([r.kernel_ms] > 0) && all ([r.total_ms] >= 0) && all ([r.percent] > 0));
%! assert ([r.model_ms] > 0, logical ([1 1 0 1 1 0]));          # the engine has no counts
%! assert ([r([1 4]).speedup], [1 1]);
