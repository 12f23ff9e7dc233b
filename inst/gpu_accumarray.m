## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{A} =} gpu_accumarray (@var{subs}, @var{vals})
## @deftypefnx {} {@var{A} =} gpu_accumarray (@var{subs}, @var{vals}, @var{sz}, @var{func}, @var{fillval}, @var{issparse})
## @deftypefnx {} {@var{A} =} gpu_accumarray (@dots{}, "order", @var{order})
## @deftypefnx {} {@var{A} =} gpu_accumarray (@dots{}, "device", @var{d})
## Accumulate the elements of @var{vals} that have the same subscripts, as the
## built-in @code{accumarray}, computed on the GPU.
##
## @var{subs} has a row for each value and a column for each dimension of
## @var{A}, or is a cell array with an index vector for each of two or more
## dimensions.  Subscripts are positive integers of any numeric class.
## @var{vals} is a numeric or logical vector with as many elements, or a scalar,
## which is repeated.
##
## @table @asis
## @item @var{sz}
## The size of @var{A}, a vector of at least two elements.  By default, or if it
## is empty, the largest subscripts are.  With one column of subscripts these
## index @var{A} linearly.
##
## @item @var{func}
## @code{@@sum} (the default, also for []), @code{@@prod}, @code{@@max},
## @code{@@min}, @code{@@mean} and @code{@@numel} are computed here.  Any other handle
## is called by the built-in.
##
## @item @var{fillval}
## What stands in @var{A} where no subscript leads to: 0 by default.  As in
## the built-in, @code{@@max} and @code{@@min} of floating point values leave
## NaN there, whatever @var{fillval}, unless it is 0 and all values are at least
## 0 for the maximum, at most 0 for the minimum.
##
## @item @var{issparse}
## If true, a sparse matrix, made by the built-in.
## @end table
##
## Sums, products and means are single for single @var{vals}, else double; extremes
## have the class of @var{vals}, double for logical ones; numbers of elements
## are double.  NaN makes a sum, product or mean NaN; extremes skip it.
##
## Floating-point sums and means are added in an order of their own, by many threads at
## once, which depends on the numbers of values and of elements of @var{A}
## alone.  So they have the same bits in every run, on every GPU and on the CPU with any number
## of threads, but in general not the built-in's.  With at most 8192 elements of @var{A} the values are cut into
## chunks of some 1000 to @var{n}/4096 neighbours; each chunk is added from its first value to
## its last, then eight chunks or fewer, then those.  With more elements, every element of @var{A} takes its own values in
## pieces of 1024 or about the square root of their number.  So up to 1024 values the bits are the
## built-in's; so are those of a sum that is not finite, and of all that is exact:
## extremes, numbers of elements, and sums of integers that stay below 2^53.
## With @var{order} @qcode{"builtin"} (by default it is @qcode{"tree"}) every element of @var{A}
## takes its values from the first to the last, as the built-in does, and has
## its bits.  That is slower: several times on the GPU, and more where
## one element takes a large part of all values.  Products are always computed like that.
##
## Complex values are summed and averaged here; the rest that @code{accumarray} knows,
## such as their maximum or a @var{fillval} that is no real double, goes to the
## built-in.
##
## @example
## @group
## gpu_accumarray ([1; 2; 4; 2; 4], 101:105)
##     @result{} 101
##        206
##          0
##        208
## gpu_accumarray ([1 1; 2 1; 2 3; 2 1], [5 6 7 8], [2 3], @@max)
##     @result{} 5   0   0
##        8   0   7
## @end group
## @end example
##
## Errors are those of the built-in, with this function's name in front and the
## built-in's identifier (@code{Octave:index-out-of-bounds} for a subscript
## beyond @var{sz} in several columns, @code{Octave:invalid-fun-call} for a wrong
## number of arguments, most have none); too large a result raises
## @code{gpureduce:out-of-memory} on the GPU and @code{Octave:bad-alloc} on the host.
## @code{gpu_options} has more on "device", gpuArrays and errors.
##
## On the GPU, values for many elements are put in order by a stable radix sort of their subscripts:
## D. Merrill, A. Grimshaw, ``High performance and scalable radix sorting'',
## @cite{Parallel Processing Letters} 21 (2011).
## @seealso{gpu_histc, gpu_sum, gpu_options, accumarray}
## @end deftypefn

function A = gpu_accumarray (varargin)
  if (nargin < 2)
    print_usage ();
  endif
  A = __gpureduce__ ("scatter:gpu_accumarray", varargin{:});
endfunction

%!function yes = same_bits (a, b)
%!  bits = @(x) typecast (x(:), "uint8");
%!  yes = strcmp (class (a), class (b)) && size_equal (a, b) && iscomplex (a) == iscomplex (b) && issparse (a) == issparse (b);
%!  if (yes && isfloat (a))
%!    yes = isequal (bits (real (full (a))), bits (real (full (b)))) && isequal (bits (imag (full (a))), bits (imag (full (b))));
%!  elseif (yes)
%!    yes = isequal (a, b);
%!  endif
%!endfunction
%!function same (varargin)
%!  assert (same_bits (gpu_accumarray (varargin{:}, "order", "builtin", "device", "cpu"), accumarray (varargin{:})));
%!endfunction
%!function A = cut_sum (subs, vals, m)  # the order of kernels/ops/scatter.h, by the built-in
%!  n = numel (subs);
%!  A = all_at_once = accumarray (subs, vals, [m 1]);
%!  part = @(i) accumarray (subs(i), vals(i), [m 1]);
%!  if (m <= 8192)
%!    chunk = max ([1024, 32 * ceil(m / 32), 32 * ceil(n / 4096 / 32)]);
%!    group = min (8, 2 ^ floor (log2 (8192 / m))) * chunk;
%!    A(:) = 0;
%!    for g = 1:group:n
%!      sums = zeros (m, 1, class (A));
%!      for c = g:chunk:min (g + group - 1, n)
%!        sums += part (c:min (c + chunk - 1, n));
%!      endfor
%!      A += sums;
%!    endfor
%!  else
%!    piece = max (1024, 2 ^ ceil (log2 (n) / 2));
%!    for k = find (accumarray (subs, 1, [m 1])' > piece)
%!      of_k = find (subs == k);
%!      A(k) = 0;
%!      for p = 1:piece:numel (of_k)
%!        A(k) += part (of_k(p:min (p + piece - 1, end)))(k);
%!      endfor
%!    endfor
%!  endif
%!  A(! isfinite (A)) = all_at_once(! isfinite (A));
%!endfunction
%!function fails (varargin)      # as the built-in, under our name
%!  message = identifier = "none";
%!  try
%!    accumarray (varargin{:});
%!  catch err
%!    message = err.message;
%!    identifier = err.identifier;
%!  end_try_catch
%!  assert (! strcmp (message, "none"));
%!  if (strncmp (message, "accumarray:", 11))
%!    message = message(13:end);
%!  endif
%!  try
%!    gpu_accumarray (varargin{:});
%!    error ("no error");
%!  catch err
%!    assert (err.message, ["gpu_accumarray: " message]);
%!    assert (err.identifier, identifier);
%!  end_try_catch
%!endfunction

%!assert (gpu_accumarray ([1; 2; 4; 2; 4], 101:105), [101; 206; 0; 208])
%!assert (gpu_accumarray ([1 1; 2 1; 2 3; 2 1], [5 6 7 8], [2 3], @max), [5 0 0; 8 0 7])

## every class of values and subscripts, operator and fill value
%!test
%! classes = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"};
%! for c = classes
%!   vals = cast ([3 -7 100 0 5 5 -128 127 200 1 -1 2], c{1});
%!   for s = classes
%!     subs = cast ([3 1 4 1 5 9 2 6 5 3 5 9]', s{1});
%!     same (subs, vals);
%!   endfor
%!   for f = {[], @sum, @prod, @max, @min}
%!     for fill = {[], 0, -0, 1, -3.5, 300, NaN, NA, Inf, -Inf, -128, 127, 255, 0.4}
%!       same (subs, vals, [], f{1}, fill{1});
%!     endfor
%!     same (subs, vals, [5 3], f{1});
%!     same (subs, vals, [3 2 4], f{1}, 2);
%!     same (subs, abs (vals), [], f{1});
%!     same (subs, -abs (vals), [], f{1}, 0);
%!     same (subs, vals(3), [], f{1}, 7);
%!   endfor
%! endfor
%!test
%! for f = {[], @sum, @prod, @max, @min}
%!   for fill = {[], 0, 1, 2, NaN}
%!     same ([1 2 2 4 6 6]', logical ([1 0 1 0 1 1]), [], f{1}, fill{1});
%!     same ([1 2 2 4]', true, [2 4], f{1}, fill{1});
%!     same ([1 2 2 4]', false, [2 4], f{1}, fill{1});
%!   endfor
%! endfor

## sums and products in the built-in's order
%!test
%! for n = [1 2 100 5000 50000]
%!   for outputs = [1 3 1000 70000]
%!     subs = randi (outputs, n, 1);
%!     vals = randn (n, 1) .* 10 .^ randi ([-20 20], n, 1);
%!     for x = {vals, single(vals), 1 + vals / 1e25, complex(vals, flipud (vals)), single(complex (vals, flipud (vals))), ...
%!              int64(vals)}
%!       same (subs, x{1});
%!       same (subs, x{1}, [outputs 2], @sum, 1.5);
%!     endfor
%!     for f = {@max, @min, @prod}(1:2+(n < 5000))      # the built-in's products are slow
%!       same (subs, 1 + vals / 1e21, [], f{1});
%!       same (subs, single (vals), [], f{1});
%!       same (subs, int32 (vals), [], f{1}, -1);
%!     endfor
%!   endfor
%! endfor
## outputs that threads share; 1 thread and several
%!test
%! subs = randi (2e6, 300000, 1);   # of 16 MB
%! vals = randn (300000, 1);
%! old = gpu_config ("threads");
%! unwind_protect
%!   for threads = [1 2 3 4]
%!     gpu_config ("threads", threads);
%!     same (subs, vals);
%!     same (mod (subs, 1000) + 1, vals);
%!     same (mod (subs, 70) + 1, vals, [75 1], @max, -5);
%!     same (ones (300000, 1), vals);
%!     fails ([subs; 1.5], 1, [2e6 1]);
%!     same (subs, vals, [2e6 1], @min, 4);
%!     same ([(1:2e6)'; subs], 1);      # the ends of the threads' shares too
%!     same ([subs, mod(subs, 3) + 1], abs (vals), [], @max);
%!   endfor
%! unwind_protect_cleanup
%!   gpu_config ("threads", old);
%! end_unwind_protect
%!test
%! subs = mod ((1:3e6)', 7) + 1;    # more than a chunk
%! vals = sin ((1:3e6)');
%! same (subs, vals);
%! same (subs, int8 (100 * vals), [9 1], @max, -1);

## sums that are cut, by 1 thread and several; means, and what is exact
%!test
%! old = gpu_config ("threads");
%! unwind_protect
%!   for n = [1000 1025 30000 200000]
%!     for m = [1 3 1000 1025 8192 8193 50000]
%!       spread = randi (m, n, 1);
%!       skewed = spread;
%!       skewed(rand (n, 1) < 0.9) = ceil (m / 2);
%!       vals = randn (n, 1) .* 10 .^ randi ([-8 8], n, 1);
%!       for s = {spread, skewed, m * ones(n, 1)}
%!         for x = {vals, single(vals), complex(vals, flipud (vals)), int64(vals)}(1:1+3*(n < 200000))
%!           gpu_config ("threads", 1);
%!           A = gpu_accumarray (s{1}, x{1}, [m 1], "device", "cpu");
%!           assert (same_bits (A, cut_sum (s{1}, x{1}, m)));
%!           for threads = [2 3]
%!             gpu_config ("threads", threads);
%!             assert (same_bits (gpu_accumarray (s{1}, x{1}, [m 1], "device", "cpu"), A));
%!           endfor
%!         endfor
%!         counts = accumarray (s{1}, 1, [m 1]);
%!         assert (same_bits (gpu_accumarray (s{1}, vals, [m 1], @mean, -2), merge (counts > 0, cut_sum (s{1}, vals, m) ./ counts, -2)));
%!         same (s{1}, vals, [m 1], @max);
%!         same (s{1}, -2.5 * n, [m 1]);
%!         same (s{1}, uint8 (abs (vals)), [m 1]);
%!         same (s{1}, 3, [m 1], @sum, NaN);
%!       endfor
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   gpu_config ("threads", old);
%! end_unwind_protect
## a sum that is not finite is the built-in's, beside others that are cut
%!test
%! for m = [3 9000]
%!   subs = mod ((1:30000)', 3) + 1;
%!   vals = randn (30000, 1);
%!   vals([20 5000 8000]) = [Inf NA -Inf];
%!   vals(subs == 2) = 0;
%!   vals(find (subs == 2, 4)) = 1e308 * [1 1 -1 -1];
%!   A = gpu_accumarray (subs, vals, [m 1], "device", "cpu");
%!   assert (same_bits (A, cut_sum (subs, vals, m)));
%!   assert (! all (isfinite (A)));
%! endfor

## means and numbers of elements
%!test
%! subs = [1 2; 2 1; 2 1; 1 2; 3 3; 2 1];
%! for x = {[1 2 3.5 -4 NaN 7], single([1 2 3.5 -4 Inf 7]), int8([100 100 100 -128 5 6]), uint16(1:6), logical([1 0 1 1 0 1]), 1i + (1:6), 5, single(0.1)}
%!   same (subs, x{1}, [], @mean);
%!   same (subs, x{1}, [4 3], @mean, 2.5);
%!   same (subs, x{1}, [4 3], @mean, -0);
%!   same (subs, x{1}, [4 3], @numel);
%!   same (subs, x{1}, [], @numel, NaN);
%!   same (subs(:,1), x{1}, [], @mean);
%! endfor
%! same ([1 1 2]', int64 ([2^62 2^62 7]), [], @mean);
%! same ([1 2 2]', [1 2 3], [2 1], @mean, 0, true);
%! fails ([1; 0], [1; 2], [], @mean);
%! fails ([1; 1.5], [1; 2], [4 1], @numel);

## NaN, NA, infinities, zeros
%!test
%! x = [NaN NA Inf -Inf 0 -0 1 -1];
%! [a, b, c] = ndgrid (x, x, x);
%! vals = [a(:) b(:) c(:)]'(:);
%! subs = kron ((1:512)', [1; 1; 1]);
%! for f = {@sum, @prod, @max, @min}
%!   same (subs, vals, [], f{1});
%!   same (2 * subs, vals, [], f{1}, 3);
%!   same (subs, single (vals), [], f{1});
%!   same (subs, vals(1:3:end)(subs), [], f{1});
%! endfor
%! same (subs, complex (vals, flipud (vals)));
%! same (subs, single (complex (vals, flipud (vals))));
%!test
%! for f = {@max, @min}
%!   for fill = {0, -0, 1, NaN}
%!     same ([2 2 4]', [-0 0 -0], [], f{1}, fill{1});
%!     same ([2 2 4]', [0 -0 NaN], [], f{1}, fill{1});
%!     same ([2 2 4]', [1 2 -0], [], f{1}, fill{1});
%!     same ([2 2 4]', [-1 -2 -0], [], f{1}, fill{1});
%!     same ([2 2 4]', -0, [], f{1}, fill{1});
%!   endfor
%! endfor

## several columns, cells, sizes
%!test
%! subs = [1 2 1; 2 1 3; 2 1 3; 1 2 1; 1 1 1];
%! vals = [1 2 3 4 5];
%! for f = {@sum, @max, @prod}
%!   same (subs, vals, [], f{1});
%!   same (uint8 (subs), vals, [2 2 5], f{1}, -1);
%!   same (num2cell (subs, 1), vals, [2; 2; 3], f{1});
%!   same (num2cell (subs, 1)', vals, [], f{1});
%!   same ({subs(:,1)', int16(subs(:,2)), single(subs(:,3))}, vals', [4 3 3], f{1});
%!   same (subs(:,1), vals, [2 3 1 1], f{1});
%!   same (subs(:,1), vals, int8 ([2 3]), f{1});
%!   same ([subs, ones(5, 2)], vals, [], f{1});
%!   same ([1 2 3], 5, [], f{1});
%!   same (4, 5, [], f{1});
%! endfor
%! same ((1:4)', (1:4)');
%! same ((1:4)', 1:4);
%! same ((1:4)', reshape (1:4, 1, 1, 4));
%! same (int8 ([100 100; 1 1]), [1; 2]);

## what the built-in does itself
%!test
%! same ([1 2 2]', [1 2 3], [], @(x) numel (x));
%! same ([1 2 2]', [1 2 3], [], @(x) {x});
%! same ([1 2 2]', [1 2 3], [3 1], @mean, 2);
%! same ([1 2 2]', [1 2 3], [], [], [], true);
%! same ([1 2; 2 1], [1 2], [2 3], @max, 0, true);
%! same ([1 2 4]', [1 2 3], [], @sum, 2i);
%! same ([1 2 4]', [1 2 3], [], @sum, int8 (2));
%! same ([1 2 4]', single ([1 2 3]), [], @prod, 2.5);
%! same ([1 2 2]', [1+2i 2 3], [], @max);
%! same ([1 2 2]', [1+2i 2 3i], [], @prod);
%! same ([1 7]', [1 2], [2 1], @prod);
%! same (sparse ([1 2 2]'), [1 2 3]);
%! same ([1 2 2]', sparse ([1 2 3]));
%! same (zeros (0, 1), []);
%! same (zeros (0, 1), 5, [2 3]);
%! same (zeros (0, 2), [], [2 2], @max, 4);

## gpuArrays
%!test
%! subs = [1 2; 2 1; 2 1; 3 2];
%! vals = [1 2 3 4];
%! want = accumarray (subs, vals);
%! for s = {subs, gpuArray(subs), {gpuArray(subs(:,1)), subs(:,2)}, {subs(:,1), gpuArray(subs(:,2))}}
%!   for v = {vals, gpuArray(vals)}
%!     A = gpu_accumarray (s{1}, v{1});
%!     if (isgpuarray (s{1}) || iscell (s{1}) || isgpuarray (v{1}))
%!       assert (isgpuarray (A));
%!     endif
%!     assert (gather (A), want);
%!     assert (gather (gpu_accumarray (s{1}, v{1}, [3 2], @max, -1)), accumarray (subs, vals, [3 2], @max, -1));
%!   endfor
%! endfor
%! assert (gather (gpu_accumarray (gpuArray ([1 2 2]'), gpuArray (2))), [2; 4]);
%! assert (gpu_accumarray (gpuArray ([1 1]'), 1:2), 3);
%! assert (gather (gpu_accumarray (gpuArray ([1 2 2]'), 1:3, [], @(x) numel (x))), [1; 2]);
%!error <accumarray: indices must be positive integers> gpu_accumarray (gpuArray ([1; 0]), [1; 2])
%!error <out of bound 2> gpu_accumarray ({gpuArray([1; 3]), [1; 1]}, [1; 2], [2 2])
%!test
%! g = gpuArray ([3; 1; 3]);
%! A = gpu_accumarray (g, g, [], @prod, 5);
%! assert (gather (A), [1; 5; 9]);

%!assert (gpu_accumarray (gpuArray ([1 1; 2 3]), [4; 5], [], [], 0, true), sparse ([4 0 0; 0 0 5]))

%!assert (gpu_accumarray ([1; 2; 2], 1:3, "device", "cpu"), [1; 5])
%!assert (gpu_accumarray ([1; 2; 2], 1:3, [], @max, 0, "Device", "AUTO"), [1; 3])

## errors
%!test
%! for f = {@sum, @max, @prod}
%!   for bad = {0, -1, 1.5, NaN, Inf, 2^53, 1e300}
%!     fails ([1; bad{1}], [1; 2], [4 1], f{1});
%!     if (! (bad{1} == Inf || bad{1} >= 2^53))
%!       fails ([1; bad{1}], [1; 2], [], f{1});
%!       fails (single ([1; bad{1}]), [1; 2], [], f{1});
%!     endif
%!     fails ([1 1; bad{1} 1], [1; 2], [2 2], f{1});
%!     fails ([1 1; 1 bad{1}], [1; 2], [2 2], f{1});
%!   endfor
%!   fails ([1 1; 3 1], [1; 2], [2 2], f{1});
%!   fails ([1; 2], [1; 2; 3], [], f{1});
%!   fails ([1; 2], [1; 2], 5, f{1});
%!   fails ([1 1; 2 1], [1; 2], [2 2 2], f{1});
%!   fails ([1; 2], [1; 2], [2 -3], f{1});
%!   fails ([1; 2], [1; 2], [1.5 2], f{1});
%! endfor
%! fails ([1; 7], [1; 2], [2 2]);
%! fails ([1; 2], [1 2; 3 4]);
%! fails ([1; 2], [1 2; 3 4], [], @max);
%! fails ([true; true], [1; 2]);
%! fails (int8 ([1; -7]), [1; 2]);
%! fails (uint64 ([1; 0]), [1; 2]);
%! fails ([1; 2], [1; 2], [], "sum");
%! fails ([1; 2], "ab");
%! fails ([1; 2], {1, 2});
%! fails ({[1 2]}, [1; 2]);
%! fails ({[1 2], [1 2 3]}, [1; 2]);
%! fails ([1; 3], [1; 2], [], @sum, [1 2]);
%! fails ([1; 2], [1; 2], [], @sum, 1, true);
%!error <Invalid call to gpu_accumarray> gpu_accumarray ()
%!error <Invalid call to gpu_accumarray> gpu_accumarray (1)
%!error id=Octave:invalid-fun-call gpu_accumarray (1)
%!error id=Octave:invalid-fun-call gpu_accumarray (1, 2, [], [], [], [], 7)
%!error <out of memory or dimension too large for Octave's index type> gpu_accumarray ([1 1e15], 2)
%!error <out of memory or dimension too large for Octave's index type> gpu_accumarray ([1e10 1e10], 2)
%!error id=gpureduce:invalid-input gpu_accumarray ([1; 2], 1, "device", "toaster")
%!error <gpu_accumarray: order must be "tree" or "builtin"> gpu_accumarray ([1; 2], 1, "order", "mine")
%!assert (gpu_accumarray ([1; 2; 2], 1:3, "device", "cpu", "Order", "BUILTIN"), [1; 5])
%!assert (gpu_accumarray ([1; 2; 2], 1:3, [], @sum, "order", "tree", "device", "cpu"), [1; 5])
%!error id=gpureduce:no-device gpu_accumarray ([1; 2], 1, "device", 1000)
