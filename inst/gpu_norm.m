## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_norm (@var{a})
## @deftypefnx {} {@var{y} =} gpu_norm (@var{a}, @var{p})
## @deftypefnx {} {@var{y} =} gpu_norm (@var{a}, @var{p}, @var{opt})
## @deftypefnx {} {@var{y} =} gpu_norm (@dots{}, "device", @var{d})
## Norm of a vector or matrix, as the built-in @code{norm}, computed on the GPU.
##
## @var{a} is a vector or matrix of class double or single, real or complex; the result
## is real and of its class.
##
## @table @asis
## @item @var{p}
## 2 (default), "fro": the square root of the sum of squares (a matrix: "fro").  1: the
## sum of absolute values (a matrix: the largest of its columns).  Inf, "inf": the
## largest absolute value (a matrix: the largest row sum of them).  0: how many elements
## of a vector are not 0.
##
## @item @var{opt}
## "rows", "columns" or "cols": the norm of each row or column.
## @end table
##
## Every other norm (other @var{p}, the 2-norm of a matrix), and sparse @var{a}, the built-in
## computes on the CPU.
##
## Squares are scaled by powers of two where they would overflow or underflow, in one
## reading of the data, so the result is as accurate as the sum of squares at every
## size of the elements; singles are summed in double.  Sums follow a fixed tree, the same
## on every GPU and on the CPU.  A NaN makes the result NaN.
##
## @example
## @group
## gpu_norm ([3 4])
##     @result{} 5
## gpu_norm ([3e200 4e200])
##     @result{} 5.0000e+200
## gpu_norm ([1 -2; 3 4], 1)
##     @result{} 6
## gpu_norm ([3 4; 5 12], "rows")
##     @result{}  5
##        13
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Squares of doubles that leave their range are scaled, in a second reading.  Source of that:
## J. L. Blue, ``A portable Fortran program to find the Euclidean norm of a
## vector'', @cite{ACM Trans. Math. Softw.} 4 (1978); the constants are those of LAPACK.
## @seealso{gpu_dot, gpu_sumsq, gpu_nnz, gpu_options, norm}
## @end deftypefn

function y = gpu_norm (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  y = __gpureduce__ ("norm", varargin{:});
endfunction

%!function same (varargin)
%!  y = gather (gpu_norm (varargin{:}));
%!  y0 = norm (varargin{:});
%!  assert (class (y), class (y0));
%!  assert (y, y0, -1000 * eps (class (y0)));
%!endfunction

%!assert (gpu_norm ([3 4]), 5)
%!assert (gpu_norm ([3 4; 5 12], "rows"), [5; 13])
%!assert (gpu_norm ([1 -2; 3 4], 1), 6)

## every norm of vectors and matrices, all classes
%!test
%! v = cos ((1:1000) .^ 2);
%! m = reshape (v(1:120), 8, 15);
%! for x = {v, v', v(1), m, m', complex(v, v([2:end 1])), complex(m, m(:,[2:end 1])), zeros(1, 3), [0 0; 0 0]}
%!   for y = {x{1}, single(x{1})}
%!     same (y{1});
%!     for p = {1, 2, Inf, "fro", "inf", "Inf"}
%!       same (y{1}, p{1});
%!       for opt = {"rows", "columns", "cols"}
%!         same (y{1}, p{1}, opt{1});
%!       endfor
%!     endfor
%!     same (y{1}, "rows");
%!     same (y{1}, [], "rows");
%!     same (y{1}, "cols");
%!     assert (gather (gpu_norm (gpuArray (y{1}), 1, "rows")), norm (y{1}, 1, "rows"), -1000 * eps (class (y{1})));
%!     assert (gpu_norm (gpuArray (y{1}), "fro"), norm (y{1}, "fro"), -1000 * eps (class (y{1})));
%!   endfor
%! endfor
%! for p = {0, 3, 0.5, -1, -Inf, 2.5}
%!   same (v, p{1});
%!   same (single (v)', p{1});
%! endfor
%! same (m, 3);
%! same (m, 2.5, "rows");
%! same (m, 0, "cols");

## no overflow, no underflow, and nothing lost between
%!test
%! v = 1 + mod (1:500, 7);
%! for scale = [1e-320 1e-300 1e-160 1e-154 1e-100 1 1e100 1e153 1e154 1e300]
%!   assert (gpu_norm (v * scale), norm (v) * scale, -1e-3 * (scale < 1e-310) - 1e-14 * (scale >= 1e-310));
%!   assert (gpu_norm (complex (v, v) * scale), norm (complex (v, v)) * scale, -1e-3 * (scale < 1e-310) - 1e-14 * (scale >= 1e-310));
%! endfor
%! assert (gpu_norm ([1e200, 1e-200]), 1e200);
%! assert (gpu_norm ([1e-200 * ones(1, 4), 1]), 1);
%! assert (gpu_norm ([1e-170 * ones(1, 4), 1e-150]), 1e-150, -4 * eps);
%! assert (gpu_norm (single ([1e38 1e38])), single (sqrt (2) * 1e38), -4 * eps ("single"));
%! assert (gpu_norm (single ([1e-44 1e-44])) > 0);

## a column's norm does not hang on the others
%!test
%! for x = {randn(1000, 30), complex(randn (1000, 30), randn (1000, 30))}
%!   alone = gpu_norm (x{1}, "columns");
%!   for other = {0, NaN, 1e200, 1e-200, Inf}
%!     y = [x{1}, other{1} * ones(1000, 1)];
%!     assert (gpu_norm (y, "columns")(1:30), alone);
%!     assert (gather (gpu_norm (gpuArray (y), "columns"))(1:30), alone);
%!     assert (gpu_norm (y, "columns")(31), norm (y(:,31)), -1e-14);
%!   endfor
%! endfor

## NaN and infinities
%!test
%! for x = {[Inf 1], [NaN 1], [Inf NaN], [-Inf 2; 1 1], [1 NaN; 2 3], [NaN 1; 2 3], complex(NaN, 1), complex(Inf, 1)}
%!   for p = {1, 2, Inf, "fro"}
%!     if (! (isequal (p{1}, 2) && ! isvector (x{1})))
%!       same (x{1}, p{1});
%!       same (x{1}, p{1}, "rows");
%!     endif
%!   endfor
%! endfor
%! same ([1 NaN 0], 0);

## NA stays, but for the norm of infinity, which is NaN
%!test
%! for x = {[1 NA 3], [NA 1; 2 3], [Inf NA], [1:5000 NA], complex([1 NA], 2), complex(1:3, NA), complex(NA, 1)}
%!   for y = {x{1}, single(x{1})}
%!     for args = {{1, "rows"}, {2, "rows"}, {"fro", "cols"}, {1, "columns"}, {"fro"}, {Inf, "rows"}}
%!       n = gather (gpu_norm (y{1}, args{1}{:}));
%!       n0 = norm (y{1}, args{1}{:});
%!       assert (isna (n), isna (n0));
%!       assert (isnan (n), isnan (n0));
%!       assert (gather (gpu_norm (gpuArray (y{1}), args{1}{:})), n);
%!     endfor
%!   endfor
%! endfor
%! assert (isna (gpu_norm ([1 NA; 2 3], 1)), isna (norm ([1 NA; 2 3], 1)));
## an infinite absolute value beside a NaN in the other part
%!test
%! x = [complex(Inf, NaN), 2; complex(NaN, 1), 2; 3, 4];
%! for p = {1, 2, Inf}
%!   assert (gpu_norm (x, p{1}, "rows"), norm (x, p{1}, "rows"));
%! endfor

## empties, sparse, classes that have no norm
%!test
%! for x = {[], zeros(0, 3), zeros(3, 0)}
%!   same (x{1});
%!   same (x{1}, 1);
%!   same (x{1}, "cols");
%! endfor
%! same (sparse ([3 4]));
%!assert (gpu_norm ([3 4], "device", "cpu"), 5)
%!assert (gpu_norm ([3 4], 2, "rows", "device", "auto"), 5)
%!assert (isgpuarray (gpu_norm (gpuArray (magic (4)), "rows")))
%!error <Invalid call to gpu_norm> gpu_norm ()
%!error id=Octave:invalid-fun-call gpu_norm (1, 2, "rows", 4)
%!error <gpu_norm: unrecognized option: foo> gpu_norm (1:3, "foo")
%!error <gpu_norm: unrecognized option: foo> gpu_norm (1:3, 2, "foo")
%!error <gpu_norm: .*wrong type argument 'int8 matrix'> gpu_norm (int8 (1:3))
%!error <gpu_norm: .*wrong type argument 'cell'> gpu_norm ({1})
%!error <gpu_norm: only valid for 2-D objects> gpu_norm (ones (2, 2, 2))
%!error <gpu_norm: .*p must be> gpu_norm (ones (2, 3), 0)
%!error id=gpureduce:invalid-input gpu_norm (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_norm (1:3, "device", 1000)
