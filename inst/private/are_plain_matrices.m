## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{yes} =} are_plain_matrices (@var{args})
## Whether the arguments are one full floating-point matrix of several rows, or two of equally many, which are computed where they lie: most calls, for
## which looking for all that else may be there takes longer than what is computed.
## @end deftypefn

function yes = are_plain_matrices (args)

  x = args{1};
  resident = isa (x, "gpuArray");
  yes = is_plain (x, resident);
  if (yes && ! isscalar (args))
    y = args{2};
    yes = numel (args) == 2 && isa (y, "gpuArray") == resident && is_plain (y, resident) && rows (x) == rows (y);
  endif
  if (yes && ! resident)
    yes = any (strcmpi (__gpureduce__ ("config", "device"), {"cpu", "auto"})) || __gpureduce__ ("device_count") == 0;
  endif

endfunction

function yes = is_plain (x, resident)
  yes = isfloat (x) && ndims (x) == 2 && rows (x) > 1 && columns (x) > 0 ...
        && (resident || any (strcmp (typeinfo (x), {"matrix", "complex matrix", "float matrix", "float complex matrix"})));    # a diagonal matrix does not broadcast
endfunction
