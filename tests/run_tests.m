## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## total = run_tests (file, rule): runs the %! tests of a file, or those whose first
## line names the rule, prints what fails, what runs it alone, and the line of counts,
## and returns how many tests there were.  A file that takes seconds is told with them.
function total = run_tests (file, rule = "")

  started = tic ();
  octaves_assert ();            # assert is quick from here on
  log = tempname ();
  formats = makeinfo_program ("true");  # print_usage formats the usage each time; "Invalid call to f" stays
  tested = file;
  if (! isempty (rule))
    tested = [tempname() ".tst"];
    write_blocks (tested, file, rule);
  endif
  unwind_protect
    try
      [passed, total, xfail, bug, skip, rtskip] = test (tested, "quiet", log);
      failed = total - passed - xfail - bug;
      skipped = xfail + bug + skip + rtskip;
      total += skip + rtskip;
    catch err
      printf ("%s: %s\n", file, err.message);
      passed = skipped = 0;
      total = failed = 1;
    end_try_catch
    if (failed > 0)
      [~, name] = fileparts (file);
      printf ("%s\n%s\n  alone: make test T=%s\n", file, fileread (log), name);
    endif
    if (total > 0)
      printf ("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    endif
    if (toc (started) >= 1)
      printf ("%s took %.0f s\n", file, toc (started));
    endif
  unwind_protect_cleanup
    makeinfo_program (formats);
    left = {log};
    if (! isempty (rule))
      left{end+1} = tested;
    endif
    cellfun (@(name) unlink (name), left, "UniformOutput", false);
  end_unwind_protect

endfunction

## The blocks that name the rule, with what all share.
function write_blocks (copy, file, rule)
  blocks = blocks_of (file);
  first = strtok (blocks, "\n");
  shared = ! cellfun (@isempty, regexp (first, '^%!(shared|function|endfunction)', "once"));
  named = ! cellfun (@isempty, regexp (first, ['#.*' regexptranslate("escape", rule)], "once"));
  fid = fopen (copy, "w");
  fprintf (fid, "%s\n\n", blocks{shared | named});
  fclose (fid);
endfunction
