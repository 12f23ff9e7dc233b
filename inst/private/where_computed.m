## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{arrays}, @var{options}, @var{gathers}] =} where_computed (@var{caller}, @var{arrays}, @var{device}, @var{ranks})
## The arrays in a cell as the function @var{caller} computes with them in several steps, the options of its reductions, and whether results are to be
## gathered.  Host arrays become full, and gpuArrays where a GPU computes, which then reads them once.  On the CPU they stay: a copy would take longer than
## it saves.  @var{device} is D of "device", D, or "".  Pieces of @var{ranks} (@code{own_piece}) stay where they are.
## @end deftypefn

function [arrays, options, gathers] = where_computed (caller, arrays, device, ranks)

  options = ranks.options;
  gathers = false;
  hosts = ! cellfun ("isclass", arrays, "gpuArray");
  arrays(hosts) = cellfun (@full, arrays(hosts), "UniformOutput", false);       # diagonal matrices do not broadcast
  if (ranks.dim > 0 || isempty (device) && isa (arrays{1}, "gpuArray"))
    return;
  endif
  if (! isempty (device))
    options = {"device", device};
    __gpureduce__ (["sum:" caller], 1, options{:});         # the error of a device that is none
  else
    device = __gpureduce__ ("config", "device");
  endif
  if (any (cellfun (@isgpuarray, arrays)) || any (strcmpi (device, {"cpu", "auto"})) || ! canUseGPU () || exist ("__gpr_octave__") != 3)
    return;
  endif
  place = gpu_config ("device", device);
  unwind_protect
    arrays = cellfun (@gpuArray, arrays, "UniformOutput", false);
  unwind_protect_cleanup
    gpu_config ("device", place);
  end_unwind_protect
  options = {};
  gathers = true;

endfunction
