## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench_gpu: the last step of bench/bench-gpu.sh: times the lines that need Octave,
## writes them and those of peers.cu and peers.py to build/bench-gpu.csv, then says
## what became of the targets, and draws.

1;

## Microseconds of a short call: the median of batches.
function us = short_call_us (f)
  for i = 1:101
    id = tic ();
    for k = 1:20
      f ();
    endfor
    taken(i) = 1e6 * toc (id) / 20;
  endfor
  us = median (taken(2:end));
endfunction

function print_line (file, group, elements, who, us)
  fprintf (file, "%s,sum,double,%d,%d,%s,,%.6g\n", group, elements, 8 * elements, who, us);
endfunction

function s = sum_on (device, threads, x)
  gpu_config ("device", device);
  gpu_config ("threads", threads);
  s = gpu_sum (x);
endfunction

addpath (fullfile (fileparts (mfilename ("fullpath")), "helpers"));
build = fullfile (fileparts (fileparts (mfilename ("fullpath"))), "build");
csv = fullfile (build, "bench-gpu.csv");
only = strsplit (getenv ("BENCH_ONLY"), ",");
wanted = @(group) isempty (only{1}) || any (strcmp (only, group));
wrong = 0;

peers = strsplit (strtrim (fileread (fullfile (build, "bench-gpu", "peers.csv"))), "\n");
python = fullfile (build, "bench-gpu", "python.csv");
if (exist (python, "file"))
  peers = [peers, strsplit(strtrim (fileread (python)), "\n")];
endif
notes = strncmp (peers, "#", 1);
heading = strncmp (peers, "group,", 6);

file = fopen (csv, "w");
m = machine ();
for field = fieldnames (m).'
  fprintf (file, "# %s: %s\n", field{1}, m.(field{1}));
endfor
fprintf (file, "%s\n", peers{notes});
fprintf (file, "group,line,class,elements,bytes,who,device_us,call_us\n");
fprintf (file, "%s\n", peers{! notes & ! heading & ! cellfun("isempty", peers)});

rand ("twister", 42);
if (wanted ("latency"))
  x = rand (1024, 1);
  gpu_config ("device", "gpu");
  g = gpuArray (x);
  wrong += ! agrees (gpu_sum (g), sum (x), 1024 * eps / 2 * sum (x));
  print_line (file, "latency", 1024, "Octave gpuArray", short_call_us (@() gpu_sum (g)));
  print_line (file, "latency", 1024, "built-in", short_call_us (@() sum (x)));
  clear g;
endif

if (wanted ("host"))
  n = 2 ^ 27;
  x = rand (n, 1);
  ways = {"gpu", 0; "auto", 0; "cpu", 0; "gpu", 4; "auto", 4; "cpu", 4};
  expected = sum (x);
  functions = {@() sum(x)};
  names = {"built-in"};
  for i = 1:rows (ways)
    functions{end+1} = @() sum_on (ways{i,:}, x);
    names{end+1} = ["Octave " ways{i,1} merge(ways{i,2} > 0, sprintf (" %d threads", ways{i,2}), "")];
    if (! agrees (functions{end}(), expected, n * eps / 2 * expected))
      printf ("WRONG: %s\n", names{end});
      wrong++;
    endif
  endfor
  ms = interleaved_ms (functions{:});
  for i = 1:numel (ms)
    print_line (file, "host", n, names{i}, 1e3 * ms(i));
  endfor
  gpu_config ("device", "default");
  gpu_config ("threads", 0);
  clear x functions;
endif
fclose (file);
printf ("\nTable: %s\n", csv);

report_gpu (csv);
if (wrong > 0)
  error ("bench-gpu: %d results are not what they must be", wrong);
endif
