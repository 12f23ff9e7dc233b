## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## [status, said] = in_octave (code, environment, seconds, processes): runs code in an
## Octave of its own, with this package loaded, and returns its exit status and all it
## prints.  environment is put before the command ("A=1 B=2"); status 124: it took
## too long.  Several processes run at once, each with its number, from 1, as PROCESS;
## status is then the last that is not 0, and said what they print, one after the other.
function [status, said] = in_octave (code, environment = "", seconds = 60, processes = 1)

  prefix = fileparts (pkg ("list", "gpureduce"){1}.dir);
  script = [tempname() ".m"];
  unwind_protect
    fid = fopen (script, "w");
    fprintf (fid, "pkg ('prefix', '%s', '%s');\n", prefix, prefix);
    fprintf (fid, "pkg ('local_list', '%s');\n", fullfile (prefix, "packages"));
    fprintf (fid, "pkg ('global_list', '%s');\n", fullfile (prefix, "global_packages"));
    fprintf (fid, "pkg load gpureduce\n%s\n", code);
    fclose (fid);
    command = sprintf ("env %s timeout -k 5 %d octave-cli --norc --quiet --no-history %s", environment, seconds, script);
    if (processes > 1)
      command = strjoin ({
        sprintf("for k in $(seq %d); do PROCESS=$k %s > %s.$k 2>&1 & all=\"$all $!\"; done", processes, command, script)
        "status=0; for one in $all; do wait $one || status=$?; done"
        sprintf("cat %s.*; exit $status", script)}, "\n");
    else
      command = [command " 2>&1"];
    endif
    [status, said] = system (command);
  unwind_protect_cleanup
    cellfun (@unlink, glob ([script "*"]));
  end_unwind_protect

endfunction
