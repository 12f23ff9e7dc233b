## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The rule-named tests, tests/*.tst, or those files alone whose names RULES matches.  A file without tests is a failure.

here = fileparts (mfilename ("fullpath"));
addpath (here);
names = getenv ("RULES");
if (isempty (names))
  names = "*";
endif
for file = glob (fullfile (here, [names ".tst"]))'
  if (run_tests (file{1}) == 0)
    printf ("%s: no tests found\n0 passed, 1 failed\n", file{1});
  endif
endfor
