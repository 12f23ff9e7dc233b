## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{m} =} gpu_mode (@var{x})
## @deftypefnx {} {@var{m} =} gpu_mode (@var{x}, @var{dim})
## @deftypefnx {} {@var{m} =} gpu_mode (@dots{}, "all")
## @deftypefnx {} {[@var{m}, @var{f}, @var{c}] =} gpu_mode (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_mode (@dots{}, "device", @var{d})
## The most frequent value of @var{x} along dimension @var{dim}, as the built-in
## @code{mode}, computed on the GPU.
##
## Of several values that are equally frequent @var{m} is the smallest.  @var{f} is how
## often it occurs, of class double, and @var{c} a cell array with a column of all
## values that occur so often, from the smallest on.
##
## @var{x} is a numeric or logical array of any size.  The default dimension is
## the first that is longer than 1; @var{m}, of the class of @var{x}, @var{f} and
## @var{c} have the size of @var{x} with 1 in that dimension.
##
## @table @asis
## @item @var{dim}
## A dimension, a vector of dimensions to reduce together, or "all".
## @end table
##
## As in the built-in, every infinity and every NaN is a value of its own, which occurs once,
## and -0 and 0 are one value, with the sign of the first of them in @var{x}.  GPU and CPU
## give the same bits.
##
## On the GPU whole columns are counted, or sorted where they are long and hold many
## values; as many together as fit.  That takes up to 24 bytes an element beside
## @var{x}.  A single column that does not fit is computed on the CPU, or, if the GPU
## was asked for, raises @code{gpureduce:out-of-memory}.
##
## @var{c} holds ordinary arrays, also for a gpuArray.
## Complex, sparse and empty @var{x} go to the built-in @code{mode}.
##
## @example
## @group
## [m, f, c] = gpu_mode ([3 1 3 1 2]);
## [m, f]
##     @result{} 1   2
## c@{1@}
##     @result{} 1
##        3
## gpu_mode ([1 2 2; 3 3 1], 2)
##     @result{} 2
##        3
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Sorting on the GPU is that of CUB: A. Adinets and D. Merrill, @cite{Onesweep: A
## Faster Least Significant Digit Radix Sort for GPUs} (2022).
## @seealso{gpu_median, gpu_histc, gpu_options, mode}
## @end deftypefn

function [m, f, c] = gpu_mode (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  out = cell (1, max (nargout, 1));
  [out{:}] = __gpureduce__ ("mode", varargin{:});
  [m, f, c] = [out, {[], []}]{1:3};
endfunction

%!test
%! [m, f, c] = gpu_mode ([3 1 3 1 2]);
%! assert (m, 1);
%! assert (f, 2);
%! assert (c, {[1; 3]});
%!assert (gpu_mode ([1 2 2; 3 3 1], 2), [2; 3])
%!test
%! [m, f] = gpu_mode (toeplitz (1:5));
%! assert (m, [1 2 2 2 1]);
%! assert (f, [1 2 2 2 1]);

## the built-in's values, classes, shapes and signs
%!function b = bits (x)
%!  b = x;
%!  if (isfloat (x))
%!    b = typecast (x(:), merge (isa (x, "single"), "uint32", "uint64"));
%!  endif
%!endfunction
%!function same (varargin)
%!  if (islogical (varargin{1}) && ! __gpr_rule__ ("mode_logical"))
%!    __gpr_same__ ("mode", varargin{:});
%!    return;
%!  endif
%!  [m, f, c] = gpu_mode (varargin{:});
%!  [m0, f0, c0] = mode (varargin{:});
%!  what = sprintf ("gpu_mode differs for %s %s", class (varargin{1}), mat2str (size (varargin{1})));
%!  assert (strcmp (class (m), class (m0)) && size_equal (m, m0) && isequal (bits (m), bits (m0)), what);
%!  assert (f, f0);
%!  assert (size (c), size (c0));
%!  for i = 1:numel (c)
%!    assert (strcmp (class (c{i}), class (c0{i})) && size_equal (c{i}, c0{i}) && isequal (bits (c{i}), bits (c0{i})), what);
%!  endfor
%!  assert (isequaln (gpu_mode (varargin{:}), m));
%!endfunction
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   for sizes = {[1 1], [1 7], [8 1], [4 5], [3 4 5], [2 1 6], [90 3], [3 90], [1 1 9]}
%!     x = cast (randi ([0 5], sizes{1}) - 2 * ! strcmp (type{1}, "logical"), type{1});
%!     same (x);
%!     for dim = 1:4
%!       same (x, dim);
%!     endfor
%!   endfor
%! endfor
%!test
%! for v = {NaN, NA, Inf, -Inf, -0, 5e-324, -NaN}
%!   for most = [2 1e6]
%!     x = randi ([-most most], 12, 30);
%!     x(rand (size (x)) < 0.3) = v{1};
%!     x(rand (size (x)) < 0.1) = 0;
%!     x(rand (size (x)) < 0.02) = NaN;
%!     for dim = 1:3
%!       same (x, dim);
%!       same (single (x), dim);
%!     endfor
%!   endfor
%! endfor
%!test
%! same ([Inf Inf 1]);
%! same ([-Inf -Inf]);
%! same ([2 NA NaN 1 NA]);
%! same ([NA NaN NA]);
%! same ([1 0 -0 -0]);
%! same ([-0 0 1]);
%! same (uint64 ([18446744073709551615 18446744073709551614 18446744073709551615]));
%! same (int64 ([9223372036854775807 9223372036854775806]));
%! same ([intmin("int64") intmax("int64") intmax("int64") intmin("int64")]);
%! same (realmin * [1 1+eps 1+2*eps]);

## long columns
%!test
%! n = 140000;
%! for x = {mod((1:n)' * 7919, 1009), rand(n, 1), randn(n, 1) > 0, round(50 * randn (n, 1))}
%!   same (x{1});
%!   same (single (x{1})');
%!   same (int64 (x{1}));
%!   same (uint8 (reshape (x{1}, [], 7)));
%!   same (reshape (x{1}, 7, []), 2);
%! endfor

## empties are the built-in's
%!test
%! for s = {[0 0], [3 0], [1 0], [2 0 3]}
%!   same (zeros (s{1}));
%!   same (zeros (s{1}, "int8"), 1);
%! endfor
%! same (zeros (0, 3), 3);

## options of our own
%!test
%! x = randi (3, 4, 3, 5, 2);
%! [m, f, c] = gpu_mode (x, "all");
%! [m0, f0, c0] = mode (x(:));
%! assert ({m, f, c}, {m0, f0, c0});
%! [m, f, c] = gpu_mode (x, [2 3]);
%! [m0, f0, c0] = mode (reshape (x, 4, 1, 15, 2), 3);
%! assert ({m, f, c}, {m0, f0, c0});
%! [m, f, c] = gpu_mode (x, [1 3]);
%! [m0, f0, c0] = mode (reshape (permute (x, [1 3 2 4]), 20, 1, 3, 1, 2));
%! assert ({m, f, c}, {reshape(m0, 1, 3, 1, 2), reshape(f0, 1, 3, 1, 2), reshape(c0, 1, 3, 1, 2)});
%! [m, f, c] = gpu_mode (complex (x, 1), [1 3]);
%! assert ({m, f}, {complex(reshape (m0, 1, 3, 1, 2), 1), reshape(f0, 1, 3, 1, 2)});
%! assert (cellfun (@numel, c), cellfun (@numel, reshape (c0, 1, 3, 1, 2)));
%! [m, f, c] = gpu_mode (x, [5 6]);
%! assert ({m, f, c}, {x, ones(size (x)), num2cell(x)});
%!assert (gpu_mode ([1 2 2], "ALL", "Device", "cpu"), 2)
%!assert (gpu_mode ([1 2 2], 2, "device", "auto"), 2)

## arrays the built-in takes
%!assert (gpu_mode ([1+i 2 1+i]), 1+i)
%!assert (issparse (gpu_mode (sparse ([1 0 2 0]))))
%!assert (full (gpu_mode (sparse ([1 0 2 0; 3 0 0 1]), "all")), 0)
%!test
%! x = randi (4, 5, 6);
%! [m, f, c] = gpu_mode (gpuArray (x), 2);
%! assert (isgpuarray (m) && isgpuarray (f));
%! [m0, f0, c0] = mode (x, 2);
%! assert ({gather(m), gather(f), c}, {m0, f0, c0});
%! [m, f] = gpu_mode (gpuArray (x), "all");
%! [m0, f0] = mode (x(:));
%! assert ([m, f], [m0, f0]);

## errors
%!error <Invalid call to gpu_mode> gpu_mode ()
%!error id=Octave:invalid-fun-call gpu_mode (1, 2, 3)
%!test __gpr_same__ ("mode", {1 2 3})
%!test __gpr_same__ ("mode", "abc")
%!test __gpr_same__ ("mode", 1, 1.5)
%!test __gpr_same__ ("mode", 1, 0)
%!test __gpr_same__ ("mode", zeros (0, 1))
%!test
%! if (__gpr_rule__ ("mode_options"))
%!   __gpr_same__ ("mode", zeros (0, 3), "all");
%! else
%!   fail ("gpu_mode (zeros (0, 3), \"all\")", "gpu_mode: X cannot be an empty matrix");
%! endif
%!error <gpu_mode: .*DIM> gpu_mode (1:3, [1 1])
%!error id=gpureduce:invalid-input gpu_mode (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_mode (1:3, "device", 1000)
