## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{folder} =} ladder_kit ()
## The folder with the ladder's sources and what a user's file is compiled with,
## unpacked once a session; "" where the package has none.
## @end deftypefn

function folder = ladder_kit ()

  persistent made = "";
  persistent cleaner;
  if (isempty (made) || ! isfolder (made))
    packed = package_file ("gpureduce_variant.tar");
    if (! isempty (packed))
      ## Not mkdir, which is content with a folder of that name that another has just made.
      [status, said] = system (sprintf ("exec mktemp -d %s 2>&1", shell_quoted (fullfile (tempdir (), "gpureduce-XXXXXX"))));
      if (status != 0)
        error ("gpureduce:cannot-write", "gpureduce: no folder for the ladder's sources can be made in %s (%s): set TMPDIR to one that can be written", tempdir (), strtrim (said));
      endif
      made = strtrim (said);
      ## Not untar, whose shell expands the file's name.
      [status, said] = system (sprintf ("exec tar -xf %s -C %s 2>&1", shell_quoted (packed), shell_quoted (made)));
      if (status != 0)
        error ("gpureduce:cannot-write", "gpureduce: the ladder's sources cannot be unpacked into %s: %s", made, strtrim (said));
      endif
      cleaner = onCleanup (@() system (["rm -rf " shell_quoted(made)]));
    endif
  endif
  folder = made;

endfunction
