## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_cumprod (@var{x})
## @deftypefnx {} {@var{y} =} gpu_cumprod (@var{x}, @var{dim})
## @deftypefnx {} {@var{y} =} gpu_cumprod (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{y} =} gpu_cumprod (@dots{}, "device", @var{d})
## Cumulative product of the elements of @var{x} along dimension @var{dim}, as the
## built-in @code{cumprod}, computed on the GPU.
##
## @var{x} is a numeric or logical array of any size, real or complex, and @var{y} has its
## size; it is single for single @var{x}, double for every other class.  The default
## dimension is the first that is not 1.
##
## @table @asis
## @item @var{nanflag}
## "includenan" (default), or "omitnan": NaN elements count as 1.
##
## @item "device", @var{d}
## Where to compute: "gpu", "cpu", "auto" (wherever this call is fastest) or the
## number of a GPU, from 1.  Without it the GPU is used when there is one, else
## the CPU, with one warning (@code{gpureduce:cpu-fallback}) a session.
## @end table
##
## Products go row by row within blocks of 256 rows (more where there are more than
## 16,777,216), and are then joined to the totals of the blocks before, taken one after the
## other.  So up to 256 rows the bits are the built-in's, beyond they differ in the last
## places, and they are the same on every GPU and on the CPU.
## Where a total overflows or underflows, the whole is done in the built-in's order, which takes longer. Complex products with infinite parts may have NaN where the built-in has Inf, and NaN for its NA.
##
## A gpuArray is computed where it lies, and the result stays there.  Sparse and
## empty @var{x} go to the built-in.
##
## @example
## @group
## gpu_cumprod ([1 2; 3 4; 5 6])
##     @result{}  1    2
##         3    8
##        15   48
## @end group
## @end example
##
## Errors are those of the built-in, with this function's name in front;
## @code{gpureduce:no-device} where a GPU is asked for and absent.
##
## Source of the method: G. E. Blelloch, ``Prefix sums and their applications'' (1990).
## @seealso{gpu_cumsum, gpu_cummax, gpu_sum, gpuArray, cumprod}
## @end deftypefn

function y = gpu_cumprod (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  y = __gpureduce__ ("cumprod", varargin{:});
endfunction

%!function same (varargin)
%!  y0 = cumprod (varargin{:});
%!  y = gpu_cumprod (varargin{:});
%!  assert (class (y), class (y0));
%!  assert (y, y0, 100 * numel (y0) * eps (class (y0)));
%!  assert (gather (gpu_cumprod (gpuArray (varargin{1}), varargin{2:end})), y);
%!endfunction
%!function bits (varargin)
%!  y0 = cumprod (varargin{:});
%!  y = gpu_cumprod (varargin{:}, "device", "cpu");
%!  assert (num2hex (real (y)(:)), num2hex (real (y0)(:)));
%!  assert (num2hex (imag (y)(:)), num2hex (imag (y0)(:)));
%!endfunction

%!assert (gpu_cumprod ([1 2; 3 4; 5 6]), [1 2; 3 8; 15 48])

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
%!   x = 1 + cos ((1:n)' .^ 2) / n;
%!   same (x);
%!   same (x');
%!   same (single (x));
%!   same (complex (x, 1 ./ (1:n)' .^ 2));
%! endfor
%! x = 1 + cos (reshape (1:60000, 300, 4, 50) .^ 2) / 300;
%! for dim = 1:4
%!   same (x, dim);
%! endfor
%! same (x(:,:), 2);

## no more over- or underflow than the built-in
%!test
%! for x = {exp(20 * sin ((1:5000)' .^ 2)), mod((1:3000)' * 7919, 1009) / 1009, single(exp (3 * sin ((1:2000)' .^ 2))), ...
%!           [ones(300, 1); 0; ones(600, 1)], [1e-200 * ones(600, 1); 1], complex(cos ((1:2000)'), sin ((1:2000)'))}
%!   assert (gpu_cumprod (x{1}), cumprod (x{1}), -1e5 * eps (class (x{1})));
%! endfor

## other classes are taken as double
%!test
%! x = reshape (mod ((1:24) * 7, 5) - 1, 2, 3, 4);
%! for type = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   for dim = 1:4
%!     bits (cast (x, type{1}), dim);
%!   endfor
%! endfor
%!test
%! for x = {[], zeros(0, 3), zeros(3, 0), zeros(2, 0, 3), 5, [NaN 1], [1 Inf -Inf 2], [NA 1], [1 NA NaN], [1 NaN NA]}
%!   y = gpu_cumprod (x{1});
%!   assert (y, cumprod (x{1}));
%!   assert (isna (y), isna (cumprod (x{1})));
%! endfor
%!assert (gpu_cumprod ([2 NaN 3], "omitnan"), cumprod ([2 1 3]))
%!assert (gpu_cumprod ([2; NaN; 3], 1, "OmitNaN"), cumprod ([2; 1; 3]))
%!assert (gpu_cumprod ([2 NaN 3], "includenan"), cumprod ([2 NaN 3]))
%!assert (gather (gpu_cumprod (gpuArray ([2 NaN 3]), "omitnan")), cumprod ([2 1 3]))
%!assert (isgpuarray (gpu_cumprod (gpuArray (magic (3)))))
%!assert (isgpuarray (gpu_cumprod (gpuArray (5))), false)
%!assert (issparse (gpu_cumprod (sparse ([1 0 2]))))
%!assert (gpu_cumprod (1:4, "device", "cpu"), cumprod (1:4))
%!assert (gpu_cumprod (1:4, int8 (2), "DEVICE", "auto"), cumprod (1:4))
%!test # the same bits with any number of threads
%! x = cos ((1:100000)' .^ 2) * [1 2 3];
%! old = gpu_config ("threads", 1);
%! unwind_protect
%!   y = gpu_cumprod (x, 1, "device", "cpu");
%!   for threads = 2:4
%!     gpu_config ("threads", threads);
%!     assert (num2hex (gpu_cumprod (x, 1, "device", "cpu")(:)), num2hex (y(:)));
%!   endfor
%! unwind_protect_cleanup
%!   gpu_config ("threads", old);
%! end_unwind_protect
%!error <Invalid call to gpu_cumprod> gpu_cumprod ()
%!error id=Octave:invalid-fun-call gpu_cumprod (1, 2, 3, 4)
%!error id=Octave:invalid-fun-call gpu_cumprod ("device", "cpu")
%!error <gpu_cumprod: invalid dimension argument = -1> gpu_cumprod (1:3, -1)
%!error <gpu_cumprod: .*wrong type argument 'cell> gpu_cumprod ({1})
%!error id=gpureduce:invalid-input gpu_cumprod ("ab", "omitnan")
%!error id=gpureduce:invalid-input gpu_cumprod (1:3, "omitnan", "includenan")
%!error id=gpureduce:invalid-input gpu_cumprod (1:3, "device", "toaster")
%!error <gpu_cumprod: device> gpu_cumprod (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_cumprod (1:3, "device", 1000)
