## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{n}, @var{bin}] =} count_closed (@var{caller}, @var{x}, @var{edges}, @var{device})
## Count all elements of @var{x} between @var{edges}, which are of the class of the
## comparison; the last bin has both its edges.  @var{n} is a column.
## @end deftypefn

function [n, bin] = count_closed (caller, x, edges, device)

  count = {"count", caller, x, 0, "closed", edges, numel(edges) - 1, 0, 1, isa(edges, "single"), device};
  if (nargout > 1)
    [n, bin] = __gpureduce__ (count{:});
  else
    n = __gpureduce__ (count{:});
  endif

endfunction
