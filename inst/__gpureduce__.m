## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} __gpureduce__ (@dots{})
## What is called where the module of that name is missing: an error that says why.
##
## The module's folder is named after the Octave it was built for, and @code{pkg load}
## puts it before this one; where another has put this one first, it is put back.
## @end deftypefn

function varargout = __gpureduce__ (varargin)

  here = [__octave_config_info__("canonical_host_type"), "-", __octave_config_info__("api_version")];
  places = fileparts (mfilename ("fullpath"));
  try
    places = {places, pkg("list", "gpureduce"){1}.archprefix};
  end_try_catch
  found = glob (fullfile (places, "*", "__gpureduce__.mex"));
  [~, made_for] = cellfun (@fileparts, cellfun (@fileparts, found, "UniformOutput", false), "UniformOutput", false);
  right = find (strcmp (made_for, here), 1);
  if (! isempty (right))
    ## Somebody has put this folder first, as pkg test does.
    addpath (fileparts (found{right}));
    if (exist ("__gpureduce__") == 3)
      [varargout{1:nargout}] = feval ("__gpureduce__", varargin{:});
      return;
    endif
    error ("gpureduce:not-loaded", "gpureduce is not loaded, or its folders are in the wrong order on the path: pkg load gpureduce");
  elseif (isempty (found))
    made_for = {"its compiled module is missing"};
  endif
  error ("gpureduce:other-octave", ["gpureduce was built for another Octave (%s), and this one is %s (%s): reinstall it: " ...
         "pkg install gpureduce-VERSION.tar.gz"], strjoin (unique (made_for), ", "), version (), here);

endfunction
