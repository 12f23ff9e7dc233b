## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The examples of all help texts, by the package doctest; tests/doctests.sh runs this.
## Each text is given to it as a file: of a class it would take the methods too,
## with the examples of the built-ins of the same names.

addpath (glob ("/usr/share/octave/packages/doctest-*"){end});   # Debian's; pkg looks in build/ alone
top = fileparts (fileparts (mfilename ("fullpath")));
names = [regexp(fileread (fullfile (top, "INDEX")), '^ (\S+)$', "tokens", "lineanchors"){:}];
folder = tempname ();
mkdir (folder);
for name = names
  file = fopen (fullfile (folder, [name{1} ".texi"]), "w");
  fputs (file, get_help_text (name{1}));
  fclose (file);
endfor
gpu_config ("device", "cpu");          # else the first call warns where there is no GPU
[passed, all] = doctest (folder);
printf ("%d passed, %d failed\n", passed, all - passed);
confirm_recursive_rmdir (false, "local");
rmdir (folder, "s");
exit (passed < all || all == 0);
