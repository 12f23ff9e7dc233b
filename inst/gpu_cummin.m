## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{w} =} gpu_cummin (@var{x})
## @deftypefnx {} {@var{w} =} gpu_cummin (@var{x}, @var{dim})
## @deftypefnx {} {[@var{w}, @var{iw}] =} gpu_cummin (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_cummin (@dots{}, @var{nanflag})
## @deftypefnx {} {[@dots{}] =} gpu_cummin (@dots{}, "device", @var{d})
## Cumulative minimum of the elements of @var{x} along dimension @var{dim}, as the
## built-in @code{cummin}, computed on the GPU.
##
## @var{x} is a numeric or logical array of any size; @var{w} has its size and class, and
## @var{iw} the place along @var{dim}, from 1, of each element of @var{w}, of equal ones the first.
## The default dimension is the first that is not 1.  Complex numbers are compared by @code{abs}, then
## by @code{arg}.
##
## @table @asis
## @item @var{nanflag}
## "omitnan" (default): NaN is skipped, and stands only before the first number (with place 1);
## "includenan": from the first NaN on the result is NaN.
##
## @item "device", @var{d}
## Where to compute: "gpu", "cpu", "auto" (wherever this call is fastest) or the
## number of a GPU, from 1.  Without it the GPU is used when there is one, else
## the CPU, with one warning (@code{gpureduce:cpu-fallback}) a session.
## @end table
##
## A gpuArray is computed where it lies, and the result stays there.  Sparse and
## empty @var{x} go to the built-in.
##
## @example
## @group
## [w, iw] = gpu_cummin ([5 3 4 6 1 2])
##     @result{} w = 5   3   3   3   1   1
##     @result{} iw = 1   2   2   2   5   5
## @end group
## @end example
##
## Errors are those of the built-in, with this function's name in front;
## @code{gpureduce:no-device} where a GPU is asked for and absent.
##
## Source of the method: G. E. Blelloch, ``Prefix sums and their applications'' (1990).
## @seealso{gpu_cummax, gpu_cumsum, gpu_min, gpuArray, cummin}
## @end deftypefn

function varargout = gpu_cummin (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  [varargout{1:max (1, nargout)}] = __gpureduce__ ("cummin", varargin{:});
endfunction

%!function same (varargin)
%!  [w0, iw0] = cummin (varargin{:});
%!  for x = {varargin{1}, gpuArray(varargin{1})}
%!    [w, iw] = gpu_cummin (x{1}, varargin{2:end});
%!    w = gather (w);
%!    assert (w, w0);
%!    assert (gather (iw), iw0);
%!    assert (class (w), class (w0));
%!    assert (1 ./ double (w(w == 0)), 1 ./ double (w0(w0 == 0)));
%!    assert (gather (gpu_cummin (x{1}, varargin{2:end})), w0);
%!  endfor
%!endfunction

%!test
%! x = reshape (mod ((1:120) * 37, 23) - 7, 4, 5, 6);
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   y = cast (x, type{1});
%!   same (y);
%!   for dim = 1:4
%!     same (y, dim);
%!   endfor
%! endfor
%!test
%! for n = [1 2 255 256 257 1000 70000]
%!   x = round (50 * cos ((1:n) .^ 2) + (1:n) / 100);
%!   x(mod (1:n, 7) == 3) = NaN;
%!   same (x);
%!   same (x');
%!   same (single (-x));
%!   same (int32 (x));
%! endfor
%! same (complex (cos (1:600), sin ((1:600) .^ 2)));
%! same (single (complex (cos (1:600), sin ((1:600) .^ 2)))');
%!test
%! for x = {[], zeros(0, 3), zeros(3, 0), 5, [NaN NaN 2 2 1 NaN 3], [NaN NaN], [-0 0], [0 -0], [Inf 1 -Inf], ...
%!           [1i 2 -2], [1i -1i 1 -1], [3 NaN 1], int64([intmax("int64") 1 intmin("int64")])}
%!   same (x{1});
%!   same (x{1}', 1);
%! endfor
%!test
%! [w, iw] = gpu_cummin ([2 NaN 1; 5 6 7], 2, "includenan");
%! assert (w(1,:), [2 NaN NaN]);
%! assert (iw(1,:), [1 2 2]);
%! [w, iw] = gpu_cummin (gpuArray ([2 NaN 9]), "IncludeNaN");
%! assert (gather (w), [2 NaN NaN]);
%! assert (gather (iw), [1 2 2]);
%! assert (isgpuarray (w) && isgpuarray (iw));
%! assert (gpu_cummin ([2 NaN 1], "omitnan"), cummin ([2 NaN 1]));
%!assert (full (gpu_cummin (sparse ([1 0 2]))), cummin ([1 0 2]))
%!assert (gpu_cummin ([1 3 2], "device", "cpu"), cummin ([1 3 2]))
%!assert (gpu_cummin ([1 3 2], 2, "device", "auto"), cummin ([1 3 2]))
%!error <Invalid call to gpu_cummin> gpu_cummin ()
%!error id=Octave:invalid-fun-call gpu_cummin (1, 2, 3)
%!error <gpu_cummin: DIM must be a valid dimension> gpu_cummin (1:3, 0)
%!error <gpu_cummin: .*conversion of 1.5> gpu_cummin (1:3, 1.5)
%!error <gpu_cummin: .*wrong type argument 'cell'> gpu_cummin ({1})
%!error <gpu_cummin: .*wrong type argument 'string'> gpu_cummin ("ab")
%!error id=gpureduce:invalid-input gpu_cummin (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_cummin (1:3, "device", 1000)
