## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{text} =} and_list (@var{c})
## The texts of the cell array @var{c} as a sentence has them: a, b and c.
## @end deftypefn

function text = and_list (c)
  text = c{end};
  if (numel (c) > 1)
    text = [strjoin(c(1:end-1), ", ") " and " text];
  endif
endfunction
