## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{t} =} existsOnGPU (@var{x})
## True if @var{x} is a gpuArray whose data can still be used.
##
## It is false after @code{delete (@var{x})}, after the device was reset by
## @code{reset (gpuDevice ())} or @code{gpuDevice ([])}, and for anything that is not a gpuArray.  Where there
## is no GPU, the data of a gpuArray lives on the CPU and counts as existing.
##
## @example
## @group
## g = gpuArray (1:3);
## existsOnGPU (g)
##     @result{} 1
## delete (g)
## existsOnGPU (g)
##     @result{} 0
## @end group
## @end example
## @seealso{gpuArray, isgpuarray, gather, gpuDevice}
## @end deftypefn

function t = existsOnGPU (x)
  if (nargin != 1)
    print_usage ();
  endif
  t = isa (x, "gpuArray") && __gpr_octave__ ("is_valid", x);
endfunction

%!assert (existsOnGPU (gpuArray (1:3)), true)
%!assert (existsOnGPU (gpuArray ([])), true)
%!assert (existsOnGPU (1:3), false)
%!assert (existsOnGPU ("text"), false)
%!test
%! g = gpuArray (1);
%! h = g;
%! delete (g);
%! assert (existsOnGPU (g), false);
%! assert (existsOnGPU (h), false);
%!test
%! g = gpuArray (magic (4));
%! s = sum (g);
%! clear g
%! assert (existsOnGPU (s), true);
%! assert (gather (s), [34 34 34 34]);
%!error <Invalid call to existsOnGPU> existsOnGPU ()
