## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{args}, @var{named}] =} without_comm (@var{args})
## The arguments in a cell without "comm" and what goes with it, which come last; and these, none where there is no "comm".
## @end deftypefn

function [args, named] = without_comm (args)

  named = {};
  first = find (cellfun (@(a) ischar (a) && any (strcmpi (a, {"comm", "result", "divided", "device"})), args(2:end)), 1) + 1;
  if (! isempty (first) && any (strcmpi (args(first:2:end-1), "comm")))
    named = args(first:end);
    args(first:end) = [];
  endif

endfunction
