## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The rule-named tests, tests/*.tst.  A file without tests is a failure.

here = fileparts (mfilename ("fullpath"));
addpath (here);
for file = glob (fullfile (here, "*.tst"))'
  if (run_tests (file{1}) == 0)
    printf ("%s: no tests found\n0 passed, 1 failed\n", file{1});
  endif
endfor
