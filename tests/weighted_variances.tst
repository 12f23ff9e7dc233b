## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpu_var and gpu_std with a weight for each element, against var and std.

%!function both (rule, varargin)
%!  for_both ({@gpu_var, @var; @gpu_std, @std}, rule, varargin{:});
%!endfunction

%!function same (ours, theirs, varargin)
%!  y = gather (ours (varargin{:}));
%!  args = cellfun (@gather, varargin, "uniformoutput", false);
%!  y0 = theirs (args{:});
%!  assert (size (y), size (y0));
%!  assert (class (y), class (y0));
%!  assert (isnan (y), isnan (y0));
%!  scale = max (abs (double (args{1}(:))));
%!  assert (double (y), double (y0), 100 * eps (class (y0)) * max ([1, scale, scale ^ 2]));
%!endfunction

## Not gathered: x lies on the host, and so must the result, wherever w lies.
%!function t = takes (x)
%!  t = (! isinteger (x) || __gpr_rule__ ("var_integers")) && (! islogical (x) || __gpr_rule__ ("var_logical"));
%!endfunction

%!function near (ours, theirs, x, w, dim)
%!  if (! takes (x))
%!    as_builtin (ours, theirs, x, gather (w), dim);
%!    return;
%!  endif
%!  v = ours (x, w, dim);
%!  w = gather (w);
%!  if (isinteger (x))
%!    [x, w] = deal (double (x), double (w));     # the built-in computes in their class
%!  endif
%!  v0 = theirs (x, w, dim);
%!  assert (class (v), class (v0));
%!  assert (size (v), size (v0));
%!  tol = 1e4 * max (eps (class (v0)), eps (class (w)));
%!  v0 = double (v0);
%!  assert (double (v), v0, tol * max (1, max (abs (v0(:)))));
%!endfunction

%!function resident (ours, theirs, x, w, dim)
%!  v = ours (gpuArray (x), w, dim);
%!  assert (isgpuarray (v));
%!  assert (gather (v), theirs (x, w, dim), 1e-12);
%!endfunction

%!test                                   # along_the_first_dimension_that_is_not_1_or_the_one_given
%! both (@same, 1:7, 1:7);
%! both (@same, eye (3), 1:3);
%! both (@same, ones (2, 2, 2), [1 2], 3);
%! both (@same, gpuArray (magic (4)), [1 2 3 4]);
%!test                                   # any_class_and_dimension_of_x_and_any_weights
%! x = cos (reshape (1:2400, 20, 30, 4) .^ 2);
%! for y = {x, single(x), 1e3 + x, x > 0, int8(100 * x), complex(x, -x)}
%!   for dim = 1:3
%!     w = abs (sin (1:size (x, dim)));
%!     for v = {w, w', single(w), ceil(5 * w), w .* (w > 0.5), gpuArray(w)}
%!       both (@near, y{1}, v{1}, dim);
%!     endfor
%!   endfor
%! endfor
%!test                                   # long_arrays
%! n = 100000;
%! both (@same, cos (1:n), abs (sin (1:n)));
%! both (@same, gpuArray (cos (1:n)'), abs (sin (1:n)));
%!test                                   # a_resident_array_has_a_resident_result
%! both (@resident, magic (6), 1:6, 2);
%!test                                   # a_nan_or_an_infinity_makes_the_result_nan
%! both (@(ours, theirs) assert (ours ([1 Inf 3], [1 2 3]), NaN));
%! both (@(ours, theirs) assert (ours ([1 2; NaN 5; 3 7], [1 2 3]), [NaN, theirs([2 5 7], [1 2 3])], 1e-14));
%!test                                   # omitnan_leaves_out_nan_with_their_weights
%! both (@(ours, theirs) assert (ours ([1 2; NaN 5; 3 7], [1 2 3], 1, "omitnan"), ...
%!                               [theirs([1 3], [1 3]), theirs([2 5 7], [1 2 3])], 1e-14));
%! both (@(ours, theirs) assert (ours (gpuArray ([1 NaN 3]), [1 2 3], "omitnan"), theirs ([1 3], [1 3]), 1e-14));
%! both (@(ours, theirs) assert (ours ([1 NaN 3], [1 Inf 2], "omitnan"), theirs ([1 3], [1 2]), 1e-14));
%!test                                   # omitnan_of_nan_alone_is_nan
%! both (@(ours, theirs) assert (ours ([NaN NaN], [1 2], "omitnan"), NaN));
%!test                                   # omitnan_of_weighted_complex_x_where_the_built_in_has_it
%! if (__gpr_rule__ ("var_options"))
%!   both (@as_builtin, complex ([1 NaN 3], 1), [1 2 3], "omitnan");
%! else
%!   both (@(ours, theirs) raises ("gpureduce:invalid-input", @() ours (complex ([1 NaN 3], 1), [1 2 3], "omitnan")));
%! endif
%!test                                   # weights_of_0_alone_give_nan
%! both (@(ours, theirs) assert (ours ([1 2 4], [0 0 0]), NaN));
