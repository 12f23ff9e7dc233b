## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{path}, @var{why}] =} simulator_program ()
## The simulator's program, and where there is none the reason, else "".
## @end deftypefn

function [path, why] = simulator_program ()

  why = "";
  path = getenv ("GPUREDUCE_SIM");
  if (isempty (path))
    path = package_file ("gpureduce_sim");
  endif
  if (! exist (path, "file"))
    why = "the ladder's simulator was not built; gpureduce_sim.log in the package's folder says why";
  endif

endfunction
