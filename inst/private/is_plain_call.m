## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {Private Function} {@var{yes} =} is_plain_call (@var{args})
## Whether the arguments are a real floating-point gpuArray that has elements and one dimension: the usual call, which goes straight to its operations, since looking at all that
## else may be there takes longer than these.
## @end deftypefn

function yes = is_plain_call (args)

  yes = numel (args) == 2 && isa (args{1}, "gpuArray") && isfloat (args{1}) && isreal (args{1}) && ! isempty (args{1}) && isa (args{2}, "double") && isscalar (args{2}) && isreal (args{2});
  if (yes)
    dim = args{2};
    yes = dim >= 1 && dim < 2 ^ 31 && dim == fix (dim);
  endif

endfunction
