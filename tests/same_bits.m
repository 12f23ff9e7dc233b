## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## same_bits (A, B): same class, size and value, zeros' signs and missing values
## included; NaN of any payload are one, NA another.
function t = same_bits (a, b)

  t = strcmp (class (a), class (b)) && isequal (size (a), size (b)) && iscomplex (a) == iscomplex (b) ...
      && issparse (a) == issparse (b);
  if (! t)
    return;
  endif
  if (iscomplex (a))
    t = same_bits (real (a), real (b)) && same_bits (imag (a), imag (b));
  elseif (isfloat (a))
    a = full (a)(:);
    b = full (b)(:);
    bits = {"uint32", "uint64"}{1 + isa(a, "double")};
    if (isequal (typecast (a, bits), typecast (b, bits)))
      return;
    endif
    odd = isnan (a);
    t = isequal (odd, isnan (b)) && isequal (isna (a), isna (b)) && isequal (a(! odd), b(! odd)) ...
        && isequal (1 ./ a(a == 0), 1 ./ b(b == 0));
  else
    t = isequal (a, b);
  endif

endfunction
