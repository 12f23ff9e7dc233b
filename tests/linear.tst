## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Linear algebra and Fourier transforms of gpuArrays give what they give on the host, by the libraries of the device or through the host.

%!function r = pick (list)
%!  r = list{randi (numel (list))};
%!endfunction
%!function x = numbers (type, varargin)
%!  x = randn (varargin{:});
%!  if (strfind (type, "complex"))
%!    x = complex (x, randn (varargin{:}));
%!  endif
%!  if (strfind (type, "single"))
%!    x = single (x);
%!  elseif (strcmp (type, "logical"))
%!    x = x > 0;
%!  endif
%!endfunction
%!function near (g, x, what, times = 1)
%!  y = gather (g);
%!  if (! (strcmp (class (y), class (x)) && isequal (size (y), size (x))))
%!    error ("%s: %s of %s, not %s of %s", what, class (y), mat2str (size (y)), class (x), mat2str (size (x)));
%!  endif
%!  e = eps (merge (isa (x, "single"), "single", "double"));
%!  if (any (isnan (y(:)) != isnan (x(:))) || any (abs (double (y(:)) - double (x(:))) > times * 100 * e * max ([1; abs(double (x(! isnan (x(:)))))(:)]) * (10 + max (size (x)))))
%!    error ("%s: %s, not %s", what, mat2str (y, 5), mat2str (x, 5));
%!  endif
%!endfunction
%!function native (before, what)         # what a library does has not gone through the host
%!  if (strcmp (on_which (), "cuda") && gpu_config ("through_host", "count") != before)
%!    error ("%s went through the host", what);
%!  endif
%!endfunction
%!function name = on_which ()
%!  persistent found;
%!  if (isempty (found))
%!    found = "cpu";
%!    before = gpu_config ("through_host", "count");
%!    g = gpuArray (magic (4)) * gpuArray (magic (4));
%!    if (gpu_config ("through_host", "count") == before)
%!      found = "cuda";
%!    endif
%!  endif
%!  name = found;
%!endfunction
%!function n = count ()
%!  n = gpu_config ("through_host", "count");
%!endfunction
%!function says_the_same (f, varargin)         # the error of arrays of the host
%!  ours = host = "none";
%!  try, f (varargin{:}); catch err, host = err.message; end_try_catch
%!  gpu = cellfun (@gpuArray, varargin, "UniformOutput", false);
%!  try, f (gpu{:}); catch err, ours = err.message; end_try_catch
%!  assert (ours, host);
%!  assert (! strcmp (host, "none"));
%!endfunction
%!shared types
%! types = {"double", "single", "complex double", "complex single"};
%! __gpr_octave__ ("few", 0);           # small ones too

%!test                                   # products_of_matrices
%! for round = 1:200
%!  s = randi (9, 1, 3);
%!  ta = pick ([types, {"logical"}]); tb = pick (types);
%!  a = numbers (ta, s(1), s(2)); b = numbers (tb, s(2), s(3));
%!  what = sprintf ("%s %s * %s", mat2str (s), ta, tb);
%!  before = count ();
%!  near (gpuArray (a) * gpuArray (b), a * b, what);
%!  near (gpuArray (a) * b, a * b, what);
%!  near (a * gpuArray (b), a * b, what);
%!  if (s(1) * s(2) > 1 && s(2) * s(3) > 1)
%!    native (before, what);
%!  endif
%! endfor
%!test                                   # products_with_transposes
%! for round = 1:200
%!  s = randi (9, 1, 3);
%!  ta = pick (types); tb = pick (types);
%!  a = numbers (ta, s(1), s(2)); b = numbers (tb, s(2), s(3));
%!  at = numbers (ta, s(2), s(1)); bt = numbers (tb, s(3), s(2));
%!  what = sprintf ("%s %s * %s", mat2str (s), ta, tb);
%!  ga = gpuArray (a); gb = gpuArray (b); gat = gpuArray (at); gbt = gpuArray (bt);
%!  before = count ();
%!  near (gat' * gb, at' * b, ["A' * B " what]);
%!  near (gat.' * gb, at.' * b, ["A.' * B " what]);
%!  near (ga * gbt', a * bt', ["A * B' " what]);
%!  near (ga * gbt.', a * bt.', ["A * B.' " what]);
%!  near (at' * gb, at' * b, ["A' * B " what]);
%!  near (ga * bt', a * bt', ["A * B' " what]);
%!  if (all (s > 1) && iscomplex (a) == iscomplex (b))
%!    native (before, what);
%!  endif
%! endfor
%!test                                   # a_matrix_and_its_own_transpose_are_exactly_symmetric
%! for t = types
%!  a = numbers (t{1}, 7, 4); g = gpuArray (a);
%!  near (g' * g, a' * a, t{1});
%!  near (g * g', a * a', t{1});
%!  near (g.' * g, a.' * a, t{1});
%!  near (g * g.', a * a.', t{1});
%!  c = gather (g' * g);
%!  assert (ishermitian (c) && all (imag (diag (c)) == 0));
%!  c = gather (g * g.');
%!  assert (issymmetric (c));
%! endfor
%!test                                   # adjoints_of_complex_matrices
%! for t = types
%!  a = numbers (t{1}, 5, 3); g = gpuArray (a);
%!  before = count ();
%!  assert (gather (g'), a');
%!  assert (gather (g(:,1)'), a(:,1)');
%!  if (isreal (a))
%!    native (before, t{1});
%!  endif
%!  before = count ();
%!  h = g';
%!  native (before, t{1});
%! endfor
%!test                                   # parts_of_a_complex_factor_are_multiplied_apart
%! a = [2 1; 0 1]; b = [Inf+1i, 1; 1, 2i];
%! assert (gather (gpuArray (a) * gpuArray (b)), a * b);
%! assert (gather (gpuArray (b) * gpuArray (a)), b * a);
%!test                                   # products_of_matrices_that_do_not_fit
%! says_the_same (@(a, b) a * b, ones (2, 3), ones (2, 3));
%! says_the_same (@(a, b) a' * b, ones (2, 3), ones (3, 3));
%! says_the_same (@(a, b) a * b.', ones (2, 3), ones (3, 4) + 1i);
%! says_the_same (@(a, b) a \ b, ones (2, 3), ones (3, 3));
%! says_the_same (@(a, b) a / b, ones (2, 3), ones (2, 2));
%! says_the_same (@(a, b) a * b, ones (2, 2, 2), ones (2, 2));
%! says_the_same (@(a, b) a * b, int8 (ones (2)), ones (2));
%!test                                   # products_of_no_elements
%! near (gpuArray (zeros (2, 0)) * gpuArray (zeros (0, 3)), zeros (2, 3), "0");
%! near (gpuArray (zeros (0, 2)) * gpuArray (ones (2, 3)), zeros (0, 3), "0");
%! near (gpuArray (single (zeros (2, 0))) * gpuArray (zeros (0, 3)), single (zeros (2, 3)), "0");
%! near (gpuArray (zeros (0, 3)) \ gpuArray (zeros (0, 2)), zeros (3, 2), "0");
%! near (fft (gpuArray (zeros (0, 3))), fft (zeros (0, 3)), "0");
%!test                                   # what_has_no_imaginary_part_is_real
%! a = [1i 0; 0 2]; b = [-1i 0; 0 3];
%! assert (isreal (gpuArray (a) * gpuArray (b)));
%! assert (iscomplex (gpuArray (a) * gpuArray (a + 1i)));
%!test                                   # diagonal_and_sparse_factors_are_octaves
%! a = [1 NaN; 2 3];
%! assert (gather (gpuArray (a) * eye (2)), a * eye (2));
%! assert (full (gather (gpuArray (a) * sparse ([1 0; 0 1]))), full (a * sparse ([1 0; 0 1])));

%!test                                   # quotients_of_matrices
%! for round = 1:100
%!  n = randi ([2 12]); m = randi (5);
%!  ta = pick (types); tb = pick (types);
%!  a = numbers (ta, n, n) + 3 * sqrt (n) * eye (n); b = numbers (tb, n, m); c = numbers (tb, m, n);
%!  what = sprintf ("%d, %s and %s", n, ta, tb);
%!  before = count ();
%!  near (gpuArray (a) \ gpuArray (b), a \ b, ["\\ " what], 10);
%!  near (gpuArray (a) \ b, a \ b, ["\\ " what], 10);
%!  near (gpuArray (c) / gpuArray (a), c / a, ["/ " what], 10);
%!  native (before, what);
%! endfor
%!test                                   # least_squares_and_triangles
%! a = magic (6)(:,1:3); b = (1:6)';
%! near (gpuArray (a) \ gpuArray (b), a \ b, "least squares", 10);
%! near (gpuArray (a') \ gpuArray (b(1:3)), a' \ b(1:3), "least norm", 10);
%! u = triu (magic (5) + 5 * eye (5));
%! near (gpuArray (u) \ b(1:5), u \ b(1:5), "triangle", 100);
%! near (gpuArray (u') \ b(1:5), u' \ b(1:5), "triangle", 100);
%!test                                   # singular_matrices_warn_as_on_the_host
%! old = warning ("off", "all");        # "local" is not of functions that are called, and since Octave 11 what is off leaves no text
%! unwind_protect
%! for a = {[1 2; 2 4], magic(4), single([1 2; 2 4]), [1 2; 2 4] * (1 + 1i), [1 NaN; 2 3]}
%!  for f = {@(x) x \ x(:,1), @(x) x(1,:) / x, @inv}
%!   lastwarn ("", "");
%!   x = f{1} (a{1} + 0);         # which knows nothing of earlier solutions
%!   [text, id] = lastwarn ();
%!   lastwarn ("", "");
%!   y = f{1} (gpuArray (a{1}));
%!   [text2, id2] = lastwarn ();
%!   assert ({text2, id2}, {text, id});
%!   near (y, x, func2str (f{1}), 10);
%!  endfor
%! endfor
%! unwind_protect_cleanup
%!  warning (old);
%! end_unwind_protect
%!test                                   # inverses_and_determinants
%! for round = 1:100
%!  n = randi ([2 12]); t = pick (types);
%!  a = numbers (t, n, n) + n * eye (n);
%!  g = gpuArray (a);
%!  before = count ();
%!  near (inv (g), inv (a), ["inv " t], 10);
%!  [x, r] = inv (g);
%!  [y, s] = inv (a);
%!  near (x, y, ["inv " t], 10);
%!  assert (class (r), class (s));
%!  assert (r, s, 0.5 * s);
%!  near (det (g), det (a), ["det " t], 10);
%!  [x, r] = det (g);
%!  [y, s] = det (a);
%!  near (x, y, ["det " t], 10);
%!  assert (r, s, 0.5 * s);
%!  native (before, t);
%! endfor
%! says_the_same (@inv, ones (2, 3));
%! says_the_same (@det, ones (2, 3));
%! assert (det (gpuArray ([1 2; 2 4])), 0);

%!test                                   # cholesky_factors
%! for round = 1:50
%!  n = randi ([2 12]); t = pick (types);
%!  a = numbers (t, n, n); a = a * a' + n * eye (n);
%!  g = gpuArray (a);
%!  before = count ();
%!  near (chol (g), chol (a), t);
%!  near (chol (g, "lower"), chol (a, "lower"), t);
%!  near (chol (g, "upper"), chol (a, "upper"), t);
%!  [r, p] = chol (g);
%!  near (r, chol (a), t);
%!  assert (p, 0);
%!  native (before, t);
%! endfor
%! says_the_same (@chol, [1 2; 2 1]);
%! says_the_same (@chol, [1 2 3]);
%! says_the_same (@chol, [1 NaN; NaN 1]);
%! [r, p] = chol (gpuArray ([4 2 1; 2 5 1; 1 1 -9]));
%! [s, q] = chol ([4 2 1; 2 5 1; 1 1 -9]);
%! near (r, s, "leading block");
%! assert (p, q);

%!test                                   # triangular_factors
%! for round = 1:100
%!  s = randi (9, 1, 2) + [1 0]; t = pick (types);
%!  a = numbers (t, s); g = gpuArray (a);
%!  before = count ();
%!  [l, u, p] = lu (g);
%!  [ll, uu, pp] = lu (a);
%!  near (l, ll, t);
%!  near (u, uu, t);
%!  assert (gather (p), full (pp));
%!  [l, u, p] = lu (g, "vector");
%!  [ll, uu, pp] = lu (a, "vector");
%!  near (l, ll, t);
%!  assert (gather (p), pp);
%!  near (lu (g), lu (a), t);
%!  native (before, t);
%!  [l, u] = lu (g);
%!  [ll, uu] = lu (a);
%!  near (l, ll, t);
%!  near (u, uu, t);
%! endfor
%! [l, u, p] = lu (gpuArray ([1 2; 2 4]));
%! [ll, uu, pp] = lu ([1 2; 2 4]);
%! near (u, uu, "singular");

%!function orthonormal (q, what)
%!  near (q' * q, cast (eye (columns (q)), class (q)), what);
%!endfunction
%!test                                   # orthogonal_factors
%! for round = 1:100
%!  s = randi (9, 1, 2) + [1 0]; t = pick (types);
%!  a = numbers (t, s); g = gpuArray (a);
%!  for economy = {{}, {0}}
%!   before = count ();
%!   [q, r] = qr (g, economy{1}{:});
%!   native (before, t);
%!   [qq, rr] = qr (a, economy{1}{:});
%!   q = gather (q); r = gather (r);
%!   assert (size (q), size (qq));
%!   assert (size (r), size (rr));
%!   near (q * r, a, t);
%!   orthonormal (q, t);
%!   assert (istriu (r));
%!   near (abs (r), abs (rr), t);
%!  endfor
%!  near (abs (qr (g, 0)), abs (qr (a, 0)), t);
%! endfor

%!test                                   # singular_values
%! for round = 1:100
%!  s = randi (9, 1, 2) + [1 0]; t = pick (types);
%!  a = numbers (t, s); g = gpuArray (a);
%!  before = count ();
%!  near (svd (g), svd (a), t);
%!  native (before, t);
%!  for economy = {{}, {0}, {"econ"}}
%!   before = count ();
%!   [u, d, v] = svd (g, economy{1}{:});
%!   if (! isequal (economy{1}, {0}) || rows (a) >= columns (a))
%!    native (before, t);
%!   endif
%!   [uu, dd, vv] = svd (a, economy{1}{:});
%!   u = gather (u); d = gather (d); v = gather (v);
%!   assert (size (u), size (uu));
%!   assert (size (v), size (vv));
%!   near (d, full (dd), t);
%!   near (u * d * v', a, t);
%!   orthonormal (u, t);
%!   orthonormal (v, t);
%!  endfor
%! endfor
%! says_the_same (@svd, [1 NaN; 2 3]);

%!test                                   # eigenvalues
%! for round = 1:100
%!  n = randi ([2 9]); t = pick (types);
%!  a = numbers (t, n, n); a = a + a'; g = gpuArray (a);
%!  before = count ();
%!  near (eig (g), eig (a), t);
%!  [v, d] = eig (g);
%!  native (before, t);
%!  [vv, dd] = eig (a);
%!  v = gather (v); d = gather (d);
%!  near (d, full (dd), t);
%!  near (a * v, v * d, t);
%!  orthonormal (v, t);
%! endfor
%! a = magic (4) + [1 2 3 4];
%! near (sort (eig (gpuArray (a))), sort (eig (a)), "general", 10);
%! [v, d] = eig (gpuArray (a));
%! near (a * gather (v), gather (v) * gather (d), "general", 10);
%! says_the_same (@eig, [1 NaN; NaN 3]);
%! says_the_same (@eig, ones (2, 3));

%!test                                   # fourier_transforms_along_a_dimension
%! for round = 1:150
%!  s = randi (6, 1, randi ([2 4])); t = pick ([types, {"logical"}]);
%!  x = numbers (t, s); g = gpuArray (x);
%!  f = pick ({@fft, @ifft});
%!  dim = randi (ndims (x)); n = pick ({[], randi(9), size(x, dim)});
%!  what = sprintf ("%s %s of %s, %s, %d", func2str (f), t, mat2str (s), mat2str (n), dim);
%!  before = count ();
%!  near (f (g, n, dim), f (x, n, dim), what);
%!  if (size (x, dim) > 1 && ! isequal (n, 1))
%!    native (before, what);
%!  endif
%!  near (f (g), f (x), what);
%!  near (f (g, n), f (x, n), what);
%! endfor
%!test                                   # fourier_transforms_of_several_dimensions
%! for round = 1:150
%!  s = randi (6, 1, randi ([2 4])); t = pick (types);
%!  x = numbers (t, s); g = gpuArray (x);
%!  what = sprintf ("%s of %s", t, mat2str (s));
%!  k = randi (7, 1, 2); m = randi (5, 1, ndims (x));
%!  before = count ();
%!  near (fft2 (g), fft2 (x), ["fft2 " what]);
%!  near (ifft2 (g), ifft2 (x), ["ifft2 " what]);
%!  near (fft2 (g, k(1), k(2)), fft2 (x, k(1), k(2)), ["fft2 sized " what]);
%!  near (fftn (g), fftn (x), ["fftn " what]);
%!  near (ifftn (g), ifftn (x), ["ifftn " what]);
%!  near (fftn (g, m), fftn (x, m), ["fftn sized " what]);
%!  if (numel (x) > 1)
%!    native (before, what);
%!  endif
%! endfor
%! x = randn (40, 3, 30); g = gpuArray (x);
%! near (fft (g, [], 2), fft (x, [], 2), "few within many");
%! near (fft (g, 33, 1), fft (x, 33, 1), "first");
%! near (ifft (g, 64, 3), ifft (x, 64, 3), "last");
%!test                                   # errors_of_fourier_transforms
%! for f = {@(x) fft(x, -1), @(x) fft(x, 2.5), @(x) fft(x, NaN), @(x) fft(x, [], 5), @(x) fft(x, [], 0), @(x) fft2(x, 2), @(x) fftn(x, 3)}
%!  host = ours = "";
%!  try, f{1} (magic (4)); catch err, host = err.message; end_try_catch
%!  try, f{1} (gpuArray (magic (4))); catch err, ours = err.message; end_try_catch
%!  assert (isempty (ours), isempty (host));
%! endfor
%!test                                   # a_script_of_filtering
%! n = 256; k = (0:n-1)'; x = sin (2 * pi * 5 * k / n) + 0.5 * sin (2 * pi * 60 * k / n);
%! keep = (k < 20) | (k > n - 20);
%! near (real (ifft (fft (gpuArray (x)) .* keep)), real (ifft (fft (x) .* keep)), "filter", 10);
%!test                                   # the_operands_are_not_changed
%! a = magic (5) + eye (5); g = gpuArray (a);
%! x = inv (g); x = det (g); [l, u, p] = lu (g); [q, r] = qr (g); [u, s, v] = svd (g); e = eig (g + g'); x = g \ g; x = g / g; x = fft (g); x = ifft (g); x = g' * g;
%! assert (gather (g), a);
%! c = gpuArray (a' * a);
%! r = chol (c); e = eig (c);
%! assert (gather (c), a' * a);

%!test                                   # small_ones_have_the_bits_of_octave
%! few = __gpr_octave__ ("few", 32^2);
%! unwind_protect
%!   for round = 1:100
%!     n = randi (9) + 1;
%!     x = numbers (pick (types), n, n); b = numbers (pick (types), n, 2);
%!     g = gpuArray (x);
%!     [u, s, v] = svd (g); [u_, s_, v_] = svd (x);
%!     [q, r] = qr (g); [q_, r_] = qr (x);
%!     [z, d] = eig (g + g'); [z_, d_] = eig (x + x');
%!     results = {g \ b, b' / g, inv(g), u, s, v, q, r, z, d, fft(g), ifft(fft (g)), fft(b(:)'), ifft(fft (gpuArray (b(:))), 17)};
%!     wanted = {x \ b, b' / x, inv(x), u_, full(s_), v_, q_, r_, z_, full(d_), fft(x), ifft(fft (x)), fft(b(:)'), ifft(fft (b(:)), 17)};
%!     for k = 1:numel (wanted)
%!       y = gather (results{k});
%!       if (! (isequal (y, wanted{k}) && isreal (y) == isreal (wanted{k}) && strcmp (class (y), class (wanted{k}))))
%!         error ("result %d of %s", k, mat2str (x));
%!       endif
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   __gpr_octave__ ("few", few);
%! end_unwind_protect
%!test                                   # a_size_that_is_large_is_no_small_transform
%! few = __gpr_octave__ ("few", 32^2);
%! unwind_protect
%!   before = count ();
%!   y = fft (gpuArray ([1, 2, 3]), 5000);
%!   native (before, "fft of 5000");
%!   near (y, fft ([1, 2, 3], 5000), "fft of 5000");
%! unwind_protect_cleanup
%!   __gpr_octave__ ("few", few);
%! end_unwind_protect
