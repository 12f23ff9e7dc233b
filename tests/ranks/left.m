## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Run by three ranks (tests/ranks.sh): rank 1 leaves a call that the others are in, as RANKS_CASE says.  Each of them prints the error that
## ends its call, and that of the next one.  RANKS_CALL: of which function ("gpu_sum").  RANKS_ON_GPU=yes: pieces are gpuArrays (own_gpu.m).
## RANKS_OUTPUTS=n: reductions have so many outputs, and each says then whether it is linked.  RANKS_ENDED: rank 0 and 2 make the files of this name and their rank
## when they have ended the call before.

addpath (fileparts (fileparts (mfilename ("fullpath"))));
sigterm_dumps_octave_core (false);
c = gpu_comm ();
how = getenv ("RANKS_CASE");
gpu_config ("comm_timeout", Inf);
x = rand (3, 50000);
if (! isempty (getenv ("RANKS_OUTPUTS")))
  x = rand (str2double (getenv ("RANKS_OUTPUTS")), 333 + 50 * c.rank);
endif
subscripts = round (100 * x(1,:).') + 1;
if (strcmp (getenv ("RANKS_ON_GPU"), "yes"))
  warning ("off", "gpureduce:cpu-fallback");
  place = own_gpu (c);
  x = place (x);
endif
name = getenv ("RANKS_CALL");
if (isempty (name))
  name = "gpu_sum";
endif
f = @() feval (name, x, 2, "comm", c);
if (strcmp (name, "gpu_histc"))
  f = @() gpu_histc (x, 0:0.1:1, 2, "comm", c);
elseif (strcmp (name, "gpu_maxk"))
  f = @() gpu_maxk (x, 5, 2, "comm", c);
elseif (strcmp (name, "gpu_accumarray"))
  f = @() gpu_accumarray (subscripts, 1, "comm", c);
endif
y = f ();
## A rank that hears of the failure while it is still in this call fails in it, so rank 1 waits until the others have ended it, for a minute at most.
ended = @(rank) sprintf ("%s%d", getenv ("RANKS_ENDED"), rank);
waits = 0;
if (c.rank != 1)
  fclose (fopen (ended (c.rank), "w"));
endif
while (c.rank == 1 && waits++ < 600 && ! (exist (ended (0), "file") && exist (ended (2), "file")))
  pause (0.1);
endwhile
if (any (strcmp (how, {"killed", "late", "hangs"})))
  gpu_config ("comm_timeout", 2);
endif
if (c.rank == 1)
  switch (how)
    case "killed"
      kill (getpid (), 9);
    case "ends"
      exit (0);
    case "late"
      pause (4);
    case "full"
      held = {};
      for count = 2 .^ [29, 26, 22, 18, 12]
        part = ones (1, count);
        try
          while (numel (held) < 5000)
            held{end+1} = gpuArray (part);
          endwhile
        catch err
        end_try_catch
      endfor
    case "memory"
      __gpureduce__ ("fault", str2double (getenv ("RANKS_FAULT")), "memory");
    case "interrupted"
      system (sprintf ("(sleep 1; kill -INT %d) &", getpid ()));
  endswitch
elseif (c.rank == 2 && strcmp (how, "interrupted"))
  pause (3);
elseif (strcmp (how, "job"))
  pause (60);
endif
if (strcmp (how, "job"))
  printf ("waits\n");
  fflush (stdout);
endif
for k = 1:2
  try
    f ();
    fputs (stdout, sprintf ("rank %d: no error\n", c.rank));
  catch err
    fputs (stdout, sprintf ("rank %d, call %d: %s %s\n", c.rank, k, err.identifier, err.message));
  end_try_catch
endfor
if (! isempty (getenv ("RANKS_OUTPUTS")))
  now = __gpureduce__ ("diagnose");
  fputs (stdout, sprintf ("rank %d, linked: %d: %s\n", c.rank, now.linked, now.link_failure));
endif
