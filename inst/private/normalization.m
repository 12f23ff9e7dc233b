## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{kind} =} normalization (@var{caller}, @var{value})
## The kind of "Normalization" that @var{value} names, for @code{normalize_counts}.
## @end deftypefn

function kind = normalization (caller, value)

  kinds = {"count", "probability", "percentage", "countdensity", "pdf", "cumcount", "cdf"};
  if (! (ischar (value) && any (strcmpi (value, kinds))))
    error ("gpureduce:invalid-input", "%s: Normalization must be \"%s\"", caller, strjoin (kinds, "\", \""));
  endif
  kind = lower (value);

endfunction
