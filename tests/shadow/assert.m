## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## assert (...) for these tests (run_tests.m).  Octave's own takes a millisecond to see that two numbers are equal, and most asserts are of
## such: they pass here at once, in a thirtieth of that.  All else is left to Octave's own, which says what differs.
function assert (varargin)

  if (! holds (varargin{:}))
    try
      octaves_assert () (varargin{:});
    catch err                   # it knows its arguments as varargin, and not as the test wrote them
      said = cell (1, nargin);
      for k = 1:nargin
        said{k} = inputname (k, false);
      endfor
      err.message = strrep (strrep (err.message, "varargin {:},", "varargin {:}"), "varargin {:}", strjoin (said, ", "));
      rethrow (err);
    end_try_catch
  endif

endfunction

## What Octave's own would pass, too.
function yes = holds (x, wanted, varargin)
  yes = false;
  plain = nargin == 2 || (nargin == 3 && isnumeric (varargin{1}) && isscalar (varargin{1}));            # with a tolerance, if any
  if (nargin == 1 || (nargin > 1 && islogical (x) && ischar (wanted)))
    yes = islogical (x) && ! isempty (x) && all (x(:));
  elseif (plain && strcmp (class (x), class (wanted)) && size_equal (x, wanted) && (isnumeric (x) || islogical (x) || ischar (x)))
    yes = iscomplex (x) == iscomplex (wanted) && ! issparse (x) && ! issparse (wanted) && all ((x == wanted)(:));
  endif
endfunction
