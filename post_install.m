## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Puts the simulator beside the module that starts it, and says what the installation
## built, in one line.
function post_install (desc)

  ## pkg goes by names: what is not .mex or .so goes to the tree of m-files.
  program = fullfile (desc.dir, "gpureduce_sim");
  modules = fullfile (desc.archprefix, [__octave_config_info__("canonical_host_type"), "-", __octave_config_info__("api_version")]);
  if (exist (program, "file"))
    [done, why] = movefile (program, modules);
    if (! done)
      error ("gpureduce: cannot move the ladder's simulator to %s: %s", modules, why);
    endif
  endif
  printf ("gpureduce %s: %s\n", desc.version,
          strtrim (fileread (fullfile (desc.dir, "gpureduce_build.txt"))));

endfunction
