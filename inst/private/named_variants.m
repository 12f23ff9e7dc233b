## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{v} =} named_variants (@var{v}, @var{name})
## Those of @var{v} with this name or, in any case, alias; a name is before an alias.
## @end deftypefn

function v = named_variants (v, name)

  is = strcmp ({v.name}, name);
  if (! any (is))
    is = cellfun (@(a) any (strcmpi (a, name)), {v.aliases});
  endif
  v = v(is);

endfunction
