## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpu_cumsum and gpu_cumprod against cumsum and cumprod.

%!function both (rule, varargin)
%!  for_both ({@gpu_cumsum, @cumsum; @gpu_cumprod, @cumprod}, rule, varargin{:});
%!endfunction

## What does not change a sum (0) or a product (1).
%!function y = neutral (theirs)
%!  y = double (strcmp (func2str (theirs), "cumprod"));
%!endfunction

%!function same (ours, theirs, varargin)
%!  y0 = theirs (varargin{:});
%!  y = ours (varargin{:});
%!  assert (class (y), class (y0));
%!  assert (y, y0, 100 * numel (y0) * eps (class (y0)));
%!  assert (gather (ours (gpuArray (varargin{1}), varargin{2:end})), y);
%!endfunction

%!function bits_agree (ours, theirs, varargin)
%!  y0 = theirs (varargin{:});
%!  y = ours (varargin{:}, "device", "cpu");
%!  assert (num2hex (real (y)(:)), num2hex (real (y0)(:)));
%!  assert (num2hex (imag (y)(:)), num2hex (imag (y0)(:)));
%!endfunction

## Numbers whose products stay near 1.
%!function x = values (theirs, n, spread)
%!  x = 1 + cos (n .^ 2) / spread ^ neutral (theirs);
%!endfunction

%!test                                   # up_to_256_rows_the_bits_of_the_built_in
%! for n = [1 2 31 255 256]
%!   x = cos ((1:n) .^ 2);
%!   for y = {x, x', single(x), complex(x, fliplr (x)), single(complex (x, 2 * x)), -0 * x, [x; 2 * x; -x], [x; -x]'}
%!     both (@bits_agree, y{1});
%!     for dim = 1:3
%!       both (@bits_agree, y{1}, dim);
%!     endfor
%!   endfor
%! endfor
%!function several_segments (ours, theirs)
%!  for n = [257 1000 5000 70000]
%!    x = values (theirs, (1:n)', n);
%!    same (ours, theirs, x);
%!    same (ours, theirs, x');
%!    same (ours, theirs, single (x));
%!    same (ours, theirs, complex (x, 1 ./ (1:n)' .^ 2));
%!  endfor
%!  x = values (theirs, reshape (1:60000, 300, 4, 50), 300);
%!  for dim = 1:4
%!    same (ours, theirs, x, dim);
%!  endfor
%!  same (ours, theirs, x(:,:), 2);
%!endfunction
%!test both (@several_segments)            # beyond_its_values
%!test                                   # sums_of_numbers_that_are_not_negative_never_fall
%! x = exp (20 * rand (70000, 3) - 10);
%! for y = {x, single(x), x'}
%!   for d = 1:2
%!     assert (all (all (diff (gpu_cumsum (y{1}, d), 1, d) >= 0)));
%!   endfor
%! endfor
%!function where_finite (ours, theirs, x, dim)
%!  y0 = theirs (x, dim);
%!  for y = {ours(x, dim, "device", "cpu"), gather(ours (gpuArray (x), dim))}
%!    assert (isnan (y{1}), isnan (y0));
%!    assert (isna (y{1}), isna (y0));
%!    ends = isinf (y0);
%!    assert (y{1}(ends), y0(ends));
%!    good = isfinite (y0);
%!    assert (y{1}(good), y0(good), -1e5 * eps (class (x)));
%!  endfor
%!endfunction
%!test                                   # infinities_nan_and_na_of_long_columns
%! for odd = {Inf, [-Inf 3 Inf], NaN, [NA NaN], [NaN NA], [0 -0], [Inf 0]}
%!   x = 1 + rand (20000, 1) / 1e4;
%!   x(round (linspace (300, 15000, numel (odd{1})))) = odd{1};
%!   for y = {x, single(x), [x, flipud(x)]}
%!     both (@where_finite, y{1}, 1);
%!     both (@where_finite, y{1}', 2);
%!   endfor
%! endfor
%!test                                   # what_overflows_or_underflows_has_the_bits_of_the_built_in
%! up = realmax / 3000 * (2 + cos (1:9000)');
%! y = {up, [up; -up], [0.5 * up, up]};
%! for k = 1:3
%!   bits_agree (@gpu_cumsum, @cumsum, y{k});
%!   assert (gather (gpu_cumsum (gpuArray (y{k}))), cumsum (y{k}));
%! endfor
%! for x = {rand(9000, 2), 0.9 + rand(9000, 2), single(rand (3000, 1)), 4 * rand(2, 9000)', ...
%!           0.5 + rand(20000, 1), single([0.5 + rand(4000, 1); 0.4; -ones(300, 1)]), [0.6 * ones(2000, 2); NA, -0; -1, Inf; 5, 5]}
%!   bits_agree (@gpu_cumprod, @cumprod, x{1});
%!   assert (gather (gpu_cumprod (gpuArray (x{1}))), cumprod (x{1}));
%! endfor
%!test                                   # other_classes_are_taken_as_double
%! x = reshape (mod ((1:24) * 7, 5) - 1, 2, 3, 4);
%! for type = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   for dim = 1:4
%!     both (@bits_agree, cast (x, type{1}), dim);
%!   endfor
%! endfor
%!function as_the_built_in (ours, theirs, x)
%!  y = ours (x);
%!  assert (y, theirs (x));
%!  assert (isna (y), isna (theirs (x)));
%!endfunction
%!test                                   # empty_arrays_nan_na_and_infinities
%! for x = {[], zeros(0, 3), zeros(3, 0), zeros(2, 0, 3), 5, [NaN 1], [1 Inf -Inf 2], [NA 1], [1 NA NaN], [1 NaN NA]}
%!   both (@as_the_built_in, x{1});
%! endfor
%!test                                   # omitnan_takes_nan_as_the_neutral_element
%! both (@(ours, theirs) assert (ours ([2 NaN 3], "omitnan"), theirs ([2 neutral(theirs) 3])));
%! both (@(ours, theirs) assert (ours ([2; NaN; 3], 1, "OmitNaN"), theirs ([2; neutral(theirs); 3])));
%! both (@(ours, theirs) assert (ours ([2 NaN 3], "includenan"), theirs ([2 NaN 3])));
%! both (@(ours, theirs) assert (gather (ours (gpuArray ([2 NaN 3]), "omitnan")), theirs ([2 neutral(theirs) 3])));
%!test                                   # numbers_that_are_real_without_nan_become_real
%! x = [1, complex(NaN, 2), 3];
%! both (@(ours, theirs) assert (ours (x, "omitnan"), theirs ([1 neutral(theirs) 3])));
%! both (@(ours, theirs) assert (gather (ours (gpuArray (x), "omitnan")), theirs ([1 neutral(theirs) 3])));
%!test                                   # gpuarrays_sparse_arrays_and_devices
%! both (@(ours, theirs) assert (isgpuarray (ours (gpuArray (magic (3))))));
%! both (@(ours, theirs) assert (isgpuarray (ours (gpuArray (5))), false));
%! both (@(ours, theirs) assert (issparse (ours (sparse ([1 0 2])))));
%! both (@(ours, theirs) assert (ours (1:4, "device", "cpu"), theirs (1:4)));
%! both (@(ours, theirs) assert (ours (1:4, int8 (2), "DEVICE", "auto"), theirs (1:4)));
%!function threads_agree (ours, ~)
%!  long = cos ((1:100000)' .^ 2) * [1 2 3];
%!  wide = 1 + cos (reshape (1:420000, 600, 700) .^ 2) / 2;        # 600 columns, side by side or in bands
%!  odd = wide;
%!  odd(1:9973:end) = NaN;
%!  odd(7:50021:end) = Inf;
%!  lost = wide;
%!  lost([3 500],[100 400 699]) = [0 1e300 1e300; 1e-300 1e-200 -Inf];
%!  old = gpu_config ("threads", 1);
%!  unwind_protect
%!    for x = {long, long', wide, single(wide), odd, single(odd), lost, wide(:,1:200), complex(wide, odd)}
%!      dim = 1 + (columns (x{1}) > 3);
%!      gpu_config ("threads", 1);
%!      y = ours (x{1}, dim, "device", "cpu");
%!      for threads = [2 3 8]
%!        gpu_config ("threads", threads);
%!        assert (same_bits (ours (x{1}, dim, "device", "cpu"), y));
%!      endfor
%!    endfor
%!  unwind_protect_cleanup
%!    gpu_config ("threads", old);
%!  end_unwind_protect
%!endfunction
%!test both (@threads_agree)    # the_same_bits_with_any_number_of_threads
%!test                                   # errors_are_the_built_ins
%! fails = @(ours, theirs, expected, varargin) raises (expected, ours, varargin{:});
%! both (fails, "Invalid call to GPU_F");
%! both (fails, "Octave:invalid-fun-call", 1, 2, 3, 4);
%! both (fails, "Octave:invalid-fun-call", "device", "cpu");
%! both (@as_builtin, 1:3, -1);
%! both (@as_builtin, {1});
%! if (__gpr_rule__ ("sum_options"))
%!   both (@as_builtin, "ab", "omitnan");
%! else
%!   both (fails, "gpureduce:invalid-input", "ab", "omitnan");
%! endif
%! both (fails, "gpureduce:invalid-input", 1:3, "omitnan", "includenan");
%! both (fails, "gpureduce:invalid-input", 1:3, "device", "toaster");
%! both (fails, "GPU_F: device", 1:3, "device", "toaster");
%! both (fails, "gpureduce:no-device", 1:3, "device", 1000);
%!test                                   # complex_products_of_what_is_not_finite
%! v = [0 -0 1 -1 NaN Inf -Inf 2 0.3];
%! for k = 1:200
%!   z = complex (v(randi (9, randi (6), 3)), v(randi (9)));
%!   for x = {z, single(z)}
%!     for dim = 1:2
%!       assert (gpu_cumprod (x{1}, dim), cumprod (x{1}, dim));
%!       assert (gather (gpu_cumprod (gpuArray (x{1}), dim)), cumprod (x{1}, dim));
%!     endfor
%!   endfor
%! endfor

%!test                                  # products_that_are_0_by_a_factor_are_the_built_ins
%! seed = floor (now () * 1e5);
%! if (! isempty (getenv ("SCAN_SEED")))
%!   seed = str2double (getenv ("SCAN_SEED"));
%! endif
%! printf ("seed %d (SCAN_SEED sets it)\n", seed);
%! rand ("twister", seed);
%! for k = 1:60
%!   sz = {[20000 1], [7000 3], [2000 40], [3 5000], [300 7 20], [40 600 2], [9 4000 3], [600 1100]}{randi (8)};
%!   few = 10 ^ -randi (5);
%!   x = sign (rand (sz) - 0.5) .* 2 .^ ((rand (sz) < 0.02) - (rand (sz) < 0.02));          # exact in any order, unless it leaves the range
%!   x(rand (sz) < few) = 0;
%!   if (mod (k, 3) == 0)
%!     x(rand (sz) < few) = [2^-600, 2^-1060, Inf, NaN, 2^600, 0](randi (6));
%!   endif
%!   if (mod (k, 2))
%!     x = single (x);
%!   endif
%!   dim = randi (ndims (x));
%!   if (mod (k, 3) == 1)                # two that a column has in one segment leave the range there, and not in order
%!     at = repmat ({":"}, 1, ndims (x));
%!     at{dim} = 1;
%!     x(at{:}) = 2 ^ round (0.5 * log2 (realmax (class (x))));
%!     at{dim} = min (size (x, dim), 290:291);
%!     x(at{:}) *= 2 ^ round (0.6 * log2 (realmin (class (x))));
%!   endif
%!   want = cumprod (x, dim);
%!   found = gpu_cumprod (x, dim);
%!   assert (found, want);
%!   assert (1 ./ found, 1 ./ want);     # signs of 0
%! endfor
%!test                                   # products_of_an_outer_are_the_builtins_if_one_leaves_the_range_and_else_those_of_tiles
%! for type = {"double", "single"}
%!   leaves = randn (40, 3000);
%!   stays = 1 + 1e-3 * randn (40, 3000);
%!   seems = stays;                                             # to leave, by its first rows
%!   seems(:,1:90) *= 0.5;
%!   special = leaves;
%!   special([3 7],[50 60]) = [0 1; 1 NaN];
%!   ends = 1e-3 * leaves;                                      # all within the first rows
%!   x = cast (cat (3, leaves, stays, seems, special, ends), type{1});
%!   y = gpu_cumprod (x, 2);
%!   for k = [1 4 5]
%!     assert (y(:,:,k), cumprod (x(:,:,k), 2));
%!   endfor
%!   for k = [2 3]
%!     assert (y(:,:,k), gather (cumprod (gpuArray (x(:,:,k)) * 1, 2)));         # an expression's are not walked first
%!     assert (any ((y(:,:,k) != cumprod (x(:,:,k), 2))(:)));
%!   endfor
%! endfor
%!test                                   # integers_and_logicals_are_summed_and_multiplied_as_doubles
%! for type = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   for sz = {[1 9000], [7 2000], [300 400], [5 300 30]}
%!     x = cast (randi ([-2 2], sz{1}), type{1});                # whose products are exact
%!     ones_first = ones (sz{1});                                # products that stay for a while, and then are 0
%!     ones_first(rand (sz{1}) < 1e-2) = -1;
%!     ones_first(rand (sz{1}) < 1e-3) = 0;
%!     for y = {x, max(x, 1), cast(ones_first, type{1})}
%!       for dim = 1:ndims (x)
%!         if (size (x, dim) > 1)
%!           assert (gpu_cumsum (y{1}, dim), cumsum (y{1}, dim));
%!           want = cumprod (y{1}, dim);
%!           found = gpu_cumprod (y{1}, dim);
%!           assert (found, want);
%!           assert (1 ./ found, 1 ./ want);                      # signs of 0
%!         endif
%!       endfor
%!     endfor
%!   endfor
%! endfor
%!test                                   # a_factor_that_is_not_finite_is_seen_behind_one_that_is_0_and_before
%! for n = [300 7000 300000]
%!   for special = [Inf -Inf NaN NA]
%!     x = [-1; -1; 1; 1] .* [1.5; 0.75; 1; 1] .^ cos (1:n);
%!     x(1:3,200) = 0;
%!     x(1,round (0.9 * n)) = special;
%!     x(2,250) = special;
%!     x(4,5) = special;
%!     x(4,n-50) = 0;
%!     for y = {x, x([1 3],:), x(1,:), x(2,:)', x(3,:), x(4,:)}
%!       dim = 1 + (rows (y{1}) < n);
%!       assert (gpu_cumprod (y{1}, dim), cumprod (y{1}, dim), 1e-9);
%!     endfor
%!   endfor
%! endfor
%!test                                   # what_few_columns_lose_within_a_segment_is_seen
%! for n = 2:9
%!   x = ones (n, 3000);
%!   x(2,1) = -0.9 * realmax;
%!   x(2,1000:1001) = 0.75 * realmax;
%!   assert (gpu_cumsum (x, 2), cumsum (x, 2));
%!   for by = [600 -600]
%!     x(2,1) = 2 ^ (-1.5 * by);
%!     x(2,1000:1001) = 2 ^ by;
%!     assert (gpu_cumprod (x, 2), cumprod (x, 2));
%!   endfor
%! endfor
%!test                                   # behind_products_that_are_0_only_signs_change
%! for n = [2 3 7 8 40 300]
%!   for type = {"double", "single"}
%!     x = 1 + 1e-4 * randn (n, 9000);
%!     x(:,10) = 0;
%!     at = [10 11 70 74 75 138 139 2000 4095 4096 4097 8999 9000];     # before, in and behind rows whose signs are looked at together
%!     for k = at(1:randi (2):end)
%!       x(randi (n, 1, randi (3)),k) *= -1;
%!     endfor
%!     x(1,5000) = -0;
%!     for y = {cast(x, type{1}), cast(x(1,:), type{1}), cast(x(2,:)', type{1})}
%!       dim = 1 + (rows (y{1}) < 9000);
%!       want = cumprod (y{1}, dim);
%!       found = gpu_cumprod (y{1}, dim);
%!       assert (found, want, -1e-5);
%!       assert (1 ./ found(found == 0), 1 ./ want(want == 0));
%!     endfor
%!   endfor
%! endfor
