## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{open}, @var{args}] =} open_flag (@var{args})
## Whether "open", which takes no value, is among the options, and the arguments without it.
## @end deftypefn

function [open, args] = open_flag (args)

  open = false;
  k = find (cellfun (@ischar, args), 1);
  while (! isempty (k) && k <= numel (args))
    if (ischar (args{k}) && strcmpi (args{k}, "open"))
      open = true;
      args(k) = [];
    else
      k += 2;
    endif
  endwhile

endfunction
