## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The rule-named tests, tests/*.tst.

here = fileparts (mfilename ("fullpath"));
addpath (here);
for file = glob (fullfile (here, "*.tst"))'
  run_tests (file{1});
endfor
