## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpu_max and gpu_min against max and min, and gpu_argmax and gpu_argmin, which have the
## same outputs in the other order.

## ---- gpu_max, gpu_min ----

%!function both (rule, varargin)
%!  for_both ({@gpu_max, @max; @gpu_min, @min}, rule, varargin{:});
%!endfunction

%!function same (ours, theirs, varargin)
%!  assert (ours (varargin{:}), theirs (varargin{:}));
%!endfunction

%!function same_with_index (ours, theirs, x, varargin)
%!  [m, i] = ours (x, varargin{:});
%!  [m1, i1] = theirs (x, varargin{:});
%!  assert (m, m1);
%!  assert (i, i1);
%!  assert (class (m), class (m1));
%!  assert (class (i), "double");
%!  assert (iscomplex (m), iscomplex (m1));
%!  assert (ours (x, varargin{:}), m1);
%!endfunction

%!function is_ (ours, theirs, expected, varargin)
%!  m = ours (varargin{:});
%!  assert (m, expected);
%!  assert (class (m), class (expected));
%!  assert (1 ./ m, 1 ./ expected);       # the signs of zeros
%!endfunction

%!test                                   # along_any_dimension
%! both (@same, [3 9 2; 7 1 8]);
%! for dim = [1 2 3 5]
%!   both (@same_with_index, [3 9 2; 7 1 8], [], dim);
%! endfor
%! both (@is_, 5, 5);
%! both (@is_, -5, -5, [], 4);
%!test                                   # any_class
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64", "logical", "char"}
%!   x = feval (type{1}, reshape (mod ((1:24) * 11, 17), 4, 3, 2));
%!   if (ischar (x) && __gpr_rule__ ("char_index"))
%!     continue;
%!   endif
%!   for dim = 1:4
%!     both (@same_with_index, x, [], dim);
%!   endfor
%! endfor
%! both (@same, [true false; true true]);
%! both (@(ours, theirs) assert (class (ours ([true false])), "logical"));
%! both (@same, "hello");
%! both (@(ours, theirs) assert (class (ours ("hello")), "double"));
%! both (@same, [intmin("int8") intmax("int8")]);
%! both (@same, int64 ([9007199254740993, 9007199254740992, 9007199254740994]));
%! both (@same_with_index, uint64 ([18446744073709551614, 18446744073709551615; 1 0]), [], 2);
%!test                                   # ranges_and_matrices_octave_stores_in_a_special_way
%! both (@same, 1:10);
%! both (@same, 10:-1:1);
%! both (@same, eye (3));
%! both (@same, diag ([1 -2 3]), [], 2);
%! both (@same, eye (3)([3 1 2],:));
%!test                                   # complex_numbers_by_abs_then_arg
%! for x = {[1i -1i 1 -1], [3+4i 5 -5], [1+1i; 2; -2i], complex([-5 4], 0), ...
%!          single([1i -1i 1 -1]), [complex(NaN, 1) 2 1i], complex([NaN NaN], 0), [1+0i 1]}
%!   both (@same_with_index, x{1});
%! endfor
%!test                                   # a_reduced_dimension_of_length_0_stays_0
%! both (@is_, [], []);
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [0 3 2], [3 0 2], [2 3 0]}
%!   for type = {"double", "single", "int8", "char"}
%!     x = feval (type{1}, zeros (s{1}));
%!     both (@same, x);
%!     for dim = 1:4
%!       both (@same_with_index, x, [], dim);
%!     endfor
%!   endfor
%! endfor
%! both (@as_builtin, false (3, 0));
%! both (@as_builtin, true (3, 0));
%! if (__gpr_rule__ ("sum_options"))
%!   both (@as_builtin, zeros (0, 3), [], "all");
%! else
%!   both (@is_, [], zeros (0, 3), [], "all");
%! endif
%!test                                   # nan_is_skipped_and_infinities_are_not
%! both (@same, [1 NaN 3 2]);
%! both (@is_, NaN, [NaN NaN]);
%! both (@(ours, theirs) assert (isna (ours ([NA NA]))));
%! both (@(ours, theirs) assert (! isna (ours ([NaN NaN]))));
%! both (@is_, 1, [NA 1]);
%! both (@same, [Inf -Inf 0]);
%! for far = [Inf -Inf]
%!   both (@is_, far, far * ones (1, 3));
%!   both (@same_with_index, [NaN far far]);
%! endfor
%! both (@is_, single (2), single ([NaN 2]));
%! both (@is_, [1 2], [NaN 2; 1 NaN]);
%! both (@same_with_index, [NaN NaN; 1 NaN]);
%!test                                   # of_equal_elements_the_first
%! both (@same_with_index, [4 7 7 4 4]);
%! x = zeros (1, 50000);
%! x([20000 40000]) = 1;
%! for y = {x, -x, int8(x'), int8(-x')}
%!   both (@same_with_index, y{1});
%! endfor
%!function first_of_equals (ours, theirs, x, dim)
%!  same_with_index (ours, theirs, x, [], dim);
%!  [m, i] = ours (x, [], dim);
%!  assert (1 ./ double (m), 1 ./ double (theirs (x, [], dim)));
%!endfunction
%!test                                   # of_equal_elements_the_first_in_any_class_and_shape
%! for class = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}
%!   for sz = {[10 40], [7 100], [40 300], [600 3], [3 600], [150 130], [5 300 4], [1100 9]}
%!     v = mod ((1:prod (sz{1})) .^ 2, 37);
%!     x = cast (reshape (floor (v / 8), sz{1}), class{1});       # 0 to 4
%!     if (isfloat (x))
%!       x(v == 1) = -0;
%!       x(v == 9 | v == 16 | v == 3) = NaN;
%!       x(:,2) = NaN;
%!       x(2,:) = NaN;
%!       x(:,3) = -Inf;
%!     else
%!       x(:,3) = intmin (class{1});
%!       x(3,:) = intmax (class{1});
%!     endif
%!     for dim = 1:numel (sz{1})
%!       both (@first_of_equals, x, dim);
%!     endfor
%!   endfor
%! endfor
%!test                                   # of_0_and_minus_0_the_first
%! both (@is_, -0, [-0 0]);
%! both (@is_, 0, [0 -0]);
%! both (@is_, single (-0), single ([-0 0]));
%! both (@(ours, theirs) is_ (ours, theirs, -0, [-3 * theirs(-1, 1), -0, 0]));
%! both (@same_with_index, [-0 0]);
%! x = zeros (1, 3000);
%! x(1) = -0;
%! both (@is_, -0, x);
%! both (@is_, 0, -x);
%! both (@is_, [-0; 0], [-0 0; 0 -0], [], 2);
%! for range = {-3:-0, -0:3}
%!   both (@(ours, theirs) is_ (ours, theirs, theirs (range{1}), range{1}));
%! endfor
%!test                                   # all_or_several_dimensions
%! both (@(ours, theirs) is_ (ours, theirs, theirs (magic (4)(:)), magic (4), [], "all"));
%! both (@(ours, theirs) assert (nthargout (1:2, ours, magic (4), [], "ALL"), nthargout (1:2, theirs, magic (4)(:))));
%! x = reshape (mod ((1:24) * 11, 25), 4, 3, 2);
%! for dims = {[1 2], [1 3], [2 3]}
%!   both (@(ours, theirs) assert (ours (x, [], dims{1}), theirs (theirs (x, [], dims{1}(1)), [], dims{1}(2))));
%! endfor
%! both (@(ours, theirs) assert (ours (x, [], [1 2 3]), theirs (x(:))));
%!test                                   # the_first_nan_wins_with_includenan
%! both (@is_, NaN, [1 NaN 3], [], 2, "includenan");
%! both (@(ours, theirs) is_ (ours, theirs, theirs ([1 NaN 3]), [1 NaN 3], [], 2, "omitnan"));
%! both (@(ours, theirs) is_ (ours, theirs, theirs ([1 2 3]), [1 2 3], [], 2, "IncludeNaN"));
%! both (@(ours, theirs) assert (isna (ours ([1 NA NaN], [], 2, "includenan"))));
%! both (@(ours, theirs) assert (nthargout (1:2, ours, [1 NaN; NaN 4; 2 NaN], [], 1, "includenan"), {[NaN NaN], [2 1]}));
%! both (@(ours, theirs) assert (ours (int8 ([3 1 2]), [], 2, "includenan"), theirs (int8 ([3 1 2]))));
%!test                                   # device_as_option
%! both (@(ours, theirs) assert (ours (1:4, [], 2, "device", "cpu"), theirs (1:4)));
%! both (@(ours, theirs) assert (ours ([4 2 3], "Device", "auto"), theirs ([4 2 3])));
%!test                                   # two_arrays
%! for xy = {{[1 5 3], 2}, {2, [1 5 3]}, {[1 5 3], [3; 4]}, {int8([100 -100]), 3.6}, {single([1 2]), [2 1]}, ...
%!           {true, [false true]}, {[1i 2], [-1 1i]}, {zeros(0, 3), 1}, {reshape(1:8, 2, 2, 2), [4 5]}, ...
%!           {uint64([5 7]), uint64(6)}, {int8(1), 2}, {single(1), 2}}
%!   both (@same, xy{1}{:});
%! endfor
%! both (@is_, [1 2 NaN], [1 NaN NaN], [NaN 2 NaN]);
%! both (@(ours, theirs) assert (class (ours (int8 (1), 2)), "int8"));
%! both (@(ours, theirs) assert (class (ours (single (1), 2)), "single"));
%!test                                   # long_arrays
%! x = mod ((1:100000) * 7919, 100003) - 5e4;
%! for type = {"double", "single", "int32", "uint16"}
%!   y = feval (type{1}, x);
%!   both (@same_with_index, y);
%!   y = reshape (y, 250, 400);
%!   both (@same, y);
%!   both (@same, y, [], 2);
%! endfor
%!test                                   # sparse_and_resident_arrays
%! both (@(ours, theirs) assert (issparse (ours (sparse ([1 0; 2 -3])))));
%! both (@(ours, theirs) assert (full (ours (sparse ([1 0; 2 -3]))), theirs ([1 0; 2 -3])));
%! both (@(ours, theirs) assert (gather (ours (gpuArray ([1 2; 4 3]), [], 2)), theirs ([1 2; 4 3], [], 2)));
%! both (@(ours, theirs) assert (nthargout (1:2, ours, gpuArray ([4 2 6 1])), nthargout (1:2, theirs, [4 2 6 1])));
%!test                                   # errors_are_the_built_ins
%! fails = @(ours, theirs, expected, varargin) raises (expected, ours, varargin{:});
%! both (fails, "Invalid call to GPU_F");
%! both (fails, "Octave:invalid-fun-call", 1, 2, 3, 4);
%! both (@as_builtin, 1:3, [], 0);
%! both (@as_builtin, 1:3, [], -1);
%! both (@as_builtin, {1, 2});
%! both (@as_builtin, struct ("a", 1));
%! both (@as_builtin, [1 2 3], [1 2]);
%! both (@as_builtin, "a", 98);
%! both (@(ours, theirs) raises ("", @() nthargout (2, ours, 1:3, 2)));
%! both (fails, "gpureduce:invalid-input", 1:3, "device", "toaster");
%! both (fails, "gpureduce:no-device", 1:3, "device", 1000);

## ---- gpu_argmax, gpu_argmin ----

%!function both_args (rule, varargin)
%!  for_both ({@gpu_argmax, @max; @gpu_argmin, @min}, rule, varargin{:});
%!endfunction

%!function swapped (ours, theirs, x, varargin)
%!  [i, m] = ours (x, varargin{:});
%!  [m1, i1] = theirs (x, varargin{:});
%!  assert (i, i1);
%!  assert (m, m1);
%!  assert (class (i), "double");
%!  assert (class (m), class (m1));
%!  assert (ours (x, varargin{:}), i1);
%!endfunction

%!function index_is (ours, theirs, expected, varargin)
%!  assert (gather (ours (varargin{:})), expected);
%!endfunction

%!test                                   # indices_along_any_dimension
%! for dim = 1:3
%!   both_args (@swapped, [3 9 2; 7 1 8], [], dim);
%! endfor
%! for x = {[3 9 2; 7 1 8], 5, 1:10, 10:-1:1, (1:10)', eye(3), eye(3)([3 1 2],:)}
%!   both_args (@swapped, x{1});
%! endfor
%! both_args (@swapped, diag ([1 -2 3]), [], 2);
%!test                                   # indices_in_any_class
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64", "logical", "char"}
%!   x = feval (type{1}, reshape (mod ((1:24) * 11, 17), 4, 3, 2));
%!   if (ischar (x) && __gpr_rule__ ("char_index"))
%!     continue;
%!   endif
%!   for dim = 1:4
%!     both_args (@swapped, x, [], dim);
%!   endfor
%! endfor
%!test                                   # indices_in_empty_arrays
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [0 3 2], [3 0 2], [2 3 0]}
%!   both_args (@swapped, zeros (s{1}));
%!   for dim = 1:4
%!     both_args (@swapped, zeros (s{1}), [], dim);
%!     both_args (@swapped, zeros (s{1}, "int16"), [], dim);
%!   endfor
%! endfor
%!test                                   # indices_beside_nan_and_of_the_first_of_equals
%! for x = {[NaN 3 1 NaN], [NaN NaN], [NaN 1; NaN NaN], [Inf -Inf Inf -Inf], [NaN Inf Inf], [NaN -Inf -Inf], ...
%!          [4 7 7 4 4], [0 -0], [-0 0], [1i -1i 1 -1], complex([-5 4], 0), [complex(NaN, 1) 2 1i], ...
%!          single([3+4i 5 -5]), int64([9007199254740993, 9007199254740992, 9007199254740994]), uint8([0 255 255 0])}
%!   both_args (@swapped, x{1});
%! endfor
%!test                                   # of_equal_elements_of_a_long_array_the_first
%! x = zeros (1, 50000);
%! x([20000 40000]) = 1;
%! x([10000 30000]) = -1;
%! both_args (@swapped, x);
%! both_args (@swapped, single (x'));
%! both_args (@swapped, int8 (x));
%! both_args (@swapped, reshape (x, 250, 200), [], 2);
%! both_args (@swapped, mod ((1:100000) * 7919, 100003));
%!test                                   # of_equal_elements_the_first_in_columns_at_any_address
%! for n = [3, 100, 2049, 30011]
%!   for kind = {"int8", "uint16", "single", "double"}
%!     both_args (@index_is, ones (1, 5), gpuArray (zeros (n, 5, kind{1})));
%!     both_args (@index_is, 1, gpuArray (NaN (n, 1)));
%!   endfor
%! endfor
%!test                                   # linear_indices_over_all_or_several_dimensions
%! both_args (@(ours, theirs) assert (ours (magic (4), [], "all"), nthargout (2, theirs, magic (4)(:))));
%! both_args (@(ours, theirs) assert (nthargout (2, ours, magic (4), [], "ALL"), theirs (magic (4)(:))));
%! x = reshape (mod ((1:24) * 11, 25), 4, 3, 2);
%! both_args (@(ours, theirs) assert (nthargout (1:2, ours, x, [], [1 2 3]), nthargout ([2 1], theirs, x(:))));
%! for dims = {[1 2], [1 3], [2 3]}
%!   both_args (@(ours, theirs) assert (nthargout (2, ours, x, [], dims{1}), x(ours (x, [], dims{1}))));
%!   both_args (@(ours, theirs) assert (nthargout (2, ours, x, [], dims{1}), ...
%!                                      theirs (theirs (x, [], dims{1}(1)), [], dims{1}(2))));
%! endfor
%!test                                   # the_index_of_the_first_nan_with_includenan
%! both_args (@index_is, 2, [1 NaN 3], [], 2, "includenan");
%! both_args (@(ours, theirs) index_is (ours, theirs, nthargout (2, theirs, [1 NaN 3]), [1 NaN 3], [], 2, "OmitNaN"));
%! both_args (@index_is, [2 1], [1 NaN; NaN 4; 2 NaN], [], 1, "includenan");
%!test                                   # indices_on_any_device
%! for args = {{[4 9 3 6], "device", "cpu"}, {[4 9 3 6], [], 2, "Device", "AUTO"}, {gpuArray([4 9 3 6])}}
%!   both_args (@(ours, theirs) index_is (ours, theirs, nthargout (2, theirs, [4 9 3 6]), args{1}{:}));
%! endfor
%! both_args (@(ours, theirs) index_is (ours, theirs, nthargout (2, theirs, [4 9; 3 6]), gpuArray ([4 9; 3 6])));
%!test                                   # indices_of_a_resident_array_are_resident
%! x = reshape (mod ((1:3000) * 37, 1009), 10, 20, 15);
%! x(3:41:end) = NaN;
%! for type = {"double", "single", "int16"}
%!   for dim = 1:4
%!     g = gpuArray (cast (x, type{1}));
%!     both_args (@(ours, theirs) assert (isgpuarray (ours (g, [], dim)) && isgpuarray (nthargout (2, ours, g, [], dim))));
%!     both_args (@(ours, theirs) assert (cellfun (@gather, nthargout (1:2, ours, g, [], dim), "uniformoutput", false), ...
%!                                        nthargout ([2 1], theirs, gather (g), [], dim)));
%!   endfor
%! endfor
%!test                                   # errors_of_indices
%! fails = @(ours, theirs, expected, varargin) raises (expected, ours, varargin{:});
%! both_args (fails, "Invalid call to GPU_F");
%! both_args (fails, 'the second argument must be \[\]', 1:3, 2);
%! both_args (fails, "GPU_F: .*DIM", 1:3, [], 0);
%! both_args (fails, "GPU_F: .*DIM", 1:3, [], -1);
%! both_args (fails, "wrong type argument", {1, 2});
%! both_args (fails, "gpureduce:invalid-input", 1:3, "device", "toaster");
%! both_args (fails, "gpureduce:no-device", 1:3, "device", 1000);

## As every NaN; the built-in takes it as infinite, or not, by what stands around it.
%!test                                   # complex_with_an_infinite_and_a_nan_part_is_left_out
%! for z = [complex(Inf, NaN), complex(NaN, -Inf), complex(-Inf, NA)]
%!   for x = {[z 1], [1 z], [1; z], [1 2; z 3].'}
%!     [m, i] = gpu_max (x{1});
%!     assert (all (isfinite (m)));
%!     assert (gpu_min (x{1}), min (x{1}));
%!   endfor
%!   assert (gpu_max ([z 1]), max ([z 1]));
%! endfor
%! [m, i] = gpu_max ([1 complex(Inf, NaN) 3i]);
%! assert ({m, i}, {3i, 3});
