## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Says what is in the way before minutes of building, and before pkg takes away what is
## installed.
function pre_install (desc)

  check_room (fileparts (desc.dir), 30, "choose another folder for packages: pkg prefix FOLDER");
  if (! strcmp (desc.archprefix, desc.dir))
    check_room (fileparts (desc.archprefix), 30, "choose another folder for packages: pkg prefix FOLDER FOLDER");
  endif
  if (isfolder ("src"))
    check_room (pwd (), 100, "set TMPDIR to a folder with more room before Octave starts");
  else
    check_binary (desc);
  endif

endfunction

## An error with the remedy where no file can be written into the folder, which may not be
## there yet, or where it has less than so many megabytes.
function check_room (folder, megabytes, remedy)

  if (! is_absolute_filename (folder))
    return;                     # pkg is elsewhere than we are now
  endif
  while (! isfolder (folder))
    folder = fileparts (folder);
  endwhile
  file = fullfile (folder, sprintf ("gpureduce-%d.tmp", getpid ()));      # dh-octave has a tempname without arguments
  [fid, why] = fopen (file, "w");
  if (fid < 0)
    error ("gpureduce:cannot-install", "gpureduce: nothing can be written to %s (%s): %s", folder, why, remedy);
  endif
  fclose (fid);
  unlink (file);

  [status, said] = system (sprintf ("LC_ALL=C df -Pk '%s' 2> /dev/null", strrep (folder, "'", "'\\''")));
  free = regexp (said, '\n.* \d+ +\d+ +(\d+) +\S*%', "tokens", "once");
  if (status == 0 && ! isempty (free) && str2double (free{1}) < 1024 * megabytes)
    error ("gpureduce:cannot-install", "gpureduce: only %.0f MB are free in %s, and %d are needed: %s",
           str2double (free{1}) / 1024, folder, megabytes, remedy);
  endif

endfunction

## An error where a binary package does not run here.
function check_binary (desc)

  remedy = sprintf ("install the source package, pkg install gpureduce-%s.tar.gz, or the binary package for this Octave and system", desc.version);
  here = [__octave_config_info__("canonical_host_type"), "-", __octave_config_info__("api_version")];
  folder = fullfile (pwd (), "inst", here);
  if (! exist (fullfile (folder, "__gpureduce__.mex"), "file"))
    [~, made_for] = cellfun (@fileparts, glob (fullfile ("inst", "*-api-*")), "UniformOutput", false);
    error ("gpureduce:other-octave", "gpureduce: this binary package is for another Octave (%s), and this one is %s (%s): %s", ...
           strjoin (made_for, ", "), version (), here, remedy);
  endif

  ## In an Octave of its own: this one may have the package loaded.
  octave = fullfile (__octave_config_info__ ("bindir"), "octave-cli");
  [status, said] = system (sprintf ("cd '%s' && '%s' --norc --no-history --quiet --eval \"__gpureduce__ ('operators');\" 2>&1", folder, octave));
  if (status != 0)
    said = regexprep (strtrim (said), {'^error: ', '\s*\n\s*'}, {"", "; "});
    error ("gpureduce:other-system", "gpureduce: this binary package does not run here (%s): %s", said, remedy);
  endif

endfunction
