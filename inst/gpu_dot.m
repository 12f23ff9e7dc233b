## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{z} =} gpu_dot (@var{x}, @var{y})
## @deftypefnx {} {@var{z} =} gpu_dot (@var{x}, @var{y}, @var{dim})
## @deftypefnx {} {@var{z} =} gpu_dot (@dots{}, "exact")
## @deftypefnx {} {@var{z} =} gpu_dot (@dots{}, "device", @var{d})
## Dot product of @var{x} and @var{y} along dimension @var{dim}, as the built-in
## @code{dot}, computed on the GPU: the sum of @code{conj (@var{x}) .* @var{y}}.
##
## @var{x} and @var{y} are numeric arrays of the same size, or vectors of the same length
## in any orientation.  The default dimension is the first that is not 1.  The result is
## single where one is single, else double; products of integers are rounded and saturate
## in their class before they are summed, as in the built-in.
##
## The products are rounded once each, then summed in the tree of @code{gpu_sum}, in one
## reading of the two arrays.  Of arrays of two floating-point classes, or of which one is
## complex, that one is converted on the CPU first; integers are multiplied first.  A result
## of more than one element stays on the GPU where an operand is a gpuArray.
##
## With "exact" the sum of the exact products is rounded once, to the nearest number of the
## result's class (ties to even), whatever the order of the elements: products that overflow
## or underflow count with their own values, of complex numbers each part is such a sum, and
## sparse operands are made full.
## Dot products of integers are exact sums in any case.  The method is that of
## @code{gpu_sum}, with the products split exactly in two.
##
## @example
## @group
## gpu_dot ([1 2 3], [4 5 6])
##     @result{} 32
## gpu_dot ([1i 2], [3 4i])
##     @result{} 0 + 5i
## gpu_dot ([1 2; 3 4], [5 6; 7 8], 2)
##     @result{} 17
##        53
## gpu_dot ([1e200 1 -1e200], [1e200 1 1e200], "exact")
##     @result{} 1
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source of "exact": T. J. Dekker, ``A floating-point technique for extending the available
## precision'', @cite{Numerische Mathematik} 18 (1971), for the products.
## @seealso{gpu_sum, gpu_norm, gpu_sumsq, gpu_options, dot}
## @end deftypefn

function z = gpu_dot (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  z = __gpureduce__ ("dot", varargin{:});
endfunction

%!function same (x, y, varargin)
%!  z0 = dot (x, y, varargin{:});
%!  for way = {{x, y}, {gpuArray(x), gpuArray(y)}, {gpuArray(x), y}, {x, gpuArray(y)}}
%!    z = gather (gpu_dot (way{1}{:}, varargin{:}));
%!    assert (size (z), size (z0));
%!    assert (class (z), class (z0));
%!    assert (double (z), double (z0), 1000 * eps (class (z0)) * max ([1; abs(double (z0(:)))]));
%!  endfor
%!endfunction

## Complex numbers that are not finite: the built-in's answer is that of its BLAS on this processor.
%!function z = by_parts (x, y, dim)
%!  re = sum (real (x) .* real (y) + imag (x) .* imag (y), dim);
%!  im = sum (real (x) .* imag (y) - imag (x) .* real (y), dim);
%!  z = re;
%!  if (any (im(:) != 0))
%!    z = complex (re, im);
%!  endif
%!endfunction

%!assert (gpu_dot ([1 2 3], [4 5 6]), 32)
%!assert (gpu_dot ([1i 2], [3 4i]), 5i)
%!assert (gpu_dot ([1 2; 3 4], [5 6; 7 8], 2), [17; 53])
%!test
%! x = cos (1:1000);
%! y = sin ((1:1000) .^ 2);
%! same (x, y);
%! same (x', y);
%! same (x, y');
%! same (single (x), y);
%! same (complex (x, y), complex (y, 2 * x));
%! same (complex (x, y), y);
%! same (x, single (complex (y, x)));
%! x = reshape (x(1:120), 4, 5, 6);
%! y = reshape (y(1:120), 4, 5, 6);
%! same (x, y);
%! for dim = 1:4
%!   same (x, y, dim);
%!   same (complex (x, y), y, dim);
%! endfor
%! same (1:3, 4:6, 1);
%! same (1:3, 4:6, 2);
%! same (5, 6);
## integers: products saturate, and round
%!test
%! for type = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}
%!   x = cast ([100 3 intmax(type{1}) 0 7], type{1});
%!   y = cast ([2 5 2 9 intmax(type{1})], type{1});
%!   same (x, y);
%!   same (x, double (y));
%!   same (x, [0.5 0.5 0.1 2.5 1]);
%! endfor
%! same (int8 ([-128 -128 127]), int8 ([127 -128 1]));
%! same (int64 ([intmin("int64") 3]), int64 ([-1 5]));
## every length and place of lanes and parts: the bits of gpu_sum of the products
%!test
%! for n = [1 2 7 8 9 64 127 128 129 2047 2049 65537 300001]
%!   x = rand (n, 3) - 0.5;
%!   y = rand (n, 3) - 0.5;
%!   assert (gpu_dot (x, y), gpu_sum (x .* y));
%!   assert (gpu_dot (x, y, 2), gpu_sum (x .* y, 2));
%!   assert (gpu_dot (x(:,1), y(:,2)'), gpu_sum (x(:,1) .* y(:,2)));
%!   assert (gpu_dot (single (x), single (y)), gpu_sum (single (x) .* single (y)));
%!   z = complex (x, y);
%!   assert (gpu_dot (z, 1i * y), gpu_sum (conj (z) .* complex (0, y)), 1e-12 * n);
%!   assert (gather (gpu_dot (gpuArray (x), gpuArray (y))), gpu_sum (x .* y));
%!   assert (gpu_dot (x(:,1), x(:,1)), gpu_sum (x(:,1) .* x(:,1)));
%! endfor
## NA, NaN, infinities and what overflows inside the tree
%!test
%! x = ones (1, 70000);
%! for pair = {{NA, 2}, {NaN, 2}, {Inf, 0}, {Inf, -1}, {1e200, 1e200}}
%!   y = x;
%!   y(5e4) = pair{1}{1};
%!   w = x;
%!   w(5e4) = pair{1}{2};
%!   assert (gpu_dot (y, w), gpu_sum (y .* w));
%!   assert (isna (gpu_dot (y, w)), isna (gpu_sum (y .* w)));
%! endfor
%! for pair = {{complex(Inf, 1), 2}, {2, complex(0, Inf)}, {complex(1, NaN), 0}, {single(3), complex(Inf, -Inf)}}
%!   y = [pair{1}{1}, 1, 2];
%!   w = [pair{1}{2}, 1, 1];
%!   assert (gpu_dot (y, w), by_parts (y, w, 2));
%!   assert (gpu_dot ([y; y], [w; w], 2), repmat (by_parts (y, w, 2), 2, 1));
%! endfor
%! x(:) = [repmat(1e300, 1, 35000), repmat(-1e300, 1, 35000)];
%! assert (gpu_dot (x, 1e7 * ones (size (x))), gpu_sum (1e7 * x));
%!test
%! for x = {[], zeros(0, 3), zeros(1, 0), zeros(3, 0)}
%!   assert (gpu_dot (x{1}, x{1}), dot (x{1}, x{1}));
%! endfor
%! assert (gpu_dot (sparse ([1 2]), [1 2]), 5);
%! assert (gpu_dot ([NaN 1], [1 1]), NaN);
%! assert (gpu_dot ([Inf 1], [0 1]), NaN);
%!assert (isgpuarray (gpu_dot (gpuArray (magic (3)), magic (3))))
%!assert (gpu_dot (1:3, 1:3, "device", "cpu"), 14)
%!assert (gpu_dot (1:3, 1:3, 2, "device", "auto"), 14)
%!error <Invalid call to gpu_dot> gpu_dot ()
%!error id=Octave:invalid-fun-call gpu_dot (1)
%!error id=Octave:invalid-fun-call gpu_dot (1, 2, 3, 4)
%!error <gpu_dot: sizes of X and Y must match> gpu_dot (1:3, 1:4)
%!error <gpu_dot: sizes of X and Y must match> gpu_dot (ones (2, 3), ones (3, 2))
%!error <gpu_dot: X and Y must be numeric> gpu_dot ({1}, 1)
%!error <gpu_dot: X and Y must be numeric> gpu_dot (true, true)
%!error <gpu_dot: DIM must be a valid dimension> gpu_dot (1:3, 1:3, 0)
%!error <gpu_dot: .*conversion of 1.5> gpu_dot (1:3, 1:3, 1.5)
%!error <gpu_dot: .*int8 matrix> gpu_dot (int8 ([1 2]), int16 ([1 2]))
%!error id=gpureduce:invalid-input gpu_dot (1:3, 1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_dot (1:3, 1:3, "device", 1000)
%!test                                   # integers with complex numbers as the built-in has them
%! __gpr_same__ ("dot", int8 ([1 2]), [1 2i]);
%! __gpr_same__ ("dot", [1i 2; 3 4], int16 ([1 2; 3 4]), 2);
%! same (int8 ([1 2; 3 4]), [1i 2; 3 4]);
%!test                                   # one operand of another class or kind, on the host and not
%! x = complex ([1.5 2; NaN 4], [0 0; 1 2]);
%! for y = {x, real(x), single(x), single(real (x)), [Inf 1e300; 1 -0], NaN(2)}
%!   for dim = 1:3
%!     assert (gpu_dot (x, y{1}, dim), by_parts (x, y{1}, dim));
%!     z = gpu_dot (gpuArray (y{1}), single (x), dim);
%!     assert (isgpuarray (z));
%!     assert (gather (z), by_parts (y{1}, single (x), dim));
%!   endfor
%! endfor
%!test                                   # a DIM that is sparse, beyond 2^53, on a GPU, or too many
%! assert (gpu_dot ([1 2; 3 4], [5 6; 7 8], sparse (2)), [17; 53]);
%! assert (gpu_dot ([1 2; 3 4], [5 6; 7 8], gpuArray (2)), [17; 53]);
%! __gpr_same__ ("dot", single ([1 2]), single ([3 4]), 2^60);
%! __gpr_same__ ("dot", [1 2], [3 4], [1 2]);
%! __gpr_same__ ("dot", [1 2], [3 4], "a");
## "exact": rounded once
%!assert (gpu_dot ([1e200 1 -1e200], [1e200 1 1e200], "exact"), 1)
%!assert (gpu_dot ([1e200; 1; -1e200] * [1 2], [1e200; 1; 1e200] * [1 3], 1, "exact"), [1 6])
%!assert (gpu_dot (single ([2^20+1, -2^20]), single ([2^20+1, 2^20]), "exact"), single (2^21 + 1))
%!assert (gpu_dot ([1e-200 1], [1e-200 1], "exact"), 1)
%!assert (gpu_dot ([1 1 1] * 1e-162, [1 1 1] * 1e-162, "Exact"), 2^-1074)
%!assert (gpu_dot ([1e200 1], [1e200 1], "exact"), Inf)
%!assert (isna (gpu_dot ([1 NA], [1 2], "exact")))
%!assert (gpu_dot ([Inf 1], [0 1], "exact"), NaN)
%!assert (gpu_dot (int8 ([100 1]), int8 ([2 3]), "exact"), 130)
%!assert (gpu_dot (gpuArray (int8 ([100 1])), gpuArray (int8 ([2 3])), "exact"), 130)
%!assert (gather (gpu_dot (gpuArray (uint8 ([9; 1])), gpuArray (uint8 ([2; 3])), 2, "exact")), [18; 3])
%!assert (gpu_dot (sparse ([1 2 0]), [1 2 3], "exact"), 5)
%!assert (gpu_dot ([], [], "exact"), dot ([], []))
%!assert (gpu_dot (single (3), 0.5, "exact"), single (1.5))
%!test                                   # complex ones part by part, against products that are exact
%! x = complex (randi ([-1000, 1000], 500, 3), randi ([-1000, 1000], 500, 3));
%! y = complex (randi ([-1000, 1000], 500, 3), randi ([-1000, 1000], 500, 3));
%! for dim = 1:2
%!   assert (gpu_dot (x, y, dim, "exact"), dot (x, y, dim));
%!   assert (gather (gpu_dot (gpuArray (x), gpuArray (y), dim, "exact")), dot (x, y, dim));
%! endfor
%! assert (gpu_dot (x * 2^-400, y * 2^-500, "exact"), dot (x, y) * 2^-900);
%! assert (gpu_dot (single (x), single (y), "exact"), single (dot (x, y)));
%!test                                   # what cancels leaves the rest, in any order
%! for n = [5 40 1001 70001]
%!   x = 10 .^ (200 * (rand (n, 1) - 0.5));
%!   y = 10 .^ (200 * (rand (n, 1) - 0.5));
%!   order = randperm (2 * n + 1);
%!   u = [x; 3; -x](order);
%!   v = [y; 0.1; y](order);
%!   assert (gpu_dot (u, v, "exact"), 3 * 0.1);
%!   assert (gpu_dot (single (u) * single (Inf), single (v), "exact"), single (NaN));
%! endfor
