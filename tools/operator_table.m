## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## tools/octave tools/operator_table.m: prints the manual's table of operators, as Texinfo, from
## what the gateway says of itself.  doc/build.sh includes it.

rows = __gpureduce__ ("operators");
of_nothing = struct ("identity", "its neutral element", "stays", "stays empty", "nan", "NaN", "builtin", "as the built-in");
yes = @(flag) merge (flag, "yes", "");
printf ("@multitable @columnfractions .17 .15 .1 .1 .12 .12 .24\n");
printf ("@headitem function @tab arguments @tab index @tab \"omitnan\" @tab type of the result @tab several dimensions @tab of nothing\n");
for r = rows(:)'
  printf ("@item @code{gpu_%s} @tab @code{%s} @tab %s @tab %s @tab %s @tab %s @tab %s\n", r.name, r.arguments,
          yes (r.index), yes (r.nanflag), yes (r.outtype), yes (r.vecdim), of_nothing.(r.empty));
endfor
printf ("@end multitable\n");
