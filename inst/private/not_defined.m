## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} not_defined (@var{what}, @var{after})
## The error of a gpuArray that cannot do @var{what}; @var{after} is what the user would
## write after @code{gather (X)}.  A function of its own, since those at the end of a
## class's file are gone after @code{clear functions}.
## @end deftypefn

function not_defined (what, after = "")
  error ("gpureduce:unsupported", "gpuArray: %s is not defined; use gather (X)%s", what, after);
endfunction
