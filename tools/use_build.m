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
