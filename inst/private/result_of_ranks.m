## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{y} =} result_of_ranks (@var{ranks}, @var{dim}, @var{y})
## A result of the slices along @var{dim}, which all ranks have if that is divided (@code{own_piece}), for those that want it.
## @end deftypefn

function y = result_of_ranks (ranks, dim, y)

  if (! ranks.wanted && (ischar (dim) || any (dim == ranks.dim)))
    y = [];
  endif

endfunction
