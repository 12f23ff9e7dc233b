## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{t} =} __gpr_rule__ (@var{name})
## Undocumented internal function: has the running Octave the rule @var{name}, one of those that
## differ between releases?
## @end deftypefn

function t = __gpr_rule__ (name)

  t = __gpureduce__ ("rules", name);

endfunction

## every rule is one that some release has, and none raises an error
%!test
%! rules = __gpureduce__ ("rules");
%! assert (unique ({rules.name}), sort ({rules.name}));
%! for r = rules
%!   assert (islogical (r.holds));
%!   assert (__gpr_rule__ (r.name), r.holds);
%! endfor
## the releases that the table names for a rule are those that have it
%!test
%! release = str2double (strtok (version (), "."));
%! if (release > 11)
%!   return;             # newer than the table
%! endif
%! for r = __gpureduce__ ("rules")
%!   [bound, rest] = strtok (r.releases);
%!   number = str2double (rest);
%!   switch (bound)
%!     case "since"
%!       assert (r.holds, release >= number, r.name);
%!     case "until"
%!       assert (r.holds, release <= number, r.name);
%!     otherwise
%!       named = cellfun (@str2double, strsplit (r.releases, " and "));
%!       assert (r.holds, any (named == release), r.name);
%!   endswitch
%! endfor
