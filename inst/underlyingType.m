## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{type} =} underlyingType (@var{x})
## Class of the elements of @var{x}: of a gpuArray the class of its data, of
## anything else @code{class (@var{x})}.
##
## @example
## @group
## g = gpuArray (single (1:3));
## class (g)
##     @result{} gpuArray
## underlyingType (g)
##     @result{} single
## @end group
## @end example
## @seealso{gpuArray, isgpuarray, class}
## @end deftypefn

function type = underlyingType (x)
  if (nargin != 1)
    print_usage ();
  endif
  type = class (x);
  if (strcmp (type, "gpuArray"))
    type = __gpr_octave__ ("underlying_type", x);
  endif
endfunction

%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64", "logical", "char"}
%!   x = feval (type{1}, [65 66; 67 68]);
%!   assert (underlyingType (gpuArray (x)), type{1});
%!   assert (underlyingType (x), type{1});
%! endfor
%!assert (underlyingType ({}), "cell")
%!assert (underlyingType (struct ()), "struct")
%!assert (underlyingType (max (gpuArray (int8 ([1 2; 3 4])))), "int8")
%!error <Invalid call to underlyingType> underlyingType ()
