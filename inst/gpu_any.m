## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{t} =} gpu_any (@var{x})
## @deftypefnx {} {@var{t} =} gpu_any (@var{x}, @var{dim})
## @deftypefnx {} {@var{t} =} gpu_any (@dots{}, "all")
## @deftypefnx {} {@var{t} =} gpu_any (@dots{}, "device", @var{d})
## True where any element of @var{x} along dimension @var{dim} is not zero, as the
## built-in @code{any}, computed on the GPU.
##
## @var{x} is a numeric, logical or character array of any size.  The default
## dimension is the first that is not 1 (also when @var{dim} is 0, as in the
## built-in), and the result has the size of @var{x} with 1 in that place.
## No element of nothing is true: @code{gpu_any ([])} is false and
## @code{gpu_any (zeros (0, 3))} is @code{[0 0 0]}.  The result is logical.
##
## @table @asis
## @item "all"
## In place of @var{dim}: reduce over all elements, to one.
##
## @item a vector of dimensions
## In place of @var{dim}: reduce over these dimensions together, as in
## @code{gpu_any (x, [1 3])}.
##
## @item "device", @var{d}
## Where to compute: "gpu", "cpu", "auto" (wherever this call is fastest) or the
## number of a GPU, from 1.  Without it the GPU is used when there is one, else
## the CPU, with one warning (@code{gpureduce:cpu-fallback}) a session.
## @end table
##
## NaN and NA count as false for @code{gpu_any} (as true for @code{gpu_all}), also
## in one part of a complex number, as in the built-ins; -0 and @code{char (0)} are
## false.
##
## "all" and "device" may be written in upper or lower case.  A gpuArray is
## reduced where it lies; a result with one element comes back as a number, others
## stay on the GPU.  Sparse @var{x} goes to the built-in @code{any} and stays sparse.
## So do cells, structures and objects: the answer for them is the built-in's.
##
## @example
## @group
## gpu_any ([0 0 1; 0 0 0])
##     @result{} 0   0   1
## gpu_any ([0 0 1; 0 0 0], 2)
##     @result{} 1
##        0
## gpu_any ([0 NaN])
##     @result{} 0
## gpu_any (eye (3), "all")
##     @result{} 1
## @end group
## @end example
##
## Errors are those of the built-in, with this function's name in front and the
## built-in's identifier (@code{Octave:invalid-fun-call} for a wrong number of
## arguments); what only this function knows raises
## @code{gpureduce:invalid-input}, a GPU that is asked for and absent
## @code{gpureduce:no-device}.
##
## Reductions in parallel follow M. Harris, @cite{Optimizing Parallel Reduction in
## CUDA} (NVIDIA, 2007).
## @seealso{gpu_all, gpu_reduce, gpuArray, any}
## @end deftypefn

function t = gpu_any (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  t = __gpureduce__ ("any", varargin{:});
endfunction

%!assert (gpu_any ([0 0 1; 1 0 1]), any ([0 0 1; 1 0 1]))
%!assert (gpu_any ([0 0 1; 1 1 1], 1), any ([0 0 1; 1 1 1], 1))
%!assert (gpu_any ([0 0 0; 1 1 1], 2), [false; true])
%!assert (gpu_any ([0 0 1; 1 0 1], 3), logical ([0 0 1; 1 0 1]))
%!assert (gpu_any ([0 0 1; 1 0 1], 0), any ([0 0 1; 1 0 1]))
%!assert (gpu_any (5), true)
%!assert (gpu_any (0), false)
%!assert (gpu_any (0:3), any (0:3))
%!assert (gpu_any ((1:3)'), true)
%!assert (class (gpu_any ([1 2; 3 4])), "logical")
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64", "logical", "char"}
%!   x = feval (type{1}, reshape (mod ((1:24) * 7, 5) > 1, 4, 3, 2));
%!   for dim = 1:4
%!     assert (gpu_any (x, dim), any (x, dim));
%!     assert (class (gpu_any (x, dim)), "logical");
%!   endfor
%!   assert (gpu_any (x), any (x));
%!   assert (gpu_any (zeros (size (x))), any (zeros (size (x))));
%! endfor
%!assert (gpu_any ([0 1i; 0 0]), any ([0 1i; 0 0]))
%!assert (gpu_any ([1i 1; 2 3i], 2), [true; true])
%!assert (gpu_any (single ([0 1i])), any (single ([0 1i])))
%!assert (gpu_any (eye (3)), any (eye (3)))
%!assert (gpu_any (diag ([1 0 2]), 2), any (diag ([1 0 2]), 2))
%!assert (gpu_any (eye (3)([2 3 1],:)), any (eye (3)([2 3 1],:)))
%!assert (gpu_any ("ab"), true)
%!assert (gpu_any (["a" char(0)]), any (["a" char(0)]))
%!assert (gpu_any (char (0)), false)

## empties
%!assert (gpu_any ([]), any ([]))
%!assert (gpu_any (zeros (0, 3)), any (zeros (0, 3)))
%!assert (gpu_any (zeros (0, 0), 2), any (zeros (0, 0), 2))
%!test
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [0 3 2], [3 0 2], [2 3 0]}
%!   for type = {"double", "int8", "logical", "char"}
%!     x = feval (type{1}, zeros (s{1}));
%!     assert (gpu_any (x), any (x));
%!     for dim = 1:4
%!       assert (gpu_any (x, dim), any (x, dim));
%!     endfor
%!   endfor
%! endfor
%!assert (gpu_any (zeros (0, 3), "all"), any (zeros (0, 1)))

## NaN, NA, Inf, -0
%!assert (gpu_any (NaN), any (NaN))
%!assert (gpu_any (NA), any (NA))
%!assert (gpu_any ([NaN 0]), any ([NaN 0]))
%!assert (gpu_any ([NaN 1]), any ([NaN 1]))
%!assert (gpu_any (single (NaN)), any (single (NaN)))
%!assert (gpu_any (complex (NaN, 1)), any (complex (NaN, 1)))
%!assert (gpu_any (complex (0, NaN)), any (complex (0, NaN)))
%!assert (gpu_any (complex (single (0), NaN)), any (complex (single (0), NaN)))
%!assert (gpu_any (-0), false)
%!assert (gpu_any (complex (-0, 0)), false)
%!assert (gpu_any ([Inf -Inf]), true)
%!assert (gpu_any (realmin / 2), true)

%!assert (gpu_any ([0 NaN; 0 1], 2), [false; true])

## options of our own
%!assert (gpu_any (eye (3), "all"), any (eye (3)(:)))
%!assert (gpu_any (ones (3), "ALL"), true)
%!test
%! x = reshape (mod ((1:24) * 7, 5) > 1, 4, 3, 2);
%! assert (gpu_any (x, [1 2]), any (any (x, 1), 2));
%! assert (gpu_any (x, [1 3]), any (any (x, 1), 3));
%! assert (gpu_any (x, [2 3]), any (any (x, 2), 3));
%! assert (gpu_any (x, [1 2 3]), any (x(:)));
%!assert (gpu_any ([0 1], "device", "cpu"), any ([0 1]))
%!assert (gpu_any ([0 1; 1 1], 2, "Device", "auto"), any ([0 1; 1 1], 2))

## long ones: one element decides
%!test
%! x = repmat (false, 1, 100000);
%! assert (gpu_any (x), false);
%! x(77777) = ! false;
%! assert (gpu_any (x), ! false);
%! assert (gpu_any (single (x)), ! false);
%! assert (gpu_any (x'), ! false);
%! assert (gpu_any (reshape (x, 250, 400)), any (reshape (x, 250, 400)));
%! assert (gpu_any (reshape (x, 250, 400), 2), any (reshape (x, 250, 400), 2));

## what the built-in takes
%!test
%! s = gpu_any (sparse ([1 0; 2 3]));
%! assert (issparse (s));
%! assert (full (s), any ([1 0; 2 3]));
%!assert (gpu_any ({1, 2}), any ({1, 2}))
%!assert (gather (gpu_any (gpuArray ([1 0; 3 4]), 2)), any ([1 0; 3 4], 2))
%!assert (gpu_any (gpuArray ([0 1])), any ([0 1]))

## errors
%!error <Invalid call to gpu_any> gpu_any ()
%!error id=Octave:invalid-fun-call gpu_any (1, 2, 3)
%!error <gpu_any: invalid dimension argument = -1> gpu_any (1:3, -1)
%!error <gpu_any: DIM must be an integer> gpu_any (1:3, "foo")
%!error id=gpureduce:invalid-input gpu_any (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_any (1:3, "device", 1000)
