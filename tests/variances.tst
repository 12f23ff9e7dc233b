## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpu_var and gpu_std against var and std.

%!function both (rule, varargin)
%!  for_both ({@gpu_var, @var; @gpu_std, @std}, rule, varargin{:});
%!endfunction

%!function same (ours, theirs, varargin)
%!  y = gather (ours (varargin{:}));
%!  args = cellfun (@gather, varargin, "uniformoutput", false);
%!  if ((isinteger (args{1}) && ! __gpr_rule__ ("var_integers")) || (islogical (args{1}) && ! __gpr_rule__ ("var_logical")))
%!    error ("%s has an answer where the built-in has none", func2str (ours));
%!  elseif (isinteger (args{1}) && __gpr_rule__ ("var_saturates"))
%!    args{1} = double (args{1});
%!  endif
%!  y0 = theirs (args{:});
%!  assert (size (y), size (y0));
%!  assert (class (y), class (y0));
%!  assert (isnan (y), isnan (y0));
%!  y(isnan (y)) = y0(isnan (y0)) = NaN;        # of NA any is NA here
%!  scale = max (abs (double (args{1}(:))));
%!  assert (double (y), double (y0), 100 * eps (class (y0)) * max ([1, scale, scale ^ 2]));
%!endfunction

%!test                                   # any_class_and_dimension
%! x = reshape (mod ((1:120) * 37, 23) - 7, 4, 5, 6);
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   y = cast (x, type{1});
%!   if ((isinteger (y) && ! __gpr_rule__ ("var_integers")) || (islogical (y) && ! __gpr_rule__ ("var_logical")))
%!     both (@as_builtin, y);
%!     both (@as_builtin, y, 0, [1 3]);
%!     continue;
%!   endif
%!   both (@same, y);
%!   for w = {0, 1, []}
%!     for dim = 1:4
%!       both (@same, y, w{1}, dim);
%!     endfor
%!   endfor
%!   for w = [0 1]
%!     both (@same, y, w, [1 3]);
%!     both (@same, y, w, [3 2]);
%!     both (@same, y, w, "all");
%!   endfor
%!   both (@(ours, theirs) assert (ours (y, [], "all"), ours (y, 0, "all")));
%! endfor
%!test                                   # any_length
%! for n = [1 2 3 7 8 9 100 1000 20000]
%!   x = cos ((1:n) .^ 2);
%!   both (@same, x);
%!   both (@same, x');
%!   both (@same, single (x), 1);
%!   both (@same, complex (x, sin (1:n)));
%! endfor
%! both (@(ours, theirs) assert (ours (cos (1:50000)), ours (cos (1:50000))));
%!test                                   # empty_arrays
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [1 3 0 2]}
%!   both (@same, zeros (s{1}));
%!   both (@same, zeros (s{1}, "single"), 1);
%!   for dim = 1:4
%!     both (@same, zeros (s{1}), [], dim);
%!   endfor
%! endfor
%!test                                   # a_nan_or_an_infinity_makes_the_result_nan
%! for x = {Inf, NaN, -Inf, [1 Inf 3], [1 NaN 3], [1 2 3; 3 Inf 5], [Inf 2 NaN], [NaN 2 Inf]', single([1 NaN]), complex(1, NaN)}
%!   both (@same, x{1});
%!   for dim = 1:3
%!     both (@same, x{1}, [], dim);
%!   endfor
%! endfor
%! both (@(ours, theirs) assert (ours ([3 NaN 5], "includenan"), NaN));
%!test                                   # omitnan_leaves_out_nan
%! both (@(ours, theirs) assert (ours ([3 NaN 5], "omitnan"), theirs ([3 5]), 4 * eps));
%! both (@(ours, theirs) assert (ours ([NaN NaN], "omitnan"), NaN));
%! both (@(ours, theirs) assert (ours ([NaN 4], 0, "omitnan"), 0));
%! both (@(ours, theirs) assert (ours ([3 NaN 5], 1, 2, "OmitNaN"), theirs ([3 5], 1), 4 * eps));
%!test                                   # a_large_mean_costs_no_digits
%! x = 1e9 + mod ((1:10000) * 7919, 1009) / 1000;
%! both (@(ours, theirs) assert (ours (x), theirs (x - 1e9), -1e-12));       # the built-in is off by 4e-9
%! x = [1e8, ones(1, 5000)];    # a first element far from all others
%! both (@(ours, theirs) assert (ours (x), theirs (x), -1e-12));
%!test                                   # gpuarrays_devices_and_sparse_arrays
%! x = magic (6);
%! both (@(ours, theirs) assert (isgpuarray (ours (gpuArray (x), 0, 2))));
%! both (@same, gpuArray (x), 0, 2);
%! both (@same, gpuArray (single (x)));
%! if (__gpr_rule__ ("var_integers"))
%!   both (@same, gpuArray (int16 (x)), 1, [1 2]);
%! endif
%! both (@(ours, theirs) assert (isgpuarray (ours (gpuArray (x), 0, "all")), false));
%! both (@(ours, theirs) assert (ours ([1 2 4], "device", "cpu"), theirs ([1 2 4]), 4 * eps));
%! both (@(ours, theirs) assert (ours ([1 2 4], 0, 2, "DEVICE", "auto"), theirs ([1 2 4]), 4 * eps));
%! both (@(ours, theirs) assert (full (ours (sparse (2 * eye (2)))), theirs (2 * eye (2)), 4 * eps));
%!test                                   # errors_are_the_built_ins
%! fails = @(ours, theirs, expected, varargin) raises (expected, ours, varargin{:});
%! both (fails, "Invalid call to GPU_F");
%! both (fails, "Octave:invalid-fun-call", 1, 0, 1, 1);
%! both (@as_builtin, ["A"; "B"]);
%! both (@as_builtin, {1});
%! both (@as_builtin, [1 2 3], 2);
%! both (@as_builtin, [1 2], [-1 0]);
%! both (@as_builtin, ones (2, 2), [1 2], [1 2]);
%! both (@as_builtin, 1:3, 0, -1);
%! both (@as_builtin, 1:3, 0, 1.5);
%! both (@as_builtin, 1:3, 0, "some");
%! both (@as_builtin, ones (2, 2), 0, [1 1]);
%! if (__gpr_rule__ ("var_options"))
%!   both (@as_builtin, sparse ([1 NaN 3]), "omitnan");
%! else
%!   both (fails, "gpureduce:invalid-input", sparse ([1 NaN 3]), "omitnan");
%! endif
%! both (fails, "gpureduce:invalid-input", 1:3, "device", "toaster");
%! both (fails, "GPU_F: device", 1:3, "device", "toaster");
%! both (fails, "gpureduce:no-device", 1:3, "device", 1000);

%!test                                   # the_mean_is_the_second_output_where_the_built_in_has_it
%! x = cos (reshape (1:60, 3, 4, 5) .^ 2);
%! x(7) = NaN;
%! for args = {{}, {0, 2}, {1, [1 3]}, {0, "all"}, {0, 1, "omitnan"}, {"omitnan"}}
%!   for f = {@gpu_var, @var; @gpu_std, @std}'
%!     if (! __gpr_rule__ ("var_means"))
%!       fail ("[v, m] = f{1} (x, args{1}{:})", "called with too many outputs");
%!       continue;
%!     elseif (any (strcmp (args{1}, "omitnan")) && ! __gpr_rule__ ("var_options"))
%!       continue;
%!     endif
%!     [v0, m0] = f{2} (x, args{1}{:});
%!     for y = {x, gpuArray(x)}
%!       [v, m] = f{1} (y{1}, args{1}{:});
%!       assert (gather (v), v0, 1e-14);
%!       assert (gather (m), m0, 1e-14);
%!     endfor
%!   endfor
%! endfor
%!test                                   # squares_beyond_all_numbers_are_infinite
%! for x = {1e155 * [1 2 3 4], [1e308 -1e308], complex(1e155 * [1 2 3 4], 1), [1 2; 1e200 5; 3 7], -1e155 * (1:3000)'}
%!   for y = {x{1}, gpuArray(x{1})}
%!     both (@same, y{1});
%!     both (@same, y{1}, 1, 2);
%!   endfor
%! endfor
%! assert (gpu_stats (1e155 * [1 2 3 4]).var, Inf);
%!test                                   # na_stays_na_and_an_infinity_gives_nan
%! for x = {[1 2; 3 4; 5 NA], single([NA 1]), [1 Inf 3; 1 2 3], [NaN 1], [-Inf Inf]}
%!   for y = {x{1}, gpuArray(x{1})}
%!     for dim = 1:2
%!       both (@(ours, theirs) assert (isna (gather (ours (y{1}, 0, dim))), any (isna (x{1}), dim)));
%!       both (@same, y{1}, 0, dim);
%!     endfor
%!   endfor
%! endfor
%! both (@(ours, theirs) assert (ours ([NaN NaN; 1 NaN; Inf NaN; 2 4], 0, 2, "omitnan"), [NaN; 0; NaN; theirs([2 4])], eps));
%!test                                   # nothing_but_a_nanflag_is_the_built_ins_of_nothing
%! both (@(ours, theirs) assert (ours (zeros (0, 3), 0, 1, "omitnan"), theirs (zeros (0, 3), 0, 1)));
%!test                                   # a_resident_array_has_a_resident_result
%! for type = {"double", "single"}
%!   both (@(ours, theirs) assert (isgpuarray (ours (gpuArray (ones (4, type{1})), 0, 2))));
%!   both (@(ours, theirs) assert (underlyingType (ours (gpuArray (ones (4, type{1})), 0, 2)), type{1}));
%! endfor

%!test                                   # of_small_whole_numbers_in_one_part_only_the_finish_rounds
%! for n = [40, 250, 1000]
%!   x = round (100 * randn (n, 7)) + 1000;
%!   x -= (1:n).' <= mod (sum (x), n);   # so that sums / n are exact, and no element is far from the others
%!   s = sum (x);
%!   for k = 1:2
%!     y = {x, x.'}{k};
%!     assert (vec (gather (gpu_var (y, 0, k))).', (sum (x .^ 2) - s .^ 2 / n) / (n - 1), 0);
%!   endfor
%! endfor

%!test                                   # an_outlier_costs_few_digits_wherever_it_is
%! n = 20000;
%! for at = [1, 2, 257, n]
%!   x = randn (n, 1) * 1e6;
%!   x(at) = 1e12;
%!   x = round (x);
%!   s = gpu_sum (x, "exact");
%!   x -= round (s / n);                 # still whole numbers
%!   rest = gpu_sum (x, "exact");
%!   expected = (gpu_sum (x .^ 2, "exact") - rest ^ 2 / n) / (n - 1);
%!   assert (gather (gpu_var (x)), expected, 2e-14 * expected);
%! endfor
