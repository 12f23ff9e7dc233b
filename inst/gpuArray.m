## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{g} =} gpuArray (@var{x})
## @deftypefnx {} {@var{g} =} gpuArray (@var{x}, "devices", @var{d})
## @deftypefnx {} {@var{g} =} gpuArray.zeros (@dots{})
## Copy the array @var{x} to the GPU and return it as a gpuArray.
##
## @var{x} is a numeric, logical or character array of any size, real or
## complex, but not sparse; ranges and diagonal and permutation matrices are
## copied as full arrays.  If @var{x} is a gpuArray already, it is returned
## as it is.  Where there is no GPU the copy lives in the memory of the CPU,
## so that the same program runs.
##
## All functions of this package take a gpuArray wherever they take an array.
## So do, for a gpuArray, the names of the built-ins @code{sum}, @code{prod},
## @code{sumsq}, @code{mean}, @code{max}, @code{min}, @code{any}, @code{all}, @code{var},
## @code{std}, @code{median}, @code{quantile}, @code{prctile}, @code{mad}, @code{iqr}, @code{mode}, @code{range}, @code{bounds}, @code{norm}, @code{dot},
## @code{nnz}, @code{cov}, @code{corr}, @code{normalize}, @code{cumsum}, @code{cumprod}, @code{cummax}, @code{cummin}, @code{histc},
## @code{hist} and @code{accumarray}, and MATLAB's @code{histcounts}, @code{histcounts2}, @code{maxk} and @code{mink}.  Results with one element come back as
## ordinary numbers; results that are arrays stay on the GPU until
## @code{gather} fetches them.
##
## @example
## @group
## g = gpuArray ([1 2 3; 4 5 6]);
## gather (sum (g, 2))
##     @result{}  6
##        15
## max (g, [], "all")
##     @result{} 6
## size (g)
##     @result{} 2   3
## underlyingType (g)
##     @result{} double
## @end group
## @end example
##
## A gpuArray is a value as any other: after @code{b = a}, @code{a(1) = 5} leaves
## @var{b} as it is.  The memory is given back with the last copy, or at once by
## @code{delete (g)}; every later use of @var{g} or a copy is an error.  Operators,
## indexing, assignment, ranges, concatenation, @code{if}, @code{while} and @code{for} work as for
## other arrays and give gpuArrays.  Elementwise operators and functions of real numbers (not of 64-bit integers), indices and
## assignments by ranges, concatenation, @code{reshape} and @code{permute} run where the array lies.  On the GPU cuBLAS, cuSOLVER and cuFFT, where they are installed, do matrix products,
## @code{\}, @code{/}, @code{inv}, @code{det}, @code{chol}, @code{lu}, @code{qr}, @code{svd}, @code{eig} of symmetric and Hermitian matrices, and
## @code{fft}, @code{fft2}, @code{fftn} and their inverses, of more than 1024 elements (transforms: 256), since of few Octave has them sooner; columns of factors may have other signs or phases than on the host.  The rest is done by Octave on the
## host, and the result goes back (@code{gpu_config ("through_host")}).  So are other functions; of their results arrays
## become gpuArrays.  @code{save} and @code{load} keep gpuArrays in Octave's own formats.
##
## The functions that make arrays make gpuArrays if their last argument is "gpuArray", or if "like" and a
## gpuArray are their last two, whose class they take over too: @code{zeros}, @code{ones}, @code{eye}, @code{Inf}, @code{NaN}, @code{NA},
## @code{true}, @code{false}, @code{rand}, @code{randn}, @code{randi}, @code{rande}, @code{randg}, @code{randp}, @code{randperm}.
## The first form takes the place of Octave's own functions, which get every other call
## (@code{gpu_config ("shadow")}).  @code{gpuArray.zeros (@dots{})} is the same as @code{zeros (@dots{}, "gpuArray")}, and so for the
## others and @code{gpuArray.linspace}, @code{gpuArray.logspace} and @code{gpuArray.colon}: @code{gpuArray} without arguments
## is the structure of these functions.  Constant arrays, ranges and random numbers are made where they lie; these have a generator of
## their own (@code{gpurng}), but for @code{randg} and @code{randp}, which are Octave's.
##
## @example
## @group
## x = zeros (2, 3, "single", "gpuArray");
## y = ones (2, 3, "like", x);
## z = gpuArray.linspace (0, 1, 5);
## underlyingType (y)
##     @result{} single
## @end group
## @end example
##
## These queries answer without copying data: @code{size}, @code{numel},
## @code{ndims}, @code{rows}, @code{columns}, @code{length}, @code{isempty},
## @code{isscalar}, @code{isvector}, @code{isrow}, @code{iscolumn},
## @code{ismatrix}, @code{issquare}, @code{isreal}, @code{iscomplex},
## @code{isnumeric}, @code{isfloat}, @code{isinteger}, @code{islogical},
## @code{ischar}, @code{underlyingType}, @code{classUnderlying},
## @code{isUnderlyingType}, @code{existsOnGPU}.  The conversions
## @code{double}, @code{single}, @code{int8} to @code{uint64} and
## @code{logical} return a new gpuArray.
##
## With "devices" the array is divided over several GPUs, along its last dimension longer than 1: over "all", or those whose numbers the vector @var{d} has, each a
## piece of about the same size.  Reductions, histograms, cumulative functions, medians, quantiles and the k greatest run where the pieces lie.  Along the divided
## dimension, columns are dealt out to the GPUs, or copied to the first one, for modes, for medians and quantiles of fewer than 131072 elements, and for exact sums
## of many columns of fewer than 2048.  Products that leave the range and the k greatest of many columns are computed from a copy on the first GPU; where a
## copy does not fit, the host computes, which is slow.  All have the bits that one GPU gives; their results lie on the first of the GPUs, those of cumulative
## functions are divided as @var{x} is.  So are results of elementwise operators and functions of real
## numbers; an operand that is a plain gpuArray comes to the pieces.  Indices that are ranges take the elements to the first GPU, and assignments by such indices are to
## the pieces.  @code{size}, @code{gather}, display and @code{save} are as ever.  What else there is, as lists of indices, sorting, matrix products and complex
## arithmetic, takes a copy on the first GPU, or, where it does not fit there, is done by Octave on the host.  An error of one GPU ends
## the call on all, and names the GPU; @code{gpu_explain} tells which GPUs an array lies on.  Where there is no GPU, or the device "cpu" is set, or one GPU is named, this is an ordinary gpuArray.
##
## @example
## @group
## g = gpuArray (reshape (1:12, 2, 6), "devices", "all");
## gather (sum (2 * g, 2))'
##     @result{} 72   84
## @end group
## @end example
##
## What users of MATLAB look for:
##
## @table @asis
## @item classes
## @code{class (@var{g})} is "gpuArray", @code{underlyingType (@var{g})} the class of the elements: double, single, the eight
## integer classes, logical or char.  Mixed operands follow Octave's rules: single with double is single, integers
## saturate.  @code{isa} knows "gpuArray", "numeric", "float" and "integer".
## @item shapes
## Any number of dimensions, empty ones too; operands broadcast as on the host.
## @item results
## Operators, indexing and elementwise functions give gpuArrays.  Reductions and functions that Octave does on the host
## give gpuArrays where the result is an array, and numbers where it has one element; text, cells and sizes are the host's.
## @item complex results
## The square root or logarithm of a negative element makes the result complex, and a result whose imaginary parts are all 0 is
## real, as on the host (MATLAB has an error there).
## @item display
## As the host's array: @code{isgpuarray} tells the difference.
## @item errors
## Those of the host, for sizes and classes that do not go together, and indices.  Of gpuArrays alone:
## @code{gpureduce:invalid-input} for what cannot be copied (cells, structures, sparse arrays) and for a
## gpuArray that is no longer alive, @code{gpureduce:out-of-memory} when the
## copy does not fit, @code{gpureduce:no-value-type} where the part of the package that
## makes gpuArrays could not be compiled.
## @end table
##
## @example
## @group
## x = gpuArray (single ([1 4; 9 16]));
## y = sqrt (x) - 1;
## gather (y(:, end)')
##     @result{} 1   3
## if (all (y(:) >= 0)) underlyingType (y), end
##     @result{} single
## @end group
## @end example
##
## The package ocl has a gpuArray of its own; where both are loaded, the one
## loaded last is found first, and @code{gpu_doctor} says so.
## @seealso{gather, isgpuarray, existsOnGPU, underlyingType, gpurng, gpuDevice, gpu_sum, gpu_config}
## @end deftypefn

function g = gpuArray (x, varargin)

  persistent looked = false;
  persistent makers = struct ();
  if (nargin == 0)
    if (isempty (fieldnames (makers)))
      for name = {"zeros", "ones", "eye", "Inf", "inf", "NaN", "nan", "NA", "true", "false", "rand", "randn", "randi", ...
                  "rande", "randg", "randp", "randperm", "linspace", "logspace", "colon"}
        makers.(name{1}) = @(varargin) __gpr_octave__ ("create", name{1}, varargin{:}, "gpuArray");
      endfor
    endif
    g = makers;
    return;
  elseif (nargin != 1 && ! (nargin == 3 && ischar (varargin{1}) && strcmpi (varargin{1}, "devices")))
    print_usage ();
  endif
  if (! looked)
    looked = true;
    other = other_gpuarray ();
    if (! isempty (other))
      warning ("gpureduce:shadowed", "gpuArray: the one of %s is hidden by that of gpureduce", other);
    endif
  endif
  g = __gpr_octave__ ("upload", x, varargin{2:end});

endfunction


## queries answer as the built-ins do for the same data
%!test
%! queries = {@size, @numel, @ndims, @rows, @columns, @length, @isempty, ...
%!            @isscalar, @isvector, @isrow, @iscolumn, @ismatrix, @issquare, ...
%!            @isreal, @iscomplex, @isnumeric, @isfloat, @isinteger, ...
%!            @islogical, @ischar};
%! arrays = {5, [], 1:3, (1:3)', magic(3), zeros(0, 3), zeros(3, 0), ...
%!           zeros(1, 0), zeros(0, 1), ones(2, 3, 4), ones(1, 1, 3), ...
%!           zeros(2, 0, 3), single(1:3), int8([1 2; 3 4]), uint64(7), ...
%!           true, "text", "", [1+2i 3], single(1i), eye(3), 1:0};
%! for x = arrays
%!   g = gpuArray (x{1});
%!   for q = queries
%!     answer = q{1} (x{1});
%!     assert (q{1} (g), answer);
%!     assert (class (q{1} (g)), class (answer));
%!   endfor
%! endfor

## size has the built-in's call forms
%!test
%! x = ones (2, 3, 4);
%! g = gpuArray (x);
%! for d = {1, 2, 3, 4, 7, [1 2], [3 1], [2 5 1], int8(2)}
%!   assert (size (g, d{1}), size (x, d{1}));
%! endfor
%! assert (size (g, 1, 3), size (x, 1, 3));
%! [r, c] = size (g);
%! assert ([r c], [2 12]);
%! [r, c, p] = size (g);
%! assert ([r c p], [2 3 4]);
%! [r, c, p, q] = size (g);
%! assert ([r c p q], [2 3 4 1]);
%! [r, c] = size (g, [3 1]);
%! assert ([r c], [4 2]);
%! [r, c] = size (g, 2, 3);
%! assert ([r c], [3 4]);
%!error <out of range> size (gpuArray (1), 0)
%!error size (gpuArray (1), 1.5)
%!error size (gpuArray (1), {})

## class functions give the built-in's numbers, and NA
%!test
%! odd = [-0.5 0.5 1.5 2.5 -2.5 127.5 -128.5 255.5 0.49999999999999994 NaN NA Inf -Inf 2^31-0.5 2^53 2^63 2^64 -2^63 1e300];
%! classes = {@double, @single, @int8, @uint8, @int16, @uint16, @int32, @uint32, @int64, @uint64};
%! for from = classes
%!   x = from{1} ([odd, 1e3*randn(1, 3000)]);
%!   if (isinteger (x))
%!     x = [x, intmin(class (x)), intmax(class (x))];
%!   endif
%!   for to = classes
%!     want = to{1} (x);
%!     y = to{1} (gpuArray (x));
%!     assert (class (y), "gpuArray");
%!     assert (gather (y), want);
%!     assert (isna (gather (y)), isna (want));
%!   endfor
%!   assert (gather (from{1} (gpuArray ([true false]))), from{1} ([true false]));
%! endfor
%! assert (gather (double (gpuArray (single ([1+2i NaN NA])))), double (single ([1+2i NaN NA])));
%! assert (size (int8 (gpuArray (zeros (0, 3)))), [0 3]);
%! assert (gather (logical (gpuArray ([2 0]))), [true false]);
%!error <logical> logical (gpuArray (NaN))

## classes
%!assert (class (gpuArray (1)), "gpuArray")
%!assert (classUnderlying (gpuArray (single (1))), "single")
%!assert (isUnderlyingType (gpuArray (int8 (1)), "int8"))
%!assert (! isUnderlyingType (gpuArray (int8 (1)), "double"))
%!test
%! for to = {@double, @single, @int8, @uint8, @int16, @uint16, @int32, ...
%!           @uint32, @int64, @uint64, @logical}
%!   x = [0 1.6 200; 2 3 0];
%!   y = to{1} (gpuArray (x));
%!   assert (isgpuarray (y));
%!   assert (gather (y), to{1} (x));
%!   assert (underlyingType (y), func2str (to{1}));
%! endfor

## handles
%!test
%! g = gpuArray (1:3);
%! h = g;
%! k = gpuArray (g);
%! clear g
%! assert (gather (h), 1:3);
%! clear h
%! assert (gather (k), 1:3);
%! delete (k);
%! assert (existsOnGPU (k), false);
%! delete (k);
%!test
%! before = __gpureduce__ ("diagnose").handles;
%! for i = 1:2000
%!   g = gpuArray (i);
%!   h = max (gpuArray ([i i; 0 1]));
%!   try
%!     gpuArray ({i});
%!   catch
%!   end_try_catch
%!   try
%!     gpu_sum (h, -1);
%!   catch
%!   end_try_catch
%! endfor
%! assert (gather (g), 2000);
%! clear g h
%! assert (__gpureduce__ ("diagnose").handles, before);
%!test
%! before = __gpureduce__ ("diagnose").handles;
%! c = cellfun (@gpuArray, {1, 2:3, "a"}, "uniformoutput", false);
%! s.x = c;
%! assert (cellfun (@gather, c, "uniformoutput", false), {1, 2:3, "a"});
%! assert (cellfun (@numel, c), [1 2 1]);
%! clear c
%! assert (__gpureduce__ ("diagnose").handles, before + 3);
%! clear s
%! assert (__gpureduce__ ("diagnose").handles, before);
%!test
%! f = @gpuArray;
%! g = gpuArray (1:3);
%! assert (gather (f ("ab")), "ab");
%! assert (gather (f (g)), 1:3);
%!function y = fails (x)
%!  g = gpuArray (x);
%!  error ("test:left", "g is left behind");
%!endfunction
%!test
%! before = __gpureduce__ ("diagnose").handles;
%! try
%!   fails (1:5);
%! catch e
%!   assert (e.identifier, "test:left");
%! end_try_catch
%! clear e
%! assert (__gpureduce__ ("diagnose").handles, before);

## isequal
%!assert (isequal (gpuArray (1:3), 1:3))
%!assert (isequal (1:3, gpuArray (1:3)))
%!assert (isequal (gpuArray (1:3), gpuArray (1:3), [1 2 3]))
%!assert (! isequal (gpuArray (1:3), gpuArray (1:4)))
%!assert (! isequal (gpuArray (NaN), NaN))

## the built-ins' names
%!test
%! x = [3 1 4; 1 5 9];
%! g = gpuArray (x);
%! for f = {@sum, @prod, @sumsq, @mean, @max, @min, @any, @all}
%!   y = f{1} (g);
%!   assert (isgpuarray (y));
%!   assert (gather (y), f{1} (x));
%!   assert (f{1} (gpuArray (5)), f{1} (5));
%! endfor
%! assert (gather (sum (g, 2)), sum (x, 2));
%! assert (sum (g, "all"), 23);
%! [m, i] = max (g, [], 2);
%! assert (gather (m), [4; 9]);
%! assert (gather (i), [3; 3]);
%! assert (gather (max (g, 3)), max (x, 3));
%! assert (gather (min (3, g)), min (3, x));
%! assert (gather (g.sum (2)), [8; 15]);
%! assert (class (sum (g, "all")), "double");
%!test
%! x = [3 1 4; 1 5 9];
%! g = gpuArray (x);
%! for f = {@var, @std, @median, @mode, @range, @cumsum, @cumprod, @cummax, @cummin}
%!   assert (gather (f{1} (g)), f{1} (x), 8 * eps);
%!   assert (isgpuarray (f{1} (g)));
%! endfor
%! assert (norm (g, "fro"), norm (x, "fro"), 8 * eps);
%! assert (gather (dot (g, g)), dot (x, x));
%! assert (nnz (g), 6);
%! [s, l] = bounds (g, 2);
%! assert ([gather(s), gather(l)], [1 4; 1 9]);
%! [w, iw] = cummax (g, 2);
%! assert (gather (iw), [1 1 3; 1 2 3]);
%! assert (gather (accumarray (gpuArray ([1; 2; 1]), [10; 20; 30])), [40; 20]);
%! assert (gather (histcounts (g, [0 3 10])), [2 4]);
%!assert (gather (histc (gpuArray ([1 2 2 5]), 1:5)), [1 2 0 0 1])
%!assert (gather (hist (gpuArray ([1 2 2 5]), 4)), hist ([1 2 2 5], 4))
%!test
%! g = gpuArray (int8 ([100 100; 1 2]));
%! assert (gather (sum (g, 2, "native")), int8 ([127; 3]));
%! assert (underlyingType (sum (g, 2, "native")), "int8");
%! assert (gather (max (sum (g))), 102);

## how it looks
%!test
%! for x = {magic(3), int8([1 2; 3 4]), 5, [], single(1+2i), true, "text"}
%!   h = x{1};
%!   g = gpuArray (h);
%!   assert (evalc ("disp (g)"), evalc ("disp (h)"));
%!   assert (strrep (evalc ("g"), "g =", "h ="), evalc ("h"));
%! endfor
%! delete (g);
%! assert (strtrim (evalc ("disp (g)")), "deleted gpuArray");
%!error <unknown method or property: foo>
%! g = gpuArray (1);
%! g.foo

## bad input
%!error <Invalid call to gpuArray> gpuArray (1, 2, 3)
%!error <Invalid call to gpuArray> gpuArray (1, 2)
%!error <gpuArray: X must be> gpuArray ({})
%!error id=gpureduce:invalid-input gpuArray (struct ())
%!error id=gpureduce:invalid-input gpuArray (@sin)
%!error id=gpureduce:invalid-input gpuArray (sparse (1))
%!error id=gpureduce:invalid-input gpuArray (containers.Map ())
%!error id=gpureduce:invalid-input
%! g = gpuArray (1:3);
%! delete (g);
%! size (g);
%!error id=gpureduce:invalid-input
%! g = gpuArray (1:3);
%! delete (g);
%! gpu_sum (g);
