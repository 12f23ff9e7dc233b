## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## total = run_tests (file): runs the %! tests of a file, prints what fails and the
## line of counts, and returns how many tests there were.
function total = run_tests (file)

  log = tempname ();
  unwind_protect
    try
      [passed, total, xfail, bug, skip, rtskip] = test (file, "quiet", log);
      failed = total - passed - xfail - bug;
      skipped = xfail + bug + skip + rtskip;
      total += skip + rtskip;
    catch err
      printf ("%s: %s\n", file, err.message);
      passed = skipped = 0;
      total = failed = 1;
    end_try_catch
    if (failed > 0)
      printf ("%s\n%s", file, fileread (log));
    endif
    if (total > 0)
      printf ("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    endif
  unwind_protect_cleanup
    if (exist (log, "file"))
      unlink (log);
    endif
  end_unwind_protect

endfunction
