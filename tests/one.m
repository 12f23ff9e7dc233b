## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## TEST_FILE and TEST_RULE: the %! tests that tests/one.sh chose.
addpath (fileparts (mfilename ("fullpath")));
warning ("off", "gpureduce:cpu-fallback");
file = make_absolute_filename (getenv ("TEST_FILE"));
log = evalc ("run_tests (file, getenv (\"TEST_RULE\"));");
printf ("%s: %s", getenv ("TEST_FILE"), log);
if (isempty (log) || ! isempty (regexp (log, '[1-9]\d* failed', "once")))
  exit (1);
endif
