## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpu_any and gpu_all against any and all.

%!function both (rule, varargin)
%!  for_both ({@gpu_any, @any; @gpu_all, @all}, rule, varargin{:});
%!endfunction

%!function same (ours, theirs, varargin)
%!  t = ours (varargin{:});
%!  assert (t, theirs (varargin{:}));
%!  assert (class (t), "logical");
%!endfunction

%!function is_ (ours, theirs, expected, varargin)
%!  assert (ours (varargin{:}), expected);
%!endfunction

%!test                                   # along_any_dimension
%! both (@same, [0 0 1; 1 0 1]);
%! both (@same, [0 0 1; 1 1 1], 1);
%! both (@is_, [false; true], [0 0 0; 1 1 1], 2);
%! both (@is_, logical ([0 0 1; 1 0 1]), [0 0 1; 1 0 1], 3);
%! both (@as_builtin, [0 0 1; 1 0 1], 0);
%! both (@is_, true, 5);
%! both (@is_, false, 0);
%! both (@is_, true, (1:3)');
%! both (@same, [1 2; 3 4]);
%!test                                   # any_class
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64", "logical", "char"}
%!   x = feval (type{1}, reshape (mod ((1:24) * 7, 5) > 1, 4, 3, 2));
%!   for dim = 1:4
%!     both (@same, x, dim);
%!   endfor
%!   both (@same, x);
%!   both (@same, zeros (size (x)));
%! endfor
%! both (@is_, true, "ab");
%! both (@same, ["a" char(0)]);
%! both (@is_, false, char (0));
%!test                                   # complex_numbers
%! both (@same, [0 1i; 0 0]);
%! both (@is_, [true; true], [1i 1; 2 3i], 2);
%! both (@same, single ([0 1i]));
%!test                                   # ranges_and_matrices_octave_stores_in_a_special_way
%! both (@same, 0:3);
%! both (@same, eye (3));
%! both (@same, diag ([1 0 2]), 2);
%! both (@same, eye (3)([2 3 1],:));
%!test                                   # empty_arrays
%! both (@same, []);
%! both (@same, zeros (0, 3));
%! both (@same, zeros (0, 0), 2);
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [0 3 2], [3 0 2], [2 3 0]}
%!   for type = {"double", "int8", "logical", "char"}
%!     x = feval (type{1}, zeros (s{1}));
%!     both (@same, x);
%!     for dim = 1:4
%!       both (@same, x, dim);
%!     endfor
%!   endfor
%! endfor
%! both (@(ours, theirs) assert (ours (zeros (0, 3), "all"), theirs (zeros (0, 1))));
%!test                                   # nan_and_numbers_beside_0
%! for x = {NaN, NA, [NaN 0], [NaN 1], single(NaN), complex(NaN, 1), complex(0, NaN), complex(single (0), NaN)}
%!   both (@same, x{1});
%! endfor
%! both (@is_, false, -0);
%! both (@is_, false, complex (-0, 0));
%! both (@is_, true, [Inf -Inf]);
%! both (@is_, true, realmin / 2);
%!test                                   # nan_is_false_for_any_and_true_for_all
%! assert (gpu_any ([0 NaN; 0 1], 2), [false; true]);
%! assert (gpu_all ([1 NaN; 1 0], 2), [true; false]);
%! assert (gpu_all (NaN (9, 3), 2), true (9, 1));
%!test                                   # all_or_several_dimensions
%! both (@(ours, theirs) assert (ours (eye (3), "all"), theirs (eye (3)(:))));
%! both (@is_, true, ones (3), "ALL");
%! x = reshape (mod ((1:24) * 7, 5) > 1, 4, 3, 2);
%! for dims = {[1 2], [1 3], [2 3]}
%!   both (@(ours, theirs) assert (ours (x, dims{1}), theirs (theirs (x, dims{1}(1)), dims{1}(2))));
%! endfor
%! both (@(ours, theirs) assert (ours (x, [1 2 3]), theirs (x(:))));
%!test                                   # one_element_decides_in_long_arrays
%! for decides = [true false]
%!   x = repmat (! decides, 1, 100000);
%!   both (@same, x);
%!   x(77777) = decides;
%!   for y = {x, single(x), x', reshape(x, 250, 400)}
%!     both (@same, y{1});
%!   endfor
%!   both (@same, reshape (x, 250, 400), 2);
%!   y = reshape (x, 250, 400);
%!   y(3,:) = decides;                   # all columns by their first elements, then all but some
%!   both (@same, y);
%!   both (@same, y.', 2);
%!   y(:,[1 100 399]) = ! decides;
%!   both (@same, y);
%!   both (@same, y.', 2);
%!   both (@same, reshape (y, 5, 50, 400), 2);
%! endfor
%!test                                   # devices_gpuarrays_sparse_arrays_and_cells
%! both (@(ours, theirs) assert (ours ([0 1], "device", "cpu"), theirs ([0 1])));
%! both (@(ours, theirs) assert (ours ([0 1; 1 1], 2, "Device", "auto"), theirs ([0 1; 1 1], 2)));
%! both (@(ours, theirs) assert (issparse (ours (sparse ([1 0; 2 3])))));
%! both (@(ours, theirs) assert (full (ours (sparse ([1 0; 2 3]))), theirs ([1 0; 2 3])));
%! both (@same, {1, 2});
%! both (@(ours, theirs) assert (gather (ours (gpuArray ([1 0; 3 4]), 2)), theirs ([1 0; 3 4], 2)));
%! both (@(ours, theirs) assert (ours (gpuArray ([0 1])), theirs ([0 1])));
%!test                                   # errors_are_the_built_ins
%! fails = @(ours, theirs, expected, varargin) raises (expected, ours, varargin{:});
%! both (fails, "Invalid call to GPU_F");
%! both (fails, "Octave:invalid-fun-call", 1, 2, 3);
%! both (@as_builtin, 1:3, -1);
%! both (@as_builtin, 1:3, "foo");
%! both (fails, "gpureduce:invalid-input", 1:3, "device", "toaster");
%! both (fails, "gpureduce:no-device", 1:3, "device", 1000);
