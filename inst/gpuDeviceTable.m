## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpuDeviceTable ()
## @deftypefnx {} {@var{t} =} gpuDeviceTable ()
## The GPUs of this machine: print a table, or return a structure array with one
## element a GPU.
##
## The fields are @code{Index}, @code{Name}, @code{ComputeCapability} (text),
## @code{TotalMemory} (bytes), @code{DeviceAvailable} and @code{DeviceSelected}.
## Without a GPU the array is empty (0x1), and the printed line says why.  No GPU is
## taken into use.
##
## @example
## @group
## gpuDeviceTable ()
## @c doctest: +SKIP
##   @print{} Index  Name         ComputeCapability  TotalMemory  DeviceAvailable  DeviceSelected
##   @print{}     1  NVIDIA H200  9.0                139.8 GiB    yes              no
## @end group
## @end example
## @seealso{gpuDevice, gpuDeviceCount, canUseGPU}
## @end deftypefn

function t = gpuDeviceTable ()
  t = struct ("Index", cell (0, 1), "Name", [], "ComputeCapability", [],
              "TotalMemory", [], "DeviceAvailable", [], "DeviceSelected", []);
  [n, reason] = __gpureduce__ ("device_count");
  for k = 1:n
    about = __gpureduce__ ("device", k);
    t(k,1).Index = k;
    t(k).Name = about.name;
    t(k).ComputeCapability = sprintf ("%d.%d", about.major, about.minor);
    t(k).TotalMemory = about.total_memory;
    t(k).DeviceAvailable = about.compute_mode != 2;
    t(k).DeviceSelected = logical (about.selected);
  endfor
  if (nargout > 0)
    return;
  endif
  if (n == 0)
    printf ("no GPU: %s\n", reason);
  else
    width = max ([4, cellfun(@numel, {t.Name})]);
    answers = {"no", "yes"};
    printf ("Index  %-*s  ComputeCapability  TotalMemory  DeviceAvailable  DeviceSelected\n", width, "Name");
    for d = t'
      printf ("%5d  %-*s  %-17s  %-11s  %-15s  %s\n", d.Index, width, d.Name, d.ComputeCapability,
              sprintf ("%.1f GiB", d.TotalMemory / 2^30), answers{1 + d.DeviceAvailable}, answers{1 + d.DeviceSelected});
    endfor
  endif
  clear t
endfunction

%!test
%! t = gpuDeviceTable ();
%! assert (size (t), [gpuDeviceCount(), 1]);
%! assert (fieldnames (t), {"Index"; "Name"; "ComputeCapability"; "TotalMemory"; "DeviceAvailable"; "DeviceSelected"});
%! assert (isequal ({t.Index}(:), num2cell (1:gpuDeviceCount ())(:)));
%!test
%! text = evalc ("gpuDeviceTable ()");
%! if (gpuDeviceCount () == 0)
%!   assert (strncmp (text, "no GPU: ", 8));
%! else
%!   lines = strsplit (strtrim (text), "\n");
%!   assert (numel (lines), 1 + gpuDeviceCount ());
%!   assert (! isempty (strfind (lines{2}, gpuDeviceTable ()(1).Name)));
%! endif
%!error <called with too many inputs> gpuDeviceTable (1)
