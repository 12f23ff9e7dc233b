## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{x}, @var{dim}, @var{options}, @var{gathers}, @var{ranks}] =} slices_to_compute (@var{caller}, @var{args})
## The arguments X, DIM and "device", D of the function @var{caller}: a real floating-point array, the dimensions (without DIM the
## first that is not 1), the options of reductions, whether results are to be gathered (@code{where_computed}), and with "comm" what X is a piece of
## (@code{own_piece}).
## @end deftypefn

function [x, dim, options, gathers, ranks] = slices_to_compute (caller, args)

  [args, ranks] = own_piece (caller, 1, args);
  device = "";
  if (numel (args) > 2)
    [args, device] = take_device (args);
  endif
  if (numel (args) > 2)
    error ("Octave:invalid-fun-call", "Invalid call to %s.  See 'help %s'.", caller, caller);
  endif
  x = args{1};
  if (numel (args) == 2)
    dim = args{2};
    if (isa (dim, "gpuArray"))
      dim = gather (dim);
    endif
  else
    (dim = find (ranks.sizes != 1, 1)) || (dim = 1);
  endif
  if (! ((isnumeric (x) || islogical (x)) && isreal (x)))
    error ("gpureduce:invalid-input", "%s: X must be a real numeric or logical array", caller);
  elseif (! (isnumeric (dim) && isscalar (dim) && isreal (dim) && dim >= 1 && dim < 2 ^ 31 && dim == fix (dim)) && ! is_dimensions (dim))
    error ("gpureduce:invalid-input", "%s: DIM must be a dimension, a vector of different dimensions or \"all\"", caller);
  endif
  if (! isfloat (x))
    x = double (x);
  endif
  [arrays, options, gathers] = where_computed (caller, {x}, device, ranks);
  x = arrays{1};

endfunction

function yes = is_dimensions (dim)
  yes = (ischar (dim) && strcmpi (dim, "all")) ...
        || (isnumeric (dim) && isreal (dim) && isvector (dim) && ! isempty (dim) && all (dim >= 1 & dim < 2 ^ 31 & dim == fix (dim)) && numel (unique (dim)) == numel (dim));
endfunction
