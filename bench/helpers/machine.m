## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## m = machine (): what results and times depend on, as a struct of strings.

function m = machine ()

  d = __gpureduce__ ("diagnose");
  m.date = strftime ("%Y-%m-%d %H:%M UTC", gmtime (time ()));
  m.commit = getenv ("GPUREDUCE_COMMIT");
  if (isempty (m.commit))
    m.commit = output_of ("git rev-parse --short HEAD");
  endif
  m.gpureduce = sprintf ("%s, tree version %d", d.version, d.tree);
  m.octave = version ();
  m.cpu = sprintf ("%s; threads: %d; SIMD: %s", cpu_name (), d.threads, d.isa);
  [devices, reason] = __gpureduce__ ("device_count");
  if (devices > 0)
    g = __gpureduce__ ("device", 0);
    driver = output_of ("nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1");
    m.gpu = sprintf ("%s, %.0f GiB; driver %s", g.name, g.total_memory / 2^30, driver);
  else
    m.gpu = ["none (" reason ")"];
  endif

endfunction

function name = cpu_name ()
  name = output_of ("sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1");
  if (isempty (name))
    name = computer ();
  endif
endfunction

function text = output_of (command)
  [status, text] = system (["{ " command "; } 2> /dev/null"]);
  text = strtrim (text);
endfunction
