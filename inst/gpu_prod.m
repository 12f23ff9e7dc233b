## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_prod (@var{x})
## @deftypefnx {} {@var{y} =} gpu_prod (@var{x}, @var{dim})
## @deftypefnx {} {@var{y} =} gpu_prod (@dots{}, "native")
## @deftypefnx {} {@var{y} =} gpu_prod (@dots{}, "double")
## @deftypefnx {} {@var{y} =} gpu_prod (@dots{}, "all")
## @deftypefnx {} {@var{y} =} gpu_prod (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{y} =} gpu_prod (@dots{}, "device", @var{d})
## Product of the elements of @var{x} along dimension @var{dim}, as the built-in
## @code{prod}, computed on the GPU.
##
## @var{x} is a numeric, logical or character array of any size.  The default
## dimension is the first that is not 1, and the result has the size of @var{x}
## with 1 in that dimension; an empty product is 1, so @code{gpu_prod ([])} is 1 and
## @code{gpu_prod (zeros (0, 3))} is @code{[1 1 1]}.  The result is single for
## single @var{x}, double for every other class, complex for complex @var{x}.
##
## @table @asis
## @item "native"
## Multiply integers in their own class, saturating at every step in the order of
## the elements; for logical @var{x} the answer is that of @code{all}.
##
## @item "double"
## Multiply singles in double precision.
##
## @item @var{dim}
## A dimension, a vector of dimensions to reduce together, or "all".
##
## @item "omitnan", "includenan"
## Leave NaN (and NA) elements out, or let them make the result NaN (the default).
## The product of no elements is 1.
## @end table
##
## NaN and NA elements make the product NaN, and NA where one of them is NA; 0 and
## Inf together make NaN.  Up to 8 numbers are multiplied from left to right, as the
## built-in does; more of them by pairs in a fixed tree, the same on every GPU and
## on the CPU, so that the result differs from the built-in's in its last bits
## only.  Where the tree overflows or underflows, the product is taken again in the
## built-in's order.  A product that has a factor 0, and is 0 by the tree, stays 0,
## where the built-in gives NaN if the factors before that one overflow; in the same way
## one that is Inf by the tree, and has a factor Inf, stays Inf.  Unlike
## Octave 7.3, @code{gpu_prod (single ([1 2; 3 4]), 2, "double")} is right.
##
## Sparse @var{x} goes to the built-in @code{prod} and stays sparse.
##
## @example
## @group
## gpu_prod ([1 2 3; 4 5 6])
##     @result{} 4   10   18
## gpu_prod ([1 2 3; 4 5 6], 2)
##     @result{}   6
##        120
## gpu_prod (int8 ([100 2 -1]), "native")
##     @result{} -127
## gpu_prod ([2 NaN 3], "omitnan")
##     @result{} 6
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: M. Harris, @cite{Optimizing Parallel Reduction in CUDA} (NVIDIA, 2007).
## Errors of a product: N. J. Higham, @cite{Accuracy and Stability of Numerical Algorithms}
## (SIAM, 2002), section 3.1.
## @seealso{gpu_sum, gpu_sumsq, gpu_reduce, gpu_options, prod}
## @end deftypefn

function y = gpu_prod (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  y = __gpureduce__ ("prod", varargin{:});
endfunction

%!assert (gpu_prod ([1 2 3; 4 5 6]), [4 10 18])
%!assert (gpu_prod ([1 2 3; 4 5 6], 1), [4 10 18])
%!assert (gpu_prod ([1 2 3; 4 5 6], 2), [6; 120])
%!assert (gpu_prod ([1 2 3; 4 5 6], 3), [1 2 3; 4 5 6])
%!assert (gpu_prod (5), 5)
%!test # products_of_no_singles_are_1
%! assert (gpu_prod (single (zeros (7, 17, 0)), 3, "double"), ones (7, 17));
%! assert (gpu_prod (single (zeros (7, 17, 0)), 3), ones (7, 17, "single"));
%! assert (gpu_prod (single ([])), single (1));
%!assert (gpu_prod (5, 7), 5)
%!assert (gpu_prod (1:10), 3628800)
%!assert (gpu_prod ((1:10)'), 3628800)

## classes: the built-in's values and classes
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64"}
%!   x = cast (reshape (mod (1:24, 3) + 1, 4, 3, 2), type{1});
%!   for dim = 1:4
%!     assert (gpu_prod (x, dim), prod (x, dim));
%!     assert (gpu_prod (x, dim, "native"), prod (x, dim, "native"));
%!     assert (gpu_prod (x, dim, "double"), double (prod (x, dim)));
%!   endfor
%!   assert (class (gpu_prod (x)), class (prod (x)));
%!   assert (class (gpu_prod (x, "native")), class (prod (x, "native")));
%!   assert (class (gpu_prod (x, "double")), "double");
%! endfor
%!assert (gpu_prod ([true false; true true]), [1 0])
%!assert (class (gpu_prod (true)), "double")
%!assert (gpu_prod ([true false; true true], "native"), [true false])
%!assert (gpu_prod ("ab"), 9506)
%!assert (gpu_prod (["ab"; "cd"], 2), [9506; 9900])
%!assert (gpu_prod ([1+2i 3-1i]), 5+5i)
%!assert (gpu_prod (single ([1+2i 3-1i])), single (5+5i))
%!assert (isreal (gpu_prod ([1+2i 1-2i])))
%!assert (gpu_prod ([1i; 2i], 2), [1i; 2i])
%!assert (gpu_prod (single ([1+2i 3-1i]), "double"), 5+5i)
%!assert (gpu_prod (single ([1 2; 3 4]), 2, "double"), [2; 12])
%!assert (class (gpu_prod (single ([1 2; 3 4]), 2, "double")), "double")
%!assert (gpu_prod (0.5:0.5:2), 1.5)
%!assert (gpu_prod (eye (3)), [0 0 0])
%!assert (gpu_prod (diag (7)), 7)
%!assert (gpu_prod (eye (2)([2 1],:)), [0 0])

## empties
%!assert (gpu_prod ([]), 1)
%!assert (gpu_prod (zeros (0, 0), 2), zeros (0, 1))
%!assert (gpu_prod (zeros (0, 3)), [1 1 1])
%!test
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [0 3 2], [3 0 2], [2 3 0]}
%!   for type = {"double", "single", "int8", "logical", "char"}
%!     x = feval (type{1}, zeros (s{1}));
%!     assert (gpu_prod (x), prod (x));
%!     for dim = 1:4
%!       assert (gpu_prod (x, dim), prod (x, dim));
%!       assert (class (gpu_prod (x, dim)), class (prod (x, dim)));
%!     endfor
%!   endfor
%! endfor
%!assert (gpu_prod (zeros (0, 3), "all"), 1)
%!assert (class (gpu_prod (single ([]))), "single")

## NaN, NA, Inf, -0, ends of the range
%!assert (gpu_prod ([2 NaN 3]), NaN)
%!assert (isna (gpu_prod ([NA 2])))
%!assert (isna (gpu_prod (single ([2 NA]))))
%!assert (isna (gpu_prod ([NA, ones(1, 5000)])))
%!assert (! isna (gpu_prod ([1 NaN])))
%!assert (gpu_prod ([0 Inf]), NaN)
%!assert (gpu_prod ([-2 Inf]), -Inf)
%!assert (1 / gpu_prod ([-0 1]), -Inf)
%!assert (1 / gpu_prod ([-0 -1]), Inf)
%!assert (gpu_prod ([1e200 1e200 1e-200]), Inf)
%!assert (gpu_prod ([1e-200 1e-200 1e200]), 0)
%!test
%! x = [1e-30*ones(1, 20), 1e30*ones(1, 20)];
%! assert (any (abs (gpu_prod (x) - [1, prod(x)]) <= 40 * eps));
%! x = [repmat([1e30 1e-30], 1, 50)];
%! assert (gpu_prod (x), 1, 200 * eps);
%! x = [zeros(1, 30), 1e300*ones(1, 30)];
%! assert (gpu_prod (x), prod (x));
%!assert (gpu_prod (single ([1e30 1e30])), single (Inf))

## "native": saturates at every step, in order
%!assert (gpu_prod (int8 ([100 2 -1]), "native"), int8 (-127))
%!assert (gpu_prod (int8 ([-1 100 100]), "native"), int8 (-128))
%!assert (gpu_prod (int8 ([100 100 -1 -1]), "native"), int8 (127))
%!assert (gpu_prod (int8 ([100 2 0]), "native"), int8 (0))
%!assert (gpu_prod (uint8 ([20 20]), "native"), uint8 (255))
%!assert (gpu_prod (int64 (2)^40 * int64 ([1 1]), "native"), intmax ("int64"))
%!assert (gpu_prod (int64 ([3037000499 3037000499]), "native"), int64 (9223372030926249001))
%!assert (gpu_prod ([intmax("uint64") 2], "native"), intmax ("uint64"))
%!test
%! x = int8 (mod ((1:600) * 7919, 5) - 2);
%! x(x == 0) = 1;
%! assert (gpu_prod (x, "native"), prod (x, "native"));
%! assert (gpu_prod (reshape (x, 20, 30), 1, "native"), prod (reshape (x, 20, 30), 1, "native"));
%! assert (gpu_prod (reshape (x, 20, 30), 2, "native"), prod (reshape (x, 20, 30), 2, "native"));

## options of our own
%!assert (gpu_prod ([1 2; 3 4], "all"), 24)
%!assert (gpu_prod ([1 2; 3 4], "All"), 24)
%!test
%! x = reshape (mod (1:24, 3) + 1, 4, 3, 2);
%! assert (gpu_prod (x, [1 2]), prod (prod (x, 1), 2));
%! assert (gpu_prod (x, [1 3]), prod (prod (x, 1), 3));
%! assert (gpu_prod (x, [2 3]), prod (prod (x, 2), 3));
%! assert (gpu_prod (x, [1 2 3]), prod (x(:)));
%!assert (gpu_prod ([2 NaN 3], "omitnan"), 6)
%!assert (gpu_prod ([2 NaN 3], "includenan"), NaN)
%!assert (gpu_prod ([2 NA; NaN 3], 1, "OmitNaN"), [2 3])
%!assert (gpu_prod ([NaN NaN], "omitnan"), 1)
%!assert (gpu_prod (single ([2 NaN]), "omitnan"), single (2))
%!assert (gpu_prod ([1+2i, complex(NaN, 1)], "omitnan"), 1+2i)
%!assert (gpu_prod (uint8 ([2 3]), "omitnan"), 6)
%!assert (gpu_prod (1:4, "device", "cpu"), 24)
%!assert (gpu_prod (1:4, "DEVICE", "auto"), 24)

## long ones: within the bound, the same bits twice
%!test
%! x = 1 + (mod ((1:20000) * 7919, 1009) - 504) / 1e5;
%! assert (gpu_prod (x), prod (x), -20000 * eps);
%! assert (gpu_prod (x), gpu_prod (x));
%! assert (gpu_prod (x, "device", "cpu"), gpu_prod (x));
%! z = x(1:3000) .* exp (1i * (1:3000) / 1e3);
%! assert (abs (gpu_prod (z) - prod (z)) <= 3000 * 4 * eps * abs (prod (z)));

## arrays the built-in takes
%!test
%! s = gpu_prod (sparse ([1 0; 2 3]));
%! assert (issparse (s));
%! assert (full (s), [2 0]);
%!assert (gather (gpu_prod (gpuArray ([1 2; 3 4]), 2)), [2; 12])
%!assert (gpu_prod (gpuArray (1:4)), 24)

## errors
%!error <Invalid call to gpu_prod> gpu_prod ()
%!error id=Octave:invalid-fun-call gpu_prod (1, 2, 3, 4)
%!error <gpu_prod: invalid dimension DIM = 0> gpu_prod (1:3, 0)
%!error <gpu_prod: invalid dimension DIM = -1> gpu_prod (1:3, -1)
%!test __gpr_same__ ("prod", 1:3, "foo")
%!test __gpr_same__ ("prod", 1:3, "extra")
%!error <gpu_prod: .*wrong type argument 'cell'> gpu_prod ({1, 2})
%!error <wrong type argument> gpu_prod (struct ("a", 1))
%!error id=gpureduce:invalid-input gpu_prod (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_prod (1:3, "device", 1000)
