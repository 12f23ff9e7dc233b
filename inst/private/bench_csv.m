## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} bench_csv (@var{r}, @var{about}, @var{file})
## Write the results of @code{gpu_bench} as comma-separated values, after lines that say on what
## they were measured.
## @end deftypefn

function bench_csv (r, about, file)

  fid = writable (file, "gpu_bench: csv");
  d = __gpureduce__ ("diagnose");
  fprintf (fid, "# date: %s\n", strftime ("%Y-%m-%d %H:%M UTC", gmtime (time ())));
  fprintf (fid, "# gpureduce: %s\n# octave: %s\n# where: %s\n", d.version, version (), about.where);
  if (d.driver_version > 0)
    fprintf (fid, "# CUDA: driver %d.%d, runtime %d.%d\n", floor (d.driver_version / 1000), mod (d.driver_version, 1000) / 10, ...
             floor (d.runtime_version / 1000), mod (d.runtime_version, 1000) / 10);
  endif
  fprintf (fid, "# table: %s\n", about.title);
  if (! isnan (about.ceiling))
    fprintf (fid, "# read ceiling: %.6g GB/s", about.ceiling);
    if (! isempty (about.unit))
      fprintf (fid, "; source: %s", about.unit);
    endif
    fprintf (fid, "\n");
  endif
  names = fieldnames (r)';
  fprintf (fid, "%s\n", strjoin (names, ","));
  for s = r
    cells = cellfun (@(name) csv_cell (s.(name)), names, "uniformoutput", false);
    fprintf (fid, "%s\n", strjoin (cells, ","));
  endfor
  fclose (fid);

endfunction

function text = csv_cell (v)
  if (ischar (v))
    text = v;
    if (any (v == ",") || any (v == "\""))
      text = ["\"" strrep(v, "\"", "\"\"") "\""];
    endif
  elseif (isnan (v))
    text = "";
  else
    text = sprintf ("%.6g", v);
    if (v == fix (v))
      text = sprintf ("%d", v);
    endif
  endif
endfunction
