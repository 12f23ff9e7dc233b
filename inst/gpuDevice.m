## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

classdef gpuDevice < handle

  ## -*- texinfo -*-
  ## @deftypefn  {} {@var{d} =} gpuDevice ()
  ## @deftypefnx {} {@var{d} =} gpuDevice (@var{idx})
  ## @deftypefnx {} {} gpuDevice ([])
  ## The selected GPU, as an object with its properties.
  ##
  ## Without an argument, @var{d} is the GPU that computations use, or will use.
  ## With a number from 1 to @code{gpuDeviceCount ()}, that GPU is selected for
  ## the computations that follow.  @code{gpuDevice ([])} resets the selected GPU
  ## and deselects it, which gives back its memory.
  ##
  ## The properties are @code{Name}, @code{Index}, @code{ComputeCapability}
  ## (text), @code{SupportsDouble}, @code{DriverVersion} and
  ## @code{ToolkitVersion} (of CUDA), @code{MaxThreadsPerBlock},
  ## @code{MaxShmemPerBlock} (bytes), @code{MaxThreadBlockSize},
  ## @code{MaxGridSize}, @code{SIMDWidth}, @code{TotalMemory} and
  ## @code{AvailableMemory} (bytes; NaN before the GPU is in use),
  ## @code{MultiprocessorCount}, @code{ClockRateKHz}, @code{ComputeMode},
  ## @code{GPUOverlapsTransfers}, @code{CanMapHostMemory},
  ## @code{DeviceSupported}, @code{DeviceAvailable} (false for one that failed)
  ## and @code{DeviceSelected}.
  ##
  ## Two more functions take the object:
  ##
  ## @table @code
  ## @item wait (@var{d})
  ## Return when all work on the GPU is done.
  ## @item reset (@var{d})
  ## Drop everything on the selected GPU: its gpuArrays can no longer be used
  ## (@code{existsOnGPU} is false for them), its memory is free again.  A GPU
  ## that failed (@code{gpureduce:device-lost}) starts anew this way where the
  ## driver gives it back to the process; where it does not, reset says so, and
  ## Octave must be started again.
  ## @end table
  ##
  ## @example
  ## @group
  ## d = gpuDevice ();
  ## printf ("%s: %d multiprocessors\n", d.Name, d.MultiprocessorCount)
  ## @c doctest: +SKIP
  ##     @print{} NVIDIA H200: 132 multiprocessors
  ## @end group
  ## @end example
  ##
  ## Errors: @code{gpureduce:no-device} when there is no GPU (saying why) or none
  ## of that number, @code{gpureduce:invalid-input} when @var{idx} is not a number
  ## from 1.  @code{canUseGPU} asks without an error.
  ## @seealso{gpuDeviceCount, gpuDeviceTable, canUseGPU, gpuArray, gpu_config, gpu_doctor}
  ## @end deftypefn

  ## As for gpuArray, nothing is private: see there.
  properties
    Name = "";
    Index = 0;
    ComputeCapability = "";
    SupportsDouble = true;
    DriverVersion = 0;
    ToolkitVersion = 0;
    MaxThreadsPerBlock = 0;
    MaxShmemPerBlock = 0;
    MaxThreadBlockSize = [0 0 0];
    MaxGridSize = [0 0 0];
    SIMDWidth = 0;
    TotalMemory = 0;
    MultiprocessorCount = 0;
    ClockRateKHz = 0;
    ComputeMode = "";
    GPUOverlapsTransfers = false;
    CanMapHostMemory = true;
    DeviceSupported = true;
    DeviceAvailable = true;
  endproperties

  properties (Dependent)
    AvailableMemory;
    DeviceSelected;
  endproperties

  methods
    function this = gpuDevice (idx)
      if (nargin == 0)
        idx = 0;                                   # the selected one, or the first
      elseif (! isnumeric (idx) || ! isreal (idx)
              || ! (isempty (idx) || (isscalar (idx) && idx >= 1 && idx == fix (idx))))
        error ("gpureduce:invalid-input", "gpuDevice: IDX must be a device number from 1, or []");
      endif
      lost = false;
      if (isempty (idx))
        about = __gpureduce__ ("device", 0);
        __gpureduce__ ("reset");
      else
        ## A lost one is described too, for reset to take it.
        try
          __gpureduce__ ("select", double (idx));
        catch err
          if (! strcmp (err.identifier, "gpureduce:device-lost"))
            rethrow (err);
          endif
          lost = true;
        end_try_catch
        about = __gpureduce__ ("device", double (idx));
      endif
      modes = {"Default", "Exclusive thread", "Prohibited", "Exclusive process"};
      cuda = @(v) floor (v / 1000) + mod (v, 1000) / 100;       # 12040 is 12.4
      this.Name = about.name;
      this.Index = about.index;
      this.ComputeCapability = sprintf ("%d.%d", about.major, about.minor);
      this.DriverVersion = cuda (about.driver_version);
      this.ToolkitVersion = cuda (about.runtime_version);
      this.MaxThreadsPerBlock = about.max_threads_per_block;
      this.MaxShmemPerBlock = about.shared_per_block;
      this.MaxThreadBlockSize = about.max_block;
      this.MaxGridSize = about.max_grid;
      this.SIMDWidth = about.warp_size;
      this.TotalMemory = about.total_memory;
      this.MultiprocessorCount = about.multiprocessors;
      this.ClockRateKHz = about.clock_khz;
      this.ComputeMode = modes{about.compute_mode + 1};
      this.GPUOverlapsTransfers = logical (about.overlaps);
      this.DeviceAvailable = about.compute_mode != 2 && ! lost;
    endfunction

    function bytes = get.AvailableMemory (this)
      bytes = __gpureduce__ ("device", this.Index).free_memory;
      if (bytes < 0)
        bytes = NaN;
      endif
    endfunction

    function t = get.DeviceSelected (this)
      t = logical (__gpureduce__ ("device", this.Index).selected);
    endfunction

    function wait (this)
      __gpureduce__ ("synchronize");
    endfunction

    function reset (this)
      if (! this.DeviceSelected)
        error ("gpureduce:invalid-input", "gpuDevice: reset: device %d is not the selected one", this.Index);
      endif
      __gpureduce__ ("reset");
      __gpureduce__ ("select", this.Index);
      this.DeviceAvailable = true;
    endfunction

    function disp (this)
      printf ("  gpuDevice with properties:\n\n");
      for name = {"Name", "Index", "ComputeCapability", "SupportsDouble", "DriverVersion", "ToolkitVersion", ...
                  "MaxThreadsPerBlock", "MaxShmemPerBlock", "MaxThreadBlockSize", "MaxGridSize", "SIMDWidth", ...
                  "TotalMemory", "AvailableMemory", "MultiprocessorCount", "ClockRateKHz", "ComputeMode", ...
                  "GPUOverlapsTransfers", "CanMapHostMemory", "DeviceSupported", "DeviceAvailable", "DeviceSelected"}
        value = this.(name{1});
        if (! ischar (value))
          value = strjoin (arrayfun (@(v) sprintf ("%.15g", v), value, "uniformoutput", false), " ");
        endif
        printf ("  %22s: %s\n", name{1}, value);
      endfor
    endfunction

    function display (this)
      printf ("%s =\n\n", inputname (1));
      disp (this);
      printf ("\n");
    endfunction
  endmethods
endclassdef

%!error id=gpureduce:invalid-input gpuDevice ("first")
%!error id=gpureduce:invalid-input gpuDevice (0)
%!error id=gpureduce:invalid-input gpuDevice (1.5)
%!error id=gpureduce:invalid-input gpuDevice ({})
%!error id=gpureduce:no-device gpuDevice (1000)
%!testif ; gpuDeviceCount () == 0
%! for call = {@() gpuDevice(), @() gpuDevice(1), @() gpuDevice([])}
%!   caught.identifier = caught.message = "";
%!   try
%!     call{1} ();
%!   catch caught
%!   end_try_catch
%!   assert (caught.identifier, "gpureduce:no-device");
%!   assert (! isempty (strfind (caught.message, "gpuDevice: no GPU")));
%! endfor
%!testif ; gpuDeviceCount () > 0
%! d = gpuDevice ();
%! assert (d.Index >= 1 && d.Index <= gpuDeviceCount ());
%! assert (! isempty (d.Name));
%! assert (! isempty (regexp (d.ComputeCapability, '^\d+\.\d+$')));
%! assert (d.MaxThreadsPerBlock, 1024);
%! assert (size (d.MaxGridSize), [1 3]);
%! assert (size (d.MaxThreadBlockSize), [1 3]);
%! assert (d.SIMDWidth, 32);
%! assert (d.TotalMemory > 0);
%! assert (d.AvailableMemory > 0 && d.AvailableMemory <= d.TotalMemory);
%! assert (d.MultiprocessorCount > 0);
%! assert (d.ToolkitVersion > 0 && d.DriverVersion >= floor (d.ToolkitVersion));
%! assert (d.DeviceSelected && d.DeviceAvailable && d.SupportsDouble);
%! text = evalc ("d");
%! assert (! isempty (regexp (text, '^d =\n\n  gpuDevice with properties:\n\n +Name: ')));
%! assert (! isempty (strfind (text, d.Name)));
%!testif ; gpuDeviceCount () > 0
%! d = gpuDevice (1);
%! assert (d.Index, 1);
%! assert (d.DeviceSelected);
%! g = gpuArray (1:5);
%! wait (d);
%! assert (existsOnGPU (g));
%! reset (d);
%! assert (d.DeviceSelected);
%! assert (! existsOnGPU (g));
%! assert (gpu_sum (gpuArray (1:5)), 15);
%! gpuDevice ([]);
%! assert (! d.DeviceSelected);
%! assert (gpu_sum (1:5), 15);
