## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{m} =} mean_of (@var{caller}, @var{x}, @var{dim}, @var{nanflag}, @var{options})
## The mean along @var{dim} for the function @var{caller}, with the options of reductions in a cell.  Of equal elements it is that element, so that zeros are
## left of them when it is subtracted; a sum and a quotient may round to a neighbour.
## @end deftypefn

function m = mean_of (caller, x, dim, nanflag, options)

  m = __gpureduce__ (["mean:" caller], x, dim, nanflag, options{:});
  [least, greatest] = __gpureduce__ (["bounds:" caller], x, dim, options{:});
  equal = least == greatest;
  if (nnz (equal) > 0)
    m(equal) = least(equal);
  endif

endfunction
