## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{r} =} doctor_line (@var{layer}, @var{good}, @var{found}, @var{remedy})
## One line of the report of gpu_doctor.  @var{good}: true, false, or "--" for what may
## be absent.
## @end deftypefn

function r = doctor_line (layer, good, found, remedy = "")

  if (ischar (good))
    state = good;
  elseif (good)
    state = "ok";
    remedy = "";
  else
    state = "FAILED";
  endif
  r = struct ("layer", layer, "state", state, "found", found, "remedy", remedy);

endfunction
