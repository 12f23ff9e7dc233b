## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{v} =} sample_variance (@var{n}, @var{squares}, @var{w})
## Variances of @var{n} elements whose squared distances to their mean sum to @var{squares};
## @var{w} is 0 (divide by n - 1) or 1 (by n).
## @end deftypefn

function v = sample_variance (n, squares, w)
  v = squares ./ (n - 1 + w);
  v(n == 1) = squares(n == 1);          # 0, or NaN of what is not finite
  v(n == 0) = NaN;
endfunction
