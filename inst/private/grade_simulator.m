## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{program} =} grade_simulator (@var{unconfined})
## The simulator's program; with an argument also whether it can confine others here: if not, and
## @var{unconfined} is false, that is an error.
## @end deftypefn

function program = grade_simulator (unconfined)

  program = getenv ("GPUREDUCE_SIM");
  if (isempty (program))
    program = package_file ("gpureduce_sim");
  endif
  if (isempty (program) || isempty (package_file ("gpureduce_variant.tar")))
    error ("gpureduce:unsupported", "gpu_grade: the ladder's simulator was not built; gpureduce_sim.log in the package's folder says why");
  endif
  if (nargin > 0 && ! unconfined)
    [status, said] = system (sprintf ("%s --confined --alone --seconds 10 -- %s --tokens /dev/null x 2>&1", ...
                                      shell_quoted (program), shell_quoted (program)));
    if (any (status == [125, 126]))
      error ("gpureduce:unsupported", ["gpu_grade: submissions %s; \"unconfined\", true runs them nevertheless: " ...
                                       "then they can read and change files and use the network"], strtrim (said));
    endif
  endif

endfunction
