## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{p} =} products_of (@var{caller}, @var{x}, @var{y}, @var{ranks})
## @code{@var{x}' * @var{y}}, by a matrix product; of rows of @var{ranks} (@code{own_rows}) by dot products of the columns, whose bits do not hang on who has
## which rows.
## @end deftypefn

function p = products_of (caller, x, y, ranks)

  if (ranks.dim == 0)
    p = x' * y;
    return;
  endif
  p = cell (columns (x), 1);
  for k = 1:columns (x)
    p{k} = __gpureduce__ (["dot:" caller], x(:,repmat (k, 1, columns (y))), y, 1, ranks.options{:});
  endfor
  p = vertcat (p{:});

endfunction
