## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Several Octave processes on one GPU: none takes it before its first computation, two
## and four at once have the same bits as the CPU, and all memory is given back.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function said = one (code, environment)
  [status, said] = in_octave (code, environment);
  tally (status == 0, "status %d: %s", status, said);
endfunction

## ---- one process ------------------------------------------------------------

said = one (["gpuDeviceCount (); t = gpuDeviceTable (); canUseGPU (); gpu_config ('trim'); gpu_sum (1:3, 'device', 'cpu');" ...
             "free = @() __gpureduce__ ('device', 1).free_memory; printf ('%d ', free () == -1);" ...
             "gpu_sum (1:3, 'device', 1); printf ('%d', free () > 0);"], "GPUREDUCE_DEVICE=");
tally (strcmp (said, "1 1"), "the GPU before and after the first computation: %s", said);

count = gpuDeviceCount ();
for rank = 0:count
  said = one ("s = gpu_sum (1:4); printf ('%d %d', s, gpu_config ('last').device)", ...
              sprintf ("GPUREDUCE_DEVICE=local SLURM_LOCALID=%d", rank));
  tally (strcmp (said, sprintf ("10 %d", 1 + mod (rank, count))), "rank %d of %d GPUs: %s", rank, count, said);
endfor

## ---- several ------------------------------------------------------------------

function at_once (processes, folder)
  mkdir (folder);
  code = {
    "k = str2double (getenv ('PROCESS')); rand ('twister', k); warning ('off', 'all');"
    "x = rand (1, 3e6 + k); y = single (reshape (x(1:3e6), 3000, [])); z = int16 (1000 * y);"
    "want = {gpu_sum(x, 'device', 'cpu'), gpu_sum(y, 2, 'device', 'cpu'), gpu_prod(1 + 1e-3 * y, 'device', 'cpu'), ..."
    "        gpu_max(z, [], 2, 'device', 'cpu'), gpu_histc(x, 0:0.01:1, 'device', 'cpu')};"
    "fclose (fopen (fullfile ('STARTED', num2str (k)), 'w')); t = tic ();"
    "while (numel (glob (fullfile ('STARTED', '*'))) < COUNT && toc (t) < 30) pause (0.02); endwhile"
    "gpu_sum (1:10); before = __gpureduce__ ('diagnose').memory.in_use; wrong = 0;"
    "for round = 1:10"
    "  gy = gpuArray (y); gz = gpuArray (z);"
    "  got = {gpu_sum(x), gpu_sum(y, 2), gpu_prod(1 + 1e-3 * y), gpu_max(z, [], 2), gpu_histc(x, 0:0.01:1)};"
    "  resident = {gpu_sum(gpuArray (x)), gather(gpu_sum (gy, 2)), gather(gpu_prod (gpuArray (1 + 1e-3 * y))), ..."
    "              gather(gpu_max (gz, [], 2)), gather(gpu_histc (gpuArray (x), 0:0.01:1))};"
    "  for i = 1:5, wrong += ! same_bits (got{i}, want{i}) + ! same_bits (resident{i}, want{i}); endfor"
    "  clear gy gz"
    "endfor"
    "m = __gpureduce__ ('diagnose').memory; gpu_config ('trim');"
    "printf ('%d wrong, %d left, idle %d %d, %s\\n', wrong, m.in_use - before, m.idle <= gpuDevice ().TotalMemory / 4, ..."
    "        __gpureduce__ ('diagnose').memory.idle, gpu_config ('last').backend);"};
  code = strrep (strrep (strjoin (code, "\n"), "STARTED", folder), "COUNT", num2str (processes));
  code = [sprintf("addpath ('%s');\n", fileparts (which ("same_bits"))), code];
  free = gpuDevice ().AvailableMemory;
  [status, said] = in_octave (code, "GPUREDUCE_DEVICE=gpu", 120, processes);
  tally (status == 0, "%d at once: status %d: %s", processes, status, said);
  for line = strsplit (strtrim (said), "\n")
    tally (strcmp (line{1}, "0 wrong, 0 left, idle 1 0, cuda"), "%d at once: %s", processes, line{1});
  endfor
  tally (numel (strfind (said, "0 wrong")) == processes, "%d at once: %s", processes, said);
  tally (numel (glob (fullfile (folder, "*"))) == processes, "%d at once: they did not meet", processes);
  ## others may use the device
  gone = free - gpuDevice ().AvailableMemory;
  tally (gone < 256e6, "%d at once: %.0f bytes gone from the device", processes, gone);
  confirm_recursive_rmdir (false, "local");
  rmdir (folder, "s");
endfunction

gpu_sum (1:10, "device", "gpu");
if (strcmp (gpuDevice ().ComputeMode, "Default"))
  at_once (2, tempname ());
  at_once (4, tempname ());
else
  printf ("skipped: several processes: the GPU is in mode %s\n0 passed, 0 failed, 1 skipped\n", gpuDevice ().ComputeMode);
endif

tally ();
