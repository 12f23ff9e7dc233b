## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## One answer: the same bits for every number of threads, run and place.

## class, size and every bit
%!function s = bits (x)
%!  s = {class(x), size(x), x};
%!  if (isfloat (x))
%!    kind = {"uint32", "uint64"}{1 + isa(x, "double")};
%!    s{3} = [typecast(real (x)(:), kind); typecast(imag (x)(:), kind)];
%!  endif
%!endfunction

## Every operator on one array along one dimension.
%!function results = all_results (x, d, varargin)
%!  results = {};
%!  for f = {@gpu_sum, @gpu_prod, @gpu_sumsq, @gpu_mean, @gpu_any, @gpu_all}
%!    results{end+1} = bits (gather (f{1} (x, d, varargin{:})));
%!  endfor
%!  for f = {@gpu_max, @gpu_min}
%!    [m, i] = f{1} (x, [], d, varargin{:});
%!    results{end+1} = {bits(gather (m)), gather(i)};
%!  endfor
%!  results{end+1} = bits (gather (gpu_sum (x, d, "native", varargin{:})));
%!  results{end+1} = bits (gather (gpu_sum (x, d, "extra", varargin{:})));
%!  results{end+1} = bits (gather (gpu_sum (x, d, "exact", varargin{:})));
%!  if (isfloat (x))
%!    results{end+1} = bits (gather (gpu_dot (x, x, d, "exact", varargin{:})));
%!  endif
%!endfunction

%!function list = arrays ()
%!  list = {rand(1, 100001), rand(257, 531) - 0.5, rand(3, 70, 300), single(randn (70003, 1)), ...
%!          single(rand (1500, 60)), complex(rand (1, 40001), randn (1, 40001)), ...
%!          complex(single (randn (77, 800)), single (rand (77, 800))), int32(1e9 * randn (1, 70003)), ...
%!          uint8(255 * rand (300, 500)), int64(9e18 * (rand (50, 1000) - 0.5)), rand(1, 150000) > 0.5};
%!endfunction

%!test # any_number_of_threads
%! old = gpu_config ("threads");
%! unwind_protect
%!   for x = arrays ()
%!     for d = 1:ndims (x{1})
%!       gpu_config ("threads", 1);
%!       want = all_results (x{1}, d, "device", "cpu");
%!       for threads = [2 3 7]
%!         gpu_config ("threads", threads);
%!         assert (isequal (all_results (x{1}, d, "device", "cpu"), want));
%!       endfor
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   gpu_config ("threads", old);
%! end_unwind_protect

%!test # resident_or_not
%! for x = arrays ()
%!   g = gpuArray (x{1});
%!   for d = 1:ndims (x{1})
%!     same = cellfun (@isequal, all_results (g, d), all_results (x{1}, d));
%!     assert (all (same), "%s of %s along %d: results %s", class (x{1}), mat2str (size (x{1})), d, mat2str (find (! same)));
%!   endfor
%!   clear g
%! endfor

%!test # once_more_is_the_same
%! x = randn (1, 1e6);
%! first = bits (gpu_sum (x));
%! for k = 1:20
%!   assert (bits (gpu_sum (x)), first);
%! endfor

%!test # a_range_is_its_elements
%! for r = {0:0.1:5000, 1e5:-0.3:0, -0:3}
%!   full_ones = r{1} + zeros (size (r{1}));
%!   assert (bits (gpu_sum (r{1})), bits (gpu_sum (full_ones)));
%!   assert (bits (gpu_sumsq (r{1})), bits (gpu_sumsq (full_ones)));
%! endfor

%!test # together_is_as_one_dimension
%! x = randn (30, 40, 50);
%! assert (bits (gpu_sum (x, [1 2])), bits (reshape (gpu_sum (reshape (x, 1200, 50)), 1, 1, 50)));
%! assert (bits (gpu_sum (x, "all")), bits (gpu_sum (x(:))));

## What is computed again says NaN as the device does: processors set its sign.
%!test # a_product_that_is_no_number_is_one_NaN
%! for x = {[255 * ones(4000, 3, "uint8"); zeros(1, 3)], [1e300 * ones(4000, 3); zeros(1, 3)]}
%!   y = gpu_prod (x{1}, 1);
%!   assert (bits (y), bits (NaN (1, 3)));
%!   assert (bits (gather (gpu_prod (gpuArray (x{1}), 1))), bits (y));
%! endfor

%!test # products_that_leave_the_range_are_the_built_ins_among_neighbours_that_stay_in_it
%! for inner = [3 70 200]
%!   for case_ = {"double", 1; "single", 1; "double", 3; "single", -3}'
%!     x = cast (case_{2} + sin ((1:inner)' .^ 2 * (1:2500)), case_{1});      # to 0; to Inf or -Inf
%!     x = cat (3, x, flipud (x));
%!     stay = mod (1:inner, 5) == 2;
%!     x(stay,:,:) = 1;
%!     x(! stay & mod (1:inner, 7) == 4,2200,1) *= -1;      # after the range was left
%!     if (case_{2} == 1)
%!       x(! stay & mod (1:inner, 4) == 3,2300,1) = -0;
%!     endif
%!     omitted = prod (x, 2);
%!     x(mod (1:inner, 9) == 6,2300,2) = NaN;
%!     y = prod (x, 2);
%!     for z = {gpu_prod(x, 2), gather(gpu_prod (gpuArray (x), 2))}
%!       assert (z{1}, y);
%!       assert (1 ./ z{1}, 1 ./ y);
%!     endfor
%!     assert (gpu_prod (x, 2, "omitnan")(:,:,1), omitted(:,:,1));
%!     assert (any (y(:) == 0 | isinf (y(:))) && all (y(stay,1,1) == 1));
%!   endfor
%! endfor

%!test # a_product_that_the_tree_finds_0_is_0_beside_others_in_doubt
%! x = 255 * ones (140, 2, "uint8");
%! x(135,1) = 0;               # in the built-in's order it comes after an overflow
%! assert (gpu_prod (x), [0, Inf]);
%! assert (gather (gpu_prod (gpuArray (x))), [0, Inf]);
