## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The elements of x as memory has them, to the file of that name, after so many bytes.
function write_raw (name, x, before)
  f = fopen (name, "wb");
  if (nargin > 2)
    fwrite (f, zeros (1, before), "uint8");
  endif
  if (iscomplex (x))
    x = [real(x(:).'); imag(x(:).')];
  endif
  if (islogical (x) || ischar (x))
    x = uint8 (x);
  endif
  fwrite (f, typecast (x(:), "uint8"), "uint8");
  fclose (f);
endfunction
