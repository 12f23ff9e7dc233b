## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpuArrays over several GPUs: what comes of random problems, programs and expressions, which are read as they are made, has the bits of the host's
## arrays; large ones are faster than on one GPU (shown); an error of one GPU names it and leaves nothing.

here = fileparts (mfilename ("fullpath"));
addpath (fullfile (here, ".."));

function n = held ()
  n = __gpureduce__ ("diagnose").memory.allocations;
endfunction

function problems ()
  began = held ();
  [count, failed] = problems_on_devices (150, 1, 30);
  tally (failed == 0, "%d of %d problems", failed, count);
  tally (held () == began, "problems: %d allocations left", held () - began);
endfunction

function programs (here)
  [status, said] = in_octave (sprintf ("addpath ('%s'); source ('%s');", fullfile (here, ".."), fullfile (here, "..", "expressions.m")),
                              "EXPRESSION_SEVERAL=yes EXPRESSION_STEPS=2000", 120);
  tally (status == 0 && ! isempty (strfind (said, " 0 failed")), "programs: %s", said);
endfunction

## Reductions, histograms and cumulative functions of expressions, most of which are not computed.
function expressions ()
  began = held ();
  [count, failed, fused] = terms_on_devices (120, 1, 40);
  tally (failed == 0, "%d of %d reductions of expressions", failed, count);
  tally (fused > count / 20, "%d of %d expressions were not computed", fused, count);
  tally (held () == began, "expressions: %d allocations left", held () - began);
  x = rand (5e3, 4e3) - 0.5;
  y = rand (5e3, 4e3);
  g = gpuArray (x, "devices", "all");
  h = gpuArray (y, "devices", "all");
  reductions = {@(e, d) gpu_sum(e, 1, d{:}), @(e, d) gpu_sum(e, 2, d{:}), @(e, d) gpu_sum(e, "all", d{:}), @(e, d) gpu_std(e, 0, 2, d{:}), @(e, d) gpu_max(e, [], 2, d{:}), ...
                @(e, d) gpu_any(e > 0.99, 2, d{:}), @(e, d) gpu_histcounts(e, -2:0.25:2, d{:}), @(e, d) gpu_cumsum(e, 1, d{:})};
  made = {@(x, y) 2 * x + 1, @(x, y) x .* y - 0.25, @(x, y) (x - y(:,1)) .* y(1,:)};
  for k = 1:numel (reductions)
    for l = 1:numel (made)
      f = reductions{k};
      gather (f (made{l} (g, h), {}));
      gpu_config ("compiled", "wait");
      e = made{l} (g, h);
      z = f (e, {});
      tally (gpu_explain (e).waits > 0, "%s of %s was computed first", func2str (f), func2str (made{l}));
      tally (same_bits (gather (z), f (made{l} (x, y), {"device", "cpu"})), "%s of %s", func2str (f), func2str (made{l}));
    endfor
  endfor
  clear g h e z
  tally (held () == began, "large expressions: %d allocations left", held () - began);
endfunction

function large (count)
  began = held ();
  x = rand (5e4, 4e3, "single") - 0.5;
  y = rand (5e4, 4e3, "single");
  one = gpuArray (x);
  all = gpuArray (x, "devices", "all");
  other = gpuArray (y, "devices", "all");
  on_one = gpuArray (y);
  tally (same_bits (gather (all), x), "gather");
  tally (same_bits (gather (2 * all + other .* other), 2 * x + y .* y), "an expression");
  tally (same_bits (gather (all + on_one), x + y), "an operand on one GPU");
  tally (same_bits (gather (all - y(:,1)), x - y(:,1)), "a column");
  tally (same_bits (gather (all .* (1:4e3)), x .* single (1:4e3)), "a row");
  [m, i] = max (all, [], 2);
  [n, j] = gpu_max (x, [], 2, "device", "cpu");
  tally (same_bits (gather (m), n) && same_bits (gather (i), j), "max along rows");
  functions = {@(g, d) gpu_sum(g, 1, d{:}), @(g, d) gpu_sum(g, 2, d{:}), @(g, d) gpu_sum(g, "all", d{:}), @(g, d) gpu_var(g, 0, 2, d{:}), @(g, d) gpu_histc(g(:), -0.5:0.1:0.5, d{:}), ...
               @(g, d) gpu_cumsum(g, 1, d{:}), @(g, d) gpu_cumsum(g, 2, d{:}), @(g, d) gpu_norm(g, "fro", d{:}), @(g, d) gpu_prod(1 + g, 2, d{:}), ...
               @(g, d) gpu_argmin(g, [], 2, d{:}), @(g, d) gpu_dot(g, g, 2, d{:}), ...
               @(g, d) gpu_sum(g, 2, "exact", d{:}), @(g, d) gpu_sum(g(:), "exact", d{:}), @(g, d) gpu_median(g(:), d{:}), ...
               @(g, d) gpu_sum(2 * g + 1, "all", d{:}), @(g, d) gpu_std(2 * g + 1, 0, 2, d{:}), @(g, d) gpu_max(g .* g, [], 1, d{:}), @(g, d) gpu_histcounts(2 * g, -1:0.1:1, d{:}), ...
               @(g, d) gpu_cumprod(g, 2, d{:}), @(g, d) gpu_cummax(g, 2, d{:}), @(g, d) gpu_median(g, 2, d{:}), @(g, d) gpu_prod(g, 2, d{:}), @(g, d) gpu_quantile(g(:), [0.01, 0.5, 0.9], d{:}), @(g, d) gpu_maxk(g(:), 100, d{:})};
  for k = 1:numel (functions)
    f = functions{k};
    tally (same_bits (gather (f (all, {})), f (x, {"device", "cpu"})), "large: %s", func2str (f));
    gather (f (one, {}));
    gpu_config ("compiled", "wait");
    times = [Inf, Inf];
    for round = 1:5
      for place = 1:2
        t = tic ();
        gather (f ({one, all}{place}, {}));
        times(place) = min (times(place), 1e3 * toc (t));
      endfor
    endfor
    printf ("%-40s one GPU %8.2f ms, %d GPUs %8.2f ms\n", func2str (f), times(1), count, times(2));
  endfor
  clear all one other on_one m i f functions
  tally (held () == began, "large: %d allocations left", held () - began);
endfunction

## What GPUs do together or for each other without the host: of random sizes, whether it has the bits of the CPU.
function between_them (rounds)
  began = held ();
  functions = {@(g, d) gpu_cumsum(g, ndims (g), d{:}), @(g, d) gpu_cumprod(g, ndims (g), d{:}), @(g, d) gpu_cumprod(1 + g / 999, ndims (g), d{:}), @(g, d) gpu_prod(9 * g, ndims (g), d{:}), ...
               @(g, d) gpu_sum(g, ndims (g), "exact", d{:}), @(g, d) gpu_dot(g, g, ndims (g), "exact", d{:}), @(g, d) gpu_median(g, ndims (g), d{:}), ...
               @(g, d) gpu_quantile(g, [0.1, 0.7], ndims (g), d{:}), @(g, d) gpu_mode(round (g), ndims (g), d{:}), @(g, d) gpu_var(g, 0, ndims (g), d{:}), ...
               @(g, d) gpu_max(g, [], ndims (g), d{:}), @(g, d) gpu_argmin(g, [], ndims (g), d{:}), @(g, d) gpu_mean(g, ndims (g), d{:}), ...
               @(g, d) gpu_cummax(g, ndims (g), d{:}), @(g, d) nthargout (2, @gpu_cummin, g, ndims (g), d{:}), ...
               @(g, d) gpu_cumsum(reshape (g, [], 4), 2, d{:}), @(g, d) gpu_sum(reshape (g, [], 4), 2, d{:}), @(g, d) gpu_cummax(reshape (g, [], 4), 1, d{:})};
  shapes = {@() [8 + randi(60), 4 * randi(9000)], @() [randi(4), 4 * randi(90000)], @() [4000 + randi(9000), 4 * randi(90)], @() [randi(70), randi(40), 4 * randi(300)], ...
            @() [randi(3e5), 4 * randi(4)], @() [4 * (125 + randi(7e4)), 1 + randi(2)]};
  for k = 1:rounds
    x = randn (shapes{mod (k, numel (shapes)) + 1} (), {"double", "single"}{randi(2)});
    if (rand () < 0.2)
      x(randi (numel (x), 1, 3)) = [NaN, Inf, -Inf];
    endif
    all = gpuArray (x, "devices", "all");
    f = functions{randi(numel (functions))};
    tally (same_bits (gather (f (all, {})), f (x, {"device", "cpu"})), "between GPUs: %s of %s %s", func2str (f), mat2str (size (x)), class (x));
  endfor
  clear all
  tally (held () == began, "between GPUs: %d allocations left", held () - began);
endfunction

## The last GPU is full.
function one_without_memory (count)
  full = fill_gpu (count);
  began = held ();
  try
    g = gpuArray (rand (1, 3e7), "devices", "all");
    tally (false, "a full GPU: no error");
  catch err
    tally (strcmp (err.identifier, "gpureduce:out-of-memory") && ! isempty (strfind (err.message, sprintf ("GPU %d", count))), "a full GPU: %s", err.message);
  end_try_catch
  tally (held () == began, "a full GPU: %d allocations left", held () - began);
  clear full
  gpu_config ("trim");
  gpuDevice (1);
endfunction

function reset_of_one (count)
  g = gpuArray (rand (3, 3e6), "devices", "all");
  h = gpuArray (1:1000);                # on the first
  gpuDevice (count);
  reset (gpuDevice ());
  tally (! existsOnGPU (g) && existsOnGPU (h) && sum (h) == 500500, "a reset of one GPU");
  clear g h
  x = rand (3, 3e5);
  tally (same_bits (gather (sum (gpuArray (x, "devices", "all"), 2)), gpu_sum (x, 2, "device", "cpu")), "after a reset");
  gpuDevice (1);
endfunction

count = gpuDeviceCount ();
if (count > 1)
  problems ();
  programs (here);
  expressions ();
  between_them (120);
  large (count);
  one_without_memory (count);
  reset_of_one (count);
  tally ();
else
  printf ("skipped: arrays over several GPUs: there is one\n0 passed, 0 failed, 1 skipped\n");
endif
