## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## tools/octave tools/rule_table.m: prints the manual's table of what differs between releases of
## Octave, as Texinfo, from what the gateway says of itself.  doc/build.sh includes it.

function print_rules (rules)
  printf ("@multitable @columnfractions .15 .85\n@headitem Octave @tab what is so there\n");
  for r = rules
    printf ("@item %s @tab %s\n", r.releases, r.what);
  endfor
  printf ("@end multitable\n");
endfunction

rules = __gpureduce__ ("rules");
printf ("@noindent These functions do the same there:\n\n");
print_rules (rules([rules.followed]));
printf ("\n@noindent These functions do not, since it is wrong:\n\n");
print_rules (rules(! [rules.followed]));
