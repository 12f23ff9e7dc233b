## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{v} =} gpu_std (@var{x})
## @deftypefnx {} {@var{v} =} gpu_std (@var{x}, @var{w})
## @deftypefnx {} {@var{v} =} gpu_std (@var{x}, @var{w}, @var{dim})
## @deftypefnx {} {@var{v} =} gpu_std (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{v} =} gpu_std (@dots{}, "device", @var{d})
## Standard deviation of the elements of @var{x} along dimension @var{dim}, as the
## built-in @code{std}, computed on the GPU in one reading of @var{x}.
##
## It is the square root of the variance: of the sum of the squares of the distances to
## the mean, divided by n - 1.
##
## @var{x} is a numeric or logical array of any size, real or complex.  The default
## dimension is the first that is not 1, and the result has the size of @var{x} with
## 1 in that place; it is single for single @var{x}, double for every other class,
## and real.  One element alone has std 0; without elements it is NaN.
##
## @table @asis
## @item @var{w}
## 0 or []: divide by n - 1 (default); 1: by n.  A vector of weights at least 0, one an element
## along @var{dim}: the sums for the mean and the variance are of weighted terms, divided by the sum of
## the weights.  This takes several readings, in single where @var{x} or @var{w} is.  With weights
## @var{dim} is one dimension, and integer or complex @var{x} goes to the built-in; with "omitnan"
## too @var{x} must be real, and passes through the host.
##
## @item @var{dim}
## A dimension, a vector of dimensions to reduce over together, or "all".
##
## @item @var{nanflag}
## "includenan" (default): a NaN (or an infinity) makes the result NaN; "omitnan": NaN
## elements are left out, and n counts the others.
##
## @item "device", @var{d}
## Where to compute: "gpu", "cpu", "auto" (wherever this call is fastest) or the
## number of a GPU, from 1.  Without it the GPU is used when there is one, else
## the CPU, with one warning (@code{gpureduce:cpu-fallback}) a session.
## @end table
##
## Singles are computed in double and rounded once.  The built-in goes over the data
## twice; here each lane of the reduction takes the distances to its own first element,
## and lanes merge by the rule of Chan, Golub and LeVeque, in a fixed tree, the same
## on every GPU and on the CPU.  The relative error stays within a few hundred roundings
## even where the mean is large beside the deviation.
##
## A gpuArray is reduced where it lies; a result with one element comes back as a
## number, others stay on the GPU.  Sparse @var{x} goes to the built-in @code{std}.
##
## @example
## @group
## gpu_std ([2 4 4 4 5 5 7 9])
##     @result{} 2.1381
## gpu_std ([2 4 4 4 5 5 7 9], 1)
##     @result{} 2
## gpu_std ([1 2; 3 5; 5 NaN], 0, 1, "omitnan")
##     @result{} 2.0000   2.1213
## @end group
## @end example
##
## Errors are those of the built-in, with this function's name in front; what only this
## function knows raises @code{gpureduce:invalid-input}, a GPU that is asked for and
## absent @code{gpureduce:no-device}.
##
## Source: T. F. Chan, G. H. Golub, R. J. LeVeque, ``Updating formulae and a pairwise
## algorithm for computing sample variances'' (1979).
## @seealso{gpu_var, gpu_mean, gpu_stats, gpuArray, std}
## @end deftypefn

function v = gpu_std (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  v = __gpureduce__ ("std", varargin{:});
endfunction

%!function same (varargin)
%!  y = gather (gpu_std (varargin{:}));
%!  args = cellfun (@gather, varargin, "uniformoutput", false);
%!  y0 = std (args{:});
%!  assert (size (y), size (y0));
%!  assert (class (y), class (y0));
%!  assert (isnan (y), isnan (y0));
%!  scale = max (abs (double (args{1}(:))));
%!  assert (double (y), double (y0), 100 * eps (class (y0)) * max ([1, scale, scale ^ 2]));
%!endfunction

%!assert (gpu_std ([2 4 4 4 5 5 7 9], 1), 2, 4 * eps)
%!assert (gpu_std ([1 2; 3 5; 5 NaN], 0, 1, "omitnan"), [2 sqrt(4.5)], 8 * eps)

## the built-in's values, sizes and classes
%!test
%! x = reshape (mod ((1:120) * 37, 23) - 7, 4, 5, 6);
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   y = cast (x, type{1});
%!   same (y);
%!   for w = {0, 1, []}
%!     for dim = 1:4
%!       same (y, w{1}, dim);
%!     endfor
%!   endfor
%!   for w = [0 1]
%!     same (y, w, [1 3]);
%!     same (y, w, [3 2]);
%!     same (y, w, "all");
%!   endfor
%!   assert (gpu_std (y, [], "all"), gpu_std (y, 0, "all"));
%! endfor
%!test
%! for n = [1 2 3 7 8 9 100 1000 20000]
%!   x = cos ((1:n) .^ 2);
%!   same (x);
%!   same (x');
%!   same (single (x), 1);
%!   same (complex (x, sin (1:n)));
%! endfor
%!test
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [1 3 0 2]}
%!   same (zeros (s{1}));
%!   same (zeros (s{1}, "single"), 1);
%!   for dim = 1:4
%!     same (zeros (s{1}), [], dim);
%!   endfor
%! endfor

## NaN and infinities
%!test
%! for x = {Inf, NaN, -Inf, [1 Inf 3], [1 NaN 3], [1 2 3; 3 Inf 5], [Inf 2 NaN], [NaN 2 Inf]', single([1 NaN]), complex(1, NaN)}
%!   same (x{1});
%!   for dim = 1:3
%!     same (x{1}, [], dim);
%!   endfor
%! endfor
%!assert (gpu_std ([3 NaN 5], "omitnan"), std ([3 5]), 4 * eps)
%!assert (gpu_std ([NaN NaN], "omitnan"), NaN)
%!assert (gpu_std ([NaN 4], 0, "omitnan"), 0)
%!assert (gpu_std ([3 NaN 5], 1, 2, "OmitNaN"), std ([3 5], 1), 4 * eps)
%!assert (gpu_std ([3 NaN 5], "includenan"), NaN)

## a large mean: the distances count
%!test
%! x = 1e9 + mod ((1:10000) * 7919, 1009) / 1000;
%! assert (gpu_std (x), std (x - 1e9), -1e-12);       # std (x) itself is off by 4e-9
%! x = [1e8, ones(1, 5000)];    # a first element far from all others
%! assert (gpu_std (x), std (x), -1e-12);

## gpuArrays, devices, sparse
%!test
%! x = magic (6);
%! v = gpu_std (gpuArray (x), 0, 2);
%! assert (isgpuarray (v));
%! same (gpuArray (x), 0, 2);
%! same (gpuArray (single (x)));
%! same (gpuArray (int16 (x)), 1, [1 2]);
%! assert (isgpuarray (gpu_std (gpuArray (x), 0, "all")), false);
%!assert (gpu_std ([1 2 4], "device", "cpu"), std ([1 2 4]), 4 * eps)
%!assert (gpu_std ([1 2 4], 0, 2, "DEVICE", "auto"), std ([1 2 4]), 4 * eps)
%!assert (full (gpu_std (sparse (2 * eye (2)))), std (2 * eye (2)), 4 * eps)
%!assert (gpu_std (cos (1:50000)), gpu_std (cos (1:50000)))

## errors
%!error <Invalid call to gpu_std> gpu_std ()
%!error id=Octave:invalid-fun-call gpu_std (1, 0, 1, 1)
%!error <gpu_std: .*X must be a numeric> gpu_std (["A"; "B"])
%!error <gpu_std: .*X must be a numeric> gpu_std ({1})
%!error <gpu_std: W must be 0> gpu_std ([1 2 3], 2)
%!error <gpu_std: .*W must be .* a vector of positive integers> gpu_std ([1 2], [-1 0])
%!error <gpu_std: .*W must be either 0 or 1> gpu_std (ones (2, 2), [1 2], [1 2])
%!error <gpu_std: DIM must be a positive integer> gpu_std (1:3, 0, -1)
%!error <gpu_std: DIM must be a positive integer> gpu_std (1:3, 0, 1.5)
%!error <gpu_std: DIM must be a positive integer> gpu_std (1:3, 0, "some")
%!error <gpu_std: vector DIM must> gpu_std (ones (2, 2), 0, [1 1])
%!error id=gpureduce:invalid-input gpu_std (sparse ([1 NaN 3]), "omitnan")
%!error id=gpureduce:invalid-input gpu_std (1:3, "device", "toaster")
%!error <gpu_std: device> gpu_std (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_std (1:3, "device", 1000)
