## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpu_histc and gpu_hist against histc and hist on random arrays.  The seed is
## printed; GPUREDUCE_SEED sets it.

%!shared seed, numeric
%! seed = str2double (getenv ("GPUREDUCE_SEED"));
%! if (isnan (seed))
%!   seed = floor (mod (now () * 86400, 1e6));
%! endif
%! printf ("seed %d (histograms)\n", seed);
%! rand ("seed", seed);
%! numeric = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"};

## One of the cells of c.
%!function x = pick (c)
%!  x = c{ceil (rand () * numel (c))};
%!endfunction

## Random values of a class; on: on a grid of halves, so that they meet edges.
%!function x = values (type, sz, on)
%!  x = 40 * rand (sz) - 10;
%!  if (on)
%!    x = round (2 * x) / 2;
%!  endif
%!  if (any (strcmp (type, {"double", "single"})) && rand () < 0.5)
%!    odd = [NaN, NA, Inf, -Inf, -0, 0];
%!    at = rand (sz) < 0.1;
%!    x(at) = odd(ceil (rand (1, nnz (at)) * numel (odd)));
%!  endif
%!  x = feval (type, x);
%!endfunction

## Random edges or centers: sorted; even, uneven, some equal, with infinities.
%!function e = edges_or_centers (n, on)
%!  switch (ceil (4 * rand ()))
%!    case 1
%!      e = -10 + 40 * (0:n-1) / n;
%!    case 2
%!      e = sort (40 * rand (1, n) - 10);
%!    case 3
%!      e = sort (round (40 * rand (1, n)) / 2);
%!    case 4
%!      e = (1:n) / 2 - 3;
%!  endswitch
%!  if (on)
%!    e = round (2 * e) / 2;
%!  endif
%!endfunction

%!function sz = sizes ()
%!  n = @() floor (rand () * 12);
%!  sz = pick ({[1 1], [1 60], [60 1], [300 1], [n() n()], [n() n() n()], [1 n() n()], [40 3], [3 40], [2 1 5 3]});
%!endfunction

%!function agree (seed, ours, theirs, varargin)
%!  mine = wanted = cell (1, 2);
%!  [mine{:}] = ours (varargin{:});
%!  [wanted{:}] = theirs (varargin{:});
%!  if (! isequaln (mine, wanted) || ! strcmp (class (mine{1}), class (wanted{1}))
%!      || ! strcmp (class (mine{2}), class (wanted{2})))
%!    error ("seed %d: %s differs for %s", seed, func2str (ours), disp (varargin));
%!  endif
%!endfunction

## histc_any_class_shape_and_dimension
%!test
%! for trial = 1:300
%!   on = rand () < 0.5;
%!   x = values (pick (numeric), sizes (), on);
%!   edges = edges_or_centers (4 + floor (rand () ^ 3 * 100), on);
%!   agree (seed, @gpu_histc, @histc, x, edges);
%!   dim = ceil (rand () * ndims (x));
%!   if (! isvector (x) || size (x, dim) != 1)
%!     agree (seed, @gpu_histc, @histc, x, edges, dim);
%!   endif
%! endfor

## histc_few_edges
%!test
%! for trial = 1:150
%!   on = rand () < 0.7;
%!   x = values (pick ([numeric, {"logical"}]), sizes ()(1:2), on);
%!   edges = edges_or_centers (ceil (rand () * 3), on);
%!   agree (seed, @gpu_histc, @histc, x, edges);
%!   agree (seed, @gpu_histc, @histc, x, edges, ceil (rand () * 2));
%! endfor

## histc_nan_and_infinite_edges
%!test
%! for trial = 1:150
%!   edges = edges_or_centers (ceil (rand () * 8), true);
%!   odd = [-Inf, Inf, NaN];
%!   at = rand (size (edges)) < 0.3;
%!   edges(at) = odd(ceil (rand (1, nnz (at)) * 3));
%!   agree (seed, @gpu_histc, @histc, values ("double", [50 1], true), sort (edges));
%! endfor

## histc_single_with_double_compares_in_single
%!test
%! for trial = 1:150
%!   n = ceil (rand () * 30);
%!   x = ceil (rand (1, 200) * 50) / 10;
%!   edges = sort (ceil (rand (1, n) * 50) / 10);
%!   agree (seed, @gpu_histc, @histc, x, single (edges));
%!   agree (seed, @gpu_histc, @histc, single (x), edges);
%!   agree (seed, @gpu_histc, @histc, x .* (1 + eps), single (edges));
%!   agree (seed, @gpu_histc, @histc, int8 (x), single (edges));
%! endfor

## histc_edges_of_any_spacing_met_exactly
%!test
%! for trial = 1:60
%!   edges = sort (10 .^ (600 * rand (1, 30) - 300) .* sign (rand (1, 30) - 0.5));
%!   x = edges(ceil (rand (1, 300) * 30));
%!   x = [x, x .* (1 + eps), x .* (1 - eps)];
%!   agree (seed, @gpu_histc, @histc, x, edges);
%! endfor

## hist_any_number_of_bins
%!test
%! for trial = 1:300
%!   y = values (pick (numeric), sizes ()(1:2), rand () < 0.5);
%!   if (any (isfinite (y(:))))
%!     agree (seed, @gpu_hist, @hist, y);
%!     agree (seed, @gpu_hist, @hist, y, ceil (rand () ^ 2 * 100));
%!   endif
%! endfor

## hist_any_centers
%!test
%! for trial = 1:300
%!   on = rand () < 0.5;
%!   y = values (pick (numeric), sizes ()(1:2), on);
%!   x = edges_or_centers (2 + floor (rand () * 40), on);
%!   agree (seed, @gpu_hist, @hist, y, x);
%!   agree (seed, @gpu_hist, @hist, y, single (x));
%! endfor

## hist_centers_that_are_ranges
%!test
%! for trial = 1:100
%!   step = ceil (rand () * 20) / 10;
%!   y = ceil (rand (1, 200) * 100) / 20;
%!   agree (seed, @gpu_hist, @hist, y, 0:step:step*(1 + floor (rand () * 60)) + step / 2);
%!   agree (seed, @gpu_hist, @hist, single (y), 0:step:step*(1 + floor (rand () * 60)) + step / 2);
%! endfor

## hist_values_on_the_cuts_of_even_bins
%!test
%! for trial = 1:100
%!   n = 2 + floor (rand () * 60);
%!   [~, x] = hist (rand (1, 20), n);
%!   y = [(x(1:end-1) + x(2:end)) / 2, x];
%!   agree (seed, @gpu_hist, @hist, y, n);
%!   agree (seed, @gpu_hist, @hist, y, x);
%!   agree (seed, @gpu_hist, @hist, single (y), x);
%!   agree (seed, @gpu_hist, @hist, single (y), n);
%! endfor

## hist_norm
%!test
%! for trial = 1:60
%!   y = rand (20, 3);
%!   y(rand (20, 3) < 0.1) = NaN;
%!   agree (seed, @gpu_hist, @hist, y, ceil (rand () * 30), ceil (rand (1, 3) * 9));
%!   agree (seed, @gpu_hist, @hist, y(:,1), ceil (rand () * 30), rand ());
%! endfor

## long_arrays_by_several_threads
%!test
%! x = rand (200001, 1);
%! agree (seed, @gpu_histc, @histc, x, 0:0.01:1);
%! agree (seed, @gpu_histc, @histc, reshape (x(1:200000), 8, 250, 100), sort (rand (1, 40)), 2);
%! agree (seed, @gpu_histc, @histc, reshape (x(1:200000), 200, []), sort (rand (1, 40)), 2);
%! agree (seed, @gpu_hist, @hist, x, 1000);
%! agree (seed, @gpu_hist, @hist, reshape (x(1:200000), 1000, []), sort (rand (1, 50)));
%! agree (seed, @gpu_hist, @hist, uint8 (255 * x), 0:255);

## hist_with_a_norm_of_any_class
%!test
%! y = [1 2 2 3 7; 2 4 NaN 1 1; 9 9 9 9 1]';
%! for norm = {1, 0.3, int8(30), uint16([1 2 3]), single([1; 2; 3]), 2i, complex(1, [2 3 4])}
%!   agree (seed, @gpu_hist, @hist, y, 4, norm{1});
%!   assert (gather (gpu_hist (gpuArray (y), 4, norm{1})), hist (y, 4, norm{1}));
%! endfor

## what_counts_of_a_gpuarray_are_also_lies_there
%!test
%! for trial = 1:40
%!   x = values (pick (numeric), sizes ()(1:2), true);
%!   edges = sort (40 * rand (1, 1 + ceil (rand () * 20)) - 10);
%!   f = pick ({@(x) gpu_histc(x, edges), @(x) gpu_hist(x, edges), @(x) gpu_histcounts(x, edges), ...
%!              @(x) gpu_histcounts(x, edges, "Normalization", "cdf"), @(x) gpu_histcounts2(x, x, edges, edges)});
%!   want = f (x);
%!   n = f (gpuArray (x));
%!   assert (isgpuarray (n), numel (n) != 1);
%!   assert (gather (n), want);
%! endfor

## a_name_is_looked_for_only_among_the_options
%!test
%! x = [1 2 2 4];
%! assert (gpu_histcounts (x, "numbins", 2, "NUMBINS", 3), gpu_histcounts (x, 3));
%! assert (gpu_histcounts (x, 3, "device", "cpu", "device", "auto"), gpu_histcounts (x, 3));
%! assert (gpu_hist (-0.5, 2), hist (-0.5, 2));         # as a handle of axes may be, but is none
