## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Octave's own tests of the functions that gpureduce has too: taken from the
## running Octave's installed files, every call given the prefix gpu_.

addpath (fileparts (mfilename ("fullpath")));

## Blocks left out: the file, what the block holds, why.
function list = exempt ()
  list = {
    "mean.m", "<Invalid call to mean", "the message names the function"
    "mean.m", "[flintmax(\"double\"), ones", "the mean of Octave 11 is compensated, this one pairwise"
  };
endfunction

function counts = run_own_tests (file, names)
  call = ['(?<![\w.@])(' strjoin(names, "|") ')(?=\s*\()'];
  [~, base, ext] = fileparts (file);
  base = [base ext];
  left_out = exempt ();
  text = "";
  skipped = 0;
  for block = blocks_of (file)
    block = block{1};
    helper = ! isempty (regexp (block, '^%!(shared|function|endfunction)', "once"));
    if (helper)
      text = [text block "\n\n"];
    elseif (! isempty (regexp (block, call, "once")) && strncmp (block, "%!demo", 6) == 0)
      reason = "";
      for k = 1:rows (left_out)
        if (strcmp (base, left_out{k,1}) && ! isempty (strfind (block, left_out{k,2})))
          reason = left_out{k,3};
        endif
      endfor
      if (isempty (reason))
        text = [text regexprep(block, call, "gpu_$1") "\n\n"];
      else
        printf ("left out: %s, %s: %s\n", base, strtok (block, "\n"), reason);
        skipped++;
      endif
    endif
  endfor

  copy = [tempname() ".tst"];
  log = tempname ();
  unwind_protect
    fid = fopen (copy, "w");
    fputs (fid, text);
    fclose (fid);
    [passed, total, xfail, bug, skip, rtskip] = test (copy, "quiet", log);
    failed = total - passed - xfail - bug;
    if (failed > 0)
      printf ("%s: what fails\n%s\n", base, fileread (log));
    endif
  unwind_protect_cleanup
    unlink (copy);
    if (exist (log, "file"))
      unlink (log);
    endif
  end_unwind_protect
  skipped += xfail + bug + skip + rtskip;
  printf ("  %s: %d of %d\n", base, passed, total);
  counts = [passed, failed, skipped];
endfunction

function run_all ()
  names = {"sum", "prod", "sumsq", "mean", "max", "min", "any", "all", "histc", "hist", "var", "std", "range", "bounds", ...
           "norm", "dot", "nnz", "accumarray", "median", "mode", "cumsum", "cumprod", "cummax", "cummin"};
  core = fullfile (__octave_config_info__ ("octtestsdir"), "libinterp", "corefcn");
  files = {fullfile(core, "data.cc-tst"), fullfile(core, "max.cc-tst"), fullfile(core, "dot.cc-tst")};
  for name = {"mean", "histc", "hist", "var", "std", "range", "bounds", "accumarray", "median", "mode"}
    files{end+1} = which (name{1});
  endfor
  printf ("Octave %s\n", version ());
  counts = [0 0 0];
  for file = files
    counts += run_own_tests (file{1}, names);
  endfor
  printf ("%d passed, %d failed, %d skipped\n", counts);
  if (counts(2) > 0 || counts(1) < 250)
    exit (1);
  endif
endfunction

warning ("off", "gpureduce:cpu-fallback");
run_all ();
