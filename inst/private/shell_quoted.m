## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{word} =} shell_quoted (@var{text})
## A word of a command for @code{system} that the shell takes as @var{text},
## whatever is in it.
## @end deftypefn

function word = shell_quoted (text)
  word = ["'" strrep(text, "'", "'\"'\"'") "'"];
endfunction
