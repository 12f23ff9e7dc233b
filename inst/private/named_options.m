## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{o} =} named_options (@var{caller}, @var{args}, @var{o}, @var{check})
## The options in the cell @var{args}, pairs of a name (in upper or lower case) and a value.
## @var{o} is a struct whose fields are the options with their defaults, and
## @code{@var{check} (@var{name}, @var{value})} returns the value as it shall be stored, or
## raises an error.
## @end deftypefn

function o = named_options (caller, args, o, check)

  if (mod (numel (args), 2) != 0)
    error ("gpureduce:invalid-input", "%s: options must come as pairs of a name and a value", caller);
  endif
  for k = 1:2:numel (args)
    name = args{k};
    if (! ischar (name))
      name = "?";
    endif
    if (! isfield (o, lower (name)))
      error ("gpureduce:invalid-input", "%s: unknown option \"%s\"; options are %s", caller, name, strjoin (fieldnames (o)', ", "));
    endif
    o.(lower (name)) = check (lower (name), args{k+1});
  endfor

endfunction
