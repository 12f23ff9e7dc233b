## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpu_cummax and gpu_cummin against cummax and cummin.

%!function both (rule, varargin)
%!  for_both ({@gpu_cummax, @cummax; @gpu_cummin, @cummin}, rule, varargin{:});
%!endfunction

%!function same (ours, theirs, varargin)
%!  [w0, iw0] = theirs (varargin{:});
%!  for x = {varargin{1}, gpuArray(varargin{1})}
%!    [w, iw] = ours (x{1}, varargin{2:end});
%!    w = gather (w);
%!    assert (w, w0);
%!    assert (gather (iw), iw0);
%!    assert (class (w), class (w0));
%!    assert (1 ./ double (w(w == 0)), 1 ./ double (w0(w0 == 0)));
%!    assert (gather (ours (x{1}, varargin{2:end})), w0);
%!  endfor
%!endfunction

%!test                                   # any_class_and_dimension
%! x = reshape (mod ((1:120) * 37, 23) - 7, 4, 5, 6);
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   y = cast (x, type{1});
%!   both (@same, y);
%!   for dim = 1:4
%!     both (@same, y, dim);
%!   endfor
%! endfor
%!test                                   # short_and_long_columns
%! for n = [1 2 255 256 257 1000 70000]
%!   x = round (50 * cos ((1:n) .^ 2) + (1:n) / 100);
%!   x(mod (1:n, 7) == 3) = NaN;
%!   for y = {x, x', single(-x), int32(x)}
%!     both (@same, y{1});
%!   endfor
%! endfor
%! both (@same, complex (cos (1:600), sin ((1:600) .^ 2)));
%! both (@same, single (complex (cos (1:600), sin ((1:600) .^ 2)))');
%!test                                   # many_columns_side_by_side
%! for n = [5 300]
%!   v = mod ((1:70 * n) .^ 2, 37);
%!   x = reshape (floor (v / 4) - 4, 70, n);
%!   x(v == 1) = -0;
%!   x(v == 9 | v == 16) = NaN;
%!   x(2,1:4) = NaN;
%!   x(3,:) = NaN;
%!   complex_ones = {complex(x, fliplr (x))}(! __gpr_rule__ ("minus_pi"));
%!   for y = [{x, single(x), int8(x), uint8(x), int32(x), uint64(x), reshape(x, 10, 7, n)}, complex_ones]
%!     both (@same, y{1}, 2);
%!     both (@same, y{1}, ndims (y{1}));
%!   endfor
%! endfor
%!test                                   # few_columns_that_begin_with_nan_or_hold_zeros_of_both_signs
%! for columns = 1:10
%!   for n = [300 9000]
%!     x = reshape (mod ((1:columns * n) .^ 2 * 31, 997) - 400, columns, n) + (1:n) / 50;
%!     x(1,1:min (n, 2500)) = NaN;
%!     x(end,:) = -abs (x(end,:));
%!     x(end,n/2) = -0;
%!     x(end,n/2+1) = 0;
%!     x(mod (1:columns * n, 11) == 5) = NaN;
%!     x(3:4:end,:) = NaN;
%!     for y = {x, single(-x), int16(x), reshape([x, -x], columns, n, 2)}
%!       both (@same, y{1}, 2);
%!     endfor
%!   endfor
%! endfor
%!test                                   # empty_arrays_nan_equal_and_complex_elements
%! for x = {[], zeros(0, 3), zeros(3, 0), 5, [NaN NaN 2 2 1 NaN 3], [NaN NaN], [-0 0], [0 -0], [Inf 1 -Inf], ...
%!           [1i 2 -2], [1i -1i 1 -1], [3 NaN 1], int64([intmax("int64") 1 intmin("int64")])}
%!   both (@same, x{1});
%!   both (@same, x{1}.', 1);
%! endfor
%!test                                   # includenan_gives_nan_from_the_first_on
%! both (@(ours, theirs) assert (nthargout (1, ours, [2 NaN 1; 5 6 7], 2, "includenan")(1,:), [2 NaN NaN]));
%! both (@(ours, theirs) assert (nthargout (2, ours, [2 NaN 1; 5 6 7], 2, "includenan")(1,:), [1 2 2]));
%! both (@(ours, theirs) assert (cellfun (@gather, nthargout (1:2, ours, gpuArray ([2 NaN 9]), "IncludeNaN"), "uniformoutput", false), ...
%!                               {[2 NaN NaN], [1 2 2]}));
%! both (@(ours, theirs) assert (cellfun (@isgpuarray, nthargout (1:2, ours, gpuArray ([2 NaN 9]), "IncludeNaN")), [true true]));
%! both (@(ours, theirs) assert (ours ([2 NaN 1], "omitnan"), theirs ([2 NaN 1])));
%!test                                   # sparse_arrays_and_devices
%! both (@(ours, theirs) assert (full (ours (sparse ([1 0 2]))), theirs ([1 0 2])));
%! both (@(ours, theirs) assert (ours ([1 3 2], "device", "cpu"), theirs ([1 3 2])));
%! both (@(ours, theirs) assert (ours ([1 3 2], 2, "device", "auto"), theirs ([1 3 2])));
%!test                                   # errors_are_the_built_ins
%! fails = @(ours, theirs, expected, varargin) raises (expected, ours, varargin{:});
%! both (fails, "Invalid call to GPU_F");
%! both (fails, "Octave:invalid-fun-call", 1, 2, 3);
%! both (@as_builtin, 1:3, 0);
%! both (@as_builtin, 1:3, 1.5);
%! both (@as_builtin, {1});
%! both (@as_builtin, "ab");
%! both (fails, "gpureduce:invalid-input", 1:3, "device", "toaster");
%! both (fails, "gpureduce:no-device", 1:3, "device", 1000);
