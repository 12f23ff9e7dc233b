## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## said = with_three (code, environment): what code prints in an Octave with the three GPUs of
## three_gpus.c.  There opened () tells which are in use, on (g) where a gpuArray is, and last () where the last call was.
function said = with_three (code, environment = "")

  tools = ["warning ('off', 'gpureduce:cpu-fallback');\n" ...
           "opened = @() find (arrayfun (@(k) __gpureduce__ ('device', k).free_memory >= 0, 1:3));\n" ...
           "on = @(g) __gpureduce__ ('describe', g).device;\n" ...
           "last = @() gpu_config ('last').device;\n"];
  [status, said] = in_octave ([tools code], ["GPUREDUCE_CUDA_MODULE=" compiled() " " environment]);
  assert (status == 0, "%s", said);

endfunction

## The module, once a session, which removes it when it ends.
function module = compiled ()
  persistent made = "";
  if (isempty (made))
    [fid, module] = mkstemp (fullfile (tempdir (), "three-XXXXXX"), true);
    fclose (fid);
    source = fullfile (fileparts (mfilename ("fullpath")), "three_gpus.c");
    [status, said] = system (sprintf ("cc -std=gnu11 -ffp-contract=off -shared -fPIC -o %s %s -lm 2>&1", module, source));
    assert (status == 0, "%s", said);
    made = module;
  endif
  module = made;
endfunction
