## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_cumsum (@var{x})
## @deftypefnx {} {@var{y} =} gpu_cumsum (@var{x}, @var{dim})
## @deftypefnx {} {@var{y} =} gpu_cumsum (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{y} =} gpu_cumsum (@dots{}, "device", @var{d})
## Cumulative sum of the elements of @var{x} along dimension @var{dim}, as the
## built-in @code{cumsum}, computed on the GPU.
##
## @var{x} is a numeric or logical array of any size, real or complex, and @var{y} has its
## size; it is single for single @var{x}, double for every other class.  The default
## dimension is the first that is not 1.
##
## @table @asis
## @item "native", "double"
## As the last argument, as in the built-in: integers and logicals in their own class (computed by
## the built-in), or singles in double.
##
## @item @var{nanflag}
## "includenan" (default), or "omitnan": NaN elements count as 0.
##
## @item "device", @var{d}
## Where to compute: "gpu", "cpu", "auto" (wherever this call is fastest) or the
## number of a GPU, from 1.  Without it the GPU is used when there is one, else
## the CPU, with one warning (@code{gpureduce:cpu-fallback}) a session.
## @end table
##
## Sums go row by row within blocks of 256 rows (more where there are more than
## 16,777,216), and are then joined to the totals of the blocks before, taken one after the
## other.  So up to 256 rows the bits are the built-in's, beyond they differ in the last
## places, and they are the same on every GPU and on the CPU. Sums of numbers that are not negative never fall.
## Where a total overflows, the whole is done in the built-in's order, which takes longer.
##
## A gpuArray is computed where it lies, and the result stays there.  Sparse and
## empty @var{x} go to the built-in.
##
## @example
## @group
## gpu_cumsum ([1 2; 3 4; 5 6])
##     @result{} 1    2
##        4    6
##        9   12
## gpu_cumsum ([1 NaN 2], "omitnan")
##     @result{} 1   1   3
## @end group
## @end example
##
## Errors are those of the built-in, with this function's name in front;
## @code{gpureduce:no-device} where a GPU is asked for and absent.
##
## Source of the method: G. E. Blelloch, ``Prefix sums and their applications'' (1990).
## @seealso{gpu_cumprod, gpu_cummax, gpu_sum, gpuArray, cumsum}
## @end deftypefn

function y = gpu_cumsum (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  y = __gpureduce__ ("cumsum", varargin{:});
endfunction

%!function same (varargin)
%!  y0 = cumsum (varargin{:});
%!  y = gpu_cumsum (varargin{:});
%!  assert (class (y), class (y0));
%!  assert (y, y0, 100 * numel (y0) * eps (class (y0)));
%!  assert (gather (gpu_cumsum (gpuArray (varargin{1}), varargin{2:end})), y);
%!endfunction
%!function bits (varargin)
%!  y0 = cumsum (varargin{:});
%!  y = gpu_cumsum (varargin{:}, "device", "cpu");
%!  assert (num2hex (real (y)(:)), num2hex (real (y0)(:)));
%!  assert (num2hex (imag (y)(:)), num2hex (imag (y0)(:)));
%!endfunction

%!assert (gpu_cumsum ([1 2; 3 4; 5 6]), [1 2; 4 6; 9 12])
%!assert (gpu_cumsum (int8 ([100 100]), "native"), int8 ([100 127]))
%!assert (gpu_cumsum ([true true], "native"), [true true])
%!assert (gpu_cumsum ([1.5 2], "native"), [1.5 3.5])
%!assert (class (gpu_cumsum (single (1:3), "double")), "double")
%!assert (gpu_cumsum (single ([0.1 0.2]), 2, "double"), cumsum (single ([0.1 0.2]), 2, "double"))
%!error <gpu_cumsum: unrecognized string argument> gpu_cumsum (1:3, "foo")

## the built-in's bits up to a block, its values beyond
%!test
%! for n = [1 2 31 255 256]
%!   x = cos ((1:n) .^ 2);
%!   for y = {x, x', single(x), complex(x, fliplr (x)), single(complex (x, 2 * x)), -0 * x, [x; 2 * x; -x], [x; -x]'}
%!     bits (y{1});
%!     for dim = 1:3
%!       bits (y{1}, dim);
%!     endfor
%!   endfor
%! endfor
%!test
%! for n = [257 1000 5000 70000]
%!   x = 1 + cos ((1:n)' .^ 2) / 1;
%!   same (x);
%!   same (x');
%!   same (single (x));
%!   same (complex (x, 1 ./ (1:n)' .^ 2));
%! endfor
%! x = 1 + cos (reshape (1:60000, 300, 4, 50) .^ 2) / 1;
%! for dim = 1:4
%!   same (x, dim);
%! endfor
%! same (x(:,:), 2);

## never falls
%!test
%! x = single (mod ((1:100000) * 7919, 1009)) / 1009;
%! assert (all (diff (gpu_cumsum (x)) >= 0));
%! x = [1e308 * ones(1, 300), -1e308 * ones(1, 300)];
%! assert (gpu_cumsum (x), cumsum (x));

## other classes are taken as double
%!test
%! x = reshape (mod ((1:24) * 7, 5) - 1, 2, 3, 4);
%! for type = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   for dim = 1:4
%!     bits (cast (x, type{1}), dim);
%!   endfor
%! endfor
%!test
%! for x = {[], zeros(0, 3), zeros(3, 0), zeros(2, 0, 3), 5, [NaN 1], [1 Inf -Inf 2], [NA 1], [1 NA NaN], [1 NaN NA], complex([1 NaN NA 2], [2 1 NaN NA])}
%!   y = gpu_cumsum (x{1});
%!   assert (y, cumsum (x{1}));
%!   assert (isna (y), isna (cumsum (x{1})));
%! endfor
%!assert (gpu_cumsum ([2 NaN 3], "omitnan"), cumsum ([2 0 3]))
%!assert (gpu_cumsum ([2; NaN; 3], 1, "OmitNaN"), cumsum ([2; 0; 3]))
%!assert (gpu_cumsum ([2 NaN 3], "includenan"), cumsum ([2 NaN 3]))
%!assert (gather (gpu_cumsum (gpuArray ([2 NaN 3]), "omitnan")), cumsum ([2 0 3]))
%!assert (isgpuarray (gpu_cumsum (gpuArray (magic (3)))))
%!assert (isgpuarray (gpu_cumsum (gpuArray (5))), false)
%!assert (issparse (gpu_cumsum (sparse ([1 0 2]))))
%!assert (gpu_cumsum (1:4, "device", "cpu"), cumsum (1:4))
%!assert (gpu_cumsum (1:4, int8 (2), "DEVICE", "auto"), cumsum (1:4))
%!test # the same bits with any number of threads
%! x = cos ((1:100000)' .^ 2) * [1 2 3];
%! old = gpu_config ("threads", 1);
%! unwind_protect
%!   y = gpu_cumsum (x, 1, "device", "cpu");
%!   for threads = 2:4
%!     gpu_config ("threads", threads);
%!     assert (num2hex (gpu_cumsum (x, 1, "device", "cpu")(:)), num2hex (y(:)));
%!   endfor
%! unwind_protect_cleanup
%!   gpu_config ("threads", old);
%! end_unwind_protect
%!error <Invalid call to gpu_cumsum> gpu_cumsum ()
%!error id=Octave:invalid-fun-call gpu_cumsum (1, 2, 3, 4)
%!error id=Octave:invalid-fun-call gpu_cumsum ("device", "cpu")
%!error <gpu_cumsum: invalid dimension argument = 0> gpu_cumsum (1:3, 0)
%!error <gpu_cumsum: .*wrong type argument 'cell> gpu_cumsum ({1})
%!error id=gpureduce:invalid-input gpu_cumsum ("ab", "omitnan")
%!error id=gpureduce:invalid-input gpu_cumsum (1:3, "omitnan", "includenan")
%!error id=gpureduce:invalid-input gpu_cumsum (1:3, "device", "toaster")
%!error <gpu_cumsum: device> gpu_cumsum (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_cumsum (1:3, "device", 1000)
