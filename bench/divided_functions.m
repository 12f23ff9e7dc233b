## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/divided_functions.m: what the GPUs of an array exchange (tools/octave bench/divided_functions.m, with several): functions along the divided
## dimension and of shapes that are awkward to divide, of an array on one GPU and of the same array over all.  Milliseconds by the clock of the
## script, medians of five calls after two that are not timed; results are compared first, to the last bit.  Prints a Markdown table.

1;

## A result is computed when it is wanted, so one element of it is.
function ms = milliseconds (f, g)
  t = zeros (1, 7);
  for k = 1:numel (t)
    __gpureduce__ ("synchronize");
    id = tic ();
    z = f (g);
    gather (z(1));
    __gpureduce__ ("synchronize");
    t(k) = 1e3 * toc (id);
    clear z
  endfor
  ms = median (t(3:end));
endfunction

## functions: a name and a function of the array, and so forth.
function compare (array, x, functions)
  one = gpuArray (x);
  all = gpuArray (x, "devices", "all");
  for k = 1:2:numel (functions)
    f = functions{k+1};
    try
      a = gather (f (one));
      b = gather (f (all));
      if (! strcmp (class (a), class (b)) || ! isequaln (a, b))
        error ("bench/divided_functions.m: the results differ");
      endif
      clear a b
      printf ("| %s | %s | %.3f | %.3f |\n", array, functions{k}, milliseconds (f, one), milliseconds (f, all));
    catch err
      printf ("| %s | %s | %s | |\n", array, functions{k}, err.message);
    end_try_catch
    fflush (stdout);
  endfor
  clear one all
  gpu_config ("trim");
endfunction

count = gpuDeviceCount ();
if (count < 2)
  error ("bench/divided_functions.m needs several GPUs; there are %d", count);
endif
printf ("%s\n\n| array | function | 1 GPU, ms | %d GPUs, ms |\n|---|---|---|---|\n", gpuDevice (1).Name, count);
cumulative = {"cumsum (g, 2)", @(g) cumsum (g, 2), "cumprod (g, 2)", @(g) cumprod (g, 2), "cumsum (g, 1)", @(g) cumsum (g, 1), "cummax (g, 2)", @(g) cummax (g, 2)};
compare ("5e4 x 4e3 single", rand (5e4, 4e3, "single") - 0.5, cumulative);
compare ("2^20 x 128 double", rand (2^20, 128) - 0.5, cumulative);
compare ("1000 x 134217 double", rand (1000, 134217) - 0.5, cumulative);
compare ("7 x 19173961 double", rand (7, 19173961) - 0.5, cumulative);
products = {"prod (g, 2)", @(g) prod (g, 2)};          # these leave the range
compare ("5e4 x 4e3 single", 9 * rand (5e4, 4e3, "single"), products);
compare ("1e5 x 1000 double", 9 * randn (1e5, 1000), products);
exact = {'gpu_sum (g, 2, "exact")', @(g) gpu_sum (g, 2, "exact"), 'gpu_dot (g, g, 2, "exact")', @(g) gpu_dot (g, g, 2, "exact")};
compare ("1e5 x 1500 double", randn (1e5, 1500), exact);
compare ("5e5 x 400 single", randn (5e5, 400, "single"), exact);
sorted = {"median (g, 2)", @(g) median (g, 2), "mode (g, 2)", @(g) mode (g, 2), "gpu_quantile (g, 0.3, 2)", @(g) gpu_quantile (g, 0.3, 2), ...
          "gpu_mad (g, 1, 2)", @(g) gpu_mad (g, 1, 2), "gpu_maxk (g, 9, 2)", @(g) gpu_maxk (g, 9, 2), "sort (g, 2)", @(g) sort (g, 2)};
compare ("7 x 1e5 double", round (99 * randn (7, 1e5)), sorted);
compare ("5e4 x 2e3 single", round (99 * randn (5e4, 2e3, "single")), sorted);
compare ("3 x 3e7 double", round (99 * randn (3, 3e7)), sorted(1:2));
compare ("1000 x 2 double", randn (1000, 2), sorted(1:4));
folds = {"sum (g, 3)", @(g) sum (g, 3), "mean (g, 3)", @(g) mean (g, 3), "var (g, 0, 3)", @(g) var (g, 0, 3), "max (g, [], 3)", @(g) max (g, [], 3), ...
         "gpu_argmax (g, [], 3)", @(g) gpu_argmax (g, [], 3), "median (g, 3)", @(g) median (g, 3)};
compare ("300 x 1000 x 400 single", rand (300, 1000, 400, "single"), folds);
compare ("300 x 1000 x 400 double", rand (300, 1000, 400), folds);
compare ("3333 x 30000 double", rand (3333, 30000), {"sum (reshape (g, 3e4, []), 2)", @(g) sum (reshape (g, 3e4, []), 2), ...
         "cumsum (reshape (g, 3e4, []), 2)", @(g) cumsum (reshape (g, 3e4, []), 2), "reshape (g, 3e4, []) + 1", @(g) reshape (g, 3e4, []) + 1});
