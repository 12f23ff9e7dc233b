## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Makes GPUREDUCE_PREFIX, or build/octave, the place of this Octave's packages,
## for root's as for others'.

if (isempty (getenv ("GPUREDUCE_PREFIX")))
  setenv ("GPUREDUCE_PREFIX", fullfile (fileparts (fileparts (mfilename ("fullpath"))),
                                        "build", "octave"));
endif
pkg ("prefix", getenv ("GPUREDUCE_PREFIX"), getenv ("GPUREDUCE_PREFIX"));
pkg ("local_list", fullfile (getenv ("GPUREDUCE_PREFIX"), "packages"));
pkg ("global_list", fullfile (getenv ("GPUREDUCE_PREFIX"), "global_packages"));

## A copy of the tree has the lists of the tree it was copied from, and pkg would load that
## one's package: they are made anew.
function list_what_is_here (prefix)
  lists = glob (fullfile (prefix, "*packages"))';     # root's and others'
  listed = strjoin (cellfun (@fileread, lists, "UniformOutput", false), "");
  here = {make_absolute_filename(prefix), canonicalize_file_name(prefix)};
  named = any (cellfun (@(folder) any (strfind (listed, ["\n" folder filesep])), here));
  if (! isempty (listed) && ! named && ! isempty (glob (fullfile (prefix, "*", "packinfo", "DESCRIPTION"))))
    cellfun (@unlink, lists);
    pkg ("rebuild");
  endif
endfunction
list_what_is_here (getenv ("GPUREDUCE_PREFIX"));
