## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} __gpr_octave__ (@dots{})
## Undocumented internal function: stands where the part of the package that makes gpuArrays
## could not be compiled, and says what to do.
## @end deftypefn

function varargout = __gpr_octave__ (varargin)
  if (nargin > 0 && any (strcmp (varargin{1}, {"reduce", "mapreduce"})))
    varargout = {[], {}};       # as of calls that m-code is to do
    return;
  endif
  __gpureduce__ ("rules");      # where all that is compiled is missing, that says so
  error ("gpureduce:no-value-type", ["gpuArray: the part of gpureduce that makes gpuArrays is missing: " ...
         "it could not be compiled when the package was installed (gpureduce_octave.log in the package's folder says why); " ...
         "install octave-dev and a C++ compiler, then the package again"]);
endfunction
