## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Where temporary files go: whatever TMPDIR is, an Octave of its own each.

%!function said = with_tmpdir (tmpdir, code, environment)
%!  [status, said] = in_octave (sprintf ("setenv ('TMPDIR', '%s');\n%s", strrep (tmpdir, "'", "''"), code), environment, 120);
%!  assert (status == 0, "%s", said);
%!endfunction

## nvcc hands the names of files to a shell.  Where there is none, this one does.
%!test                                   # tmpdir_reaches_no_shell
%! folder = tempname ();
%! evil = fullfile (folder, "a b'c$(touch PWNED)`touch PWNED`\"d");
%! nvcc = fullfile (folder, "nvcc");
%! said = "";
%! unwind_protect
%!   assert (mkdir (folder) && mkdir (evil));
%!   fid = fopen (nvcc, "w");
%!   fprintf (fid, "#!/bin/sh\necho \"$TMPDIR\" \"$*\" > '%s'\nfor a; do eval \": \\\"$a\\\"\"; [ \"$before\" != -o ] || : > \"$a\"; before=$a; done\n", ...
%!            fullfile (folder, "words"));
%!   fclose (fid);
%!   assert (system (["chmod +x " nvcc]), 0);
%!   code = sprintf ("cd ('%s'); f = gpu_variant_add ('template', '%s'); names = gpu_variant_add (f); printf ('<%%s>', names{1});", folder, folder);
%!   code = [code " printf ('%d', gpu_reduce (1:100, 'sum', 'variant', 'my_reduce', 'device', 'sim'));"];
%!   said = with_tmpdir (evil, code, sprintf ("GPUREDUCE_CUDA= PATH=%s:%s", folder, getenv ("PATH")));
%!   assert (! isempty (strfind (said, "<my_reduce>5050")), "%s", said);
%!   [~, touched] = system (["find " folder " -name PWNED"]);
%!   assert (touched, "");
%!   if (exist (fullfile (folder, "words"), "file"))
%!     assert (isempty (strfind (fileread (fullfile (folder, "words")), "PWNED")));
%!   endif
%!   assert (numel (dir (evil)), 2);                  # with . and ..: nothing is left
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
