## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{x} =} gather (@var{g})
## @deftypefnx {} {[@var{x1}, @var{x2}, @dots{}] =} gather (@var{g1}, @var{g2}, @dots{})
## Copy gpuArrays back into ordinary arrays.
##
## @var{x} has the class, size and values of the gpuArray @var{g}.  Anything that
## is not a gpuArray is returned as it is, so that a program can call
## @code{gather} whether or not its data is on a GPU.  There may be as many
## outputs as inputs.
##
## @example
## @group
## g = gpuArray (single ([1 2 3]));
## gather (g)
##     @result{} 1   2   3
## [a, b] = gather (sum (g), 5)
##     @result{} a = 6
##     @result{} b = 5
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} for a gpuArray that was deleted,
## @code{gpureduce:device-lost} when the GPU was lost with the data.
## @seealso{gpuArray, isgpuarray, existsOnGPU}
## @end deftypefn

function varargout = gather (varargin)
  if (nargin == 0 || nargout > nargin)
    print_usage ();
  endif
  varargout = varargin(1:max (1, nargout));
  for i = 1:numel (varargout)
    if (isa (varargout{i}, "gpuArray"))
      varargout{i} = __gpr_octave__ ("gather", varargout{i});
    endif
  endfor
endfunction

%!assert (gather (gpuArray ([1 2; 3 4])), [1 2; 3 4])
%!assert (gather (5), 5)
%!assert (gather ({1, "a"}), {1, "a"})
%!assert (gather ("text"), "text")
%!assert (gather ([]), [])
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64", "logical", "char"}
%!   x = feval (type{1}, reshape (65:88, 2, 3, 4));
%!   y = gather (gpuArray (x));
%!   assert (y, x);
%!   assert (class (y), type{1});
%! endfor
%!assert (gather (gpuArray ([1+2i, 3])), [1+2i, 3])
%!assert (gather (gpuArray (single ([1+2i; 3]))), single ([1+2i; 3]))
%!assert (gather (gpuArray (0:0.25:1)), 0:0.25:1)
%!assert (gather (gpuArray (eye (3))), full (eye (3)))
%!assert (gather (gpuArray (zeros (0, 3, 2))), zeros (0, 3, 2))
%!assert (isna (gather (gpuArray (NA))))
%!assert (1 / gather (gpuArray (-0)), -Inf)
%!assert (gather (gpuArray ([NaN Inf -Inf])), [NaN Inf -Inf])
%!test
%! [a, b, c] = gather (gpuArray (1:3), 7, gpuArray (int8 (4)));
%! assert (a, 1:3);
%! assert (b, 7);
%! assert (c, int8 (4));
%!test
%! [a, b] = gather (7, gpuArray (1:3));
%! assert (a, 7);
%! assert (b, 1:3);
%!test                                   # what_is_gathered_and_the_gpuarray_change_apart
%! for n = [10, 3e5]
%!   x = reshape (1:n, 2, []);
%!   for make = {@() gpuArray (x), @() gpuArray (x) + 0, @() reshape (gpuArray (x) + 0, [], 1), @() gpuArray (complex (x, -x)) * 1, @() gpuArray (x) > 0}
%!     h = make{1} ();          # which nobody else has
%!     a = gather (h);
%!     b = gather (h);
%!     assert (size (a), size (h));
%!     first = a(1);
%!     a(1) = 0;
%!     h(2) = 0;
%!     assert ({b(1), b(2) != 0, gather(h(1)), gather(h(2)) == 0, x(2)}, {first, true, first, true, 2});
%!     h += 1;
%!     assert (b(1), first);
%!   endfor
%! endfor
%!test                                   # the_elements_of_a_slice_stay_when_the_array_goes
%! for k = 1:3
%!   x = reshape (1:1e6, 1000, []);
%!   want = x(:,5:500) + 0;
%!   y = x(:,5:500);
%!   g = gpuArray (y);
%!   x = [];                    # the only other holder
%!   d = y;
%!   assert (gather (g + 0), want);
%!   a = gather (g);
%!   clear y d
%!   b = a;
%!   assert ({gather(g + 0), gather(g), b}, {want, want, want});
%! endfor
%!test                                   # complex_as_long_as_it_is_only_kept
%! for n = [2, 255, 256, 1e4]
%!   x = complex (1:n, 0);
%!   assert (iscomplex (gather (gpuArray (x))));
%!   assert (iscomplex (gather (gpuArray (complex (single (1:n), 0)))));
%! endfor
%!test                                   # what_find_gives
%! x = mod (1:1e5, 7);
%! i = find (x > 3);
%! assert (gather (gpuArray (i)), i);
%! assert (gather (gpuArray (find (x > 3)) + 0), i);
%!error <Invalid call to gather> gather ()
%!error id=Octave:invalid-fun-call [a, b] = gather (1)
%!error id=Octave:invalid-fun-call [a, b] = gather (gpuArray (1))
%!error id=gpureduce:invalid-input
%! g = gpuArray (1);
%! delete (g);
%! gather (g);
