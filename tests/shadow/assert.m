## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## assert (...) of run_tests.m: Octave's own takes a millisecond to find that numbers are the same, as most are.  It is called where they are
## not, and where that takes more than a comparison.
function assert (varargin)

  if (! holds (varargin{:}))
    try
      octaves_assert () (varargin{:});
    catch err
      said = cell (1, nargin);
      for k = 1:nargin
        said{k} = inputname (k, false);
      endfor
      err.message = strrep (strrep (err.message, "varargin {:},", "varargin {:}"), "varargin {:}", strjoin (said, ", "));
      rethrow (err);
    end_try_catch
  endif

endfunction

function yes = holds (x, wanted, varargin)
  yes = false;
  if (nargin == 1 || (nargin > 1 && islogical (x) && ischar (wanted)))
    yes = islogical (x) && ! isempty (x) && all (x(:));
  elseif ((nargin == 2 || (nargin == 3 && isnumeric (varargin{1}) && isscalar (varargin{1}))) && strcmp (class (x), class (wanted)) && size_equal (x, wanted) && (isnumeric (x) || islogical (x) || ischar (x)))
    yes = iscomplex (x) == iscomplex (wanted) && ! issparse (x) && ! issparse (wanted) && all ((x == wanted)(:));
  endif
endfunction
