## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{name} =} taken_or_first (@var{name}, @var{list})
## What a kernel is run with where nothing is said: @var{name}, if it is in the @var{list} of
## what the kernel takes, else the first there.
## @end deftypefn

function name = taken_or_first (name, list)
  if (! isempty (list) && ! any (strcmp (list, name)))
    name = list{1};
  endif
endfunction
