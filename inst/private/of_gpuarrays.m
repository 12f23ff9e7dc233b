## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{y}, @var{gathers}] =} of_gpuarrays (@var{caller}, @var{f}, @var{arrays})
## @var{f} of the arrays in a cell, as gpuArrays, for the function @var{caller}; and whether none of them was a gpuArray, so that results are to be
## gathered.  Single numbers stay what they are: an expression has them in its steps.
## @end deftypefn

function [y, gathers] = of_gpuarrays (caller, f, arrays)

  if (! is_function_handle (f))
    error ("gpureduce:invalid-input", "%s: F must be a function handle", caller);
  endif
  gathers = ! any (cellfun ("isclass", arrays, "gpuArray")) && exist ("__gpr_octave__") == 3;        # else there are no gpuArrays
  if (gathers)
    for k = 1:numel (arrays)
      a = arrays{k};
      if ((isnumeric (a) || islogical (a)) && ! issparse (a) && ! isscalar (a))
        arrays{k} = __gpr_octave__ ("upload", a);
      endif
    endfor
  endif
  y = f (arrays{:});

endfunction
