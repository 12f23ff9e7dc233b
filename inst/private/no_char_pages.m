## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} no_char_pages (@var{caller}, @var{args})
## An error where one of @var{args} is a char array of three or more dimensions: Octave's
## functions for text refuse it in words of their own.
## @end deftypefn

function no_char_pages (caller, args)

  for k = 1:numel (args)
    if (ischar (args{k}) && ndims (args{k}) > 2)
      error ("gpureduce:invalid-input", "%s: a char array of %d dimensions cannot be used here", caller, ndims (args{k}));
    endif
  endfor

endfunction
