## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/all_devices.m: a host array of 16 GiB over 1, 2, ... GPUs (tools/octave bench/all_devices.m, with several): GB/s of input by
## the clock of the script, medians of three calls after one that is not timed, and how many times one bus that is; without the CPU's
## help and with it, and the CPU alone.  What "all" does by itself goes by gpu_config ("rates").  Histograms are with and without the
## CPU's help, whichever was faster in earlier calls: so six of these are not timed.
## BENCH_BYTES=2^30: of another size.  Prints a Markdown table.

addpath (fullfile (fileparts (mfilename ("fullpath")), "helpers"));

function gbs = rate (call, bytes, untimed)
  for k = 1:untimed
    call ();
  endfor
  s = zeros (1, 3);
  for k = 1:3
    id = tic ();
    call ();
    s(k) = toc (id);
  endfor
  gbs = bytes / median (s) / 1e9;
endfunction

## Whether the CPU helps, for the rates that "all" goes by.
function helps (yes)
  r = gpu_config ("rates");
  r.measured = true;
  r.both = merge (yes, 1e6, NaN);
  gpu_config ("rates", r);
endfunction

count = gpuDeviceCount ();
if (count < 2)
  error ("bench/all_devices.m needs several GPUs; there are %d", count);
endif
bytes = str2num (getenv ("BENCH_BYTES"));
if (isempty (bytes))
  bytes = 2^34;
endif
printf ("%s; %d CPU threads\n\n", gpuDevice (1).Name, nproc ());
[~, nodes] = system ("cat /sys/bus/pci/devices/*/numa_node 2> /dev/null | sort -n | uniq -c | tr '\\n' ';'");
printf ("PCI devices by NUMA node (count node): %s\n\n", nodes);
printf ("| class | operation |%s%s CPU alone |\n", sprintf (" %d GPUs |", 1:count), sprintf (" times one, %d |", 2:count));
printf ("|---|---|%s---|\n", repmat ("---|", 1, 2 * count - 1));
for class = {"double", "single"}
  width = 4 + 4 * strcmp (class{1}, "double");
  clear x calls                         # one such array at a time
  x = repmat (2 * rand (1, 2^22, class{1}), 1, bytes / width / 2^22);
  calls = {"sum", @(varargin) gpu_sum(x, varargin{:}); "std", @(varargin) gpu_std(x, varargin{:});
           "max", @(varargin) gpu_max(x, [], 2, varargin{:}); "histc, 100 bins", @(varargin) gpu_histc(x, linspace (0, 2, 100), 2, varargin{:})};
  for k = 1:rows (calls)
    counts = strncmp (calls{k,1}, "histc", 5);
    for yes = {[false, true], false}{1 + counts}
      helps (yes);
      r = zeros (1, count);
      for n = 1:count
        r(n) = rate (@() calls{k,2}("device", 1:n), bytes, 1 + 5 * counts);
      endfor
      if (! yes)
        cpu = rate (@() calls{k,2}("device", "cpu"), bytes, 1);
      endif
      printf ("| %s | %s%s |%s%s %.1f |\n", class{1}, calls{k,1}, merge (yes, ", the CPU helps", ""), sprintf (" %.1f |", r), sprintf (" %.2f |", r(2:end) / r(1)), cpu);
    endfor
  endfor
endfor
