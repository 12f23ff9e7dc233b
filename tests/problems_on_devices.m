## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## [count, failed] = problems_on_devices (rounds, first, longer): random problems (divided_problem.m, the first of seed first) and, of first 1, chosen ones: of arrays on
## several GPUs must come what the CPU makes of those of the host, to the last bit, and gpuArrays where they come of a plain gpuArray.
function [count, failed] = problems_on_devices (rounds, first, longer = 1)
  seed (first);
  chosen = {};
  if (first == 1)
    chosen = chosen_divided_problems ();
  endif
  count = rounds + numel (chosen);
  failed = 0;
  for k = 1:count
    seed (first + k - 1);
    if (k <= rounds)
      p = divided_problem (longer);
    else
      p = chosen{k-rounds};
    endif
    devices = some_devices ();
    said = same_on_devices (p, devices);
    if (! isempty (said))
      printf ("problem %d on GPUs %s: gpu_%s of %s %s, arguments %s: %s\n", first + k - 1, mat2str (devices), p.name, mat2str (p.dims), class (p.x), ...
              strjoin (cellfun (@(a) regexprep (disp (a), "\n", ""), p.args, "UniformOutput", false), "; "), said);
      failed++;
    endif
  endfor
endfunction

function seed (k)
  rand ("twister", k);
  randn ("twister", k);
endfunction

## What is wrong; "": nothing.
function said = same_on_devices (p, devices)
  f = str2func (["gpu_" p.name]);
  second = {};
  if (isfield (p, "y"))
    second = {p.y};
  endif
  with = {gpuArray(p.x, "devices", devices)};
  plain = {gpuArray(p.x)};
  if (isfield (p, "y"))
    with{2} = gpuArray (p.y, "devices", {devices, some_devices()}{randi(2)});
    plain{2} = gpuArray (p.y);
  endif
  [wrong, want] = result_of (f, p.outputs, p.x, second{:}, p.args{:}, "device", "cpu");
  [wrong_there, found] = result_of (f, p.outputs, with{:}, p.args{:});
  said = "";
  if (! strcmp (wrong, wrong_there))
    said = sprintf ("error <%s>, not <%s>", wrong_there, wrong);
    return;
  elseif (! isempty (wrong))
    return;
  endif
  [refused, usual] = result_of (f, p.outputs, plain{:}, p.args{:});
  for k = 1:p.outputs
    if (! same_results (want{k}, found{k}))
      said = sprintf ("output %d differs", k);
    elseif (isempty (refused) && isgpuarray (found{k}) != isgpuarray (usual{k}))
      said = sprintf ("output %d is of class %s, not %s", k, class (found{k}), class (usual{k}));
    endif
  endfor
endfunction
