## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## [status, said] = in_octave (code, environment, seconds): runs code in an Octave of
## its own, with this package loaded, and returns its exit status and all it prints.
## environment is put before the command ("A=1 B=2"); status 124: it took too long.
function [status, said] = in_octave (code, environment = "", seconds = 60)

  prefix = fileparts (pkg ("list", "gpureduce"){1}.dir);
  script = [tempname() ".m"];
  unwind_protect
    fid = fopen (script, "w");
    fprintf (fid, "pkg ('prefix', '%s', '%s');\n", prefix, prefix);
    fprintf (fid, "pkg ('local_list', '%s');\n", fullfile (prefix, "packages"));
    fprintf (fid, "pkg ('global_list', '%s');\n", fullfile (prefix, "global_packages"));
    fprintf (fid, "pkg load gpureduce\n%s\n", code);
    fclose (fid);
    [status, said] = system (sprintf ("env %s timeout -k 5 %d octave-cli --norc --quiet --no-history %s 2>&1", ...
                                      environment, seconds, script));
  unwind_protect_cleanup
    unlink (script);
  end_unwind_protect

endfunction
