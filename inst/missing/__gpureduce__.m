## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@dots{}] =} __gpureduce__ (@dots{})
## What is called where the module of that name is missing: an error that says why.
##
## The module's folder is named after the Octave it was built for, and @code{pkg load}
## puts it on the path, and this folder at the end of the path.
## @end deftypefn

function varargout = __gpureduce__ (varargin)

  here = [__octave_config_info__("canonical_host_type"), "-", __octave_config_info__("api_version")];
  places = fileparts (fileparts (mfilename ("fullpath")));
  try
    places = {places, pkg("list", "gpureduce"){1}.archprefix};
  end_try_catch
  found = glob (fullfile (places, "*", "__gpureduce__.mex"));
  [~, made_for] = cellfun (@fileparts, cellfun (@fileparts, found, "UniformOutput", false), "UniformOutput", false);
  if (any (strcmp (made_for, here)))
    error ("gpureduce:not-loaded", "gpureduce is not loaded, only its folder is on the path: pkg load gpureduce");
  elseif (isempty (found))
    made_for = {"its compiled module is missing"};
  endif
  error ("gpureduce:other-octave", ["gpureduce was built for another Octave (%s), and this one is %s (%s): reinstall it: " ...
         "pkg install gpureduce-VERSION.tar.gz"], strjoin (unique (made_for), ", "), version (), here);

endfunction
