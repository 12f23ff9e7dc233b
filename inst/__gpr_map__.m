## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## [Y, GATHERS] = __gpr_map__ (CALLER, F, ARRAYS): F of the arrays as gpuArrays, for CALLER; whether none of them was one, so that results are to be
## gathered.  Single numbers stay what they are: an expression has them in its steps.

function [y, gathers] = __gpr_map__ (caller, f, arrays)

  if (! is_function_handle (f))
    error ("gpureduce:invalid-input", "%s: F must be a function handle", caller);
  endif
  gathers = ! any (cellfun (@(a) isa (a, "gpuArray"), arrays)) && exist ("__gpr_octave__") == 3;        # else there are no gpuArrays
  if (gathers)
    moves = cellfun (@(a) (isnumeric (a) || islogical (a)) && ! issparse (a) && ! isscalar (a), arrays);
    arrays(moves) = cellfun (@gpuArray, arrays(moves), "UniformOutput", false);
  endif
  y = f (arrays{:});

endfunction
