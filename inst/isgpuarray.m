## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{t} =} isgpuarray (@var{x})
## True if @var{x} is a gpuArray, whether its data is on a GPU, on the CPU (where
## there is no GPU) or deleted.
##
## @example
## @group
## isgpuarray (gpuArray (1:3))
##     @result{} 1
## isgpuarray (1:3)
##     @result{} 0
## @end group
## @end example
## @seealso{gpuArray, existsOnGPU, gather}
## @end deftypefn

function t = isgpuarray (x)
  if (nargin != 1)
    print_usage ();
  endif
  t = isa (x, "gpuArray");
endfunction

%!assert (isgpuarray (gpuArray (1:3)), true)
%!assert (isgpuarray (gpuArray ([])), true)
%!assert (isgpuarray (1:3), false)
%!assert (isgpuarray ({}), false)
%!assert (isgpuarray ("gpuArray"), false)
%!assert (isgpuarray (struct ("id", 1)), false)
%!assert (isgpuarray (gather (gpuArray (1:3))), false)
%!assert (isgpuarray (sum (gpuArray (magic (3)))), true)
%!assert (isgpuarray (sum (gpuArray (1:3))), false)
%!test
%! g = gpuArray (1);
%! delete (g);
%! assert (isgpuarray (g), true);
%!error <Invalid call to isgpuarray> isgpuarray ()
%!error <called with too many inputs> isgpuarray (1, 2)
