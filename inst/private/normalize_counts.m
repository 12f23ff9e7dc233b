## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{n} =} normalize_counts (@var{n}, @var{kind}, @var{total}, @var{area})
## Counts of a histogram by the "Normalization" @var{kind}: @var{total} is the number
## of all elements, @var{area} the size of each bin.
## @end deftypefn

function n = normalize_counts (n, kind, total, area)

  switch (kind)
    case "probability"
      n /= total;
    case "percentage"
      n = 100 * n / total;
    case "countdensity"
      n ./= area;
    case "pdf"
      n = n / total ./ area;
    case "cumcount"
      n = cumsum (cumsum (n, 1), 2);
    case "cdf"
      n = cumsum (cumsum (n, 1), 2) / total;
  endswitch

endfunction
