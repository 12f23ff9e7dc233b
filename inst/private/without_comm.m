## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{args}, @var{named}] =} without_comm (@var{args})
## The arguments in a cell without "comm" and what goes with it, which come last; and these, none where there is no "comm".
## @end deftypefn

function [args, named] = without_comm (args)

  named = {};
  is_one = @(a, names) ischar (a) && isrow (a) && any (strcmpi (a, names));
  first = find (cellfun (@(a) is_one (a, {"comm", "result", "divided", "device"}), args(2:end)), 1) + 1;
  if (! isempty (first) && any (cellfun (@(a) is_one (a, "comm"), args(first:2:end-1))))
    named = args(first:end);
    args(first:end) = [];
  endif

endfunction
