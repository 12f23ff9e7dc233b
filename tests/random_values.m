## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## x = random_values (class, is_complex, dims): numbers of some kind, small and whole, random, of many magnitudes or all 0, and of
## floating point now and then with NaN, NA, infinities, -0 and the greatest number among them.
function x = random_values (class, is_complex, dims)
  kinds = {@() randn(dims), @() round(4*randn(dims)), @() rand(dims) * 10^(20*rand()), @() exp(300*randn(dims)), @() zeros(dims), @() realmax*randn(dims)};
  x = kinds{randi(numel (kinds))} ();
  if (is_complex)
    x = complex (x, kinds{randi(2)} ());
  endif
  if (any (strcmp (class, {"double", "single"})) && ! isempty (x))
    for special = {NaN, NA, Inf, -Inf, -0, realmax}
      if (rand () < 0.15)
        x(randi(numel (x), 1, randi(3))) = special{1};
      endif
    endfor
  endif
  if (strcmp (class, "logical"))
    x = real (x) > (4 * rand () - 2);
  elseif (strcmp (class, "char"))
    x = char (randi (100, dims));
  else
    x = cast (x, class);
  endif
  if (is_complex && ! iscomplex (x))
    x = complex (x, 0);
  endif
endfunction
