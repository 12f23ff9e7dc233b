## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{t} =} gpu_all (@var{x})
## @deftypefnx {} {@var{t} =} gpu_all (@var{x}, @var{dim})
## @deftypefnx {} {@var{t} =} gpu_all (@dots{}, "all")
## @deftypefnx {} {@var{t} =} gpu_all (@dots{}, "device", @var{d})
## True where all elements of @var{x} along dimension @var{dim} are not zero, as
## the built-in @code{all}, computed on the GPU.
##
## @var{x} is a numeric, logical or character array of any size.  The default
## dimension is the first that is not 1 (also when @var{dim} is 0, as in the
## built-in), and the result has the size of @var{x} with 1 in that place.
## All elements of nothing are true: @code{gpu_all ([])} is true and
## @code{gpu_all (zeros (0, 3))} is @code{[1 1 1]}.  The result is logical.
##
## @table @asis
## @item "all"
## In place of @var{dim}: reduce over all elements, to one.
##
## @item a vector of dimensions
## In place of @var{dim}: reduce over these dimensions together, as in
## @code{gpu_all (x, [1 3])}.
##
## @item "device", @var{d}
## Where to compute: "gpu", "cpu", "auto" (wherever this call is fastest) or the
## number of a GPU, from 1.  Without it the GPU is used when there is one, else
## the CPU, with one warning (@code{gpureduce:cpu-fallback}) a session.
## @end table
##
## NaN and NA count as true for @code{gpu_all} (as false for @code{gpu_any}), also
## in one part of a complex number, as in the built-ins (but @code{all} of Octave 7
## takes NaN for false along the rows of a matrix of up to 8 columns); -0 and @code{char (0)} are
## false.
##
## "all" and "device" may be written in upper or lower case.  A gpuArray is
## reduced where it lies; a result with one element comes back as a number, others
## stay on the GPU.  Sparse @var{x} goes to the built-in @code{all} and stays sparse.
## So do cells, structures and objects: the answer for them is the built-in's.
##
## @example
## @group
## gpu_all ([1 0 1; 1 1 1])
##     @result{} 1   0   1
## gpu_all ([1 0 1; 1 1 1], 2)
##     @result{} 0
##        1
## gpu_all ([1 NaN])
##     @result{} 1
## gpu_all (ones (3), "all")
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
## @seealso{gpu_any, gpu_reduce, gpuArray, all}
## @end deftypefn

function t = gpu_all (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  t = __gpureduce__ ("all", varargin{:});
endfunction

%!assert (gpu_all ([0 0 1; 1 0 1]), all ([0 0 1; 1 0 1]))
%!assert (gpu_all ([0 0 1; 1 1 1], 1), all ([0 0 1; 1 1 1], 1))
%!assert (gpu_all ([0 0 0; 1 1 1], 2), [false; true])
%!assert (gpu_all ([0 0 1; 1 0 1], 3), logical ([0 0 1; 1 0 1]))
%!assert (gpu_all ([0 0 1; 1 0 1], 0), all ([0 0 1; 1 0 1]))
%!assert (gpu_all (5), true)
%!assert (gpu_all (0), false)
%!assert (gpu_all (0:3), all (0:3))
%!assert (gpu_all ((1:3)'), true)
%!assert (class (gpu_all ([1 2; 3 4])), "logical")
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64", "logical", "char"}
%!   x = feval (type{1}, reshape (mod ((1:24) * 7, 5) > 1, 4, 3, 2));
%!   for dim = 1:4
%!     assert (gpu_all (x, dim), all (x, dim));
%!     assert (class (gpu_all (x, dim)), "logical");
%!   endfor
%!   assert (gpu_all (x), all (x));
%!   assert (gpu_all (zeros (size (x))), all (zeros (size (x))));
%! endfor
%!assert (gpu_all ([0 1i; 0 0]), all ([0 1i; 0 0]))
%!assert (gpu_all ([1i 1; 2 3i], 2), [true; true])
%!assert (gpu_all (single ([0 1i])), all (single ([0 1i])))
%!assert (gpu_all (eye (3)), all (eye (3)))
%!assert (gpu_all (diag ([1 0 2]), 2), all (diag ([1 0 2]), 2))
%!assert (gpu_all (eye (3)([2 3 1],:)), all (eye (3)([2 3 1],:)))
%!assert (gpu_all ("ab"), true)
%!assert (gpu_all (["a" char(0)]), all (["a" char(0)]))
%!assert (gpu_all (char (0)), false)

## empties
%!assert (gpu_all ([]), all ([]))
%!assert (gpu_all (zeros (0, 3)), all (zeros (0, 3)))
%!assert (gpu_all (zeros (0, 0), 2), all (zeros (0, 0), 2))
%!test
%! for s = {[0 0], [0 3], [3 0], [1 0], [0 1], [0 3 2], [3 0 2], [2 3 0]}
%!   for type = {"double", "int8", "logical", "char"}
%!     x = feval (type{1}, zeros (s{1}));
%!     assert (gpu_all (x), all (x));
%!     for dim = 1:4
%!       assert (gpu_all (x, dim), all (x, dim));
%!     endfor
%!   endfor
%! endfor
%!assert (gpu_all (zeros (0, 3), "all"), all (zeros (0, 1)))

## NaN, NA, Inf, -0
%!assert (gpu_all (NaN), all (NaN))
%!assert (gpu_all (NA), all (NA))
%!assert (gpu_all ([NaN 0]), all ([NaN 0]))
%!assert (gpu_all ([NaN 1]), all ([NaN 1]))
%!assert (gpu_all (single (NaN)), all (single (NaN)))
%!assert (gpu_all (complex (NaN, 1)), all (complex (NaN, 1)))
%!assert (gpu_all (complex (0, NaN)), all (complex (0, NaN)))
%!assert (gpu_all (complex (single (0), NaN)), all (complex (single (0), NaN)))
%!assert (gpu_all (-0), false)
%!assert (gpu_all (complex (-0, 0)), false)
%!assert (gpu_all ([Inf -Inf]), true)
%!assert (gpu_all (realmin / 2), true)

%!assert (gpu_all ([1 NaN; 1 0], 2), [true; false])
%!assert (gpu_all (NaN (9, 3), 2), true (9, 1))

## options of our own
%!assert (gpu_all (eye (3), "all"), all (eye (3)(:)))
%!assert (gpu_all (ones (3), "ALL"), true)
%!test
%! x = reshape (mod ((1:24) * 7, 5) > 1, 4, 3, 2);
%! assert (gpu_all (x, [1 2]), all (all (x, 1), 2));
%! assert (gpu_all (x, [1 3]), all (all (x, 1), 3));
%! assert (gpu_all (x, [2 3]), all (all (x, 2), 3));
%! assert (gpu_all (x, [1 2 3]), all (x(:)));
%!assert (gpu_all ([0 1], "device", "cpu"), all ([0 1]))
%!assert (gpu_all ([0 1; 1 1], 2, "Device", "auto"), all ([0 1; 1 1], 2))

## long ones: one element decides
%!test
%! x = repmat (true, 1, 100000);
%! assert (gpu_all (x), true);
%! x(77777) = ! true;
%! assert (gpu_all (x), ! true);
%! assert (gpu_all (single (x)), ! true);
%! assert (gpu_all (x'), ! true);
%! assert (gpu_all (reshape (x, 250, 400)), all (reshape (x, 250, 400)));
%! assert (gpu_all (reshape (x, 250, 400), 2), all (reshape (x, 250, 400), 2));

## what the built-in takes
%!test
%! s = gpu_all (sparse ([1 0; 2 3]));
%! assert (issparse (s));
%! assert (full (s), all ([1 0; 2 3]));
%!assert (gpu_all ({1, 2}), all ({1, 2}))
%!assert (gather (gpu_all (gpuArray ([1 0; 3 4]), 2)), all ([1 0; 3 4], 2))
%!assert (gpu_all (gpuArray ([0 1])), all ([0 1]))

## errors
%!error <Invalid call to gpu_all> gpu_all ()
%!error id=Octave:invalid-fun-call gpu_all (1, 2, 3)
%!error <gpu_all: invalid dimension argument = -1> gpu_all (1:3, -1)
%!error <gpu_all: DIM must be an integer> gpu_all (1:3, "foo")
%!error id=gpureduce:invalid-input gpu_all (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_all (1:3, "device", 1000)
