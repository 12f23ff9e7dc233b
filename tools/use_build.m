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

## A prefix that was moved or copied has lists that name the folder it was in, and pkg would load
## what lies there: they are made anew.
function list_what_is_here (prefix)
  lists = glob (fullfile (prefix, "*packages"));     # root's and others'
  here = {make_absolute_filename(prefix), canonicalize_file_name(prefix)};
  elsewhere = @(list) ! any (cellfun (@(folder) any (strfind (fileread (list), ["\n" folder filesep])), here));
  if (all (cellfun (elsewhere, lists)) && ! isempty (glob (fullfile (prefix, "*", "packinfo", "DESCRIPTION"))))
    pkg ("rebuild");
    cellfun (@unlink, lists(cellfun (elsewhere, lists)));
  endif
endfunction
list_what_is_here (getenv ("GPUREDUCE_PREFIX"));
