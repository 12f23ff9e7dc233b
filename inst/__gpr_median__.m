## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{m} =} __gpr_median__ (@var{x}, @dots{})
## Undocumented internal function of the tests: what the running Octave's @code{median} says, by another call
## of it where the release is wrong.
## @end deftypefn

function m = __gpr_median__ (x, varargin)

  if (isinteger (x) && __gpr_rule__ ("median_saturates"))
    m = cast (median (double (x), varargin{:}), class (x));
  elseif (numel (varargin) == 1 && isnumeric (varargin{1}) && isscalar (varargin{1}) && varargin{1} > 1 && ! issparse (x)
          && __gpr_rule__ ("median_of_nan"))
    d = varargin{1};            # along the first dimension
    order = 1:max (ndims (x), d);
    order([1 d]) = [d 1];
    m = ipermute (median (permute (x, order), 1), order);
  else
    m = median (x, varargin{:});
  endif

endfunction

%!assert (__gpr_median__ (int8 ([127 127])), int8 (127))
%!assert (__gpr_median__ ([1 NaN; NaN 2], 2), [NaN; NaN])
%!assert (__gpr_median__ ([1 5; 3 2], 2), [3; 2.5])
%!assert (full (__gpr_median__ (sparse ([1 0; 2 3]), 3)), [1 0; 2 3])
%!assert (__gpr_median__ ([4 1 3 2]), 2.5)
