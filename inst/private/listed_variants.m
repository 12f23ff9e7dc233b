## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {[@var{v}, @var{users}] =} listed_variants ()
## @deftypefnx {} {} listed_variants (@var{new})
## @deftypefnx {} {} listed_variants ([], @var{name})
## The variants as gpu_variants returns them; @var{users} is true for those that
## have been added.  With @var{new}, of read_variants: adds these, in place of
## those of the same names.
## @end deftypefn

function [v, users] = listed_variants (new, name)

  persistent own = [];
  persistent added = [];

  if (nargin > 1)
    if (! isempty (added))
      added = reshape (added(! strcmp ({added.name}, name)), [], 1);
    endif
    return;
  elseif (nargin > 0)
    ## A column of none, which may be what is left, can be put above others; what deletion leaves of one cannot.
    if (! isempty (added))
      added = reshape (added(! ismember ({added.name}, {new.name})), [], 1);
    endif
    added = [added; new(:)];
    return;
  endif
  if (isempty (own))
    [own, why] = read_variants ("");
    if (! isempty (why))
      error ("gpureduce:unsupported", "gpu_variants: %s", why);
    endif
  endif
  v = [own; added];
  users = (1:numel (v))' > numel (own);

endfunction
