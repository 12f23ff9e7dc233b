## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} no_comm (@var{caller}, @var{args})
## The error of the function @var{caller}, which does not take "comm" yet, where its arguments have that.
## @end deftypefn

function no_comm (caller, args)

  if (any (cellfun (@(a) ischar (a) && strcmpi (a, "comm"), args(2:end))))
    error ("gpureduce:unsupported", "%s: this function does not take \"comm\" yet", caller);
  endif

endfunction
