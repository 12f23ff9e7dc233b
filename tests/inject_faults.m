## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## inject_faults (DEVICE): every public function that computes is called once to count the
## places where it can fail (an allocation, a CUDA call), then again for every
## one of them, which then fails.  Each time: an error with an identifier, or (where it
## tries again with less, or does without) the right answer; nothing is left behind; and the next
## call works.  Returns how many faults there were.

function injected = inject_faults (device)

  injected = 0;
  for call = calls ()
    [name, f] = call{1}{:};
    for resident = [false true]
      for kind = {"memory", "other"}
        if (strcmp (device, "cpu") && strcmp (kind{1}, "other"))
          continue;
        endif
        injected += inject (name, f, resident, device, kind{1});
      endfor
    endfor
  endfor

endfunction

## Names, and functions of an array that is on the host or resident, and of options.
function list = calls ()
  x = reshape (cos ((1:60000) .^ 2), 200, 300);
  k = int32 (1000 * x);
  reductions = {"sum", "prod", "sumsq", "mean", "any", "all", "var", "std", "rms", "median", "mode", "range", "cumsum", "cumprod"};
  list = {};
  for name = reductions
    g = str2func (["gpu_" name{1}]);
    second = {{1}, {0, 1}}{1 + any(strcmp (name{1}, {"var", "std"}))};
    list{end+1} = {name{1}, @(on, varargin) g(on (x), second{:}, varargin{:})};
  endfor
  list = [list, {
    {"mean omitnan", @(on, varargin) gpu_mean(on (x), 2, "omitnan", varargin{:})}
    {"sum int32", @(on, varargin) gpu_sum(on (k), "all", varargin{:})}
    {"sum native", @(on, varargin) gpu_sum(on (k), 2, "native", varargin{:})}
    {"var weighted", @(on, varargin) gpu_var(on (x), 1:200, 1, varargin{:})}
    {"max", @(on, varargin) nth_output(1:2, @gpu_max, on (x), [], 2, varargin{:})}
    {"max includenan", @(on, varargin) gpu_max(on (x), [], 1, "includenan", varargin{:})}
    {"max zeros", @(on, varargin) gpu_max(on (0 * x), [], 1, varargin{:})}
    {"max pair", @(on, varargin) gpu_max(on (x), on (x'(:,1:200)'(:,1)), varargin{:})}
    {"argmin", @(on, varargin) gpu_argmin(on (x), [], 1, varargin{:})}
    {"sum exact", @(on, varargin) gpu_sum(on (x), 1, "exact", varargin{:})}
    {"sum exact, all", @(on, varargin) gpu_sum(on ([x(:); 1e300]), 1, "exact", varargin{:})}
    {"sum NA", @(on, varargin) gpu_sum(on ([x; NA(1, 300)]), 1, varargin{:})}
    {"bounds", @(on, varargin) nth_output(1:2, @gpu_bounds, on (x), 1, varargin{:})}
    {"bounds of zeros", @(on, varargin) nth_output(1:2, @gpu_bounds, on (0 * x), 1, varargin{:})}
    {"range of NaN", @(on, varargin) gpu_range(on (NaN (500, 20)), 1, varargin{:})}
    {"quantile", @(on, varargin) gpu_quantile(on (x), [0.1 0.5], 1, varargin{:})}
    {"quantile, long", @(on, varargin) gpu_quantile(on (x), 0.3, 2, varargin{:})}
    {"mad", @(on, varargin) gpu_mad(on (x), 1, 1, varargin{:})}
    {"mad of integers", @(on, varargin) gpu_mad(on (k), 1, 1, varargin{:})}
    {"mean deviations of integers", @(on, varargin) gpu_mad(on (k), 0, 1, varargin{:})}
    {"iqr", @(on, varargin) gpu_iqr(on (x), 1, varargin{:})}
    {"mode, long", @(on, varargin) nth_output(1:2, @gpu_mode, on (reshape (x, 2, 30000)), 2, varargin{:})}
    {"mode of few numbers", @(on, varargin) nth_output(1:2, @gpu_mode, on (round (5 * x(:))), 1, varargin{:})}
    {"mode of int16", @(on, varargin) gpu_mode(on (int16 (k(:)) .* int16 (30)), 1, varargin{:})}
    {"mode, short", @(on, varargin) gpu_mode(on (reshape (x, 20, 3000)), 1, varargin{:})}
    {"modes, all", @(on, varargin) all_modes(on (x(1:20,:)), 1, varargin{:})}
    {"maxk", @(on, varargin) nth_output(1:2, @gpu_maxk, on (x), 5, 1, varargin{:})}
    {"norm", @(on, varargin) gpu_norm(on (x), "rows", varargin{:})}
    {"dot", @(on, varargin) gpu_dot(on (x), on (x), varargin{:})}
    {"dot mixed", @(on, varargin) gpu_dot(on (complex (x, 1)), single (x), 1, varargin{:})}
    {"dot integers", @(on, varargin) gpu_dot(on (k), on (k), varargin{:})}
    {"dot exact", @(on, varargin) gpu_dot(on (x), on (x), 2, "exact", varargin{:})}
    {"nnz", @(on, varargin) gpu_nnz(on (k), varargin{:})}
    {"softmax", @(on, varargin) gpu_softmax(on (x), 1, varargin{:})}
    {"softmax of integers", @(on, varargin) gpu_softmax(on (k), [1 2], varargin{:})}
    {"logsumexp", @(on, varargin) gpu_logsumexp(on (x), 2, varargin{:})}
    {"normalize", @(on, varargin) nth_output(1:3, @gpu_normalize, on (x), 1, varargin{:})}
    {"normalize robust", @(on, varargin) gpu_normalize(on (x), 2, "zscore", "robust", varargin{:})}
    {"cov", @(on, varargin) gpu_cov(on (x), varargin{:})}
    {"cov of pairs", @(on, varargin) gpu_cov(on ([x; NaN(1, 300)]), "partialrows", varargin{:})}
    {"corr", @(on, varargin) gpu_corr(on (x), on (x(:,1:3)), varargin{:})}
    {"stats", @(on, varargin) gpu_stats(on (x), 1, varargin{:}).var}
    {"cummax", @(on, varargin) nth_output(1:2, @gpu_cummax, on (x), 2, varargin{:})}
    {"prod in doubt", @(on, varargin) gpu_prod(on (reshape (x, 30000, 2)), 1, varargin{:})}
    {"cumprod in doubt", @(on, varargin) gpu_cumprod(on (reshape (x, 30000, 2)), 1, varargin{:})}
    {"cumsum of integers", @(on, varargin) gpu_cumsum(on (k), 1, varargin{:})}
    {"cummin", @(on, varargin) gpu_cummin(on (x), 1, varargin{:})}
    {"cumsum of what waits", @(on, varargin) gpu_cumsum(on (x) .* 2 + 1, 2, varargin{:})}
    {"cumsum of comparisons", @(on, varargin) gpu_cumsum(on (x) > 0, 1, varargin{:})}
    {"cumprod of what waits, in doubt", @(on, varargin) gpu_cumprod(reshape (on (x), 30000, 2) .* 0.9, 1, varargin{:})}
    {"histc", @(on, varargin) nth_output(1:2, @gpu_histc, on (x), -1:0.1:1, 1, varargin{:})}
    {"hist", @(on, varargin) gpu_hist(on (x), 12, varargin{:})}
    {"histogram", @(on, varargin) gpu_reduce(on (x), "histogram", 16, varargin{:})}
    {"histcounts", @(on, varargin) nth_output([1 3], @gpu_histcounts, on (x), 9, varargin{:})}
    {"histc of what waits", @(on, varargin) nth_output(1:2, @gpu_histc, on (x) - 0.25, -1:0.1:1, varargin{:})}
    {"histcounts of what waits", @(on, varargin) gpu_histcounts(abs (on (x) - 0.25), 9, varargin{:})}
    {"hist infinite", @(on, varargin) nth_output(1:2, @gpu_hist, on ([x; Inf(1, 300)]), 12, 3, varargin{:})}
    {"histcounts auto", @(on, varargin) nth_output(1:3, @gpu_histcounts, on ([x; Inf(1, 300)]), varargin{:})}
    {"histcounts fd", @(on, varargin) gpu_histcounts(on (k), "BinMethod", "fd", "BinLimits", [-500 900], varargin{:})}
    {"histcounts2", @(on, varargin) gpu_histcounts2(on (x), on (x), [5 6], varargin{:})}
    {"randn", @(on, varargin) seeded(@() randn (300, 200, "gpuArray"))}
    {"randperm", @(on, varargin) seeded(@() randperm (9000, "gpuArray"))}
    {"eye", @(on, varargin) eye(300, "int64", "gpuArray")}
    {"accumarray", @(on, varargin) gpu_accumarray(on (1 + mod ((1:60000)', 97)), on (x(:)), varargin{:})}
    {"accumarray many", @(on, varargin) gpu_accumarray(on (1 + mod ((1:60000)', 7)), on (x(:)), [9000 1], @mean, -1, varargin{:})}
    {"accumarray NaN", @(on, varargin) gpu_accumarray(on (1 + mod ((1:60000)', 7)), on ([NaN; x(2:end)(:)]), varargin{:})}
    {"accumarray order", @(on, varargin) gpu_accumarray(on (single (1 + mod ((1:60000)', 7))), on (x(:)), "order", "builtin", varargin{:})}
    {"accumarray max", @(on, varargin) gpu_accumarray(on (1 + mod ((1:60000)', 97)), on (x(:)), [100 1], @max, varargin{:})}
    {"reduce", @(on, varargin) gpu_reduce(on (x), "sum", "dim", [1 2], varargin{:})}
    {"complex", @(on, varargin) abs(gpuArray (complex (x, 1)) .* gpuArray (complex (2, x)) - 3i)}
    {"made real", @(on, varargin) gpuArray(complex (x, 1)) - 1i}
    {"lists", @(on, varargin) lists(gpuArray (x))}
    {"sort", @(on, varargin) nth_output(1:2, @sort, gpuArray (x), 2)}
  }'];
endfunction

## Gathers, scatters, growth, deletion and find.
function y = lists (g)
  g(g(:,3) > 0, [7 2 9]) = -g(g(:,3) > 0, [1 2 4]);
  g([5 3 5 1], [9 8 9]) = reshape (1:12, 4, 3);
  g(end + 1,end + 1) = int64 (3);
  g(:,[2 5]) = [];
  [i, j] = find (g > 0.5);
  y = [gather(g(g < 0.3)); gather(i); gather(j)];
endfunction

function all = all_modes (varargin)
  [m, f, c] = gpu_mode (varargin{:});
  all = [gather(m)(:); gather(f)(:); vertcat(c{:})];
endfunction

function all = nth_output (which, f, varargin)
  out = cell (1, max (which));
  [out{:}] = f (varargin{:});
  all = cellfun (@(y) double (gather (y))(:), out(which), "uniformoutput", false);
  all = vertcat (all{:});
endfunction

function x = seeded (f)
  gpurng (1);
  x = f ();
endfunction

function done = inject (name, f, resident, device, kind)
  done = 0;
  options = {"device", device};
  on = @(x) x;
  if (resident)
    options = {};
    on = @(x) gpuArray (x);
  endif
  what = @(n) sprintf ("%s, %s, %s, fault %d", name, merge (resident, "resident", "from the host"), kind, n);
  run = @() gather (f (on, options{:}));
  want = run ();
  run ();
  __gpureduce__ ("fault", 0);
  run ();
  places = __gpureduce__ ("fault", 0);
  before = __gpureduce__ ("diagnose");
  for n = 1:places
    ## A long call is tried at its beginning, its end and some places between.
    if (places > 60 && n > 25 && n < places - 15 && mod (n, 1 + floor (places / 20)) != 0)
      continue;
    endif
    err = [];
    got = [];
    __gpureduce__ ("fault", n, kind);
    try
      got = run ();
    catch err
    end_try_catch
    __gpureduce__ ("fault", 0);
    done++;
    if (isempty (err))
      ## Where a GPU cannot, the host does: its exp and its products of matrices round otherwise.
      by_library = resident && ! isempty (regexp (name, '^(softmax|logsumexp|cov|corr)\>', "once"));
      near = by_library && isequal (size (got), size (want)) && all (abs (got(:) - want(:)) <= 1e-14 * max (abs (want(:)), 1));
      tally (near || isequaln (got, want), "%s: a wrong answer", what (n));
    else
      tally (strncmp (err.identifier, "gpureduce:", 10) || strcmp (err.identifier, "Octave:bad-alloc"), "%s: %s: %s", ...
             what (n), err.identifier, err.message);
    endif
    err = [];
    try
      tally (isequaln (run (), want), "%s: the next call is wrong", what (n));
    catch err
      tally (false, "%s: the next call fails: %s", what (n), err.message);
    end_try_catch
  endfor
  after = __gpureduce__ ("diagnose");
  tally (after.handles == before.handles, "%s: %d arrays left behind", what (0), after.handles - before.handles);
  tally (after.memory.in_use == before.memory.in_use, "%s: %d bytes left behind", what (0), after.memory.in_use - before.memory.in_use);
  tally (places > 0 || strcmp (device, "cpu"), "%s: nothing can fail", what (0));
endfunction
