## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{yes} =} is_plain_matrix (@var{args})
## Whether the arguments are one full floating-point matrix of several rows, alone, which is reduced where it lies: most calls, for which looking for
## all that else may be there takes longer than what is computed.
## @end deftypefn

function yes = is_plain_matrix (args)

  yes = false;
  x = args{1};
  if (! isscalar (args) || ! isfloat (x) || ndims (x) != 2 || rows (x) < 2 || columns (x) == 0)
    return;
  elseif (isa (x, "gpuArray"))
    yes = true;
  elseif (! issparse (x) && ! isdiag (x))       # a diagonal matrix does not broadcast
    yes = any (strcmpi (__gpureduce__ ("config", "device"), {"cpu", "auto"})) || __gpureduce__ ("device_count") == 0;
  endif

endfunction
