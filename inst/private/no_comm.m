## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} no_comm (@var{caller}, @var{args})
## The error of the function @var{caller}, which does not take "comm" yet, where its arguments have that.
## @end deftypefn

function no_comm (caller, args)

  for a = args(2:end)
    if (isrow (a{1}) && ! iscell (a{1}) && strcmpi (a{1}, "comm"))              # ischar of a gpuArray takes longer
      error ("gpureduce:unsupported", "%s: this function does not take \"comm\" yet", caller);
    endif
  endfor

endfunction
