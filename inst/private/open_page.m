## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} open_page (@var{file})
## Open a page in the user's browser; where none can be had, say which file to open.
## @end deftypefn

function open_page (file)

  file = canonicalize_file_name (file);
  if (ispc ())
    command = ["start \"\" \"" file "\""];
    opened = system (command) == 0;
  else
    program = browser_program ();
    opened = ! isempty (program) ...
             && system (sprintf ("%s %s > /dev/null 2>&1 < /dev/null &", program, shell_quoted (file))) == 0;
  endif
  if (! opened)
    printf ("No browser can be opened from here.  Open this file in one: %s\n", file);
  endif

endfunction

## What opens a page on this system, "" where nothing does: without a display, over ssh.
function program = browser_program ()

  program = "";
  there = @(name) ! isempty (file_in_path (getenv ("PATH"), name));
  if (ismac ())
    if (isempty (getenv ("SSH_CONNECTION")))
      program = "open";
    endif
  elseif (! isempty (getenv ("WSL_DISTRO_NAME")) && there ("wslview"))
    program = "wslview";
  elseif (! isempty ([getenv("DISPLAY"), getenv("WAYLAND_DISPLAY")]) && there ("xdg-open"))
    program = "xdg-open";
  endif

endfunction
