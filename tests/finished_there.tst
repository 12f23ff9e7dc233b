## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Results of gpuArrays that a reduction alone does not give (src/gateway/finish_there.c): every call gives what it gives of the
## array on the host, in every bit but a NaN's that is not NA.

%!function x = random_array (kind, sz)
%!  x = 50 * randn (sz);
%!  x(rand (sz) < 0.2) = -0;
%!  x(:,2:3:end) = -abs (x(:,2:3:end));
%!  x(rand (sz) < 0.3) = NaN;
%!  x(rand (sz) < 0.05) = NA;
%!  x(rand (sz) < 0.02) = -Inf;
%!  y = round (randn (sz));
%!  switch (kind)
%!    case {"double", "single"}
%!      x = cast (x, kind);
%!    case "complex"
%!      x = complex (x, y);
%!    case "single complex"
%!      x = single (complex (x, y));
%!    case "real complex"         # sums of which are real
%!      x = complex (x, 0 * y);
%!    case "logical"
%!      x = x > 0;
%!    otherwise
%!      x = cast (x, kind);
%!  endswitch
%!endfunction
%!function same (g, b)
%!  assert (iscomplex (g), iscomplex (b));
%!  a = gather (g);
%!  assert (class (a), class (b));
%!  assert (size (a), size (b));
%!  a = double ([real(a(:)); imag(a(:))]);
%!  b = double ([real(b(:)); imag(b(:))]);
%!  assert (isna (a), isna (b));
%!  assert (a, b);
%!  assert (1 ./ a, 1 ./ b);      # the sign of 0
%!endfunction
%!function compare (calls, kinds, sizes, dims)
%!  for kind = kinds
%!    for sz = sizes
%!      x = random_array (kind{1}, sz{1});
%!      g = gpuArray (x);
%!      for dim = dims
%!        for call = calls
%!          [e, h] = deal (cell (1, 2));
%!          n = 1 + (call{1}(1) == "[");
%!          f = str2func (["@(x, d) " strrep(call{1}, "[]=", "")]);
%!          text = {"", ""};
%!          try, [h{1:n}] = f (x, dim{1}); catch err, text{1} = err.message; end_try_catch
%!          try, [e{1:n}] = f (g, dim{1}); catch err, text{2} = err.message; end_try_catch
%!          assert (text{2}, text{1});
%!          try
%!            cellfun (@same, e(1:n), h(1:n));
%!          catch err
%!            error ("%s of %s %s along %s: %s", call{1}, kind{1}, mat2str (sz{1}), mat2str (dim{1}), err.message);
%!          end_try_catch
%!        endfor
%!      endfor
%!    endfor
%!  endfor
%!endfunction
%!shared sizes, dims, floats, all_kinds
%! rand ("twister", 7);
%! randn ("twister", 7);
%! sizes = {[3 4 5], [0 3], [300 4]};
%! dims = {1, 2, [2 3], [1 3]};
%! floats = {"double", "single", "complex", "single complex", "real complex"};
%! all_kinds = [floats, {"int8", "uint16", "int32", "int64", "logical"}];

## Means that leave NaN out are divided by the elements that are left.
%!test
%! compare ({"gpu_mean (x, d, \"omitnan\")", "gpu_mean (x, d, \"omitnan\", \"double\")", "gpu_rms (x, d, \"omitnan\")"}, floats, sizes, dims);
## Means and products have their class.
%!test
%! compare ({"gpu_mean (x, d)", "gpu_mean (x, d, \"double\")", "gpu_mean (x, d, \"native\")", "gpu_mean (x, d, \"h\")", "gpu_prod (x, d)"}, all_kinds, sizes, dims);
## Complex results become real where all are, as on the host.
%!test
%! calls = {"gpu_sum (x, d)", "gpu_sum (x, d, \"omitnan\")", "gpu_max (x, [], d)", "[]=gpu_min (x, [], d)", "gpu_sumsq (x, d)"};
%! compare (calls, {"complex", "single complex", "real complex"}, sizes, dims);
%! compare ({"gpu_cumsum (x, d)", "gpu_cumprod (x, d)", "[]=gpu_cummax (x, d)"}, {"complex", "single complex", "real complex"}, sizes, {1, 2, 3});
## The first NaN is the extreme, with its index.
%!test
%! compare ({"gpu_max (x, [], d, \"includenan\")", "[]=gpu_min (x, [], d, \"includenan\")"}, all_kinds, sizes, dims);
## Indices over several dimensions are linear.
%!test
%! compare ({"[]=gpu_max (x, [], d)", "gpu_argmin (x, [], d)"}, all_kinds, sizes, dims);
