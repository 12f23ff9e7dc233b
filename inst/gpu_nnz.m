## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{n} =} gpu_nnz (@var{x})
## @deftypefnx {} {@var{n} =} gpu_nnz (@var{x}, "device", @var{d})
## Count the elements of @var{x} that are not zero, as the built-in @code{nnz},
## computed on the GPU.
##
## @var{x} is a numeric, logical or character array of any size, real or complex.
## NaN is not zero, -0 is.  The count is a double, exact beyond 2^31 elements.
##
## @table @asis
## @item "device", @var{d}
## Where to compute: "gpu", "cpu", "auto" (wherever this call is fastest) or the
## number of a GPU, from 1.  Without it the GPU is used when there is one, else
## the CPU, with one warning (@code{gpureduce:cpu-fallback}) a session.
## @end table
##
## A gpuArray is counted where it lies.  Sparse @var{x} goes to the built-in.
##
## @example
## @group
## gpu_nnz ([1 0 -2; 0 NaN 0])
##     @result{} 3
## @end group
## @end example
##
## Errors are those of the built-in, with this function's name in front;
## @code{gpureduce:no-device} where a GPU is asked for and absent.
## @seealso{gpu_sum, gpu_any, gpu_norm, gpuArray, nnz}
## @end deftypefn

function n = gpu_nnz (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  n = __gpureduce__ ("nnz", varargin{:});
endfunction

%!assert (gpu_nnz ([1 0 -2; 0 NaN 0]), 3)
%!assert (gpu_nnz ([]), 0)
%!assert (gpu_nnz (zeros (0, 3)), 0)
%!assert (gpu_nnz ([0 -0 NA Inf]), 2)
%!assert (gpu_nnz (complex ([0 0 1], [0 1 0])), 2)
%!test
%! x = mod (reshape (1:60, 3, 4, 5), 4) .* (-1) .^ reshape (1:60, 3, 4, 5);
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical", "char"}
%!   y = feval (type{1}, max (x, merge (any (strcmp (type{1}, {"char"})), 0, -Inf)));
%!   assert (gpu_nnz (y), nnz (y));
%!   assert (class (gpu_nnz (y)), "double");
%!   assert (gpu_nnz (gpuArray (y)), nnz (y));
%! endfor
%! assert (gpu_nnz (int64 ([intmin("int64") 0 intmax("int64")])), 2);
%! x = mod (1:100000, 7) == 0;
%! assert (gpu_nnz (x), nnz (x));
%! assert (gpu_nnz (single (x)), nnz (x));
%!assert (gpu_nnz (sparse ([1 0; 2 3])), 3)
%!assert (gpu_nnz (1:3, "device", "cpu"), 3)
%!error <Invalid call to gpu_nnz> gpu_nnz ()
%!error <Invalid call to gpu_nnz> gpu_nnz (1, 2)
%!error <gpu_nnz: .*cell> gpu_nnz ({1})
%!error id=gpureduce:invalid-input gpu_nnz (1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_nnz (1:3, "device", 1000)
