## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{args}, @var{device}] =} take_device (@var{args})
## Take a trailing "device", D off the arguments; "" where there is none.
## @end deftypefn

function [args, device] = take_device (args)

  device = "";
  n = numel (args);
  if (n > 1 && ischar (args{n-1}) && strcmpi (args{n-1}, "device"))
    device = args{n};
    args(n-1:n) = [];
  endif

endfunction
