## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## `pkg test`, whose own status says nothing of failures: its summary is read.

said = evalc ("pkg test gpureduce");
disp (said);
passed = str2double (regexp (said, 'PASS\s+(\d+)', "tokens", "once"));
failed = str2double (regexp (said, 'FAIL\s+(\d+)', "tokens", "once"));
if (isempty (passed))
  printf ("no summary of pkg test\n0 passed, 1 failed\n");
  exit (1);
endif
printf ("%d passed, %d failed\n", passed, failed);
exit (failed > 0);
